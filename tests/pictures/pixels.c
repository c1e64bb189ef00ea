/*
 * pixels.c: prints the upper left pixel of a PNG file, the box of the pixels that differ from it, and how many pixels are
 * neither clear nor opaque, with the largest difference of a channel between them and the middle of the picture. With a
 * sheet, its number of columns and more files: how many of these are in it, row by row from the upper left.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

typedef struct Sheet {
    uint8_t *pixels;
    int width, height, columns;
} Sheet;

/* Whether cell number `index` of the sheet is the picture of that file, and the sheet has whole cells of its size. */
static bool isCell(const Sheet *sheet, int index, const char *path) {
    int width = 0, height = 0, channels = 0;
    uint8_t *cell = stbi_load(path, &width, &height, &channels, 4);
    bool same =
        cell && sheet->width == sheet->columns * width && (index / sheet->columns + 1) * height <= sheet->height;
    for (int y = 0; y < height && same; y++) {
        const size_t row = (size_t)(index / sheet->columns * height + y) * (size_t)sheet->width;
        const uint8_t *part = sheet->pixels + 4 * (row + (size_t)(index % sheet->columns * width));
        same = memcmp(part, cell + 4 * (size_t)y * (size_t)width, 4 * (size_t)width) == 0;
    }
    stbi_image_free(cell);
    return same;
}

static int compareCells(int count, char **texts) {
    int channels = 0, same = 0;
    Sheet sheet = {.columns = atoi(texts[2])}; /* NOLINT(cert-err34-c): of a test */
    sheet.pixels = stbi_load(texts[1], &sheet.width, &sheet.height, &channels, 4);
    for (int i = 0; i < count - 3 && sheet.pixels && sheet.columns > 0; i++) {
        same += isCell(&sheet, i, texts[3 + i]);
    }
    stbi_image_free(sheet.pixels);
    printf("%d of %d\n", same, count - 3);
    return 0;
}

int main(int count, char **texts) {
    if (count > 3) {
        return compareCells(count, texts);
    }
    int width = 0, height = 0, channels = 0;
    uint8_t *pixels = count == 2 ? stbi_load(texts[1], &width, &height, &channels, 4) : NULL;
    if (!pixels) {
        fputs("usage: pixels FILE.png [COLUMNS CELL.png...]\n", stderr);
        return 1;
    }
    const uint8_t *middle = pixels + 4 * ((size_t)(height / 2) * (size_t)width + (size_t)width / 2);
    int low[2] = {width, height}, high[2] = {-1, -1}, partial = 0, off = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const uint8_t *pixel = pixels + 4 * ((size_t)y * (size_t)width + (size_t)x);
            bool mixed = pixel[3] >= 32 && pixel[3] < 255; /* below, eight bits hold little of the colour */
            partial += pixel[3] > 0 && pixel[3] < 255;
            for (int channel = 0; channel < 3 && mixed; channel++) {
                int difference = abs(pixel[channel] - middle[channel]);
                off = difference > off ? difference : off;
            }
            if (memcmp(pixel, pixels, 4) != 0) {
                low[0] = x < low[0] ? x : low[0];
                low[1] = y < low[1] ? y : low[1];
                high[0] = x > high[0] ? x : high[0];
                high[1] = y > high[1] ? y : high[1];
            }
        }
    }
    printf("%02x%02x%02x%02x", pixels[0], pixels[1], pixels[2], pixels[3]);
    if (high[0] < 0) {
        puts(", nothing else");
    } else {
        printf(", %d to %d x %d to %d, %d partial, %d off\n", low[0], high[0], low[1], high[1], partial, off);
    }
    stbi_image_free(pixels);
    return 0;
}
