/* animation.h: an animated picture from several ones: WebP, lossless, repeated without end. */
#ifndef ENGINE_ANIMATION_H
#define ENGINE_ANIMATION_H

#include <stddef.h>
#include <stdint.h>

#include "engine_error.h"

typedef struct Animation Animation;

#define ANIMATION_SIDE_MAX 16383 /* pixels */

/* Null on failure. */
Animation *animationCreate(uint32_t width, uint32_t height, EngineError *error);

/* pixels: [height][width][4], sRGB with straight alpha. from: milliseconds, not before that of the last picture. */
bool animationAdd(Animation *animation, const uint8_t *pixels, int from, EngineError *error);

/* end: milliseconds, when the last picture ends. *bytes: the file, for free(). */
bool animationFinish(Animation *animation, int end, uint8_t **bytes, size_t *size, EngineError *error);

/* Null is allowed. */
void animationFree(Animation *animation);

/* The last bytes of the files: a chunk that readers skip. */
#define ANIMATION_SIGN_SIZE 14
extern const char ANIMATION_SIGN[ANIMATION_SIGN_SIZE];

#endif
