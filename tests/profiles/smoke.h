/*
 * smoke.h: the short lifetime of a context on the device of a profile; every skinned vertex is compared with the
 * reference.
 *
 * Four meshes of different influences, formats and attributes, one of them with morph targets: two in the first frame,
 * one more with each frame after it. A crowd of their instances, each with a palette of its own, skinned with two
 * methods. Several frames in flight while the device is held back. Previous positions. Timings.
 */
#ifndef TESTS_SMOKE_H
#define TESTS_SMOKE_H

#include "profile.h"

#define SMOKE_MESHES    4
#define SMOKE_FRAMES    6
#define SMOKE_WORKGROUP 128 /* the largest that every device allows */

typedef struct SmokeDef {
    VkskinPaletteMemory paletteMemory;
    VkskinPaletteBinding paletteBinding;
    uint32_t framesInFlight;
    uint32_t outputRegions;
    bool debugUtils;
    VkskinBackend backend;
} SmokeDef;

/* *stats: of the last frame. */
void smokeRun(Gpu *gpu, const SmokeDef *def, VkskinStats *stats);

#endif
