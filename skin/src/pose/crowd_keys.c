#include "crowd_keys.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "clip.h"
#include "host_memory.h"
#include "quaternion.h"

/* Below, an angle's sine is the angle, for doubles too. */
#define LEAST_ANGLE 1e-6

/* What moves a channel of a kept node in one clip. */
typedef struct Source {
    const VkskinTrack *track; /* null: none, the rest pose holds */
    float held[4];            /* what the channel is where no keys differ: the rest or the clip's only value */
    bool moves;               /* keys differ, and the clip has a length */
} Source;

static uint32_t widthOf(uint32_t channel) {
    return channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
}

static void restValue(VkskinSkeleton skeleton, uint32_t node, uint32_t channel, float value[4]) {
    const VkskinTransform *rest = &skeleton->restPose[node];
    const float *parts[CROWD_CHANNELS] = {rest->translation, rest->rotation, rest->scale};
    memcpy(value, parts[channel], widthOf(channel) * sizeof *value);
    if (channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionNormalise(value);
    }
}

/* The value of a key, without tangents; of unit length for rotations. */
static void keyValue(const VkskinTrack *track, uint32_t key, float value[4]) {
    const uint32_t width = sknTrackValueWidth(track);
    const bool cubic = track->interpolation == VKSKIN_INTERPOLATION_CUBIC;
    memcpy(value, track->values + key * sknTrackKeyWidth(track) + (cubic ? width : 0), width * sizeof *value);
    if (cubic && track->channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionNormalise(value);
    }
}

static bool keysDiffer(const VkskinTrack *track) {
    const size_t bytes = sknTrackKeyWidth(track) * sizeof(float);
    for (uint32_t key = 1; key < track->keyCount; ++key) {
        if (memcmp(track->values, track->values + key * sknTrackKeyWidth(track), bytes) != 0) {
            return true;
        }
    }
    /* Equal keys with tangents still swing between them. */
    return track->keyCount > 1 && track->interpolation == VKSKIN_INTERPOLATION_CUBIC;
}

/* sources: [crowd's nodes][CROWD_CHANNELS]. clip: null for the rest pose. */
static void findSources(VkskinPoseBatch crowd, VkskinSkeleton skeleton, VkskinClip clip, const uint32_t *kept,
                        Source *sources) {
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        for (uint32_t channel = 0; kept[node] != UINT32_MAX && channel < CROWD_CHANNELS; ++channel) {
            Source *source = &sources[kept[node] * CROWD_CHANNELS + channel];
            *source = (Source){0};
            restValue(skeleton, node, channel, source->held);
        }
    }
    if (clip == NULL) {
        return;
    }
    for (uint32_t index = 0; index < clip->trackCount; ++index) {
        const VkskinTrack *track = &clip->tracks[index];
        if (kept[track->node] != UINT32_MAX && track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS) {
            sources[kept[track->node] * CROWD_CHANNELS + track->channel].track = track;
        }
    }
    for (size_t i = 0; i < (size_t)crowd->nodeCount * CROWD_CHANNELS; ++i) {
        if (sources[i].track != NULL) {
            sources[i].moves = clip->duration > 0.0f && keysDiffer(sources[i].track);
            keyValue(sources[i].track, 0, sources[i].held);
        }
    }
}

/* Makes a track of every channel that is not at rest in all clips. */
static void findTracks(VkskinPoseBatch crowd, VkskinSkeleton skeleton, const VkskinClip *clips, const uint32_t *kept,
                       Source *rest, Source *sources) {
    findSources(crowd, skeleton, NULL, kept, rest);
    for (uint32_t clip = 0; clip < crowd->clipCount; ++clip) {
        findSources(crowd, skeleton, clips[clip], kept, sources);
        for (size_t i = 0; i < (size_t)crowd->nodeCount * CROWD_CHANNELS; ++i) {
            CrowdNode *node = &crowd->nodes[i / CROWD_CHANNELS];
            const uint32_t channel = i % CROWD_CHANNELS;
            if (sources[i].moves || memcmp(sources[i].held, rest[i].held, sizeof rest[i].held) != 0) {
                node->tracks[channel] = 0;
                node->moves = true;
                node->scales |= channel == VKSKIN_CHANNEL_SCALE;
            }
        }
    }
    for (size_t i = 0; i < (size_t)crowd->nodeCount * CROWD_CHANNELS; ++i) {
        uint32_t *track = &crowd->nodes[i / CROWD_CHANNELS].tracks[i % CROWD_CHANNELS];
        *track = *track != CROWD_NO_TRACK ? crowd->trackCount++ : CROWD_NO_TRACK;
    }
}

/* False: no memory. */
static bool describeTracks(VkskinPoseBatch crowd) {
    crowd->tracks = sknHostAllocateArray(&crowd->allocator, crowd->trackCount, sizeof *crowd->tracks);
    for (uint32_t node = 0; crowd->tracks != NULL && node < crowd->nodeCount; ++node) {
        const uint32_t track = crowd->nodes[node].tracks[VKSKIN_CHANNEL_ROTATION];
        if (track != CROWD_NO_TRACK) {
            crowd->tracks[track].turns = true;
        }
    }
    return crowd->tracks != NULL;
}

/* The first key that time 0 needs: times before do not come. */
static uint32_t firstKey(const VkskinTrack *track) {
    uint32_t key = 0;
    while (key + 1 < track->keyCount && track->times[key + 1] <= 0.0f) {
        ++key;
    }
    return key;
}

static bool isKeyed(const Source *source) {
    return source->moves && source->track->interpolation != VKSKIN_INTERPOLATION_CUBIC;
}

/* Keys that a source becomes: its own, one before that holds, and the end. */
static uint64_t countKeys(const Source *source) {
    if (!isKeyed(source)) {
        return 2;
    }
    const uint32_t first = firstKey(source->track);
    return (uint64_t)source->track->keyCount - first + (source->track->times[first] > 0.0f) + 1;
}

static CrowdKey heldKey(const float value[4], float time) {
    CrowdKey key = {.time = time, .angle = (float)LEAST_ANGLE, .perSine = (float)(1.0 / LEAST_ANGLE)};
    memcpy(key.value, value, sizeof key.value);
    return key;
}

/* Turns `next` into the half of the sphere that `key` is in, and sets the angle between them. */
static void joinRotations(CrowdKey *key, CrowdKey *next) {
    double dot = 0.0;
    double apart = 0.0;
    double along = 0.0;
    for (int i = 0; i < 4; ++i) {
        dot += (double)key->value[i] * next->value[i];
    }
    for (int i = 0; i < 4; ++i) {
        next->value[i] = dot < 0.0 ? -next->value[i] : next->value[i];
        const double less = (double)next->value[i] - key->value[i];
        const double more = (double)next->value[i] + key->value[i];
        apart += less * less;
        along += more * more;
    }
    const double angle = fmax(2.0 * atan2(sqrt(apart), sqrt(along)), LEAST_ANGLE);
    key->angle = (float)angle;
    key->perSine = (float)(1.0 / sin(angle));
}

static void joinKeys(const VkskinTrack *track, CrowdKey *key, CrowdKey *next) {
    if (track->channel == VKSKIN_CHANNEL_ROTATION) {
        joinRotations(key, next);
    }
    const double seconds = (double)next->time - key->time;
    if (track->interpolation == VKSKIN_INTERPOLATION_LINEAR && seconds > 0.0) {
        key->perSecond = (float)fmin(1.0 / seconds, FLT_MAX);
    }
}

/* Writes a source's keys and returns the place behind them. */
static CrowdKey *writeKeys(const Source *source, CrowdKey *keys) {
    float value[4] = {0};
    if (!isKeyed(source)) {
        *keys++ = heldKey(source->held, 0.0f);
        *keys++ = heldKey(source->held, INFINITY);
        return keys;
    }
    const VkskinTrack *track = source->track;
    const uint32_t first = firstKey(track);
    keyValue(track, first, value);
    if (track->times[first] > 0.0f) {
        *keys++ = heldKey(value, 0.0f);
    }
    *keys++ = heldKey(value, track->times[first]);
    for (uint32_t key = first + 1; key < track->keyCount; ++key) {
        keyValue(track, key, value);
        *keys = heldKey(value, track->times[key]);
        joinKeys(track, keys - 1, keys);
        ++keys;
    }
    *keys = heldKey(keys[-1].value, INFINITY);
    return keys + 1;
}

/* Copies the keys of the cubic tracks, which are sampled one by one. False: no memory. */
static bool copyCubics(VkskinPoseBatch crowd, const Source *sources, CrowdClip *clip) {
    size_t floats = 0;
    for (size_t i = 0; i < (size_t)crowd->nodeCount * CROWD_CHANNELS; ++i) {
        const bool cubic = sources[i].moves && !isKeyed(&sources[i]);
        floats += cubic ? sources[i].track->keyCount * (1 + sknTrackKeyWidth(sources[i].track)) : 0;
    }
    if (floats == 0) {
        return true;
    }
    clip->cubic = sknHostAllocateArray(&crowd->allocator, crowd->trackCount, sizeof *clip->cubic);
    clip->cubicKeys = sknHostAllocateArray(&crowd->allocator, floats, sizeof *clip->cubicKeys);
    if (clip->cubic == NULL || clip->cubicKeys == NULL) {
        return false;
    }
    float *keys = clip->cubicKeys;
    for (size_t i = 0; i < (size_t)crowd->nodeCount * CROWD_CHANNELS; ++i) {
        if (sources[i].moves && !isKeyed(&sources[i])) {
            const uint32_t index = crowd->nodes[i / CROWD_CHANNELS].tracks[i % CROWD_CHANNELS];
            crowd->tracks[index].cubic = true;
            keys = sknCopyTrack(sources[i].track, &clip->cubic[index], keys);
        }
    }
    return true;
}

static VkskinResult makeClip(VkskinPoseBatch crowd, const Source *sources, CrowdClip *clip) {
    clip->first = sknHostAllocateArray(&crowd->allocator, (size_t)crowd->trackCount + 1, sizeof *clip->first);
    if (clip->first == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)crowd->nodeCount * CROWD_CHANNELS; ++i) {
        const uint32_t track = crowd->nodes[i / CROWD_CHANNELS].tracks[i % CROWD_CHANNELS];
        count += track != CROWD_NO_TRACK ? countKeys(&sources[i]) : 0;
        if (count > UINT32_MAX) {
            return VKSKIN_ERROR_INVALID_VALUE;
        }
        if (track != CROWD_NO_TRACK) {
            clip->first[track + 1] = (uint32_t)count;
        }
    }
    if (count > SIZE_MAX / sizeof *clip->keys) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    clip->keys = sknHostAllocateLines(&crowd->allocator, (size_t)count * sizeof *clip->keys);
    if (clip->keys == NULL || !copyCubics(crowd, sources, clip)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    CrowdKey *keys = clip->keys;
    for (size_t i = 0; i < (size_t)crowd->nodeCount * CROWD_CHANNELS; ++i) {
        if (crowd->nodes[i / CROWD_CHANNELS].tracks[i % CROWD_CHANNELS] != CROWD_NO_TRACK) {
            keys = writeKeys(&sources[i], keys);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknMakeCrowdKeys(VkskinPoseBatch crowd, VkskinSkeleton skeleton, const VkskinClip *clips,
                              const uint32_t *kept) {
    const VkskinHostAllocator *allocator = &crowd->allocator;
    const size_t channels = (size_t)crowd->nodeCount * CROWD_CHANNELS;
    Source *sources = sknHostAllocateArray(allocator, channels, 2 * sizeof *sources);
    crowd->clips = sknHostAllocateArray(allocator, (size_t)crowd->clipCount + 1, sizeof *crowd->clips);
    if (sources == NULL || crowd->clips == NULL) {
        sknHostFree(allocator, sources);
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    findTracks(crowd, skeleton, clips, kept, sources + channels, sources);
    VkskinResult result = describeTracks(crowd) ? VKSKIN_SUCCESS : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t clip = 0; result == VKSKIN_SUCCESS && clip <= crowd->clipCount; ++clip) {
        VkskinClip source = clip < crowd->clipCount ? clips[clip] : NULL;
        findSources(crowd, skeleton, source, kept, sources);
        crowd->clips[clip].duration = vkskinGetClipDuration(source);
        result = makeClip(crowd, sources, &crowd->clips[clip]);
    }
    sknHostFree(allocator, sources);
    return result;
}

void sknFreeCrowdClip(VkskinPoseBatch crowd, CrowdClip *clip) {
    sknHostFree(&crowd->allocator, clip->cubicKeys);
    sknHostFree(&crowd->allocator, clip->cubic);
    sknHostFree(&crowd->allocator, clip->keys);
    sknHostFree(&crowd->allocator, clip->first);
}
