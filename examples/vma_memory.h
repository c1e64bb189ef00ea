/* vma_memory.h: VkskinMemoryCallbacks of a VmaAllocator, which is their `user`. The same as in docs/memory.md. */
#ifndef EXAMPLE_VMA_MEMORY_H
#define EXAMPLE_VMA_MEMORY_H

#include <vk_mem_alloc.h>

#include <vkskin/vkskin.h>

static VkResult allocateWithVma(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    const bool onDevice = request->use == VKSKIN_MEMORY_DEVICE;
    VmaAllocationCreateInfo info = {0};
    VmaAllocationInfo made;
    VmaAllocation allocation;
    if (!onDevice) {
        info.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT;
        info.requiredFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    }
    if (request->use != VKSKIN_MEMORY_STAGING) {
        info.preferredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    }
    VkResult result = vmaAllocateMemoryForBuffer((VmaAllocator)user, request->buffer, &info, &allocation, &made);
    if (result == VK_SUCCESS) {
        block->memory = made.deviceMemory;
        block->offset = made.offset;
        block->size = made.size;
        block->memoryTypeIndex = made.memoryType;
        block->mapped = made.pMappedData;
        block->userData = allocation;
    }
    return result;
}

static void freeWithVma(void *user, const VkskinMemoryBlock *block) {
    vmaFreeMemory((VmaAllocator)user, (VmaAllocation)block->userData);
}

#endif
