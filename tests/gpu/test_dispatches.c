/* One compute pass: the number of dispatches does not grow with the number of instances. */
#include <stdlib.h>

#include "scene.h"

static uint32_t dispatchCalls; /* of the wrapper below, which has no user pointer */

static VKAPI_ATTR void VKAPI_CALL countDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    dispatchCalls++;
    vkCmdDispatch(commandBuffer, x, y, z);
}

/* Skins `count` instances of two meshes in turn, with palettes of their own or one for all; returns the calls. */
static uint32_t countFor(Gpu *gpu, uint32_t count, bool ownPalettes) {
    VkskinVulkanFunctions functions = {.vkCmdDispatch = countDispatch};
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.maxInstances = count;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh meshes[2] = {markerMesh(gpu, context, 65, false), markerMesh(gpu, context, 40, false)};
    VkskinSkinCommand *commands = calloc(count, sizeof *commands);
    assert_non_null(commands);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < count; i++) {
        GPU_VKSKIN(gpu, instanceOf(context, meshes[i % 2], &commands[i].instance));
        commands[i].palette = i == 0 || ownPalettes ? markerPalette(gpu, context, (float)i, 0.0f) : commands[0].palette;
    }
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, commands, count));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    dispatchCalls = 0;
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    VkskinStats stats = statsOf(gpu, context);
    assert_int_equal(stats.dispatches, dispatchCalls);
    assert_int_equal(stats.instancesSkinned, count);
    free(commands);
    vkskinDestroyContext(context);
    return dispatchCalls;
}

static void dispatchesDoNotGrow(void **state) {
    uint32_t one = countFor(*state, 1, true);
    assert_true(one >= 1);
    assert_int_equal(countFor(*state, 100, true), one);
    assert_int_equal(countFor(*state, 10000, true), one);
    assert_int_equal(countFor(*state, 10000, false), one);
}

/* A frame without commands records nothing to run. */
static void nothingToSkin(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions = {.vkCmdDispatch = countDispatch};
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    VkskinContext context = gpuContext(gpu, &def);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, NULL, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    dispatchCalls = 0;
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    assert_int_equal(dispatchCalls, 0);
    vkskinDestroyContext(context);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(dispatchesDoNotGrow), GPU_TEST(nothingToSkin)};
    return gpuRunTests("dispatches", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
