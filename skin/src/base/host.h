/*
 * host.h: what every part of the library gets from the host, with a device or without one: a logger and memory.
 */
#ifndef VKSKIN_HOST_H
#define VKSKIN_HOST_H

#include "vkskin/vkskin_base.h"

typedef struct Host {
    VkskinLogger logger;
    const VkskinHostAllocator *allocator; /* null: malloc */
} Host;

/* ---- Messages ---- */

#if defined(__GNUC__)
#define VKSKIN_PRINTF(formatIndex, firstArgument) __attribute__((format(printf, formatIndex, firstArgument)))
#else
#define VKSKIN_PRINTF(formatIndex, firstArgument)
#endif

/*
 * Tells `logger` of `result` and returns it: `return sknReport(...)`. `format` is printf's: one line of English without
 * a line end that says what and where; it is cut at 255 bytes. Null or a logger without a function: silent.
 */
VkskinResult sknReport(const VkskinLogger *logger, VkskinResult result, const char *format, ...) VKSKIN_PRINTF(3, 4);

/*
 * ---- Memory ----
 *
 * `allocator` may be null in every call and then stands for malloc. Free memory with the allocator that it came from.
 * Memory is aligned to 16 bytes. A size of zero is taken as one byte, so that null always means failure.
 */

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
