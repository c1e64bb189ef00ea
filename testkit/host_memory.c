#include "host_memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static void add(_Atomic uint64_t *counter, uint64_t value) {
    atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

static void *take(void *user, size_t size, size_t alignment) {
    HostMemory *memory = user;
    void *block = NULL;
    size_t step = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    if ((memory->refuses != NULL && memory->refuses(memory->user, size, alignment)) ||
        posix_memalign(&block, step, size > 0 ? size : 1) != 0) {
        return NULL;
    }
    add(&memory->made, 1);
    add(&memory->blocks, 1);
    add(&memory->bytes, malloc_usable_size(block));
    return block;
}

static void give(void *user, void *block) {
    HostMemory *memory = user;
    if (block == NULL) {
        abort();
    }
    add(&memory->blocks, UINT64_MAX);
    add(&memory->bytes, -(uint64_t)malloc_usable_size(block));
    free(block);
}

static VKAPI_ATTR void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    (void)scope;
    return take(user, size, alignment);
}

static VKAPI_ATTR void VKAPI_CALL release(void *user, void *block) {
    if (block != NULL) {
        give(user, block);
    }
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *user, void *old, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope) {
    (void)scope;
    void *block = size > 0 ? take(user, size, alignment) : NULL;
    if (block != NULL && old != NULL) {
        size_t kept = malloc_usable_size(old);
        memcpy(block, old, kept < size ? kept : size);
    }
    if (block != NULL || size == 0) {
        release(user, old);
    }
    return block;
}

VkAllocationCallbacks hostMemoryCallbacks(HostMemory *memory) {
    return (VkAllocationCallbacks){
        .pUserData = memory, .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = release};
}

VkskinHostAllocator hostMemoryAllocator(HostMemory *memory) {
    return (VkskinHostAllocator){take, give, memory};
}
