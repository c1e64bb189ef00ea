#include "draw_motion.h"

#include "model.h"

static bool createSet(DrawMotion *motion, Device *device, VkDescriptorSetLayout layout, EngineError *error) {
    const VkSamplerAddressMode clamp = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, MODEL_MAP_COUNT};
    return samplerCreate(device, VK_FILTER_NEAREST, clamp, clamp, &motion->sampler, error) &&
           descriptorPoolCreate(device, &size, 1, 1, &motion->pool, error) &&
           descriptorSetAllocate(device, motion->pool, layout, &motion->set, error);
}

bool drawMotionUse(DrawMotion *motion, Device *device, VkDescriptorSetLayout layout, uint32_t width, uint32_t height,
                   EngineError *error) {
    const TargetDef def = {width, height, DRAW_MOTION_FORMAT, .offscreen = true, .sampled = true};
    if (motion->target.width == width && motion->target.height == height) {
        return true;
    }
    targetDestroy(device, &motion->target);
    if ((!motion->set && !createSet(motion, device, layout, error)) ||
        !targetCreate(device, &def, &motion->target, error)) {
        drawMotionDestroy(device, motion);
        return false;
    }
    for (uint32_t map = 0; map < MODEL_MAP_COUNT; map++) { /* drivers read those that no shader uses too */
        descriptorWriteImage(device, motion->set, map, motion->sampler, motion->target.resolve.view);
    }
    return true;
}

void drawMotionDestroy(Device *device, DrawMotion *motion) {
    targetDestroy(device, &motion->target);
    vkDestroySampler(device->handle, motion->sampler, NULL);
    vkDestroyDescriptorPool(device->handle, motion->pool, NULL);
    *motion = (DrawMotion){.set = VK_NULL_HANDLE};
}
