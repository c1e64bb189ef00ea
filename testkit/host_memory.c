#include "host_memory.h"

#include <string.h>

#include "heap_block.h"

static void add(_Atomic uint64_t *counter, uint64_t value) {
    atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

static void *take(void *user, size_t size, size_t alignment) {
    HostMemory *memory = user;
    bool refused = memory->refuses != NULL && memory->refuses(memory->user, size, alignment);
    void *block = refused ? NULL : heapBlock(size, alignment);
    if (block == NULL) {
        return NULL;
    }
    add(&memory->made, 1);
    add(&memory->blocks, 1);
    add(&memory->bytes, heapBlockSize(block));
    return block;
}

static void give(void *user, void *block) {
    HostMemory *memory = user;
    if (block == NULL) {
        abort();
    }
    add(&memory->blocks, UINT64_MAX);
    add(&memory->bytes, -(uint64_t)heapBlockSize(block));
    heapBlockFree(block);
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
        size_t kept = heapBlockSize(old);
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
