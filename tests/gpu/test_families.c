/*
 * Skinning and drawing on different queue families. The software drivers have one family, so wrappers claim a
 * second one and keep the barriers that name it, to look at them, instead of passing them on.
 */
#include <string.h>

#include "meshes.h"

#define MAX_BARRIERS 64

typedef struct Seen {
    VkPipelineStageFlags before, after;
    VkBufferMemoryBarrier barrier;
} Seen;

/* The wrappers have no user pointer. */
static uint32_t seenCount;
static Seen seen[MAX_BARRIERS];

static VKAPI_ATTR void VKAPI_CALL keepTransfers(VkCommandBuffer commandBuffer, VkPipelineStageFlags before,
                                                VkPipelineStageFlags after, VkDependencyFlags dependency,
                                                uint32_t memoryCount, const VkMemoryBarrier *memory,
                                                uint32_t bufferCount, const VkBufferMemoryBarrier *buffers,
                                                uint32_t imageCount, const VkImageMemoryBarrier *images) {
    bool transfer = false;
    for (uint32_t i = 0; i < bufferCount; i++) {
        if (buffers[i].srcQueueFamilyIndex != buffers[i].dstQueueFamilyIndex) {
            assert_true(seenCount < MAX_BARRIERS);
            seen[seenCount++] = (Seen){before, after, buffers[i]};
            transfer = true;
        }
    }
    if (!transfer) {
        vkCmdPipelineBarrier(commandBuffer, before, after, dependency, memoryCount, memory, bufferCount, buffers,
                             imageCount, images);
    }
}

static VkskinContext familyContext(Gpu *gpu, uint32_t graphicsQueueFamily) {
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies,
        .vkCmdPipelineBarrier = keepTransfers,
    };
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.graphicsQueueFamily = graphicsQueueFamily;
    def.outputRegions = def.framesInFlight;
    seenCount = 0;
    return gpuContext(gpu, &def);
}

/* Skins in this frame; records the release, then the acquire, and counts what each recorded. */
static void passOn(Gpu *gpu, VkskinContext context, VkskinInstance instance, uint32_t *released, uint32_t *acquired) {
    markerSkin(gpu, context, instance, 1.0f, 2.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    assert_int_equal(seenCount, 0);
    GPU_VKSKIN(gpu, vkskinRecordRelease(context, commandBuffer));
    *released = seenCount;
    GPU_VKSKIN(gpu, vkskinRecordAcquire(context, commandBuffer));
    *acquired = seenCount - *released;
    gpuSubmitAndWait(gpu, commandBuffer);
}

static void releaseAndAcquireMatch(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = familyContext(gpu, 1);
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinInstance instance;
    uint32_t released, acquired;
    GPU_VKSKIN(gpu, instanceOf(context, markerMesh(gpu, context, 50, false), &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    passOn(gpu, context, instance, &released, &acquired);
    assert_true(released >= 1);
    assert_int_equal(released, acquired);
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    bool found = false;
    for (uint32_t i = 0; i < released; i++) {
        const Seen *release = &seen[i], *acquire = &seen[released + i];
        assert_int_equal(release->before, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        assert_int_equal(release->barrier.srcAccessMask, VK_ACCESS_SHADER_WRITE_BIT);
        assert_int_equal(acquire->after, def.consumerStages);
        assert_int_equal(acquire->barrier.dstAccessMask, def.consumerAccess);
        assert_int_equal(release->barrier.srcQueueFamilyIndex, 0);
        assert_int_equal(release->barrier.dstQueueFamilyIndex, 1);
        assert_int_equal(acquire->barrier.srcQueueFamilyIndex, 0);
        assert_int_equal(acquire->barrier.dstQueueFamilyIndex, 1);
        assert_true(release->barrier.buffer == acquire->barrier.buffer);
        assert_true(release->barrier.offset == acquire->barrier.offset);
        assert_true(release->barrier.size == acquire->barrier.size);
        found = found || release->barrier.buffer == output.buffer;
    }
    assert_true(found);
    vkskinDestroyContext(context);
}

static void nothingToPassOn(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = familyContext(gpu, 1);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordRelease(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordAcquire(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    assert_int_equal(seenCount, 0);
    vkskinDestroyContext(context);
}

static void oneFamilyRecordsNothing(void **state, uint32_t graphicsQueueFamily) {
    Gpu *gpu = *state;
    VkskinContext context = familyContext(gpu, graphicsQueueFamily);
    VkskinInstance instance;
    uint32_t released, acquired;
    GPU_VKSKIN(gpu, instanceOf(context, markerMesh(gpu, context, 50, false), &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    passOn(gpu, context, instance, &released, &acquired);
    assert_int_equal(released, 0);
    assert_int_equal(acquired, 0);
    vkskinDestroyContext(context);
}

static void theSameFamilyRecordsNothing(void **state) {
    oneFamilyRecordsNothing(state, 0);
}

/* By default the drawing is of the family that skins, whichever that is. */
static void noFamilyIsTheSame(void **state) {
    assert_int_equal(vkskinDefaultContextDef().graphicsQueueFamily, VK_QUEUE_FAMILY_IGNORED);
    oneFamilyRecordsNothing(state, VK_QUEUE_FAMILY_IGNORED);
}

static void secondFamilyAlone(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies};
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    def.functions = &functions;
    def.computeQueueFamily = 1;
    def.graphicsQueueFamily = VK_QUEUE_FAMILY_IGNORED; /* one family: fewer regions than frames are allowed */
    def.outputRegions = 1;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    vkskinDestroyContext(context);
    def.computeQueueFamily = 2;
    gpuCheckRefusal(gpu, "a third", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE,
                    "computeQueueFamily is 2");
    def.computeQueueFamily = 1;
    def.graphicsQueueFamily = 2;
    def.outputRegions = def.framesInFlight;
    gpuCheckRefusal(gpu, "a third to draw", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE,
                    "graphicsQueueFamily is 2");
}

/* Each half once a frame, and no skinning after it; on one family too, where both record nothing. */
static void halvesComeOnceAFrame(void **state) {
    Gpu *gpu = *state;
    for (uint32_t graphicsQueueFamily = 0; graphicsQueueFamily < 2; graphicsQueueFamily++) {
        VkskinContext context = familyContext(gpu, graphicsQueueFamily);
        VkskinMesh mesh = markerMesh(gpu, context, 5, false);
        VkskinInstance first, second;
        uint32_t released, acquired;
        GPU_VKSKIN(gpu, instanceOf(context, mesh, &first));
        GPU_VKSKIN(gpu, instanceOf(context, mesh, &second));
        for (uint32_t frame = 0; frame < 3; frame++) {
            seenCount = 0;
            GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % 2));
            passOn(gpu, context, first, &released, &acquired);
            VkCommandBuffer commandBuffer = gpuBegin(gpu);
            gpuCheckRefusal(gpu, "released twice", vkskinRecordRelease(context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordRelease: it was recorded in this frame already");
            gpuCheckRefusal(gpu, "acquired twice", vkskinRecordAcquire(context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordAcquire: it was recorded in this frame already");
            GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer)); /* of no command: nothing is lost */
            GPU_VKSKIN(gpu, instanceOf(context, mesh, &second));
            markerSkin(gpu, context, second, 3.0f, 4.0f);
            gpuCheckRefusal(gpu, "skinned after", vkskinRecordSkinning(context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordRelease");
            gpuSubmitAndWait(gpu, commandBuffer);
            assert_int_equal(seenCount, released + acquired);
            GPU_VKSKIN(gpu, vkskinDestroyInstance(context, second)); /* its command goes with it */
        }
        vkskinDestroyContext(context);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(releaseAndAcquireMatch), GPU_TEST(nothingToPassOn),   GPU_TEST(theSameFamilyRecordsNothing),
        GPU_TEST(noFamilyIsTheSame),      GPU_TEST(secondFamilyAlone), GPU_TEST(halvesComeOnceAFrame),
    };
    return gpuRunTests("queue families", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
