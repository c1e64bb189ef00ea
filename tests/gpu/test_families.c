/*
 * Skinning and drawing on different queue families. The software drivers have one family, so a wrapper claims a
 * second one and keeps the barriers that name it, to look at them, instead of passing them on.
 */
#include <string.h>

#include "marker.h"

#define MAX_BARRIERS 64

typedef struct Seen {
    VkPipelineStageFlags before, after;
    VkBufferMemoryBarrier barrier;
} Seen;

/* The wrappers have no user pointer. */
static uint32_t seenCount;
static Seen seen[MAX_BARRIERS];

static VKAPI_ATTR void VKAPI_CALL twoFamilies(VkPhysicalDevice device, uint32_t *count,
                                              VkQueueFamilyProperties *families) {
    uint32_t room = *count;
    VkQueueFamilyProperties first;
    uint32_t one = 1;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &one, &first);
    *count = families == NULL || room > 2 ? 2 : room;
    for (uint32_t i = 0; families != NULL && i < *count; i++) {
        families[i] = first;
    }
}

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

static VkskinContext familyContext(Gpu *gpu, uint32_t drawingFamily) {
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceQueueFamilyProperties = twoFamilies,
        .vkCmdPipelineBarrier = keepTransfers,
    };
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.drawingFamily = drawingFamily;
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
    GPU_VKSKIN(gpu, vkskinCreateInstance(context, markerMesh(gpu, context, 50, false), &instance));
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

static void oneFamilyRecordsNothing(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = familyContext(gpu, 0);
    VkskinInstance instance;
    uint32_t released, acquired;
    GPU_VKSKIN(gpu, vkskinCreateInstance(context, markerMesh(gpu, context, 50, false), &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    passOn(gpu, context, instance, &released, &acquired);
    assert_int_equal(released, 0);
    assert_int_equal(acquired, 0);
    vkskinDestroyContext(context);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(releaseAndAcquireMatch), GPU_TEST(nothingToPassOn),
                                       GPU_TEST(oneFamilyRecordsNothing)};
    return gpuRunTests("queue families", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
