#include "target.h"

#include <string.h>

#define DEPTH_FORMAT VK_FORMAT_D32_SFLOAT /* every Vulkan device draws to it */

VkSampleCountFlagBits targetSamples(const Device *device) {
    VkSampleCountFlags both = device->limits.framebufferColorSampleCounts & device->limits.framebufferDepthSampleCounts;
    return (both & VK_SAMPLE_COUNT_4_BIT) ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
}

VkFormat targetDepthFormat(void) {
    return DEPTH_FORMAT;
}

static bool createImages(Device *device, const TargetDef *def, Target *target, EngineError *error) {
    ImageDef depth = {.width = def->width,
                      .height = def->height,
                      .format = target->depthFormat,
                      .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                      .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
                      .samples = target->samples,
                      .name = "target depth"};
    ImageDef colour = {.width = def->width,
                       .height = def->height,
                       .format = target->colourFormat,
                       .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                       .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                       .samples = target->samples,
                       .name = "target colour"};
    ImageDef resolve = colour;
    resolve.samples = VK_SAMPLE_COUNT_1_BIT;
    resolve.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    resolve.name = "target resolve";
    bool multisampled = target->samples != VK_SAMPLE_COUNT_1_BIT;
    return imageCreate(device, &depth, &target->depth, error) &&
           (!multisampled || imageCreate(device, &colour, &target->colour, error)) &&
           (!def->offscreen || imageCreate(device, &resolve, &target->resolve, error));
}

bool targetCreate(Device *device, const TargetDef *def, Target *target, EngineError *error) {
    memset(target, 0, sizeof(*target));
    target->width = def->width;
    target->height = def->height;
    target->colourFormat = def->colourFormat;
    target->depthFormat = targetDepthFormat();
    target->samples = targetSamples(device);
    if (!createImages(device, def, target, error)) {
        EngineError reason = *error;
        engineFail(error, "%.400s, for %u x %u pixels; fewer need less memory", reason.message, def->width,
                   def->height);
        targetDestroy(device, target);
        return false;
    }
    return true;
}

void targetDestroy(Device *device, Target *target) {
    imageDestroy(device, &target->colour);
    imageDestroy(device, &target->depth);
    imageDestroy(device, &target->resolve);
    memset(target, 0, sizeof(*target));
}

TargetImage targetOffscreenImage(const Target *target) {
    return (TargetImage){.image = target->resolve.handle,
                         .view = target->resolve.view,
                         .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
}
