/*
 * Skins runs of every method pair, vertex format and influence count, one block at a time for all copies while the block
 * is in the cache. Compiled once per instruction level: loops over the lanes of a block become vector instructions.
 */
#include "cpu_run.h"
#include "methods.h"
#include "mesh_pack.h"
#include "simd.h"
#include "vector_math.h"

/* ---- Blocks ---- */

/* A block of a mesh. */
typedef struct LaneBlock {
    const CpuMesh *mesh;
    const Row *rows;
    uint32_t number;     /* in the mesh */
    uint32_t influences; /* rows of weight and joint */
    uint32_t attributes; /* 0: positions alone, 1: normals, 2: normals and tangents */
} LaneBlock;

/* The vertices of a block for one copy. Rows that the mesh does not have are unset; z of a flat mesh is 0. */
typedef struct LaneVertices {
    Row position[3];
    Row normal[3];
    Row tangent[3];
} LaneVertices;

SIMD_INLINE Vec3 laneVector(const Row rows[3], uint32_t lane) {
    return (Vec3){rows[0].f[lane], rows[1].f[lane], rows[2].f[lane]};
}

SIMD_INLINE void setLaneVector(Row rows[3], uint32_t lane, Vec3 v) {
    rows[0].f[lane] = v.x;
    rows[1].f[lane] = v.y;
    rows[2].f[lane] = v.z;
}

SIMD_INLINE Quat laneQuat(const Row rows[4], uint32_t lane) {
    return (Quat){rows[0].f[lane], rows[1].f[lane], rows[2].f[lane], rows[3].f[lane]};
}

/* A loop, because compilers may turn memcpy into instructions that are slow to start. */
SIMD_INLINE void copyRows(Row *to, const Row *from, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            to[r].u[lane] = from[r].u[lane];
        }
    }
}

SIMD_INLINE const Row *laneWeights(const LaneBlock *block, uint32_t influence) {
    return block->rows + block->mesh->map.influences + block->mesh->map.perInfluence * (size_t)influence;
}

SIMD_INLINE const Row *laneJoints(const LaneBlock *block, uint32_t influence) {
    return laneWeights(block, influence) + 1;
}

/* ---- Palette entries ---- */

typedef struct Palette {
    const float *words;
    uint32_t stride; /* words of an entry */
} Palette;

/* Loads the four words from word `at` of each lane's entry, transposed to four rows. Transposing in registers allows
 * whole-row stores: loads of a row that was written in small stores would wait for them. */
SIMD_INLINE void gatherQuad(const Palette *palette, const Row *joints, uint32_t at, Row rows[4]) {
#if SIMD_WIDTH > 1
    for (uint32_t lane = 0; lane < LANES; lane += SIMD_WIDTH) {
        SimdFloat quad[4];
        for (uint32_t i = 0; i < 4; i++) {
            quad[i] = simdLoadFours(palette->words + at, palette->stride, joints->u + lane + i);
        }
        simdTranspose4(quad);
        for (uint32_t i = 0; i < 4; i++) {
            simdStore(rows[i].f + lane, quad[i]);
        }
    }
#else
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const float *entry = palette->words + (size_t)joints->u[lane] * palette->stride + at;
        for (uint32_t w = 0; w < 4; w++) {
            rows[w].f[lane] = entry[w];
        }
    }
#endif
}

/* The blended bones of each vertex: point p goes to linear (p - centre) + move. */
typedef struct LaneBone {
    Row linear[9]; /* row-major */
    Row move[3];
    Row normal[9];     /* for normals; set if they are exact */
    const Row *centre; /* 3 rows; null: the origin */
} LaneBone;

SIMD_INLINE Mat3 laneMatrix(const Row rows[9], uint32_t lane) {
    return (Mat3){{laneVector(rows, lane), laneVector(rows + 3, lane), laneVector(rows + 6, lane)}};
}

SIMD_INLINE void setLaneMatrix(Row rows[9], uint32_t lane, Mat3 m) {
    for (uint32_t r = 0; r < 3; r++) {
        setLaneVector(rows + 3 * (size_t)r, lane, m.rows[r]);
    }
}

/* ---- Matrices ---- */

static inline void clearRows(Row *rows, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            rows[r].f[lane] = 0.0f;
        }
    }
}

static inline void addRows(Row *sum, const Row *weights, const Row *rows, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            sum[r].f[lane] += weights->f[lane] * rows[r].f[lane];
        }
    }
}

/* VKSKIN_PALETTE_MAT3X4, one row of the matrix at a time. */
static inline void blendMatrices(const LaneBlock *block, const Palette *palette, LaneBone *bone) {
    for (uint32_t r = 0; r < 3; r++) {
        Row sum[4];
        clearRows(sum, 4);
        for (uint32_t i = 0; i < block->influences; i++) {
            Row part[4];
            gatherQuad(palette, laneJoints(block, i), 4 * r, part);
            addRows(sum, laneWeights(block, i), part, 4);
        }
        copyRows(bone->linear + 3 * (size_t)r, sum, 3);
        bone->move[r] = sum[3];
    }
}

/* An entry of six words. */
static inline void readSix(const Palette *palette, const Row *joints, Row part[6]) {
    gatherQuad(palette, joints, 0, part);
    gatherQuad(palette, joints, 2, part + 2);
}

/* VKSKIN_PALETTE_MAT2X3. */
static inline void blendFlatMatrices(const LaneBlock *block, const Palette *palette, LaneBone *bone) {
    clearRows(bone->linear, 9);
    clearRows(bone->move, 3);
    for (uint32_t i = 0; i < block->influences; i++) {
        Row part[6];
        readSix(palette, laneJoints(block, i), part);
        for (uint32_t r = 0; r < 2; r++) {
            addRows(bone->linear + 3 * (size_t)r, laneWeights(block, i), part + 3 * (size_t)r, 2);
            addRows(bone->move + r, laneWeights(block, i), part + 3 * (size_t)r + 2, 1);
        }
    }
}

/* ---- Quaternions with translation and scale, converted to matrices ---- */

static inline void readHalves(const Palette *palette, const Row *joints, Row part[8]) {
    Row words[4];
    gatherQuad(palette, joints, 0, words);
    for (size_t w = 0; w < 4; w++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            part[2 * w].f[lane] = halfToFloat(words[w].u[lane]);
            part[2 * w + 1].f[lane] = halfToFloat(words[w].u[lane] >> 16);
        }
    }
}

static inline void readSnorms(const Palette *palette, const Row *joints, Row part[8]) {
    Row words[6];
    readSix(palette, joints, words);
    copyRows(part + 4, words + 2, 4);
    for (size_t w = 0; w < 2; w++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            part[2 * w].f[lane] = snormToFloat(words[w].u[lane]);
            part[2 * w + 1].f[lane] = snormToFloat(words[w].u[lane] >> 16);
        }
    }
}

/* Normalises quaternions that were rounded to few bits. Zero stays zero. */
static inline void bringToUnit(Row quat[4]) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        Quat q = laneQuat(quat, lane);
        q = scaleQuat(inverseLength(q), q);
        setLaneVector(quat, lane, axis(q));
        quat[3].f[lane] = q.w;
    }
}

static inline void readQuaternion(VkskinPaletteEncoding encoding, const Palette *palette, const Row *joints,
                                  Row part[8]) {
    switch (encoding) {
    case VKSKIN_PALETTE_QUATERNION:
        gatherQuad(palette, joints, 0, part);
        gatherQuad(palette, joints, 4, part + 4);
        break;
    case VKSKIN_PALETTE_QUATERNION_HALF:
        readHalves(palette, joints, part);
        bringToUnit(part);
        break;
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        readSnorms(palette, joints, part);
        bringToUnit(part);
        break;
    case VKSKIN_PALETTE_MAT3X4:
    case VKSKIN_PALETTE_MAT2X3:
    case VKSKIN_PALETTE_DUAL_QUATERNION:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        break; /* not of blendQuaternions */
    }
}

static inline void blendQuaternions(const LaneBlock *block, VkskinPaletteEncoding encoding, const Palette *palette,
                                    LaneBone *bone) {
    clearRows(bone->linear, 9);
    clearRows(bone->move, 3);
    for (uint32_t i = 0; i < block->influences; i++) {
        const Row *weights = laneWeights(block, i);
        Row part[8];
        readQuaternion(encoding, palette, laneJoints(block, i), part);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            Mat3 turn = rotationMatrix(laneQuat(part, lane));
            Mat3 sum = laneMatrix(bone->linear, lane);
            for (uint32_t r = 0; r < 3; r++) {
                /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the loop above sets every element */
                sum.rows[r] = add(sum.rows[r], scale(weights->f[lane], scale(part[7].f[lane], turn.rows[r])));
            }
            setLaneMatrix(bone->linear, lane, sum);
        }
        addRows(bone->move, weights, part + 4, 3);
    }
}

/* ---- Dual quaternions ---- */

typedef struct LaneDual {
    Row real[4];
    Row dual[4];
} LaneDual;

SIMD_INLINE Dual laneDual(const LaneDual *dual, uint32_t lane) {
    return (Dual){laneQuat(dual->real, lane), laneQuat(dual->dual, lane)};
}

static inline void readDual(const Palette *palette, const Row *joints, LaneDual *part) {
    gatherQuad(palette, joints, 0, part->real);
    gatherQuad(palette, joints, 4, part->dual);
}

/* q and -q are the same rotation. Negates the weights of those opposite to the pivot, so that they do not cancel. */
static inline void alignWeights(const Row *weights, const Row pivot[4], const Row real[4], Row *aligned) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        bool opposite = dotQuat(laneQuat(pivot, lane), laneQuat(real, lane)) < 0.0f;
        aligned->f[lane] = opposite ? -weights->f[lane] : weights->f[lane];
    }
}

/* Divides by the length of the real part. Zero stays zero. */
static inline void unitDual(LaneDual *sum) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        float inverse = inverseLength(laneQuat(sum->real, lane));
        for (uint32_t i = 0; i < 4; i++) {
            sum->real[i].f[lane] *= inverse;
            sum->dual[i].f[lane] *= inverse;
        }
    }
}

/* Kavan et al. 2008: the weighted sum of unit dual quaternions, normalised by its real part. */
static inline void blendDuals(const LaneBlock *block, const Palette *palette, LaneDual *sum) {
    Row pivot[4];
    gatherQuad(palette, laneJoints(block, 0), 0, pivot);
    clearRows(sum->real, 4);
    clearRows(sum->dual, 4);
    for (uint32_t i = 0; i < block->influences; i++) {
        LaneDual part;
        Row aligned;
        readDual(palette, laneJoints(block, i), &part);
        alignWeights(laneWeights(block, i), pivot, part.real, &aligned);
        addRows(sum->real, &aligned, part.real, 4);
        addRows(sum->dual, &aligned, part.dual, 4);
    }
    unitDual(sum);
}

static inline void setRigid(const LaneDual *dual, LaneBone *bone) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        Dual q = laneDual(dual, lane);
        setLaneMatrix(bone->linear, lane, rotationMatrix(q.real));
        setLaneVector(bone->move, lane, translationOf(q));
    }
}

/* ---- Dual quaternions after a symmetric stretch (xx, yy, zz, xy, xz, yz) ---- */

SIMD_INLINE Mat3 laneStretch(const Row s[6], uint32_t lane) {
    float xy = s[3].f[lane], xz = s[4].f[lane], yz = s[5].f[lane];
    return (Mat3){{{s[0].f[lane], xy, xz}, {xy, s[1].f[lane], yz}, {xz, yz, s[2].f[lane]}}};
}

/* part[6] and part[7] are padding. */
static inline void readStretch(const Palette *palette, const Row *joints, Row part[8]) {
    gatherQuad(palette, joints, 8, part);
    gatherQuad(palette, joints, 12, part + 4);
}

static inline void blendStretches(const LaneBlock *block, const Palette *palette, Row sum[6]) {
    clearRows(sum, 6);
    for (uint32_t i = 0; i < block->influences; i++) {
        Row part[8];
        readStretch(palette, laneJoints(block, i), part);
        addRows(sum, laneWeights(block, i), part, 6);
    }
}

static inline void setStretched(const LaneDual *dual, const Row stretch[6], LaneBone *bone) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        Dual q = laneDual(dual, lane);
        setLaneMatrix(bone->linear, lane, timesSymmetric(rotationMatrix(q.real), laneStretch(stretch, lane)));
        setLaneVector(bone->move, lane, translationOf(q));
    }
}

/* Products of three elements of a matrix fit a float if the sum of its squares lies between these. */
#define SMALLEST_SQUARES 0x1p-40f
#define LARGEST_SQUARES  0x1p40f

static inline bool anyOdd(const Row *rows, uint32_t count) {
    uint32_t odd = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        float squares = 0.0f;
        for (uint32_t r = 0; r < count; r++) {
            squares += rows[r].f[lane] * rows[r].f[lane];
        }
        odd |= !(squares >= SMALLEST_SQUARES) | !(squares <= LARGEST_SQUARES);
    }
    return odd != 0;
}

/* Scales each lane's largest element to about 1. */
static SIMD_NOINLINE void bringToOne(Row *rows, uint32_t count) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        float largest = 0.0f;
        for (uint32_t r = 0; r < count; r++) {
            largest = fabsf(rows[r].f[lane]) > largest ? fabsf(rows[r].f[lane]) : largest;
        }
        for (uint32_t r = 0; r < count; r++) {
            rows[r].f[lane] *= inverseSize(largest);
        }
    }
}

/* Normals do not depend on the size of a matrix, but very large and very small cofactors do not fit a float. */
static inline void fitCofactors(Row *rows, uint32_t count) {
    if (anyOdd(rows, count)) {
        bringToOne(rows, count);
    }
}

/* The cofactors of the stretch, which are symmetric too, then the rotation. */
static inline void setStretchedNormals(const LaneDual *dual, const Row stretch[6], LaneBone *bone) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        Mat3 cofactors = normalMatrix(laneStretch(stretch, lane));
        setLaneMatrix(bone->normal, lane, timesSymmetric(rotationMatrix(laneQuat(dual->real, lane)), cofactors));
    }
}

/* Not inlined: compilers vectorise the loops of one method better on their own. */
static SIMD_NOINLINE void blendStretched(const LaneBlock *block, const Palette *palette, bool exact, LaneBone *bone) {
    LaneDual dual;
    Row stretch[6];
    blendDuals(block, palette, &dual);
    blendStretches(block, palette, stretch);
    setStretched(&dual, stretch, bone);
    if (exact) {
        fitCofactors(stretch, 6);
        setStretchedNormals(&dual, stretch, bone);
    }
}

/* The matrix of one influence. */
static inline void readStretched(const LaneBlock *block, const Palette *palette, uint32_t influence, LaneBone *part) {
    LaneDual dual;
    Row stretch[8];
    readDual(palette, laneJoints(block, influence), &dual);
    readStretch(palette, laneJoints(block, influence), stretch);
    setStretched(&dual, stretch, part);
}

/* Le and Hodgins 2016: linear blending moves the centre; the blended rotation and stretch act about it. */
static inline void blendCentred(const LaneBlock *block, const Palette *palette, bool exact, LaneBone *bone) {
    Row moved[3];
    const Row *centre = block->rows + block->mesh->map.centre;
    clearRows(moved, 3);
    for (uint32_t i = 0; i < block->influences; i++) {
        LaneBone part;
        readStretched(block, palette, i, &part);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            Vec3 to = mapVector(laneMatrix(part.linear, lane), laneVector(centre, lane));
            to = add(to, laneVector(part.move, lane));
            Vec3 sum = laneVector(moved, lane);
            setLaneVector(moved, lane, add(sum, scale(laneWeights(block, i)->f[lane], to)));
        }
    }
    blendStretched(block, palette, exact, bone);
    copyRows(bone->move, moved, 3);
    bone->centre = centre;
}

static inline void mixRows(Row *rows, const Row *others, const Row *share, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            float t = share->f[lane];
            rows[r].f[lane] = rows[r].f[lane] * (1.0f - t) + others[r].f[lane] * t;
        }
    }
}

/* Interpolates from linear blending to scaled dual quaternions by the weight painted for each vertex. */
static inline void blendPainted(const LaneBlock *block, const Palette *palette, LaneBone *bone) {
    LaneBone stretched;
    const Row *share = block->rows + block->mesh->map.blend;
    blendStretched(block, palette, false, &stretched);
    clearRows(bone->linear, 9);
    clearRows(bone->move, 3);
    for (uint32_t i = 0; i < block->influences; i++) {
        LaneBone part;
        readStretched(block, palette, i, &part);
        addRows(bone->linear, laneWeights(block, i), part.linear, 9);
        addRows(bone->move, laneWeights(block, i), part.move, 3);
    }
    mixRows(bone->linear, stretched.linear, share, 9);
    mixRows(bone->move, stretched.move, share, 3);
}

/* ---- All methods ---- */

static inline void setNormals(LaneBone *bone) {
    copyRows(bone->normal, bone->linear, 9);
    fitCofactors(bone->normal, 9);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        setLaneMatrix(bone->normal, lane, normalMatrix(laneMatrix(bone->normal, lane)));
    }
}

static inline void blendLinear(const LaneBlock *block, VkskinPaletteEncoding encoding, const Palette *palette,
                               LaneBone *bone) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        blendMatrices(block, palette, bone);
        break;
    case VKSKIN_PALETTE_MAT2X3:
        blendFlatMatrices(block, palette, bone);
        break;
    case VKSKIN_PALETTE_QUATERNION:
    case VKSKIN_PALETTE_QUATERNION_HALF:
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        blendQuaternions(block, encoding, palette, bone);
        break;
    case VKSKIN_PALETTE_DUAL_QUATERNION:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        break; /* not of a pair with linear blend */
    }
}

/* exact: also sets bone->normal. */
static inline void blendBones(const LaneBlock *block, const MethodPair *pair, const Palette *palette, bool exact,
                              LaneBone *bone) {
    bone->centre = NULL;
    switch (pair->method) {
    case VKSKIN_METHOD_DUAL_QUATERNION: {
        LaneDual dual;
        blendDuals(block, palette, &dual);
        setRigid(&dual, bone);
        break;
    }
    case VKSKIN_METHOD_SCALED_DUAL_QUATERNION:
        blendStretched(block, palette, exact, bone);
        break;
    case VKSKIN_METHOD_CENTRES_OF_ROTATION:
        blendCentred(block, palette, exact, bone);
        break;
    case VKSKIN_METHOD_PAINTED_BLEND:
        blendPainted(block, palette, bone);
        break;
    case VKSKIN_METHOD_LINEAR_BLEND:
        blendLinear(block, pair->encoding, palette, bone);
        break;
    }
    bool matrix = pair->method == VKSKIN_METHOD_LINEAR_BLEND || pair->method == VKSKIN_METHOD_PAINTED_BLEND;
    if (exact && matrix) {
        setNormals(bone);
    }
}

/* ---- Morph targets ---- */

/* words: `width` floats per delta, from offset `stream`. Offset 0: the target has none. */
static inline void addDelta(const uint32_t *words, uint32_t stream, uint32_t delta, uint32_t width, float weight,
                            uint32_t lane, Row *rows) {
    if (stream == 0) {
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        float value;
        memcpy(&value, words + stream + (size_t)delta * width + i, sizeof value);
        rows[i].f[lane] += weight * value;
    }
}

/* Returns the lanes that a target moves, as bits. delta: receives the index of the delta of the first. */
static inline uint32_t movedLanes(const LaneBlock *block, const LayoutMorph *head, uint32_t *delta) {
    const uint32_t *words = block->mesh->morphWords;
    uint32_t place = LANES * block->number;
    uint32_t at = place / 32 - head->firstBlock; /* wraps around for blocks before the first */
    if (at >= head->blockCount) {
        return 0;
    }
    uint32_t moved = words[head->blocks + 2 * (size_t)at];
    *delta = words[head->blocks + 2 * (size_t)at + 1] + sknCountBits(moved & ((1u << place % 32) - 1u));
    return moved >> place % 32;
}

static inline void addMorph(const LaneBlock *block, const CpuMorphWeight *morph, LaneVertices *vertices) {
    const CpuMesh *mesh = block->mesh;
    const LayoutMorph *head = &mesh->morphs[morph->target];
    uint32_t delta = 0;
    uint32_t moved = movedLanes(block, head, &delta);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if ((moved >> lane & 1u) != 0) {
            addDelta(mesh->morphWords, head->positions, delta, mesh->positionWords, morph->weight, lane,
                     vertices->position);
            addDelta(mesh->morphWords, head->normals, delta, 3, morph->weight, lane, vertices->normal);
            addDelta(mesh->morphWords, head->tangents, delta, 3, morph->weight, lane, vertices->tangent);
            delta++;
        }
    }
}

static inline void addMorphs(const LaneBlock *block, const CpuMorphWeight *morphs, uint32_t count,
                             LaneVertices *vertices) {
    for (uint32_t i = 0; i < count; i++) {
        addMorph(block, &morphs[i], vertices);
    }
}

/* ---- A position per influence ---- */

/* The deltas of one influence. Influences of weight 0 that fill up a block have none. */
static inline void addPointDeltas(const LaneBlock *block, const CpuMorphWeight *morph, uint32_t influence,
                                  Row points[2]) {
    const LayoutMorph *head = &block->mesh->morphs[morph->target];
    uint32_t delta = 0;
    uint32_t moved = influence < head->width ? movedLanes(block, head, &delta) : 0;
    for (uint32_t lane = 0; lane < LANES && moved >> lane != 0; lane++) {
        if ((moved >> lane & 1u) != 0) {
            addDelta(block->mesh->morphWords, head->positions, delta * head->width + influence, 2, morph->weight, lane,
                     points);
            delta++;
        }
    }
}

/* VKSKIN_PALETTE_MAT2X3: the sum of weight x (bone x position). */
static inline void skinPoints(const LaneBlock *block, const CpuCommand *command, Row sum[3]) {
    const Palette palette = {command->palette, vkskinPaletteStride(VKSKIN_PALETTE_MAT2X3) / 4};
    clearRows(sum, 3);
    for (uint32_t i = 0; i < block->influences; i++) {
        const Row *weights = laneWeights(block, i);
        Row points[2], bone[6];
        copyRows(points, weights + 2, 2);
        for (uint32_t m = 0; m < command->morphsBefore; m++) {
            addPointDeltas(block, &command->morphs[m], i, points);
        }
        readSix(&palette, laneJoints(block, i), bone);
        for (size_t r = 0; r < 2; r++) {
            for (uint32_t lane = 0; lane < LANES; lane++) {
                sum[r].f[lane] +=
                    weights->f[lane] * (bone[3 * r].f[lane] * points[0].f[lane] +
                                        bone[3 * r + 1].f[lane] * points[1].f[lane] + bone[3 * r + 2].f[lane]);
            }
        }
    }
}

/* ---- Output ---- */

/* The output of a block. It is sent one block later: large loads right after small stores to the same memory stall. */
typedef struct LaneOutput {
    uint32_t positions[LANES * 3];
    uint32_t attributes[LANES * 7];
    uint32_t positionWords, attributeWords; /* to send */
    void *toPositions;
    void *toAttributes;
} LaneOutput;

/* Interleaves rows to vectors of two or three. */
SIMD_INLINE void joinTwo(const Row rows[2], uint32_t *restrict out) {
    for (size_t lane = 0; lane < LANES; lane++) {
        out[2 * lane] = rows[0].u[lane];
        out[2 * lane + 1] = rows[1].u[lane];
    }
}

SIMD_INLINE void joinThree(const Row rows[3], uint32_t *restrict out) {
    for (size_t lane = 0; lane < LANES; lane++) {
        out[3 * lane] = rows[0].u[lane];
        out[3 * lane + 1] = rows[1].u[lane];
        out[3 * lane + 2] = rows[2].u[lane];
    }
}

/* One word for each vector. handedness: null without tangents. */
static inline void packOctahedral(const LaneVertices *vertices, const Row *handedness, Row words[2]) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        words[0].u[lane] = packNormal(laneVector(vertices->normal, lane));
    }
    if (handedness != NULL) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            words[1].u[lane] = packTangent(laneVector(vertices->tangent, lane), handedness->f[lane]);
        }
    }
}

static inline void packSnorms10(const LaneVertices *vertices, const Row *handedness, Row words[2]) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        words[0].u[lane] = packSnorm10(laneVector(vertices->normal, lane), 0.0f);
    }
    if (handedness != NULL) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            words[1].u[lane] = packSnorm10(laneVector(vertices->tangent, lane), handedness->f[lane]);
        }
    }
}

static inline void packAttributes(const LaneBlock *block, const LaneVertices *vertices, uint32_t *out) {
    Row words[2];
    const Row *handedness = block->attributes == 2 ? block->rows + block->mesh->map.tangent + 3 : NULL;
    if (block->mesh->info.format == VKSKIN_VERTEX_PACKED) {
        packOctahedral(vertices, handedness, words);
    } else {
        packSnorms10(vertices, handedness, words);
    }
    if (handedness != NULL) {
        joinTwo(words, out);
    } else {
        memcpy(out, words[0].u, sizeof words[0].u);
    }
}

static inline void joinAttributes(const LaneBlock *block, const LaneVertices *vertices, uint32_t *out) {
    if (block->attributes == 1) {
        joinThree(vertices->normal, out);
        return;
    }
    const Row *handedness = block->rows + block->mesh->map.tangent + 3;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t *vertex = out + 7 * (size_t)lane;
        for (uint32_t i = 0; i < 3; i++) {
            vertex[i] = vertices->normal[i].u[lane];
            vertex[3 + i] = vertices->tangent[i].u[lane];
        }
        vertex[6] = handedness->u[lane];
    }
}

/* Interleaves the first `count` lanes. target: of the run; first: the block's first vertex in it. */
static inline void joinVertices(const LaneBlock *block, const LaneVertices *vertices, const CpuTarget *target,
                                uint32_t first, uint32_t count, LaneOutput *output) {
    uint32_t width = block->mesh->positionWords;
    uint32_t words = block->mesh->attributeWords;
    if (width == 3) {
        joinThree(vertices->position, output->positions);
    } else {
        joinTwo(vertices->position, output->positions);
    }
    if (words > 0 && block->mesh->info.format == VKSKIN_VERTEX_FLOAT) {
        joinAttributes(block, vertices, output->attributes);
    } else if (words > 0) {
        packAttributes(block, vertices, output->attributes);
    }
    output->positionWords = count * width;
    output->attributeWords = count * words;
    output->toPositions = target->positions + (size_t)first * width;
    output->toAttributes = words > 0 ? target->attributes + (size_t)first * words : NULL;
}

static inline void sendVertices(const LaneOutput *output, bool stream) {
    if (output->positionWords > 0) {
        simdCopyWords(output->toPositions, output->positions, output->positionWords, stream);
    }
    if (output->attributeWords > 0) {
        simdCopyWords(output->toAttributes, output->attributes, output->attributeWords, stream);
    }
}

/* ---- Skinning ---- */

static inline void readVertices(const LaneBlock *block, LaneVertices *vertices) {
    const RowMap *map = &block->mesh->map;
    copyRows(vertices->position, block->rows, 2);
    if (block->mesh->positionWords == 3) {
        copyRows(vertices->position + 2, block->rows + 2, 1);
    } else {
        vertices->position[2] = (Row){{0}};
    }
    if (block->attributes >= 1) {
        copyRows(vertices->normal, block->rows + map->normal, 3);
    }
    if (block->attributes == 2) {
        copyRows(vertices->tangent, block->rows + map->tangent, 3);
    }
}

static inline void mapRows(const Row matrix[9], Row vectors[3]) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        setLaneVector(vectors, lane, mapVector(laneMatrix(matrix, lane), laneVector(vectors, lane)));
    }
}

static inline void unitRows(Row vectors[3], Vec3 fallback) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        setLaneVector(vectors, lane, unitOr(laneVector(vectors, lane), fallback));
    }
}

static inline void movePoints(const LaneBone *bone, Row points[3]) {
    if (bone->centre != NULL) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            Vec3 from = laneVector(bone->centre, lane);
            setLaneVector(points, lane, add(laneVector(points, lane), scale(-1.0f, from)));
        }
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        Vec3 moved = mapVector(laneMatrix(bone->linear, lane), laneVector(points, lane));
        setLaneVector(points, lane, add(moved, laneVector(bone->move, lane)));
    }
}

static inline void normaliseAttributes(const LaneBlock *block, LaneVertices *vertices) {
    if (block->attributes >= 1) {
        unitRows(vertices->normal, (Vec3){0.0f, 0.0f, 1.0f});
    }
    if (block->attributes == 2) {
        unitRows(vertices->tangent, (Vec3){1.0f, 0.0f, 0.0f});
    }
}

static inline void skinVertices(const LaneBlock *block, const CpuCommand *command, LaneVertices *vertices) {
    if (block->influences > 0) {
        const MethodPair *pair = &sknMethodPairs[command->pair];
        bool exact = block->attributes > 0 && pair->stretches && block->mesh->info.normalRule == VKSKIN_NORMALS_EXACT;
        Palette palette = {command->palette, vkskinPaletteStride(pair->encoding) / 4};
        LaneBone bone;
        blendBones(block, pair, &palette, exact, &bone);
        movePoints(&bone, vertices->position);
        if (block->attributes >= 1) {
            mapRows(exact ? bone.normal : bone.linear, vertices->normal);
        }
        if (block->attributes == 2) {
            mapRows(bone.linear, vertices->tangent);
        }
    }
    normaliseAttributes(block, vertices);
}

static inline void skinBlock(const LaneBlock *block, const CpuCommand *command, LaneVertices *vertices) {
    if (block->mesh->info.hasInfluencePositions) {
        skinPoints(block, command, vertices->position);
    } else {
        readVertices(block, vertices);
        addMorphs(block, command->morphs, command->morphsBefore, vertices);
        skinVertices(block, command, vertices);
    }
    if (command->morphsAfter > 0) {
        addMorphs(block, command->morphs + command->morphsBefore, command->morphsAfter, vertices);
        normaliseAttributes(block, vertices);
    }
}

void SIMD_NAME(sknSkinRun)(const CpuRunWork *work) {
    const CpuMesh *mesh = work->mesh;
    const CpuRun *run = work->run;
    LaneOutput outputs[2] = {{.positionWords = 0}, {.positionWords = 0}};
    uint32_t step = 0;
    for (uint32_t first = 0; first < run->vertexCount; first += LANES) {
        uint32_t count = run->vertexCount - first < LANES ? run->vertexCount - first : LANES;
        LaneBlock block = {.mesh = mesh, .number = run->firstBlock + first / LANES};
        block.rows = sknRunBlock(mesh, run, first / LANES, &block.influences);
        block.attributes = mesh->info.hasTangents ? 2 : mesh->info.hasNormals ? 1 : 0;
        for (uint32_t i = 0; i < work->count; i++, step++) {
            LaneVertices vertices;
            skinBlock(&block, work->targets[i].command, &vertices);
            joinVertices(&block, &vertices, &work->targets[i], first, count, &outputs[step % 2]);
            if (step > 0) {
                sendVertices(&outputs[(step + 1) % 2], work->stream);
            }
        }
    }
    sendVertices(&outputs[(step + 1) % 2], work->stream);
}
