/*
 * null_driver.h: a pretended Vulkan driver. No device, no loader, no validation layer; host memory behind all.
 *
 * It has every function that the library asks for, keeps a census of what was made, and finds fault with misuse: a
 * handle that is unknown, destroyed or of another device; memory bound twice, mapped twice, freed while mapped or
 * bound; copies, descriptors, flushes and barriers beyond their buffers; commands with objects that are gone, also
 * when they went between recording and running; limits exceeded. A fault is told by nullDriverFaults, or ends the
 * process. What is misused is left alone: no call of the null driver's crashes for it.
 *
 * Each driver is an instance, a physical device and a device of its own; any number may live at once.
 *
 * Threads. All functions may be called from any thread, several at once. What Vulkan wants externally synchronised is
 * so here, and ThreadSanitizer sees where it is not: see null_touch.h.
 */
#ifndef TESTS_NULL_DRIVER_H
#define TESTS_NULL_DRIVER_H

#include "vkskin/vkskin.h"

typedef struct NullDriver NullDriver;

typedef struct NullDriverSettings {
    VkPhysicalDeviceType type; /* default discrete GPU */
    uint32_t apiVersion;       /* default 1.1 */
    uint32_t vendorID, deviceID, driverVersion;
    uint8_t pipelineCacheUUID[VK_UUID_SIZE];
    VkPhysicalDeviceLimits limits;           /* default: the least that the specification lets a device have */
    VkPhysicalDeviceMemoryProperties memory; /* default: nullDriverMemory with all types, coherent, 256 MiB */
    VkDeviceSize memoryAlignment;            /* of buffers in memory, bytes, a power of two; default 256 */
    uint32_t familyCount;                    /* queue families, 1 up; default 2 */
    uint32_t timestampBits;                  /* valid in each family, 0 to 64; default 64 */
    bool aborts;                             /* a fault prints a line and aborts; default false */
} NullDriverSettings;

NullDriverSettings nullDriverDefaultSettings(void);

/* Whether a device has memory that is device-local and host-visible at once. */
typedef enum NullDriverLayout {
    NULL_DRIVER_ALL_TYPES, /* device-local, host-visible, and both: a discrete GPU with a resizable BAR */
    NULL_DRIVER_STAGED,    /* device-local and host-visible apart: a discrete GPU without */
    NULL_DRIVER_UNIFIED    /* one type that is both */
} NullDriverLayout;

/* heapSize: bytes of each heap; an allocation beyond it fails with VK_ERROR_OUT_OF_DEVICE_MEMORY. Where it is not
 * coherent the device sees what was flushed, and nothing else. */
VkPhysicalDeviceMemoryProperties nullDriverMemory(NullDriverLayout layout, bool coherent, VkDeviceSize heapSize);

/* settings: null for the default. Never null: where host memory ends the process ends. */
NullDriver *nullDriverCreate(const NullDriverSettings *settings);

/* Frees all. What is still alive is named on stderr by kind; returns how much that was. Null: 0. */
uint32_t nullDriverDestroy(NullDriver *driver);

VkInstance nullDriverInstance(NullDriver *driver);
VkPhysicalDevice nullDriverPhysicalDevice(NullDriver *driver);
VkDevice nullDriverDevice(NullDriver *driver);

/* Every function of the library's lists, the debug ones too. */
const VkskinVulkanFunctions *nullDriverFunctions(void);

/* The same functions by name; null for any other. */
PFN_vkVoidFunction nullDriverGetInstanceProcAddr(VkInstance instance, const char *name);
PFN_vkVoidFunction nullDriverGetDeviceProcAddr(VkDevice device, const char *name);

/* The library's default def with this driver's handles and functions. */
VkskinContextDef nullDriverContextDef(NullDriver *driver);

/* ---- What it saw ---- */

/* How many faults there were, and the first one's text: one line, empty for none. The text lives as long as the driver.
 */
uint32_t nullDriverFaults(NullDriver *driver);
const char *nullDriverFirstFault(NullDriver *driver);

/* Objects alive, descriptor sets left out: these go with their pool. Bytes of device memory alive. */
uint32_t nullDriverAlive(NullDriver *driver);
VkDeviceSize nullDriverBytesAlive(NullDriver *driver);

/* Objects of this type alive; 0 for types that the library makes none of. */
uint32_t nullDriverAliveOf(NullDriver *driver, VkObjectType type);

/* The count-th call from here on that may fail does fail, with `error`, and what it hands out is no handle. 1: the
 * next one; 0: none. Returns whether the failure asked for before has happened. */
bool nullDriverFail(NullDriver *driver, uint32_t count, VkResult error);

/* ---- Commands ---- */

/* A command buffer to record into. Each is ended by one of the two below. */
VkCommandBuffer nullDriverBegin(NullDriver *driver);

/* Runs what was recorded: copies copy, timestamps tick, and the library's kernels skin positions; every word that they
 * read or write must lie in what is bound. Of normals and tangents the places are checked, and zeros written there.
 * This is when the device would have finished: call it before the slot's next vkskinBeginFrame, and not at once, to be
 * a device that lags behind. */
void nullDriverRun(VkCommandBuffer commandBuffer);

/* Forgets what was recorded. */
void nullDriverDrop(VkCommandBuffer commandBuffer);

/* Dispatches, and copies, that have run so far. */
uint64_t nullDriverDispatches(NullDriver *driver);
uint64_t nullDriverCopies(NullDriver *driver);

/* What the device sees in a buffer: host memory of its size, or null for a buffer that is not bound. Lives as long as
 * the buffer's memory. */
const void *nullDriverContents(NullDriver *driver, VkBuffer buffer);

#endif
