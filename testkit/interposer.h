/*
 * interposer.h: a layer between the library and the driver, passed to the library as the host's function table.
 *
 * It always does two things. It keeps a census of the objects that are created through it. It creates each shader
 * module and pipeline once per process and lends it from then on: a driver needs half a second for the kernels of one
 * context, and tests create many contexts.
 *
 * A test switches on what it needs after interposerBegin:
 *   faults  the call number `failAt` returns `error` and does not reach the driver
 *   device  the library sees other limits, memory types, heaps and timestamps; a call that exceeds them is recorded as
 *           a violation and does not reach the driver
 * Memory of a type that is not coherent is mapped as a copy. Only flushed ranges reach the device, so a write without a
 * flush is lost.
 *
 * The state is global, because Vulkan's functions carry no user pointer. Not thread-safe.
 */
#ifndef TESTKIT_INTERPOSER_H
#define TESTKIT_INTERPOSER_H

#include "interposer_memory.h"

/* Forgets everything: the device is the driver's, no call is counted, no call fails. */
void interposerBegin(Gpu *gpu);

/* Fails the running test if there were violations or an object is left. The test's end does the same. */
void interposerEnd(void);

/* Objects, mappings and blocks of host memory that are alive. */
uint32_t interposerObjects(void);

/* Objects and device memory that are alive and have no name. */
uint32_t interposerNameless(void);

/* Frees the host memory's arenas and empties the census; returns what interposerObjects returned before. */
uint32_t interposerForget(void);

/* No memory type is coherent from here on: what is written must be flushed. */
void interposerMakeIncoherent(void);

/* A test that fails, and prints why, if there are violations or an object is left once its contexts are destroyed. */
int interposerTestTeardown(void **state);
#define INTERPOSER_TEST(name) GPU_TEST_WITH(name, interposerTestTeardown)

/* Every function that may fail, creates, destroys or is limited; all other entries are null. */
VkskinVulkanFunctions interposerFunctions(void);

/* Sets only the entries that lend shader modules and pipelines. */
void interposerLendKernels(VkskinVulkanFunctions *functions);

/* Host memory that is counted: interposer.heap. */
VkAllocationCallbacks interposerHeap(void);

/* Destroys what was lent; nothing may use it. Happens by itself before the device is destroyed. */
void interposerFreeKernels(void);

#endif
