/*
 * range_allocator.h: which parts of a page are free. First fit over the free ranges in order of offset.
 */
#ifndef VKSKIN_RANGE_ALLOCATOR_H
#define VKSKIN_RANGE_ALLOCATOR_H

#include "host_memory.h"

typedef struct FreeRange {
    uint64_t offset;
    uint64_t size;
} FreeRange;

typedef struct RangeAllocator {
    FreeRange *ranges; /* ascending, never touching one another */
    uint32_t count;
    uint32_t capacity;
    uint32_t allocations;
} RangeAllocator;

/* All of 0 to size is free. False where there is no host memory. */
bool sknInitRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size);
void sknDestroyRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator);

typedef enum RangeResult { RANGE_TAKEN, RANGE_FULL, RANGE_NO_HOST_MEMORY } RangeResult;

/* Takes `size` bytes, above 0. Whoever keeps sizes to a multiple of an alignment gets offsets so aligned. */
RangeResult sknTakeRange(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size, uint64_t *offset);

/* Gives back what was taken. Cannot fail: taking made room for it. */
void sknGiveRange(RangeAllocator *ranges, uint64_t offset, uint64_t size);

#endif
