#include <math.h>

#include "clip.h"
#include "sample.h"

/* The last track of a node's morph weights; null where it has none. */
static const VkskinTrack *findMorphTrack(VkskinClip clip, uint32_t node) {
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
    const VkskinTrack *track = findMorphTrack(clip, node);
    if (track != NULL && count > 0) {
        const uint32_t written = count < track->weightCount ? count : track->weightCount;
        sknSampleTrack(track, sknClipTime(clip->duration, time, wrap), weights, written);
    }
    return VKSKIN_SUCCESS;
}
