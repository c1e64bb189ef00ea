/*
 * colours.h: whether pixels are a picture or a plain area, and how alike two pictures are.
 */
#ifndef TESTS_COLOURS_H
#define TESTS_COLOURS_H

#include <stddef.h>
#include <stdint.h>

/* Different colours among `count` pixels of `stride` bytes, red first; counts no further than 4,096. */
uint32_t coloursCount(const uint8_t *pixels, size_t count, size_t stride);

/* Share of the pixels, 0 to 1, whose red, green or blue differs by more than `tolerance`. */
double coloursDiffer(const uint8_t *a, size_t strideA, const uint8_t *b, size_t strideB, size_t count, int tolerance);

#endif
