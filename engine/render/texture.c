/* imageCreateTexture: an upload and a chain of blits. */
#include <string.h>

#include "resources.h"

static uint32_t mipLevelCount(uint32_t width, uint32_t height) {
    uint32_t levels = 1;
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2) {
        levels++;
    }
    return levels;
}

static VkOffset3D levelSize(const Image *image, uint32_t level) {
    uint32_t width = image->width >> level;
    uint32_t height = image->height >> level;
    return (VkOffset3D){width ? (int32_t)width : 1, height ? (int32_t)height : 1, 1};
}

static void recordFirstLevel(VkCommandBuffer commandBuffer, const Image *image, const Buffer *staging) {
    imageBarrier(commandBuffer, &(ImageBarrier){.image = image->handle,
                                                .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                                .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                                .dstStages = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                                                .dstAccess = VK_ACCESS_2_TRANSFER_WRITE_BIT});
    VkBufferImageCopy region = {.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
                                .imageExtent = {image->width, image->height, 1}};
    vkCmdCopyBufferToImage(commandBuffer, staging->handle, image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                           &region);
}

/* Level `level` becomes readable, by the next blit or, the last one, by nobody but the final barrier. */
static void recordReadable(VkCommandBuffer commandBuffer, const Image *image, uint32_t level) {
    imageBarrier(commandBuffer, &(ImageBarrier){.image = image->handle,
                                                .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                                .mipLevel = level,
                                                .mipCount = 1,
                                                .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                                .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                                .srcStages = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                                                .srcAccess = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                                .dstStages = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                                                .dstAccess = VK_ACCESS_2_TRANSFER_READ_BIT});
}

static void recordMips(VkCommandBuffer commandBuffer, const Image *image) {
    for (uint32_t level = 0; level < image->mipLevels; level++) {
        recordReadable(commandBuffer, image, level);
        if (level + 1 == image->mipLevels) {
            break;
        }
        VkImageBlit blit = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                            .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level + 1, 0, 1}};
        blit.srcOffsets[1] = levelSize(image, level);
        blit.dstOffsets[1] = levelSize(image, level + 1);
        vkCmdBlitImage(commandBuffer, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image->handle,
                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_LINEAR);
    }
    imageBarrier(commandBuffer, &(ImageBarrier){.image = image->handle,
                                                .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                                .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                                .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                                                .srcStages = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                                                .dstStages = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                                .dstAccess = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT});
}

static bool fill(Device *device, const uint8_t *pixels, Image *image, EngineError *error) {
    VkDeviceSize size = (VkDeviceSize)image->width * image->height * 4;
    Buffer staging;
    if (!bufferCreate(device, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, BUFFER_UPLOAD, "staging", &staging, error)) {
        return false;
    }
    memcpy(staging.mapped, pixels, (size_t)size);
    VkCommandBuffer commandBuffer = immediateBegin(device, error);
    if (commandBuffer) {
        recordFirstLevel(commandBuffer, image, &staging);
        recordMips(commandBuffer, image);
    }
    bool filled = commandBuffer && immediateEnd(device, commandBuffer, error);
    bufferDestroy(device, &staging);
    return filled;
}

bool imageCreateTexture(Device *device, const uint8_t *pixels, uint32_t width, uint32_t height, const char *name,
                        Image *image, EngineError *error) {
    ImageDef def = {.width = width,
                    .height = height,
                    .format = VK_FORMAT_R8G8B8A8_SRGB,
                    .usage =
                        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                    .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                    .mipLevels = mipLevelCount(width, height),
                    .name = name};
    if (!imageCreate(device, &def, image, error)) {
        return false;
    }
    if (!fill(device, pixels, image, error)) {
        imageDestroy(device, image);
        return false;
    }
    return true;
}
