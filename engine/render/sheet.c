#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_easy_font.h>
#pragma GCC diagnostic pop

#define GREY        208u
#define FONT_LINE   12u  /* pixels of a line of stb_easy_font, at scale 1 */
#define SCALE_WIDTH 240u /* tile width for each step of the scale */
#define MARGIN      4u   /* margin of a text, at scale 1 */
#define QUADS_BYTES 65536

static uint32_t scaleOf(uint32_t width) {
    return width < 2 * SCALE_WIDTH ? 1 : width / SCALE_WIDTH;
}

bool sheetCreate(Sheet *sheet, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height, uint32_t lines,
                 EngineError *error) {
    *sheet = (Sheet){.columns = columns, .width = width, .height = height};
    sheet->textHeight = lines > 0 ? (lines * FONT_LINE + 2 * MARGIN) * scaleOf(width) : 0;
    sheet->picture.width = columns * width;
    sheet->picture.height = rows * (height + sheet->textHeight);
    const size_t bytes = 4 * (size_t)sheet->picture.width * sheet->picture.height;
    sheet->picture.pixels = calloc(bytes, 1);
    if (sheet->picture.pixels == NULL) {
        return engineFail(error, "out of memory");
    }
    memset(sheet->picture.pixels, lines > 0 ? 255 : 0, bytes);
    return true;
}

void sheetFree(Sheet *sheet) {
    pictureFree(&sheet->picture);
    *sheet = (Sheet){0};
}

/* The upper left pixel of a tile. */
static uint8_t *tileAt(const Sheet *sheet, uint32_t index) {
    const size_t y = (size_t)(index / sheet->columns) * (sheet->height + sheet->textHeight);
    const size_t x = (size_t)(index % sheet->columns) * sheet->width;
    return sheet->picture.pixels + 4 * (y * sheet->picture.width + x);
}

void sheetPut(Sheet *sheet, uint32_t index, const Picture *picture) {
    const size_t stride = 4 * (size_t)sheet->picture.width, row = 4 * (size_t)sheet->width;
    uint8_t *to = tileAt(sheet, index);
    for (uint32_t y = 0; y < sheet->height; y++) {
        memcpy(to + y * stride, picture->pixels + y * row, row);
    }
}

static void blendPixel(uint8_t to[4], const uint8_t from[4]) {
    for (int channel = 0; channel < 3; channel++) {
        to[channel] = (uint8_t)((from[channel] * from[3] + GREY * (255u - from[3]) + 127u) / 255u);
    }
    to[3] = 255;
}

void sheetPutOver(Sheet *sheet, uint32_t index, const Picture *picture) {
    static const uint8_t nothing[4];
    for (uint32_t y = 0; y < sheet->height; y++) {
        uint8_t *to = tileAt(sheet, index) + 4 * (size_t)y * sheet->picture.width;
        const uint8_t *from = picture ? picture->pixels + 4 * (size_t)y * sheet->width : NULL;
        for (uint32_t x = 0; x < sheet->width; x++) {
            blendPixel(to + 4 * (size_t)x, from ? from + 4 * (size_t)x : nothing);
        }
    }
}

/* ---- Text ---- */

/* Breaks lines between words so that none is wider than `width` pixels at scale 1. */
static void breakLines(char *text, uint32_t width) {
    char *line = text, *blank = NULL;
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\n') {
            line = at + 1;
            blank = NULL;
            continue;
        }
        const char next = at[1];
        at[1] = '\0';
        const bool fits = (uint32_t)stb_easy_font_width(line) <= width;
        at[1] = next;
        if (!fits && blank != NULL) {
            *blank = '\n';
            line = blank + 1;
            blank = NULL;
        }
        blank = *at == ' ' ? at : blank;
    }
}

/* A corner of a quad, as stb_easy_font writes it. */
typedef struct Corner {
    float x, y, z;
    uint8_t colour[4];
} Corner;

/* The region of a tile that a text may use. */
typedef struct TextRegion {
    uint8_t *pixels;
    uint32_t width, height, stride, scale;
} TextRegion;

static void fillQuad(const TextRegion *region, const Corner corners[4]) {
    const uint32_t scale = region->scale;
    for (uint32_t y = (uint32_t)corners[0].y * scale; y < (uint32_t)corners[2].y * scale && y < region->height; y++) {
        for (uint32_t x = (uint32_t)corners[0].x * scale; x < (uint32_t)corners[2].x * scale && x < region->width;
             x++) {
            static const uint8_t black[4] = {0, 0, 0, 255};
            memcpy(region->pixels + 4 * ((size_t)y * region->stride + x), black, sizeof black);
        }
    }
}

void sheetWrite(Sheet *sheet, uint32_t index, bool inside, const char *text) {
    const uint32_t scale = scaleOf(sheet->width), margin = MARGIN * scale;
    const uint32_t top = inside ? margin : sheet->height + margin;
    const uint32_t height = inside ? sheet->height : sheet->textHeight;
    static _Thread_local Corner corners[QUADS_BYTES / sizeof(Corner)];
    char copy[SHEET_TEXT_SIZE];
    if (height < 2 * margin || sheet->width < 2 * margin) {
        return;
    }
    const TextRegion region = {
        .pixels = tileAt(sheet, index) + 4 * ((size_t)top * sheet->picture.width + margin),
        .width = sheet->width - 2 * margin,
        .height = height - 2 * margin,
        .stride = sheet->picture.width,
        .scale = scale,
    };
    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; *at != '\0'; at++) {
        if ((*at < ' ' || *at > '~') && *at != '\n') {
            *at = '?';
        }
    }
    breakLines(copy, region.width / scale);
    const int quads = stb_easy_font_print(0.0f, 0.0f, copy, NULL, corners, (int)sizeof corners);
    for (int i = 0; i < quads; i++) {
        fillQuad(&region, corners + 4 * (size_t)i);
    }
}
