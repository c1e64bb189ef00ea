/*
 * Skinning recorded into secondary command buffers, which a primary one executes outside a render pass: uploads, staged
 * palettes, timing scopes, dispatches and barriers. Validation must be silent, and the drawing reads what was skinned.
 */
#include "marker_scene.h"

enum { FRAMES = 4, VERTICES = 67, BYTES = VERTICES * 12 };

static VkCommandBuffer beginSecondary(Gpu *gpu) {
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = gpu->pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                            .commandBufferCount = 1};
    VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                                      .pInheritanceInfo = &inheritance};
    VkCommandBuffer commandBuffer;
    GPU_CHECK(vkAllocateCommandBuffers(gpu->device, &allocate, &commandBuffer));
    GPU_CHECK(vkBeginCommandBuffer(commandBuffer, &begin));
    return commandBuffer;
}

static void runFrame(Gpu *gpu, const Scene *scene, uint32_t frame, GpuBuffer *read) {
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene->context, frame % 2));
    markerSkin(gpu, scene->context, scene->instance, (float)frame, 3.0f);
    VkCommandBuffer secondary = beginSecondary(gpu);
    GPU_VKSKIN(gpu, vkskinBeginScope(scene->context, secondary, "host"));
    GPU_VKSKIN(gpu, vkskinRecordSkinning(scene->context, secondary));
    GPU_VKSKIN(gpu, vkskinEndScope(scene->context, secondary, "host"));
    GPU_CHECK(vkEndCommandBuffer(secondary));
    VkskinOutput output = markerOutput(gpu, scene->context, scene->instance);
    VkCommandBuffer primary = gpuBegin(gpu);
    vkCmdExecuteCommands(primary, 1, &secondary);
    gpuRecordReadback(primary, output.buffer, output.positionOffset, BYTES, read->buffer);
    gpuSubmitAndWait(gpu, primary);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &secondary);
}

GPU_TEST(secondaryCommandBuffers) {
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 1);
    def.memory.palettes = VKSKIN_PALETTE_MEMORY_STAGED; /* every frame copies */
    Scene scene = makeScene(gpu, &def, VERTICES, false);
    GpuBuffer read = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        runFrame(gpu, &scene, frame, &read);
        assert_int_equal(markerMismatches(read.mapped, VERTICES, (float)frame, 3.0f), 0);
    }
    gpuFreeBuffer(gpu, &read);
}
