/*
 * fuzz_scene.h: one round: a context of any shape, and some frames of anything that a host may do or try.
 *
 * Meshes and instances come and go, palettes hold any value, many instances share one, commands come in any order and
 * in several calls, bad ones among them. The same seed makes the same round on the same driver.
 */
#ifndef TESTS_FUZZ_SCENE_H
#define TESTS_FUZZ_SCENE_H

#include "guarded_memory.h"

#define FUZZ_ROUNDS_A_SHAPE 4 /* neighbouring seeds that share their kernels, which take long to make */

typedef struct FuzzTotals {
    uint64_t rounds, frames, meshes, instances, vertices, refusals;
} FuzzTotals;

/* Adds to *totals. What is wrong fails the running test. */
void fuzzRound(Gpu *gpu, GuardPlacement placement, uint64_t seed, FuzzTotals *totals);

/* Destroys the kernels. For Gpu.finish. */
void fuzzFinish(void);

#endif
