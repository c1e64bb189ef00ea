/*
 * crowd_lanes.h: how a batch is posed, for each width of lanes.h: crowd_portable.c, crowd_avx2.c and crowd_avx512.c are
 * this, compiled three times.
 *
 * A node is made a matrix and multiplied by its parent's while it is in registers; a group of bones is written as soon
 * as its nodes are there. Matrices are twelve Lanes, row-major.
 */
#ifndef VKSKIN_CROWD_LANES_H
#define VKSKIN_CROWD_LANES_H

#include "affine.h"
#include "crowd_batch.h"
#include "crowd_window.h"
#include "lanes.h"
#include "palette.h"

/* The 3x3 part of a matrix. */
static inline void turn(const Lanes q[4], Lanes m[12]) {
    /* 2 / length squared, by its tangent at 1. */
    const Lanes k = 4.0f - 2.0f * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const Lanes x = k * q[0];
    const Lanes y = k * q[1];
    const Lanes z = k * q[2];
    const Lanes xx = x * q[0], yy = y * q[1], zz = z * q[2];
    const Lanes wx = x * q[3], wy = y * q[3], wz = z * q[3];
    m[0] = 1.0f - (yy + zz);
    m[1] = x * q[1] - wz;
    m[2] = x * q[2] + wy;
    m[4] = x * q[1] + wz;
    m[5] = 1.0f - (xx + zz);
    m[6] = y * q[2] - wx;
    m[8] = x * q[2] - wy;
    m[9] = y * q[2] + wx;
    m[10] = 1.0f - (xx + yy);
}

static inline void scaleColumns(const Lanes scale[3], Lanes m[12]) {
    for (int i = 0; i < 3; ++i) {
        m[i] *= scale[i];
        m[4 + i] *= scale[i];
        m[8 + i] *= scale[i];
    }
}

/* product = a b */
static inline void multiply(const Lanes a[12], const Lanes b[12], Lanes product[12]) {
    for (int row = 0; row < 12; row += 4) {
        for (int column = 0; column < 4; ++column) {
            product[row + column] = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
        }
        product[row + 3] += a[row + 3];
    }
}

static inline void spread(const VkskinAffine *one, Lanes m[12]) {
    for (int i = 0; i < 12; ++i) {
        m[i] = lanesAll(one->m[i / 4][i % 4]);
    }
}

/* A channel that moves in some clip, or is the same for all. */
static inline void takeVector(VkskinPoseBatch crowd, const CrowdBatch *batch, Window *window, uint32_t track,
                              const float rest[3], Lanes vector[3]) {
    const Lanes *value = track != CROWD_NO_TRACK ? sampleTrack(crowd, batch, window, track) : NULL;
    for (int i = 0; i < 3; ++i) {
        vector[i] = value != NULL ? value[i] : lanesAll(rest[i]);
    }
}

/* Channels in the order of their tracks. */
static inline void sampleNode(VkskinPoseBatch crowd, const CrowdBatch *batch, Window *window, const CrowdNode *node,
                              Lanes local[12]) {
    Lanes move[3];
    Lanes scale[3];
    takeVector(crowd, batch, window, node->tracks[VKSKIN_CHANNEL_TRANSLATION], node->translation, move);
    if (node->tracks[VKSKIN_CHANNEL_ROTATION] != CROWD_NO_TRACK) {
        turn(sampleTrack(crowd, batch, window, node->tracks[VKSKIN_CHANNEL_ROTATION]), local);
    } else {
        for (int i = 0; i < 9; ++i) {
            local[i / 3 * 4 + i % 3] = lanesAll(node->rotation[i]);
        }
    }
    if (node->scales) {
        takeVector(crowd, batch, window, node->tracks[VKSKIN_CHANNEL_SCALE], node->scale, scale);
        scaleColumns(scale, local);
    }
    for (int i = 0; i < 3; ++i) {
        local[4 * i + 3] = move[i];
    }
}

static inline float *placeOf(float *work, uint32_t place) {
    return work + (size_t)place * 12 * LANES;
}

static inline void loadMatrix(const float *from, Lanes m[12]) {
    for (int i = 0; i < 12; ++i) {
        m[i] = lanesLoad(from + (size_t)i * LANES);
    }
}

static inline void storeMatrix(float *to, const Lanes m[12]) {
    for (int i = 0; i < 12; ++i) {
        lanesStore(to + (size_t)i * LANES, m[i]);
    }
}

static inline void poseNode(VkskinPoseBatch crowd, const CrowdBatch *batch, Window *window, const CrowdNode *node,
                            float *work) {
    Lanes local[12];
    Lanes other[12];
    Lanes product[12];
    if (!node->moves) {
        spread(&node->local, local);
    } else {
        sampleNode(crowd, batch, window, node, local);
        if (node->hasPre) {
            spread(&node->pre, other);
            multiply(other, local, product);
            for (int i = 0; i < 12; ++i) {
                local[i] = product[i];
            }
        }
    }
    if (node->parent == CROWD_NO_PARENT) {
        storeMatrix(placeOf(work, node->place), local);
    } else {
        loadMatrix(placeOf(work, node->parent), other);
        multiply(other, local, product);
        storeMatrix(placeOf(work, node->place), product);
    }
}

/* A group's floats, [CROWD_GROUP * 12] vectors, to 192 bytes at `offset` of each character's: line by line. */
static inline void writeLines(const Lanes *floats, void *const *targets, size_t offset, void (*write)(float *, Lanes)) {
    for (uint32_t line = 0; line < CROWD_GROUP * 12; line += 16) {
        Lanes parts[16 / LANES][LANES];
        for (int part = 0; part < 16 / LANES; ++part) {
            lanesTranspose(floats + line + (size_t)part * LANES, parts[part]);
        }
        for (int lane = 0; lane < LANES; ++lane) {
            float *target = (float *)(void *)((unsigned char *)targets[lane] + offset) + line;
            for (int part = 0; part < 16 / LANES; ++part) {
                write(target + (size_t)part * LANES, parts[part][lane]);
            }
        }
    }
}

/* Apart: of two ways behind a branch a compiler may make one, and that without streams. */
static LANES_APART void storeGroup(const Lanes *floats, void *const *targets, size_t offset) {
    writeLines(floats, targets, offset, lanesStore);
}

static LANES_APART void streamGroup(const Lanes *floats, void *const *targets, size_t offset) {
    writeLines(floats, targets, offset, lanesStream);
}

/* A group that is not full, lanes that are not, or another encoding: entry by entry. */
static LANES_APART void writeEntries(const Lanes *floats, CrowdBatch *batch, uint32_t firstBone, uint32_t boneCount) {
    VkskinAffine entries[LANES][CROWD_GROUP];
    void *targets[LANES];
    for (int lane = 0; lane < LANES; ++lane) {
        targets[lane] = entries[lane];
    }
    storeGroup(floats, targets, 0);
    for (uint32_t lane = 0; lane < batch->active; ++lane) {
        VkskinResult *result = &batch->results[lane];
        for (uint32_t bone = 0; bone < boneCount; ++bone) {
            const AffineDouble matrix = sknAffineWiden(&entries[lane][bone]);
            const VkskinResult written =
                sknWriteBone(&matrix, firstBone + bone, batch->encoding, batch->palettes[lane]);
            if (written < VKSKIN_SUCCESS || *result == VKSKIN_SUCCESS) {
                *result = written;
            }
        }
    }
}

/* strays: becomes NaN in lanes that have a matrix that is not finite. */
static inline void poseGroup(VkskinPoseBatch crowd, CrowdBatch *batch, uint32_t group, const float *work,
                             Lanes *strays) {
    const uint32_t firstBone = group * CROWD_GROUP;
    const uint32_t left = crowd->boneCount - firstBone;
    const uint32_t boneCount = left < CROWD_GROUP ? left : CROWD_GROUP;
    Lanes floats[CROWD_GROUP * 12];
    for (uint32_t i = boneCount * 12; i < CROWD_GROUP * 12; ++i) {
        floats[i] = lanesAll(0.0f);
    }
    for (uint32_t bone = 0; bone < boneCount; ++bone) {
        const CrowdBone *source = &crowd->bones[firstBone + bone];
        Lanes world[12];
        Lanes inverseBind[12];
        loadMatrix(work + (size_t)source->place * 12 * LANES, world);
        spread(&source->inverseBind, inverseBind);
        multiply(world, inverseBind, floats + (size_t)bone * 12);
        for (int i = 0; i < 12; ++i) {
            *strays += 0.0f * floats[bone * 12 + i];
        }
    }
    const size_t offset = (size_t)firstBone * sizeof(VkskinAffine);
    if (batch->encoding != VKSKIN_PALETTE_MAT3X4 || boneCount < CROWD_GROUP || batch->active < LANES) {
        writeEntries(floats, batch, firstBone, boneCount);
    } else if (batch->stream) {
        streamGroup(floats, batch->palettes, offset);
    } else {
        storeGroup(floats, batch->palettes, offset);
    }
}

static void poseBatch(VkskinPoseBatch crowd, CrowdBatch *batch, float *work) {
    Window window = {.time = lanesLoad(batch->time), .rest = lanesLoad(batch->rest)};
    const uint32_t groupCount = (crowd->boneCount + CROWD_GROUP - 1) / CROWD_GROUP;
    uint32_t group = 0;
    Lanes strays = {0};
    for (uint32_t node = 0; node < crowd->nodeCount; ++node) {
        poseNode(crowd, batch, &window, &crowd->nodes[node], work);
        for (; group < groupCount && crowd->groupNodes[group] <= node; ++group) {
            poseGroup(crowd, batch, group, work, &strays);
        }
    }
    if (batch->stream) {
        lanesFence();
    }
    const uint32_t stray = lanesBits(strays != strays); /* NOLINT(misc-redundant-expression): not a number */
    for (uint32_t lane = 0; lane < batch->active; ++lane) {
        if ((stray >> lane & 1) != 0) {
            batch->results[lane] = VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
    }
}

#endif
