#include <volk.h>

#include "vk_mem_alloc.h"

#include <stdbool.h>
#include <stdlib.h>

struct VmaAllocator_T {
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    bool addresses;
};

struct VmaAllocation_T {
    VkDeviceMemory memory;
};

VkResult vmaCreateAllocator(const VmaAllocatorCreateInfo *createInfo, VmaAllocator *allocator) {
    *allocator = malloc(sizeof **allocator);
    if (*allocator == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    (*allocator)->device = createInfo->device;
    (*allocator)->addresses = (createInfo->flags & VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT) != 0;
    vkGetPhysicalDeviceMemoryProperties(createInfo->physicalDevice, &(*allocator)->memory);
    return VK_SUCCESS;
}

void vmaDestroyAllocator(VmaAllocator allocator) {
    free(allocator);
}

/* The first allowed type with the required properties, if possible also with the preferred ones; or UINT32_MAX. */
static uint32_t findType(VmaAllocator allocator, uint32_t allowed, const VmaAllocationCreateInfo *info) {
    const VkMemoryPropertyFlags wishes[2] = {info->requiredFlags | info->preferredFlags, info->requiredFlags};
    for (uint32_t i = 0; i < 2 * allocator->memory.memoryTypeCount; i++) {
        uint32_t type = i % allocator->memory.memoryTypeCount;
        VkMemoryPropertyFlags wish = wishes[i / allocator->memory.memoryTypeCount];
        if ((allowed >> type & 1) != 0 && (allocator->memory.memoryTypes[type].propertyFlags & wish) == wish) {
            return type;
        }
    }
    return UINT32_MAX;
}

VkResult vmaAllocateMemoryForBuffer(VmaAllocator allocator, VkBuffer buffer, const VmaAllocationCreateInfo *createInfo,
                                    VmaAllocation *allocation, VmaAllocationInfo *allocationInfo) {
    VmaAllocationInfo *made = allocationInfo;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(allocator->device, buffer, &needs);
    VkMemoryAllocateFlagsInfo address = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                         .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .pNext = allocator->addresses ? &address : NULL,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = findType(allocator, needs.memoryTypeBits, createInfo)};
    *made = (VmaAllocationInfo){.memoryType = memory.memoryTypeIndex, .size = needs.size};
    if (memory.memoryTypeIndex == UINT32_MAX) {
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    *allocation = malloc(sizeof **allocation);
    VkResult result = *allocation == NULL ? VK_ERROR_OUT_OF_HOST_MEMORY
                                          : vkAllocateMemory(allocator->device, &memory, NULL, &made->deviceMemory);
    if (result == VK_SUCCESS && (createInfo->flags & VMA_ALLOCATION_CREATE_MAPPED_BIT) != 0) {
        result = vkMapMemory(allocator->device, made->deviceMemory, 0, VK_WHOLE_SIZE, 0, &made->pMappedData);
    }
    if (result < 0) {
        vkFreeMemory(allocator->device, made->deviceMemory, NULL);
        free(*allocation);
        return result;
    }
    (*allocation)->memory = made->deviceMemory;
    return VK_SUCCESS;
}

void vmaFreeMemory(VmaAllocator allocator, VmaAllocation allocation) {
    vkFreeMemory(allocator->device, allocation->memory, NULL);
    free(allocation);
}
