#include "picture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "png_encoder.h"

static void recordCopy(VkCommandBuffer commandBuffer, const Target *target, const Buffer *buffer) {
    /* The pass that drew it made it readable for transfers; the device is idle since. */
    VkBufferImageCopy region = {.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
                                .imageExtent = {target->width, target->height, 1}};
    vkCmdCopyImageToBuffer(commandBuffer, target->resolve.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           buffer->handle, 1, &region);
    VkMemoryBarrier2 toHost = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                               .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                               .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                               .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                               .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT};
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &toHost};
    vkCmdPipelineBarrier2(commandBuffer, &dependency);
}

bool pictureRead(Device *device, const Target *target, Picture *picture, EngineError *error) {
    memset(picture, 0, sizeof(*picture));
    size_t size = (size_t)target->width * target->height * 4;
    Buffer buffer;
    if (!deviceWait(device, error) || !bufferCreate(device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK,
                                                    "picture", &buffer, error)) {
        return false;
    }
    VkCommandBuffer commandBuffer = immediateBegin(device, error);
    if (commandBuffer) {
        recordCopy(commandBuffer, target, &buffer);
    }
    bool read = commandBuffer && immediateEnd(device, commandBuffer, error);
    if (read) {
        picture->pixels = malloc(size);
        read = picture->pixels || engineFail(error, "out of memory");
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

typedef struct PngFile {
    FILE *file;
    int failure; /* errno of the first failed write */
} PngFile;

static void writeBytes(void *user, const void *bytes, size_t size) {
    PngFile *png = user;
    if (!png->failure && fwrite(bytes, 1, size, png->file) != size) {
        png->failure = errno ? errno : EIO;
    }
}

/* 0, or the errno of what failed. */
static int writePng(const Picture *picture, FILE *file) {
    PngFile png = {.file = file};
    bool encoded = pngEncode(picture->width, picture->height, picture->pixels, writeBytes, &png);
    int closed = fclose(file) == 0 ? 0 : errno;
    return png.failure ? png.failure : !encoded ? ENOMEM : closed;
}

/* Creates a file that must not exist yet. Null: errno says why. */
static FILE *createFile(const char *path) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0) {
        return NULL;
    }
    FILE *file = fdopen(descriptor, "wb");
    if (!file) {
        close(descriptor);
        unlink(path);
    }
    return file;
}

bool pictureWrite(const Picture *picture, const char *path, EngineError *error) {
    char temporary[4096];
    int length = snprintf(temporary, sizeof(temporary), "%s.%ld.part", path, (long)getpid());
    if (length >= (int)sizeof(temporary)) {
        return engineFail(error, "%.300s: %s", path, strerror(ENAMETOOLONG));
    }
    FILE *file = createFile(temporary);
    if (!file) {
        return engineFail(error, "%.300s: %s", path, strerror(errno));
    }
    int failure = writePng(picture, file);
    if (failure == 0 && rename(temporary, path) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        unlink(temporary);
        return engineFail(error, "%.300s: %s", path, strerror(failure));
    }
    return true;
}
