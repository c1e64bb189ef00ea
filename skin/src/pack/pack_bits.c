#include "pack.h"

#include <math.h>

/* ---- Tracks ---- */

/* How a channel is stored. */
typedef struct PackTrack {
    bool moves;
    bool held;                        /* if it does not move: it differs from the rest pose */
    float value[4];                   /* numbers of a channel that does not move */
    VkskinAnimationRotation rotation; /* form of a rotation that moves; its first bit is set last */
    VkskinAnimationVector vector;
    TrackNumbers numbers;
} PackTrack;

/* The middle of a channel's numbers in all rows, which is 0 for a rotation, and half of their range. */
typedef struct NumberRange {
    float centre[4];
    float extent[4];
} NumberRange;

/* A choice of rows and bits. */
typedef struct Choice {
    PackRows rows;
    NumberRange *ranges; /* [channelCount] */
    PackTrack *tracks;   /* [channelCount] */
    float (*stored)[4];  /* [rows.count][channelCount]: numbers as they are read from a block */
} Choice;

static bool isRotation(const PackChannel *channel) {
    return channel->channel == VKSKIN_CHANNEL_ROTATION;
}

static uint32_t numberCount(const PackChannel *channel) {
    return isRotation(channel) && channel->four ? 4 : 3;
}

static void findRange(const PackClip *clip, const PackRows *rows, uint32_t index, NumberRange *range) {
    const bool centred = isRotation(&clip->channels[index]);
    for (int i = 0; i < 4; ++i) {
        float low = INFINITY;
        float high = -INFINITY;
        for (uint32_t row = 0; row < rows->count; ++row) {
            const float value = rows->values[(size_t)row * clip->channelCount + index][i];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        range->centre[i] = centred ? 0.0f : 0.5f * low + 0.5f * high;
        range->extent[i] = fmaxf(high - range->centre[i], range->centre[i] - low);
    }
}

/* The fewest bits for steps of at most `step` over the largest extent. */
static uint32_t bitsFor(const float extent[4], uint32_t count, float step) {
    float most = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        most = fmaxf(most, extent[i]);
    }
    uint32_t bits = BLOCK_LEAST_BITS;
    while (bits < BLOCK_MOST_BITS && most / (float)((1u << (bits - 1)) - 1) > step) {
        ++bits;
    }
    return bits;
}

static void describeTrack(const PackClip *clip, uint32_t index, const float centre[4], const float extent[4],
                          uint32_t bits, PackTrack *track) {
    const PackChannel *channel = &clip->channels[index];
    const uint32_t node = clip->skeleton->nodes[channel->place].node;
    track->moves = true;
    if (isRotation(channel)) {
        VkskinAnimationRotation *rotation = &track->rotation;
        rotation->target = node | VKSKIN_CHANNEL_ROTATION << 16 | (channel->four ? VKSKIN_ANIMATION_FOUR : 0);
        rotation->place = bits;
        for (uint32_t i = 0; i < 4; ++i) {
            rotation->base[i] = channel->base16[i];
            const bool stored = bits != BLOCK_FLOAT_BITS && i < numberCount(channel);
            rotation->extent[i] = stored ? (uint16_t)fminf(ceilf(extent[i] * 65535.0f), 65535.0f) : 0;
        }
        track->numbers = sknRotationNumbers(rotation);
        return;
    }
    VkskinAnimationVector *vector = &track->vector;
    vector->target = node | (uint32_t)channel->channel << 16;
    vector->place = bits;
    for (uint32_t i = 0; i < 3; ++i) {
        vector->centre[i] = bits != BLOCK_FLOAT_BITS ? centre[i] : 0.0f;
        vector->extent[i] = bits != BLOCK_FLOAT_BITS ? extent[i] : 0.0f;
    }
    track->numbers = sknVectorNumbers(vector);
}

static float length3(const float v[4]) {
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* A channel that does not move has one value; close to the rest pose it needs none. */
static void holdTrack(const PackChannel *channel, const float value[4], float tolerance, PackTrack *track) {
    const float apart[4] = {value[0] - channel->rest[0], value[1] - channel->rest[1], value[2] - channel->rest[2], 0};
    memcpy(track->value, value, sizeof track->value);
    track->held = !channel->nearRest || length3(apart) * channel->sensitivity > tolerance;
    if (!track->held) {
        memcpy(track->value, channel->rest, sizeof track->value);
    }
}

/* tolerance: distance by which rounding of this channel may move a point. */
static void chooseTrack(const PackClip *clip, const Choice *choice, uint32_t index, float tolerance) {
    const PackChannel *channel = &clip->channels[index];
    const float tiny = tolerance / channel->sensitivity;
    const float *centre = choice->ranges[index].centre;
    PackTrack *track = &choice->tracks[index];
    float extent[4];
    *track = (PackTrack){0};
    memcpy(extent, choice->ranges[index].extent, sizeof extent);
    if (!channel->moves) {
        holdTrack(channel, choice->rows.values[index], 0.1f * tolerance, track);
        return;
    }
    if (!channel->four && length3(extent) <= tiny && !clip->floats) {
        holdTrack(channel, centre, 0.1f * tolerance, track);
        return;
    }
    for (int i = 0; i < 4; ++i) {
        extent[i] = !channel->four && extent[i] <= 0.3f * tiny ? 0.0f : extent[i];
    }
    /* The numbers' errors are half a step each, and independent. */
    const float step = 2.0f * tiny / sqrtf((float)numberCount(channel));
    const uint32_t bits = clip->floats ? BLOCK_FLOAT_BITS : bitsFor(extent, numberCount(channel), step);
    describeTrack(clip, index, centre, extent, bits, track);
}

/* ---- Numbers ---- */

static uint32_t quantise(const TrackNumbers *numbers, int i, float value) {
    const float whole = roundf((value - numbers->centre[i]) / numbers->step[i]) + numbers->bias;
    const float most = 2.0f * numbers->bias;
    return (uint32_t)(!(whole > 0.0f) ? 0.0f : whole < most ? whole : most); /* not with fminf: it is a call */
}

static void storeNumbers(const PackTrack *track, const float value[4], float stored[4]) {
    const TrackNumbers *numbers = &track->numbers;
    for (int i = 0; i < 4; ++i) {
        stored[i] = track->moves ? numbers->centre[i] : track->value[i];
        if (track->moves && numbers->present[i]) {
            stored[i] =
                numbers->bits == BLOCK_FLOAT_BITS
                    ? value[i]
                    : ((float)quantise(numbers, i, value[i]) - numbers->bias) * numbers->step[i] + numbers->centre[i];
        }
    }
}

static void storeRows(const PackClip *clip, const Choice *choice) {
    for (uint32_t row = 0; row < choice->rows.count; ++row) {
        const size_t first = (size_t)row * clip->channelCount;
        for (uint32_t i = 0; i < clip->channelCount; ++i) {
            storeNumbers(&choice->tracks[i], choice->rows.values[first + i], choice->stored[first + i]);
        }
    }
}

static void putBits(uint32_t *row, uint32_t start, uint32_t bits, uint32_t value) {
    const uint64_t both = (uint64_t)value << start % 32;
    row[start / 32] |= (uint32_t)both;
    if (start % 32 + bits > 32) {
        row[start / 32 + 1] |= (uint32_t)(both >> 32);
    }
}

static void writeNumbers(const PackTrack *track, const TrackNumbers *numbers, const float value[4], uint32_t *row) {
    for (int i = 0; i < 4; ++i) {
        if (!numbers->present[i]) {
            continue;
        }
        if (numbers->bits == BLOCK_FLOAT_BITS) {
            memcpy(row + numbers->start[i] / 32, &value[i], sizeof value[i]);
        } else {
            putBits(row, numbers->start[i], numbers->bits, quantise(&track->numbers, i, value[i]));
        }
    }
}

/* ---- Choices ---- */

/* Gives each track as many bits as keep its error to the tolerance. */
static void chooseTracks(const PackClip *clip, float tolerance, Choice *choice) {
    for (uint32_t i = 0; i < clip->channelCount; ++i) {
        chooseTrack(clip, choice, i, tolerance);
    }
}

/* Returns the error of all tracks. */
static float tryTolerance(PackClip *clip, float tolerance, float bound, Choice *choice) {
    chooseTracks(clip, tolerance, choice);
    storeRows(clip, choice);
    return sknPackErrorOf(clip, &choice->rows, (const float(*)[4])choice->stored, bound);
}

/* The largest tolerance that keeps to the bound, to a tenth; the smallest possible one if none does. */
static void chooseBits(PackClip *clip, float bound, Choice *choice) {
    float good = 0.0f;
    float bad = INFINITY;
    float tolerance = 0.5f * bound;
    for (int attempt = 0; attempt < 40 && bad > 1.1f * good; ++attempt) {
        if (tryTolerance(clip, tolerance, bound, choice) <= bound) {
            good = tolerance;
            tolerance = isinf(bad) ? 1.6f * good : sqrtf(good * bad);
        } else {
            bad = tolerance;
            tolerance = good > 0.0f ? sqrtf(good * bad) : 0.6f * bad;
        }
        if (good > 8.0f * bound) {
            break;
        }
    }
    chooseTracks(clip, good > 0.0f ? good : tolerance, choice);
}

static bool makeChoice(PackClip *clip, const PackRows *rows, float bound, Choice *choice) {
    *choice = (Choice){.rows = *rows};
    choice->ranges = sknArenaArray(&clip->arena, clip->channelCount, sizeof *choice->ranges);
    choice->tracks = sknArenaArray(&clip->arena, clip->channelCount, sizeof *choice->tracks);
    choice->stored = sknArenaLines(&clip->arena, rows->count, clip->channelCount * sizeof *choice->stored);
    if (clip->arena.failed) {
        return false;
    }
    for (uint32_t i = 0; i < clip->channelCount; ++i) {
        findRange(clip, rows, i, &choice->ranges[i]);
    }
    chooseBits(clip, bound, choice);
    return true;
}

/* ---- The finished clip ---- */

/* Gives each track its place in a row, rotations first, and returns the bits of a row. */
static uint32_t placeTracks(const PackClip *clip, Choice *choice) {
    uint32_t bit = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < clip->channelCount; ++i) {
            PackTrack *track = &choice->tracks[i];
            if (!track->moves || isRotation(&clip->channels[i]) != (pass == 0)) {
                continue;
            }
            const uint32_t size = track->numbers.end - track->numbers.first;
            uint32_t *place = pass == 0 ? &track->rotation.place : &track->vector.place;
            *place = (*place & 63) | bit << 6;
            bit += size;
        }
    }
    return bit;
}

static bool hasMoving(const PackClip *clip, const Choice *choice) {
    for (uint32_t i = 0; i < clip->channelCount; ++i) {
        if (choice->tracks[i].moves) {
            return true;
        }
    }
    return false;
}

static void holdChannel(const PackClip *clip, uint32_t index, const PackTrack *track, PackedClip *packed) {
    const PackChannel *channel = &clip->channels[index];
    PackedHold *hold = &packed->holds[packed->holdCount++];
    hold->target = clip->skeleton->nodes[channel->place].node | (uint32_t)channel->channel << 16;
    if (!channel->moves) {
        memcpy(hold->value, channel->first, sizeof hold->value);
    } else if (isRotation(channel)) {
        sknFinishRotation(channel->base, channel->four, track->value, hold->value);
    } else {
        memcpy(hold->value, track->value, sizeof hold->value);
    }
    if (!isRotation(channel)) {
        hold->value[3] = 0.0f;
    }
}

static void listTracks(const PackClip *clip, const Choice *choice, PackedClip *packed) {
    for (uint32_t i = 0; i < clip->channelCount; ++i) {
        const PackTrack *track = &choice->tracks[i];
        if (!track->moves) {
            if (track->held) {
                holdChannel(clip, i, track, packed);
            }
        } else if (isRotation(&clip->channels[i])) {
            packed->rotations[packed->rotationCount++] = track->rotation;
        } else {
            packed->vectors[packed->vectorCount++] = track->vector;
        }
    }
}

static void writeRows(const PackClip *clip, const Choice *choice, PackedClip *packed) {
    for (uint32_t row = 0; row < packed->keyCount; ++row) {
        for (uint32_t i = 0; i < clip->channelCount; ++i) {
            const PackTrack *track = &choice->tracks[i];
            if (track->moves) {
                const TrackNumbers numbers = isRotation(&clip->channels[i]) ? sknRotationNumbers(&track->rotation)
                                                                            : sknVectorNumbers(&track->vector);
                writeNumbers(track, &numbers, choice->rows.values[(size_t)row * clip->channelCount + i],
                             packed->rows + (size_t)row * packed->stride);
            }
        }
    }
}

/* False: no memory. */
static bool finishClip(const PackClip *clip, Choice *choice, Arena *arena, PackedClip *packed) {
    const bool moving = hasMoving(clip, choice);
    const uint32_t bits = placeTracks(clip, choice);
    *packed = (PackedClip){.duration = clip->duration,
                           .keyCount = moving ? choice->rows.count : 1,
                           .stride = bits / 32 + (bits % 32 != 0),
                           .uniform = choice->rows.uniform || !moving};
    packed->times = sknArenaCopy(arena, choice->rows.times, choice->rows.count, sizeof *packed->times);
    packed->rows = sknArenaArray(arena, packed->keyCount, packed->stride * sizeof *packed->rows);
    packed->rotations = sknArenaArray(arena, clip->channelCount, sizeof *packed->rotations);
    packed->vectors = sknArenaArray(arena, clip->channelCount, sizeof *packed->vectors);
    packed->holds = sknArenaArray(arena, clip->channelCount, sizeof *packed->holds);
    if (arena->failed) {
        return false;
    }
    listTracks(clip, choice, packed);
    writeRows(clip, choice, packed);
    return true;
}

uint64_t sknPackedBytes(const PackedClip *packed) {
    return sizeof(VkskinAnimationClip) + 4ull * packed->keyCount * packed->stride +
           (packed->uniform ? 0 : 4ull * packed->keyCount) + packed->rotationCount * sizeof(VkskinAnimationRotation) +
           packed->vectorCount * sizeof(VkskinAnimationVector) + packed->holdCount * sizeof(VkskinAnimationHold);
}

/* Keeps the smaller of *best, which is empty at first, and a choice for these rows. */
static bool improve(PackClip *clip, const PackRows *rows, float bound, Arena *arena, PackedClip *best) {
    Choice choice;
    PackedClip packed;
    if (!makeChoice(clip, rows, bound, &choice) || !finishClip(clip, &choice, arena, &packed)) {
        return false;
    }
    if (best->keyCount == 0 || sknPackedBytes(&packed) < sknPackedBytes(best)) {
        *best = packed;
    }
    return true;
}

bool sknPackBest(PackClip *clip, float bound, Arena *arena, PackedClip *packed) {
    /* Parts of the bound for the times of rows; the rest is for bits. */
    static const float shares[] = {0.35f, 0.6f, 0.8f, 0.9f};
    *packed = (PackedClip){0};
    for (size_t i = 0; i < SKN_COUNT(shares); ++i) {
        PackRows rows;
        PackRows uniform = {0};
        if (!sknPackChooseRows(clip, shares[i] * bound, &rows) || !improve(clip, &rows, bound, arena, packed)) {
            return false;
        }
        if (clip->sourceCount > 1 &&
            !sknPackChooseUniform(clip, shares[i] * bound, rows.count + rows.count / 4 + 2, &uniform)) {
            return false;
        }
        if (uniform.count > 0 && !improve(clip, &uniform, bound, arena, packed)) {
            return false;
        }
    }
    return true;
}
