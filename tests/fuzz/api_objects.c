/* Objects without a context in the API fuzzer: skeletons, clips, skins, poses, surfaces. */
#include "api_run.h"

#include <math.h>
#include <string.h>

#include "reference_hit.h"

#define NODES_MAX  10u
#define BONES_MAX  10u
#define TRACKS_MAX 4u
#define KEYS_MAX   5u
#define MORPHS_MAX 4u

static bool refusesLarge(void *user, size_t size, size_t alignment) {
    (void)user;
    FUZZ_CHECK(size > 0 && alignment > 0 && alignment <= 64 && (alignment & (alignment - 1)) == 0);
    return size > 2048;
}

static HostMemory smallMemory = {.refuses = refusesLarge};

/* ---- Skeletons, clips, skins ---- */

/* Usually the same number, so that skeletons, clips and skins fit each other. */
static uint32_t takeNodeCount(FuzzBytes *bytes) {
    uint8_t byte = fuzzByte(bytes);
    return byte < 0xc0 ? 3 : byte % (NODES_MAX + 1);
}

float *apiTakeSteps(FuzzBytes *bytes, size_t count, float step) {
    float *floats = fuzzRoom(bytes, count * sizeof *floats);
    for (size_t i = 0; i < count; i++) {
        floats[i] = (float)i * step;
    }
    for (uint32_t i = count ? fuzzByte(bytes) & 3 : 0; i > 0; i--) {
        size_t at = fuzzByte(bytes) % count;
        floats[at] = fuzzFloat(bytes);
    }
    return floats;
}

void apiSpoilFloats(FuzzBytes *bytes, void *floats, size_t count) {
    for (uint32_t i = count > 0 ? fuzzByte(bytes) & 7 : 0; i > 0; i--) {
        float value = fuzzFloat(bytes);
        memcpy((char *)floats + fuzzByte(bytes) % count * sizeof value, &value, sizeof value);
    }
}

void *apiTakeCopies(FuzzBytes *bytes, uint32_t count, const void *usual, size_t size) {
    char *copies = fuzzRoom(bytes, count * size);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(copies + i * size, usual, size);
    }
    apiSpoilFloats(bytes, copies, count * size / sizeof(float));
    return copies;
}

static VkskinTransform *takeTransforms(FuzzBytes *bytes, uint32_t count) {
    const VkskinTransform identity = vkskinIdentityTransform();
    return apiTakeCopies(bytes, count, &identity, sizeof identity);
}

static VkskinAffine *takeAffines(FuzzBytes *bytes, uint32_t count) {
    const VkskinAffine identity = vkskinIdentityAffine();
    return apiTakeCopies(bytes, count, &identity, sizeof identity);
}

void apiMakeSkeleton(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinSkeleton *skeleton = &run->skeletons[kind % API_OBJECTS];
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    const VkskinHostAllocator allocator = hostMemoryAllocator(&smallMemory);
    def.nodeCount = takeNodeCount(bytes);
    int32_t *parents = fuzzRoom(bytes, def.nodeCount * sizeof *parents);
    for (uint32_t i = 0; i < def.nodeCount; i++) {
        uint8_t parent = fuzzByte(bytes);
        uint32_t range = parent < 0x80 ? i + 1 : def.nodeCount + 1; /* parents first, or anything */
        parents[i] = parent >= 0xf8 ? (int32_t)fuzzNumber(bytes) : (int32_t)(parent % range) - 1;
    }
    VkskinTransform *rest = takeTransforms(bytes, def.nodeCount);
    VkskinAffine *pre = kind & 0x40 ? takeAffines(bytes, def.nodeCount) : NULL;
    def.parents = kind == 0x3f ? NULL : parents;
    def.restPose = rest;
    def.preTransforms = pre;
    def.logger = apiLogger();
    def.allocator = kind & 0x80 ? &allocator : NULL;
    vkskinDestroySkeleton(*skeleton);
    bool made = apiCheck(vkskinCreateSkeleton(&def, skeleton));
    FUZZ_CHECK(made == (*skeleton != NULL));
    FUZZ_CHECK(vkskinGetSkeletonNodeCount(*skeleton) == (made ? def.nodeCount : 0));
}

static size_t keyWidth(const VkskinTrack *track) {
    size_t parts = vkskinInterpolationParts(track->interpolation);
    if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        return parts * track->weightCount;
    }
    return parts * (track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3);
}

static void takeTrack(FuzzBytes *bytes, uint32_t nodeCount, VkskinTrack *track) {
    uint8_t kind = fuzzByte(bytes);
    *track = (VkskinTrack){.node = kind % (nodeCount + (kind >= 0xf0) + !nodeCount),
                           .channel = (VkskinChannel)((kind >> 2) % 4),
                           .interpolation = (VkskinInterpolation)((kind >> 4) % 4),
                           .keyCount = kind == 0xfd ? 0 : 1 + fuzzByte(bytes) % KEYS_MAX};
    if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        track->weightCount = fuzzByte(bytes) % (MORPHS_MAX + 1);
    }
    track->times = apiTakeSteps(bytes, track->keyCount, 0.25f);
    track->values = apiTakeSteps(bytes, track->keyCount * keyWidth(track), 0.125f);
    /* Refused before the arrays are read, so these keep their sizes. */
    if (kind == 0xfe) {
        track->channel = (VkskinChannel)(4 + fuzzNumber(bytes) % 1000);
    } else if (kind == 0xff) {
        track->interpolation = (VkskinInterpolation)(4 + fuzzNumber(bytes) % 1000);
    }
}

void apiMakeClip(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinClip *clip = &run->clips[kind % API_OBJECTS];
    VkskinClipDef def = vkskinDefaultClipDef();
    const VkskinHostAllocator allocator = hostMemoryAllocator(&smallMemory);
    def.nodeCount = takeNodeCount(bytes);
    def.trackCount = fuzzByte(bytes) % (TRACKS_MAX + 1);
    def.duration = kind & 0x40 ? fuzzFloat(bytes) : def.duration;
    VkskinTrack *tracks = fuzzRoom(bytes, def.trackCount * sizeof *tracks);
    for (uint32_t i = 0; i < def.trackCount; i++) {
        takeTrack(bytes, def.nodeCount, &tracks[i]);
    }
    def.tracks = tracks;
    def.logger = apiLogger();
    def.allocator = kind & 0x80 ? &allocator : NULL;
    vkskinDestroyClip(*clip);
    bool made = apiCheck(vkskinCreateClip(&def, clip));
    FUZZ_CHECK(made == (*clip != NULL));
    FUZZ_CHECK(vkskinGetClipDuration(*clip) >= 0.0f);
    FUZZ_CHECK(vkskinGetClipNodeCount(*clip) == (made ? def.nodeCount : 0));
}

void apiMakeSkin(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinSkin *skin = &run->skins[kind % API_OBJECTS];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    const VkskinHostAllocator allocator = hostMemoryAllocator(&smallMemory);
    def.nodeCount = takeNodeCount(bytes);
    def.boneCount = fuzzByte(bytes) % (BONES_MAX + 1);
    uint32_t *nodes = fuzzIndices(bytes, def.boneCount, def.nodeCount);
    VkskinAffine *binds = kind & 0x40 ? takeAffines(bytes, def.boneCount) : NULL;
    VkskinAffine *place = takeAffines(bytes, 1);
    def.boneNodes = nodes;
    def.inverseBinds = binds;
    def.meshToModel = *place;
    def.logger = apiLogger();
    def.allocator = kind & 0x80 ? &allocator : NULL;
    vkskinDestroySkin(*skin);
    bool made = apiCheck(vkskinCreateSkin(&def, skin));
    FUZZ_CHECK(made == (*skin != NULL));
    FUZZ_CHECK(vkskinGetSkinBoneCount(*skin) == (made ? def.boneCount : 0));
    FUZZ_CHECK(vkskinGetSkinNodeCount(*skin) == (made ? def.nodeCount : 0));
}

void apiDestroyPoses(ApiRun *run) {
    for (uint32_t i = 0; i < API_OBJECTS; i++) {
        vkskinDestroySkeleton(run->skeletons[i]);
        vkskinDestroyClip(run->clips[i]);
        vkskinDestroySkin(run->skins[i]);
    }
}

/* ---- Poses ---- */

/* Whether no exponent of the entry's halves or floats is all ones. */
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
    /* Sometimes too few entries, or a skin of another skeleton. */
    uint32_t boneCount = vkskinGetSkinBoneCount(skin);
    boneCount -= boneCount > 0 && fuzzByte(&run->bytes) == UINT8_MAX;
    unsigned char *palette = fuzzRoom(&run->bytes, boneCount * stride);
    bool written = apiCheck(vkskinWritePalette(skin, world, nodeCount, encoding, palette, boneCount));
    FUZZ_CHECK(!written || (nodeCount >= vkskinGetSkinNodeCount(skin) && boneCount == vkskinGetSkinBoneCount(skin)));
    for (uint32_t bone = 0; written && bone < boneCount; bone++) {
        FUZZ_CHECK(isFinite(encoding, palette + (size_t)bone * stride));
    }
}

/* More or fewer weights than the track has. A refused call must not write. */
static void sampleMorphs(ApiRun *run, VkskinClip clip, double time, VkskinWrap wrap) {
    uint32_t count = fuzzByte(&run->bytes) % (MORPHS_MAX + 3);
    uint32_t node = fuzzByte(&run->bytes) % (NODES_MAX + 1);
    float *weights = fuzzRoom(&run->bytes, count * sizeof *weights);
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = 0.5f;
    }
    bool sampled = apiCheck(vkskinSampleMorphWeights(clip, node, time, wrap, weights, count));
    FUZZ_CHECK(!sampled || node < vkskinGetClipNodeCount(clip));
    for (uint32_t i = sampled ? MORPHS_MAX : 0; i < count; i++) {
        FUZZ_CHECK(weights[i] == 0.5f);
    }
}

void apiPose(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t kind = fuzzByte(bytes);
    VkskinSkeleton skeleton = run->skeletons[kind % API_OBJECTS];
    VkskinClip clip = run->clips[kind / 2 % API_OBJECTS];
    double time = (double)fuzzFloat(bytes) * (kind & 0x40 ? 1e200 : 1.0);
    VkskinWrap wrap = kind == UINT8_MAX ? (VkskinWrap)fuzzNumber(bytes) : (VkskinWrap)(kind >> 7);
    uint32_t nodeCount = vkskinGetSkeletonNodeCount(skeleton);
    VkskinTransform *pose = fuzzRoom(bytes, nodeCount * sizeof *pose);
    VkskinAffine *world = fuzzRoom(bytes, nodeCount * sizeof *world);
    if (apiCheck(vkskinSampleClip(skeleton, clip, time, wrap, pose)) &&
        apiCheck(vkskinComposePose(skeleton, pose, world))) {
        writePalettes(run, world, nodeCount, run->skins[kind / 4 % API_OBJECTS]);
    }
    sampleMorphs(run, clip, time, wrap);
}

void apiBlend(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint32_t count = fuzzByte(bytes) % (NODES_MAX + 1);
    VkskinTransform *a = takeTransforms(bytes, count);
    VkskinAffine *affines = takeAffines(bytes, 2);
    VkskinAffine product = vkskinMultiplyAffine(&affines[0], &affines[1]);
    apiCheck(vkskinInvertAffine(&product, &product));
    if (count > 0) {
        product = vkskinAffineFromTransform(&a[0]);
        apiCheck(vkskinInvertAffine(&product, &affines[0]));
    }
}

/* ---- Surfaces ---- */

#define TRIANGLES_MAX 60u

/* The host's part in a call, and when it refuses. */
typedef struct SurfaceHost {
    uint32_t allocationsLeft; /* 0: unlimited */
    uint32_t looksLeft;       /* progress calls until a cancel; 0: unlimited */
    float done;               /* at the last progress call */
} SurfaceHost;

bool apiRefusesNth(void *left, size_t size, size_t alignment) {
    uint32_t *count = left;
    FUZZ_CHECK(size > 0 && alignment >= sizeof(void *) && (alignment & (alignment - 1)) == 0);
    return *count > 0 && --*count == 0;
}

static bool look(void *user, float done) {
    SurfaceHost *host = user;
    FUZZ_CHECK(done >= host->done && done <= 1.0f);
    host->done = done;
    return host->looksLeft == 0 || --host->looksLeft > 0;
}

/* Runs the tasks in reverse order. */
static void runBackwards(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    (void)user;
    while (count > 0) {
        task(taskData, --count);
    }
}

/* The arrays keep their sizes: a call fails, or reads less. */
static void spoilSurface(FuzzBytes *bytes, VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    def->indexCount -= kind == 0xf5 ? 1 + fuzzByte(bytes) % 3 : 0;
    def->weightStride = kind == 0xf7 ? 4 * (size_t)def->influencesPerVertex - 1 : def->weightStride;
    def->indices = kind == 0xf9 ? NULL : def->indices;
    def->materials = kind == 0xfa ? NULL : def->materials;
}

static void sortVertices(FuzzBytes *bytes, VkskinMeshDef *def, const VkskinPrepareRun *run) {
    def->maxInfluences = fuzzByte(bytes);
    def->minWeight = fuzzByte(bytes) < 0xf0 ? 0.125f : fuzzFloat(bytes);
    def->weightFormat = (VkskinWeightFormat)(fuzzByte(bytes) % 4); /* one is unknown */
    uint32_t *order = fuzzRoom(bytes, def->vertexCount * sizeof *order);
    bool seen[API_VERTICES_MAX] = {false};
    if (apiCheck(vkskinSortVertices(def, run, order))) {
        for (uint32_t i = 0; i < def->vertexCount; i++) {
            FUZZ_CHECK(order[i] < def->vertexCount && !seen[order[i]]);
            seen[order[i]] = true;
        }
    }
}

/* The result must be finite, and the same bit for bit in any order of tasks. */
static void computeCentres(FuzzBytes *bytes, const VkskinMeshDef *def, VkskinPrepareRun *run, SurfaceHost *host) {
    size_t size = vkskinCentresSize(def->vertexCount);
    uint8_t *centres = fuzzRoom(bytes, size);
    uint8_t *again = fuzzRoom(bytes, size);
    if (apiCheck(vkskinComputeCentres(def, run, centres, size))) {
        for (size_t at = 32; at < size; at += sizeof(float)) {
            float number;
            memcpy(&number, centres + at, sizeof number);
            FUZZ_CHECK(isfinite(number));
        }
        *host = (SurfaceHost){0};
        run->parallel = runBackwards;
        FUZZ_CHECK(vkskinComputeCentres(def, run, again, size) == VKSKIN_SUCCESS);
        FUZZ_CHECK(memcmp(centres, again, size) == 0);
    }
}

static void checkPart(const VkskinMeshDef *def, const VkskinSplitPart *part, uint32_t maxBones) {
    uint32_t next = 0;
    FUZZ_CHECK(part->boneCount >= 1 && part->boneCount <= maxBones && !part->wideIndices);
    for (uint32_t i = 0; i < part->boneCount; i++) {
        FUZZ_CHECK(part->bones[i] < def->boneCount && (i == 0 || part->bones[i - 1] < part->bones[i]));
    }
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        FUZZ_CHECK(part->vertices[i] < def->vertexCount);
        for (uint32_t k = 0; k < def->influencesPerVertex; k++) {
            FUZZ_CHECK(part->joints[i * def->influencesPerVertex + k] < part->boneCount);
        }
    }
    for (uint32_t i = 0; i < part->indexCount; i++) {
        FUZZ_CHECK(((const uint16_t *)part->indices)[i] < part->vertexCount);
    }
    for (uint32_t i = 0; i < part->rangeCount; i++) {
        FUZZ_CHECK(part->ranges[i].firstIndex == next && part->ranges[i].indexCount >= 3);
        next += part->ranges[i].indexCount;
    }
    FUZZ_CHECK(next == part->indexCount);
}

static void splitMesh(FuzzBytes *bytes, const VkskinMeshDef *def, const VkskinPrepareRun *run) {
    uint32_t maxBones = fuzzByte(bytes);
    VkskinSplit split = NULL;
    VkskinSplitPart part;
    uint32_t indexCount = 0;
    bool made = apiCheck(vkskinSplitMesh(def, maxBones, run, &split));
    FUZZ_CHECK(made == (split != NULL));
    for (uint32_t i = 0; i < vkskinGetSplitPartCount(split); i++) {
        FUZZ_CHECK(vkskinGetSplitPart(split, i, &part) == VKSKIN_SUCCESS);
        checkPart(def, &part, maxBones);
        indexCount += part.indexCount;
    }
    FUZZ_CHECK(!made || indexCount == def->indexCount);
    vkskinDestroySplit(split);
}

#define RAYS_MAX 4u

/* Any positions and rays, against any triangles. */
static void traceRays(FuzzBytes *bytes, const VkskinMeshDef *def, const VkskinPrepareRun *run) {
    VkskinHitMesh mesh = NULL;
    FUZZ_CHECK(apiCheck(vkskinCreateHitMesh(def, run, &mesh)) == (mesh != NULL));
    if (mesh == NULL) {
        return;
    }
    const uint32_t count = fuzzByte(bytes) % (RAYS_MAX + 1);
    const VkskinRay *rays = (const VkskinRay *)(const void *)fuzzFloats(bytes, count * sizeof *rays / sizeof(float));
    const VkskinCpuRun portable = {.level = VKSKIN_CPU_PORTABLE};
    VkskinHit hits[RAYS_MAX], again[RAYS_MAX];
    const float *positions = fuzzFloats(bytes, (size_t)3 * def->vertexCount);
    void *pose = fuzzRoom(bytes, vkskinGetHitPoseSize(mesh));
    FUZZ_CHECK(vkskinWriteHitPose(mesh, positions, 0, pose) == VKSKIN_SUCCESS);
    const bool traced = apiCheck(vkskinTraceRays(mesh, pose, rays, count, NULL, hits));
    FUZZ_CHECK(apiCheck(vkskinTraceRays(mesh, pose, rays, count, &portable, again)) == traced);
    for (uint32_t i = 0; i < count && traced; i++) {
        VkskinHit truth = referenceHit(positions, def->indices, def->indexCount / 3, &rays[i]);
        truth.bone = hits[i].bone;
        FUZZ_CHECK(memcmp(&hits[i], &again[i], sizeof *hits) == 0);
        FUZZ_CHECK(memcmp(&hits[i], &truth, sizeof *hits) == 0);
        FUZZ_CHECK(hits[i].triangle == VKSKIN_NO_HIT || hits[i].triangle < def->indexCount / 3);
        FUZZ_CHECK(hits[i].bone == VKSKIN_NO_BONE || hits[i].bone < def->boneCount);
        FUZZ_CHECK(isfinite(hits[i].distance) && hits[i].distance >= 0.0f);
        for (int k = 0; k < 3; k++) {
            FUZZ_CHECK(hits[i].barycentrics[k] >= 0.0f && hits[i].barycentrics[k] <= 1.0f);
            FUZZ_CHECK(fabsf(hits[i].normal[k]) <= 1.0f);
        }
    }
    vkskinDestroyHitMesh(mesh);
}

void apiSurface(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t call = fuzzByte(bytes);
    SurfaceHost host = {.allocationsLeft = call & 0x10 ? fuzzByte(bytes) : 0,
                        .looksLeft = call & 0x20 ? fuzzByte(bytes) : 0};
    HostMemory memory = {.refuses = apiRefusesNth, .user = &host.allocationsLeft};
    const VkskinHostAllocator allocator = hostMemoryAllocator(&memory);
    VkskinPrepareRun prepare = {
        .progress = look, .progressUser = &host, .logger = apiLogger(), .allocator = &allocator};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    apiTakeMesh(bytes, fuzzByte(bytes) & ~4u, &def);
    def.indexCount = 3 * (1 + fuzzCount(bytes, TRIANGLES_MAX - 1));
    uint32_t *indices = fuzzIndices(bytes, def.indexCount, def.vertexCount);
    uint32_t *materials = fuzzIndices(bytes, def.indexCount / 3, 3);
    def.indices = indices;
    def.materials = materials;
    spoilSurface(bytes, &def);
    if (call % 3 == 0) {
        sortVertices(bytes, &def, &prepare);
    } else if (call % 3 == 1) {
        computeCentres(bytes, &def, &prepare, &host);
    } else {
        splitMesh(bytes, &def, &prepare);
    }
    traceRays(bytes, &def, &prepare);
}
