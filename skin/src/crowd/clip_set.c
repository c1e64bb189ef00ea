#include "clip_set.h"

#include <string.h>

#include "affine.h"
#include "animation.h"
#include "crowd/clip_set_layout.h"

#define MAX_CLIPS 65535u

/* A clip set under construction. */
typedef struct Making {
    ClipSetData *data;
    const VkskinAnimationHeader *header; /* of the copy */
    LayoutClipNode *nodes;               /* [nodeCount] in `words` */
    uint32_t *channels;                  /* [clipCount][nodeCount][CLIP_CHANNELS] in `words` */
    uint32_t *ranks;                     /* [nodeCount]: place of a node in the order */
    uint32_t values;                     /* word offset of values that are not in the block */
} Making;

static uint32_t offsetOf(const Making *making, const void *in) {
    return (uint32_t)((const uint32_t *)in - making->data->words);
}

/* ---- Values: rotations at rest and held ones get unit length, for kernels that do not normalise them ---- */

/* Words of the rotations at rest and of the held values, which the tables have a copy of. */
static uint32_t valueWords(const VkskinAnimationHeader *header) {
    return 4 * (header->nodeCount + header->heldCount);
}

static uint32_t restRotationAt(const Making *making, uint32_t node) {
    return making->values + 4 * node;
}

static uint32_t heldRotationAt(const Making *making, uint32_t value) {
    return making->values + 4 * (making->header->nodeCount + value);
}

/* Writes a copy of unit length. */
static void putRotation(const Making *making, uint32_t at, const float source[4]) {
    float rotation[4];
    memcpy(rotation, source, sizeof rotation);
    sknQuaternionNormalise(rotation);
    memcpy(making->data->words + at, rotation, sizeof rotation);
}

static void makeValues(const Making *making) {
    const VkskinTransform *rest = sknBlockAt(making->data->block, making->header->restAt);
    for (uint32_t node = 0; node < making->header->nodeCount; ++node) {
        putRotation(making, restRotationAt(making, node), rest[node].rotation);
    }
    for (uint32_t value = 0; value < making->header->heldCount; ++value) {
        putRotation(making, heldRotationAt(making, value), sknHeldValue(making->data->block, value));
    }
}

/* ---- Channels ---- */

static uint32_t *channelOf(const Making *making, uint32_t clip, uint32_t target) {
    const size_t node = (size_t)clip * making->header->nodeCount + making->ranks[sknTargetNode(target)];
    return making->channels + node * CLIP_CHANNELS + sknTargetChannel(target);
}

static bool isOne(const float scale[3]) {
    return scale[0] == 1.0f && scale[1] == 1.0f && scale[2] == 1.0f;
}

static void setRest(const Making *making, uint32_t clip) {
    const VkskinTransform *rest = sknBlockAt(making->data->block, making->header->restAt);
    for (uint32_t node = 0; node < making->header->nodeCount; ++node) {
        uint32_t *channels = channelOf(making, clip, node);
        channels[VKSKIN_CHANNEL_TRANSLATION] = offsetOf(making, rest[node].translation);
        channels[VKSKIN_CHANNEL_ROTATION] = restRotationAt(making, node);
        channels[VKSKIN_CHANNEL_SCALE] = offsetOf(making, rest[node].scale);
        making->nodes[making->ranks[node]].scales |= !isOne(rest[node].scale);
    }
}

static void setHolds(const Making *making, uint32_t clip, const VkskinAnimationClip *source) {
    const VkskinAnimationHold *holds = sknBlockAt(making->data->block, source->holdsAt);
    for (uint32_t i = 0; i < source->holdCount; ++i) {
        const float *value = sknHeldValue(making->data->block, holds[i].value);
        const VkskinChannel channel = sknTargetChannel(holds[i].target);
        *channelOf(making, clip, holds[i].target) =
            channel == VKSKIN_CHANNEL_ROTATION ? heldRotationAt(making, holds[i].value) : offsetOf(making, value);
        if (channel == VKSKIN_CHANNEL_SCALE) {
            making->nodes[making->ranks[sknTargetNode(holds[i].target)]].scales |= !isOne(value);
        }
    }
}

static void setTracks(const Making *making, uint32_t clip, const VkskinAnimationClip *source) {
    const VkskinAnimationRotation *rotations = sknBlockAt(making->data->block, source->rotationsAt);
    const VkskinAnimationVector *vectors = sknBlockAt(making->data->block, source->vectorsAt);
    for (uint32_t i = 0; i < source->rotationCount; ++i) {
        const bool four = (rotations[i].target & VKSKIN_ANIMATION_FOUR) != 0;
        *channelOf(making, clip, rotations[i].target) =
            offsetOf(making, &rotations[i]) | (four ? CLIP_CHANNEL_FOUR : CLIP_CHANNEL_THREE) << CLIP_CHANNEL_SHIFT;
    }
    for (uint32_t i = 0; i < source->vectorCount; ++i) {
        *channelOf(making, clip, vectors[i].target) = offsetOf(making, &vectors[i]) | CLIP_CHANNEL_VECTOR
                                                                                          << CLIP_CHANNEL_SHIFT;
        if (sknTargetChannel(vectors[i].target) == VKSKIN_CHANNEL_SCALE) {
            making->nodes[making->ranks[sknTargetNode(vectors[i].target)]].scales = 1;
        }
    }
}

/* ---- Nodes ---- */

static void makeNodes(const Making *making) {
    const VkskinAnimationHeader *header = making->header;
    const void *block = making->data->block;
    const int32_t *parents = sknBlockAt(block, header->parentsAt);
    const uint32_t *order = sknBlockAt(block, header->orderAt);
    const VkskinAffine *pre = header->preAt != 0 ? sknBlockAt(block, header->preAt) : NULL;
    for (uint32_t i = 0; i < header->nodeCount; ++i) {
        const uint32_t node = order[i];
        making->ranks[node] = i;
        making->nodes[i] = (LayoutClipNode){
            .node = node,
            .parent = parents[node] >= 0 ? (uint32_t)parents[node] : CLIP_NO_PARENT,
            .pre = pre != NULL && !sknAffineIsIdentity(&pre[node]) ? offsetOf(making, &pre[node]) : 0,
        };
    }
}

static VkskinResult makeTables(ClipSetData *data, uint32_t tables, uint32_t *ranks, float *durations) {
    const VkskinAnimationHeader *header = sknBlockHeader(data->block);
    LayoutClipSet *set = (LayoutClipSet *)(data->words + tables);
    set->nodes = tables + CLIP_SET_WORDS;
    set->channels = set->nodes + header->nodeCount * CLIP_NODE_WORDS;
    const Making making = {.data = data,
                           .header = header,
                           .nodes = (LayoutClipNode *)(data->words + set->nodes),
                           .channels = data->words + set->channels,
                           .ranks = ranks,
                           .values = data->wordCount - valueWords(header)};
    makeNodes(&making);
    makeValues(&making);
    for (uint32_t clip = 0; clip < header->clipCount; ++clip) {
        const VkskinAnimationClip *source = sknBlockClip(data->block, clip);
        setRest(&making, clip);
        setHolds(&making, clip, source);
        setTracks(&making, clip, source);
        durations[clip] = source->duration; /* also of one row: morph weights may change */
    }
    return VKSKIN_SUCCESS;
}

/* Words of block and tables. */
static uint64_t wordsOf(const VkskinAnimationHeader *header) {
    return header->bytes / 4 + CLIP_SET_WORDS + (uint64_t)header->nodeCount * CLIP_NODE_WORDS +
           (uint64_t)header->clipCount * header->nodeCount * CLIP_CHANNELS + valueWords(header);
}

static VkskinResult checkBlock(const Host *host, const void *block, size_t size) {
    const VkskinResult result = vkskinCheckAnimation(block, size, &host->logger);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    const VkskinAnimationHeader *header = sknBlockHeader(block);
    if (header->clipCount == 0 || header->clipCount > MAX_CLIPS) {
        return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE, "clip set: %u clips, not 1 to %u",
                         header->clipCount, MAX_CLIPS);
    }
    if (wordsOf(header) > CLIP_PLACE_MASK) {
        return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "clip set: the tables of %u clips of %u nodes do not fit 4 GiB", header->clipCount,
                         header->nodeCount);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknMakeClipSet(const Host *host, const void *block, size_t size, ClipSetData *data) {
    *data = (ClipSetData){0};
    const VkskinResult result = checkBlock(host, block, size);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    const VkskinAnimationHeader *header = sknBlockHeader(block);
    const uint32_t wordCount = (uint32_t)wordsOf(header);
    Arena arena = sknMakeArena(host->allocator);
    uint32_t *words = sknArenaLines(&arena, wordCount, sizeof *words);
    float *durations = sknArenaArray(&arena, header->clipCount, sizeof *durations);
    uint32_t *ranks = sknArenaArray(&arena, header->nodeCount, sizeof *ranks);
    if (arena.failed) {
        sknFreeArena(&arena);
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "clip set: no host memory for %u clips",
                         header->clipCount);
    }
    memset(words, 0, (size_t)wordCount * sizeof *words);
    memcpy(words, block, header->bytes);
    *data = (ClipSetData){.arena = arena,
                          .words = words,
                          .wordCount = wordCount,
                          .block = words,
                          .nodeCount = header->nodeCount,
                          .clipCount = header->clipCount,
                          .durations = durations};
    return makeTables(data, header->bytes / 4, ranks, durations);
}

void sknFreeClipSet(ClipSetData *data) {
    sknFreeArena(&data->arena);
    *data = (ClipSetData){0};
}
