#include "picture.h"

#include <stdlib.h>
#include <string.h>

static void recordCopy(VkCommandBuffer commandBuffer, const Target *target, const Buffer *buffer) {
    /* The pass that drew it made it readable for transfers; the device is idle since. */
    VkBufferImageCopy region = {.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
                                .imageExtent = {target->width, target->height, 1}};
    vkCmdCopyImageToBuffer(commandBuffer, target->resolve.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer->handle,
                           1, &region);
    copyToHostBarrier(commandBuffer);
}

bool pictureRead(Device *device, const Target *target, Picture *picture, EngineError *error) {
    memset(picture, 0, sizeof(*picture));
    size_t size = (size_t)target->width * target->height * 4;
    Buffer buffer;
    if (!deviceWait(device, error) ||
        !bufferCreate(device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "picture", &buffer, error)) {
        return false;
    }
    VkCommandBuffer commandBuffer = immediateBegin(device, error);
    if (commandBuffer) {
        recordCopy(commandBuffer, target, &buffer);
    }
    bool read = commandBuffer && immediateEnd(device, commandBuffer, error);
    if (read) {
        picture->pixels = malloc(size);
        read = picture->pixels != NULL;
        if (!read) {
            engineFail(error, "out of memory");
        }
    }
    if (read) {
        memcpy(picture->pixels, buffer.mapped, size);
        for (size_t i = 3; i < size; i += 4) {
            picture->pixels[i] = 255;
        }
        picture->width = target->width;
        picture->height = target->height;
    }
    bufferDestroy(device, &buffer);
    return read;
}

void pictureFree(Picture *picture) {
    free(picture->pixels);
    memset(picture, 0, sizeof(*picture));
}
