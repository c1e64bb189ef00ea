#include "clip_set.h"

#include "affine.h"
#include "animation.h"
#include "crowd/clip_set_layout.h"

#define MAX_CLIPS 65535u

/* A clip set under construction. */
typedef struct Making {
    ClipSetData *data;
    const VkskinAnimationHeader *header; /* header of the copied block */
    LayoutClipNode *nodes;               /* [nodeCount] in `words` */
    uint32_t *channels;                  /* [clipCount][nodeCount][CLIP_CHANNELS] in `words` */
    uint32_t *places;                    /* [nodeCount] */
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
    const size_t node = (size_t)clip * making->header->nodeCount + making->places[sknTargetNode(target)];
    return making->channels + node * CLIP_CHANNELS + sknTargetChannel(target);
}

static uint32_t scaleFlag(const float scale[3]) {
    return scale[0] == 1.0f && scale[1] == 1.0f && scale[2] == 1.0f ? 0 : CLIP_NODE_SCALES;
}

static void setRest(const Making *making, uint32_t clip) {
    const VkskinTransform *rest = sknBlockAt(making->data->block, making->header->restAt);
    for (uint32_t node = 0; node < making->header->nodeCount; ++node) {
        uint32_t *channels = channelOf(making, clip, node);
        channels[VKSKIN_CHANNEL_TRANSLATION] = offsetOf(making, rest[node].translation);
        channels[VKSKIN_CHANNEL_ROTATION] = restRotationAt(making, node);
        channels[VKSKIN_CHANNEL_SCALE] = offsetOf(making, rest[node].scale);
        making->nodes[making->places[node]].flags |= scaleFlag(rest[node].scale);
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
            making->nodes[making->places[sknTargetNode(holds[i].target)]].flags |= scaleFlag(value);
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
            making->nodes[making->places[sknTargetNode(vectors[i].target)]].flags |= CLIP_NODE_SCALES;
        }
    }
}

/* ---- Nodes ---- */

/* Gives each node its place depth first: a node, then the subtree of each child. sizes: [nodeCount], temporary. */
static void orderNodes(const Making *making, uint32_t *sizes) {
    const uint32_t count = making->header->nodeCount;
    const int32_t *parents = sknBlockAt(making->data->block, making->header->parentsAt);
    const uint32_t *order = sknBlockAt(making->data->block, making->header->orderAt);
    uint32_t roots = 0; /* the next place of a root */
    for (uint32_t i = count; i-- > 0;) {
        sizes[order[i]] += 1;
        if (parents[order[i]] >= 0) {
            sizes[parents[order[i]]] += sizes[order[i]];
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t node = order[i];
        const uint32_t size = sizes[node];
        uint32_t *next = parents[node] >= 0 ? &sizes[parents[node]] : &roots;
        making->places[node] = *next;
        *next += size;
        sizes[node] = making->places[node] + 1; /* from here on the next place of a child */
    }
}

static void makeNodes(const Making *making) {
    const VkskinAnimationHeader *header = making->header;
    const void *block = making->data->block;
    const int32_t *parents = sknBlockAt(block, header->parentsAt);
    const VkskinAffine *pre = header->preAt != 0 ? sknBlockAt(block, header->preAt) : NULL;
    for (uint32_t node = 0; node < header->nodeCount; ++node) {
        making->nodes[making->places[node]] = (LayoutClipNode){
            .node = node,
            .parent = parents[node] >= 0 ? making->places[parents[node]] : CLIP_NO_PARENT,
            .pre = pre != NULL && !sknAffineIsIdentity(&pre[node]) ? offsetOf(making, &pre[node]) : 0,
        };
    }
}

static bool movesIn(const Making *making, uint32_t clip, uint32_t place) {
    const uint32_t *channels = making->channels + ((size_t)clip * making->header->nodeCount + place) * CLIP_CHANNELS;
    return channels[VKSKIN_CHANNEL_TRANSLATION] >> CLIP_CHANNEL_SHIFT != CLIP_CHANNEL_VALUE;
}

static bool moves(const Making *making, uint32_t place) {
    bool found = false;
    for (uint32_t clip = 0; !found && clip < making->header->clipCount; ++clip) {
        found = movesIn(making, clip, place);
    }
    return found;
}

/* After all channels. */
static void markRuns(const Making *making) {
    LayoutClipNode *nodes = making->nodes;
    for (uint32_t i = 0; i < making->header->nodeCount; ++i) {
        if (nodes[i].parent != CLIP_NO_PARENT && nodes[i].parent + 1 != i) {
            nodes[nodes[i].parent].flags |= CLIP_NODE_SPLITS;
        }
    }
    for (uint32_t i = 0; i < making->header->nodeCount; ++i) {
        const bool follows = i > 0 && nodes[i].parent == i - 1 && (nodes[i - 1].flags & CLIP_NODE_SPLITS) == 0;
        if (!follows || nodes[i].pre != 0 || (nodes[i].flags & CLIP_NODE_SCALES) != 0 || moves(making, i)) {
            nodes[i].flags |= CLIP_NODE_BEGINS;
        }
    }
}

/* How often the distance to an ancestor must be doubled, until all nodes of all chunks reach the first one of theirs.
 * depths: [nodeCount], temporary. */
static uint32_t countRounds(const Making *making, uint32_t *depths) {
    uint32_t deepest = 0;
    uint32_t rounds = 0;
    for (uint32_t i = 0; i < making->header->nodeCount; ++i) {
        const uint32_t parent = making->nodes[i].parent;
        const bool inside = parent != CLIP_NO_PARENT && parent >= i / CLIP_CHUNK * CLIP_CHUNK;
        depths[i] = inside ? depths[parent] + 1 : 0;
        deepest = depths[i] > deepest ? depths[i] : deepest;
    }
    while (1u << rounds <= deepest) {
        ++rounds;
    }
    return rounds;
}

/* temporary: [nodeCount], zero. */
static VkskinResult makeTables(ClipSetData *data, uint32_t tables, uint32_t *places, uint32_t *temporary,
                               float *durations) {
    const VkskinAnimationHeader *header = sknBlockHeader(data->block);
    LayoutClipSet *set = (LayoutClipSet *)(data->words + tables);
    set->nodes = tables + CLIP_SET_WORDS;
    set->channels = set->nodes + header->nodeCount * CLIP_NODE_WORDS;
    const Making making = {.data = data,
                           .header = header,
                           .nodes = (LayoutClipNode *)(data->words + set->nodes),
                           .channels = data->words + set->channels,
                           .places = places,
                           .values = data->wordCount - valueWords(header)};
    orderNodes(&making, temporary);
    makeNodes(&making);
    makeValues(&making);
    for (uint32_t clip = 0; clip < header->clipCount; ++clip) {
        const VkskinAnimationClip *source = sknBlockClip(data->block, clip);
        setRest(&making, clip);
        setHolds(&making, clip, source);
        setTracks(&making, clip, source);
        durations[clip] = source->duration; /* also of one row: morph weights may change */
    }
    markRuns(&making);
    set->rounds = countRounds(&making, temporary);
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
    uint32_t *places = sknArenaArray(&arena, header->nodeCount, sizeof *places);
    uint32_t *temporary = sknArenaArray(&arena, header->nodeCount, sizeof *temporary);
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
                          .durations = durations,
                          .places = places};
    return makeTables(data, header->bytes / 4, places, temporary, durations);
}

void sknFreeClipSet(ClipSetData *data) {
    sknFreeArena(&data->arena);
    *data = (ClipSetData){0};
}
