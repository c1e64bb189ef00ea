/*
 * The host of the README's example: two frames in flight, the strip bent by a known angle, its vertices read back.
 */
#include "gpu.h"

#include "example.h"

/* Bone 1 turns by a quarter about the x axis through (0, 1, 0): (x, y, z) goes to (x, 1 - z, y - 1). */
static const float bent[2][3][4] = {
    {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
    {{1, 0, 0, 0}, {0, 0, -1, 1}, {0, 1, 0, -1}},
};

/* The lower end stays, the middle is on the axis, the upper end comes to lie at height 1, one unit towards z. */
static const float expected[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 1, 1}, {1, 1, 1}};

static void checkStrip(const float *skinned) {
    for (int i = 0; i < 18; i++) {
        assert_float_equal(skinned[i], expected[i / 3][i % 3], 1e-6f);
    }
}

static void exampleSkinsTheStrip(void **state) {
    Gpu *gpu = *state;
    VkskinContextDef def =
        skinnerDef(gpu->instance, gpu->physicalDevice, gpu->device, vkGetInstanceProcAddr, vkGetDeviceProcAddr);
    VkskinContextDef readable = gpuContextDef(gpu);
    def.logger = readable.logger;
    def.outputUsage = readable.outputUsage;
    def.consumerStages = readable.consumerStages;
    def.consumerAccess = readable.consumerAccess;

    Skinner skinner;
    GPU_VKSKIN(gpu, skinnerLoad(&skinner, &def));
    GpuBuffer target = gpuBuffer(gpu, 6 * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t frame = 0; frame < 5; frame++) {
        memset(target.mapped, 0xff, target.size);
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        VkskinOutput output;
        GPU_VKSKIN(gpu, skinnerFrame(&skinner, frame % 2, commandBuffer, bent, &output));
        assert_int_equal(output.vertexCount, 6);
        assert_int_equal(output.attributeStride, 4);
        gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, target.size, target.buffer);
        gpuSubmitAndWait(gpu, commandBuffer);
        checkStrip(target.mapped);
    }
    gpuFreeBuffer(gpu, &target);
    skinnerUnload(&skinner);
}

int main(void) {
    const struct CMUnitTest tests[] = {GPU_TEST(exampleSkinsTheStrip)};
    return gpuRunTests("readme", tests, sizeof tests / sizeof tests[0], NULL);
}
