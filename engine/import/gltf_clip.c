#include "child_memory.h"
#include "diagnostic.h"
#include "finite.h"
#include "gltf_accessor.h"
#include "gltf_morph.h"
#include "gltf_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHAT_SIZE 256

/* False: not a channel that is known. */
static bool channelFrom(const char *path, VkskinChannel *channel) {
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(path, names[i]) == 0) {
            *channel = (VkskinChannel)i;
            return true;
        }
    }
    return false;
}

static bool interpolationFrom(const char *name, VkskinInterpolation *interpolation) {
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *interpolation = (VkskinInterpolation)i;
            return true;
        }
    }
    return false;
}

static bool ascends(const float *times, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (!(times[i] >= times[i - 1])) {
            return false;
        }
    }
    return true;
}

/* The targets of the mesh that a node carries; 0 where there are none. */
static uint32_t weightsOf(const GltfSource *source, int node) {
    int mesh = source->document->nodes[node].mesh;
    bool known = mesh >= 0 && (size_t)mesh < source->document->meshCount;
    return known ? (uint32_t)gltfTargetCount(&source->document->meshes[mesh]) : 0;
}

/* An element of an output is a vector, save that weights lie one by one. */
static bool outputMatches(const GltfSource *source, const char *clip, const VkskinTrack *track, size_t keys,
                          size_t values) {
    size_t perKey = track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? 3 : 1;
    bool weights = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
    perKey *= weights ? track->weightCount : 1;
    if (weights ? values % perKey != 0 || values / perKey != keys : values / perKey < keys) {
        return diagnose(source->message, "%s: animation '%s' has %zu key times, but %zu %s", source->path, clip, keys,
                        values, weights ? "morph weights" : "values");
    }
    return true;
}

/* Reads a sampler's keys into track->times and values, which stay with the track also on failure. */
static bool readKeys(const GltfSource *source, const GltfSampler *sampler, const char *clip, VkskinTrack *track) {
    static const int components[] = {3, 4, 3, 1};
    char what[WHAT_SIZE];
    size_t keys = gltfAccessorCount(source, sampler->input);
    size_t values = gltfAccessorCount(source, sampler->output);
    snprintf(what, sizeof what, "the input of animation '%.100s'", clip);
    float *times = gltfReadFloats(source, sampler->input, 1, what);
    track->times = times;
    if (!times) {
        return false;
    }
    snprintf(what, sizeof what, "the output of animation '%.100s'", clip);
    float *output = gltfReadFloats(source, sampler->output, components[track->channel], what);
    track->values = output;
    if (!output || !outputMatches(source, clip, track, keys, values)) {
        return false;
    }
    if (!finiteAll(times, keys) || !finiteAll(output, values * (size_t)components[track->channel])) {
        return diagnose(source->message, "%s: animation '%s' has a key that is not finite", source->path, clip);
    }
    if (!ascends(times, keys)) {
        return diagnose(source->message, "%s: animation '%s' has key times that do not ascend", source->path, clip);
    }
    track->keyCount = (uint32_t)keys;
    return true;
}

static bool convertChannel(const GltfSource *source, const GltfAnimation *animation, const GltfChannel *channel,
                           ModelClip *clip, bool *animated) {
    VkskinTrack *track = &clip->tracks[clip->trackCount];
    bool known = channel->node >= 0 && (size_t)channel->node < source->document->nodeCount;
    if (!known || !channelFrom(channel->path, &track->channel)) {
        source->model->repairs.tracksDropped++;
        return true;
    }
    if (channel->sampler < 0 || (size_t)channel->sampler >= animation->samplerCount) {
        return diagnose(source->message, "%s: animation '%s' names sampler %d, but there are %zu", source->path,
                        clip->name, channel->sampler, animation->samplerCount);
    }
    const GltfSampler *sampler = &animation->samplers[channel->sampler];
    if (!interpolationFrom(sampler->interpolation, &track->interpolation)) {
        return diagnose(source->message, "%s: animation '%s' has the unknown interpolation '%s'", source->path,
                        clip->name, sampler->interpolation);
    }
    track->weightCount = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? weightsOf(source, channel->node) : 0;
    bool nothing = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS && track->weightCount == 0;
    if (nothing || gltfAccessorCount(source, sampler->input) == 0) {
        source->model->repairs.tracksDropped++;
        return true;
    }
    track->node = source->modelNodes[channel->node];
    animated[track->node] = animated[track->node] || track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS;
    clip->trackCount++;
    return readKeys(source, sampler, clip->name, track);
}

static bool convertClip(const GltfSource *source, size_t index, bool *animated) {
    const GltfAnimation *animation = &source->document->animations[index];
    ModelClip *clip = &source->model->clips[source->model->clipCount++];
    char number[32];
    snprintf(number, sizeof number, "clip %zu", index);
    clip->name = childCopyText(animation->name[0] ? animation->name : number);
    clip->tracks = childAllocate(animation->channelCount, sizeof *clip->tracks);
    for (size_t i = 0; i < animation->channelCount; i++) {
        if (!convertChannel(source, animation, &animation->channels[i], clip, animated)) {
            return false;
        }
    }
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        clip->duration = fmaxf(clip->duration, clip->tracks[t].times[clip->tracks[t].keyCount - 1]);
    }
    return true;
}

bool gltfConvertClips(const GltfSource *source, bool *animated) {
    size_t count = source->document->animationCount;
    source->model->clips = childAllocate(count, sizeof *source->model->clips);
    for (size_t i = 0; i < count; i++) {
        if (!convertClip(source, i, animated)) {
            return false;
        }
    }
    return true;
}
