/*
 * crowd_window.h: the tracks of a batch, sampled in every lane, some at a time: for each width of lanes.h, as
 * crowd_lanes.h is.
 */
#ifndef VKSKIN_CROWD_WINDOW_H
#define VKSKIN_CROWD_WINDOW_H

#include "crowd_batch.h"
#include "lanes.h"
#include "sample.h"

_Static_assert(sizeof(CrowdKey) == 32, "two keys are sixteen floats");

/* Where the floats of a key and the next one come to lie once they are transposed. */
enum { FROM = 0, TIME = 4, PER_SECOND = 5, ANGLE = 6, PER_SINE = 7, TO = 8, END = 12, KEY_PAIR = 16 };

#define WINDOW_TRACKS 8u

/* Where the lanes are in time, and the values there of some tracks. */
typedef struct Window {
    Lanes time;
    Lanes rest;
    uint32_t end; /* of the tracks that were sampled: whole windows, or all */
    const CrowdKey *at[WINDOW_TRACKS][LANES];
    Lanes values[WINDOW_TRACKS][4];
} Window;

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
 * keys' memory is on its way before it is needed. No key but a track's first is before 0, so that times compare by
 * their bits.
 */
static LANES_APART void stepCursors(VkskinPoseBatch crowd, const CrowdBatch *batch, Window *window) {
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

/* The keys about each lane's time. */
static inline void findKeys(const CrowdBatch *batch, Window *window, uint32_t track, Lanes keys[KEY_PAIR]) {
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

/* A translation or a scale. */
static inline void mixVectors(Lanes weight, const Lanes keys[KEY_PAIR], Lanes value[4]) {
    for (int i = 0; i < 3; ++i) {
        value[i] = (1.0f - weight) * keys[FROM + i] + weight * keys[TO + i];
    }
}

/* A rotation as a quaternion, of unit length to 1e-6. */
static inline void mixRotations(Lanes weight, const Lanes keys[KEY_PAIR], Lanes value[4]) {
    const Lanes along = weight * keys[ANGLE];
    const Lanes weightTo = sine(along) * keys[PER_SINE];
    const Lanes weightFrom = sine(keys[ANGLE] - along) * keys[PER_SINE];
    for (int i = 0; i < 4; ++i) {
        value[i] = weightFrom * keys[FROM + i] + weightTo * keys[TO + i];
    }
}

/*
 * Samples the next tracks: one after another and nothing between, as what a processor has under way at a time is about
 * two of them.
 */
static LANES_APART void sampleWindow(VkskinPoseBatch crowd, const CrowdBatch *batch, Window *window) {
    const uint32_t begin = window->end;
    stepCursors(crowd, batch, window);
    for (uint32_t track = begin; track < window->end; ++track) {
        Lanes keys[KEY_PAIR];
        Lanes *value = window->values[track - begin];
        findKeys(batch, window, track, keys);
        const Lanes weight = (window->time - keys[TIME] + window->rest) * keys[PER_SECOND];
        if (crowd->tracks[track].turns) {
            mixRotations(weight, keys, value);
        } else {
            mixVectors(weight, keys, value);
        }
        if (crowd->tracks[track].cubic) {
            sampleCubics(batch, track, crowd->tracks[track].turns ? 4 : 3, value);
        }
    }
}

/* The value of a track; they come in ascending order. */
static inline const Lanes *sampleTrack(VkskinPoseBatch crowd, const CrowdBatch *batch, Window *window, uint32_t track) {
    if (track == window->end) {
        sampleWindow(crowd, batch, window);
    }
    return window->values[track % WINDOW_TRACKS];
}

#endif
