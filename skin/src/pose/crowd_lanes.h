/*
 * crowd_lanes.h: how a batch is posed, for each width of lanes.h: crowd_portable.c, crowd_avx2.c and crowd_avx512.c are
 * this, compiled three times.
 *
 * A node is sampled, made a matrix and multiplied by its parent's while it is in registers; a group of bones is written
 * as soon as its nodes are there. Matrices are twelve Lanes, row-major.
 */
#ifndef VKSKIN_CROWD_LANES_H
#define VKSKIN_CROWD_LANES_H

#include "affine.h"
#include "crowd_batch.h"
#include "lanes.h"
#include "palette.h"
#include "sample.h"

_Static_assert(sizeof(CrowdKey) == 32, "two keys are sixteen floats");

/* Where the floats of a key and the next one come to lie once they are transposed. */
enum { FROM = 0, TIME = 4, PER_SECOND = 5, ANGLE = 6, PER_SINE = 7, TO = 8, END = 12, KEY_PAIR = 16 };

#define WINDOW_TRACKS 8u

/* Where the lanes are, and the keys there of some tracks. */
typedef struct KeyWindow {
    Lanes time;
    Lanes rest;
    uint32_t end; /* of the tracks whose keys are known: whole windows, or all */
    const CrowdKey *at[WINDOW_TRACKS][LANES];
} KeyWindow;

static inline uint32_t bitsOf(float value) {
    union {
        float number;
        uint32_t bits;
    } both = {value};
    return both.bits;
}

/*
 * The sine of 0 to a quarter turn, to 1e-7: an odd polynomial of least greatest error, which is 5e-9 before rounding.
 * Angles between neighbouring rotations are no larger, since each lies in the half of the sphere of the one before.
 */
static inline Lanes sine(Lanes x) {
    const Lanes square = x * x;
    Lanes sum = square * 2.59999417e-6f - 0.00019806588f;
    sum = square * sum + 0.00833301692f;
    sum = square * sum - 0.166666571f;
    return x + x * (square * sum);
}

static inline void loadKeys(const CrowdKey *const at[LANES], Lanes keys[KEY_PAIR]) {
    for (int part = 0; part < KEY_PAIR; part += LANES) {
        Lanes rows[LANES];
        for (int lane = 0; lane < LANES; ++lane) {
            rows[lane] = lanesLoad((const float *)at[lane] + part);
        }
        lanesTranspose(rows, keys + part);
    }
}

/* The key before the time, of any. */
static uint32_t seekKey(const CrowdClip *clip, uint32_t track, float time) {
    uint32_t low = clip->first[track];
    uint32_t high = clip->first[track + 1] - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (clip->keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static LANES_APART void seekKeys(const CrowdBatch *batch, uint32_t track, uint32_t astray, const CrowdKey **at) {
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        if ((astray >> lane & 1) != 0) {
            const uint32_t key = seekKey(batch->clips[lane], track, batch->time[lane]);
            batch->cursors[lane][track] = key;
            at[lane] = batch->clips[lane]->keys + key;
        }
    }
}

/*
 * Steps the cursors of the next tracks, a lane after another: most stay or go on by one, which takes no branch, and the
 * keys' memory is on its way before it is needed. No key but a track's first is before 0, so that times compare by their
 * bits.
 */
static LANES_APART void stepCursors(VkskinCrowd crowd, const CrowdBatch *batch, KeyWindow *window) {
    const uint32_t begin = window->end;
    const uint32_t left = crowd->trackCount - begin;
    const uint32_t count = left < WINDOW_TRACKS ? left : WINDOW_TRACKS;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const CrowdKey *keys = batch->clips[lane]->keys;
        uint32_t *cursors = batch->cursors[lane] + begin;
        const uint32_t time = bitsOf(batch->time[lane]);
        for (uint32_t i = 0; i < count; ++i) {
            const CrowdKey *key = keys + cursors[i];
            const uint32_t step = bitsOf(key[1].time) <= time;
            cursors[i] += step;
            window->at[i][lane] = key + step;
        }
    }
    window->end = begin + count;
}

/* The keys about each lane's time. Tracks come in ascending order. */
static inline void findKeys(VkskinCrowd crowd, const CrowdBatch *batch, KeyWindow *window, uint32_t track,
                            Lanes keys[KEY_PAIR]) {
    if (track == window->end) {
        stepCursors(crowd, batch, window);
    }
    const CrowdKey **at = window->at[track % WINDOW_TRACKS];
    loadKeys(at, keys);
    const uint32_t astray = lanesBits((keys[TIME] > window->time) | (keys[END] <= window->time));
    if (astray != 0) {
        seekKeys(batch, track, astray, at);
        loadKeys(at, keys);
    }
}

/* Replaces the values of lanes whose clip has a cubic track here. */
static LANES_APART void sampleCubics(const CrowdBatch *batch, uint32_t track, uint32_t width, Lanes *value) {
    float lanes[4][LANES];
    for (uint32_t i = 0; i < width; ++i) {
        lanesStore(lanes[i], value[i]);
    }
    for (int lane = 0; lane < LANES; ++lane) {
        const VkskinTrack *cubic = batch->clips[lane]->cubic;
        float one[4];
        if (cubic != NULL && cubic[track].keyCount > 0) {
            sknSampleTrack(&cubic[track], batch->seconds[lane], one, width);
            for (uint32_t i = 0; i < width; ++i) {
                lanes[i][lane] = one[i];
            }
        }
    }
    for (uint32_t i = 0; i < width; ++i) {
        value[i] = lanesLoad(lanes[i]);
    }
}

static inline Lanes weightOf(const KeyWindow *window, const Lanes keys[KEY_PAIR]) {
    return (window->time - keys[TIME] + window->rest) * keys[PER_SECOND];
}

/* A translation or a scale. */
static inline void sampleVector(VkskinCrowd crowd, const CrowdBatch *batch, KeyWindow *window, uint32_t track,
                                Lanes value[3]) {
    Lanes keys[KEY_PAIR];
    findKeys(crowd, batch, window, track, keys);
    const Lanes weight = weightOf(window, keys);
    for (int i = 0; i < 3; ++i) {
        value[i] = (1.0f - weight) * keys[FROM + i] + weight * keys[TO + i];
    }
    if (crowd->trackIsCubic[track]) {
        sampleCubics(batch, track, 3, value);
    }
}

/* A rotation as a quaternion, of unit length to 1e-6. */
static inline void sampleRotation(VkskinCrowd crowd, const CrowdBatch *batch, KeyWindow *window, uint32_t track,
                                  Lanes q[4]) {
    Lanes keys[KEY_PAIR];
    findKeys(crowd, batch, window, track, keys);
    const Lanes along = weightOf(window, keys) * keys[ANGLE];
    const Lanes weightTo = sine(along) * keys[PER_SINE];
    const Lanes weightFrom = sine(keys[ANGLE] - along) * keys[PER_SINE];
    for (int i = 0; i < 4; ++i) {
        q[i] = weightFrom * keys[FROM + i] + weightTo * keys[TO + i];
    }
    if (crowd->trackIsCubic[track]) {
        sampleCubics(batch, track, 4, q);
    }
}

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

/* Channels in the order of their tracks. */
static inline void sampleNode(VkskinCrowd crowd, const CrowdBatch *batch, KeyWindow *window, const CrowdNode *node,
                              Lanes local[12]) {
    Lanes move[3] = {lanesAll(node->translation[0]), lanesAll(node->translation[1]), lanesAll(node->translation[2])};
    if (node->tracks[VKSKIN_CHANNEL_TRANSLATION] != CROWD_NO_TRACK) {
        sampleVector(crowd, batch, window, node->tracks[VKSKIN_CHANNEL_TRANSLATION], move);
    }
    if (node->tracks[VKSKIN_CHANNEL_ROTATION] != CROWD_NO_TRACK) {
        Lanes q[4];
        sampleRotation(crowd, batch, window, node->tracks[VKSKIN_CHANNEL_ROTATION], q);
        turn(q, local);
    } else {
        for (int i = 0; i < 9; ++i) {
            local[i / 3 * 4 + i % 3] = lanesAll(node->rotation[i]);
        }
    }
    if (node->scales) {
        Lanes scale[3] = {lanesAll(node->scale[0]), lanesAll(node->scale[1]), lanesAll(node->scale[2])};
        if (node->tracks[VKSKIN_CHANNEL_SCALE] != CROWD_NO_TRACK) {
            sampleVector(crowd, batch, window, node->tracks[VKSKIN_CHANNEL_SCALE], scale);
        }
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
        m[i] = lanesLoad(from + i * LANES);
    }
}

static inline void storeMatrix(float *to, const Lanes m[12]) {
    for (int i = 0; i < 12; ++i) {
        lanesStore(to + i * LANES, m[i]);
    }
}

static inline void poseNode(VkskinCrowd crowd, const CrowdBatch *batch, KeyWindow *window, const CrowdNode *node,
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
            lanesTranspose(floats + line + part * LANES, parts[part]);
        }
        for (int lane = 0; lane < LANES; ++lane) {
            float *target = (float *)((unsigned char *)targets[lane] + offset) + line;
            for (int part = 0; part < 16 / LANES; ++part) {
                write(target + part * LANES, parts[part][lane]);
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
static inline void poseGroup(VkskinCrowd crowd, CrowdBatch *batch, uint32_t group, const float *work, Lanes *strays) {
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
        multiply(world, inverseBind, floats + bone * 12);
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

static void poseBatch(VkskinCrowd crowd, CrowdBatch *batch, float *work) {
    KeyWindow window = {.time = lanesLoad(batch->time), .rest = lanesLoad(batch->rest)};
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
    const uint32_t stray = lanesBits(strays != strays);
    for (uint32_t lane = 0; lane < batch->active; ++lane) {
        if ((stray >> lane & 1) != 0) {
            batch->results[lane] = VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
    }
}

#endif
