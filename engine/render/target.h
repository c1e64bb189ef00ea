/*
 * target.h: the images that a frame is drawn into: multisampled colour, depth, and the image that colour resolves into,
 * which is the target's own (offscreen) or belongs to a swapchain. Also pictures: targets read back, and PNG files.
 */
#ifndef ENGINE_TARGET_H
#define ENGINE_TARGET_H

#include "resources.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TARGET_OFFSCREEN_FORMAT VK_FORMAT_R8G8B8A8_SRGB

typedef struct TargetDef {
    uint32_t width, height; /* pixels, above 0 */
    VkFormat colourFormat;  /* of the image resolved into; the shaders write linear colour where it is sRGB, and
                                encode it themselves where it is not */
    bool offscreen;         /* make that image too */
} TargetDef;

typedef struct Target {
    uint32_t width, height;
    VkFormat colourFormat;
    VkFormat depthFormat;
    VkSampleCountFlagBits samples; /* 4 where the device has it for both, else 1 */
    Image colour;                  /* multisampled; zero when samples is 1 */
    Image depth;
    Image resolve; /* offscreen only, else zero; TRANSFER_SRC allowed */
} Target;

/* The image that a frame ends up in. */
typedef struct TargetImage {
    VkImage image;
    VkImageView view;
    VkImageLayout finalLayout; /* that drawing leaves it in: PRESENT_SRC_KHR, or TRANSFER_SRC_OPTIMAL for reading */
} TargetImage;

/* On failure *target is zero. */
bool targetCreate(Device *device, const TargetDef *def, Target *target, EngineError *error);

/* The device no longer uses it. A zero one is allowed. */
void targetDestroy(Device *device, Target *target);

/* The offscreen image, to be left for reading (picture.h). */
TargetImage targetOffscreenImage(const Target *target);

/* Sample count (of this device) and depth format that targets get: pipelines are made for them. */
VkSampleCountFlagBits targetSamples(const Device *device);
VkFormat targetDepthFormat(void);

typedef struct Picture {
    uint32_t width, height;
    uint8_t *pixels; /* [height][width][4], sRGB, upper row first, alpha 255 */
} Picture;

/* Waits for the device. Reads target->resolve, which drawing left in TRANSFER_SRC_OPTIMAL. On failure *picture is
 * zero. */
bool pictureRead(Device *device, const Target *target, Picture *picture, EngineError *error);

/* A zero one is allowed. */
void pictureFree(Picture *picture);

typedef void (*PngWriteFn)(void *user, const void *bytes, size_t size);

/* pixels: [height][width][4]. Calls `write` with the file's bytes. False when memory is out. */
bool pngEncode(uint32_t width, uint32_t height, const uint8_t *pixels, PngWriteFn write, void *user);

#endif
