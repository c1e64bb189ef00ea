/*
 * lane_bone.h: what the influences of each vertex of a block blend to, by every method: a matrix about a point.
 */
#ifndef VKSKIN_LANE_BONE_H
#define VKSKIN_LANE_BONE_H

#include "lane_gather.h"
#include "methods.h"

/* A point p goes to linear (p - centre) + move. */
typedef struct LaneBone {
    Row linear[9]; /* row-major */
    Row move[3];
    Row normal[9];     /* turns normals; filled where they are exact */
    const Row *centre; /* 3 rows; null: the origin */
} LaneBone;

LANE_INLINE Mat3 laneMatrix(const Row rows[9], uint32_t lane) {
    return (Mat3){{laneVector(rows, lane), laneVector(rows + 3, lane), laneVector(rows + 6, lane)}};
}

LANE_INLINE void setLaneMatrix(Row rows[9], uint32_t lane, Mat3 m) {
    for (uint32_t r = 0; r < 3; r++) {
        setLaneVector(rows + 3 * (size_t)r, lane, m.rows[r]);
    }
}

/* ---- matrices ---- */

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

/* VKSKIN_PALETTE_MAT3X4: a row of the matrix at a time. */
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

/* ---- quaternions with a translation and a scale, turned into matrices ---- */

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

/* Rounded to few bits it is no longer of unit length; zero stays zero. */
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
                sum.rows[r] = add(sum.rows[r], scale(weights->f[lane], scale(part[7].f[lane], turn.rows[r])));
            }
            setLaneMatrix(bone->linear, lane, sum);
        }
        addRows(bone->move, weights, part + 4, 3);
    }
}

/* ---- dual quaternions ---- */

typedef struct LaneDual {
    Row real[4];
    Row dual[4];
} LaneDual;

LANE_INLINE Dual laneDual(const LaneDual *dual, uint32_t lane) {
    return (Dual){laneQuat(dual->real, lane), laneQuat(dual->dual, lane)};
}

static inline void readDual(const Palette *palette, const Row *joints, LaneDual *part) {
    gatherQuad(palette, joints, 0, part->real);
    gatherQuad(palette, joints, 4, part->dual);
}

/* q and -q are the same rotation: each joins the hemisphere of the pivot, lest they cancel out. */
static inline void turnWeights(const Row *weights, const Row pivot[4], const Row real[4], Row *turned) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        bool opposite = dotQuat(laneQuat(pivot, lane), laneQuat(real, lane)) < 0.0f;
        turned->f[lane] = opposite ? -weights->f[lane] : weights->f[lane];
    }
}

/* Divided by the length of the real part; a sum of nothing stays nothing. */
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
        Row turned;
        readDual(palette, laneJoints(block, i), &part);
        turnWeights(laneWeights(block, i), pivot, part.real, &turned);
        addRows(sum->real, &turned, part.real, 4);
        addRows(sum->dual, &turned, part.dual, 4);
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

/* ---- dual quaternions after a symmetric stretch: xx, yy, zz, xy, xz, yz ---- */

LANE_INLINE Mat3 laneStretch(const Row s[6], uint32_t lane) {
    float xy = s[3].f[lane], xz = s[4].f[lane], yz = s[5].f[lane];
    return (Mat3){{{s[0].f[lane], xy, xz}, {xy, s[1].f[lane], yz}, {xz, yz, s[2].f[lane]}}};
}

/* part: the two that are nothing at the end too. */
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

/* The cofactors of the stretch, which are symmetric too, and then the turn. */
static inline void setStretchedNormals(const LaneDual *dual, const Row stretch[6], LaneBone *bone) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        Mat3 cofactors = normalMatrix(laneStretch(stretch, lane));
        setLaneMatrix(bone->normal, lane, timesSymmetric(rotationMatrix(laneQuat(dual->real, lane)), cofactors));
    }
}

static inline void blendStretched(const LaneBlock *block, const Palette *palette, bool exact, LaneBone *bone) {
    LaneDual dual;
    Row stretch[6];
    blendDuals(block, palette, &dual);
    blendStretches(block, palette, stretch);
    setStretched(&dual, stretch, bone);
    if (exact) {
        setStretchedNormals(&dual, stretch, bone);
    }
}

/* An influence's own matrix. */
static inline void readStretched(const LaneBlock *block, const Palette *palette, uint32_t influence, LaneBone *part) {
    LaneDual dual;
    Row stretch[8];
    readDual(palette, laneJoints(block, influence), &dual);
    readStretch(palette, laneJoints(block, influence), stretch);
    setStretched(&dual, stretch, part);
}

/* Le and Hodgins 2016: linear blending moves the centre, the blended turn and stretch act about it. */
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

/* Linear blending and scaled dual quaternions mixed by the weight painted for each vertex. */
static inline void blendPainted(const LaneBlock *block, const Palette *palette, LaneBone *bone) {
    LaneBone turned;
    const Row *share = block->rows + block->mesh->map.blend;
    blendStretched(block, palette, false, &turned);
    clearRows(bone->linear, 9);
    clearRows(bone->move, 3);
    for (uint32_t i = 0; i < block->influences; i++) {
        LaneBone part;
        readStretched(block, palette, i, &part);
        addRows(bone->linear, laneWeights(block, i), part.linear, 9);
        addRows(bone->move, laneWeights(block, i), part.move, 3);
    }
    mixRows(bone->linear, turned.linear, share, 9);
    mixRows(bone->move, turned.move, share, 3);
}

/* ---- all of them ---- */

static inline void setNormals(LaneBone *bone) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        setLaneMatrix(bone->normal, lane, normalMatrix(laneMatrix(bone->linear, lane)));
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

/* exact: bone->normal is filled as well. */
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

#endif
