/*
 * glyphs.h: distance fields of the letters of DejaVu Sans, whose file is a part of the program.
 *
 * A texel of a field is GLYPH_EDGE on the outline and grows inwards, by GLYPH_STEPS for the side of a texel, up to
 * GLYPH_RANGE texels from the outline. Thresholds give sharp letters of any size and weight.
 */
#ifndef ENGINE_GLYPHS_H
#define ENGINE_GLYPHS_H

#include "engine_error.h"
#include "raster/raster_layout.h"

#define GLYPH_HEIGHT 32 /* texels of a line: from the font's ascent to its descent */
#define GLYPH_RANGE  RASTER_GLYPH_RANGE
#define GLYPH_EDGE   RASTER_GLYPH_EDGE
#define GLYPH_STEPS  (127.0f / GLYPH_RANGE)

#define GLYPH_UNKNOWN 0xFFFDu /* shown for characters without a glyph */

/* In texels. */
typedef struct Glyph {
    uint32_t code; /* Unicode */
    float advance;
    int width, height; /* size of the field, which has GLYPH_RANGE texels around the outline */
    int left, top;     /* from the pen on the line's upper edge to the upper left texel; y down */
    uint8_t *texels;   /* [height][width]; null: blank */
} Glyph;

/* The font file. Static. */
const void *glyphsFont(size_t *size);

/*
 * Makes the glyphs of Latin, Greek and Cyrillic letters, punctuation, arrows, simple shapes and GLYPH_UNKNOWN, on all processors.
 * [*count], by code. Null on failure.
 */
Glyph *glyphsCreate(uint32_t *count, EngineError *error);

/* Null is allowed. */
void glyphsFree(Glyph *glyphs, uint32_t count);

#endif
