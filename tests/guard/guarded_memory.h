/*
 * guarded_memory.h: buffers of the library's that lie in this process between pages nobody may touch.
 *
 * On a software driver the device is this process. Both drivers import host memory (VK_EXT_external_memory_host), so
 * each buffer gets pages of its own with GUARD_REACH inaccessible bytes before and after, and whoever steps out of it,
 * kernel, copy or library, ends the process with one line that says which buffer and how far.
 *
 * What each driver does by itself, as test_guard_pages.c shows it:
 *   lavapipe     drops accesses of a kernel outside the range of its descriptor. Buffers and descriptors are therefore
 *                made GUARD_REACH longer than the library asks, the rest of them inaccessible. Accesses before the start
 *                are huge unsigned offsets, past the range: the driver drops these, the guard does not see them.
 *   SwiftShader  checks nothing (robustBufferAccess is off): accesses before the start meet the guard too.
 *
 * There is one set of buffers, as Vulkan's functions carry nothing of the host's. Not thread-safe: for hosts that call
 * the library from one thread.
 */
#ifndef TESTS_GUARDED_MEMORY_H
#define TESTS_GUARDED_MEMORY_H

#include "gpu.h"

#define GUARD_REACH       ((VkDeviceSize)64 << 20)
#define GUARD_MAX_BUFFERS 512
#define GUARD_EXIT_STATUS 3 /* of a process that touched a guard */

/* What inputs and the rest of a buffer's pages hold before anybody writes: no number, and no joint of any mesh. */
#define GUARD_POISON 0xffc0ffc0u

/* Which end of a buffer touches its guard; the other one is up to a page away, alignment permitting. */
typedef enum GuardPlacement {
    GUARD_AT_END,
    GUARD_AT_START,
    GUARD_BY_LAYER /* at the end; and buffers and descriptors are as long as the library asks, so that GPU-assisted
                      validation sees what leaves them before the driver drops it */
} GuardPlacement;

typedef struct GuardBuffer {
    VkBuffer handle;
    VkBufferUsageFlags usage;
    VkskinMemoryUse use;
    VkDeviceSize size; /* as the library asked */
    unsigned char *bytes;
    unsigned char *room; /* the accessible pages: `bytes` and what is left of them before and after */
    size_t roomSize;
    unsigned char *reserved; /* with both guards */
    size_t reservedSize;
    VkDeviceMemory memory;
    unsigned char *expected; /* [size]: see watch.h */
} GuardBuffer;

/* What guardRequest's device must have: to be requested of gpu.h before gpuRunTests. */
extern const GpuRequest guardRequest;

/* From here on buffers are placed so; earlier ones must be gone. Touching a guard from now on ends the process. */
void guardStart(Gpu *gpu, GuardPlacement placement);

/* What the line says first: the seed and the frame, as printf. */
void guardNote(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *guardNoted(void);

/* For a context def: both belong together. Functions that are not wrapped are null. */
VkskinVulkanFunctions guardFunctions(void);
VkskinMemoryCallbacks guardMemory(void);

/* [*count] buffers that live, in no order. */
GuardBuffer *guardBuffers(uint32_t *count);

/* The buffer of this handle; a stranger fails the test. */
GuardBuffer *guardFind(VkBuffer handle);

/* "output", "mesh or staged palette", "palette or table" or "staging". */
const char *guardBufferKind(const GuardBuffer *buffer);

#endif
