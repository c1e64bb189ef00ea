/*
 * What GPU-assisted validation (layer 1.3.239) sees of accesses outside of a storage buffer, by planting them.
 *
 * On both drivers it sees a kernel leave a buffer, by the buffer's size and not by the descriptor's range, and keeps
 * the access from taking place. It needs a descriptor set of its own. On lavapipe (8 sets) it watches the library's
 * kernels, and test_guard_fuzz runs under it; on SwiftShader (4 sets, which the library takes) it says that it leaves
 * them alone.
 */
#include <stdlib.h>
#include <string.h>

#include "marker.h"
#include "probe.h"

#define SIZE   4096u
#define WORDS  (SIZE / 4)
#define TEXELS (SIZE / 16)

static void stepsOutsideAreTold(void **state) {
    Gpu *gpu = *state;
    GpuBuffer buffer =
        gpuBuffer(gpu, SIZE, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    gpuExpectMessage(gpu, "access out of bounds");
    probeCopyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){WORDS - 1, 0, false});
    assert_int_equal(gpu->expectedCount, 0);
    probeCopyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){WORDS, 0, false});
    assert_int_equal(gpu->expectedCount, 1);
    probeCopyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){0, WORDS, false});
    assert_int_equal(gpu->expectedCount, 2);
    probeCopyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){TEXELS - 1, 0, true});
    assert_int_equal(gpu->expectedCount, 2);
    probeCopyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){TEXELS, 0, true});
    assert_int_equal(gpu->expectedCount, 3);
    gpuFreeBuffer(gpu, &buffer);
}

/* The instances of the dispatch are looked for far outside of the table. */
static VKAPI_ATTR void VKAPI_CALL pushFarInstances(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                   VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                   const void *values) {
    uint32_t words[4]; /* jobs, job count, instances, group count */
    assert_int_equal(size, sizeof words);
    memcpy(words, values, sizeof words);
    words[2] += 1u << 24;
    vkCmdPushConstants(commandBuffer, layout, stages, offset, size, words);
}

static void skinOnce(Gpu *gpu, VkskinContext context) {
    VkskinMesh mesh = markerMesh(gpu, context, 3, false);
    VkskinInstance instance;
    GPU_VKSKIN(gpu, instanceOf(context, mesh, &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, instance, 1.0f, 2.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
}

static void libraryIsWatchedWhereASetIsLeft(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions = {0};
    VkskinContextDef def = gpuContextDef(gpu);
    bool setLeft = gpu->properties.limits.maxBoundDescriptorSets > 4;
    def.functions = &functions;
    functions.vkCmdPushConstants = setLeft ? pushFarInstances : NULL; /* else it would take place */
    gpuExpectMessage(gpu, setLeft ? "access out of bounds" : "too many descriptor sets");
    VkskinContext context = gpuContext(gpu, &def);
    skinOnce(gpu, context);
    vkskinDestroyContext(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {GPU_TEST(stepsOutsideAreTold), GPU_TEST(libraryIsWatchedWhereASetIsLeft)};
    const GpuRequest request = {.gpuAssisted = true};
    gpuRequest(&request);
    return gpuRunTests("gpu assisted", tests, sizeof tests / sizeof tests[0], NULL);
}
