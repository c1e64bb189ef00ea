/*
 * vk_mem_alloc.h: a stand-in for the Vulkan Memory Allocator (VMA), so that this folder builds without it. It declares
 * the parts of VMA 3 that dynamic.c uses; delete it and its source if you have VMA. Each allocation is one
 * vkAllocateMemory. Not thread-safe.
 */
#ifndef VK_MEM_ALLOC_H
#define VK_MEM_ALLOC_H

#include <vulkan/vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmaAllocator_T *VmaAllocator;
typedef struct VmaAllocation_T *VmaAllocation;

typedef enum VmaAllocatorCreateFlagBits {
    VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT = 0x20
} VmaAllocatorCreateFlagBits;
typedef enum VmaAllocationCreateFlagBits { VMA_ALLOCATION_CREATE_MAPPED_BIT = 0x04 } VmaAllocationCreateFlagBits;

typedef struct VmaAllocatorCreateInfo {
    VkFlags flags; /* VmaAllocatorCreateFlagBits */
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    VkInstance instance;
    uint32_t vulkanApiVersion;
} VmaAllocatorCreateInfo;

typedef struct VmaAllocationCreateInfo {
    VkFlags flags; /* VmaAllocationCreateFlagBits */
    VkMemoryPropertyFlags requiredFlags, preferredFlags;
} VmaAllocationCreateInfo;

typedef struct VmaAllocationInfo {
    uint32_t memoryType;
    VkDeviceMemory deviceMemory;
    VkDeviceSize offset, size;
    void *pMappedData;
} VmaAllocationInfo;

VkResult vmaCreateAllocator(const VmaAllocatorCreateInfo *createInfo, VmaAllocator *allocator);
void vmaDestroyAllocator(VmaAllocator allocator);
VkResult vmaAllocateMemoryForBuffer(VmaAllocator allocator, VkBuffer buffer, const VmaAllocationCreateInfo *createInfo,
                                    VmaAllocation *allocation, VmaAllocationInfo *allocationInfo);
void vmaFreeMemory(VmaAllocator allocator, VmaAllocation allocation);

#ifdef __cplusplus
}
#endif

#endif
