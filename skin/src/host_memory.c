#include "host_memory.h"

#include <stdlib.h>
#include <string.h>

#define HOST_ALIGNMENT 16

static void *standardAllocate(void *user, size_t size, size_t alignment) {
    (void)user;
    if (size > SIZE_MAX - alignment) {
        return NULL;
    }
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void standardFree(void *user, void *memory) {
    (void)user;
    free(memory);
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

void *sknHostAllocate(const VkskinHostAllocator *allocator, size_t size) {
    const VkskinHostAllocator source = sknHostAllocatorCopy(allocator);
    return source.allocate(source.user, size > 0 ? size : 1, HOST_ALIGNMENT);
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

void *sknHostGrowArray(const VkskinHostAllocator *allocator, void *old, size_t count, size_t capacity, size_t size) {
    void *grown = sknHostAllocateArray(allocator, capacity, size);
    if (grown != NULL && old != NULL) {
        memcpy(grown, old, count * size);
        sknHostFree(allocator, old);
    }
    return grown;
}

void sknHostFree(const VkskinHostAllocator *allocator, void *memory) {
    if (memory != NULL) {
        const VkskinHostAllocator source = sknHostAllocatorCopy(allocator);
        source.free(source.user, memory);
    }
}
