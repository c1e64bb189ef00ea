/*
 * device.h: instance, physical device, device and one queue (graphics and compute), by volk.
 *
 * Vulkan 1.3 with dynamic rendering, synchronization2 and timeline semaphores. The loader is opened at run time.
 * volk's function pointers are process-wide and go through the loader, so several devices may live at once; they
 * are made and destroyed on one thread.
 */
#ifndef ENGINE_DEVICE_H
#define ENGINE_DEVICE_H

#include <stdint.h>

#include <volk.h>

#include "engine_error.h"

/* One message of the validation layer. Called on the thread that caused it; it must call nothing of Vulkan. */
typedef void (*DeviceMessageFn)(void *user, const char *message);

/* Whether `family` can present. The window's; see DeviceOptions. */
typedef bool (*DevicePresentsFn)(void *user, VkInstance instance, VkPhysicalDevice physicalDevice, uint32_t family);

typedef struct DeviceOptions {
    /* An index of deviceList, or a part of a device's name in any case. Null: the first suitable one, discrete
     * before integrated, virtual and CPU. */
    const char *select;
    /* VK_LAYER_KHRONOS_validation with core and synchronisation checks; a missing layer is a failure. Checks across
     * submissions need VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT in the environment variable
     * VK_LAYER_ENABLES, set before deviceCreate. */
    bool validation;
    DeviceMessageFn onMessage; /* null: messages go to standard error */
    void *user;                /* for onMessage and presents */

    /* For a window. All null or 0 without one. */
    const char *const *instanceExtensions;
    uint32_t instanceExtensionCount;
    const char *const *deviceExtensions;
    uint32_t deviceExtensionCount;
    DevicePresentsFn presents;
} DeviceOptions;

#define DEVICE_NAME_SIZE 256

/* What a physical device is, for lists and reports. */
typedef struct DeviceInfo {
    char name[DEVICE_NAME_SIZE];
    char driverName[DEVICE_NAME_SIZE];    /* "llvmpipe"; empty where the driver does not say */
    char driverVersion[DEVICE_NAME_SIZE]; /* the driver's own words, else its number */
    VkPhysicalDeviceType type;
    uint32_t apiVersion;
    VkDriverId driverId;
    bool suitable;    /* Vulkan 1.3, the features above, a queue family with graphics and compute */
    char reason[128]; /* why not; empty when suitable */
    /* Timestamps there are and they can be believed. False on llvmpipe, whose compute intervals read near zero once
     * the process has drawn, and where the queue has no timestamp bits: time such devices by the wall clock. */
    bool timestampsTrusted;
} DeviceInfo;

typedef struct Device {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice handle;
    VkQueue queue;
    uint32_t family;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    DeviceInfo info;
    bool debugUtils;             /* VK_EXT_debug_utils is enabled */
    bool pipelineStatistics;     /* pipelineStatisticsQuery is enabled: it is wherever the device has it */
    uint32_t validationMessages; /* warnings and errors so far, 0 without validation */
    VkCommandPool uploadPool;    /* of resources.c */

    /* The device's own. */
    VkDebugUtilsMessengerEXT messenger;
    DeviceMessageFn onMessage;
    void *user;
} Device;

/*
 * Makes a device. options: null for the defaults. Null on failure, with "no Vulkan loader ...", "no Vulkan device
 * ...", "no device named ...", "validation layer ... is not installed" and the like. Its address stays until
 * deviceDestroy.
 */
Device *deviceCreate(const DeviceOptions *options, EngineError *error);

/* Waits for the device, then frees all. What was made from it is destroyed before. Null is allowed. */
void deviceDestroy(Device *device);

/* Waits until the device is idle. A lost device is a failure. */
bool deviceWait(Device *device, EngineError *error);

/*
 * All physical devices in the loader's order, which DeviceOptions.select counts in. *count is the room in `infos`
 * and receives the number there is; the first ones are written. Zero devices is a failure ("no Vulkan device ...").
 */
bool deviceList(DeviceInfo *infos, uint32_t *count, EngineError *error);

/* "discrete", "integrated", "virtual", "CPU" or "other". */
const char *deviceTypeName(VkPhysicalDeviceType type);

/* Names an object for debuggers and validation messages. Nothing without debugUtils; `name` is copied. */
void deviceName(const Device *device, VkObjectType type, uint64_t handle, const char *name);

/* Labels what is recorded between the two. Nothing without debugUtils. */
void deviceBeginLabel(const Device *device, VkCommandBuffer commandBuffer, const char *name);
void deviceEndLabel(const Device *device, VkCommandBuffer commandBuffer);

#endif
