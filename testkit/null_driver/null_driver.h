/*
 * null_driver.h: a Vulkan driver without a device: objects, memory and bindings in host memory, with checks for misuse.
 *
 * It implements every function that the library uses. It needs no loader and no validation layer, so it serves fuzzers
 * and ThreadSanitizer. It counts objects, and detects these faults:
 * - handles that are unknown, destroyed, of another kind or of another device;
 * - memory bound twice, mapped twice, freed while mapped or bound;
 * - copies, descriptors, flushes and barriers beyond their buffers, and exceeded limits of sizes and counts;
 * - commands whose objects are destroyed before they run.
 * What does not depend on data (usages, layouts, stages, formats) is left to the validation layer of the other tests.
 * A fault is counted (nullDriverFaults) or aborts the process. Misuse never crashes the null driver.
 *
 * It compiles no shader and skins nothing. A dispatch checks and touches what its tables refer to: see nullDriverRun.
 *
 * Each driver is one instance, physical device and device. Any number of drivers may exist at the same time.
 *
 * Threads: any thread may call any function. Where Vulkan requires external synchronisation, ThreadSanitizer reports
 * its absence: see nullTouchWrite in null_state.h.
 */
#ifndef TESTKIT_NULL_DRIVER_H
#define TESTKIT_NULL_DRIVER_H

#include "vkskin/vkskin.h"

typedef struct NullDriver NullDriver;

typedef struct NullDriverSettings {
    VkPhysicalDeviceType type; /* default: discrete GPU */
    uint32_t vendorID, deviceID, driverVersion;
    uint8_t pipelineCacheUUID[VK_UUID_SIZE];
    VkPhysicalDeviceLimits limits;           /* default: the minimum that the specification requires */
    VkPhysicalDeviceMemoryProperties memory; /* default: nullDriverMemory with all types, coherent, 256 MiB */
    uint32_t timestampBits;                  /* valid bits in each family, 0 to 64; default: 64 */
    bool aborts;                             /* faults print a line and abort; default: false */
    bool translates;                         /* dispatches write positions: see nullDriverRun; default: false */
} NullDriverSettings;

NullDriverSettings nullDriverDefaultSettings(void);

typedef enum NullDriverLayout {
    NULL_DRIVER_ALL_TYPES, /* device-local, host-visible, and both: a discrete GPU with a resizable BAR */
    NULL_DRIVER_STAGED,    /* device-local, and host-visible: a discrete GPU without a resizable BAR */
    NULL_DRIVER_UNIFIED    /* one type that is both */
} NullDriverLayout;

/* heapSize: bytes of each heap; a larger allocation fails with VK_ERROR_OUT_OF_DEVICE_MEMORY. Without `coherent` the
 * device sees only flushed bytes. */
VkPhysicalDeviceMemoryProperties nullDriverMemory(NullDriverLayout layout, bool coherent, VkDeviceSize heapSize);

/* settings: null for the defaults. Never null: out of host memory aborts the process. */
NullDriver *nullDriverCreate(const NullDriverSettings *settings);

/* Frees everything. Prints the objects that were left, by kind, to stderr, and returns their number. Null: 0. */
uint32_t nullDriverDestroy(NullDriver *driver);

VkPhysicalDevice nullDriverPhysicalDevice(NullDriver *driver);
VkDevice nullDriverDevice(NullDriver *driver);

/* Every function of the library's lists, debug functions included. */
const VkskinVulkanFunctions *nullDriverFunctions(void);

/* The library's default def with this driver's handles and functions. */
VkskinContextDef nullDriverContextDef(NullDriver *driver);

/* Device memory of the host, for VkskinMemoryDef.callbacks: each block is an allocation of its own, mapped unless the
 * device alone uses it. Only block->userData must reach the callback that frees it unchanged. */
VkskinMemoryCallbacks nullDriverHostMemory(NullDriver *driver);

/* ---- Observation ---- */

/* Number of faults, and the first one's text: one line, empty without a fault. The text lives as long as the driver. */
uint32_t nullDriverFaults(NullDriver *driver);
const char *nullDriverFirstFault(NullDriver *driver);

/* Number of existing objects, without descriptor sets, which belong to their pool. */
uint32_t nullDriverAlive(NullDriver *driver);

/* Number of existing objects of a type; 0 for a type that the library never creates. */
uint32_t nullDriverAliveOf(NullDriver *driver, VkObjectType type);

/* Lets the count-th call from now on that can fail return `error` and an invalid handle. 1: the next call; 0: none.
 * Returns whether the previously requested failure has happened. */
bool nullDriverFail(NullDriver *driver, uint32_t count, VkResult error);

/* ---- Commands ---- */

/* A command buffer to record into. End it with nullDriverRun or nullDriverDrop. */
VkCommandBuffer nullDriverBegin(NullDriver *driver);

/*
 * Runs the recorded commands. Copies copy, timestamps advance by one tick each.
 *
 * A dispatch of the library's reads its tables: every job, mesh class, palette and output range must lie in the bound
 * ranges. With the setting `translates` it then writes positions: of each vertex the bind position plus the
 * translation of the palette's first matrix plus (0, 0, sum of the morph weights). That requires solid meshes and
 * palettes of VKSKIN_PALETTE_MAT3X4.
 *
 * This is the moment when the device would finish. To imitate a device that lags, call it later: before the slot's
 * next vkskinBeginFrame.
 */
void nullDriverRun(VkCommandBuffer commandBuffer);

/* Discards the recorded commands. */
void nullDriverDrop(VkCommandBuffer commandBuffer);

/* Number of copies that have run. */
uint64_t nullDriverCopies(NullDriver *driver);

/* The device's view of a buffer: host memory of its size, valid as long as the buffer's memory. Null if not bound. */
const void *nullDriverContents(NullDriver *driver, VkBuffer buffer);

#endif
