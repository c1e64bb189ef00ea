/*
 * blend_matrix.h: the matrices of a block, blended and applied. Needs the vectors that blend_run.h tells of.
 *
 * Vertices that follow one another mostly share their bones, so the matrices of a block are blended from the few that it
 * needs: one entry of the palette is spread over the lanes and weighted by a row. That way matrices come out with an
 * element a vector, ready to be applied, and nothing is gathered. Where a block has more bones than that is worth, the
 * rows of each vertex's own entries are blended and transposed.
 */
#ifndef VKSKIN_BLEND_MATRIX_H
#define VKSKIN_BLEND_MATRIX_H

#include "blend_block.h"

/* ---- Blended ---- */

BLEND_INLINE void clear(Vector matrix[12]) {
    for (int e = 0; e < 12; e++) {
        matrix[e] = spread(0.0f);
    }
}

BLEND_INLINE const float *entryOf(const BlendBlock *block, uint32_t bone, const float *palette) {
    return palette + (size_t)ENTRY_FLOATS * block->bones[bone].joint;
}

/* Where each bone moves each lane. A bone alone has the whole weight. */
BLEND_INLINE void blendWhole(const BlendBlock *block, const float *palette, uint32_t lane, Vector matrix[12]) {
    if (block->boneCount == 1) {
        const float *entry = entryOf(block, 0, palette);
        for (uint32_t e = 0; e < ENTRY_FLOATS; e++) {
            matrix[e] = splat(entry + e);
        }
        return;
    }
    clear(matrix);
    for (uint32_t b = 0; b < block->boneCount; b++) {
        const float *entry = entryOf(block, b, palette);
        Vector weight = load(block->boneWeights[b].f + lane);
        for (uint32_t e = 0; e < ENTRY_FLOATS; e++) {
            matrix[e] = multiplyAdd(splat(entry + e), weight, matrix[e]);
        }
    }
}

/* Lanes that a bone does not move stay as they are, whatever its entry holds: NaN times a weight of zero is NaN. */
BLEND_INLINE void blendPartly(const BlendBlock *block, const float *palette, uint32_t lane, Vector matrix[12]) {
    clear(matrix);
    for (uint32_t b = 0; b < block->boneCount; b++) {
        const float *entry = entryOf(block, b, palette);
        Vector weight = load(block->boneWeights[b].f + lane);
        Lanes moved = lanesOf(block->bones[b].lanes >> lane);
        for (uint32_t e = 0; e < ENTRY_FLOATS; e++) {
            matrix[e] = choose(moved, multiplyAdd(splat(entry + e), weight, matrix[e]), matrix[e]);
        }
    }
}

/* Of each four lanes, vector i to element i: the transpose of four by four. */
BLEND_INLINE void transposeFours(Vector v[4]) {
    Vector low01 = unpackLow(v[0], v[1]), high01 = unpackHigh(v[0], v[1]);
    Vector low23 = unpackLow(v[2], v[3]), high23 = unpackHigh(v[2], v[3]);
    v[0] = shuffle(low01, low23, 0, 1, 0, 1);
    v[1] = shuffle(low01, low23, 2, 3, 2, 3);
    v[2] = shuffle(high01, high23, 0, 1, 0, 1);
    v[3] = shuffle(high01, high23, 2, 3, 2, 3);
}

/* Rows of four elements are blended as they lie in the palette: vector i of a row has those of each four lanes' i-th. */
BLEND_INLINE void blendOwn(const BlendBlock *block, const float *palette, uint32_t lane, Vector matrix[12]) {
    clear(matrix);
    for (uint32_t k = 0; k < block->influences; k++) {
        const Row *weights = blockWeights(block, k);
        const uint32_t *joints = weights[1].u + lane;
        Vector weight = load(weights->f + lane);
        Vector own[4] = {shuffle(weight, weight, 0, 0, 0, 0), shuffle(weight, weight, 1, 1, 1, 1),
                         shuffle(weight, weight, 2, 2, 2, 2), shuffle(weight, weight, 3, 3, 3, 3)};
        for (uint32_t i = 0; i < 4; i++) {
            for (uint32_t row = 0; row < 3; row++) {
                Vector part = loadFours(palette + 4 * (size_t)row, joints + i);
                Vector *sum = &matrix[4 * row + i];
                *sum = multiplyAdd(part, own[i], *sum);
            }
        }
    }
    for (uint32_t row = 0; row < 3; row++) {
        transposeFours(matrix + 4 * (size_t)row);
    }
}

BLEND_INLINE void blend(const BlendBlock *block, const float *palette, uint32_t lane, Vector matrix[12]) {
    if (block->whole) {
        blendWhole(block, palette, lane, matrix);
    } else if (PARTLY_PAYS && block->boneCount > 0) {
        blendPartly(block, palette, lane, matrix);
    } else {
        blendOwn(block, palette, lane, matrix);
    }
}

/* ---- Applied ---- */

BLEND_INLINE Vectors loadVectors(const Row *rows, uint32_t lane) {
    return (Vectors){load(rows[0].f + lane), load(rows[1].f + lane), load(rows[2].f + lane)};
}

BLEND_INLINE Vector dotRow(const Vector row[3], Vectors v) {
    return multiplyAdd(row[2], v.z, multiplyAdd(row[1], v.y, multiply(row[0], v.x)));
}

BLEND_INLINE Vectors turn(const Vector matrix[12], Vectors v) {
    return (Vectors){dotRow(matrix, v), dotRow(matrix + 4, v), dotRow(matrix + 8, v)};
}

BLEND_INLINE Vector moveAlong(const Vector row[4], Vectors v) {
    return multiplyAdd(row[2], v.z, multiplyAdd(row[1], v.y, multiplyAdd(row[0], v.x, row[3])));
}

BLEND_INLINE Vectors move(const Vector matrix[12], Vectors v) {
    return (Vectors){moveAlong(matrix, v), moveAlong(matrix + 4, v), moveAlong(matrix + 8, v)};
}

BLEND_INLINE Vector minus(Vector a, Vector b, Vector c, Vector d) { /* a b - c d */
    return negativeMultiplyAdd(c, d, multiply(a, b));
}

BLEND_INLINE Vectors cross3(const Vector *a, const Vector *b) {
    return (Vectors){minus(a[1], b[2], a[2], b[1]), minus(a[2], b[0], a[0], b[2]), minus(a[0], b[1], a[1], b[0])};
}

/* By the cofactors, with the determinant's sign: shaders/kernels/normals.glsl. */
BLEND_INLINE Vectors turnExactly(const Vector matrix[12], Vectors v) {
    Vectors c0 = cross3(matrix + 4, matrix + 8);
    Vectors c1 = cross3(matrix + 8, matrix);
    Vectors c2 = cross3(matrix, matrix + 4);
    Lanes mirrored = negative(dotRow(matrix, c0));
    Vectors turned = {dotRow((Vector[3]){c0.x, c0.y, c0.z}, v), dotRow((Vector[3]){c1.x, c1.y, c1.z}, v),
                      dotRow((Vector[3]){c2.x, c2.y, c2.z}, v)};
    return (Vectors){negateWhere(mirrored, turned.x), negateWhere(mirrored, turned.y), negateWhere(mirrored, turned.z)};
}

#endif
