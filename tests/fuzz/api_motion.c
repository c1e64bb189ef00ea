/* Layers, playback, root motion and inverse kinematics in the API fuzzer. A call that fails must change nothing. */
#include "api_run.h"

#include <math.h>
#include <string.h>

#include "vkskin/vkskin_blend.h"
#include "vkskin/vkskin_ik.h"

#define NODES_MAX  10u
#define LAYERS_MAX 3u
#define CLIPS_MAX  3u
#define STEPS_MAX  7u
#define LOOPS_MAX  2000000000

#define FLOATS(type) (sizeof(type) / sizeof(float))

/* What a call wrote to, and its copy: the same unless it changes something. */
static void checkOutput(bool changes, const void *out, const void *before, size_t size) {
    FUZZ_CHECK(changes || size == 0 || memcmp(out, before, size) == 0);
}

static void *copyOf(FuzzBytes *bytes, const void *from, size_t size) {
    void *copy = fuzzRoom(bytes, size);
    memcpy(copy, from, size);
    return copy;
}

static bool areFinite(const void *floats, size_t count) {
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        float value;
        memcpy(&value, (const char *)floats + i * sizeof value, sizeof value);
        finite &= isfinite(value) != 0;
    }
    return finite;
}

/* All have unit length. */
static void checkRotations(const VkskinTransform *pose, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const float *q = pose[i].rotation;
        FUZZ_CHECK(fabsf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0f) < 1e-5f);
    }
}

/* Moved, so that the bones of a chain have lengths. */
static VkskinTransform *takePose(FuzzBytes *bytes, uint32_t count) {
    VkskinTransform usual = vkskinIdentityTransform();
    usual.translation[1] = 1.0f;
    return apiTakeCopies(bytes, count, &usual, sizeof usual);
}

/* Below `limit`, or any number. */
static uint32_t takeIndex(FuzzBytes *bytes, uint32_t limit) {
    return *fuzzIndices(bytes, 1, limit);
}

/* ---- Layers ---- */

typedef struct Layers {
    VkskinPoseLayer *items; /* [count] */
    uint32_t count;
    bool finite; /* all poses */
} Layers;

static Layers takeLayers(FuzzBytes *bytes, uint32_t nodeCount) {
    Layers layers = {.count = fuzzByte(bytes) % (LAYERS_MAX + 1), .finite = true};
    layers.items = fuzzRoom(bytes, layers.count * sizeof *layers.items);
    for (uint32_t i = 0; i < layers.count; i++) {
        const uint8_t kind = fuzzByte(bytes);
        layers.items[i] = (VkskinPoseLayer){
            .pose = kind == UINT8_MAX ? NULL : takePose(bytes, nodeCount),
            .weight = kind & 1 ? fuzzFloat(bytes) : 0.5f,
            .mask = kind & 2 ? apiTakeSteps(bytes, nodeCount, 0.1f) : NULL,
        };
        layers.finite &=
            layers.items[i].pose != NULL && areFinite(layers.items[i].pose, nodeCount * FLOATS(VkskinTransform));
    }
    return layers;
}

static void spoilBlend(FuzzBytes *bytes, VkskinBlendDef *def) {
    const uint8_t kind = fuzzByte(bytes);
    def->threshold = kind & 1 ? fuzzFloat(bytes) : def->threshold;
    def->cookie += kind == 0xf0;
    def->rest = kind == 0xf2 ? NULL : def->rest;
    def->layers = kind == 0xf4 ? NULL : def->layers;
    def->additives = kind == 0xf6 ? NULL : def->additives;
}

static void makeAdditive(FuzzBytes *bytes, uint32_t count) {
    const size_t size = count * sizeof(VkskinTransform);
    VkskinTransform *from = takePose(bytes, count), *to = takePose(bytes, count), *before = copyOf(bytes, to, size);
    const bool finite =
        areFinite(from, count * FLOATS(VkskinTransform)) && areFinite(to, count * FLOATS(VkskinTransform));
    const bool made = apiCheck(vkskinMakeAdditive(count, fuzzByte(bytes) == UINT8_MAX ? NULL : from, to, to));
    checkRotations(to, made && finite ? count : 0);
    checkOutput(made, to, before, size);
}

static void maskSubtree(ApiRun *run) {
    VkskinSkeleton skeleton = run->skeletons[fuzzByte(&run->bytes) % API_OBJECTS];
    const uint32_t count = vkskinGetSkeletonNodeCount(skeleton);
    const uint32_t node = takeIndex(&run->bytes, count);
    const float value = fuzzFloat(&run->bytes);
    float *mask = apiTakeSteps(&run->bytes, count, 0.1f), *before = copyOf(&run->bytes, mask, count * sizeof *mask);
    const bool set = apiCheck(vkskinMaskSubtree(skeleton, node, value, mask));
    FUZZ_CHECK(!set || (node < count && mask[node] == value && value >= 0.0f && value <= 1.0f));
    checkOutput(set, mask, before, count * sizeof *mask);
}

void apiLayers(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    const uint32_t count = fuzzByte(bytes) % (NODES_MAX + 1);
    const size_t size = count * sizeof(VkskinTransform);
    Layers layers = takeLayers(bytes, count), additives = takeLayers(bytes, count);
    VkskinTransform *rest = takePose(bytes, count), *out = takePose(bytes, count), *before = copyOf(bytes, out, size);
    const bool finite = layers.finite && additives.finite && areFinite(rest, count * FLOATS(VkskinTransform));
    VkskinBlendDef def = vkskinDefaultBlendDef();
    def.nodeCount = count;
    def.layerCount = layers.count;
    def.layers = layers.items;
    def.additiveCount = additives.count;
    def.additives = additives.items;
    def.rest = rest;
    spoilBlend(bytes, &def);
    const bool made = apiCheck(vkskinBlendLayers(&def, out));
    checkRotations(out, made && finite ? count : 0);
    checkOutput(made, out, before, size);
    makeAdditive(bytes, count);
    const float weight = vkskinFadeWeight((double)fuzzFloat(bytes), fuzzFloat(bytes), (VkskinFade)fuzzNumber(bytes));
    FUZZ_CHECK(weight >= 0.0f && weight <= 1.0f);
    maskSubtree(run);
}

/* ---- Playback ---- */

static void checkStep(const VkskinPlayStep *step, float duration) {
    FUZZ_CHECK(step->from >= 0.0 && step->from <= (double)duration);
    FUZZ_CHECK(step->to >= 0.0 && step->to <= (double)duration);
    FUZZ_CHECK(step->loops >= -LOOPS_MAX && step->loops <= LOOPS_MAX);
}

static void advanceSync(FuzzBytes *bytes) {
    const VkskinSyncClip usual = {.duration = 1.0f, .weight = 1.0f};
    const uint8_t kind = fuzzByte(bytes);
    const uint32_t count = kind % (CLIPS_MAX + 1);
    VkskinSyncClip *clips = apiTakeCopies(bytes, count, &usual, sizeof usual);
    VkskinPlayStep *steps = fuzzRoom(bytes, count * sizeof *steps);
    const double before = (double)fuzzFloat(bytes);
    double phase = before;
    memset(steps, 0, count * sizeof *steps);
    const bool moved = apiCheck(vkskinAdvanceSync(clips, count, fuzzFloat(bytes), (double)fuzzFloat(bytes) * 0.125,
                                                  kind == UINT8_MAX ? NULL : &phase, steps));
    FUZZ_CHECK(moved ? phase >= 0.0 && phase < 1.0 : memcmp(&phase, &before, sizeof phase) == 0);
    for (uint32_t i = 0; i < count; i++) {
        checkStep(&steps[i], moved ? clips[i].duration : 0.0f);
    }
}

void apiPlay(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    const uint8_t kind = fuzzByte(bytes);
    float duration = fuzzFloat(bytes);
    const float speed = fuzzFloat(bytes);
    VkskinPlayback playback = vkskinStartPlayback((VkskinPlayMode)(kind % 4), speed, duration);
    for (uint32_t i = kind >> 2 & STEPS_MAX; i > 0; i--) {
        const uint8_t rare = fuzzByte(bytes);
        playback.time = rare == 0xf0 ? (double)fuzzFloat(bytes) : playback.time;
        playback.speed = rare == 0xf1 ? fuzzFloat(bytes) : playback.speed;
        duration = rare == 0xf2 ? fuzzFloat(bytes) : duration;
        VkskinPlayback before;
        VkskinPlayStep step;
        memcpy(&before, &playback, sizeof before);
        if (!apiCheck(vkskinAdvancePlayback(rare == 0xf3 ? NULL : &playback, duration, (double)fuzzFloat(bytes) * 0.125,
                                            &step))) {
            FUZZ_CHECK(memcmp(&before, &playback, sizeof before) == 0);
            continue;
        }
        checkStep(&step, duration);
        FUZZ_CHECK(step.to == playback.time && step.ended == playback.ended);
        FUZZ_CHECK(playback.mode != VKSKIN_PLAY_LOOP || duration == 0.0f || step.to < (double)duration);
    }
    advanceSync(bytes);
}

/* ---- Root motion ---- */

void apiRoot(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    const uint8_t kind = fuzzByte(bytes);
    VkskinTransform *roots = takePose(bytes, 4), before;
    VkskinTransform delta = vkskinIdentityTransform();
    VkskinRootDef def = vkskinDefaultRootDef();
    def.parts = kind == UINT8_MAX ? fuzzNumber(bytes) : kind % 8;
    def.cookie += kind == 0xf0;
    apiSpoilFloats(bytes, def.up, 3);
    def.first = roots[0];
    def.last = roots[1];
    if (apiCheck(vkskinRootDelta(&def, &roots[2], kind == 0xf1 ? NULL : &roots[3], (int32_t)(fuzzNumber(bytes) - 4u),
                                 &delta))) {
        checkRotations(&delta, 1);
        FUZZ_CHECK(areFinite(&delta, FLOATS(delta)));
    }
    FUZZ_CHECK(delta.scale[0] == 1.0f);
    memcpy(&before, &roots[2], sizeof before);
    if (apiCheck(vkskinTakeRootPath(&def, kind == 0xf2 ? NULL : &roots[2]))) {
        checkRotations(&roots[2], 1);
        FUZZ_CHECK(areFinite(&roots[2], FLOATS(VkskinTransform)));
    } else {
        FUZZ_CHECK(memcmp(&before, &roots[2], sizeof before) == 0);
    }
}

/* ---- Inverse kinematics ---- */

static bool solveTwoBone(FuzzBytes *bytes, VkskinSkeleton skeleton, VkskinTransform *pose, VkskinAffine *world) {
    const uint32_t count = vkskinGetSkeletonNodeCount(skeleton);
    const uint8_t kind = fuzzByte(bytes);
    bool reached;
    VkskinTwoBoneDef def = vkskinDefaultTwoBoneDef();
    def.start = takeIndex(bytes, count);
    def.mid = takeIndex(bytes, count);
    def.end = takeIndex(bytes, count);
    def.cookie += kind == 0xf0;
    apiSpoilFloats(bytes, (char *)&def + offsetof(VkskinTwoBoneDef, target), 12);
    return apiCheck(vkskinSolveTwoBone(skeleton, &def, pose, kind == 0xf2 ? NULL : world, kind & 1 ? NULL : &reached));
}

static bool solveAim(FuzzBytes *bytes, VkskinSkeleton skeleton, VkskinTransform *pose, VkskinAffine *world) {
    const uint8_t kind = fuzzByte(bytes);
    bool reached;
    VkskinAimDef def = vkskinDefaultAimDef();
    def.node = takeIndex(bytes, vkskinGetSkeletonNodeCount(skeleton));
    def.target[0] = 1.0f;
    def.cookie += kind == 0xf0;
    apiSpoilFloats(bytes, (char *)&def + offsetof(VkskinAimDef, target), 18);
    return apiCheck(vkskinSolveAim(skeleton, &def, kind == 0xf2 ? NULL : pose, world, kind & 1 ? NULL : &reached));
}

/* Turned rotations have unit length, and the whole pose composed again gives the bits that a solver left. */
static void checkSolved(FuzzBytes *bytes, VkskinSkeleton skeleton, const VkskinTransform *before,
                        const VkskinTransform *pose, const VkskinAffine *world) {
    const uint32_t count = vkskinGetSkeletonNodeCount(skeleton);
    VkskinAffine *again = fuzzRoom(bytes, count * sizeof *again);
    for (uint32_t i = 0; i < count; i++) {
        checkRotations(&pose[i], memcmp(&pose[i], &before[i], sizeof *pose) != 0);
    }
    FUZZ_CHECK(vkskinComposePose(skeleton, pose, again) == VKSKIN_SUCCESS);
    FUZZ_CHECK(memcmp(world, again, count * sizeof *again) == 0);
}

/* Attachments, with any pose. */
static void placeNode(FuzzBytes *bytes, VkskinSkeleton skeleton) {
    const uint32_t count = vkskinGetSkeletonNodeCount(skeleton), node = takeIndex(bytes, count);
    VkskinTransform *pose = takePose(bytes, count);
    VkskinAffine *world = fuzzRoom(bytes, count * sizeof *world), place;
    memset(world, 0, count * sizeof *world);
    const VkskinResult expected = skeleton == NULL ? VKSKIN_ERROR_NULL_ARGUMENT
                                  : node >= count  ? VKSKIN_ERROR_NODE_OUT_OF_RANGE
                                                   : VKSKIN_SUCCESS;
    FUZZ_CHECK(vkskinComposeNode(skeleton, pose, node, &place) == expected);
    FUZZ_CHECK(vkskinComposeSubtree(skeleton, pose, node, world) == expected);
}

/* The world matrices are those of the pose, or any. */
void apiSolve(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    const uint8_t kind = fuzzByte(bytes);
    VkskinSkeleton skeleton = run->skeletons[kind % API_OBJECTS];
    const uint32_t count = vkskinGetSkeletonNodeCount(skeleton);
    const VkskinAffine identity = vkskinIdentityAffine();
    VkskinTransform *pose = takePose(bytes, count);
    VkskinAffine *world = apiTakeCopies(bytes, count, &identity, sizeof identity);
    const bool composed = !(kind & 2) && apiCheck(vkskinComposePose(skeleton, pose, world)) &&
                          areFinite(world, count * FLOATS(VkskinAffine));
    VkskinTransform *poseBefore = copyOf(bytes, pose, count * sizeof *pose);
    VkskinAffine *worldBefore = copyOf(bytes, world, count * sizeof *world);
    const bool solved = (kind & 4 ? solveAim : solveTwoBone)(bytes, skeleton, pose, world);
    if (solved && composed) {
        checkSolved(bytes, skeleton, poseBefore, pose, world);
    }
    checkOutput(solved, pose, poseBefore, count * sizeof *pose);
    checkOutput(solved, world, worldBefore, count * sizeof *world);
    placeNode(bytes, skeleton);
}
