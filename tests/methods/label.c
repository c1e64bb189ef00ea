#include "label.h"

#include <string.h>

/* What of it is not used, and its warnings, stay here. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_easy_font.h>

#define UNIT        2 /* pixels a unit of the font, whose lines are 12 high */
#define QUADS_BYTES 65536

typedef struct Corner {
    float x, y, z;
    unsigned char colour[4];
} Corner;

uint32_t labelWidth(const char *text) {
    return UNIT * (uint32_t)stb_easy_font_width((char *)text);
}

static void fill(Picture *picture, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
    static const uint8_t ink[4] = {24, 28, 36, 255};
    for (uint32_t y = top; y < bottom && y < picture->height; y++) {
        for (uint32_t x = left; x < right && x < picture->width; x++) {
            memcpy(&picture->pixels[4 * ((size_t)y * picture->width + x)], ink, sizeof ink);
        }
    }
}

/* The letters are rectangles, four corners each: the first and the third are opposite. */
void labelDraw(Picture *picture, uint32_t x, uint32_t y, const char *text) {
    static Corner corners[QUADS_BYTES / sizeof(Corner)];
    int count = stb_easy_font_print(0, 0, (char *)text, NULL, corners, sizeof corners);
    for (int i = 0; i < count; i++) {
        const Corner *low = &corners[4 * i], *high = &corners[4 * i + 2];
        fill(picture, x + UNIT * (uint32_t)low->x, y + UNIT * (uint32_t)low->y, x + UNIT * (uint32_t)high->x,
             y + UNIT * (uint32_t)high->y);
    }
}
