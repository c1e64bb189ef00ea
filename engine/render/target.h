/*
 * target.h: the images that a frame is drawn into: multisampled colour, depth, and the resolve image. The resolve image
 * belongs to the target (offscreen) or to a swapchain. Also reads targets back as pictures and writes PNG files.
 */
#ifndef ENGINE_TARGET_H
#define ENGINE_TARGET_H

#include "resources.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TARGET_OFFSCREEN_FORMAT VK_FORMAT_R8G8B8A8_SRGB
#define DEPTH_FORMAT            VK_FORMAT_D32_SFLOAT /* supported by every Vulkan device */

typedef struct TargetDef {
    uint32_t width, height; /* pixels, above 0 */
    VkFormat colourFormat;  /* format of the resolve image; if it is not sRGB, the shaders encode colours themselves */
    bool offscreen;         /* make the resolve image too */
    bool sampled;           /* it is for fragment shaders too; without multisampling */
} TargetDef;

typedef struct Target {
    uint32_t width, height;
    VkFormat colourFormat;
    VkSampleCountFlagBits samples; /* 4 if colour and depth support it and it is not `sampled`, else 1 */
    Image colour;                  /* multisampled; zero if samples is 1 */
    Image depth;
    Image resolve; /* offscreen only, else zero; TRANSFER_SRC allowed */
} Target;

/* The image that holds the finished frame. */
typedef struct TargetImage {
    VkImage image;
    VkImageView view;
    ImageUse before, after; /* uses before and after the drawing: IMAGE_PRESENTED, or IMAGE_COPY_SOURCE for reading */
} TargetImage;

/* On failure *target is zero. */
bool targetCreate(Device *device, const TargetDef *def, Target *target, EngineError *error);

/* The device must no longer use it. A zero target is allowed. */
void targetDestroy(Device *device, Target *target);

/* The offscreen image, in the layout that pictureRead needs. */
TargetImage targetOffscreenImage(const Target *target);

/* The attachment that draws into the image, cleared first, through the multisampled colour if there is one. */
VkRenderingAttachmentInfo targetColourAttachment(const Target *target, const TargetImage *image);

/* Sample count of all targets on this device that are not `sampled`. Pipelines need it. */
VkSampleCountFlagBits targetSamples(const Device *device);

typedef struct Picture {
    uint32_t width, height;
    uint8_t *pixels; /* [height][width][4], sRGB, upper row first; alpha is 255 or, if it was kept, not premultiplied */
    bool timed;      /* `seconds` is known */
    double seconds;  /* the time in the clip that it shows */
} Picture;

/* Records a copy of an image of 4 bytes a pixel, in TRANSFER_SRC_OPTIMAL, that the host can read after the fence. */
void recordPixels(VkCommandBuffer commandBuffer, VkImage image, uint32_t width, uint32_t height, const Buffer *buffer);

/*
 * Copies the pixels that recordPixels recorded, after the fence, with alpha 255. swapped: blue comes first. On failure *picture is
 * zero.
 */
bool pictureFrom(const Buffer *buffer, uint32_t width, uint32_t height, bool swapped, Picture *picture,
                 EngineError *error);

/*
 * Waits for the device, then reads target->resolve, which must be in TRANSFER_SRC_OPTIMAL. keepAlpha: the target's alpha,
 * with which its colours are multiplied: linear ones, if the format is TARGET_OFFSCREEN_FORMAT. On failure *picture is zero.
 */
bool pictureRead(Device *device, const Target *target, bool keepAlpha, Picture *picture, EngineError *error);

/* A zero picture is allowed. */
void pictureFree(Picture *picture);

/* pixels: [height][width][4]. comment: Latin-1, at most PNG_COMMENT_MAX bytes, or null. False: out of memory. The file keeps
 * a failed write: see ferror. */
bool pngWrite(uint32_t width, uint32_t height, const uint8_t *pixels, const char *comment, FILE *file);
#define PNG_COMMENT_MAX 64

#endif
