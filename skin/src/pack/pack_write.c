#include "pack.h"

/* ---- Held values: each once ---- */

/* An open hash table of indices, twice as large as the number of values. */
typedef struct HeldTable {
    float (*values)[4];
    uint32_t count;
    uint32_t *slots; /* [mask + 1]: index + 1, or 0 */
    uint32_t mask;
} HeldTable;

static uint32_t hashOf(const float value[4]) {
    uint32_t words[4];
    uint32_t hash = 2166136261u;
    memcpy(words, value, sizeof words);
    for (int i = 0; i < 4; ++i) {
        hash = (hash ^ words[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool makeTable(Arena *arena, uint32_t most, HeldTable *table) {
    uint32_t size = 2;
    while (size < 2 * (uint64_t)most) {
        size *= 2;
    }
    *table = (HeldTable){.mask = size - 1};
    table->values = sknArenaArray(arena, most, sizeof *table->values);
    table->slots = sknArenaArray(arena, size, sizeof *table->slots);
    return !arena->failed;
}

/* The index of a value, which is added if it is new. */
static uint32_t indexOf(HeldTable *table, const float value[4]) {
    uint32_t slot = hashOf(value) & table->mask;
    while (table->slots[slot] != 0) {
        if (memcmp(table->values[table->slots[slot] - 1], value, sizeof *table->values) == 0) {
            return table->slots[slot] - 1;
        }
        slot = (slot + 1) & table->mask;
    }
    memcpy(table->values[table->count], value, sizeof *table->values);
    table->slots[slot] = ++table->count;
    return table->count - 1;
}

/* ---- The block ---- */

/* Takes words of the block. block: null while they are counted. */
typedef struct Writer {
    uint32_t *block;
    uint64_t words;
} Writer;

/* Copies `size` bytes to the next words and returns their offset. source: null leaves them zero. */
static uint32_t put(Writer *writer, const void *source, uint64_t size) {
    const uint64_t at = writer->words;
    if (writer->block != NULL && source != NULL && size > 0) {
        memcpy(writer->block + at, source, (size_t)size);
    }
    writer->words += size / 4;
    return (uint32_t)at;
}

static void putSkeleton(Writer *writer, const PackSkeleton *skeleton, VkskinAnimationHeader *header) {
    const struct VkskinSkeleton_T *source = skeleton->skeleton;
    const uint64_t count = skeleton->nodeCount;
    header->magic = VKSKIN_ANIMATION_MAGIC;
    header->version = VKSKIN_ANIMATION_VERSION;
    header->nodeCount = skeleton->nodeCount;
    header->parentsAt = put(writer, source->parents, count * sizeof *source->parents);
    header->orderAt = put(writer, NULL, count * sizeof(uint32_t));
    for (uint32_t place = 0; writer->block != NULL && place < skeleton->nodeCount; ++place) {
        writer->block[header->orderAt + place] = skeleton->nodes[place].node;
    }
    header->restAt = put(writer, source->restPose, count * sizeof *source->restPose);
    if (source->preTransforms != NULL) {
        header->preAt = put(writer, source->preTransforms, count * sizeof *source->preTransforms);
    }
}

static VkskinAnimationClip putClip(Writer *writer, HeldTable *held, const PackedClip *packed) {
    VkskinAnimationClip clip = {.duration = packed->duration,
                                .keyCount = packed->keyCount,
                                .stride = packed->stride,
                                .rotationCount = packed->rotationCount,
                                .vectorCount = packed->vectorCount,
                                .holdCount = packed->holdCount,
                                .error = packed->error};
    clip.rotationsAt = put(writer, packed->rotations, packed->rotationCount * sizeof *packed->rotations);
    clip.vectorsAt = put(writer, packed->vectors, packed->vectorCount * sizeof *packed->vectors);
    for (uint32_t i = 0; i < packed->holdCount; ++i) {
        const VkskinAnimationHold hold = {packed->holds[i].target, indexOf(held, packed->holds[i].value)};
        const uint32_t at = put(writer, &hold, sizeof hold);
        clip.holdsAt = i == 0 ? at : clip.holdsAt;
    }
    if (!packed->uniform) {
        clip.timesAt = put(writer, packed->times, packed->keyCount * sizeof *packed->times);
    }
    clip.keysAt = put(writer, packed->rows, 4ull * packed->keyCount * packed->stride);
    return clip;
}

/* With a block: writes it. Without: counts its words. */
static void putBlock(Writer *writer, HeldTable *held, const PackSkeleton *skeleton, const PackedClip *clips,
                     uint32_t clipCount) {
    VkskinAnimationHeader header = {.clipCount = clipCount};
    held->count = 0;
    memset(held->slots, 0, ((size_t)held->mask + 1) * sizeof *held->slots);
    (void)put(writer, NULL, sizeof header);
    putSkeleton(writer, skeleton, &header);
    header.clipsAt = put(writer, NULL, clipCount * sizeof(VkskinAnimationClip));
    for (uint32_t i = 0; i < clipCount; ++i) {
        const VkskinAnimationClip clip = putClip(writer, held, &clips[i]);
        if (writer->block != NULL) {
            memcpy(writer->block + header.clipsAt + i * sizeof clip / 4, &clip, sizeof clip);
        }
    }
    header.heldCount = held->count;
    header.heldAt = put(writer, held->values, held->count * sizeof *held->values);
    writer->words = (writer->words + BLOCK_PAD_WORDS + 3) / 4 * 4;
    if (writer->block != NULL) {
        header.bytes = (uint32_t)writer->words * 4;
        memcpy(writer->block, &header, sizeof header);
    }
}

VkskinResult sknWriteBlock(const PackSkeleton *skeleton, const PackedClip *clips, uint32_t clipCount,
                           const VkskinHostAllocator *allocator, void **block, size_t *size) {
    Arena arena = sknMakeArena(allocator);
    uint64_t holds = 0;
    for (uint32_t i = 0; i < clipCount; ++i) {
        holds += clips[i].holdCount;
    }
    HeldTable held;
    Writer writer = {0};
    VkskinResult result = VKSKIN_ERROR_ANIMATION_DATA;
    if (holds > VKSKIN_ANIMATION_MAX_BYTES / 16) {
        return result;
    }
    result = makeTable(&arena, (uint32_t)holds, &held) ? VKSKIN_SUCCESS : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VKSKIN_SUCCESS) {
        putBlock(&writer, &held, skeleton, clips, clipCount);
        result = writer.words * 4 > VKSKIN_ANIMATION_MAX_BYTES ? VKSKIN_ERROR_ANIMATION_DATA : result;
    }
    if (result == VKSKIN_SUCCESS) {
        *size = (size_t)writer.words * 4;
        *block = sknHostAllocateArray(allocator, *size, 1);
        result = *block != NULL ? VKSKIN_SUCCESS : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result == VKSKIN_SUCCESS) {
        writer = (Writer){.block = *block};
        putBlock(&writer, &held, skeleton, clips, clipCount);
    }
    sknFreeArena(&arena);
    return result;
}
