/*
 * smoke.h: a short life of a context on the device that the shim plays, every vertex of it held against the reference.
 *
 * Four meshes of different influences, formats and attributes, one with morph targets, two in the first frame and one
 * more with each after it; a crowd of their instances, each with a palette of its own by either method; frames in flight with the device
 * held back; previous positions; timings.
 */
#ifndef TESTS_SMOKE_H
#define TESTS_SMOKE_H

#include "profile_shim.h"

#define SMOKE_MESHES    4
#define SMOKE_FRAMES    6
#define SMOKE_WORKGROUP 128 /* the most that every device allows */

typedef struct SmokeDef {
    VkskinPaletteMemory paletteMemory;
    VkskinPaletteBinding paletteBinding;
    uint32_t framesInFlight;
    uint32_t outputRegions;
    bool debugUtils;
    VkskinBackend backend;
} SmokeDef;

/* The def of a context on the device of the shim, as its profile wants it. functions, memory: where they shall lie. */
VkskinContextDef smokeContextDef(Gpu *gpu, VkskinVulkanFunctions *functions, VkskinMemoryCallbacks *memory);

/* Runs it. *stats: of the last frame. */
void smokeRun(Gpu *gpu, const SmokeDef *def, VkskinStats *stats);

#endif
