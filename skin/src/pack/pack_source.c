#include "pack.h"

#include <math.h>
#include <stdlib.h>

#include "clip.h"
#include "cpu_level.h"

#define GRID_STEPS  8u  /* between two source times, fewer if memory for the grid exceeds GRID_BYTES */
#define GRID_SPARSE 64u /* for fewer source times there are more steps */
#define GRID_BYTES  (64u << 20)
#define LEAST_W     0.5f /* minimum w of a quaternion stored as three numbers: a large w is calculated precisely */

/* ---- Times ---- */

static int compareTimes(const void *a, const void *b) {
    const GridTime *x = a;
    const GridTime *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return (int)y->before - (int)x->before;
}

static bool isPosed(const VkskinTrack *track) {
    return track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS;
}

/* The value may jump at this key. */
static bool jumpsAt(const VkskinTrack *track, uint32_t key) {
    return key > 0 && (track->interpolation == VKSKIN_INTERPOLATION_STEP || track->times[key] == track->times[key - 1]);
}

/* Maximum times per key of a track: its own time, the moment before, and the times of addBends. */
#define KEY_TIMES_MAX (2u + 4u * 3u * BEND_PARTS)
#define BEND_PARTS    8u  /* parts of a component's Bezier parameter */
#define STEEP         0.5 /* part of the average pace of time */

/* Where time goes slowly along a Bezier curve, its value changes fast: even distances of time would miss that. */
static uint32_t addBends(const VkskinTrack *track, uint32_t key, GridTime *times) {
    const float from = track->times[key];
    uint32_t count = 0;
    if (track->interpolation != VKSKIN_INTERPOLATION_BEZIER || key + 1 == track->keyCount ||
        track->times[key + 1] == from) {
        return 0;
    }
    for (uint32_t component = 0; component < sknTrackValueWidth(track); ++component) {
        const BezierSegment segment = sknTrackSegment(track, key, component);
        for (uint32_t part = 0; part < BEND_PARTS; ++part) {
            double at[3];
            for (uint32_t i = 0; i < 3; ++i) {
                at[i] = sknBezierTime(&segment, (part + 0.5 * i) / BEND_PARTS);
            }
            for (uint32_t i = 0; i < 3 && at[2] - at[0] < STEEP / BEND_PARTS; ++i) {
                times[count++] = (GridTime){.time = from + (float)at[i] * (track->times[key + 1] - from)};
            }
        }
    }
    return count;
}

static uint32_t addKeyTimes(const VkskinTrack *track, uint32_t key, GridTime *times) {
    uint32_t count = 0;
    times[count++] = (GridTime){.time = track->times[key]};
    times[count] = (GridTime){.time = track->times[key], .before = true};
    count += jumpsAt(track, key);
    return count + addBends(track, key, times + count);
}

/* Times of keys and bends from 0 to the duration, both of these, and the moments before jumps; sorted, each once. */
static bool findSourceTimes(PackClip *made) {
    uint64_t most = 2;
    for (uint32_t i = 0; i < made->clip->trackCount; ++i) {
        const VkskinTrack *track = &made->clip->tracks[i];
        const uint32_t times = track->interpolation == VKSKIN_INTERPOLATION_BEZIER ? KEY_TIMES_MAX : 2;
        most += isPosed(track) ? times * (uint64_t)track->keyCount : 0;
    }
    made->source = most <= UINT32_MAX ? sknArenaArray(&made->arena, (size_t)most, sizeof *made->source) : NULL;
    if (made->source == NULL) {
        return false;
    }
    uint32_t count = 0;
    made->source[count++] = (GridTime){0};
    made->source[count++] = (GridTime){.time = made->duration};
    for (uint32_t i = 0; i < made->clip->trackCount; ++i) {
        const VkskinTrack *track = &made->clip->tracks[i];
        for (uint32_t key = 0; isPosed(track) && key < track->keyCount; ++key) {
            GridTime times[KEY_TIMES_MAX];
            const uint32_t added = addKeyTimes(track, key, times);
            for (uint32_t k = 0; k < added; ++k) {
                made->source[count] = times[k];
                count += times[k].time > 0.0f && times[k].time <= made->duration;
            }
        }
    }
    qsort(made->source, count, sizeof *made->source, compareTimes);
    made->sourceCount = 1;
    for (uint32_t i = 1; i < count; ++i) {
        if (compareTimes(&made->source[made->sourceCount - 1], &made->source[i]) != 0) {
            made->source[made->sourceCount++] = made->source[i];
        }
    }
    return true;
}

static bool makeGrid(PackClip *made, uint32_t finer) {
    const uint64_t each = (uint64_t)made->skeleton->nodeCount * 12 * sizeof(float) + made->channelCount * 16ull;
    uint32_t steps = GRID_STEPS * (made->sourceCount < GRID_SPARSE ? 2 : 1) * finer;
    while (steps > 1 && each * made->sourceCount * steps > GRID_BYTES) {
        steps /= 2;
    }
    made->grid = sknArenaArray(&made->arena, (size_t)made->sourceCount * steps, sizeof *made->grid);
    if (made->grid == NULL) {
        return false;
    }
    for (uint32_t i = 0; i + 1 < made->sourceCount; ++i) {
        const float from = made->source[i].time;
        const float to = made->source[i + 1].time;
        made->grid[made->gridCount++] = made->source[i];
        for (uint32_t step = 1; step < steps; ++step) {
            const float time = from + (to - from) * ((float)step / (float)steps);
            if (time > made->grid[made->gridCount - 1].time && time < to) {
                made->grid[made->gridCount++] = (GridTime){.time = time};
            }
        }
    }
    made->grid[made->gridCount++] = made->source[made->sourceCount - 1];
    return true;
}

/* ---- Channels ---- */

static uint32_t widthOf(VkskinChannel channel) {
    return channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
}

static bool keysDiffer(const VkskinTrack *track) {
    const size_t width = sknTrackKeyWidth(track);
    for (uint32_t key = 1; key < track->keyCount; ++key) {
        if (memcmp(track->values, track->values + key * width, width * sizeof(float)) != 0) {
            return true;
        }
    }
    return track->keyCount > 1 && sknTrackIsCurve(track);
}

static void restOf(const PackClip *made, const PackChannel *channel, float value[4]) {
    const uint32_t node = made->skeleton->nodes[channel->place].node;
    const VkskinTransform *rest = &made->skeleton->skeleton->restPose[node];
    const float *parts[] = {rest->translation, rest->rotation, rest->scale};
    memcpy(value, parts[channel->channel], widthOf(channel->channel) * sizeof *value);
    if (channel->channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionNormalise(value);
    }
}

/* One channel for each node and channel with a track; the last track counts. */
static bool findChannels(PackClip *made) {
    const uint32_t nodeCount = made->skeleton->nodeCount;
    const VkskinTrack **tracks = sknArenaArray(&made->arena, (size_t)nodeCount * 3, sizeof *tracks);
    made->nodeChannels = sknArenaArray(&made->arena, (size_t)nodeCount * 3, sizeof *made->nodeChannels);
    made->channels = sknArenaArray(&made->arena, (size_t)nodeCount * 3, sizeof *made->channels);
    if (made->arena.failed) {
        return false;
    }
    for (uint32_t i = 0; i < made->clip->trackCount; ++i) {
        const VkskinTrack *track = &made->clip->tracks[i];
        if (isPosed(track)) {
            tracks[(size_t)track->node * 3 + track->channel] = track;
        }
    }
    for (size_t i = 0; i < (size_t)nodeCount * 3; ++i) {
        const uint32_t place = made->skeleton->places[i / 3];
        uint32_t *index = &made->nodeChannels[(size_t)place * 3 + i % 3];
        *index = PACK_NONE;
        if (tracks[i] != NULL) {
            *index = made->channelCount;
            made->channels[made->channelCount++] =
                (PackChannel){.place = place,
                              .channel = (VkskinChannel)(i % 3),
                              .track = tracks[i],
                              .moves = made->duration > 0.0f && keysDiffer(tracks[i])};
        }
    }
    return true;
}

/* ---- Numbers of rotations ---- */

static void multiply(const float a[4], const float b[4], float product[4]) {
    const double x = (double)a[3] * b[0] + (double)a[0] * b[3] + (double)a[1] * b[2] - (double)a[2] * b[1];
    const double y = (double)a[3] * b[1] + (double)a[1] * b[3] + (double)a[2] * b[0] - (double)a[0] * b[2];
    const double z = (double)a[3] * b[2] + (double)a[2] * b[3] + (double)a[0] * b[1] - (double)a[1] * b[0];
    const double w = (double)a[3] * b[3] - (double)a[0] * b[0] - (double)a[1] * b[1] - (double)a[2] * b[2];
    product[0] = (float)x;
    product[1] = (float)y;
    product[2] = (float)z;
    product[3] = (float)w;
}

static void negateIf(bool negative, float q[4]) {
    for (int i = 0; i < 4; ++i) {
        q[i] = negative ? -q[i] : q[i];
    }
}

static float dot4(const float a[4], const float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The quaternion that the base is multiplied with, w >= 0. */
static void relativeTo(const float base[4], const float rotation[4], float relative[4]) {
    const float inverse[4] = {-base[0], -base[1], -base[2], base[3]};
    multiply(inverse, rotation, relative);
    negateIf(relative[3] < 0.0f, relative);
}

static void setBase(PackChannel *channel, const float base[4]) {
    for (int i = 0; i < 4; ++i) {
        channel->base16[i] = (int16_t)lrintf(base[i] * 32767.0f);
        channel->base[i] = (float)channel->base16[i];
    }
    sknQuaternionNormalise(channel->base);
}

/* The mean of all rotations of a channel. */
static void meanRotation(const PackClip *made, uint32_t index, float mean[4]) {
    const float *first = made->values[index];
    double sum[4] = {0};
    for (uint32_t g = 0; g < made->gridCount; ++g) {
        const float *q = made->values[(size_t)g * made->channelCount + index];
        const double sign = dot4(first, q) < 0.0f ? -1.0 : 1.0;
        for (int i = 0; i < 4; ++i) {
            sum[i] += sign * q[i];
        }
    }
    for (int i = 0; i < 4; ++i) {
        mean[i] = (float)(sum[i] / made->gridCount);
    }
    sknQuaternionNormalise(mean);
}

/* Returns the smallest w of the rotations relative to a base, and the middle of their other numbers. */
static float surveyRotations(const PackClip *made, uint32_t index, const float base[4], float middle[4]) {
    float low[3] = {1.0f, 1.0f, 1.0f};
    float high[3] = {-1.0f, -1.0f, -1.0f};
    float least = 1.0f;
    for (uint32_t g = 0; g < made->gridCount; ++g) {
        float relative[4];
        relativeTo(base, made->values[(size_t)g * made->channelCount + index], relative);
        least = fminf(least, relative[3]);
        for (int i = 0; i < 3; ++i) {
            low[i] = fminf(low[i], relative[i]);
            high[i] = fmaxf(high[i], relative[i]);
        }
    }
    float square = 0.0f;
    for (int i = 0; i < 3; ++i) {
        middle[i] = 0.5f * (low[i] + high[i]);
        square += middle[i] * middle[i];
    }
    middle[3] = sqrtf(fmaxf(0.0f, 1.0f - square));
    return least;
}

/* Chooses base and form of a channel whose `values` still are rotations. */
static void chooseBase(const PackClip *made, uint32_t index, PackChannel *channel) {
    static const float identity[4] = {0, 0, 0, 1};
    float base[4];
    float middle[4];
    float centred[4];
    meanRotation(made, index, base);
    if (surveyRotations(made, index, base, middle) >= LEAST_W && !made->floats) {
        multiply(base, middle, centred);
        setBase(channel, centred);
        channel->four = surveyRotations(made, index, channel->base, middle) < LEAST_W;
    } else {
        channel->four = true;
    }
    if (channel->four) {
        setBase(channel, identity);
    }
}

/* near: numbers at a near time, or null. */
static void toNumbers(const PackChannel *channel, const float *near, float value[4]) {
    if (channel->channel != VKSKIN_CHANNEL_ROTATION) {
        value[3] = 0.0f;
    } else if (channel->four) {
        negateIf(near != NULL && dot4(near, value) < 0.0f, value);
    } else {
        float relative[4];
        relativeTo(channel->base, value, relative);
        memcpy(value, relative, sizeof relative);
    }
}

/* A clip of 0 seconds has its first keys. */
static void sampleChannel(const PackClip *clip, const PackChannel *channel, GridTime at, float value[4]) {
    const double within = at.before ? nextafter(at.time, -1.0) : at.time;
    const double time = clip->duration > 0.0f ? within : -INFINITY;
    value[3] = 0.0f;
    sknSampleTrack(channel->track, time, value, widthOf(channel->channel));
}

void sknPackSample(const PackClip *clip, GridTime at, const float (*near)[4], float (*out)[4]) {
    for (uint32_t i = 0; i < clip->channelCount; ++i) {
        sampleChannel(clip, &clip->channels[i], at, out[i]);
        toNumbers(&clip->channels[i], near != NULL ? near[i] : NULL, out[i]);
    }
}

static void fillValues(PackClip *made) {
    for (uint32_t g = 0; g < made->gridCount; ++g) {
        for (uint32_t i = 0; i < made->channelCount; ++i) {
            sampleChannel(made, &made->channels[i], made->grid[g], made->values[(size_t)g * made->channelCount + i]);
        }
    }
    for (uint32_t i = 0; i < made->channelCount; ++i) {
        PackChannel *channel = &made->channels[i];
        memcpy(channel->first, made->values[i], sizeof channel->first);
        restOf(made, channel, channel->rest);
        if (channel->channel == VKSKIN_CHANNEL_ROTATION) {
            chooseBase(made, i, channel);
        }
        const float *near = NULL;
        for (uint32_t g = 0; g < made->gridCount; ++g) {
            float *value = made->values[(size_t)g * made->channelCount + i];
            toNumbers(channel, near, value);
            near = value;
        }
        toNumbers(channel, made->values[i], channel->rest);
        channel->nearRest = channel->channel != VKSKIN_CHANNEL_ROTATION || channel->four || channel->rest[3] > LEAST_W;
    }
}

/* ---- World matrices ---- */

static PackLevel packLevel(void) {
    const VkskinCpuLevel level = sknResolveCpuLevel(VKSKIN_CPU_AUTO);
#if defined(VKSKIN_HAS_AVX2)
    if (level == VKSKIN_CPU_AVX2) {
        return sknPackLevelAvx2;
    }
#endif
#if defined(VKSKIN_HAS_AVX512)
    if (level == VKSKIN_CPU_AVX512) {
        return sknPackLevelAvx512;
    }
#endif
    (void)level;
    return sknPackLevelPortable;
}

/* World matrices of all grid times; after them those of the last one. */
static void composeGrid(PackClip *made) {
    for (size_t g = 0; g < made->worldStride; g += made->level.width) {
        PackTimes times;
        for (uint32_t lane = 0; lane < made->level.width; ++lane) {
            const size_t at = g + lane < made->gridCount ? g + lane : made->gridCount - 1;
            times.a[lane] = times.b[lane] = made->values[at * made->channelCount];
            times.fractions[lane] = 0.0f;
        }
        made->level.compose(made, &times, made->world + g, made->worldStride);
    }
}

static bool worldIsFinite(const PackClip *made) {
    for (size_t i = 0; i < (size_t)made->skeleton->nodeCount * 12; ++i) {
        for (uint32_t g = 0; g < made->gridCount; ++g) {
            if (!isfinite(made->world[i * made->worldStride + g])) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Sensitivities ---- */

static float columnLength(const float *m) {
    float most = 0.0f;
    for (int column = 0; column < 3; ++column) {
        most = fmaxf(most, m[column] * m[column] + m[4 + column] * m[4 + column] + m[8 + column] * m[8 + column]);
    }
    return sqrtf(most);
}

/* The distance from the origin of a node to the farthest point of its box, in model space. */
static float boxMaxDistance(const PackNode *node, const float *world) {
    float maxDistance = 0.0f;
    for (int i = 0; i < 3; ++i) {
        const float most = fabsf(node->centre[i]) + node->half[i];
        maxDistance += most * most;
    }
    return sqrtf(maxDistance) * columnLength(world);
}

/* maxDistance: [nodeCount]: the largest distance so far from a node's origin to a point that the node moves. */
static void addMaxDistance(const PackClip *made, const float *world, float *now, float *maxDistance) {
    const PackNode *nodes = made->skeleton->nodes;
    for (uint32_t place = 0; place < made->skeleton->nodeCount; ++place) {
        now[place] = boxMaxDistance(&nodes[place], world + (size_t)place * 12);
    }
    for (uint32_t place = made->skeleton->nodeCount; place-- > 0;) {
        const uint32_t parent = nodes[place].parent;
        maxDistance[place] = fmaxf(maxDistance[place], now[place]);
        if (parent != PACK_NONE) {
            const float *own = world + (size_t)place * 12;
            const float *other = world + (size_t)parent * 12;
            const float d[3] = {own[3] - other[3], own[7] - other[7], own[11] - other[11]};
            now[parent] = fmaxf(now[parent], now[place] + sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
    }
}

/* `values` and `world` of the first, and of some later grid times. */
static bool findSensitivities(PackClip *made) {
    const uint32_t nodeCount = made->skeleton->nodeCount;
    float *maxDistance = sknArenaArray(&made->arena, nodeCount, 3 * sizeof *maxDistance);
    if (maxDistance == NULL) {
        return false;
    }
    float *now = maxDistance + nodeCount;
    float *scale = now + nodeCount; /* [nodeCount]: scale of the space that a node's translation is in */
    const uint32_t step = made->gridCount / 16 + 1;
    for (uint32_t g = 0; g < made->gridCount; g += step) {
        const float *world = made->work;
        for (size_t i = 0; i < (size_t)nodeCount * 12; ++i) {
            made->work[i] = made->world[i * made->worldStride + g];
        }
        addMaxDistance(made, world, now, maxDistance);
        for (uint32_t place = 0; place < nodeCount; ++place) {
            const PackNode *node = &made->skeleton->nodes[place];
            const float above = node->parent != PACK_NONE ? columnLength(world + (size_t)node->parent * 12) : 1.0f;
            scale[place] = fmaxf(scale[place], above * (node->hasPre ? columnLength(node->pre) : 1.0f));
        }
    }
    for (uint32_t i = 0; i < made->channelCount; ++i) {
        PackChannel *channel = &made->channels[i];
        const float *first = made->values[i];
        const float size = fmaxf(fmaxf(fabsf(first[0]), fabsf(first[1])), fmaxf(fabsf(first[2]), 1e-3f));
        const float parts[] = {scale[channel->place], 2.0f * maxDistance[channel->place],
                               maxDistance[channel->place] / size};
        channel->sensitivity = fmaxf(parts[channel->channel], 1e-20f);
    }
    return true;
}

/* ---- All of it ---- */

static VkskinResult fillClip(PackClip *made, uint32_t finer) {
    const size_t nodeCount = made->skeleton->nodeCount;
    if (!findSourceTimes(made) || !findChannels(made) || !makeGrid(made, finer)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    made->values = sknArenaLines(&made->arena, made->gridCount, made->channelCount * sizeof *made->values);
    made->level = packLevel();
    made->worldStride = ((size_t)made->gridCount / PACK_LANES + 2) * PACK_LANES; /* all lanes from any grid time on */
    made->world = sknArenaLines(&made->arena, nodeCount * 12, made->worldStride * sizeof *made->world);
    made->work = sknArenaLines(&made->arena, nodeCount * 12, PACK_LANES * sizeof *made->work);
    if (made->arena.failed) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    fillValues(made);
    composeGrid(made);
    if (!worldIsFinite(made)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    return findSensitivities(made) ? VKSKIN_SUCCESS : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
}

VkskinResult sknPackSource(const PackSkeleton *skeleton, VkskinClip clip, bool floats, uint32_t finer,
                           const VkskinHostAllocator *allocator, PackClip *made) {
    *made = (PackClip){.skeleton = skeleton,
                       .clip = clip,
                       .arena = sknMakeArena(allocator),
                       .duration = clip->duration,
                       .floats = floats};
    return fillClip(made, finer);
}
