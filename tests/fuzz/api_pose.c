#include "api_run.h"
#include "fuzz_target.h"

#include <string.h>

#define NODES_MAX  10u
#define BONES_MAX  10u
#define TRACKS_MAX 4u
#define KEYS_MAX   5u
#define MORPHS_MAX 4u

static void *exactly(size_t count, size_t size) {
    void *array = malloc(count * size ? count * size : 1);
    FUZZ_CHECK(array != NULL);
    return array;
}

/* ---- Memory of the host's ---- */

static void *allocateSome(void *user, size_t size, size_t alignment) {
    void *memory = NULL;
    (void)user;
    FUZZ_CHECK(size > 0 && alignment > 0 && alignment <= 64 && (alignment & (alignment - 1)) == 0);
    alignment = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    return size <= 2048 && posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

static void freeSome(void *user, void *memory) {
    (void)user;
    FUZZ_CHECK(memory != NULL);
    free(memory);
}

/* One that refuses what is not small. */
static const VkskinHostAllocator smallAllocator = {allocateSome, freeSome, NULL};

/* ---- Making ---- */

/* Most often the same, so that skeletons, clips and skins fit each other. */
static uint32_t takeNodeCount(FuzzBytes *bytes) {
    uint8_t byte = fuzzByte(bytes);
    return byte < 0xc0 ? 3 : byte % (NODES_MAX + 1);
}

/* Floats that ascend from 0 by `step`, but for a few of the input's choice. */
static float *takeSteps(FuzzBytes *bytes, size_t count, float step) {
    float *floats = exactly(count, sizeof *floats);
    for (size_t i = 0; i < count; i++) {
        floats[i] = (float)i * step;
    }
    for (uint32_t i = count ? fuzzByte(bytes) & 3 : 0; i > 0; i--) {
        size_t at = fuzzByte(bytes) % count;
        floats[at] = fuzzFloat(bytes);
    }
    return floats;
}

static VkskinTransform *takeTransforms(FuzzBytes *bytes, uint32_t count) {
    VkskinTransform *transforms = exactly(count, sizeof *transforms);
    for (uint32_t i = 0; i < count; i++) {
        transforms[i] = vkskinIdentityTransform();
    }
    for (uint32_t i = count ? fuzzByte(bytes) & 7 : 0; i > 0; i--) {
        float value = fuzzFloat(bytes);
        size_t at = fuzzByte(bytes) % (count * sizeof *transforms / sizeof value);
        memcpy((char *)transforms + at * sizeof value, &value, sizeof value);
    }
    return transforms;
}

static VkskinAffine *takeAffines(FuzzBytes *bytes, uint32_t count) {
    VkskinAffine *affines = exactly(count, sizeof *affines);
    for (uint32_t i = 0; i < count; i++) {
        affines[i] = vkskinIdentityAffine();
    }
    for (uint32_t i = count ? fuzzByte(bytes) & 7 : 0; i > 0; i--) {
        float value = fuzzFloat(bytes);
        size_t at = fuzzByte(bytes) % (count * sizeof *affines / sizeof value);
        memcpy((char *)affines + at * sizeof value, &value, sizeof value);
    }
    return affines;
}

void apiMakeSkeleton(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinSkeleton *skeleton = &run->skeletons[kind % API_OBJECTS];
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = takeNodeCount(bytes);
    int32_t *parents = exactly(def.nodeCount, sizeof *parents);
    for (uint32_t i = 0; i < def.nodeCount; i++) {
        uint8_t parent = fuzzByte(bytes);
        parents[i] = parent >= 0xf8 ? (int32_t)fuzzNumber(bytes) : (int32_t)(parent % (i + 1)) - 1;
    }
    VkskinTransform *rest = takeTransforms(bytes, def.nodeCount);
    VkskinAffine *pre = kind & 0x40 ? takeAffines(bytes, def.nodeCount) : NULL;
    def.parents = kind == 0x3f ? NULL : parents;
    def.restPose = rest;
    def.preTransforms = pre;
    def.logger = apiLogger();
    def.allocator = kind & 0x80 ? &smallAllocator : NULL;
    vkskinDestroySkeleton(*skeleton);
    bool made = apiCheck(vkskinCreateSkeleton(&def, skeleton));
    FUZZ_CHECK(made == (*skeleton != NULL));
    FUZZ_CHECK(vkskinGetSkeletonNodeCount(*skeleton) == (made ? def.nodeCount : 0));
    free(parents);
    free(rest);
    free(pre);
}

static size_t keyWidth(const VkskinTrack *track) {
    size_t parts = track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? 3 : 1;
    if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        return parts * track->weightCount;
    }
    return parts * (track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3);
}

static void takeTrack(FuzzBytes *bytes, uint32_t nodeCount, VkskinTrack *track) {
    uint8_t kind = fuzzByte(bytes);
    *track = (VkskinTrack){.node = kind % (nodeCount + (kind >= 0xf0) + !nodeCount),
                           .channel = (VkskinChannel)((kind >> 2) % 4),
                           .interpolation = (VkskinInterpolation)((kind >> 4) % 3),
                           .keyCount = kind == 0xfd ? 0 : 1 + fuzzByte(bytes) % KEYS_MAX};
    if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        track->weightCount = fuzzByte(bytes) % (MORPHS_MAX + 1);
    }
    track->times = takeSteps(bytes, track->keyCount, 0.25f);
    track->values = takeSteps(bytes, track->keyCount * keyWidth(track), 0.125f);
    /* What the arrays hold stays as it is: it is refused before they are looked at. */
    if (kind == 0xfe) {
        track->channel = (VkskinChannel)(4 + fuzzNumber(bytes) % 1000);
    } else if (kind == 0xff) {
        track->interpolation = (VkskinInterpolation)(3 + fuzzNumber(bytes) % 1000);
    }
}

void apiMakeClip(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinClip *clip = &run->clips[kind % API_OBJECTS];
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = takeNodeCount(bytes);
    def.trackCount = fuzzByte(bytes) % (TRACKS_MAX + 1);
    def.duration = kind & 0x40 ? fuzzFloat(bytes) : def.duration;
    VkskinTrack *tracks = exactly(def.trackCount, sizeof *tracks);
    for (uint32_t i = 0; i < def.trackCount; i++) {
        takeTrack(bytes, def.nodeCount, &tracks[i]);
    }
    def.tracks = tracks;
    def.logger = apiLogger();
    def.allocator = kind & 0x80 ? &smallAllocator : NULL;
    vkskinDestroyClip(*clip);
    bool made = apiCheck(vkskinCreateClip(&def, clip));
    FUZZ_CHECK(made == (*clip != NULL));
    FUZZ_CHECK(vkskinGetClipDuration(*clip) >= 0.0f);
    FUZZ_CHECK(vkskinGetClipNodeCount(*clip) == (made ? def.nodeCount : 0));
    for (uint32_t i = 0; i < def.trackCount; i++) {
        free((void *)tracks[i].times);
        free((void *)tracks[i].values);
    }
    free(tracks);
}

void apiMakeSkin(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinSkin *skin = &run->skins[kind % API_OBJECTS];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = takeNodeCount(bytes);
    def.boneCount = fuzzByte(bytes) % (BONES_MAX + 1);
    uint32_t *nodes = fuzzIndices(bytes, def.boneCount, def.nodeCount);
    VkskinAffine *binds = kind & 0x40 ? takeAffines(bytes, def.boneCount) : NULL;
    VkskinAffine *place = takeAffines(bytes, 1);
    def.boneNodes = nodes;
    def.inverseBinds = binds;
    def.meshToModel = *place;
    def.logger = apiLogger();
    def.allocator = kind & 0x80 ? &smallAllocator : NULL;
    vkskinDestroySkin(*skin);
    bool made = apiCheck(vkskinCreateSkin(&def, skin));
    FUZZ_CHECK(made == (*skin != NULL));
    FUZZ_CHECK(vkskinGetSkinBoneCount(*skin) == (made ? def.boneCount : 0));
    FUZZ_CHECK(vkskinGetSkinNodeCount(*skin) == (made ? def.nodeCount : 0));
    free(nodes);
    free(binds);
    free(place);
}

void apiDestroyPoses(ApiRun *run) {
    for (uint32_t i = 0; i < API_OBJECTS; i++) {
        vkskinDestroySkeleton(run->skeletons[i]);
        vkskinDestroyClip(run->clips[i]);
        vkskinDestroySkin(run->skins[i]);
    }
}

/* ---- Using ---- */

/* Every number of an entry, whatever its size: of halves and floats the exponent is not all ones. */
static bool isFinite(VkskinPaletteEncoding encoding, const unsigned char *entry) {
    uint32_t stride = vkskinPaletteStride(encoding);
    bool halves = encoding == VKSKIN_PALETTE_QUATERNION_HALF;
    uint32_t size = halves ? 2 : 4;
    uint32_t exponent = halves ? 0x7c00 : 0x7f800000;
    for (uint32_t at = encoding == VKSKIN_PALETTE_QUATERNION_SNORM16 ? 8 : 0; at < stride; at += size) {
        uint32_t number = 0;
        memcpy(&number, entry + at, size);
        if ((number & exponent) == exponent) {
            return false;
        }
    }
    return true;
}

static void writePalettes(ApiRun *run, VkskinAffine *world, uint32_t nodeCount, VkskinSkin skin) {
    VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)fuzzCount(&run->bytes, VKSKIN_PALETTE_ENCODING_COUNT);
    uint32_t stride = vkskinPaletteStride(encoding);
    /* Now and then too little room, or a skin of another skeleton. */
    uint32_t boneCount = vkskinGetSkinBoneCount(skin);
    boneCount -= boneCount > 0 && fuzzByte(&run->bytes) == UINT8_MAX;
    unsigned char *palette = exactly(boneCount, stride);
    bool written = apiCheck(vkskinWritePalette(skin, world, nodeCount, encoding, palette, boneCount));
    FUZZ_CHECK(!written || (nodeCount >= vkskinGetSkinNodeCount(skin) && boneCount == vkskinGetSkinBoneCount(skin)));
    for (uint32_t bone = 0; written && bone < boneCount; bone++) {
        FUZZ_CHECK(isFinite(encoding, palette + (size_t)bone * stride));
    }
    free(palette);
}

/* More or fewer weights than the track has; what a refused call was given stays as it is. */
static void sampleMorphs(ApiRun *run, VkskinClip clip, double time, VkskinWrap wrap) {
    uint32_t count = fuzzByte(&run->bytes) % (MORPHS_MAX + 3);
    uint32_t node = fuzzByte(&run->bytes) % (NODES_MAX + 1);
    float *weights = exactly(count, sizeof *weights);
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = 0.5f;
    }
    bool sampled = apiCheck(vkskinSampleMorphWeights(clip, node, time, wrap, weights, count));
    FUZZ_CHECK(!sampled || node < vkskinGetClipNodeCount(clip));
    for (uint32_t i = sampled ? MORPHS_MAX : 0; i < count; i++) {
        FUZZ_CHECK(weights[i] == 0.5f);
    }
    free(weights);
}

void apiPose(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinSkeleton skeleton = run->skeletons[kind % API_OBJECTS];
    VkskinClip clip = run->clips[kind / 2 % API_OBJECTS];
    double time = (double)fuzzFloat(bytes) * (kind & 0x40 ? 1e200 : 1.0);
    VkskinWrap wrap = kind == UINT8_MAX ? (VkskinWrap)fuzzNumber(bytes) : (VkskinWrap)(kind >> 7);
    uint32_t nodeCount = vkskinGetSkeletonNodeCount(skeleton);
    VkskinTransform *pose = exactly(nodeCount, sizeof *pose);
    VkskinAffine *world = exactly(nodeCount, sizeof *world);
    if (apiCheck(vkskinSampleClip(skeleton, clip, time, wrap, pose)) &&
        apiCheck(vkskinComposePose(skeleton, pose, world))) {
        writePalettes(run, world, nodeCount, run->skins[kind / 4 % API_OBJECTS]);
    }
    sampleMorphs(run, clip, time, wrap);
    free(pose);
    free(world);
}

void apiBlend(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint32_t count = fuzzByte(bytes) % (NODES_MAX + 1);
    VkskinTransform *a = takeTransforms(bytes, count), *b = takeTransforms(bytes, count);
    VkskinAffine *affines = takeAffines(bytes, 2);
    VkskinAffine product = vkskinMultiplyAffine(&affines[0], &affines[1]);
    apiCheck(vkskinInvertAffine(&product, &product));
    apiCheck(vkskinBlendPoses(count, a, b, fuzzFloat(bytes), fuzzByte(bytes) & 1 ? a : b));
    if (count > 0) {
        product = vkskinAffineFromTransform(&a[0]);
        apiCheck(vkskinInvertAffine(&product, &affines[0]));
    }
    free(a);
    free(b);
    free(affines);
}
