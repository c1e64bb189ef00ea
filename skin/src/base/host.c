#include "host.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

/* ---- Messages ---- */

#define MESSAGE_BYTES 256

VkskinResult sknReport(const VkskinLogger *logger, VkskinResult result, const char *format, ...) {
    if (logger == NULL || logger->log == NULL) {
        return result;
    }
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* The message stays one line, even if a host's name contains control characters. */
    for (char *at = message; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f) { /* DEL */
            *at = ' ';
        }
    }
    logger->log(logger->user, result, message);
    return result;
}

/* One call, so that the lines of several threads do not mix. */
void vkskinLogToStderr(void *user, VkskinResult result, const char *message) {
    (void)fprintf(stderr, "%s: %s: %s\n", user != NULL ? (const char *)user : "vkskin", vkskinResultName(result),
                  message != NULL ? message : "");
}

/* ---- Checks of a def ---- */

VkskinResult sknCheckRules(const Subject *subject, const Rule *rules, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rules[i].broken) {
            return sknReport(subject->logger, rules[i].result, "%s%s: %s", subject->kind, subject->name,
                             rules[i].message);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckRanges(const Subject *subject, const Range *ranges, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE, "%s%s: %s is %llu, not in %llu to %llu",
                             subject->kind, subject->name, ranges[i].field, (unsigned long long)ranges[i].value,
                             (unsigned long long)ranges[i].least, (unsigned long long)ranges[i].most);
        }
    }
    return VKSKIN_SUCCESS;
}

/* ---- Memory ---- */

#define HOST_ALIGNMENT 16
#define LINE_ALIGNMENT 64

#if defined(_WIN32)
/* The C library of Windows has no aligned_alloc, because its free cannot free such memory. */
static void *alignedAllocate(size_t size, size_t alignment) {
    return _aligned_malloc(size, alignment);
}

static void alignedFree(void *memory) {
    _aligned_free(memory);
}
#else
static void *alignedAllocate(size_t size, size_t alignment) {
    return aligned_alloc(alignment, size);
}

static void alignedFree(void *memory) {
    free(memory);
}
#endif

static void *standardAllocate(void *user, size_t size, size_t alignment) {
    (void)user;
    if (size > SIZE_MAX - alignment) {
        return NULL;
    }
    return alignedAllocate((size + alignment - 1) / alignment * alignment, alignment);
}

static void standardFree(void *user, void *memory) {
    (void)user;
    alignedFree(memory);
}

VkskinHostAllocator sknHostAllocatorCopy(const VkskinHostAllocator *allocator) {
    if (allocator != NULL) {
        return *allocator;
    }
    return (VkskinHostAllocator){.allocate = standardAllocate, .free = standardFree, .user = NULL};
}

bool sknHostAllocatorIsComplete(const VkskinHostAllocator *allocator) {
    return allocator == NULL || (allocator->allocate != NULL && allocator->free != NULL);
}

static void *allocateAligned(const VkskinHostAllocator *allocator, size_t size, size_t alignment) {
    const VkskinHostAllocator source = sknHostAllocatorCopy(allocator);
    return source.allocate(source.user, size > 0 ? size : 1, alignment);
}

void *sknHostAllocate(const VkskinHostAllocator *allocator, size_t size) {
    return allocateAligned(allocator, size, HOST_ALIGNMENT);
}

void *sknHostAllocateArray(const VkskinHostAllocator *allocator, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = sknHostAllocate(allocator, count * size);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void *sknHostReserve(const VkskinHostAllocator *allocator, void *array, uint32_t needed, uint32_t *capacity,
                     size_t size) {
    if (needed <= *capacity) {
        return array;
    }
    uint32_t larger = *capacity == 0 ? 16 : *capacity * 2;
    larger = larger > needed ? larger : needed;
    void *grown = *capacity <= UINT32_MAX / 2 ? sknHostAllocateArray(allocator, larger, size) : NULL;
    if (grown != NULL && array != NULL) {
        memcpy(grown, array, *capacity * size);
        sknHostFree(allocator, array);
    }
    *capacity = grown != NULL ? larger : *capacity;
    return grown;
}

void sknHostFree(const VkskinHostAllocator *allocator, void *memory) {
    if (memory != NULL) {
        const VkskinHostAllocator source = sknHostAllocatorCopy(allocator);
        source.free(source.user, memory);
    }
}

/* Is before each allocation, in as many bytes as its alignment. */
typedef struct ArenaBlock {
    struct ArenaBlock *next;
} ArenaBlock;

Arena sknMakeArena(const VkskinHostAllocator *allocator) {
    return (Arena){.allocator = sknHostAllocatorCopy(allocator)};
}

/* head: the alignment. */
static void *addBlock(Arena *arena, size_t count, size_t size, size_t head) {
    ArenaBlock *block = NULL;
    if (size == 0 || count <= (SIZE_MAX - head) / size) {
        block = allocateAligned(&arena->allocator, head + count * size, head);
    }
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    return (unsigned char *)block + head;
}

void *sknArenaArray(Arena *arena, size_t count, size_t size) {
    void *memory = addBlock(arena, count, size, HOST_ALIGNMENT);
    return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

void *sknArenaLines(Arena *arena, size_t count, size_t size) {
    return addBlock(arena, count, size, LINE_ALIGNMENT);
}

void *sknArenaCopy(Arena *arena, const void *source, size_t count, size_t size) {
    void *memory = source != NULL ? addBlock(arena, count, size, HOST_ALIGNMENT) : NULL;
    return memory != NULL ? memcpy(memory, source, count * size) : NULL;
}

void sknFreeArena(Arena *arena) {
    /* The arena may be in one of its blocks. */
    const VkskinHostAllocator allocator = arena->allocator;
    ArenaBlock *block = arena->blocks;
    arena->blocks = NULL;
    while (block != NULL) {
        ArenaBlock *next = block->next;
        allocator.free(allocator.user, block);
        block = next;
    }
}
