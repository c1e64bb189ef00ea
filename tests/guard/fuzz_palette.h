/* fuzz_palette.h: palettes of sane bones, of wild ones, and of both; and where they lie in the ring. */
#ifndef TESTS_FUZZ_PALETTE_H
#define TESTS_FUZZ_PALETTE_H

#include "fuzz_context.h"
#include "reference.h"

typedef struct FuzzPalette {
    VkskinPalette handle;
    VkskinMethod method;    /* that reads it */
    ReferenceMatrix *bones; /* [handle.boneCount], what the entries stand for */
    bool *wild;             /* [handle.boneCount]: not in the reference, its entry is anything */
} FuzzPalette;

/* How a frame's ring has been filled, so that a palette can be put at the very end of a page. */
typedef struct FuzzRing {
    VkDeviceSize pageSize, size; /* of a page, but for the last; of a frame */
    uint32_t page;               /* where the latest palette lies */
    VkDeviceSize used;           /* of that page */
} FuzzRing;

/*
 * Takes a palette of at least `bones` bones and fills it, one in three times flush with the end of its page. False
 * where the ring is full, and *palette is empty.
 */
bool fuzzPaletteTake(Gpu *gpu, VkskinContext context, Random *random, FuzzRing *ring, FuzzWay way, uint32_t bones,
                     FuzzPalette *palette);
void fuzzPaletteFree(FuzzPalette *palette);

#endif
