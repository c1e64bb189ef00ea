#include "fuzz_refusals.h"

#include "fuzz_mesh.h"

#include <string.h>

typedef struct Spoiling {
    VkskinSkinCommand *command;
    const FuzzRing *ring;
    uint32_t meshBones;
    uint32_t any;
} Spoiling;

static void earlierFrame(const Spoiling *spoiling) {
    spoiling->command->palette.serial--;
}

static void tooFewBones(const Spoiling *spoiling) {
    spoiling->command->palette.boneCount = spoiling->meshBones - 1;
}

static void otherEncoding(const Spoiling *spoiling) {
    bool linear = spoiling->command->method == VKSKIN_METHOD_LINEAR_BLEND;
    spoiling->command->palette.encoding = linear ? VKSKIN_PALETTE_DUAL_QUATERNION : VKSKIN_PALETTE_MAT3X4;
}

static void noSuchPage(const Spoiling *spoiling) {
    spoiling->command->palette.page = spoiling->any | 0x40000000u;
}

static void farOffset(const Spoiling *spoiling) {
    spoiling->command->palette.offset = 0xfffffff0u;
}

static void oddOffset(const Spoiling *spoiling) {
    spoiling->command->palette.offset += 4 + 4 * (spoiling->any % 3);
}

/* Its last entry ends 16 bytes after what was taken of the page. */
static void justBeyond(const Spoiling *spoiling) {
    VkskinPalette *palette = &spoiling->command->palette;
    palette->page = spoiling->ring->page;
    palette->offset =
        (uint32_t)spoiling->ring->used + 16u - vkskinPaletteStride(palette->encoding) * palette->boneCount;
}

static void tooManyBones(const Spoiling *spoiling) {
    spoiling->command->palette.boneCount = spoiling->any | 0x40000000u;
}

static void noSuchMethod(const Spoiling *spoiling) {
    spoiling->command->method = (VkskinMethod)(VKSKIN_METHOD_COUNT + spoiling->any % 5);
}

static void tooManyMorphs(const Spoiling *spoiling) {
    static const float weights[FUZZ_MORPHS + 1];
    spoiling->command->morphWeights = weights;
    spoiling->command->morphWeightCount = FUZZ_MORPHS + 1;
}

static void noSuchFlag(const Spoiling *spoiling) {
    spoiling->command->flags |= 4u << spoiling->any % 30;
}

static void otherGeneration(const Spoiling *spoiling) {
    spoiling->command->instance.generation += 1 + spoiling->any % 5;
}

static void noSuchInstance(const Spoiling *spoiling) {
    spoiling->command->instance.index = spoiling->any | 0x40000000u;
}

static void nullInstance(const Spoiling *spoiling) {
    spoiling->command->instance = (VkskinInstance){0};
}

static const struct {
    const char *label;
    void (*spoil)(const Spoiling *spoiling);
    VkskinResult expected;
} spoilers[] = {
    {"a palette of an earlier frame", earlierFrame, VKSKIN_ERROR_PALETTE_STALE},
    {"a palette of too few bones", tooFewBones, VKSKIN_ERROR_PALETTE_TOO_SMALL},
    {"a palette of another encoding", otherEncoding, VKSKIN_ERROR_PALETTE_ENCODING},
    {"a palette on no page", noSuchPage, VKSKIN_ERROR_INVALID_VALUE},
    {"a palette far outside", farOffset, VKSKIN_ERROR_INVALID_VALUE},
    {"a palette between entries", oddOffset, VKSKIN_ERROR_INVALID_VALUE},
    {"a palette just outside", justBeyond, VKSKIN_ERROR_INVALID_VALUE},
    {"a palette of too many bones", tooManyBones, VKSKIN_ERROR_INVALID_VALUE},
    {"no method", noSuchMethod, VKSKIN_ERROR_INVALID_VALUE},
    {"a weight for no morph target", tooManyMorphs, VKSKIN_ERROR_MORPH_OUT_OF_RANGE},
    {"no flag", noSuchFlag, VKSKIN_ERROR_INVALID_VALUE},
    {"an instance of another generation", otherGeneration, VKSKIN_ERROR_STALE_HANDLE},
    {"an instance that never was", noSuchInstance, VKSKIN_ERROR_STALE_HANDLE},
    {"a null instance", nullInstance, VKSKIN_ERROR_NULL_HANDLE},
};

void fuzzCommandRefusal(Gpu *gpu, VkskinContext context, Random *random, const FuzzRing *ring,
                        const VkskinSkinCommand *good, uint32_t meshBones, bool pair) {
    VkskinSkinCommand commands[2] = {*good, *good};
    uint32_t which = randomBelow(random, sizeof spoilers / sizeof spoilers[0]);
    Spoiling spoiling = {&commands[1], ring, meshBones, randomWord(random)};
    spoilers[which].spoil(&spoiling);
    gpu->log.count = 0;
    VkskinResult result =
        pair ? vkskinSkinInstances(context, commands, 2) : vkskinSkinInstances(context, &commands[1], 1);
    gpuCheckRefusal(gpu, spoilers[which].label, result, spoilers[which].expected, "vkskinSkinInstances");
}

void fuzzCommandWord(Random *random, VkskinSkinCommand *command) {
    uint32_t words[offsetof(VkskinSkinCommand, morphWeights) / sizeof(uint32_t)]; /* a pointer must be right */
    uint32_t instanceWords = sizeof command->instance / sizeof(uint32_t);         /* come first, and stay */
    memcpy(words, command, sizeof words);
    words[instanceWords + randomBelow(random, sizeof words / sizeof words[0] - instanceWords)] =
        randomBelow(random, 2) == 0 ? randomWord(random) : 16 * randomBelow(random, 64);
    memcpy(command, words, sizeof words);
}
