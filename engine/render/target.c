#include "target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "programs.h"

VkSampleCountFlagBits targetSamples(const Device *device) {
    VkSampleCountFlags both = device->limits.framebufferColorSampleCounts & device->limits.framebufferDepthSampleCounts;
    return (both & VK_SAMPLE_COUNT_4_BIT) ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
}

static bool createImages(Device *device, const TargetDef *def, Target *target, EngineError *error) {
    ImageDef depth = {.width = def->width,
                      .height = def->height,
                      .format = DEPTH_FORMAT,
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
    resolve.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | (def->sampled ? VK_IMAGE_USAGE_SAMPLED_BIT : 0u);
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
    target->samples = def->sampled ? VK_SAMPLE_COUNT_1_BIT : targetSamples(device);
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
                         .before = IMAGE_COPY_SOURCE,
                         .after = IMAGE_COPY_SOURCE};
}

VkRenderingAttachmentInfo targetColourAttachment(const Target *target, const TargetImage *image) {
    VkRenderingAttachmentInfo colour = passAttachment(image->view, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                      VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE);
    if (target->colour.handle) {
        colour.imageView = target->colour.view;
        colour.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
        colour.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
        colour.resolveImageView = image->view;
        colour.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    }
    return colour;
}

/* ---- Pictures ---- */

void recordPixels(VkCommandBuffer commandBuffer, VkImage image, uint32_t width, uint32_t height, const Buffer *buffer) {
    VkBufferImageCopy region = {.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
                                .imageExtent = {width, height, 1}};
    vkCmdCopyImageToBuffer(commandBuffer, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer->handle, 1, &region);
    copyToHostBarrier(commandBuffer);
}

bool pictureFrom(const Buffer *buffer, uint32_t width, uint32_t height, bool swapped, Picture *picture,
                 EngineError *error) {
    const size_t count = (size_t)width * height;
    const uint8_t *source = buffer->mapped;
    const size_t red = swapped ? 2 : 0;
    uint8_t *pixels = engineAllocate(count, 4, error);
    for (size_t i = 0; i < count && pixels; i++) {
        pixels[4 * i] = source[4 * i + red];
        pixels[4 * i + 1] = source[4 * i + 1];
        pixels[4 * i + 2] = source[4 * i + 2 - red];
        pixels[4 * i + 3] = 255;
    }
    *picture = pixels ? (Picture){.width = width, .height = height, .pixels = pixels} : (Picture){0};
    return pixels != NULL;
}

/* One channel of sRGB divided by alpha, 1 to 255: in linear light, or as it is. */
static uint8_t divideChannel(uint8_t encoded, uint8_t alpha, bool inLight) {
    if (!inLight) {
        const unsigned divided = (encoded * 255u + alpha / 2u) / alpha;
        return (uint8_t)(divided < 255u ? divided : 255u);
    }
    float value = (float)encoded / 255.0f;
    float linear = value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
    linear = fminf(linear * 255.0f / (float)alpha, 1.0f);
    value = linear <= 0.0031308f ? linear * 12.92f : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
    return (uint8_t)(value * 255.0f + 0.5f);
}

/* source: the pixels that *picture was copied from, with the alpha that they are multiplied with. */
static void takeAlpha(const uint8_t *source, bool inLight, Picture *picture) {
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        uint8_t alpha = source[4 * i + 3];
        for (size_t channel = 0; channel < 3 && alpha > 0 && alpha < 255; channel++) {
            picture->pixels[4 * i + channel] = divideChannel(source[4 * i + channel], alpha, inLight);
        }
        picture->pixels[4 * i + 3] = alpha;
    }
}

bool pictureRead(Device *device, const Target *target, bool keepAlpha, Picture *picture, EngineError *error) {
    memset(picture, 0, sizeof(*picture));
    size_t size = (size_t)target->width * target->height * 4;
    Buffer buffer;
    if (!deviceWait(device, error) || !bufferCreateReadback(device, size, "picture", &buffer, error)) {
        return false;
    }
    VkCommandBuffer commandBuffer = immediateBegin(device, error);
    if (commandBuffer) { /* the drawing pass ended with a barrier for transfers, and the device is idle */
        recordPixels(commandBuffer, target->resolve.handle, target->width, target->height, &buffer);
    }
    bool read = commandBuffer && immediateEnd(device, commandBuffer, error) &&
                pictureFrom(&buffer, target->width, target->height, false, picture, error);
    if (read && keepAlpha) {
        takeAlpha(buffer.mapped, target->colourFormat == TARGET_OFFSCREEN_FORMAT, picture);
    }
    bufferDestroy(device, &buffer);
    return read;
}

void pictureFree(Picture *picture) {
    free(picture->pixels);
    memset(picture, 0, sizeof(*picture));
}

/* ---- PNG ---- */

/* Unused functions and warnings of stb are confined to this file. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

typedef struct Sink {
    FILE *file;
    const char *comment;
} Sink;

#define PNG_HEAD 33 /* bytes of the signature and the chunk IHDR */

/* A chunk tEXt, with length and CRC, that names the program. files.c finds it in a file that may be replaced. */
static const char PNG_SIGN[] = "\0\0\0\017tEXtSoftware\0vkskin\301\270\100\031";

static void putBigEndian(unsigned char bytes[4], uint32_t number) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
    }
}

/* A chunk tEXt: length, type, data, and the CRC of the latter two. */
static void writeComment(const Sink *sink) {
    static const char HEAD[] = "tEXtComment"; /* the final zero ends the key */
    unsigned char chunk[4 + sizeof HEAD + PNG_COMMENT_MAX + 4];
    const size_t length = strnlen(sink->comment, PNG_COMMENT_MAX), size = sizeof HEAD + length;
    putBigEndian(chunk, (uint32_t)(size - 4));
    memcpy(chunk + 4, HEAD, sizeof HEAD);
    memcpy(chunk + 4 + sizeof HEAD, sink->comment, length);
    putBigEndian(chunk + 4 + size, stbiw__crc32(chunk + 4, (int)size));
    fwrite(chunk, 1, size + 8, sink->file);
}

/* stb passes the whole picture in one call. */
static void forward(void *context, void *data, int size) {
    Sink *sink = context;
    fwrite(data, 1, PNG_HEAD, sink->file);
    fwrite(PNG_SIGN, 1, sizeof PNG_SIGN - 1, sink->file);
    if (sink->comment) {
        writeComment(sink);
    }
    fwrite((const char *)data + PNG_HEAD, 1, (size_t)size - PNG_HEAD, sink->file);
}

bool pngWrite(uint32_t width, uint32_t height, const uint8_t *pixels, const char *comment, FILE *file) {
    Sink sink = {file, comment};
    return stbi_write_png_to_func(forward, &sink, (int)width, (int)height, 4, pixels, (int)(width * 4)) != 0;
}
