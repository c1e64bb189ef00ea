/*
 * gpu.h: a bare Vulkan host for tests of the library, without the engine.
 *
 * One instance of Vulkan 1.1 with the validation layer (core, synchronisation and, if the environment asks for it,
 * across submits), one device, one queue. A message of the layer fails the running test at its end, unless the test
 * expects it. Failures inside the helpers fail the running test.
 */
#ifndef TESTKIT_GPU_H
#define TESTKIT_GPU_H

#include <volk.h>

#include "defs.h"
#include "test.h"
#include "vkskin/vkskin.h"

#define GPU_TEXT_SIZE 1024
#define GPU_MAX_TEXTS 32

#define GPU_MAX_CONTEXTS 16

/* The first GPU_MAX_TEXTS messages, and the count of all. */
typedef struct GpuTexts {
    uint32_t count;
    char texts[GPU_MAX_TEXTS][GPU_TEXT_SIZE];
} GpuTexts;

/* What the library logged. */
typedef struct GpuLog {
    uint32_t count;
    VkskinResult last;
    char lastText[GPU_TEXT_SIZE];
} GpuLog;

typedef struct Gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physicalDevice;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    VkCommandPool pool;
    VkPipelineCache cache;  /* SwiftShader takes seconds for a kernel: one cache per process */
    GpuTexts messages;      /* messages of the validation layer in this test, without expected ones */
    const char *expected;   /* text that the layer must log in this test, or null */
    uint32_t expectedCount; /* how often it logged it */
    GpuLog log;
    VkskinContext contexts[GPU_MAX_CONTEXTS]; /* contexts that gpuContext made in this test; null: free entry */
    VkSemaphore gate;     /* gate of a frame loop, or null; opened if a failed test left the device waiting for it */
    void (*finish)(void); /* or null; called before the device is destroyed, to destroy what tests share */
} Gpu;

/* What instance and device need in addition. */
typedef struct GpuRequest {
    const char *const *deviceExtensions; /* [deviceExtensionCount], literals */
    uint32_t deviceExtensionCount;       /* at most GPU_MAX_EXTENSIONS - 1 */
    bool gpuAssisted;                    /* validation inside the kernels */
    bool robust;                         /* robustBufferAccess: what leaves a buffer is dropped */
} GpuRequest;

#define GPU_MAX_EXTENSIONS 8

/* Call it before the first test. Copied, except the names. */
void gpuRequest(const GpuRequest *request);

/*
 * A test on the device that the environment names. Its body sees `Gpu *gpu`. All tests of a program share the device; the
 * first one creates it.
 */
#define GPU_TEST(name) GPU_TEST_WITH(name, gpuTestTeardown)
#define GPU_TEST_WITH(name, tearDown)                                                                                  \
    static void name##OnDevice(Gpu *gpu);                                                                              \
    TEST_WITH(name, gpuTestSetup, tearDown) {                                                                          \
        name##OnDevice(*state);                                                                                        \
    }                                                                                                                  \
    static void name##OnDevice(__attribute__((unused)) Gpu *gpu)

int gpuTestSetup(void **state);
int gpuTestTeardown(void **state);

/* From here on in this test, messages that contain `text` are expected; at least one must come. */
void gpuExpectMessage(Gpu *gpu, const char *text);

void gpuCheckResult(VkResult result, const char *call, const char *file, int line);
#define GPU_CHECK(call) gpuCheckResult((call), #call, __FILE__, __LINE__)

/* The library's result must be `expected`; a difference prints the names and the last diagnostic. */
void gpuCheckVkskin(Gpu *gpu, VkskinResult result, VkskinResult expected, const char *call, const char *file, int line);
#define GPU_VKSKIN(gpu, call)              gpuCheckVkskin((gpu), (call), VKSKIN_SUCCESS, #call, __FILE__, __LINE__)
#define GPU_VKSKIN_IS(gpu, expected, call) gpuCheckVkskin((gpu), (call), (expected), #call, __FILE__, __LINE__)

/*
 * Checks a refusal: the result is `expected`, and it was logged once since the last check, in one line that contains
 * `part`. Forgets the log.
 */
void gpuCheckRefusal(Gpu *gpu, const char *label, VkskinResult result, VkskinResult expected, const char *part);

/* ---- Library contexts ---- */

/*
 * A test that makes each call fail in turn tries every n-th one: all on lavapipe, a tenth on others. The interposer returns
 * the error without a call of the driver, so what follows is the same code on every driver.
 */
uint32_t gpuFaultStep(const Gpu *gpu);

/*
 * A def for this device: the log as logger, output that transfers can read and write, and transfers among the
 * consumers. Everything else is the default.
 */
VkskinContextDef gpuContextDef(Gpu *gpu);

/*
 * Creates a context without kernels: a driver takes long for each, so create only those of your meshes. def: null for
 * gpuContextDef. The test's teardown destroys it, unless gpuDestroyContext does so earlier.
 */
VkskinContext gpuContext(Gpu *gpu, const VkskinContextDef *def);
void gpuDestroyContext(Gpu *gpu, VkskinContext context);

/* Creates the kernels that a mesh needs for a set of methods, each with its default encoding. Existing kernels stay. */
void gpuMeshKernels(Gpu *gpu, VkskinContext context, VkskinMesh mesh, uint32_t methods);
#define GPU_LINEAR_BLEND ((uint32_t)VKSKIN_METHOD_LINEAR_BLEND_BIT)

/* ---- Commands ---- */

/* A command buffer, begun. */
VkCommandBuffer gpuBegin(Gpu *gpu);

/* Ends, submits, waits for the fence, frees. */
void gpuSubmitAndWait(Gpu *gpu, VkCommandBuffer commandBuffer);

/* vkCmdPipelineBarrier with one memory barrier. */
void gpuBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags beforeStages, VkAccessFlags beforeAccess,
                VkPipelineStageFlags afterStages, VkAccessFlags afterAccess);

/* ---- Buffers ---- */

/* Host-visible and coherent, mapped during its lifetime. */
typedef struct GpuBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    void *mapped;
} GpuBuffer;

GpuBuffer gpuBuffer(Gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage);
void gpuFreeBuffer(Gpu *gpu, GpuBuffer *buffer);

/* Replaces Vulkan's function: reports two families, both like the first one. The drivers have only one. */
VKAPI_ATTR void VKAPI_CALL gpuTwoFamilies(VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *families);

/* Replaces vkCmdPipelineBarrier: keeps the last ownership transfer of one range instead of recording it, which one queue
 * family could not execute. */
extern VkBufferMemoryBarrier gpuLastTransfer;
VKAPI_ATTR void VKAPI_CALL gpuKeepTransfer(VkCommandBuffer commandBuffer, VkPipelineStageFlags from,
                                           VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t memoryCount,
                                           const VkMemoryBarrier *memory, uint32_t count,
                                           const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                           const VkImageMemoryBarrier *images);

/* A memory type with these properties; fails the test if there is none. */
uint32_t gpuMemoryType(Gpu *gpu, uint32_t typeBits, VkMemoryPropertyFlags properties);

/* ---- Output ---- */

/* A word that no kernel writes: no finite position, no octahedral pair and no snorm10 has these bits. */
#define GPU_POISON 0x80008000u

/* Fills all output pages with poison and waits. The device must be idle, and no skinning of the context pending. */
void gpuPoisonOutput(Gpu *gpu, VkskinContext context);

/* Records the copy of bytes of an output buffer to `target` at 0, with a barrier to the host after it. */
void gpuRecordReadback(VkCommandBuffer commandBuffer, VkBuffer source, VkDeviceSize offset, VkDeviceSize size,
                       VkBuffer target);

/* A copy of a whole output page, freed with gpuFreeBuffer. Submits and waits. */
GpuBuffer gpuReadPage(Gpu *gpu, VkskinContext context, uint32_t page);

/* In that copy: the bytes of a range must have been written, and become poison again; all bytes must be poison. */
void gpuTakeWritten(const GpuBuffer *copy, VkDeviceSize offset, VkDeviceSize size);
void gpuCheckPoison(const GpuBuffer *copy, uint32_t page);

#endif
