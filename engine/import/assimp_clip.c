#include "assimp_source.h"
#include "child_memory.h"
#include "diagnostic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a .x file means that has no AnimTicksPerSecond. */
#define X_TICKS_PER_SECOND 4800.0
/* What assimp's own viewer assumes where a format does not say. */
#define OTHER_TICKS_PER_SECOND 25.0

/* A key on its way to be sorted. */
typedef struct Key {
    double time; /* seconds */
    float value[4];
    unsigned order;
} Key;

typedef struct KeyList {
    Key *keys;
    unsigned count;
    VkskinChannel channel;
} KeyList;

static double ticksPerSecond(const AssimpSource *source, const struct aiAnimation *animation) {
    if (animation->mTicksPerSecond > 0.0) {
        return animation->mTicksPerSecond;
    }
    const char *dot = strrchr(source->path, '.');
    return dot && strcasecmp(dot, ".x") == 0 ? X_TICKS_PER_SECOND : OTHER_TICKS_PER_SECOND;
}

static KeyList vectorKeys(const struct aiVectorKey *from, unsigned count, VkskinChannel channel, double rate) {
    KeyList list = {childAllocate(count, sizeof(Key)), count, channel};
    for (unsigned i = 0; i < count; i++) {
        const struct aiVector3D *v = &from[i].mValue;
        list.keys[i] = (Key){from[i].mTime / rate, {v->x, v->y, v->z, 0.0f}, i};
    }
    return list;
}

static KeyList rotationKeys(const struct aiQuatKey *from, unsigned count, double rate) {
    KeyList list = {childAllocate(count, sizeof(Key)), count, VKSKIN_CHANNEL_ROTATION};
    for (unsigned i = 0; i < count; i++) {
        const struct aiQuaternion *q = &from[i].mValue;
        list.keys[i] = (Key){from[i].mTime / rate, {q->x, q->y, q->z, q->w}, i};
    }
    return list;
}

static int compareKeys(const void *left, const void *right) {
    const Key *a = left, *b = right;
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool keysFinite(const KeyList *list) {
    for (unsigned i = 0; i < list->count; i++) {
        const Key *key = &list->keys[i];
        if (!isfinite((float)key->time)) {
            return false;
        }
        for (int c = 0; c < 4; c++) {
            if (!isfinite(key->value[c])) {
                return false;
            }
        }
    }
    return true;
}

/*
 * The states before the first key and after the last are not read: the loaders of .x, .fbx, .dae and .md5mesh leave
 * them at "the node's own transform", which is assimp's default and not the file's wish. The nearest key holds.
 */
static void writeTrack(VkskinTrack *track, uint32_t node, const KeyList *list) {
    size_t components = list->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    float *times = childAllocate(list->count, sizeof *times);
    float *values = childAllocate(list->count, components * sizeof *values);
    qsort(list->keys, list->count, sizeof *list->keys, compareKeys);
    for (unsigned i = 0; i < list->count; i++) {
        times[i] = (float)list->keys[i].time;
        memcpy(values + i * components, list->keys[i].value, components * sizeof *values);
    }
    *track = (VkskinTrack){
        .node = node, .channel = list->channel, .keyCount = list->count, .times = times, .values = values};
}

/* Frees the keys. False: the message is written. */
static bool addTrack(const AssimpSource *source, ModelClip *clip, uint32_t node, KeyList list) {
    bool good = keysFinite(&list);
    if (!good) {
        diagnose(source->message, "%s: clip '%s' has a key of node '%s' that is not finite", source->path, clip->name,
                 source->model->nodes[node].name);
    } else if (list.count > 0) {
        writeTrack(&clip->tracks[clip->trackCount++], node, &list);
    }
    free(list.keys);
    return good;
}

static bool convertChannel(const AssimpSource *source, ModelClip *clip, const struct aiNodeAnim *channel, double rate,
                           bool *animated) {
    int64_t found = assimpFindNode(source, &channel->mNodeName);
    bool empty = channel->mNumPositionKeys + channel->mNumRotationKeys + channel->mNumScalingKeys == 0;
    if (found < 0 || empty) {
        source->model->repairs.tracksDropped++;
        return true;
    }
    uint32_t node = (uint32_t)found;
    animated[node] = true;
    return addTrack(source, clip, node,
                    vectorKeys(channel->mPositionKeys, channel->mNumPositionKeys, VKSKIN_CHANNEL_TRANSLATION, rate)) &&
           addTrack(source, clip, node, rotationKeys(channel->mRotationKeys, channel->mNumRotationKeys, rate)) &&
           addTrack(source, clip, node,
                    vectorKeys(channel->mScalingKeys, channel->mNumScalingKeys, VKSKIN_CHANNEL_SCALE, rate));
}

static char *clipName(const struct aiAnimation *animation, unsigned index) {
    char number[24];
    snprintf(number, sizeof number, "clip %u", index);
    return childCopyText(animation->mName.length > 0 ? animation->mName.data : number);
}

/* Seconds: what the animation says, else (assimp writes -1) its latest key. */
static float clipDuration(const ModelClip *clip, double ticks, double rate) {
    float duration = (float)(ticks / rate);
    if (isfinite(duration) && ticks >= 0.0) {
        return duration;
    }
    duration = 0.0f;
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        duration = fmaxf(duration, clip->tracks[i].times[clip->tracks[i].keyCount - 1]);
    }
    return duration;
}

static bool convertClip(const AssimpSource *source, unsigned index, bool *animated) {
    const struct aiAnimation *animation = source->scene->mAnimations[index];
    ModelClip *clip = &source->model->clips[source->model->clipCount++];
    double rate = ticksPerSecond(source, animation);
    clip->name = clipName(animation, index);
    clip->tracks = childAllocate((size_t)animation->mNumChannels * 3, sizeof *clip->tracks);
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        if (!convertChannel(source, clip, animation->mChannels[i], rate, animated)) {
            return false;
        }
    }
    clip->duration = clipDuration(clip, animation->mDuration, rate);
    return true;
}

bool assimpConvertClips(const AssimpSource *source, bool *animated) {
    source->model->clips = childAllocate(source->scene->mNumAnimations, sizeof *source->model->clips);
    for (unsigned i = 0; i < source->scene->mNumAnimations; i++) {
        if (!convertClip(source, i, animated)) {
            return false;
        }
    }
    return true;
}
