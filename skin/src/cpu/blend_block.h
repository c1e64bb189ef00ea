/*
 * blend_block.h: a block of vertices as blend_run.h blends it.
 */
#ifndef VKSKIN_BLEND_BLOCK_H
#define VKSKIN_BLEND_BLOCK_H

#include "cpu_code.h"

/* The compiler is to see through all of a kernel. */
#define BLEND_INLINE static inline __attribute__((always_inline))

/* Squares of a length, and sums of elements, that a float holds well: beside these, vectors are scaled first. */
#define SMALLEST_SUM 0x1p-60f
#define LARGEST_SUM  0x1p60f

#define ALL_LANES    0xffffu
#define ENTRY_FLOATS 12u /* of a palette */

typedef struct BlendBlock {
    const Row *positions; /* 3 rows */
    const Row *normals;   /* 3 rows, where there are any */
    const Row *tangents;  /* 3 rows and the handedness, likewise */
    const Row *weights;   /* a row of them and one of joints for each influence */
    uint32_t influences;
    bool exactNormals;
    bool whole;              /* each bone that follows moves all vertices */
    uint32_t boneCount;      /* 0: they are not told */
    const SharedBone *bones; /* [boneCount] */
    const Row *boneWeights;  /* [boneCount] */
} BlendBlock;

/* Weights; joints are the row after. */
static inline const Row *blockWeights(const BlendBlock *block, uint32_t influence) {
    return block->weights + 2 * (size_t)influence;
}

static inline BlendBlock findBlock(const CpuRunWork *work, uint32_t number) {
    const CpuMesh *mesh = work->mesh;
    BlendBlock block = {.exactNormals = mesh->info.normalRule == VKSKIN_NORMALS_EXACT};
    const Row *rows = sknRunBlock(mesh, work->run, number, &block.influences);
    block.positions = rows;
    block.normals = mesh->info.hasNormals ? rows + mesh->map.normal : NULL;
    block.tangents = mesh->info.hasTangents ? rows + mesh->map.tangent : NULL;
    block.weights = rows + mesh->map.influences;
    const uint32_t *first = mesh->firstBones + work->run->firstBlock + number;
    block.boneCount = first[1] - first[0];
    block.whole = block.boneCount > 0;
    if (block.whole) {
        block.bones = mesh->sharedBones + first[0];
        block.boneWeights = mesh->sharedWeights + first[0];
    }
    for (uint32_t b = 0; b < block.boneCount; b++) {
        block.whole = block.whole && block.bones[b].lanes == ALL_LANES;
    }
    return block;
}

#endif
