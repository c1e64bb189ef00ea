/*
 * picture.h: reads a target back. png_encoder.h makes a file of it.
 */
#ifndef ENGINE_PICTURE_H
#define ENGINE_PICTURE_H

#include "target.h"

typedef struct Picture {
    uint32_t width, height;
    uint8_t *pixels; /* [height][width][4], sRGB, upper row first, alpha 255 */
} Picture;

/* Waits for the device. Reads target->resolve, which drawing left in TRANSFER_SRC_OPTIMAL. On failure *picture is
 * zero. */
bool pictureRead(Device *device, const Target *target, Picture *picture, EngineError *error);

/* A zero one is allowed. */
void pictureFree(Picture *picture);

#endif
