/*
 * label.h: words in a picture.
 */
#ifndef TESTS_LABEL_H
#define TESTS_LABEL_H

#include "target.h"

#define LABEL_HEIGHT 24 /* pixels from the top of a line to the next */

/* How wide a line of ASCII is, in pixels. */
uint32_t labelWidth(const char *text);

/* Writes it in dark letters, its upper left corner at x and y; what lies outside is left out. */
void labelDraw(Picture *picture, uint32_t x, uint32_t y, const char *text);

#endif
