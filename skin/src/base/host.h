/*
 * host.h: what every part of the library gets from the host, with a device or without one: a logger and memory.
 */
#ifndef VKSKIN_HOST_H
#define VKSKIN_HOST_H

#include <stdio.h>

#include "vkskin/vkskin_base.h"

typedef struct Host {
    VkskinLogger logger;
    const VkskinHostAllocator *allocator; /* null: malloc */
} Host;

/* ---- Messages ---- */

#if defined(__MINGW_PRINTF_FORMAT) /* stdio.h of MinGW defines this: which of its two printf functions is used */
#define VKSKIN_PRINTF(formatIndex, firstArgument)                                                                      \
    __attribute__((format(__MINGW_PRINTF_FORMAT, formatIndex, firstArgument)))
#elif defined(__GNUC__)
#define VKSKIN_PRINTF(formatIndex, firstArgument) __attribute__((format(printf, formatIndex, firstArgument)))
#else
#define VKSKIN_PRINTF(formatIndex, firstArgument)
#endif

/*
 * Logs a message and returns `result`: `return sknReport(...)`. `format` is printf's: one line of English without a line
 * end that says what is wrong and where. It is cut at 255 bytes. A null logger, or one without a function, logs nothing.
 */
VkskinResult sknReport(const VkskinLogger *logger, VkskinResult result, const char *format, ...) VKSKIN_PRINTF(3, 4);

/* ---- Checks of a def ---- */

/* The logger, and how messages begin: "mesh " and "cube", or "vkskinTune" and "". */
typedef struct Subject {
    const VkskinLogger *logger;
    const char *kind, *name;
} Subject;

typedef struct Rule {
    bool broken;
    VkskinResult result;
    const char *message;
} Rule;

/* A number from `least` to `most`. */
typedef struct Range {
    const char *field;
    uint64_t value, least, most;
} Range;

#define SKN_COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Reports the first broken rule. */
VkskinResult sknCheckRules(const Subject *subject, const Rule *rules, size_t count);

/* Reports the first number that is out of its range. Error: INVALID_VALUE. */
VkskinResult sknCheckRanges(const Subject *subject, const Range *ranges, size_t count);

/*
 * ---- Memory ----
 *
 * `allocator` may be null in every call and then stands for malloc. Free memory with the allocator that it came from.
 * Memory is aligned to 16 bytes. A size of zero is taken as one byte, so that null always means failure.
 */

/* Returns a copy to keep in an object: *allocator, or malloc's functions for null. All functions are set. */
VkskinHostAllocator sknHostAllocatorCopy(const VkskinHostAllocator *allocator);

/* False if a function of the host's struct is null. True for a null allocator. */
bool sknHostAllocatorIsComplete(const VkskinHostAllocator *allocator);

/* `size` bytes, not cleared; null if there is no memory. */
void *sknHostAllocate(const VkskinHostAllocator *allocator, size_t size);

/* count x size bytes, cleared; null if there is no memory or the product overflows. */
void *sknHostAllocateArray(const VkskinHostAllocator *allocator, size_t count, size_t size);

/*
 * Returns an array with room for `needed` elements, of *capacity before: the same one, or a copy in an array of at least
 * 16 elements, twice the size and `needed`, whose rest is cleared. The old array is then freed. Null, and nothing has
 * changed, if there is no memory or 32 bits cannot count the elements.
 */
void *sknHostReserve(const VkskinHostAllocator *allocator, void *array, uint32_t needed, uint32_t *capacity,
                     size_t size);

/* Null memory is allowed. */
void sknHostFree(const VkskinHostAllocator *allocator, void *memory);

/* Allocations that are freed together. An object may be in its own arena. */
typedef struct Arena {
    VkskinHostAllocator allocator;
    struct ArenaBlock *blocks;
    bool failed; /* an allocation returned null: check it once, after several allocations */
} Arena;

Arena sknMakeArena(const VkskinHostAllocator *allocator);

/* As sknHostAllocateArray. */
void *sknArenaArray(Arena *arena, size_t count, size_t size);

/* The same, not cleared and aligned to a cache line of 64 bytes. */
void *sknArenaLines(Arena *arena, size_t count, size_t size);

/* A copy of source[count]; null if the source is null. */
void *sknArenaCopy(Arena *arena, const void *source, size_t count, size_t size);

/* Frees everything. The arena is then empty. */
void sknFreeArena(Arena *arena);

#endif
