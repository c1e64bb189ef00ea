/*
 * likeness.h: how alike two pictures are, over the pixels that something covers.
 */
#ifndef ENGINE_LIKENESS_H
#define ENGINE_LIKENESS_H

#include "target.h"

#define LIKENESS_EQUAL 100.0 /* decibels of equal pictures, and the largest value that is returned */

typedef struct Likeness {
    double decibels;  /* peak signal-to-noise ratio of the covered pixels: 10 log10(255^2 / mean squared difference) */
    uint64_t covered; /* pixels; 0: decibels is 0 */
    uint64_t different; /* covered pixels that differ */
    uint32_t largest;   /* difference of a channel, 0 to 255 */
} Likeness;

/*
 * Compares red, green and blue, times alpha, where a cover has an alpha above 0. covers: two pictures of what the pictures
 * show, on a transparent background; null: the pictures themselves. Without transparency every pixel is covered. Fails
 * for pictures of different sizes.
 */
bool pictureLikeness(const Picture *a, const Picture *b, const Picture *const covers[2], Likeness *likeness,
                     EngineError *error);

#endif
