#include "clip.h"

#include <math.h>
#include <string.h>

#include "affine.h"
#include "cookie.h"

#define WHOLE_TURNS 536870912.0 /* 2^29 */

uint32_t sknTrackValueWidth(const VkskinTrack *track) {
    if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        return track->weightCount;
    }
    return track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
}

size_t sknTrackKeyWidth(const VkskinTrack *track) {
    return (size_t)sknTrackValueWidth(track) * vkskinInterpolationParts(track->interpolation);
}

bool sknTrackIsCurve(const VkskinTrack *track) {
    return vkskinInterpolationParts(track->interpolation) > 1;
}

const float *sknTrackKeyValue(const VkskinTrack *track, uint32_t key) {
    const size_t before = vkskinInterpolationParts(track->interpolation) / 2; /* parts: the value is in the middle */
    return track->values + key * sknTrackKeyWidth(track) + before * sknTrackValueWidth(track);
}

uint32_t vkskinInterpolationParts(VkskinInterpolation interpolation) {
    switch (interpolation) {
    case VKSKIN_INTERPOLATION_LINEAR:
    case VKSKIN_INTERPOLATION_STEP:
        return 1;
    case VKSKIN_INTERPOLATION_CUBIC:
        return 3;
    case VKSKIN_INTERPOLATION_BEZIER:
        return 5;
    }
    return 0;
}

VkskinClipDef vkskinDefaultClipDef(void) {
    return (VkskinClipDef){.cookie = VKSKIN_COOKIE_CLIP, .duration = -1.0f};
}

static VkskinResult checkArguments(const VkskinClipDef *def, const VkskinClip *place) {
    const VkskinLogger *logger = &def->logger;
    const Subject subject = {logger, "clip", ""};
    const Rule rules[] = {
        {place == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the handle is null"},
        {!sknHostAllocatorIsComplete(def->allocator), VKSKIN_ERROR_NULL_ARGUMENT,
         "the host allocator lacks a function"},
        {!isfinite(def->duration), VKSKIN_ERROR_INVALID_VALUE, "duration is not finite"},
        {def->nodeCount == 0, VKSKIN_ERROR_INVALID_VALUE, "nodeCount is 0"},
    };
    VkskinResult result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    if (result < 0) {
        return result;
    }
    if (def->trackCount > 0 && def->tracks == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "clip: tracks is null, trackCount is %u", def->trackCount);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkTrackArguments(const VkskinClipDef *def, uint32_t index) {
    const VkskinLogger *logger = &def->logger;
    const VkskinTrack *track = &def->tracks[index];
    if (track->node >= def->nodeCount) {
        return sknReport(logger, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "clip: track %u moves node %u of %u", index,
                         track->node, def->nodeCount);
    }
    if ((uint32_t)track->channel > VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "clip: track %u (node %u) has the unknown channel %d",
                         index, track->node, (int)track->channel);
    }
    if (vkskinInterpolationParts(track->interpolation) == 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "clip: track %u (node %u) has the unknown interpolation %d", index, track->node,
                         (int)track->interpolation);
    }
    if (track->keyCount == 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "clip: track %u (node %u) has no keys", index,
                         track->node);
    }
    if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS && track->weightCount == 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "clip: track %u (node %u) of morph weights has none",
                         index, track->node);
    }
    if (track->times == NULL || track->values == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "clip: %s of track %u (node %u) is null",
                         track->times == NULL ? "times" : "values", index, track->node);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkKey(const VkskinClipDef *def, uint32_t index, uint32_t key) {
    const VkskinTrack *track = &def->tracks[index];
    if (!isfinite(track->times[key])) {
        return sknReport(&def->logger, VKSKIN_ERROR_KEY_TIMES,
                         "clip: the time of key %u of track %u (node %u) is not finite", key, index, track->node);
    }
    if (key > 0 && track->times[key] < track->times[key - 1]) {
        return sknReport(&def->logger, VKSKIN_ERROR_KEY_TIMES,
                         "clip: key %u of track %u (node %u) at %g s comes after one at %g s", key, index, track->node,
                         (double)track->times[key], (double)track->times[key - 1]);
    }
    const size_t width = sknTrackKeyWidth(track);
    for (size_t i = 0; i < width; ++i) {
        if (!isfinite(track->values[key * width + i])) {
            return sknReport(&def->logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                             "clip: the value of key %u of track %u (node %u) is not finite", key, index, track->node);
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkDef(const VkskinClipDef *def, const VkskinClip *place) {
    VkskinResult result = checkArguments(def, place);
    for (uint32_t index = 0; result == VKSKIN_SUCCESS && index < def->trackCount; ++index) {
        result = checkTrackArguments(def, index);
        for (uint32_t key = 0; result == VKSKIN_SUCCESS && key < def->tracks[index].keyCount; ++key) {
            result = checkKey(def, index, key);
        }
    }
    return result;
}

/* Floats of all keys and times; SIZE_MAX if the number overflows. */
static size_t countFloats(const VkskinClipDef *def) {
    size_t total = 0;
    for (uint32_t index = 0; index < def->trackCount; ++index) {
        const VkskinTrack *track = &def->tracks[index];
        const size_t width = 1 + sknTrackKeyWidth(track);
        if (track->keyCount > (SIZE_MAX - total) / width) {
            return SIZE_MAX;
        }
        total += track->keyCount * width;
    }
    return total;
}

float *sknCopyTrack(const VkskinTrack *source, VkskinTrack *track, float *keys) {
    const size_t valueFloats = source->keyCount * sknTrackKeyWidth(source);
    float *values = keys + source->keyCount;
    memcpy(keys, source->times, source->keyCount * sizeof *keys);
    memcpy(values, source->values, valueFloats * sizeof *values);
    /* Tangents and handles fit unscaled values. Samples of such rotations are normalised instead. */
    if (source->channel == VKSKIN_CHANNEL_ROTATION && !sknTrackIsCurve(source)) {
        for (size_t i = 0; i < valueFloats; i += 4) {
            sknQuaternionNormalise(values + i);
        }
    }
    *track = *source;
    track->times = keys;
    track->values = values;
    return values + valueFloats;
}

static float latestKeyTime(const VkskinClipDef *def) {
    float latest = 0.0f;
    for (uint32_t index = 0; index < def->trackCount; ++index) {
        const VkskinTrack *track = &def->tracks[index];
        latest = fmaxf(latest, track->times[track->keyCount - 1]);
    }
    return latest;
}

static VkskinResult copyDef(const VkskinClipDef *def, VkskinClip *copy) {
    Arena arena = sknMakeArena(def->allocator);
    VkskinClip made = sknArenaArray(&arena, 1, sizeof *made);
    VkskinTrack *tracks = sknArenaArray(&arena, def->trackCount, sizeof *tracks);
    float *keys = sknArenaArray(&arena, countFloats(def), sizeof *keys);
    if (arena.failed) {
        sknFreeArena(&arena);
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "clip: no host memory for the keys of %u tracks", def->trackCount);
    }
    for (uint32_t index = 0; index < def->trackCount; ++index) {
        keys = sknCopyTrack(&def->tracks[index], &tracks[index], keys);
    }
    *made = (struct VkskinClip_T){
        .arena = arena,
        .duration = def->duration >= 0.0f ? def->duration : latestKeyTime(def),
        .nodeCount = def->nodeCount,
        .trackCount = def->trackCount,
        .tracks = tracks,
    };
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *copy = made;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreateClip(const VkskinClipDef *def, VkskinClip *clip) {
    if (clip != NULL) {
        *clip = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_CLIP);
    if (result == VKSKIN_SUCCESS) {
        result = checkDef(def, clip);
    }
    return result == VKSKIN_SUCCESS ? copyDef(def, clip) : result;
}

void vkskinDestroyClip(VkskinClip clip) {
    if (clip != NULL) {
        sknFreeArena(&clip->arena);
    }
}

float vkskinGetClipDuration(VkskinClip clip) {
    return clip != NULL ? clip->duration : 0.0f;
}

uint32_t vkskinGetClipNodeCount(VkskinClip clip) {
    return clip != NULL ? clip->nodeCount : 0;
}

double sknClipTime(float duration, double time, VkskinWrap wrap) {
    if (duration <= 0.0f) {
        return -INFINITY;
    }
    if (wrap == VKSKIN_WRAP_CLAMP) {
        return fmin(fmax(time, 0.0), duration);
    }
    /* Equal to fmod to the bit, since a product of 24 and 29 bits is exact in 53, and several times faster. */
    if (time >= 0.0 && time < duration * WHOLE_TURNS) {
        const double turns = (double)(int64_t)(time / duration);
        const double over = time - turns * duration;
        return over >= 0.0 ? over : time - (turns - 1.0) * duration;
    }
    const double rest = fmod(time, duration);
    return rest < 0.0 ? rest + duration : rest;
}
