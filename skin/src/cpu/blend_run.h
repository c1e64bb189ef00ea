/*
 * blend_run.h: the hot path: linear blending of 3x4 matrices, positions alone or with normals and tangents, float or
 * packed. A file for each level of instructions defines its vectors (blend_avx2.c, blend_avx512.c) and includes this.
 *
 * A lane is a vertex. All that a vertex comes to depends on its block alone, so that instances may be skinned in any
 * company.
 */
#ifndef VKSKIN_BLEND_RUN_H
#define VKSKIN_BLEND_RUN_H

#include "blend_matrix.h"
#include "blend_write.h"
#include "copy_out.h"

/* One copy of a block, wholly written. */
typedef struct BlendTarget {
    const float *palette;
    float *positions;
    uint32_t *attributes;
} BlendTarget;

/* ---- Blocks ---- */

/* What a matrix made of normals and tangents; not of unit length yet. */
typedef struct Turned {
    Vectors normal, tangent;
} Turned;

/* Writes positions. */
BLEND_INLINE Turned blendLanes(const BlendBlock *block, BlendShape shape, uint32_t lane, const BlendTarget *target) {
    Vector matrix[12];
    blend(block, target->palette, lane, matrix);
    Vectors position = loadVectors(block->positions, lane);
    writeThrees(target->positions + 3 * (size_t)lane, move(matrix, position), shape.stream);
    if (!shape.normals) {
        return (Turned){position, position};
    }
    Turned turned;
    turned.normal = loadVectors(block->normals, lane);
    turned.normal = block->exactNormals ? turnExactly(matrix, turned.normal) : turn(matrix, turned.normal);
    turned.tangent = shape.tangents ? turn(matrix, loadVectors(block->tangents, lane)) : turned.normal;
    return turned;
}

BLEND_INLINE void finishLanes(const BlendBlock *block, BlendShape shape, uint32_t lane, Turned turned,
                              const BlendTarget *target) {
    if (shape.normals) {
        uint32_t words = shape.packed ? 1 + shape.tangents : 3 + 4 * shape.tangents;
        uint32_t *to = target->attributes + (size_t)words * lane;
        writeAttributes(block, shape, lane, turned.normal, turned.tangent, to);
    }
}

/* One step is a long chain of which each link waits for the one before. So a step is finished after the next one has
 * been begun: a processor works at both. */
BLEND_INLINE void blendTargets(const BlendBlock *block, BlendShape shape, const BlendTarget *targets, uint32_t count) {
    if (count == 0) {
        return;
    }
    const uint32_t parts = LANES / VECTOR_LANES;
    Turned before = blendLanes(block, shape, 0, targets);
    for (uint32_t step = 1; step < count * parts; step++) {
        uint32_t last = step - 1;
        Turned turned = blendLanes(block, shape, step % parts * VECTOR_LANES, &targets[step / parts]);
        finishLanes(block, shape, last % parts * VECTOR_LANES, before, &targets[last / parts]);
        before = turned;
    }
    finishLanes(block, shape, LANES - VECTOR_LANES, before, &targets[count - 1]);
}

/* ---- Kernels ---- */

typedef void (*BlendKernel)(const BlendBlock *block, const BlendTarget *targets, uint32_t count);

/* A function for each, and none with both: compilers join a streaming store with a plain one to the same place. */
#define BLEND_KERNEL(name, ...)                                                                                        \
    static void name(const BlendBlock *block, const BlendTarget *targets, uint32_t count) {                            \
        blendTargets(block, (BlendShape){__VA_ARGS__}, targets, count);                                                \
    }
BLEND_KERNEL(blendPositions, .stream = false)
BLEND_KERNEL(streamPositions, .stream = true)
BLEND_KERNEL(blendNormals, .normals = true)
BLEND_KERNEL(streamNormals, .normals = true, .stream = true)
BLEND_KERNEL(blendTangents, .normals = true, .tangents = true)
BLEND_KERNEL(streamTangents, .normals = true, .tangents = true, .stream = true)
BLEND_KERNEL(blendPackedNormals, .normals = true, .packed = true)
BLEND_KERNEL(streamPackedNormals, .normals = true, .packed = true, .stream = true)
BLEND_KERNEL(blendPackedTangents, .normals = true, .tangents = true, .packed = true)
BLEND_KERNEL(streamPackedTangents, .normals = true, .tangents = true, .packed = true, .stream = true)

static BlendKernel kernelOf(const CpuMesh *mesh, bool stream) {
    if (!mesh->info.hasNormals) {
        return stream ? streamPositions : blendPositions;
    }
    static const BlendKernel kernels[2][2][2] = {
        {{blendNormals, streamNormals}, {blendTangents, streamTangents}},
        {{blendPackedNormals, streamPackedNormals}, {blendPackedTangents, streamPackedTangents}},
    };
    return kernels[mesh->info.format == VKSKIN_VERTEX_PACKED][mesh->info.hasTangents][stream];
}

/* ---- Runs ---- */

/* As wide as the widest vector: streaming stores of it, and whole lines of the cache. */
#define LINE 64u

static inline bool onLine(const void *address) {
    return (uintptr_t)address % LINE == 0;
}

/* The first `count` vertices of a block, or all of one that is out of line, by way of memory of its own. */
static void blendStaged(const BlendBlock *block, const CpuRunWork *work, const BlendTarget *target, uint32_t count) {
    _Alignas(LINE) float positions[LANES * 3];
    _Alignas(LINE) uint32_t attributes[LANES * 7];
    BlendTarget staged = {target->palette, positions, attributes};
    kernelOf(work->mesh, false)(block, &staged, 1);
    copyOut(target->positions, positions, count * 3, work->stream);
    if (work->mesh->attributeWords > 0) {
        copyOut(target->attributes, attributes, count * work->mesh->attributeWords, work->stream);
    }
}

/* The bytes of a block are whole lines, in each format, so that all blocks of a target lie as its first one does. */
static inline bool goesStraight(const CpuRunWork *work, const CpuTarget *target) {
    return !work->stream || (onLine(target->positions) && onLine(target->attributes));
}

static inline BlendTarget blockOf(const CpuRunWork *work, const CpuTarget *target, uint32_t first) {
    BlendTarget block = {target->command->palette, target->positions + 3 * (size_t)first, NULL};
    if (work->mesh->attributeWords > 0) {
        block.attributes = target->attributes + (size_t)work->mesh->attributeWords * first;
    }
    return block;
}

static inline void blendRun(const CpuRunWork *work) {
    BlendKernel kernel = kernelOf(work->mesh, work->stream);
    for (uint32_t first = 0; first < work->run->vertexCount; first += LANES) {
        uint32_t count = work->run->vertexCount - first < LANES ? work->run->vertexCount - first : LANES;
        BlendBlock block = findBlock(work, first / LANES);
        BlendTarget straight[TASK_INSTANCES];
        uint32_t straightCount = 0;
        for (uint32_t i = 0; i < work->count; i++) {
            BlendTarget target = blockOf(work, &work->targets[i], first);
            if (count == LANES && goesStraight(work, &work->targets[i])) {
                straight[straightCount++] = target;
            } else {
                blendStaged(&block, work, &target, count);
            }
        }
        kernel(&block, straight, straightCount);
    }
}

#endif
