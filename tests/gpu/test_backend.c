/* The CPU backend of a context: the same calls and contract, no recorded commands; and which contexts use it. */
#include "interposer.h"
#include "marker_scene.h"

#define VERTICES 130u

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
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_CPU, 2, 2);
    def.cpu.level = VKSKIN_CPU_LEVEL_COUNT;
    gpuCheckRefusal(gpu, "level", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE,
                    "cpu.level is 4, not in 0 to 3");
    def = smallDef(gpu, VKSKIN_BACKEND_CPU, 2, 2);
    def.backend = (VkskinBackend)3;
    gpuCheckRefusal(gpu, "backend", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE, "backend");
    assert_null(context);
}

/* ---- What a frame does ---- */

static VKAPI_ATTR void VKAPI_CALL noBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags before,
                                            VkPipelineStageFlags after, VkDependencyFlags flags, uint32_t memoryCount,
                                            const VkMemoryBarrier *memory, uint32_t bufferCount,
                                            const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                            const VkImageMemoryBarrier *images) {
    (void)commandBuffer, (void)before, (void)after, (void)flags, (void)memoryCount, (void)memory, (void)bufferCount;
    (void)buffers, (void)imageCount, (void)images;
    fail_msg("a barrier was recorded");
}

/*
 * No commands, no kernels and no accesses either: a submission sees all earlier host writes. Frames allocate no host
 * memory. The same with two queue families.
 */
INTERPOSER_TEST(framesRecordAndAllocateNothing) {
    enum { INSTANCES = 20 };
    const VkAllocationCallbacks heap = interposerHeap();
    for (uint32_t families = 1; families <= 2; families++) {
        interposerBegin(gpu);
        VkskinVulkanFunctions functions = interposerFunctions();
        functions.vkCmdPipelineBarrier = noBarrier;
        functions.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies;
        VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_CPU, 2, 2);
        def.functions = &functions;
        def.allocator = &heap;
        def.graphicsQueueFamily = families == 2 ? def.computeQueueFamily + 1 : VK_QUEUE_FAMILY_IGNORED;
        interposer.counted = FAULT_BIT(FAULT_CreateShaderModule);
        Scene s = makeScene(gpu, &def, VERTICES, false);
        VkskinInstance instances[INSTANCES];
        for (uint32_t i = 0; i < INSTANCES; i++) {
            instances[i] = markerInstance(gpu, s.context, s.mesh);
        }
        for (uint32_t frame = 0; frame < 4; frame++) {
            interposer.counted |= FAULT_HEAP;
            GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, frame % 2));
            for (uint32_t i = 0; i < INSTANCES; i++) {
                markerSkin(gpu, s.context, instances[i], (float)i, (float)frame);
            }
            for (uint32_t pass = 0; pass < 2; pass++) {
                uint32_t accesses = 1;
                GPU_VKSKIN(gpu, vkskinGetAccesses(s.context, (VkskinPass)pass, NULL, &accesses));
                assert_int_equal(accesses, 0);
            }
            recordAndRun(gpu, s.context);
            checkPositions(gpu, s.context, instances[INSTANCES - 1], INSTANCES - 1, (float)frame);
            assert_int_equal(statsOf(gpu, s.context).instancesSkinned, INSTANCES);
            assert_int_equal(statsOf(gpu, s.context).dispatches, 0);
        }
        assert_int_equal(interposer.calls, 0); /* neither a shader module nor memory */
        assert_int_equal(interposer.use.copies + interposer.use.dispatches, 0);
        gpuDestroyContext(gpu, s.context);
        interposerEnd();
    }
}
