/*
 * picture.h: reads a target back and writes it as PNG.
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

/* Writes a PNG under a temporary name beside `path`, then renames it: on failure nothing is left and an older file
 * stays as it was. The message is "PATH: what is wrong". */
bool pictureWrite(const Picture *picture, const char *path, EngineError *error);

#endif
