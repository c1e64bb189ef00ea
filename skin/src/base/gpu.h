/*
 * gpu.h: the host's device as the library sees it: functions, limits, memory types, logger, host memory.
 *
 * Every module of the GPU side holds a pointer to the context's one Gpu and reaches Vulkan through it alone.
 */
#ifndef VKSKIN_GPU_H
#define VKSKIN_GPU_H

#include "host.h"
#include "vkskin/vkskin.h"

/* As VkPhysicalDeviceProperties tell. */
typedef struct DeviceIdentity {
    uint32_t vendorID, deviceID, driverVersion;
    uint8_t pipelineCacheUUID[VK_UUID_SIZE];
} DeviceIdentity;

typedef struct Gpu {
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    VkskinVulkanFunctions vk;
    VkAllocationCallbacks callbacks;
    const VkAllocationCallbacks *allocator; /* null, or `callbacks` */
    VkskinHostAllocator hostCallbacks;
    const VkskinHostAllocator *hostAllocator; /* null, or `hostCallbacks`, which reach `callbacks` */
    VkskinMemoryCallbacks memoryCallbacks;    /* functions null: vkAllocateMemory */
    VkskinLogger logger;
    bool debugUtils;
    VkPhysicalDeviceType deviceType;
    DeviceIdentity identity;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceSize bytes; /* of all buffers alive */
} Gpu;

/* What is not of the device. Good for as long as the Gpu stays where it is. */
static inline Host sknHostOf(const Gpu *gpu) {
    return (Host){gpu->logger, gpu->hostAllocator};
}

/* Fills `gpu` from a checked def. Errors: MISSING_FUNCTION, UNSUPPORTED_DEVICE (Vulkan below 1.1). */
VkskinResult sknInitGpu(Gpu *gpu, const VkskinContextDef *def);

/* Copies a Gpu to another place: its pointers lead into itself and are turned. */
void sknMoveGpu(Gpu *target, const Gpu *source);

/* The properties of a queue family; false where the device has none of that index. */
bool sknFindQueueFamily(const Gpu *gpu, uint32_t family, VkQueueFamilyProperties *properties);

/* What a VkResult of `function` means here; failures are reported. Success codes are success. */
VkskinResult sknCheck(const Gpu *gpu, VkResult result, const char *function);

/* Names an object for GPU debuggers; nothing without debug utils. `format` is printf's. */
void sknNameObject(const Gpu *gpu, VkObjectType type, uint64_t handle, const char *format, ...) VKSKIN_PRINTF(4, 5);

/* Labels what is recorded between the two; nothing without debug utils. */
void sknBeginLabel(const Gpu *gpu, VkCommandBuffer commandBuffer, const char *name);
void sknEndLabel(const Gpu *gpu, VkCommandBuffer commandBuffer);

#endif
