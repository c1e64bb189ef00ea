/*
 * guard_pages.h: the library's buffers in this process, each between pages that nothing may touch, and a check of every
 * byte between them.
 *
 * On a software driver the device is this process. Both drivers import host memory (VK_EXT_external_memory_host), so
 * each buffer gets pages of its own with GUARD_REACH inaccessible bytes before and after. A kernel, copy or library call
 * that leaves its buffer ends the process with one line that names the buffer and the distance.
 *
 * What each driver does by itself; test_guard_pages.c proves it:
 *   lavapipe     drops accesses of a kernel outside the range of its descriptor. Buffers and descriptors are therefore
 *                made GUARD_REACH longer than the library asks, and the rest of them is inaccessible. Accesses before
 *                the start are huge unsigned offsets, past the range: the driver drops these, the guard does not see
 *                them.
 *   SwiftShader  checks nothing (robustBufferAccess is off): accesses before the start reach the guard too.
 *
 * The ranges of many instances lie within one buffer, which guards cannot separate. For these, output is filled with
 * poison before the device runs and the contents of the other buffers are kept. Afterwards only bytes that the frame's
 * instances own may differ. The device is idle in every guard call.
 *
 * The set of buffers is global, because Vulkan's functions carry no user pointer. Not thread-safe.
 */
#ifndef TESTKIT_GUARD_PAGES_H
#define TESTKIT_GUARD_PAGES_H

#include "gpu.h"

#define GUARD_REACH       ((VkDeviceSize)64 << 20)
#define GUARD_EXIT_STATUS 3 /* exit status of processes that touched a guard */

/* What inputs and the rest of a buffer's pages hold before they are written: no number, and no joint of any mesh. */
#define GUARD_POISON 0xffc0ffc0u

/* Which end of a buffer touches its guard; the other one is up to a page away, alignment permitting. */
typedef enum GuardPlacement {
    GUARD_AT_END,
    GUARD_AT_START,
    GUARD_BY_LAYER /* at the end; and buffers and descriptors are as long as the library asks, so that GPU-assisted
                      validation sees an access outside before the driver drops it */
} GuardPlacement;

typedef struct GuardBuffer {
    VkBuffer handle;
    VkBufferUsageFlags usage;
    VkskinMemoryUse use;
    VkDeviceSize size; /* as the library asked */
    unsigned char *bytes;
    unsigned char *room; /* the accessible pages: `bytes` and what is left of the pages before and after */
    size_t roomSize;
    unsigned char *reserved; /* with both guards */
    size_t reservedSize;
    VkDeviceMemory memory;
    unsigned char *expected; /* [size]: what guardCheck demands */
} GuardBuffer;

/* What guard pages need of the device: pass it to gpuRequest before the first test. */
extern const GpuRequest guardRequest;

/* From here on buffers are placed so; earlier ones must be destroyed. Touching a guard from now on ends the process. */
void guardStart(Gpu *gpu, GuardPlacement placement);

/* The start of that line: the seed and the frame, as printf. */
void guardNote(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *guardNoted(void);

/* For a context def: both belong together. Wraps buffers, views, descriptors, copies and fills; all other entries are null. */
VkskinVulkanFunctions guardFunctions(void);
VkskinMemoryCallbacks guardMemory(void);

/* The buffer of this handle; an unknown handle fails the test. */
GuardBuffer *guardFind(VkBuffer handle);

/* After vkskinBeginFrame: palettes and tables of earlier frames become poison, so that a stale or excessive read gets no
 * number. */
void guardSpoilInputs(void);

/* After the host's last write, before the submission. */
void guardArm(void);

/* What an instance owns. whole: each word of it must have been written. Called before guardCheck, after the output has
 * been examined: it becomes what it was before the skinning, poison or a fill. */
void guardTake(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size, bool whole);

/* The device may have changed these bytes, of any buffer. Called before guardCheck. */
void guardAllow(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size);

/* Fails the test at the first byte that changed and is not owned. */
void guardCheck(void);

/* Bytes compared so far, in all calls of guardCheck. */
uint64_t guardCheckedBytes(void);

#endif
