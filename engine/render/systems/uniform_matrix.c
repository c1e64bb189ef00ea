/*
 * uniform_matrix.c: palettes of 3x4 matrices in uniform blocks. Meshes with more bones than a block holds are split, and
 * each piece of each character is a draw.
 */
#include <stdlib.h>
#include <string.h>

#include "uniform_blocks.h"

#define MATRIX_BYTES 48u

static uint32_t bonesOfRange(const Device *device) {
    return device->limits.maxUniformBufferRange / MATRIX_BYTES;
}

static bool check(const SystemNeed *need, EngineError *error) {
    const uint32_t most = bonesOfRange(need->device);
    return need->skin->bonesPerDraw <= most ||
           systemFail(need->skin, error,
                      "%u bones per draw take a block of %llu bytes; maxUniformBufferRange of '%.100s' is %u: %u bones",
                      need->skin->bonesPerDraw, (unsigned long long)need->skin->bonesPerDraw * MATRIX_BYTES,
                      need->device->info.name, need->device->limits.maxUniformBufferRange, most);
}

/* No more than the largest mesh has. */
static void prepare(System *system) {
    uint32_t most = 1;
    for (uint32_t kind = 0; kind < system->population->modelCount; kind++) {
        const Model *model = system->population->models[kind]->model;
        for (uint32_t i = 0; i < model->meshCount; i++) {
            most = model->meshes[i].boneCount > most ? model->meshes[i].boneCount : most;
        }
    }
    const uint32_t bones = system->skin.bonesPerDraw ? system->skin.bonesPerDraw : bonesOfRange(system->device);
    system->constants.bones = bones < most ? bones : most;
    system->stats.bonesPerDraw = system->constants.bones;
}

static uint32_t pieceBytes(uint32_t bones) {
    return bones * MATRIX_BYTES;
}

static uint32_t write(const float (*palette)[12], const SystemPiece *piece, void *block) {
    if (!piece->bones) {
        memcpy(block, palette, (size_t)piece->boneCount * MATRIX_BYTES);
        return 0;
    }
    for (uint32_t i = 0; i < piece->boneCount; i++) {
        memcpy((char *)block + (size_t)i * MATRIX_BYTES, palette[piece->bones[i]], MATRIX_BYTES);
    }
    return 0;
}

/* The def of a system: its block is as large as it is specialised for. */
typedef struct MatrixBlocks {
    UniformBlocks blocks;
    UniformBlocksDef def;
} MatrixBlocks;

static bool create(System *system, EngineError *error) {
    MatrixBlocks *matrices = (MatrixBlocks *)system;
    matrices->def = (UniformBlocksDef){
        .blockBytes = system->constants.bones * MATRIX_BYTES, .pieceBytes = pieceBytes, .write = write};
    for (uint32_t kind = 0; kind < system->population->modelCount; kind++) {
        const SkinnedModel *skinned = system->population->models[kind];
        for (uint32_t i = 0; i < skinned->meshCount; i++) {
            if (system->meshes[kind][i].pieceCount > 1) {
                systemRemark(system, "%u bones per draw: mesh '%.60s' with %u bones is split into %u pieces",
                             system->constants.bones, skinned->model->meshes[i].name,
                             skinned->model->meshes[i].boneCount, system->meshes[kind][i].pieceCount);
            }
        }
    }
    return uniformBlocksCreate(system, &matrices->def, error);
}

const SystemType UNIFORM_MATRIX_TYPE = {
    .size = sizeof(MatrixBlocks),
    .shader = "system_uniform_matrix.vert",
    .joints = VK_FORMAT_R16G16B16A16_UINT,
    .check = check,
    .prepare = prepare,
    .create = create,
    UNIFORM_BLOCKS_TYPE,
};
