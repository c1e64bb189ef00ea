/*
 * device.h: the Vulkan instance, the physical device, the device and its one queue (graphics and compute).
 *
 * Needs Vulkan 1.3 with dynamic rendering, synchronization2 and timeline semaphores. volk opens the loader at run time.
 * Its function pointers are process-wide and go through the loader, so several devices may exist at once. Create and
 * destroy all devices on one thread.
 */
#ifndef ENGINE_DEVICE_H
#define ENGINE_DEVICE_H

#include <stdint.h>

#include <volk.h>

#include "engine_error.h"

/* Receives one message of the validation layer, on the thread that caused it. It must not call Vulkan. */
typedef void (*DeviceMessageFn)(void *user, const char *message);

/* Whether `family` can present to the window; see DeviceOptions. */
typedef bool (*DevicePresentsFn)(void *user, VkInstance instance, VkPhysicalDevice physicalDevice, uint32_t family);

typedef struct DeviceOptions {
    /* An index into deviceList, or a part of a device's name in any case. Null: the first suitable device; discrete
     * before integrated, virtual and CPU. */
    const char *select;
    /* Enables VK_LAYER_KHRONOS_validation with core and synchronisation checks. Fails if the layer is missing. For
     * checks across submissions, put VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT into the
     * environment variable VK_LAYER_ENABLES before deviceCreate. */
    bool validation;
    DeviceMessageFn onMessage; /* null: messages go to standard error */
    void *user;                /* for onMessage and presents */

    /* For a window; null and 0 without one. */
    const char *const *instanceExtensions;
    uint32_t instanceExtensionCount;
    const char *const *deviceExtensions;
    uint32_t deviceExtensionCount;
    DevicePresentsFn presents;

    /* Only for compiling: enables VK_KHR_pipeline_executable_properties. Fails if the device lacks it. Nothing may be
     * submitted: the device may be one that a driver only imitates. */
    bool compiles;
} DeviceOptions;

#define DEVICE_NAME_SIZE 256

/* Describes a physical device in lists and reports. */
typedef struct DeviceInfo {
    char name[DEVICE_NAME_SIZE];
    char driverName[DEVICE_NAME_SIZE];    /* "llvmpipe"; empty if the driver does not report it */
    char driverVersion[DEVICE_NAME_SIZE]; /* as text from the driver, else as a number */
    VkPhysicalDeviceType type;
    uint32_t apiVersion;
    VkDriverId driverId;
    bool suitable;    /* Vulkan 1.3, the features above, a queue family with graphics and compute */
    char reason[128]; /* why not; empty when suitable */
    /* False if the queue has no timestamp bits, and on llvmpipe, whose compute intervals read near zero once the
     * process has drawn. Time such devices with the wall clock. */
    bool timestampsTrusted;
    bool chosen;     /* deviceCreate takes it where no device is named */
    uint64_t memory; /* bytes of the largest heap */
    VkPhysicalDeviceLimits limits;
} DeviceInfo;

/* A layer of the loader. */
typedef struct DeviceLayer {
    char name[VK_MAX_EXTENSION_NAME_SIZE];
    uint32_t version; /* Vulkan version that it was written for */
} DeviceLayer;

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
    bool pipelineStatistics;     /* pipelineStatisticsQuery is enabled; it is if the device has it */
    bool fillModeNonSolid;       /* likewise: polygons as lines */
    uint32_t validationMessages; /* warnings and errors so far, 0 without validation */
    VkCommandPool uploadPool;    /* used by resources.c */

    /* Private to device.c. */
    bool compiles;
    VkDebugUtilsMessengerEXT messenger;
    DeviceMessageFn onMessage;
    void *user;
} Device;

/*
 * Makes a device. options: null for the defaults. Null on failure; the error says whether the loader, a device or the
 * validation layer is missing. The address does not change until deviceDestroy.
 */
Device *deviceCreate(const DeviceOptions *options, EngineError *error);

/* Waits for the device, then destroys it. Destroy all objects made from it first. Null is allowed. */
void deviceDestroy(Device *device);

/* A pool of command buffers for the device's queue. */
bool deviceCreatePool(Device *device, VkCommandPool *pool, EngineError *error);

/* Waits until the device is idle. A lost device is a failure. Ends the watch of crash_watch.h. */
bool deviceWait(Device *device, EngineError *error);

/*
 * Lists all physical devices in the loader's order, which DeviceOptions.select counts in. *count: the size of `infos`;
 * receives the number of devices. Writes only the devices that fit. Fails if the system has no device.
 */
bool deviceList(DeviceInfo *infos, uint32_t *count, EngineError *error);

/* The layers that are installed, those that are always active too. *count: as for deviceList. False: no loader. */
bool deviceLayers(DeviceLayer *layers, uint32_t *count, uint32_t *loaderVersion, EngineError *error);

/* "discrete", "integrated", "virtual", "CPU" or "other". */
const char *deviceTypeName(VkPhysicalDeviceType type);

/* Names an object for debuggers and validation messages. Does nothing without debugUtils. `name` is copied. */
void deviceName(const Device *device, VkObjectType type, uint64_t handle, const char *name);

/* Labels the commands recorded between the two calls. Does nothing without debugUtils. */
void deviceBeginLabel(const Device *device, VkCommandBuffer commandBuffer, const char *name);
void deviceEndLabel(const Device *device, VkCommandBuffer commandBuffer);

#endif
