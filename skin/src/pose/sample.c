#include <math.h>
#include <string.h>

#include "clip.h"
#include "skeleton.h"
#include "vkskin/vkskin_ik.h"

/* ---- Tracks ---- */

/* A time as a fraction `weight`, from 0 to below 1, between key and key + 1. With weight 0 there may be no next key. */
typedef struct KeyPlace {
    uint32_t key;
    double weight;
    double seconds; /* from key to key + 1 */
} KeyPlace;

static KeyPlace findKey(const VkskinTrack *track, double time) {
    /* Finds the number of keys at or before the time. Of keys with equal times the last one is used. */
    uint32_t low = 0;
    uint32_t high = track->keyCount;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (track->times[middle] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || low == track->keyCount) {
        return (KeyPlace){.key = low == 0 ? 0 : low - 1};
    }
    const double start = track->times[low - 1];
    const double seconds = track->times[low] - start;
    return (KeyPlace){.key = low - 1, .weight = (time - start) / seconds, .seconds = seconds};
}

static void sampleLinear(const VkskinTrack *track, KeyPlace place, float *value, uint32_t count) {
    const uint32_t width = sknTrackValueWidth(track);
    const float *a = track->values + (size_t)place.key * width;
    const float *b = a + width;
    if (track->channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionSlerp(a, b, place.weight, value);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        value[i] = (float)((1.0 - place.weight) * a[i] + place.weight * b[i]);
    }
}

static void sampleCubic(const VkskinTrack *track, KeyPlace place, float *value, uint32_t count) {
    const size_t width = sknTrackValueWidth(track);
    const float *start = track->values + (size_t)place.key * 3 * width + width;
    const float *outTangent = start + width;
    const float *inTangent = outTangent + width;
    const float *end = inTangent + width;
    const double t = place.weight;
    const double t2 = t * t;
    const double t3 = t2 * t;
    for (uint32_t i = 0; i < count; ++i) {
        const double ends = (2.0 * t3 - 3.0 * t2 + 1.0) * start[i] + (3.0 * t2 - 2.0 * t3) * end[i];
        const double tangents = (t3 - 2.0 * t2 + t) * outTangent[i] + (t3 - t2) * inTangent[i];
        value[i] = (float)(ends + place.seconds * tangents);
    }
}

BezierSegment sknTrackSegment(const VkskinTrack *track, uint32_t key, uint32_t component) {
    const size_t width = sknTrackValueWidth(track);
    const float *start = sknTrackKeyValue(track, key) + component;
    const float *end = sknTrackKeyValue(track, key + 1) + component;
    const float *in = end - 2 * width;
    return sknBezierSegment((double)track->times[key + 1] - track->times[key], *start,
                            (const double[]){start[width], start[2 * width]}, (const double[]){in[0], in[width]}, *end);
}

/* Tools often give the numbers of a key handles of the same times: their parameter is found once. */
static void sampleBezier(const VkskinTrack *track, KeyPlace place, float *value, uint32_t count) {
    BezierSegment before = {.outTime = -1.0};
    double parameter = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        const BezierSegment segment = sknTrackSegment(track, place.key, i);
        if (segment.outTime != before.outTime || segment.inTime != before.inTime) {
            parameter = sknBezierParameter(&segment, place.weight);
        }
        value[i] = (float)sknBezierValue(&segment, parameter);
        before = segment;
    }
}

void sknSampleTrack(const VkskinTrack *track, double time, float *value, uint32_t count) {
    const KeyPlace place = findKey(track, time);
    if (place.weight == 0.0 || track->interpolation == VKSKIN_INTERPOLATION_STEP) {
        memcpy(value, sknTrackKeyValue(track, place.key), count * sizeof *value);
    } else if (track->interpolation == VKSKIN_INTERPOLATION_LINEAR) {
        sampleLinear(track, place, value, count);
    } else if (track->interpolation == VKSKIN_INTERPOLATION_CUBIC) {
        sampleCubic(track, place, value, count);
    } else {
        sampleBezier(track, place, value, count);
    }
    if (sknTrackIsCurve(track) && track->channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionNormalise(value);
    }
}

/* ---- Morph weights ---- */

const VkskinTrack *sknFindMorphTrack(VkskinClip clip, uint32_t node) {
    for (uint32_t index = clip->trackCount; index-- > 0;) {
        const VkskinTrack *track = &clip->tracks[index];
        if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS && track->node == node) {
            return track;
        }
    }
    return NULL;
}

VkskinResult vkskinSampleMorphWeights(VkskinClip clip, uint32_t node, double time, VkskinWrap wrap, float *weights,
                                      uint32_t count) {
    if (clip == NULL || (weights == NULL && count > 0)) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (!isfinite(time) || (uint32_t)wrap > VKSKIN_WRAP_LOOP) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    if (node >= clip->nodeCount) {
        return VKSKIN_ERROR_NODE_OUT_OF_RANGE;
    }
    const VkskinTrack *track = sknFindMorphTrack(clip, node);
    if (track != NULL && count > 0) {
        const uint32_t written = count < track->weightCount ? count : track->weightCount;
        sknSampleTrack(track, sknClipTime(clip->duration, time, wrap), weights, written);
    }
    return VKSKIN_SUCCESS;
}

/* ---- Poses ---- */

/* The part of a transform that a channel sets, or null for morph weights. */
static float *channelOf(VkskinTransform *transform, VkskinChannel channel) {
    switch (channel) {
    case VKSKIN_CHANNEL_TRANSLATION:
        return transform->translation;
    case VKSKIN_CHANNEL_ROTATION:
        return transform->rotation;
    case VKSKIN_CHANNEL_SCALE:
        return transform->scale;
    case VKSKIN_CHANNEL_MORPH_WEIGHTS:
        break;
    }
    return NULL;
}

static VkskinResult checkSample(VkskinSkeleton skeleton, VkskinClip clip, double time, VkskinWrap wrap) {
    if (!isfinite(time)) {
        return sknReport(&skeleton->logger, VKSKIN_ERROR_INVALID_VALUE, "sample: the time is not finite");
    }
    if ((uint32_t)wrap > VKSKIN_WRAP_LOOP) {
        return sknReport(&skeleton->logger, VKSKIN_ERROR_INVALID_VALUE, "sample: the wrap %d is unknown", (int)wrap);
    }
    if (clip != NULL && clip->nodeCount > skeleton->nodeCount) {
        return sknReport(&skeleton->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "sample: the clip is for a skeleton of %u nodes, this one has %u", clip->nodeCount,
                         skeleton->nodeCount);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSampleClip(VkskinSkeleton skeleton, VkskinClip clip, double time, VkskinWrap wrap,
                              VkskinTransform *pose) {
    if (skeleton == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (pose == NULL) {
        return sknReport(&skeleton->logger, VKSKIN_ERROR_NULL_ARGUMENT, "sample: pose is null");
    }
    const VkskinResult result = checkSample(skeleton, clip, time, wrap);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    memcpy(pose, skeleton->restPose, skeleton->nodeCount * sizeof *pose);
    if (clip == NULL) {
        return VKSKIN_SUCCESS;
    }
    const double clipTime = sknClipTime(clip->duration, time, wrap);
    for (uint32_t index = 0; index < clip->trackCount; ++index) {
        const VkskinTrack *track = &clip->tracks[index];
        float *value = channelOf(&pose[track->node], track->channel);
        if (value != NULL) {
            sknSampleTrack(track, clipTime, value, sknTrackValueWidth(track));
        }
    }
    return VKSKIN_SUCCESS;
}

/* ---- World matrices ---- */

AffineDouble sknLocalMatrix(VkskinSkeleton skeleton, const VkskinTransform *pose, uint32_t node) {
    const AffineDouble local = sknAffineFromTransform(&pose[node]);
    if (skeleton->preTransforms == NULL) {
        return local;
    }
    const AffineDouble pre = sknAffineWiden(&skeleton->preTransforms[node]);
    return sknAffineMultiply(&pre, &local);
}

/* The matrix of the parent is composed. */
static void composeAt(VkskinSkeleton skeleton, const VkskinTransform *pose, uint32_t node, VkskinAffine *world) {
    AffineDouble local = sknLocalMatrix(skeleton, pose, node);
    if (skeleton->parents[node] >= 0) {
        const AffineDouble parent = sknAffineWiden(&world[skeleton->parents[node]]);
        local = sknAffineMultiply(&parent, &local);
    }
    world[node] = sknAffineNarrow(&local);
}

VkskinResult vkskinComposePose(VkskinSkeleton skeleton, const VkskinTransform *pose, VkskinAffine *world) {
    if (skeleton == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (pose == NULL || world == NULL) {
        return sknReport(&skeleton->logger, VKSKIN_ERROR_NULL_ARGUMENT, "compose: %s is null",
                         pose == NULL ? "pose" : "world");
    }
    for (uint32_t i = 0; i < skeleton->nodeCount; ++i) {
        composeAt(skeleton, pose, sknNodeInOrder(skeleton, i), world);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinComposeSubtree(VkskinSkeleton skeleton, const VkskinTransform *pose, uint32_t node,
                                  VkskinAffine *world) {
    if (skeleton == NULL || pose == NULL || world == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (node >= skeleton->nodeCount) {
        return VKSKIN_ERROR_NODE_OUT_OF_RANGE;
    }
    uint32_t i = 0;
    while (sknNodeInOrder(skeleton, i) != node) {
        ++i;
    }
    for (; i < skeleton->nodeCount; ++i) {
        const uint32_t at = sknNodeInOrder(skeleton, i);
        if (sknIsBelow(skeleton, at, node)) {
            composeAt(skeleton, pose, at, world);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinComposeNode(VkskinSkeleton skeleton, const VkskinTransform *pose, uint32_t node,
                               VkskinAffine *world) {
    if (skeleton == NULL || pose == NULL || world == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (node >= skeleton->nodeCount) {
        return VKSKIN_ERROR_NODE_OUT_OF_RANGE;
    }
    AffineDouble whole = sknLocalMatrix(skeleton, pose, node);
    for (int32_t at = skeleton->parents[node]; at >= 0; at = skeleton->parents[at]) {
        const AffineDouble above = sknLocalMatrix(skeleton, pose, (uint32_t)at);
        whole = sknAffineMultiply(&above, &whole);
    }
    *world = sknAffineNarrow(&whole);
    return VKSKIN_SUCCESS;
}
