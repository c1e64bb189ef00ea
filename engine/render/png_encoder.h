/*
 * png_encoder.h: a C face for stb_image_write's PNG encoder.
 */
#ifndef ENGINE_PNG_ENCODER_H
#define ENGINE_PNG_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*PngWriteFn)(void *user, const void *bytes, size_t size);

/* pixels: [height][width][4]. Calls `write` with the file's bytes. False when memory is out. */
bool pngEncode(uint32_t width, uint32_t height, const uint8_t *pixels, PngWriteFn write, void *user);

#endif
