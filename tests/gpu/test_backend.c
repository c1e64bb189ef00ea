/* The CPU backend of a context: the same calls and contract, no recorded commands; and which contexts use it. */

#include "scene.h"
#include "test.h"

#define VERTICES 130u

static VkskinContextDef cpuDef(Gpu *gpu) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.backend = VKSKIN_BACKEND_CPU;
    def.pageSize = 1u << 20;
    def.maxInstances = 64;
    return def;
}

/* ---- Choice of the backend ---- */

static VkskinBackend backendOf(Gpu *gpu, VkskinBackend asked, const VkskinVulkanFunctions *functions) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.backend = asked;
    def.functions = functions;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinBackend backend = statsOf(gpu, context).backend;
    gpuDestroyContext(gpu, context);
    return backend;
}

static VKAPI_ATTR void VKAPI_CALL discreteProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

GPU_TEST(automaticGoesByTheDevice) {
    VkskinVulkanFunctions discrete = {.vkGetPhysicalDeviceProperties = discreteProperties};
    assert_int_equal(backendOf(gpu, VKSKIN_BACKEND_AUTOMATIC, NULL), VKSKIN_BACKEND_CPU);
    assert_int_equal(backendOf(gpu, VKSKIN_BACKEND_AUTOMATIC, &discrete), VKSKIN_BACKEND_COMPUTE);
    assert_int_equal(backendOf(gpu, VKSKIN_BACKEND_CPU, &discrete), VKSKIN_BACKEND_CPU);
    assert_int_equal(backendOf(gpu, VKSKIN_BACKEND_COMPUTE, NULL), VKSKIN_BACKEND_COMPUTE);
}

GPU_TEST(wrongFieldsAreRefused) {
    VkskinContext context = NULL;
    VkskinContextDef def = cpuDef(gpu);
    def.cpu.level = VKSKIN_CPU_LEVEL_COUNT;
    gpuCheckRefusal(gpu, "level", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE,
                    "cpu.level is 4, not in 0 to 3");
    def = cpuDef(gpu);
    def.backend = (VkskinBackend)3;
    gpuCheckRefusal(gpu, "backend", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE, "backend");
    assert_null(context);
}

/* ---- Recording ---- */

static uint32_t commands; /* into a command buffer, by the library */

static VKAPI_ATTR void VKAPI_CALL noDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    commands++;
    vkCmdDispatch(commandBuffer, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL noCopy(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target,
                                         uint32_t count, const VkBufferCopy *regions) {
    commands++;
    vkCmdCopyBuffer(commandBuffer, source, target, count, regions);
}

static VKAPI_ATTR void VKAPI_CALL noBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags before,
                                            VkPipelineStageFlags after, VkDependencyFlags flags, uint32_t memoryCount,
                                            const VkMemoryBarrier *memory, uint32_t bufferCount,
                                            const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                            const VkImageMemoryBarrier *images) {
    commands++;
    vkCmdPipelineBarrier(commandBuffer, before, after, flags, memoryCount, memory, bufferCount, buffers, imageCount,
                         images);
}

static uint32_t modules;

static VKAPI_ATTR VkResult VKAPI_CALL countModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    modules++;
    return vkCreateShaderModule(device, info, allocator, module);
}

/* No kernels and no accesses either: a submission sees all earlier host writes. The same with two queue families. */
GPU_TEST(nothingIsRecorded) {
    VkskinVulkanFunctions functions = {
        .vkCmdDispatch = noDispatch,
        .vkCmdCopyBuffer = noCopy,
        .vkCmdPipelineBarrier = noBarrier,
        .vkCreateShaderModule = countModule,
        .vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies,
    };
    commands = modules = 0;
    for (uint32_t families = 1; families <= 2; families++) {
        VkskinContextDef def = cpuDef(gpu);
        uint32_t accesses = 1;
        def.functions = &functions;
        def.graphicsQueueFamily = families == 2 ? def.computeQueueFamily + 1 : VK_QUEUE_FAMILY_IGNORED;
        def.outputRegions = def.framesInFlight;
        VkskinContext context = gpuContext(gpu, &def);
        VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, VERTICES, false));
        for (uint32_t frame = 0; frame < 4; frame++) {
            GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % 2));
            markerSkin(gpu, context, instance, (float)frame, 5.0f);
            for (uint32_t pass = 0; pass < 2; pass++) {
                GPU_VKSKIN(gpu, vkskinGetAccesses(context, (VkskinPass)pass, NULL, &accesses));
                assert_int_equal(accesses, 0);
            }
            recordAndRun(gpu, context);
            checkPositions(gpu, context, instance, (float)frame, 5.0f);
            assert_int_equal(statsOf(gpu, context).instancesSkinned, 1);
            assert_int_equal(statsOf(gpu, context).dispatches, 0);
        }
        gpuDestroyContext(gpu, context);
    }
    assert_int_equal(commands, 0);
    assert_int_equal(modules, 0);
}

/* ---- Frames ---- */

GPU_TEST(morphsAndBonelessMeshes) {
    VkskinContextDef def = cpuDef(gpu);
    VkskinContext context = gpuContext(gpu, &def);
    const float weights[MARKER_MORPHS] = {2.0f, 3.0f};
    for (uint32_t bone = 0; bone < 2; bone++) {
        VkskinInstance instance = markerInstance(gpu, context, markerMorphMesh(gpu, context, VERTICES, bone == 1));
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, bone));
        VkskinSkinCommand command = {.instance = instance, .morphWeights = weights, .morphWeightCount = MARKER_MORPHS};
        if (bone == 1) {
            command.palette = markerPalette(gpu, context, 10.0f, 20.0f);
        }
        GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
        recordAndRun(gpu, context);
        checkPositions(gpu, context, instance, bone == 1 ? 12.0f : 2.0f, bone == 1 ? 23.0f : 3.0f);
    }
}

/* A cancelled frame changes nothing: the next frame continues from the one before it. */
GPU_TEST(cancelledFramesLeaveNothing) {
    VkskinContextDef def = cpuDef(gpu);
    VkskinContext context = gpuContext(gpu, &def);
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, VERTICES, true));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, instance, 1.0f, 1.0f);
    recordAndRun(gpu, context);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1));
    markerSkin(gpu, context, instance, 2.0f, 2.0f);
    GPU_VKSKIN(gpu, vkskinCancelFrame(context));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1));
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instance, 1.0f, 1.0f);
    assert_int_equal(statsOf(gpu, context).instancesSkinned, 0);
}

/* An instance destroyed between its command and the record is not skinned; the others are. */
GPU_TEST(destroyedInstancesAreLeftOut) {
    VkskinContextDef def = cpuDef(gpu);
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false), other = markerMesh(gpu, context, VERTICES, false);
    VkskinInstance stays = markerInstance(gpu, context, mesh), goes = markerInstance(gpu, context, other);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, goes, 1.0f, 1.0f);
    markerSkin(gpu, context, stays, 2.0f, 2.0f);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, goes));
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, other));
    recordAndRun(gpu, context);
    checkPositions(gpu, context, stays, 2.0f, 2.0f);
    assert_int_equal(statsOf(gpu, context).instancesSkinned, 1);
}

/* ---- Memory ---- */

static uint32_t allocations;

static VKAPI_ATTR void *VKAPI_CALL countedAllocate(void *user, size_t size, size_t alignment,
                                                   VkSystemAllocationScope scope) {
    void *memory = NULL;
    (void)user;
    (void)scope;
    allocations++;
    size_t least = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    return posix_memalign(&memory, least, size > 0 ? size : 1) == 0 ? memory : NULL;
}

static VKAPI_ATTR void VKAPI_CALL countedFree(void *user, void *memory) {
    (void)user;
    free(memory);
}

static VKAPI_ATTR void *VKAPI_CALL noReallocate(void *user, void *original, size_t size, size_t alignment,
                                                VkSystemAllocationScope scope) {
    (void)user;
    (void)original;
    (void)size;
    (void)alignment;
    (void)scope;
    return NULL;
}

GPU_TEST(framesAllocateNothing) {
    enum { INSTANCES = 20 };
    const VkAllocationCallbacks heap = {
        .pfnAllocation = countedAllocate, .pfnReallocation = noReallocate, .pfnFree = countedFree};
    VkskinContextDef def = cpuDef(gpu);
    def.allocator = &heap;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false);
    VkskinInstance instances[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++) {
        instances[i] = markerInstance(gpu, context, mesh);
    }
    allocations = 0;
    for (uint32_t frame = 0; frame < 4; frame++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % 2));
        for (uint32_t i = 0; i < INSTANCES; i++) {
            markerSkin(gpu, context, instances[i], (float)i, (float)frame);
        }
        recordAndRun(gpu, context);
    }
    assert_int_equal(allocations, 0);
}
