#include "fuzz_palette.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_mesh.h"

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

static void writeSane(Random *random, VkskinMethod method, float *entry, VkskinAffine *bone) {
    VkskinTransform transform = vkskinIdentityTransform();
    randomRigidBone(random, 1.0f, transform.rotation, transform.translation);
    *bone = vkskinAffineFromTransform(&transform);
    if (method == VKSKIN_METHOD_LINEAR_BLEND) {
        memcpy(entry, bone, sizeof *bone);
    } else {
        dualQuaternionEntry(transform.rotation, transform.translation, entry);
    }
}

static void fillPalette(Random *random, FuzzPalette *palette, void *data) {
    uint32_t stride = vkskinPaletteStride(palette->handle.encoding);
    uint32_t wildOfTen = (const uint32_t[]){0, 0, 3, 3, 10}[randomBelow(random, 5)];
    palette->bones = calloc(palette->handle.boneCount, sizeof *palette->bones);
    palette->wild = calloc(palette->handle.boneCount, sizeof *palette->wild);
    assert_true(palette->bones != NULL && palette->wild != NULL);
    for (uint32_t b = 0; b < palette->handle.boneCount; b++) {
        float *entry = (float *)(void *)((char *)data + (size_t)b * stride);
        palette->wild[b] = randomBelow(random, 10) < wildOfTen;
        if (palette->wild[b]) {
            writeWild(random, entry, stride / sizeof *entry);
        } else {
            writeSane(random, palette->method, entry, &palette->bones[b]);
        }
    }
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

static void fillGap(Gpu *gpu, VkskinContext context, FuzzRing *ring, VkskinPaletteEncoding encoding,
                    VkDeviceSize size) {
    uint32_t bones = (uint32_t)(size / vkskinPaletteStride(encoding));
    VkskinPalette palette;
    void *data;
    if (bones > 0) {
        GPU_VKSKIN(gpu, vkskinAllocatePalette(context, encoding, bones, &palette, &data));
        noteTaken(ring, &palette);
    }
}

/* Palettes of 48 and of 32 bytes a bone fill every gap but one of 16. */
static void skipToEnd(Gpu *gpu, VkskinContext context, FuzzRing *ring, VkDeviceSize size) {
    VkDeviceSize room = roomOfPage(ring);
    if (room < size || room - size == 16) {
        return;
    }
    VkDeviceSize gap = room - size;
    VkDeviceSize odd = gap % 32 == 16 ? 48 : 0;
    fillGap(gpu, context, ring, VKSKIN_PALETTE_MAT3X4, odd);
    fillGap(gpu, context, ring, VKSKIN_PALETTE_DUAL_QUATERNION, gap - odd);
}

bool fuzzPaletteTake(Gpu *gpu, VkskinContext context, Random *random, FuzzRing *ring, VkskinMethod method,
                     uint32_t bones, FuzzPalette *palette) {
    VkskinPaletteEncoding encoding = vkskinMethodEncoding(method);
    bool atEnd = randomBelow(random, 3) == 0;
    uint32_t count = bones + (atEnd ? 0 : randomBelow(random, 3));
    void *data = NULL;
    *palette = (FuzzPalette){.method = method};
    if (atEnd) {
        skipToEnd(gpu, context, ring, (VkDeviceSize)vkskinPaletteStride(encoding) * count);
    }
    VkskinResult result = vkskinAllocatePalette(context, encoding, count, &palette->handle, &data);
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
