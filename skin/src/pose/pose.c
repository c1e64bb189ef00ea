#include <math.h>
#include <string.h>

#include "affine.h"
#include "clip.h"
#include "diagnostics.h"
#include "quaternion.h"
#include "sample.h"
#include "skeleton.h"

/* The part of a transform that a channel drives; null for morph weights, which are none. */
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

static VkskinTransform blendTransforms(const VkskinTransform *a, const VkskinTransform *b, double weight) {
    VkskinTransform out;
    for (int i = 0; i < 3; ++i) {
        out.translation[i] = (float)((1.0 - weight) * a->translation[i] + weight * b->translation[i]);
        out.scale[i] = (float)((1.0 - weight) * a->scale[i] + weight * b->scale[i]);
    }
    sknQuaternionSlerp(a->rotation, b->rotation, weight, out.rotation);
    return out;
}

VkskinResult vkskinBlendPoses(uint32_t nodeCount, const VkskinTransform *a, const VkskinTransform *b, float weight,
                              VkskinTransform *out) {
    if (a == NULL || b == NULL || out == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (!(weight >= 0.0f && weight <= 1.0f)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    for (uint32_t node = 0; node < nodeCount; ++node) {
        out[node] = blendTransforms(&a[node], &b[node], weight);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinComposePose(VkskinSkeleton skeleton, const VkskinTransform *pose, VkskinAffine *world) {
    if (skeleton == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (pose == NULL || world == NULL) {
        return sknReport(&skeleton->logger, VKSKIN_ERROR_NULL_ARGUMENT, "compose: %s is null",
                         pose == NULL ? "pose" : "world");
    }
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        AffineDouble local = sknAffineFromTransform(&pose[node]);
        if (skeleton->preTransforms != NULL) {
            const AffineDouble pre = sknAffineWiden(&skeleton->preTransforms[node]);
            local = sknAffineMultiply(&pre, &local);
        }
        if (skeleton->parents[node] >= 0) {
            const AffineDouble parent = sknAffineWiden(&world[skeleton->parents[node]]);
            local = sknAffineMultiply(&parent, &local);
        }
        world[node] = sknAffineNarrow(&local);
    }
    return VKSKIN_SUCCESS;
}
