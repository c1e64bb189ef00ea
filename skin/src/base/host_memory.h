/*
 * host_memory.h: the library's own memory, through the host's allocator or malloc.
 *
 * `allocator` may be null in every call and then means malloc; memory goes back through the allocator it came from.
 * What is returned is aligned to 16 bytes. A size of zero is taken as one byte, so that null always means failure.
 */
#ifndef VKSKIN_HOST_MEMORY_H
#define VKSKIN_HOST_MEMORY_H

#include "vkskin/vkskin_base.h"

/* A copy to keep in an object: *allocator, or malloc's functions where it is null. All its functions are set. */
VkskinHostAllocator sknHostAllocatorCopy(const VkskinHostAllocator *allocator);

/* False where the host's struct lacks one of its functions. Null is well formed. */
bool sknHostAllocatorIsComplete(const VkskinHostAllocator *allocator);

/* `size` bytes, not cleared; null where there is no memory. */
void *sknHostAllocate(const VkskinHostAllocator *allocator, size_t size);

/* The same, aligned to a cache line of 64 bytes. */
void *sknHostAllocateLines(const VkskinHostAllocator *allocator, size_t size);

/* count x size bytes, cleared; null where there is no memory or the product overflows. */
void *sknHostAllocateArray(const VkskinHostAllocator *allocator, size_t count, size_t size);

/*
 * A larger copy of an array: `count` elements kept, the rest of `capacity` cleared, the old memory freed (null: none).
 * Null where there is no memory, and then the old array is as it was.
 */
void *sknHostGrowArray(const VkskinHostAllocator *allocator, void *old, size_t count, size_t capacity, size_t size);

/* Null memory is allowed. */
void sknHostFree(const VkskinHostAllocator *allocator, void *memory);

#endif
