#include "crowd_path.h"

#include "animation.h"

/* ---- Reading keys ---- */

static void readNumbers(const TrackNumbers *numbers, const uint32_t *row, double values[4]) {
    for (int i = 0; i < 4; ++i) {
        values[i] = numbers->centre[i];
        if (numbers->present[i]) {
            values[i] +=
                ((double)sknReadNumber(row, numbers->start[i], numbers->bits) - numbers->bias) * numbers->step[i];
        }
    }
}

static void readChannel(const ClipSetData *set, uint32_t entry, VkskinChannel kind, const uint32_t *row,
                        const uint32_t *next, Channel *channel) {
    const void *at = set->words + (entry & CLIP_PLACE_MASK);
    *channel = (Channel){.kind = entry >> CLIP_CHANNEL_SHIFT};
    if (channel->kind == CLIP_CHANNEL_VALUE) {
        const float *values = at;
        for (int i = 0; i < (kind == VKSKIN_CHANNEL_ROTATION ? 4 : 3); ++i) {
            channel->from[i] = channel->to[i] = values[i];
        }
        return;
    }
    TrackNumbers numbers;
    if (channel->kind == CLIP_CHANNEL_VECTOR) {
        numbers = sknVectorNumbers(at);
    } else {
        float base[4];
        numbers = sknRotationNumbers(at);
        sknRotationBase(at, base);
        for (int i = 0; i < 4; ++i) {
            channel->base[i] = base[i];
        }
    }
    readNumbers(&numbers, row, channel->from);
    readNumbers(&numbers, next, channel->to);
}

void sknReadPathRows(const ClipSetData *set, uint32_t clip, uint32_t first, uint32_t second, NodeState *states) {
    const VkskinAnimationClip *source = sknBlockClip(set->block, clip);
    const LayoutClipSet *tables = sknBlockAt(set->block, sknBlockHeader(set->block)->bytes / 4);
    const uint32_t *channels = set->words + tables->channels + (size_t)clip * set->nodeCount * CLIP_CHANNELS;
    const uint32_t *rows = sknBlockAt(set->block, source->keysAt);
    for (uint32_t i = 0; i < set->nodeCount * CLIP_CHANNELS; ++i) {
        readChannel(set, channels[i], (VkskinChannel)(i % CLIP_CHANNELS), rows + (size_t)first * source->stride,
                    rows + (size_t)second * source->stride, &states[i / CLIP_CHANNELS].channels[i % CLIP_CHANNELS]);
    }
}

Vector sknMaxMagnitude(const ClipSetData *set, uint32_t clip, uint32_t entry) {
    const VkskinAnimationClip *source = sknBlockClip(set->block, clip);
    const void *at = set->words + (entry & CLIP_PLACE_MASK);
    if (entry >> CLIP_CHANNEL_SHIFT == CLIP_CHANNEL_VALUE) {
        const Vector value = sknVector(at);
        return vectorMax(value, sknScale(value, -1.0));
    }
    const VkskinAnimationVector *track = at;
    const TrackNumbers numbers = sknVectorNumbers(track);
    const Vector centre = sknVector(track->centre);
    Vector maxMagnitude = vectorMax(centre, sknScale(centre, -1.0));
    if (numbers.bits != BLOCK_FLOAT_BITS) {
        return sknAdd(maxMagnitude, sknScale(sknVector(track->extent), 2.0)); /* with 2 bits, the largest number is 2 */
    }
    const uint32_t *row = sknBlockAt(set->block, source->keysAt);
    for (uint32_t key = 0; key < source->keyCount; ++key, row += source->stride) {
        double values[4];
        readNumbers(&numbers, row, values);
        const Vector value = {values[0], values[1], values[2]};
        maxMagnitude = vectorMax(maxMagnitude, vectorMax(value, sknScale(value, -1.0)));
    }
    return maxMagnitude;
}

static void mixNumbers(const Channel *channel, double at, double values[4]) {
    for (int i = 0; i < 4; ++i) {
        values[i] = channel->from[i] + at * (channel->to[i] - channel->from[i]);
    }
}

static Vector mixVector(const Channel *channel, double at) {
    double values[4];
    mixNumbers(channel, at, values);
    return (Vector){values[0], values[1], values[2]};
}

Local sknPathLocalAt(const NodeState *state, double at) {
    const Channel *channel = &state->channels[VKSKIN_CHANNEL_ROTATION];
    Local local = {.translation = mixVector(&state->channels[VKSKIN_CHANNEL_TRANSLATION], at),
                   .scale = mixVector(&state->channels[VKSKIN_CHANNEL_SCALE], at)};
    double q[4];
    mixNumbers(channel, at, q);
    if (channel->kind == CLIP_CHANNEL_THREE) {
        q[3] = local.w = sqrt(fmax(0.0, 1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2])));
    }
    local.length = unit(q);
    if (channel->kind == CLIP_CHANNEL_VALUE) {
        memcpy(local.rotation, q, sizeof q);
        return local;
    }
    const double *b = channel->base;
    const Quaternion turned = sknMultiply((Quaternion){b[0], b[1], b[2], b[3]}, (Quaternion){q[0], q[1], q[2], q[3]});
    local.rotation[0] = turned.x;
    local.rotation[1] = turned.y;
    local.rotation[2] = turned.z;
    local.rotation[3] = turned.w;
    return local;
}

/* ---- Paths of nodes ---- */

/*
 * E of the proof: how far quaternions leave the straight line l between the unit quaternions of both ends. Negative: they
 * are not of unit length, and the rotation may be any.
 *
 * Three numbers v are linear, w = sqrt(1 - v v). Then w^2 - l_w^2 = s (1 - s) D^2, so that
 * w - l_w <= D^2 / 4 / (w + l_w) with w >= l_w >= the smaller w of both ends; and w - l_w <= D / 2.
 *
 * Four numbers a are linear, q = a / |a|. q is l(t) / |l(t)| with another t, 1 - |l| <= 1 - sqrt(1 - D^2 / 4), and
 * |t - s| <= 1/4 | |a(1)| - |a(0)| | / the smaller length.
 */
static double strayOf(uint32_t kind, const Local ends[2], double distance) {
    const double least = fmin(ends[0].w, ends[1].w);
    const double shortest = fmin(ends[0].length, ends[1].length);
    switch (kind) {
    case CLIP_CHANNEL_THREE:
        if (fabs(ends[0].length - 1.0) > 1e-6 || fabs(ends[1].length - 1.0) > 1e-6) {
            return -1.0;
        }
        return least > 0.0 ? fmin(0.5 * distance, 0.125 * distance * distance / least) : 0.5 * distance;
    case CLIP_CHANNEL_FOUR:
        if (shortest < 1e-6) {
            return -1.0;
        }
        return 1.0 - sqrt(fmax(0.0, 1.0 - 0.25 * distance * distance)) +
               0.25 * distance * fabs(ends[1].length - ends[0].length) / shortest;
    default:
        return 0.0;
    }
}

void sknMeasurePath(NodeState *state) {
    const Local *ends = state->ends;
    const double distance = quaternionDistance(ends[0].rotation, ends[1].rotation, 1.0);
    const double stray = strayOf(state->channels[VKSKIN_CHANNEL_ROTATION].kind, ends, distance);
    state->rotationDistance = stray < 0.0 ? ANY_ROTATION : fmin(ANY_ROTATION, sknRotationDistance(distance));
    state->rotationDeviation =
        stray < 0.0 ? ANY_ROTATION : fmin(ANY_ROTATION, 0.25 * distance * distance + 2.0 * stray + stray * stray);
    state->scaleDistance = largest(sknSubtract(ends[0].scale, ends[1].scale));
    state->scale = fmax(largest(ends[0].scale), largest(ends[1].scale));
}

/* The quaternions are within the ball of both ends, and E outside of it at most. */
void sknWidenRange(const NodeState *state, NodeRange *range) {
    const Local *ends = state->ends;
    const double side = sideOf(range->centre, ends[0].rotation);
    const double distance = quaternionDistance(ends[0].rotation, ends[1].rotation, 1.0);
    const double stray = strayOf(state->channels[VKSKIN_CHANNEL_ROTATION].kind, ends, distance);
    const double radius = fmax(quaternionDistance(range->centre, ends[0].rotation, side),
                               quaternionDistance(range->centre, ends[1].rotation, side));
    range->radius = fmax(range->radius, stray < 0.0 ? FARTHEST : fmin(FARTHEST, radius + stray));
    for (int end = 0; end < 2; ++end) {
        range->low = vectorMin(range->low, ends[end].translation);
        range->high = vectorMax(range->high, ends[end].translation);
        range->scaleLow = vectorMin(range->scaleLow, ends[end].scale);
        range->scaleHigh = vectorMax(range->scaleHigh, ends[end].scale);
    }
}
