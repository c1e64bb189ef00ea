#include "pose_batch.h"

#include <float.h>
#include <math.h>

#include "clip.h"
#include "host.h"

/* ---- Nodes and bones ---- */

static const VkskinAffine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

/* Numbers the nodes that have bones, and their ancestors; parents first. */
static uint32_t keepNodes(VkskinSkeleton skeleton, VkskinSkin skin, uint32_t *kept) {
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        kept[node] = UINT32_MAX;
    }
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        kept[skin->boneNodes[bone]] = 0;
    }
    for (uint32_t i = skeleton->nodeCount; i-- > 0;) {
        const uint32_t node = sknNodeInOrder(skeleton, i);
        if (kept[node] == 0 && skeleton->parents[node] >= 0) {
            kept[skeleton->parents[node]] = 0;
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < skeleton->nodeCount; ++i) {
        const uint32_t node = sknNodeInOrder(skeleton, i);
        kept[node] = kept[node] == 0 ? count++ : UINT32_MAX;
    }
    return count;
}

/* The transform applied after T R S: the node's pre-transform, and for a root also model to mesh space. */
static AffineDouble preOf(VkskinSkeleton skeleton, VkskinSkin skin, uint32_t node) {
    AffineDouble pre = sknAffineWiden(skeleton->preTransforms != NULL ? &skeleton->preTransforms[node] : &identity);
    if (skeleton->parents[node] < 0 && skin->inMeshSpace) {
        pre = sknAffineMultiply(&skin->modelToMesh, &pre);
    }
    return pre;
}

static BatchNode planNode(VkskinSkeleton skeleton, VkskinSkin skin, uint32_t node) {
    const VkskinTransform *rest = &skeleton->restPose[node];
    const AffineDouble pre = preOf(skeleton, skin, node);
    const AffineDouble transform = sknAffineFromTransform(rest);
    const AffineDouble local = sknAffineMultiply(&pre, &transform);
    VkskinTransform turn = vkskinIdentityTransform();
    for (int i = 0; i < 4; ++i) {
        turn.rotation[i] = rest->rotation[i];
    }
    const VkskinAffine rotation = vkskinAffineFromTransform(&turn);
    BatchNode made = {.pre = sknAffineNarrow(&pre), .local = sknAffineNarrow(&local)};
    made.hasPre = !sknAffineIsIdentity(&made.pre);
    for (uint32_t channel = 0; channel < BATCH_CHANNELS; ++channel) {
        made.tracks[channel] = BATCH_NO_TRACK;
    }
    for (int row = 0; row < 3; ++row) {
        made.translation[row] = rest->translation[row];
        made.scale[row] = rest->scale[row];
        made.scales |= rest->scale[row] != 1.0f;
        for (int column = 0; column < 3; ++column) {
            made.rotation[3 * row + column] = rotation.m[row][column];
        }
    }
    return made;
}

/* Sets the node after which each group of bones can be written. Groups are written in order. */
static void planGroups(VkskinPoseBatch batch, VkskinSkin skin, const uint32_t *kept) {
    uint32_t last = 0;
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        const uint32_t node = kept[skin->boneNodes[bone]];
        last = node > last ? node : last;
        batch->groupNodes[bone / BATCH_GROUP] = last;
    }
}

/* For each node, the list of nodes whose matrix is no longer needed after it. */
typedef struct Endings {
    uint32_t *last; /* [nodeCount]: the last node that needs this node's matrix */
    uint32_t *head; /* [nodeCount]: first node of the list, or UINT32_MAX */
    uint32_t *next; /* [nodeCount]: next node in the list */
    uint32_t *free; /* [nodeCount]: a stack of free places */
} Endings;

static void findEndings(VkskinPoseBatch batch, VkskinSkeleton skeleton, VkskinSkin skin, const uint32_t *kept,
                        Endings *endings) {
    for (uint32_t node = 0; node < batch->nodeCount; ++node) {
        endings->last[node] = node;
        endings->head[node] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < skeleton->nodeCount; ++i) {
        const uint32_t node = sknNodeInOrder(skeleton, i);
        if (kept[node] != UINT32_MAX && skeleton->parents[node] >= 0) {
            endings->last[kept[skeleton->parents[node]]] = kept[node];
        }
    }
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        uint32_t *last = &endings->last[kept[skin->boneNodes[bone]]];
        const uint32_t written = batch->groupNodes[bone / BATCH_GROUP];
        *last = written > *last ? written : *last;
    }
    for (uint32_t node = 0; node < batch->nodeCount; ++node) {
        endings->next[node] = endings->head[endings->last[node]];
        endings->head[endings->last[node]] = node;
    }
}

static void givePlaces(VkskinPoseBatch batch, VkskinSkeleton skeleton, const uint32_t *kept, Endings *endings) {
    uint32_t freeCount = 0;
    for (uint32_t i = 0; i < skeleton->nodeCount; ++i) {
        const uint32_t source = sknNodeInOrder(skeleton, i);
        if (kept[source] == UINT32_MAX) {
            continue;
        }
        BatchNode *node = &batch->nodes[kept[source]];
        const int32_t parent = skeleton->parents[source];
        node->parent = parent >= 0 ? batch->nodes[kept[parent]].place : BATCH_NO_PARENT;
        node->place = freeCount > 0 ? endings->free[--freeCount] : batch->placeCount++;
        for (uint32_t ended = endings->head[kept[source]]; ended != UINT32_MAX; ended = endings->next[ended]) {
            endings->free[freeCount++] = batch->nodes[ended].place;
        }
    }
}

static bool planPlaces(VkskinPoseBatch batch, VkskinSkeleton skeleton, VkskinSkin skin, const uint32_t *kept) {
    const VkskinHostAllocator *allocator = &batch->arena.allocator;
    uint32_t *memory = sknHostAllocateArray(allocator, batch->nodeCount, 4 * sizeof *memory);
    if (memory == NULL) {
        return false;
    }
    const size_t count = batch->nodeCount;
    Endings endings = {memory, memory + count, memory + 2 * count, memory + 3 * count};
    findEndings(batch, skeleton, skin, kept, &endings);
    givePlaces(batch, skeleton, kept, &endings);
    sknHostFree(allocator, memory);
    return true;
}

bool sknPlanBatch(VkskinPoseBatch batch, VkskinSkeleton skeleton, VkskinSkin skin, uint32_t *kept) {
    Arena *arena = &batch->arena;
    batch->nodeCount = keepNodes(skeleton, skin, kept);
    batch->boneCount = skin->boneCount;
    batch->nodes = sknArenaArray(arena, batch->nodeCount, sizeof *batch->nodes);
    batch->bones = sknArenaArray(arena, batch->boneCount, sizeof *batch->bones);
    batch->groupNodes = sknArenaArray(arena, batch->boneCount / BATCH_GROUP + 1, sizeof(uint32_t));
    if (arena->failed) {
        return false;
    }
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        if (kept[node] != UINT32_MAX) {
            batch->nodes[kept[node]] = planNode(skeleton, skin, node);
        }
    }
    planGroups(batch, skin, kept);
    if (!planPlaces(batch, skeleton, skin, kept)) {
        return false;
    }
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        batch->bones[bone].place = batch->nodes[kept[skin->boneNodes[bone]]].place;
        batch->bones[bone].inverseBind = skin->inverseBinds != NULL ? skin->inverseBinds[bone] : identity;
    }
    return true;
}

/* ---- Keys ---- */

/* Below, an angle equals its sine in double precision. */
#define LEAST_ANGLE 1e-6

/* The source of a channel of a kept node in one clip. */
typedef struct Source {
    const VkskinTrack *track; /* null: the rest pose */
    float held[4];            /* the value if it does not move: the rest value or the clip's only value */
    bool moves;               /* keys differ, and the clip is longer than 0 */
} Source;

static uint32_t widthOf(uint32_t channel) {
    return channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
}

static void restValue(VkskinSkeleton skeleton, uint32_t node, uint32_t channel, float value[4]) {
    const VkskinTransform *rest = &skeleton->restPose[node];
    const float *parts[BATCH_CHANNELS] = {rest->translation, rest->rotation, rest->scale};
    memcpy(value, parts[channel], widthOf(channel) * sizeof *value);
    if (channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionNormalise(value);
    }
}

/* The value of a key, without tangents; of unit length for rotations. */
static void keyValue(const VkskinTrack *track, uint32_t key, float value[4]) {
    memcpy(value, sknTrackKeyValue(track, key), sknTrackValueWidth(track) * sizeof *value);
    if (sknTrackIsCurve(track) && track->channel == VKSKIN_CHANNEL_ROTATION) {
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
    /* Between equal keys, a curve may still move by their tangents or handles. */
    return track->keyCount > 1 && sknTrackIsCurve(track);
}

/* sources: [batch->nodeCount][BATCH_CHANNELS]. clip: null for the rest pose. */
static void findSources(VkskinPoseBatch batch, VkskinSkeleton skeleton, VkskinClip clip, const uint32_t *kept,
                        Source *sources) {
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        for (uint32_t channel = 0; kept[node] != UINT32_MAX && channel < BATCH_CHANNELS; ++channel) {
            Source *source = &sources[kept[node] * BATCH_CHANNELS + channel];
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
            sources[kept[track->node] * BATCH_CHANNELS + track->channel].track = track;
        }
    }
    for (size_t i = 0; i < (size_t)batch->nodeCount * BATCH_CHANNELS; ++i) {
        if (sources[i].track != NULL) {
            sources[i].moves = clip->duration > 0.0f && keysDiffer(sources[i].track);
            keyValue(sources[i].track, 0, sources[i].held);
        }
    }
}

/* Marks every channel that is not at rest in all clips: see sknMakeTracks. */
static void findTracks(VkskinPoseBatch batch, VkskinSkeleton skeleton, const VkskinClip *clips, const uint32_t *kept,
                       Source *rest, Source *sources) {
    findSources(batch, skeleton, NULL, kept, rest);
    for (uint32_t clip = 0; clip < batch->clipCount; ++clip) {
        findSources(batch, skeleton, clips[clip], kept, sources);
        for (size_t i = 0; i < (size_t)batch->nodeCount * BATCH_CHANNELS; ++i) {
            BatchNode *node = &batch->nodes[i / BATCH_CHANNELS];
            const uint32_t channel = i % BATCH_CHANNELS;
            if (sources[i].moves || memcmp(sources[i].held, rest[i].held, sizeof rest[i].held) != 0) {
                node->tracks[channel] = 0;
                node->moves = true;
                node->scales |= channel == VKSKIN_CHANNEL_SCALE;
            }
        }
    }
}

bool sknMakeTracks(VkskinPoseBatch batch) {
    for (size_t i = 0; i < (size_t)batch->nodeCount * BATCH_CHANNELS; ++i) {
        uint32_t *track = &batch->nodes[i / BATCH_CHANNELS].tracks[i % BATCH_CHANNELS];
        *track = *track != BATCH_NO_TRACK ? batch->trackCount++ : BATCH_NO_TRACK;
    }
    batch->tracks = sknArenaArray(&batch->arena, batch->trackCount, sizeof *batch->tracks);
    for (uint32_t node = 0; batch->tracks != NULL && node < batch->nodeCount; ++node) {
        const uint32_t track = batch->nodes[node].tracks[VKSKIN_CHANNEL_ROTATION];
        if (track != BATCH_NO_TRACK) {
            batch->tracks[track].turns = true;
        }
    }
    return batch->tracks != NULL;
}

/* The last key at or before time 0: times are not negative. */
static uint32_t firstKey(const VkskinTrack *track) {
    uint32_t key = 0;
    while (key + 1 < track->keyCount && track->times[key + 1] <= 0.0f) {
        ++key;
    }
    return key;
}

static bool isKeyed(const Source *source) {
    return source->moves && !sknTrackIsCurve(source->track);
}

/* Number of keys of a source: its own, a held key before them, and the end. */
static uint64_t countKeys(const Source *source) {
    if (!isKeyed(source)) {
        return 2;
    }
    const uint32_t first = firstKey(source->track);
    return (uint64_t)source->track->keyCount - first + (source->track->times[first] > 0.0f) + 1;
}

static BatchKey heldKey(const float value[4], float time) {
    BatchKey key = {.time = time, .angle = (float)LEAST_ANGLE, .perSine = (float)(1.0 / LEAST_ANGLE)};
    memcpy(key.value, value, sizeof key.value);
    return key;
}

/* Negates `next` if it is not in the hemisphere of `key`, and sets the angle between them. */
static void joinRotations(BatchKey *key, BatchKey *next) {
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

static void joinKeys(const VkskinTrack *track, BatchKey *key, BatchKey *next) {
    if (track->channel == VKSKIN_CHANNEL_ROTATION) {
        joinRotations(key, next);
    }
    const double seconds = (double)next->time - key->time;
    if (track->interpolation == VKSKIN_INTERPOLATION_LINEAR && seconds > 0.0) {
        key->perSecond = (float)fmin(1.0 / seconds, FLT_MAX);
    }
}

/* Writes a source's keys and returns the end of them. */
static BatchKey *writeKeys(const Source *source, BatchKey *keys) {
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

/* Copies the keys of curves, which are sampled one character at a time. False: no memory. */
static bool copyCurves(VkskinPoseBatch batch, const Source *sources, BatchClip *clip) {
    size_t floats = 0;
    for (size_t i = 0; i < (size_t)batch->nodeCount * BATCH_CHANNELS; ++i) {
        const bool curve = sources[i].moves && !isKeyed(&sources[i]);
        floats += curve ? sources[i].track->keyCount * (1 + sknTrackKeyWidth(sources[i].track)) : 0;
    }
    if (floats == 0) {
        return true;
    }
    clip->curves = sknArenaArray(&batch->arena, batch->trackCount, sizeof *clip->curves);
    float *keys = sknArenaArray(&batch->arena, floats, sizeof *keys);
    if (batch->arena.failed) {
        return false;
    }
    for (size_t i = 0; i < (size_t)batch->nodeCount * BATCH_CHANNELS; ++i) {
        if (sources[i].moves && !isKeyed(&sources[i])) {
            const uint32_t index = batch->nodes[i / BATCH_CHANNELS].tracks[i % BATCH_CHANNELS];
            batch->tracks[index].curve = true;
            keys = sknCopyTrack(sources[i].track, &clip->curves[index], keys);
        }
    }
    return true;
}

static VkskinResult makeClip(VkskinPoseBatch batch, const Source *sources, BatchClip *clip) {
    clip->first = sknArenaArray(&batch->arena, (size_t)batch->trackCount + 1, sizeof *clip->first);
    if (clip->first == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)batch->nodeCount * BATCH_CHANNELS; ++i) {
        const uint32_t track = batch->nodes[i / BATCH_CHANNELS].tracks[i % BATCH_CHANNELS];
        count += track != BATCH_NO_TRACK ? countKeys(&sources[i]) : 0;
        if (count > UINT32_MAX) {
            return VKSKIN_ERROR_INVALID_VALUE;
        }
        if (track != BATCH_NO_TRACK) {
            clip->first[track + 1] = (uint32_t)count;
        }
    }
    clip->keys = sknArenaLines(&batch->arena, (size_t)count, sizeof *clip->keys);
    if (clip->keys == NULL || !copyCurves(batch, sources, clip)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    BatchKey *keys = clip->keys;
    for (size_t i = 0; i < (size_t)batch->nodeCount * BATCH_CHANNELS; ++i) {
        if (batch->nodes[i / BATCH_CHANNELS].tracks[i % BATCH_CHANNELS] != BATCH_NO_TRACK) {
            keys = writeKeys(&sources[i], keys);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknMakeBatchKeys(VkskinPoseBatch batch, VkskinSkeleton skeleton, const VkskinClip *clips,
                              const uint32_t *kept) {
    const VkskinHostAllocator *allocator = &batch->arena.allocator;
    const size_t channels = (size_t)batch->nodeCount * BATCH_CHANNELS;
    Source *sources = sknHostAllocateArray(allocator, channels, 2 * sizeof *sources);
    batch->clips = sknArenaArray(&batch->arena, (size_t)batch->clipCount + 1, sizeof *batch->clips);
    if (sources == NULL || batch->clips == NULL) {
        sknHostFree(allocator, sources);
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    findTracks(batch, skeleton, clips, kept, sources + channels, sources);
    VkskinResult result = sknMakeTracks(batch) ? VKSKIN_SUCCESS : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t clip = 0; result == VKSKIN_SUCCESS && clip <= batch->clipCount; ++clip) {
        VkskinClip source = clip < batch->clipCount ? clips[clip] : NULL;
        findSources(batch, skeleton, source, kept, sources);
        batch->clips[clip].duration = vkskinGetClipDuration(source);
        result = makeClip(batch, sources, &batch->clips[clip]);
    }
    sknHostFree(allocator, sources);
    return result;
}
