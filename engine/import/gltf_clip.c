#include "child_memory.h"
#include "diagnostic.h"
#include "finite.h"
#include "gltf_accessor.h"
#include "gltf_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHAT_SIZE 256

/* False: not a channel that moves a node. */
static bool channelFrom(const char *path, VkskinChannel *channel) {
    static const char *const names[] = {"translation", "rotation", "scale"};
    for (int i = 0; i < 3; i++) {
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

/* Reads a sampler's keys into track->times and values, which stay with the track also on failure. */
static bool readKeys(const GltfSource *source, const GltfSampler *sampler, const char *clip, VkskinTrack *track) {
    char what[WHAT_SIZE];
    size_t keys = gltfAccessorCount(source, sampler->input);
    size_t values = gltfAccessorCount(source, sampler->output);
    size_t perKey = track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? 3 : 1;
    size_t components = track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    snprintf(what, sizeof what, "the input of animation '%.100s'", clip);
    float *times = gltfReadFloats(source, sampler->input, 1, what);
    track->times = times;
    if (!times) {
        return false;
    }
    snprintf(what, sizeof what, "the output of animation '%.100s'", clip);
    float *output = gltfReadFloats(source, sampler->output, (int)components, what);
    track->values = output;
    if (!output) {
        return false;
    }
    if (values / perKey < keys) {
        return diagnose(source->message, "%s: animation '%s' has %zu key times, but %zu values", source->path, clip,
                        keys, values);
    }
    if (!finiteAll(times, keys) || !finiteAll(output, keys * perKey * components)) {
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
    if (strcmp(channel->path, "weights") == 0) {
        return true; /* morph targets are not read */
    }
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
    if (gltfAccessorCount(source, sampler->input) == 0) {
        source->model->repairs.tracksDropped++;
        return true;
    }
    track->node = source->modelNodes[channel->node];
    animated[track->node] = true;
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
