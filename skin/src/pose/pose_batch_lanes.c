/*
 * Poses SIMD_WIDTH characters side by side, one per lane. Compiled once per instruction level.
 *
 * The tracks of a node are sampled, composed to a matrix and multiplied with the parent's while they are in registers.
 * A group of bones is written as soon as its nodes are complete. Matrices are twelve SimdFloat, row-major.
 */
#include "clip.h"
#include "palette.h"
#include "pose_batch.h"
#include "simd.h"

/* ---- Tracks ---- */

_Static_assert(sizeof(BatchKey) == 32, "two keys are sixteen floats");

/* Indices of the floats of a key and the next one after the transpose. */
enum { FROM = 0, TIME = 4, PER_SECOND = 5, ANGLE = 6, PER_SINE = 7, TO = 8, END = 12, KEY_PAIR = 16 };

/* The lanes of one packed clip. Others have its first row, and their values are not used. */
typedef struct LaneRows {
    const BatchPacked *packed;
    uint32_t lanes; /* one bit for each */
    uint32_t row[SIMD_WIDTH];
    uint32_t next[SIMD_WIDTH];
} LaneRows;

/* With an animation set: a clip of each lane at its time. */
typedef struct LaneClips {
    uint32_t rowsCount; /* number of clips in the lanes */
    LaneRows rows[SIMD_WIDTH];
    float fractions[SIMD_WIDTH][(SIMD_WIDTH + 3) / 4 * 4]; /* [j][4 g + i]: of lane 4 g + j */
} LaneClips;

/* The values of the tracks that were sampled last. */
typedef struct Window {
    uint32_t end; /* the tracks below are sampled */
    SimdFloat values[BATCH_WINDOW][4];
    LaneClips from, to; /* with an animation set; `to` with a second clip */
} Window;

/* The keys at or before the time of each lane. */
typedef struct KeyPlaces {
    const BatchKey *at[BATCH_WINDOW][SIMD_WIDTH];
} KeyPlaces;

static inline uint32_t bitsOf(float value) {
    union {
        float number;
        uint32_t bits;
    } both = {value};
    return both.bits;
}

/*
 * The sine of 0 to pi / 2, to 1e-7: an odd minimax polynomial with an error of 5e-9 before rounding. Angles between
 * neighbouring rotations are not larger, because each is in the hemisphere of the one before.
 */
static inline SimdFloat sine(SimdFloat x) {
    const SimdFloat square = x * x;
    SimdFloat sum = square * 2.59999417e-6f - 0.00019806588f;
    sum = square * sum + 0.00833301692f;
    sum = square * sum - 0.166666571f;
    return x + x * (square * sum);
}

static inline void loadKeys(const BatchKey *const at[SIMD_WIDTH], SimdFloat keys[KEY_PAIR]) {
    for (int part = 0; part < KEY_PAIR; part += SIMD_WIDTH) {
        SimdFloat rows[SIMD_WIDTH];
        for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
            rows[lane] = simdLoad((const float *)at[lane] + part);
        }
        simdTranspose(rows, keys + part);
    }
}

/* The last key of the track that is not after the time. */
static uint32_t seekKey(const BatchClip *clip, uint32_t track, float time) {
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

static SIMD_NOINLINE void seekKeys(const LaneSource *source, uint32_t track, uint32_t astray, const BatchKey **at) {
    for (uint32_t lane = 0; lane < SIMD_WIDTH; ++lane) {
        if ((astray >> lane & 1) != 0) {
            const uint32_t key = seekKey(source->clips[lane], track, source->time[lane]);
            source->cursors[lane][track] = key;
            at[lane] = source->clips[lane]->keys + key;
        }
    }
}

/*
 * Advances the cursors of `count` tracks by up to one key, without a branch: more is rare and left to seekKeys. This
 * also starts the loads of the keys early. Only a track's first key may be before 0, so times compare by their bits.
 */
static SIMD_NOINLINE void stepCursors(const LaneSource *source, uint32_t begin, uint32_t count, KeyPlaces *places) {
    for (uint32_t lane = 0; lane < SIMD_WIDTH; ++lane) {
        const BatchKey *keys = source->clips[lane]->keys;
        uint32_t *cursors = source->cursors[lane] + begin;
        const uint32_t time = bitsOf(source->time[lane]);
        for (uint32_t i = 0; i < count; ++i) {
            const BatchKey *key = keys + cursors[i];
            const uint32_t step = bitsOf(key[1].time) <= time;
            cursors[i] += step;
            places->at[i][lane] = key + step;
        }
    }
}

/* The keys before and after each lane's time. */
static inline void findKeys(const LaneSource *source, SimdFloat time, uint32_t track, const BatchKey **at,
                            SimdFloat keys[KEY_PAIR]) {
    loadKeys(at, keys);
    const uint32_t astray = simdMaskBits(simdOr(simdLess(time, keys[TIME]), simdLessOrEqual(keys[END], time)));
    if (astray != 0) {
        seekKeys(source, track, astray, at);
        loadKeys(at, keys);
    }
}

/* Replaces the values of lanes whose clip has a curve. */
static SIMD_NOINLINE void sampleCurves(const LaneSource *source, uint32_t track, uint32_t width, SimdFloat *value) {
    float parts[4][SIMD_WIDTH];
    for (uint32_t i = 0; i < width; ++i) {
        simdStore(parts[i], value[i]);
    }
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        const VkskinTrack *curves = source->clips[lane]->curves;
        float one[4];
        if (curves != NULL && curves[track].keyCount > 0) {
            sknSampleTrack(&curves[track], source->seconds[lane], one, width);
            for (uint32_t i = 0; i < width; ++i) {
                parts[i][lane] = one[i];
            }
        }
    }
    for (uint32_t i = 0; i < width; ++i) {
        value[i] = simdLoad(parts[i]);
    }
}

/* A translation or a scale. */
static inline void mixVectors(SimdFloat weight, const SimdFloat keys[KEY_PAIR], SimdFloat value[4]) {
    for (int i = 0; i < 3; ++i) {
        value[i] = (1.0f - weight) * keys[FROM + i] + weight * keys[TO + i];
    }
}

/* A rotation as a quaternion, of unit length to 1e-6. */
static inline void mixRotations(SimdFloat weight, const SimdFloat keys[KEY_PAIR], SimdFloat value[4]) {
    const SimdFloat along = weight * keys[ANGLE];
    const SimdFloat weightTo = sine(along) * keys[PER_SINE];
    const SimdFloat weightFrom = sine(keys[ANGLE] - along) * keys[PER_SINE];
    for (int i = 0; i < 4; ++i) {
        value[i] = weightFrom * keys[FROM + i] + weightTo * keys[TO + i];
    }
}

/* Samples the tracks from `begin` on in one loop without other work: a processor overlaps about two of them. */
static SIMD_NOINLINE void sampleKeys(VkskinPoseBatch batch, const LaneSource *source, uint32_t begin, uint32_t end,
                                     SimdFloat (*values)[4]) {
    const SimdFloat time = simdLoad(source->time);
    const SimdFloat rest = simdLoad(source->rest);
    KeyPlaces places;
    stepCursors(source, begin, end - begin, &places);
    for (uint32_t track = begin; track < end; ++track) {
        SimdFloat keys[KEY_PAIR];
        SimdFloat *value = values[track - begin];
        findKeys(source, time, track, places.at[track - begin], keys);
        const SimdFloat weight = (time - keys[TIME] + rest) * keys[PER_SECOND];
        if (batch->tracks[track].turns) {
            mixRotations(weight, keys, value);
        } else {
            mixVectors(weight, keys, value);
        }
        if (batch->tracks[track].curve) {
            sampleCurves(source, track, batch->tracks[track].turns ? 4 : 3, value);
        }
    }
}

/* ---- Packed tracks ---- */

static LaneRows *rowsOf(const BatchPacked *packed, LaneClips *clips) {
    for (uint32_t i = 0; i < clips->rowsCount; ++i) {
        if (clips->rows[i].packed == packed) {
            return &clips->rows[i];
        }
    }
    LaneRows *rows = &clips->rows[clips->rowsCount++];
    rows->packed = packed;
    rows->lanes = 0;
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        rows->row[lane] = rows->next[lane] = packed->rows;
    }
    return rows;
}

/* Sorts the lanes by their clip: mostly one, because characters are sorted by clip. */
static SIMD_NOINLINE void findRows(const LaneSource *source, LaneClips *clips) {
    clips->rowsCount = 0;
    for (uint32_t lane = 0; lane < SIMD_WIDTH; ++lane) {
        LaneRows *rows = rowsOf(source->packed[lane], clips);
        rows->lanes |= 1u << lane;
        rows->row[lane] = source->row[lane];
        rows->next[lane] = source->row[lane] + source->packed[lane]->step;
        for (uint32_t i = 0; i < 4; ++i) {
            clips->fractions[lane % 4][lane / 4 * 4 + i] = source->fraction[lane];
        }
    }
}

#if SIMD_WIDTH >= 8

/* Words of both rows from `word` on: four of lane j, then of lane 4 + j, ... in vector j. */
typedef struct RowWords {
    uint32_t word; /* UINT32_MAX: none yet */
    SimdFloat row[4];
    SimdFloat next[4];
} RowWords;

/* Neighbouring tracks often share their words. */
static inline void loadWords(const uint32_t *block, const LaneRows *rows, uint32_t word, RowWords *words) {
    const float *from = (const float *)(const void *)(block + word);
    if (words->word != word) {
        words->word = word;
        for (int j = 0; j < 4; ++j) {
            words->row[j] = simdLoadFours(from, 1, rows->row + j);
            words->next[j] = simdLoadFours(from, 1, rows->next + j);
        }
    }
}

/* Reads the numbers of a track in two rows and mixes them. */
static inline void mixRows(const uint32_t *block, const LaneRows *rows, const LaneClips *clips,
                           const BatchNumbers *numbers, RowWords *words, SimdFloat value[4]) {
    const SimdFloat bias = simdSplatFours(numbers->bias);
    const SimdFloat step = simdSplatFours(numbers->step);
    const SimdFloat centre = simdSplatFours(numbers->centre);
    SimdFloat a[4];
    SimdFloat b[4];
    loadWords(block, rows, numbers->word, words);
    for (int j = 0; j < 4; ++j) {
        a[j] = words->row[j];
        b[j] = words->next[j];
    }
    if (!numbers->floats) {
        for (int j = 0; j < 4; ++j) {
            a[j] = simdReadNumbers(a[j], numbers->bytes, numbers->shifts, numbers->masks);
            b[j] = simdReadNumbers(b[j], numbers->bytes, numbers->shifts, numbers->masks);
        }
    }
    for (int j = 0; j < 4; ++j) {
        const SimdFloat mixed = a[j] - bias + simdLoad(clips->fractions[j]) * (b[j] - a[j]);
        value[j] = mixed * step + centre;
    }
    simdTranspose4(value);
}

#else

typedef struct RowWords {
    uint32_t word;
} RowWords;

/* Number i of a track in a row of each lane. */
static inline SimdFloat readNumber(const uint32_t *block, const uint32_t row[SIMD_WIDTH], const BatchNumbers *numbers,
                                   int i) {
    uint32_t words[SIMD_WIDTH];
    SimdFloat floats;
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        const unsigned char *from = (const unsigned char *)(block + numbers->word + row[lane]);
        memcpy(&words[lane], from + numbers->bytes[4 * (size_t)i], sizeof words[lane]);
    }
    memcpy(&floats, words, sizeof floats);
    return numbers->floats ? floats : simdReadNumber(words, numbers->shifts[i], numbers->masks[i]);
}

static inline void mixRows(const uint32_t *block, const LaneRows *rows, const LaneClips *clips,
                           const BatchNumbers *numbers, RowWords *words, SimdFloat value[4]) {
    float fractions[SIMD_WIDTH];
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        fractions[lane] = clips->fractions[lane][0];
    }
    const SimdFloat fraction = simdLoad(fractions);
    for (int i = 0; i < 4; ++i) {
        value[i] = simdSplat(numbers->centre[i]);
        if (numbers->masks[i] != 0) {
            const SimdFloat a = readNumber(block, rows->row, numbers, i);
            const SimdFloat b = readNumber(block, rows->next, numbers, i);
            value[i] += (a - numbers->bias[i] + fraction * (b - a)) * numbers->step[i];
        }
    }
    (void)words;
}

#endif

/* base times the quaternion of the numbers. */
static inline void finishRotation(const BatchNumbers *numbers, SimdFloat q[4]) {
    const float *base = numbers->base;
    const SimdFloat square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    if (numbers->form == BATCH_THREE) {
        q[3] = simdRoot(1.0f - square);
    } else {
        const SimdFloat inverse = 1.0f / simdRoot(square + q[3] * q[3] + 1e-30f);
        for (int i = 0; i < 4; ++i) {
            q[i] *= inverse;
        }
    }
    const SimdFloat x = base[3] * q[0] + base[0] * q[3] + base[1] * q[2] - base[2] * q[1];
    const SimdFloat y = base[3] * q[1] + base[1] * q[3] + base[2] * q[0] - base[0] * q[2];
    const SimdFloat z = base[3] * q[2] + base[2] * q[3] + base[0] * q[1] - base[1] * q[0];
    q[3] = base[3] * q[3] - base[0] * q[0] - base[1] * q[1] - base[2] * q[2];
    q[0] = x;
    q[1] = y;
    q[2] = z;
}

static inline void samplePacked(const uint32_t *block, const LaneRows *rows, const LaneClips *clips,
                                const BatchNumbers *numbers, RowWords *words, SimdFloat value[4]) {
    if (numbers->form == BATCH_HELD) {
        for (int i = 0; i < 4; ++i) {
            value[i] = simdSplat(numbers->centre[i]);
        }
        return;
    }
    mixRows(block, rows, clips, numbers, words, value);
    if (numbers->form != BATCH_VECTOR) {
        finishRotation(numbers, value);
    }
}

/* Takes the lanes of a clip from its values. */
static inline void takeLanes(uint32_t lanes, const SimdFloat from[4], SimdFloat value[4]) {
    for (int i = 0; i < 4; ++i) {
#if SIMD_WIDTH >= 8
        value[i] = simdSelect(simdMaskFromBits(lanes), from[i], value[i]);
#else
        float taken[SIMD_WIDTH];
        float others[SIMD_WIDTH];
        simdStore(taken, from[i]);
        simdStore(others, value[i]);
        for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
            others[lane] = (lanes >> lane & 1) != 0 ? taken[lane] : others[lane];
        }
        value[i] = simdLoad(others);
#endif
    }
}

/* Samples the tracks of a window from `begin` on, for the lanes of one clip. values: [end - begin]. */
static SIMD_NOINLINE void sampleRows(VkskinPoseBatch batch, const LaneClips *clips, const LaneRows *rows,
                                     uint32_t begin, uint32_t end, SimdFloat (*values)[4]) {
    RowWords words = {.word = UINT32_MAX};
    for (uint32_t i = begin; i < end; ++i) {
        const BatchNumbers *numbers = &rows->packed->tracks[i];
        SimdFloat value[4];
        samplePacked(batch->block, rows, clips, numbers, &words, value);
        if (rows == &clips->rows[0]) {
            for (int j = 0; j < 4; ++j) {
                values[numbers->place][j] = value[j];
            }
        } else {
            takeLanes(rows->lanes, value, values[numbers->place]);
        }
    }
}

static void sampleClips(VkskinPoseBatch batch, const LaneClips *clips, uint32_t begin, uint32_t end,
                        SimdFloat (*values)[4]) {
    for (uint32_t i = 0; i < clips->rowsCount; ++i) {
        sampleRows(batch, clips, &clips->rows[i], begin, end, values);
    }
}

/* ---- Both ---- */

/* From `source`, or from `clips` with an animation set. */
static inline void sampleTracks(VkskinPoseBatch batch, const LaneSource *source, const LaneClips *clips, uint32_t begin,
                                uint32_t end, SimdFloat (*values)[4]) {
    if (batch->block != NULL) {
        sampleClips(batch, clips, begin, end, values);
    } else {
        sampleKeys(batch, source, begin, end, values);
    }
}

/* Unit quaternions: on the shorter side, normalised. The sum is not shorter than the root of 1/2. */
static inline void blendRotations(SimdFloat weight, const SimdFloat a[4], const SimdFloat b[4], SimdFloat blend[4]) {
    const SimdFloat dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const SimdFloat side = simdSelect(simdLess(dot, simdSplat(0.0f)), 0.0f - weight, weight);
    SimdFloat square = {0};
    for (int i = 0; i < 4; ++i) {
        blend[i] = (1.0f - weight) * a[i] + side * b[i];
        square += blend[i] * blend[i];
    }
    const SimdFloat inverse = 1.0f / simdRoot(square);
    for (int i = 0; i < 4; ++i) {
        blend[i] *= inverse;
    }
}

static inline void blendVectors(SimdFloat weight, const SimdFloat a[3], const SimdFloat b[3], SimdFloat blend[3]) {
    for (int i = 0; i < 3; ++i) {
        blend[i] = (1.0f - weight) * a[i] + weight * b[i];
    }
}

/* Blends the tracks from `begin` on with the second clip. Lanes without one keep their bits: neighbours do not count. */
static SIMD_NOINLINE void blendWindow(VkskinPoseBatch batch, const PoseLanes *lanes, uint32_t begin, Window *window) {
    const SimdFloat weight = simdLoad(lanes->weights);
    const SimdMask blended = simdLess(simdSplat(0.0f), weight);
    SimdFloat others[BATCH_WINDOW][4];
    sampleTracks(batch, &lanes->to, &window->to, begin, window->end, others);
    for (uint32_t track = begin; track < window->end; ++track) {
        const bool turns = batch->tracks[track].turns;
        SimdFloat *value = window->values[track - begin];
        SimdFloat blend[4];
        if (turns) {
            blendRotations(weight, value, others[track - begin], blend);
        } else {
            blendVectors(weight, value, others[track - begin], blend);
        }
        for (int i = 0; i < (turns ? 4 : 3); ++i) {
            value[i] = simdSelect(blended, blend[i], value[i]);
        }
    }
}

static void sampleWindow(VkskinPoseBatch batch, const PoseLanes *lanes, Window *window) {
    const uint32_t begin = window->end;
    const uint32_t left = batch->trackCount - begin;
    window->end = begin + (left < BATCH_WINDOW ? left : BATCH_WINDOW);
    sampleTracks(batch, &lanes->from, &window->from, begin, window->end, window->values);
    if (lanes->blends) {
        blendWindow(batch, lanes, begin, window);
    }
}

/* The value of a track. Call in ascending order of the tracks. */
static inline const SimdFloat *sampleTrack(VkskinPoseBatch batch, const PoseLanes *lanes, Window *window,
                                           uint32_t track) {
    if (track == window->end) {
        sampleWindow(batch, lanes, window);
    }
    return window->values[track % BATCH_WINDOW];
}

/* ---- Matrices ---- */

/* Sets the 3x3 part of a matrix. q: nearly of unit length. */
static inline void setRotation(const SimdFloat q[4], SimdFloat m[12]) {
    /* 2 / length squared, by the tangent at length 1. */
    const SimdFloat k = 4.0f - 2.0f * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const SimdFloat x = k * q[0];
    const SimdFloat y = k * q[1];
    const SimdFloat z = k * q[2];
    const SimdFloat xx = x * q[0], yy = y * q[1], zz = z * q[2];
    const SimdFloat wx = x * q[3], wy = y * q[3], wz = z * q[3];
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

static inline void scaleColumns(const SimdFloat scale[3], SimdFloat m[12]) {
    for (int i = 0; i < 3; ++i) {
        m[i] *= scale[i];
        m[4 + i] *= scale[i];
        m[8 + i] *= scale[i];
    }
}

/* product = a b */
static inline void multiply(const SimdFloat a[12], const SimdFloat b[12], SimdFloat product[12]) {
    for (int row = 0; row < 12; row += 4) {
        for (int column = 0; column < 4; ++column) {
            product[row + column] = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
        }
        product[row + 3] += a[row + 3];
    }
}

static inline void splatMatrix(const VkskinAffine *one, SimdFloat m[12]) {
    for (int i = 0; i < 12; ++i) {
        m[i] = simdSplat(one->m[i / 4][i % 4]);
    }
}

/* The value of a track, or the rest value if the channel has none. */
static inline void takeVector(VkskinPoseBatch batch, const PoseLanes *lanes, Window *window, uint32_t track,
                              const float rest[3], SimdFloat vector[3]) {
    const SimdFloat *value = track != BATCH_NO_TRACK ? sampleTrack(batch, lanes, window, track) : NULL;
    for (int i = 0; i < 3; ++i) {
        vector[i] = value != NULL ? value[i] : simdSplat(rest[i]);
    }
}

/* Samples the channels in the order of their tracks. */
static inline void sampleNode(VkskinPoseBatch batch, const PoseLanes *lanes, Window *window, const BatchNode *node,
                              SimdFloat local[12]) {
    SimdFloat move[3];
    SimdFloat scale[3];
    takeVector(batch, lanes, window, node->tracks[VKSKIN_CHANNEL_TRANSLATION], node->translation, move);
    if (node->tracks[VKSKIN_CHANNEL_ROTATION] != BATCH_NO_TRACK) {
        setRotation(sampleTrack(batch, lanes, window, node->tracks[VKSKIN_CHANNEL_ROTATION]), local);
    } else {
        for (int i = 0; i < 9; ++i) {
            local[i / 3 * 4 + i % 3] = simdSplat(node->rotation[i]);
        }
    }
    if (node->scales) {
        takeVector(batch, lanes, window, node->tracks[VKSKIN_CHANNEL_SCALE], node->scale, scale);
        scaleColumns(scale, local);
    }
    for (int i = 0; i < 3; ++i) {
        local[4 * i + 3] = move[i];
    }
}

static inline float *placeOf(float *work, uint32_t place) {
    return work + (size_t)place * 12 * SIMD_WIDTH;
}

static inline void loadMatrix(const float *from, SimdFloat m[12]) {
    for (int i = 0; i < 12; ++i) {
        m[i] = simdLoad(from + (size_t)i * SIMD_WIDTH);
    }
}

static inline void storeMatrix(float *to, const SimdFloat m[12]) {
    for (int i = 0; i < 12; ++i) {
        simdStore(to + (size_t)i * SIMD_WIDTH, m[i]);
    }
}

static inline void poseNode(VkskinPoseBatch batch, const PoseLanes *lanes, Window *window, const BatchNode *node,
                            float *work) {
    SimdFloat local[12];
    SimdFloat other[12];
    SimdFloat product[12];
    if (!node->moves) {
        splatMatrix(&node->local, local);
    } else {
        sampleNode(batch, lanes, window, node, local);
        if (node->hasPre) {
            splatMatrix(&node->pre, other);
            multiply(other, local, product);
            for (int i = 0; i < 12; ++i) {
                local[i] = product[i];
            }
        }
    }
    if (node->parent == BATCH_NO_PARENT) {
        storeMatrix(placeOf(work, node->place), local);
    } else {
        loadMatrix(placeOf(work, node->parent), other);
        multiply(other, local, product);
        storeMatrix(placeOf(work, node->place), product);
    }
}

/* Writes a group's [BATCH_GROUP * 12] vectors as 192 bytes at `offset` of each lane's target, in whole cache lines. */
SIMD_INLINE void writeLines(const SimdFloat *floats, void *const *targets, size_t offset, bool stream) {
    for (uint32_t line = 0; line < BATCH_GROUP * 12; line += 16) {
        SimdFloat parts[16 / SIMD_WIDTH][SIMD_WIDTH];
        for (int part = 0; part < 16 / SIMD_WIDTH; ++part) {
            simdTranspose(floats + line + (size_t)part * SIMD_WIDTH, parts[part]);
        }
        for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
            float *target = (float *)(void *)((unsigned char *)targets[lane] + offset) + line;
            for (int part = 0; part < 16 / SIMD_WIDTH; ++part) {
                if (stream) {
                    simdStream(target + (size_t)part * SIMD_WIDTH, parts[part][lane]);
                } else {
                    simdStore(target + (size_t)part * SIMD_WIDTH, parts[part][lane]);
                }
            }
        }
    }
}

/* Separate functions: a compiler may merge the two sides of a branch to one without streaming stores. */
static SIMD_NOINLINE void storeGroup(const SimdFloat *floats, void *const *targets, size_t offset) {
    writeLines(floats, targets, offset, false);
}

static SIMD_NOINLINE void streamGroup(const SimdFloat *floats, void *const *targets, size_t offset) {
    writeLines(floats, targets, offset, true);
}

/* Writes entry by entry: for partial groups, partly used lanes and other encodings. */
static SIMD_NOINLINE void writeEntries(const SimdFloat *floats, PoseLanes *lanes, uint32_t firstBone,
                                       uint32_t boneCount) {
    VkskinAffine entries[SIMD_WIDTH][BATCH_GROUP];
    void *targets[SIMD_WIDTH];
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        targets[lane] = entries[lane];
    }
    storeGroup(floats, targets, 0);
    for (uint32_t lane = 0; lane < lanes->active; ++lane) {
        VkskinResult *result = &lanes->results[lane];
        for (uint32_t bone = 0; bone < boneCount; ++bone) {
            const AffineDouble matrix = sknAffineWiden(&entries[lane][bone]);
            const VkskinResult written =
                sknWriteBone(&matrix, firstBone + bone, lanes->encoding, lanes->palettes[lane]);
            if (written < VKSKIN_SUCCESS || *result == VKSKIN_SUCCESS) {
                *result = written;
            }
        }
    }
}

/* strays: becomes NaN in lanes with a matrix that is not finite. Four sums, so that none has to wait for another. */
static inline void poseGroup(VkskinPoseBatch batch, PoseLanes *lanes, uint32_t group, const float *work,
                             SimdFloat strays[4]) {
    const uint32_t firstBone = group * BATCH_GROUP;
    const uint32_t left = batch->boneCount - firstBone;
    const uint32_t boneCount = left < BATCH_GROUP ? left : BATCH_GROUP;
    SimdFloat floats[BATCH_GROUP * 12];
    for (uint32_t i = boneCount * 12; i < BATCH_GROUP * 12; ++i) {
        floats[i] = simdSplat(0.0f);
    }
    for (uint32_t bone = 0; bone < boneCount; ++bone) {
        const BatchBone *source = &batch->bones[firstBone + bone];
        SimdFloat world[12];
        SimdFloat inverseBind[12];
        loadMatrix(work + (size_t)source->place * 12 * SIMD_WIDTH, world);
        splatMatrix(&source->inverseBind, inverseBind);
        multiply(world, inverseBind, floats + (size_t)bone * 12);
        for (int i = 0; i < 12; ++i) {
            strays[i % 4] += 0.0f * floats[bone * 12 + i];
        }
    }
    const size_t offset = (size_t)firstBone * sizeof(VkskinAffine);
    if (lanes->encoding != VKSKIN_PALETTE_MAT3X4 || boneCount < BATCH_GROUP || lanes->active < SIMD_WIDTH) {
        writeEntries(floats, lanes, firstBone, boneCount);
    } else if (lanes->stream) {
        streamGroup(floats, lanes->palettes, offset);
    } else {
        storeGroup(floats, lanes->palettes, offset);
    }
}

static void poseLanes(VkskinPoseBatch batch, PoseLanes *lanes, float *work) {
    Window window;
    window.end = 0;
    const uint32_t groupCount = (batch->boneCount + BATCH_GROUP - 1) / BATCH_GROUP;
    uint32_t group = 0;
    SimdFloat strays[4];
    for (int i = 0; i < 4; ++i) {
        strays[i] = simdSplat(0.0f);
    }
    if (batch->block != NULL) {
        findRows(&lanes->from, &window.from);
    }
    if (batch->block != NULL && lanes->blends) {
        findRows(&lanes->to, &window.to);
    }
    for (uint32_t node = 0; node < batch->nodeCount; ++node) {
        poseNode(batch, lanes, &window, &batch->nodes[node], work);
        for (; group < groupCount && batch->groupNodes[group] <= node; ++group) {
            poseGroup(batch, lanes, group, work, strays);
        }
    }
    if (lanes->stream) {
        simdFence();
    }
    const uint32_t stray = simdMaskBits(simdIsNan(strays[0] + strays[1] + strays[2] + strays[3]));
    for (uint32_t lane = 0; lane < lanes->active; ++lane) {
        if ((stray >> lane & 1) != 0) {
            lanes->results[lane] = VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
    }
}

const PoseLevel SIMD_NAME(sknPoseLevel) = {SIMD_WIDTH, poseLanes};
