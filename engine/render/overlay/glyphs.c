#include "glyphs.h"

#include <math.h>
#include <stdlib.h>

#include <stb/stb_truetype.h>

#include "count_of.h"
#include "parallel.h"

/* The build names the font file. A list of its bytes in C would compile for seconds. */
__asm__(".section .rodata\n"
        ".balign 8\n"
        ".hidden glyphsFontSize, glyphsFontBytes\n"
        ".globl glyphsFontSize, glyphsFontBytes\n"
        "glyphsFontSize: .quad 1f - glyphsFontBytes\n"
        "glyphsFontBytes: .incbin \"" GLYPHS_FONT_FILE "\"\n"
        "1:\n"
        ".previous\n");
extern const uint64_t glyphsFontSize;
extern const uint8_t glyphsFontBytes[];

/* First and last codes. */
static const uint16_t RANGES[][2] = {
    {0x20, 0x7E},
    {0xA0, 0x24F},
    {0x300, 0x36F},
    {0x370, 0x3FF},
    {0x400, 0x52F},
    {0x2010, 0x2026},
    {0x2190, 0x2199},
    {0x25A0, 0x25CF},
    {0x26A0, 0x26A0},
    {0x2713, 0x2713},
    {GLYPH_UNKNOWN, GLYPH_UNKNOWN},
};

typedef struct GlyphJob {
    stbtt_fontinfo font;
    float scale;  /* texels of a unit of the font */
    int baseline; /* texels below the line's upper edge */
    Glyph *glyphs;
} GlyphJob;

const void *glyphsFont(size_t *size) {
    *size = (size_t)glyphsFontSize;
    return glyphsFontBytes;
}

static void makeGlyph(void *taskData, uint32_t task) {
    const GlyphJob *job = taskData;
    Glyph *glyph = &job->glyphs[task];
    const int index = stbtt_FindGlyphIndex(&job->font, (int)glyph->code);
    int advance;
    stbtt_GetGlyphHMetrics(&job->font, index, &advance, NULL);
    glyph->advance = (float)advance * job->scale;
    glyph->texels = stbtt_GetGlyphSDF(&job->font, job->scale, index, GLYPH_RANGE, GLYPH_EDGE, GLYPH_STEPS,
                                      &glyph->width, &glyph->height, &glyph->left, &glyph->top);
    glyph->top += job->baseline;
}

/* Notes the codes of the glyphs that the font has, unless `glyphs` is null. Returns how many there are. */
static uint32_t listCodes(const stbtt_fontinfo *font, Glyph *glyphs) {
    uint32_t count = 0;
    for (size_t range = 0; range < COUNT_OF(RANGES); range++) {
        for (uint32_t code = RANGES[range][0]; code <= RANGES[range][1]; code++) {
            const bool has = stbtt_FindGlyphIndex(font, (int)code) != 0;
            if (has && glyphs) {
                glyphs[count].code = code;
            }
            count += has;
        }
    }
    return count;
}

Glyph *glyphsCreate(uint32_t *count, EngineError *error) {
    GlyphJob job = {.scale = 0.0f};
    int ascent;
    if (!stbtt_InitFont(&job.font, glyphsFontBytes, 0)) {
        engineFail(error, "the program's font cannot be read");
        return NULL;
    }
    *count = listCodes(&job.font, NULL);
    job.glyphs = engineAllocate(*count, sizeof *job.glyphs, error);
    if (!job.glyphs) {
        return NULL;
    }
    listCodes(&job.font, job.glyphs);
    stbtt_GetFontVMetrics(&job.font, &ascent, NULL, NULL);
    job.scale = stbtt_ScaleForPixelHeight(&job.font, GLYPH_HEIGHT);
    job.baseline = (int)ceilf((float)ascent * job.scale);
    parallelFor(NULL, *count, makeGlyph, &job);
    return job.glyphs;
}

void glyphsFree(Glyph *glyphs, uint32_t count) {
    for (uint32_t i = 0; i < count && glyphs; i++) {
        stbtt_FreeSDF(glyphs[i].texels, NULL);
    }
    free(glyphs);
}
