/*
 * blend_run.h: the hot path: linear blending of 3x4 matrices, positions alone or with normals and tangents, float or
 * packed. A file for each level of instructions defines its vectors (blend_avx2.c, blend_avx512.c) and includes this.
 *
 * A lane is a vertex. Vertices that follow one another mostly share their bones, so the matrices of a block are blended
 * from the few that it needs: one entry of the palette is spread over the lanes and weighted by a row. That way matrices
 * come out with an element a vector, ready to be applied, and nothing is gathered. Where a block has more bones than
 * that is worth, the rows of each vertex's own entries are blended and transposed.
 *
 * All that a vertex comes to depends on its block alone, so that instances may be skinned in any company.
 */
#ifndef VKSKIN_BLEND_RUN_H
#define VKSKIN_BLEND_RUN_H

#include "blend_block.h"
#include "copy_out.h"

/* One copy of a block, wholly written. */
typedef struct BlendTarget {
    const float *palette;
    float *positions;
    uint32_t *attributes;
} BlendTarget;

/* What a mesh's output is made of: known to the compiler in each kernel. */
typedef struct BlendShape {
    bool normals, tangents, packed, stream;
} BlendShape;

/* ---- Matrices ---- */

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
                Vector part = loadFours(palette + 4 * row, joints + i);
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

/* ---- What matrices do ---- */

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

/* ---- Unit vectors ---- */

/* The largest element of the lanes `where` becomes 1, or they become the fallback where all are zero. */
BLEND_INLINE Vectors rescue(Vectors v, Lanes where, Vectors fallback) {
    Vector size = larger(larger(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
    Lanes none = notPositive(size);
    Vectors scaled = {divide(v.x, size), divide(v.y, size), divide(v.z, size)};
    return (Vectors){choose(where, choose(none, fallback.x, scaled.x), v.x),
                     choose(where, choose(none, fallback.y, scaled.y), v.y),
                     choose(where, choose(none, fallback.z, scaled.z), v.z)};
}

BLEND_INLINE Vector squared(Vectors v) {
    return multiplyAdd(v.z, v.z, multiplyAdd(v.y, v.y, multiply(v.x, v.x)));
}

BLEND_INLINE Vectors unitOr(Vectors v, Vectors fallback) {
    Vector square = squared(v);
    Lanes odd = outside(square);
    if (any(odd)) {
        v = rescue(v, odd, fallback);
        square = squared(v);
    }
    /* One step of Newton's: s (1.5 - square/2 s^2). */
    Vector s = roughInverseRoot(square);
    Vector half = multiply(square, spread(0.5f));
    s = multiply(s, negativeMultiplyAdd(multiply(half, s), s, spread(1.5f)));
    return (Vectors){multiply(v.x, s), multiply(v.y, s), multiply(v.z, s)};
}

/* ---- Packing ---- */

typedef struct Square {
    Vector x, y;
} Square;

BLEND_INLINE Vector oneLess(Vector v) {
    return subtract(spread(1.0f), magnitude(v));
}

/* A direction of any length as its place in the octahedral square: shaders/vkskin/vkskin.glsl. */
BLEND_INLINE Square octahedral(Vectors v, Vectors fallback) {
    Vector sum = add(add(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
    Lanes odd = outside(sum);
    if (any(odd)) {
        v = rescue(v, odd, fallback);
        sum = add(add(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
    }
    Vector inverse = roughInverse(sum);
    inverse = multiply(inverse, negativeMultiplyAdd(sum, inverse, spread(2.0f)));
    Vector x = multiply(v.x, inverse);
    Vector y = multiply(v.y, inverse);
    Lanes lower = negative(v.z);
    Vector foldedX = negateWhere(negative(x), oneLess(y));
    Vector foldedY = negateWhere(negative(y), oneLess(x));
    return (Square){choose(lower, foldedX, x), choose(lower, foldedY, y)};
}

BLEND_INLINE Words packNormals(Vectors normal) {
    Square e = octahedral(normal, (Vectors){spread(0.0f), spread(0.0f), spread(1.0f)});
    return joinHalves(nearest(e.x, 32767.0f), nearest(e.y, 32767.0f));
}

BLEND_INLINE Words packTangents(Vectors tangent, const Row *handedness, uint32_t lane) {
    Square e = octahedral(tangent, (Vectors){spread(1.0f), spread(0.0f), spread(0.0f)});
    Words words = joinHalves(nearest(e.x, 32767.0f), nearest(e.y, 16383.0f));
    return putSign(words, load(handedness->f + lane));
}

/* ---- Out ---- */

/*
 * Normal and tangent of each four lanes as seven vectors of four words:
 *     nx0 ny0 nz0 tx0 | ty0 tz0 w0 nx1 | ny1 nz1 tx1 ty1 | tz1 w1 nx2 ny2 | nz2 tx2 ty2 tz2 | w2 nx3 ny3 nz3 | tx3 ...
 */
BLEND_INLINE void joinFloats(Vectors n, Vectors t, Vector w, Vector out[7]) {
    Vector nxy01 = unpackLow(n.x, n.y), nxy23 = unpackHigh(n.x, n.y);
    Vector nzx01 = unpackLow(n.z, t.x), nzx23 = unpackHigh(n.z, t.x);
    Vector tyz01 = unpackLow(t.y, t.z), tyz23 = unpackHigh(t.y, t.z);
    Vector wx = shuffle(w, n.x, 0, 2, 1, 3);        /* w0 w2 nx1 nx3 */
    Vector zw = shuffle(t.z, w, 1, 3, 1, 3);        /* tz1 tz3 w1 w3 */
    Vector nz1 = shuffle(nzx01, tyz01, 2, 3, 2, 2); /* nz1 tx1 ty1 */
    Vector ny3 = shuffle(nxy23, nzx23, 2, 3, 2, 2); /* nx3 ny3 nz3 */
    Vector ty3 = shuffle(tyz23, zw, 2, 3, 3, 3);    /* ty3 tz3 w3 */
    Vector w2 = shuffle(wx, wx, 1, 1, 1, 1);        /* w2 */
    out[0] = shuffle(nxy01, nzx01, 0, 1, 0, 1);
    out[1] = shuffle(tyz01, wx, 0, 1, 0, 2);
    out[2] = lastAndThree(nxy01, nz1);
    out[3] = shuffle(zw, nxy23, 0, 2, 0, 1);
    out[4] = shuffle(nzx23, tyz23, 0, 1, 0, 1);
    out[5] = lastAndThree(w2, ny3);
    out[6] = lastAndThree(nzx23, ty3);
}

BLEND_INLINE void writeAttributes(const BlendBlock *block, BlendShape shape, uint32_t lane, Vectors normal,
                                  Vectors tangent, uint32_t *to) {
    if (shape.packed && shape.tangents) {
        writeWordPairs(to, packNormals(normal), packTangents(tangent, block->tangents + 3, lane), shape.stream);
        return;
    }
    if (shape.packed) {
        writeWords(to, packNormals(normal), shape.stream);
        return;
    }
    normal = unitOr(normal, (Vectors){spread(0.0f), spread(0.0f), spread(1.0f)});
    if (!shape.tangents) {
        writeThrees((float *)(void *)to, normal, shape.stream);
        return;
    }
    tangent = unitOr(tangent, (Vectors){spread(1.0f), spread(0.0f), spread(0.0f)});
    Vector joined[7];
    joinFloats(normal, tangent, load(block->tangents[3].f + lane), joined);
    writeSevens((float *)(void *)to, joined, shape.stream);
}

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
