/*
 * gpu.h: the host's device: functions, limits, memory types, logger, host memory.
 *
 * A context has one Gpu. All parts of the GPU side call Vulkan through it.
 */
#ifndef VKSKIN_GPU_H
#define VKSKIN_GPU_H

#include "host.h"
#include "vkskin/vkskin.h"

/* From VkPhysicalDeviceProperties. */
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
    VkDeviceSize bytes; /* total bytes of all existing buffers */
} Gpu;

/* The logger and the allocator. Valid while the Gpu stays at its address. */
static inline Host sknHostOf(const Gpu *gpu) {
    return (Host){gpu->logger, gpu->hostAllocator};
}

/* Fills `gpu` from a checked def. Errors: MISSING_FUNCTION, UNSUPPORTED_DEVICE (Vulkan below 1.1). */
VkskinResult sknInitGpu(Gpu *gpu, const VkskinContextDef *def);

/* Copies a Gpu to another address and corrects the pointers into itself. */
void sknMoveGpu(Gpu *target, const Gpu *source);

/* Gets the properties of a queue family. False if the device has no family of that index. */
bool sknFindQueueFamily(const Gpu *gpu, uint32_t family, VkQueueFamilyProperties *properties);

/* Converts the VkResult of `function` and logs a failure. Success codes become VKSKIN_SUCCESS. */
VkskinResult sknCheck(const Gpu *gpu, VkResult result, const char *function);

/* Names an object for GPU debuggers. Does nothing without debug utils. `format` is printf's. */
void sknNameObject(const Gpu *gpu, VkObjectType type, uint64_t handle, const char *format, ...) VKSKIN_PRINTF(4, 5);

/* Labels the commands recorded between the two calls. Does nothing without debug utils. */
void sknBeginLabel(const Gpu *gpu, VkCommandBuffer commandBuffer, const char *name);
void sknEndLabel(const Gpu *gpu, VkCommandBuffer commandBuffer);

#endif
