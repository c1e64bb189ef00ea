#include "fuzz_palette.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "random.h"

#define ALIGNMENT 16u

/* ---- Entries ---- */

static float wildFloat(Random *random) {
    static const float values[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e30f, 1e-30f, 1e-41f, 0.0f, -0.0f};
    uint32_t choice = randomBelow(random, sizeof values / sizeof values[0] + 2);
    if (choice < sizeof values / sizeof values[0]) {
        return values[choice];
    }
    uint32_t word = randomWord(random);
    float any;
    memcpy(&any, &word, sizeof any);
    return any;
}

static void writeWild(Random *random, float *entry, uint32_t floats) {
    float same = wildFloat(random);
    bool alike = randomBelow(random, 2) == 0;
    for (uint32_t i = 0; i < floats; i++) {
        entry[i] = alike ? same : wildFloat(random);
    }
}

/* In the plane where the encoding is a flat one. */
static ReferenceMatrix anyBone(Random *random, VkskinPaletteEncoding encoding) {
    VkskinAffine affine = randomBone(random, 1.0f, true);
    ReferenceMatrix bone = referenceFromAffine(&affine);
    if (encoding == VKSKIN_PALETTE_MAT2X3) {
        const ReferenceMatrix flat = {{{bone.m[0][0], bone.m[0][1], 0, bone.m[0][3]},
                                       {bone.m[1][0], bone.m[1][1], 0, bone.m[1][3]},
                                       {0, 0, 1, 0}}};
        return flat;
    }
    return bone;
}

#define DISTINCT 61u /* bones of a palette: a large one would take long to work out; not a divisor of anything */

static void writeSane(Random *random, FuzzPalette *palette, uint32_t bone, char *data) {
    VkskinPaletteEncoding encoding = palette->handle.encoding;
    uint32_t stride = vkskinPaletteStride(encoding);
    char *entry = data + (size_t)bone * stride;
    if (bone >= DISTINCT && !palette->wild[bone % DISTINCT]) {
        palette->bones[bone] = palette->bones[bone % DISTINCT];
        memcpy(entry, data + (size_t)(bone % DISTINCT) * stride, stride);
        return;
    }
    ReferenceMatrix made = anyBone(random, encoding);
    paletteEntry(encoding, &made, randomBelow(random, 2) == 0, entry);
    palette->bones[bone] = paletteEntryMatrix(encoding, entry);
}

/* Made apart and copied: what the library gives is only written. */
static void fillPalette(Random *random, FuzzPalette *palette, void *data) {
    uint32_t stride = vkskinPaletteStride(palette->handle.encoding);
    uint32_t wildOfTen = (const uint32_t[]){0, 0, 3, 3, 10}[randomBelow(random, 5)];
    char *entries = calloc(palette->handle.boneCount, stride);
    palette->bones = calloc(palette->handle.boneCount, sizeof *palette->bones);
    palette->wild = calloc(palette->handle.boneCount, sizeof *palette->wild);
    assert_true(entries != NULL && palette->bones != NULL && palette->wild != NULL);
    for (uint32_t b = 0; b < palette->handle.boneCount; b++) {
        palette->wild[b] = randomBelow(random, 10) < wildOfTen;
        if (palette->wild[b]) {
            writeWild(random, (float *)(void *)(entries + (size_t)b * stride), stride / sizeof(float));
        } else {
            writeSane(random, palette, b, entries);
        }
    }
    memcpy(data, entries, (size_t)palette->handle.boneCount * stride);
    free(entries);
}

/* ---- Places ---- */

static void noteTaken(FuzzRing *ring, const VkskinPalette *palette) {
    VkDeviceSize size = (VkDeviceSize)vkskinPaletteStride(palette->encoding) * palette->boneCount;
    ring->page = palette->page;
    ring->used = palette->offset + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static VkDeviceSize roomOfPage(const FuzzRing *ring) {
    VkDeviceSize before = ring->page * ring->pageSize;
    VkDeviceSize size = ring->size - before < ring->pageSize ? ring->size - before : ring->pageSize;
    return (size - ring->used) / ALIGNMENT * ALIGNMENT;
}

/* A palette of 16 bytes a bone fills any gap before one of so many bytes. */
static void skipToEnd(Gpu *gpu, VkskinContext context, FuzzRing *ring, VkDeviceSize size) {
    VkDeviceSize room = roomOfPage(ring);
    VkDeviceSize taken = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    VkskinPalette palette;
    void *data;
    if (room > taken) {
        uint32_t bones = (uint32_t)((room - taken) / vkskinPaletteStride(VKSKIN_PALETTE_QUATERNION_HALF));
        GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_QUATERNION_HALF, bones, &palette, &data));
        noteTaken(ring, &palette);
    }
}

bool fuzzPaletteTake(Gpu *gpu, VkskinContext context, Random *random, FuzzRing *ring, FuzzWay way, uint32_t bones,
                     FuzzPalette *palette) {
    bool atEnd = randomBelow(random, 3) == 0;
    uint32_t count = bones + (atEnd ? 0 : randomBelow(random, 3));
    void *data = NULL;
    *palette = (FuzzPalette){.method = way.method};
    if (atEnd) {
        skipToEnd(gpu, context, ring, (VkDeviceSize)vkskinPaletteStride(way.encoding) * count);
    }
    VkskinResult result = vkskinAllocatePalette(context, way.encoding, count, &palette->handle, &data);
    if (result == VKSKIN_ERROR_PALETTE_RING_FULL) {
        return false;
    }
    GPU_VKSKIN(gpu, result);
    noteTaken(ring, &palette->handle);
    fillPalette(random, palette, data);
    return true;
}

void fuzzPaletteFree(FuzzPalette *palette) {
    free(palette->bones);
    free(palette->wild);
    *palette = (FuzzPalette){0};
}
