/*
 * Linear blending of 3x4 matrices, the most used path: positions alone or with normals and tangents, in all formats.
 * Compiled for AVX2 and AVX-512. One lane is one vertex. A vertex's result depends on its block alone, so instances may
 * be skinned in any grouping.
 */
#include "cpu_run.h"
#include "simd.h"

#if SIMD_WIDTH >= 8

/* Masked additions cost nothing with AVX-512. With AVX2, blending each vertex's own bones is faster. */
#define MASKS_ARE_FREE (SIMD_WIDTH == 16)

/* Squared lengths and sums within these bounds keep a float's precision. Other vectors are scaled first. */
#define SMALLEST_SUM 0x1p-60f
#define LARGEST_SUM  0x1p60f

#define ALL_LANES    0xffffu
#define ENTRY_FLOATS 12u /* floats of one palette entry */

/* A point or direction in each lane. */
typedef struct Vectors {
    SimdFloat x, y, z;
} Vectors;

typedef struct BlendBlock {
    const Row *positions; /* 3 rows */
    const Row *normals;   /* 3 rows, or null */
    const Row *tangents;  /* 3 rows and the handedness, or null */
    const Row *weights;   /* for each influence, a row of weights and one of joints */
    uint32_t influences;
    bool exactNormals;
    bool whole;              /* each of the shared bones moves all vertices */
    uint32_t boneCount;      /* 0: the block has no list of shared bones */
    const SharedBone *bones; /* [boneCount] */
    const Row *boneWeights;  /* [boneCount] */
} BlendBlock;

/* The output of a kernel; constants for the compiler. */
typedef struct BlendShape {
    VkskinVertexFormat format;
    bool normals, tangents, stream;
} BlendShape;

/* One copy of a block, written completely. */
typedef struct BlendTarget {
    const float *palette;
    float *positions;
    uint32_t *attributes;
} BlendTarget;

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

/* ---- Blend matrices ----
 *
 * Consecutive vertices usually share their bones. The matrices of a block are then blended from those few bones: an
 * entry of the palette is broadcast to all lanes and multiplied by a row of weights. The result has one matrix element
 * per vector and needs no gather. A block with too many bones blends the entries of each vertex and transposes them.
 */

SIMD_INLINE void clear(SimdFloat matrix[12]) {
    for (int e = 0; e < 12; e++) {
        matrix[e] = simdSplat(0.0f);
    }
}

SIMD_INLINE const float *entryOf(const BlendBlock *block, uint32_t bone, const float *palette) {
    return palette + (size_t)ENTRY_FLOATS * block->bones[bone].joint;
}

/* If each shared bone moves each lane. A single bone has the whole weight. */
SIMD_INLINE void blendWhole(const BlendBlock *block, const float *palette, uint32_t lane, SimdFloat matrix[12]) {
    if (block->boneCount == 1) {
        const float *entry = entryOf(block, 0, palette);
        for (uint32_t e = 0; e < ENTRY_FLOATS; e++) {
            matrix[e] = simdSplat(entry[e]);
        }
        return;
    }
    clear(matrix);
    for (uint32_t b = 0; b < block->boneCount; b++) {
        const float *entry = entryOf(block, b, palette);
        SimdFloat weight = simdLoad(block->boneWeights[b].f + lane);
        for (uint32_t e = 0; e < ENTRY_FLOATS; e++) {
            matrix[e] = simdMultiplyAdd(simdSplat(entry[e]), weight, matrix[e]);
        }
    }
}

/* A bone does not change lanes that it does not move, whatever its entry holds: NaN times a weight of zero is NaN. */
SIMD_INLINE void blendPartly(const BlendBlock *block, const float *palette, uint32_t lane, SimdFloat matrix[12]) {
    clear(matrix);
    for (uint32_t b = 0; b < block->boneCount; b++) {
        const float *entry = entryOf(block, b, palette);
        SimdFloat weight = simdLoad(block->boneWeights[b].f + lane);
        SimdMask moved = simdMaskFromBits(block->bones[b].lanes >> lane);
        for (uint32_t e = 0; e < ENTRY_FLOATS; e++) {
            matrix[e] = simdSelect(moved, simdMultiplyAdd(simdSplat(entry[e]), weight, matrix[e]), matrix[e]);
        }
    }
}

/* Blends rows of four elements as the palette has them: vector i of a row holds those of lane i of each four. */
SIMD_INLINE void blendOwn(const BlendBlock *block, const float *palette, uint32_t lane, SimdFloat matrix[12]) {
    clear(matrix);
    for (uint32_t k = 0; k < block->influences; k++) {
        const Row *weights = block->weights + 2 * (size_t)k;
        const uint32_t *joints = weights[1].u + lane;
        SimdFloat weight = simdLoad(weights->f + lane);
        SimdFloat own[4] = {simdShuffle(weight, weight, 0, 0, 0, 0), simdShuffle(weight, weight, 1, 1, 1, 1),
                            simdShuffle(weight, weight, 2, 2, 2, 2), simdShuffle(weight, weight, 3, 3, 3, 3)};
        for (uint32_t i = 0; i < 4; i++) {
            for (uint32_t row = 0; row < 3; row++) {
                SimdFloat part = simdLoadFours(palette + 4 * (size_t)row, ENTRY_FLOATS, joints + i);
                SimdFloat *sum = &matrix[4 * row + i];
                *sum = simdMultiplyAdd(part, own[i], *sum);
            }
        }
    }
    for (uint32_t row = 0; row < 3; row++) {
        simdTranspose4(matrix + 4 * (size_t)row);
    }
}

SIMD_INLINE void blend(const BlendBlock *block, const float *palette, uint32_t lane, SimdFloat matrix[12]) {
    if (block->whole) {
        blendWhole(block, palette, lane, matrix);
    } else if (MASKS_ARE_FREE && block->boneCount > 0) {
        blendPartly(block, palette, lane, matrix);
    } else {
        blendOwn(block, palette, lane, matrix);
    }
}

/* ---- Apply matrices ---- */

SIMD_INLINE Vectors loadVectors(const Row *rows, uint32_t lane) {
    return (Vectors){simdLoad(rows[0].f + lane), simdLoad(rows[1].f + lane), simdLoad(rows[2].f + lane)};
}

SIMD_INLINE SimdFloat dotRow(const SimdFloat row[3], Vectors v) {
    return simdMultiplyAdd(row[2], v.z, simdMultiplyAdd(row[1], v.y, row[0] * v.x));
}

SIMD_INLINE Vectors transformDirection(const SimdFloat matrix[12], Vectors v) {
    return (Vectors){dotRow(matrix, v), dotRow(matrix + 4, v), dotRow(matrix + 8, v)};
}

SIMD_INLINE SimdFloat moveAlong(const SimdFloat row[4], Vectors v) {
    return simdMultiplyAdd(row[2], v.z, simdMultiplyAdd(row[1], v.y, simdMultiplyAdd(row[0], v.x, row[3])));
}

SIMD_INLINE Vectors transformPoint(const SimdFloat matrix[12], Vectors v) {
    return (Vectors){moveAlong(matrix, v), moveAlong(matrix + 4, v), moveAlong(matrix + 8, v)};
}

SIMD_INLINE SimdFloat minus(SimdFloat a, SimdFloat b, SimdFloat c, SimdFloat d) {
    return simdNegativeMultiplyAdd(c, d, a * b);
}

SIMD_INLINE Vectors cross3(const SimdFloat *a, const SimdFloat *b) {
    return (Vectors){minus(a[1], b[2], a[2], b[1]), minus(a[2], b[0], a[0], b[2]), minus(a[0], b[1], a[1], b[0])};
}

/* By the cofactors, with the determinant's sign: shaders/vkskin/vkskin_vertex.glsl. */
SIMD_INLINE Vectors transformNormal(const SimdFloat matrix[12], Vectors v) {
    Vectors c0 = cross3(matrix + 4, matrix + 8);
    Vectors c1 = cross3(matrix + 8, matrix);
    Vectors c2 = cross3(matrix, matrix + 4);
    SimdMask mirrored = simdLess(dotRow(matrix, c0), simdSplat(0.0f));
    Vectors turned = {dotRow((SimdFloat[3]){c0.x, c0.y, c0.z}, v), dotRow((SimdFloat[3]){c1.x, c1.y, c1.z}, v),
                      dotRow((SimdFloat[3]){c2.x, c2.y, c2.z}, v)};
    return (Vectors){simdNegateWhere(mirrored, turned.x), simdNegateWhere(mirrored, turned.y),
                     simdNegateWhere(mirrored, turned.z)};
}

/* ---- Unit vectors ---- */

static const float normalFallback[3] = {0.0f, 0.0f, 1.0f};
static const float tangentFallback[3] = {1.0f, 0.0f, 0.0f};

SIMD_INLINE SimdFloat rescueOne(SimdFloat v, SimdFloat size, SimdMask where, SimdMask none, float fallback) {
    return simdSelect(where, simdSelect(none, simdSplat(fallback), v / size), v);
}

/* In the lanes `where`, scales the largest element to 1, or sets the fallback if all elements are zero. */
SIMD_INLINE Vectors rescue(Vectors v, SimdMask where, const float fallback[3]) {
    SimdFloat size = simdMax(simdMax(simdAbs(v.x), simdAbs(v.y)), simdAbs(v.z));
    SimdMask none = simdNotGreater(size, simdSplat(0.0f));
    return (Vectors){rescueOne(v.x, size, where, none, fallback[0]), rescueOne(v.y, size, where, none, fallback[1]),
                     rescueOne(v.z, size, where, none, fallback[2])};
}

SIMD_INLINE SimdFloat squared(Vectors v) {
    return simdMultiplyAdd(v.z, v.z, simdMultiplyAdd(v.y, v.y, v.x * v.x));
}

SIMD_INLINE Vectors unitOr(Vectors v, const float fallback[3]) {
    SimdFloat square = squared(v);
    SimdMask odd = simdOutside(square, SMALLEST_SUM, LARGEST_SUM);
    if (simdMaskBits(odd) != 0) {
        v = rescue(v, odd, fallback);
        square = squared(v);
    }
    /* One Newton step: s (1.5 - square/2 s^2). */
    SimdFloat s = simdRoughInverseRoot(square);
    SimdFloat half = square * simdSplat(0.5f);
    s = s * simdNegativeMultiplyAdd(half * s, s, simdSplat(1.5f));
    return (Vectors){v.x * s, v.y * s, v.z * s};
}

/* ---- Packing ---- */

typedef struct Square {
    SimdFloat x, y;
} Square;

SIMD_INLINE SimdFloat absSum(Vectors v) {
    return simdAbs(v.x) + simdAbs(v.y) + simdAbs(v.z);
}

/* Octahedral coordinates of a direction of any length: shaders/vkskin/vkskin.glsl. */
SIMD_INLINE Square octahedral(Vectors v, const float fallback[3]) {
    SimdFloat sum = absSum(v);
    SimdMask odd = simdOutside(sum, SMALLEST_SUM, LARGEST_SUM);
    if (simdMaskBits(odd) != 0) {
        v = rescue(v, odd, fallback);
        sum = absSum(v);
    }
    const SimdFloat zero = simdSplat(0.0f), one = simdSplat(1.0f);
    SimdFloat inverse = simdRoughInverse(sum);
    inverse = inverse * simdNegativeMultiplyAdd(sum, inverse, simdSplat(2.0f));
    SimdFloat x = v.x * inverse;
    SimdFloat y = v.y * inverse;
    SimdMask lower = simdLess(v.z, zero);
    SimdFloat foldedX = simdNegateWhere(simdLess(x, zero), one - simdAbs(y));
    SimdFloat foldedY = simdNegateWhere(simdLess(y, zero), one - simdAbs(x));
    return (Square){simdSelect(lower, foldedX, x), simdSelect(lower, foldedY, y)};
}

SIMD_INLINE SimdInt packSquare(Square e, float xSize, float ySize) {
    return simdPackHalves(simdToInt(e.x * simdSplat(xSize)), simdToInt(e.y * simdSplat(ySize)));
}

SIMD_INLINE SimdFloat packNormals(Vectors normal) {
    return simdAsFloat(packSquare(octahedral(normal, normalFallback), 32767.0f, 32767.0f));
}

SIMD_INLINE SimdFloat packTangents(Vectors tangent, SimdFloat handedness) {
    SimdInt words = packSquare(octahedral(tangent, tangentFallback), 32767.0f, 16383.0f);
    return simdAsFloat(simdCopySign(words, handedness));
}

/* A word of VKSKIN_VERTEX_SNORM10. v: of unit length. w: -1, 0 or 1. */
SIMD_INLINE SimdFloat packSnorm10(Vectors v, SimdFloat w) {
    const SimdFloat size = simdSplat(511.0f);
    return simdAsFloat(simdPackTens(simdToInt(v.x * size), simdToInt(v.y * size), simdToInt(v.z * size), simdToInt(w)));
}

/* ---- Output ---- */

/*
 * Normal and tangent of each four lanes as seven vectors of four words:
 *     nx0 ny0 nz0 tx0 | ty0 tz0 w0 nx1 | ny1 nz1 tx1 ty1 | tz1 w1 nx2 ny2 | nz2 tx2 ty2 tz2 | w2 nx3 ny3 nz3 | tx3 ...
 */
SIMD_INLINE void joinFloats(Vectors n, Vectors t, SimdFloat w, SimdFloat out[7]) {
    SimdFloat nxy01 = simdUnpackLow(n.x, n.y), nxy23 = simdUnpackHigh(n.x, n.y);
    SimdFloat nzx01 = simdUnpackLow(n.z, t.x), nzx23 = simdUnpackHigh(n.z, t.x);
    SimdFloat tyz01 = simdUnpackLow(t.y, t.z), tyz23 = simdUnpackHigh(t.y, t.z);
    SimdFloat wx = simdShuffle(w, n.x, 0, 2, 1, 3);        /* w0 w2 nx1 nx3 */
    SimdFloat zw = simdShuffle(t.z, w, 1, 3, 1, 3);        /* tz1 tz3 w1 w3 */
    SimdFloat nz1 = simdShuffle(nzx01, tyz01, 2, 3, 2, 2); /* nz1 tx1 ty1 */
    SimdFloat ny3 = simdShuffle(nxy23, nzx23, 2, 3, 2, 2); /* nx3 ny3 nz3 */
    SimdFloat ty3 = simdShuffle(tyz23, zw, 2, 3, 3, 3);    /* ty3 tz3 w3 */
    SimdFloat w2 = simdShuffle(wx, wx, 1, 1, 1, 1);        /* w2 */
    out[0] = simdShuffle(nxy01, nzx01, 0, 1, 0, 1);
    out[1] = simdShuffle(tyz01, wx, 0, 1, 0, 2);
    out[2] = simdLastAndThree(nxy01, nz1);
    out[3] = simdShuffle(zw, nxy23, 0, 2, 0, 1);
    out[4] = simdShuffle(nzx23, tyz23, 0, 1, 0, 1);
    out[5] = simdLastAndThree(w2, ny3);
    out[6] = simdLastAndThree(nzx23, ty3);
}

SIMD_INLINE void put(void *to, const SimdFloat *vectors, uint32_t count, bool stream) {
    for (uint32_t i = 0; i < count; i++) {
        if (stream) {
            simdStream((float *)to + (size_t)i * SIMD_WIDTH, vectors[i]);
        } else {
            simdStore((float *)to + (size_t)i * SIMD_WIDTH, vectors[i]);
        }
    }
}

SIMD_INLINE void putVectors(void *to, Vectors v, bool stream) {
    SimdFloat joined[3];
    simdInterleave3(v.x, v.y, v.z, joined);
    put(to, joined, 3, stream);
}

SIMD_INLINE void writeAttributes(const BlendBlock *block, BlendShape shape, uint32_t lane, Vectors normal,
                                 Vectors tangent, uint32_t *to) {
    SimdFloat joined[7], none = simdSplat(0.0f);
    SimdFloat handedness = shape.tangents ? simdLoad(block->tangents[3].f + lane) : none;
    if (shape.format != VKSKIN_VERTEX_PACKED) { /* octahedral packing takes vectors of any length */
        normal = unitOr(normal, normalFallback);
        tangent = shape.tangents ? unitOr(tangent, tangentFallback) : normal;
    }
    if (shape.format == VKSKIN_VERTEX_FLOAT && shape.tangents) {
        SimdFloat fours[7];
        joinFloats(normal, tangent, handedness, fours);
        simdInterleave7(fours, joined);
        put(to, joined, 7, shape.stream);
        return;
    }
    if (shape.format == VKSKIN_VERTEX_FLOAT) {
        putVectors(to, normal, shape.stream);
        return;
    }
    const bool octahedral = shape.format == VKSKIN_VERTEX_PACKED;
    joined[0] = octahedral ? packNormals(normal) : packSnorm10(normal, none);
    if (shape.tangents) {
        SimdFloat second = octahedral ? packTangents(tangent, handedness) : packSnorm10(tangent, handedness);
        simdInterleave2(joined[0], second, joined);
    }
    put(to, joined, 1 + shape.tangents, shape.stream);
}

/* ---- Blocks ---- */

/* Transformed normals and tangents, before normalisation. */
typedef struct Turned {
    Vectors normal, tangent;
} Turned;

/* Writes positions. */
SIMD_INLINE Turned blendLanes(const BlendBlock *block, BlendShape shape, uint32_t lane, const BlendTarget *target) {
    SimdFloat matrix[12];
    blend(block, target->palette, lane, matrix);
    Vectors position = loadVectors(block->positions, lane);
    putVectors(target->positions + 3 * (size_t)lane, transformPoint(matrix, position), shape.stream);
    if (!shape.normals) {
        return (Turned){position, position};
    }
    Turned turned;
    turned.normal = loadVectors(block->normals, lane);
    turned.normal =
        block->exactNormals ? transformNormal(matrix, turned.normal) : transformDirection(matrix, turned.normal);
    turned.tangent = shape.tangents ? transformDirection(matrix, loadVectors(block->tangents, lane)) : turned.normal;
    return turned;
}

SIMD_INLINE void finishLanes(const BlendBlock *block, BlendShape shape, uint32_t lane, Turned turned,
                             const BlendTarget *target) {
    if (shape.normals) {
        uint32_t words = shape.format == VKSKIN_VERTEX_FLOAT ? 3 + 4 * shape.tangents : 1 + shape.tangents;
        uint32_t *to = target->attributes + (size_t)words * lane;
        writeAttributes(block, shape, lane, turned.normal, turned.tangent, to);
    }
}

/* A step is one long chain of dependent instructions. Each step is finished after the next one has started, so that the
 * processor works on both. */
SIMD_INLINE void blendTargets(const BlendBlock *block, BlendShape shape, const BlendTarget *targets, uint32_t count) {
    if (count == 0) {
        return;
    }
    const uint32_t parts = LANES / SIMD_WIDTH;
    Turned before = blendLanes(block, shape, 0, targets);
    for (uint32_t step = 1; step < count * parts; step++) {
        uint32_t last = step - 1;
        Turned turned = blendLanes(block, shape, step % parts * SIMD_WIDTH, &targets[step / parts]);
        finishLanes(block, shape, last % parts * SIMD_WIDTH, before, &targets[last / parts]);
        before = turned;
    }
    finishLanes(block, shape, LANES - SIMD_WIDTH, before, &targets[count - 1]);
}

/* ---- Kernels ---- */

typedef void (*BlendKernel)(const BlendBlock *block, const BlendTarget *targets, uint32_t count);

/* Streaming kernels are functions of their own: compilers merge a streaming store with a plain store to one address. */
#define BLEND_KERNEL(name, ...)                                                                                        \
    static void name(const BlendBlock *block, const BlendTarget *targets, uint32_t count) {                            \
        blendTargets(block, (BlendShape){__VA_ARGS__}, targets, count);                                                \
    }
BLEND_KERNEL(blendPositions, .stream = false)
BLEND_KERNEL(streamPositions, .stream = true)

#define FORMAT_KERNELS(FORMAT, text)                                                                                   \
    BLEND_KERNEL(blendNormals##FORMAT, VKSKIN_VERTEX_##FORMAT, .normals = true)                                        \
    BLEND_KERNEL(streamNormals##FORMAT, VKSKIN_VERTEX_##FORMAT, .normals = true, .stream = true)                       \
    BLEND_KERNEL(blendTangents##FORMAT, VKSKIN_VERTEX_##FORMAT, .normals = true, .tangents = true)                     \
    BLEND_KERNEL(streamTangents##FORMAT, VKSKIN_VERTEX_##FORMAT, .normals = true, .tangents = true, .stream = true)
VKSKIN_VERTEX_FORMATS(FORMAT_KERNELS)

#define FORMAT_ROW(FORMAT, text)                                                                                       \
    {{blendNormals##FORMAT, streamNormals##FORMAT}, {blendTangents##FORMAT, streamTangents##FORMAT}},

static BlendKernel kernelOf(const CpuMesh *mesh, bool stream) {
    static const BlendKernel kernels[VKSKIN_VERTEX_FORMAT_COUNT][2][2] = {VKSKIN_VERTEX_FORMATS(FORMAT_ROW)};
    if (!mesh->info.hasNormals) {
        return stream ? streamPositions : blendPositions;
    }
    return kernels[mesh->info.format][mesh->info.hasTangents][stream];
}

/* ---- Runs ---- */

/* Writes the first `count` vertices of a block through a buffer. */
static void blendTail(const BlendBlock *block, const CpuRunWork *work, const BlendTarget *target, uint32_t count) {
    _Alignas(SIMD_LINE) float positions[LANES * 3];
    _Alignas(SIMD_LINE) uint32_t attributes[LANES * 7];
    BlendTarget staged = {target->palette, positions, attributes};
    kernelOf(work->mesh, false)(block, &staged, 1);
    simdCopyWords(target->positions, positions, count * 3, false);
    if (work->mesh->attributeWords > 0) {
        simdCopyWords(target->attributes, attributes, count * work->mesh->attributeWords, false);
    }
}

static inline BlendTarget blockOf(const CpuRunWork *work, const CpuTarget *target, uint32_t first) {
    BlendTarget block = {target->command->palette, target->positions + 3 * (size_t)first, NULL};
    if (work->mesh->attributeWords > 0) {
        block.attributes = target->attributes + (size_t)work->mesh->attributeWords * first;
    }
    return block;
}

/* Streaming kernels write whole lines, and a block is a whole number of lines in each format. */
static inline bool canStream(const BlendTarget *target) {
    return simdOnLine(target->positions) && simdOnLine(target->attributes);
}

static void blendWholeBlock(const BlendBlock *block, const CpuRunWork *work, uint32_t first) {
    BlendTarget streamed[TASK_INSTANCES], stored[TASK_INSTANCES];
    uint32_t streamedCount = 0, storedCount = 0;
    for (uint32_t i = 0; i < work->count; i++) {
        BlendTarget target = blockOf(work, &work->targets[i], first);
        if (work->stream && canStream(&target)) {
            streamed[streamedCount++] = target;
        } else {
            stored[storedCount++] = target;
        }
    }
    kernelOf(work->mesh, true)(block, streamed, streamedCount);
    kernelOf(work->mesh, false)(block, stored, storedCount);
}

void SIMD_NAME(sknBlendRun)(const CpuRunWork *work) {
    for (uint32_t first = 0; first < work->run->vertexCount; first += LANES) {
        uint32_t count = work->run->vertexCount - first < LANES ? work->run->vertexCount - first : LANES;
        BlendBlock block = findBlock(work, first / LANES);
        if (count == LANES) {
            blendWholeBlock(&block, work, first);
            continue;
        }
        for (uint32_t i = 0; i < work->count; i++) {
            BlendTarget target = blockOf(work, &work->targets[i], first);
            blendTail(&block, work, &target, count);
        }
    }
}

#endif
