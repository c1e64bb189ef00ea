#include "draw_motion.h"

#include "model.h"
#include "raster/raster_layout.h"
#include "target.h"

static bool createSet(DrawMotion *motion, Device *device, VkDescriptorSetLayout layout, EngineError *error) {
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, MODEL_MAP_COUNT};
    return engineVulkan(error, "vkCreateSampler", vkCreateSampler(device->handle, &sampler, NULL, &motion->sampler)) &&
           descriptorPoolCreate(device, &size, 1, 1, &motion->pool, error) &&
           descriptorSetAllocate(device, motion->pool, layout, &motion->set, error);
}

static bool createImages(DrawMotion *motion, Device *device, uint32_t width, uint32_t height, EngineError *error) {
    const ImageDef vectors = {.width = width,
                              .height = height,
                              .format = DRAW_MOTION_FORMAT,
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                       VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                              .name = "motion vectors"};
    const ImageDef depth = {.width = width,
                            .height = height,
                            .format = DEPTH_FORMAT,
                            .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                            .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
                            .name = "depth of motion vectors"};
    return imageCreate(device, &vectors, &motion->vectors, error) && imageCreate(device, &depth, &motion->depth, error);
}

bool drawMotionUse(DrawMotion *motion, Device *device, VkDescriptorSetLayout layout, uint32_t width, uint32_t height,
                   EngineError *error) {
    if (motion->depth.handle && motion->depth.width == width && motion->depth.height == height) {
        return true;
    }
    if (!deviceWait(device, error)) {
        return false;
    }
    imageDestroy(device, &motion->vectors);
    imageDestroy(device, &motion->depth);
    if ((!motion->set && !createSet(motion, device, layout, error)) ||
        !createImages(motion, device, width, height, error)) {
        drawMotionDestroy(device, motion);
        return false;
    }
    for (uint32_t map = 0; map < MODEL_MAP_COUNT; map++) { /* a driver reads those that no shader uses too */
        descriptorWriteImage(device, motion->set, map, motion->sampler, motion->vectors.view);
    }
    return true;
}

void drawMotionBegin(const DrawMotion *motion, VkCommandBuffer commandBuffer) {
    VkRenderingAttachmentInfo vectors = passAttachment(motion->vectors.view, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                       VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE);
    const VkRenderingAttachmentInfo depth =
        passAttachment(motion->depth.view, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, VK_ATTACHMENT_LOAD_OP_CLEAR,
                       VK_ATTACHMENT_STORE_OP_DONT_CARE);
    vectors.clearValue.color.float32[0] = RASTER_MOTION_NONE;
    imageDiscard(commandBuffer, motion->vectors.handle, IMAGE_SAMPLED, IMAGE_COLOUR);
    imageDiscard(commandBuffer, motion->depth.handle, IMAGE_DEPTH, IMAGE_DEPTH);
    passBegin(commandBuffer, motion->vectors.width, motion->vectors.height, &vectors, &depth, NULL);
}

void drawMotionEnd(const DrawMotion *motion, VkCommandBuffer commandBuffer) {
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, motion->vectors.handle, IMAGE_COLOUR, IMAGE_SAMPLED);
}

void drawMotionDestroy(Device *device, DrawMotion *motion) {
    imageDestroy(device, &motion->vectors);
    imageDestroy(device, &motion->depth);
    vkDestroySampler(device->handle, motion->sampler, NULL);
    vkDestroyDescriptorPool(device->handle, motion->pool, NULL);
    *motion = (DrawMotion){.set = VK_NULL_HANDLE};
}
