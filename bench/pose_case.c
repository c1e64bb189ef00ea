#include "pose_case.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu_limits.h"
#include "engine_error.h"
#include "measure.h"
#include "model.h"
#include "parallel.h"
#include "random.h"
#include "reference.h"
#include "vkskin/vkskin_pose.h"

/* ---- The scene: one procedural skeleton of short chains and one clip with 30 keys a second ---- */

#define POSE_BONES 64u
#define POSE_KEYS  61u /* per track, over 2 seconds */

typedef struct PoseScene {
    Model *model; /* one part without a mesh, one skin with all nodes, one clip; the reference reads it */
    VkskinSkeleton skeleton;
    VkskinClip clip;
    VkskinSkin skin;
} PoseScene;

#define CHAINS      5u /* limbs and head; they start at the first bones of the spine */
#define KEYS_SECOND 30.0f
#define BONE_LENGTH 0.15f
#define SWING       0.6f /* radians to either side */

static void *newArray(size_t count, size_t size, bool *good) {
    void *array = calloc(count, size);
    *good = *good && array;
    return array;
}

static VkskinTransform restOf(Random *random) {
    VkskinTransform rest = vkskinIdentityTransform();
    rest.translation[1] = BONE_LENGTH;
    randomRotation(random, 0.3f, rest.rotation);
    return rest;
}

static void fillNodes(Random *random, Model *model, bool *good) {
    for (uint32_t n = 0; n < model->nodeCount; n++) {
        ModelNode *node = &model->nodes[n];
        node->name = newArray(1, 1, good);
        node->parent = n == 0 ? -1 : n <= CHAINS ? 0 : (int32_t)(n - CHAINS);
        node->rest = restOf(random);
        node->preTransform = vkskinIdentityAffine();
    }
}

static void fillSkin(Random *random, ModelSkin *skin) {
    for (uint32_t b = 0; b < skin->boneCount; b++) {
        const VkskinTransform bind = restOf(random);
        skin->boneNodes[b] = b;
        skin->inverseBinds[b] = vkskinAffineFromTransform(&bind);
    }
}

/* Each bone swings about its own axis at its own rate, a whole number of times per clip. */
static void rotationKey(const float axis[3], float phase, float pace, float *value) {
    const float half = 0.5f * SWING * sinf(phase * pace);
    for (int i = 0; i < 3; i++) {
        value[i] = axis[i] * sinf(half);
    }
    value[3] = cosf(half);
}

static VkskinTrack newTrack(Random *random, uint32_t node, VkskinChannel channel, bool *good) {
    const uint32_t width = channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    float *times = newArray(POSE_KEYS, sizeof *times, good);
    float *values = newArray((size_t)POSE_KEYS * width, sizeof *values, good);
    const float pace = (float)(1 + randomBelow(random, 4));
    float axis[3];
    randomDirection(random, axis);
    for (uint32_t k = 0; *good && k < POSE_KEYS; k++) {
        const float phase = 6.2831853f * (float)k / (float)(POSE_KEYS - 1);
        float *value = values + (size_t)k * width;
        times[k] = (float)k / KEYS_SECOND;
        if (channel == VKSKIN_CHANNEL_ROTATION) {
            rotationKey(axis, phase, pace, value);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const float rest = channel == VKSKIN_CHANNEL_SCALE ? 1.0f : i == 1 ? BONE_LENGTH : 0.0f;
            value[i] = rest + 0.02f * axis[i] * sinf(phase * pace);
        }
    }
    return (VkskinTrack){.node = node, .channel = channel, .keyCount = POSE_KEYS, .times = times, .values = values};
}

static void fillClip(Random *random, bool allTracks, ModelClip *clip, bool *good) {
    for (uint32_t n = 0; n < POSE_BONES; n++) {
        for (uint32_t c = 0; c < 3; c++) {
            if (allTracks || c == VKSKIN_CHANNEL_ROTATION || (n == 0 && c == VKSKIN_CHANNEL_TRANSLATION)) {
                clip->tracks[clip->trackCount++] = newTrack(random, n, (VkskinChannel)c, good);
            }
        }
    }
    clip->duration = (float)(POSE_KEYS - 1) / KEYS_SECOND;
}

static bool fillModel(Random *random, bool allTracks, Model *model) {
    bool good = true;
    model->nodes = newArray(POSE_BONES, sizeof *model->nodes, &good);
    model->skins = newArray(1, sizeof *model->skins, &good);
    model->parts = newArray(1, sizeof *model->parts, &good);
    model->clips = newArray(1, sizeof *model->clips, &good);
    if (!good) {
        return false;
    }
    model->nodeCount = model->skins->boneCount = POSE_BONES;
    model->skinCount = model->partCount = model->clipCount = 1;
    model->skins->boneNodes = newArray(POSE_BONES, sizeof(uint32_t), &good);
    model->skins->inverseBinds = newArray(POSE_BONES, sizeof(VkskinAffine), &good);
    model->clips->tracks = newArray((size_t)3 * POSE_BONES, sizeof(VkskinTrack), &good);
    if (good) {
        fillNodes(random, model, &good);
        fillSkin(random, model->skins);
        fillClip(random, allTracks, model->clips, &good);
    }
    return good;
}

static VkskinResult createSkeleton(const Model *model, VkskinSkeleton *skeleton) {
    int32_t parents[POSE_BONES];
    VkskinTransform rest[POSE_BONES];
    for (uint32_t n = 0; n < POSE_BONES; n++) {
        parents[n] = model->nodes[n].parent;
        rest[n] = model->nodes[n].rest;
    }
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = POSE_BONES;
    def.parents = parents;
    def.restPose = rest;
    return vkskinCreateSkeleton(&def, skeleton);
}

static VkskinResult createClip(const ModelClip *source, VkskinClip *clip) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = POSE_BONES;
    def.duration = source->duration;
    def.trackCount = source->trackCount;
    def.tracks = source->tracks;
    return vkskinCreateClip(&def, clip);
}

/* Node 0 carries the mesh: palettes are relative to its world matrix at rest. */
static VkskinResult createSkin(const Model *model, VkskinSkin *skin) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = POSE_BONES;
    def.boneCount = model->skins->boneCount;
    def.boneNodes = model->skins->boneNodes;
    def.inverseBinds = model->skins->inverseBinds;
    def.meshToModel = vkskinAffineFromTransform(&model->nodes[0].rest);
    return vkskinCreateSkin(&def, skin);
}

static void poseSceneDestroy(PoseScene *scene) {
    vkskinDestroySkin(scene->skin);
    vkskinDestroyClip(scene->clip);
    vkskinDestroySkeleton(scene->skeleton);
    modelFree(scene->model);
    *scene = (PoseScene){0};
}

/* allTracks: translation, rotation and scale of every bone, as exporters write them. Otherwise every rotation and the
 * translation of the root, as in motion capture. On failure *scene is zero. */
static bool poseSceneCreate(bool allTracks, PoseScene *scene, EngineError *error) {
    Random random = {.state = 64};
    *scene = (PoseScene){.model = calloc(1, sizeof(Model))};
    if (!scene->model || !fillModel(&random, allTracks, scene->model)) {
        poseSceneDestroy(scene);
        return engineFail(error, "out of memory");
    }
    VkskinResult result = createSkeleton(scene->model, &scene->skeleton);
    if (result == VKSKIN_SUCCESS) {
        result = createClip(scene->model->clips, &scene->clip);
    }
    if (result == VKSKIN_SUCCESS) {
        result = createSkin(scene->model, &scene->skin);
    }
    if (result != VKSKIN_SUCCESS) {
        poseSceneDestroy(scene);
        return engineFail(error, "the skeleton could not be made: %s", vkskinResultName(result));
    }
    return true;
}

#define CHARACTERS     10000u
#define BLOCK          100u /* characters per task */
#define FRAME          (1.0 / 60.0)
#define CHECK_EACH     97u  /* every so many characters one is compared */
#define POSE_BOUND     2e-5 /* allowed error of a matrix element, for a character one unit high */
#define PALETTE_FLOATS ((size_t)POSE_BONES * 12)
#define PALETTE_BYTES  (CHARACTERS * PALETTE_FLOATS * sizeof(float))
#define POISON         0xffc0ffeeu /* a NaN */

typedef struct PoseState {
    const PoseParameters *parameters;
    PoseScene scene;
    float *palettes;                      /* [CHARACTERS][POSE_BONES][3][4] */
    VkskinPoseBatch crowd;                /* with `batch` */
    VkskinPoseBatchCharacter *characters; /* [CHARACTERS] */
    uint64_t frame;
    atomic_int result; /* VkskinResult of the threads without `batch` */
} PoseState;

/* Each character has its own time; all advance by a frame per run. */
static double timeOf(const PoseState *state, uint32_t character) {
    return (double)state->frame * FRAME + (double)character * 0.0137;
}

/* ---- Posing ---- */

static VkskinResult poseOne(const PoseState *state, uint32_t character) {
    const PoseScene *scene = &state->scene;
    VkskinTransform pose[POSE_BONES];
    VkskinAffine world[POSE_BONES];
    float *palette = state->palettes + character * PALETTE_FLOATS;
    VkskinResult result =
        vkskinSampleClip(scene->skeleton, scene->clip, timeOf(state, character), VKSKIN_WRAP_LOOP, pose);
    if (result == VKSKIN_SUCCESS) {
        result = vkskinComposePose(scene->skeleton, pose, world);
    }
    if (result == VKSKIN_SUCCESS) {
        result = vkskinWritePalette(scene->skin, world, POSE_BONES, VKSKIN_PALETTE_MAT3X4, palette, POSE_BONES);
    }
    return result;
}

static void poseBlock(void *data, uint32_t block) {
    PoseState *state = data;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const VkskinResult result = poseOne(state, block * BLOCK + i);
        if (result != VKSKIN_SUCCESS) {
            atomic_store(&state->result, result);
        }
    }
}

static VkskinResult poseOneByOne(PoseState *state) {
    atomic_store(&state->result, VKSKIN_SUCCESS);
    if (state->parameters->threads) {
        parallelFor(NULL, CHARACTERS / BLOCK, poseBlock, state);
    } else {
        for (uint32_t i = 0; i < CHARACTERS / BLOCK; i++) {
            poseBlock(state, i);
        }
    }
    return (VkskinResult)atomic_load(&state->result);
}

static VkskinResult poseBatch(PoseState *state) {
    const PoseParameters *parameters = state->parameters;
    const VkskinCpuRun how = {.level = parameters->level, .parallel = parameters->threads ? parallelFor : NULL};
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        state->characters[i].time = timeOf(state, i);
    }
    return vkskinPoseBatch(state->crowd, state->characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, POSE_BONES, &how);
}

/* ---- Making ---- */

static void destroy(void *data) {
    PoseState *state = data;
    vkskinDestroyPoseBatch(state->crowd);
    poseSceneDestroy(&state->scene);
    free(state->characters);
    free(state->palettes);
    free(state);
}

static bool makeCrowd(PoseState *state, EngineError *error) {
    state->characters = calloc(CHARACTERS, sizeof *state->characters);
    if (!state->characters) {
        return engineFail(error, "out of memory");
    }
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        state->characters[i] = (VkskinPoseBatchCharacter){
            .wrap = VKSKIN_WRAP_LOOP, .slot = i, .palette = state->palettes + i * PALETTE_FLOATS};
    }
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    def.skeleton = state->scene.skeleton;
    def.skin = state->scene.skin;
    def.clipCount = 1;
    def.clips = &state->scene.clip;
    def.slotCount = CHARACTERS;
    const VkskinResult result = vkskinCreatePoseBatch(&def, &state->crowd);
    return result == VKSKIN_SUCCESS || engineFail(error, "vkskinCreatePoseBatch: %s", vkskinResultName(result));
}

static bool make(PoseState *state, EngineError *error) {
    state->palettes = aligned_alloc(64, PALETTE_BYTES);
    if (!state->palettes) {
        return engineFail(error, "out of memory");
    }
    return poseSceneCreate(state->parameters->allTracks, &state->scene, error) &&
           (!state->parameters->batch || makeCrowd(state, error));
}

static const char *unsupported(const BenchCase *benchCase, const BenchEnvironment *environment) {
    (void)environment;
    const PoseParameters *parameters = benchCase->parameters;
    return parameters->level > vkskinGetCpuLevel() ? "the processor does not have these instructions" : NULL;
}

static void *prepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    (void)environment;
    PoseState *state = calloc(1, sizeof *state);
    if (!state) {
        engineFail(error, "out of memory");
        return NULL;
    }
    state->parameters = benchCase->parameters;
    if (!make(state, error)) {
        destroy(state);
        return NULL;
    }
    return state;
}

/* ---- Running ---- */

static bool poison(void *data, EngineError *error) {
    (void)error;
    const PoseState *state = data;
    cpuStreamFill(state->palettes, PALETTE_BYTES, POISON, NULL);
    return true;
}

static bool run(void *data, RunTime *time, EngineError *error) {
    PoseState *state = data;
    state->frame++;
    const double start = measureNow(), busy = processNow();
    const VkskinResult result = state->parameters->batch ? poseBatch(state) : poseOneByOne(state);
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result == VKSKIN_SUCCESS || engineFail(error, "posing failed: %s", vkskinResultName(result));
}

/* The largest error of an element in the palette of a character; NaN counts as infinite. */
static double characterError(const PoseState *state, uint32_t character) {
    const Model *model = state->scene.model;
    const float *palette = state->palettes + character * PALETTE_FLOATS;
    ReferenceMatrix *world = newReferenceWorld(model, 0, timeOf(state, character), VKSKIN_WRAP_LOOP);
    ReferenceMatrix *bones = newReferenceBones(model, 0, world, REFERENCE_MESH_SPACE);
    double worst = 0.0;
    for (uint32_t i = 0; i < PALETTE_FLOATS; i++) {
        const double difference = fabs((double)palette[i] - bones[i / 12].m[i % 12 / 4][i % 4]);
        worst = difference <= worst ? worst : isnan(difference) ? INFINITY : difference;
    }
    free(bones);
    free(world);
    return worst;
}

/* Compares some characters whole; the others must hold no poison. */
static bool check(void *data, EngineError *error) {
    const PoseState *state = data;
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        const float *palette = state->palettes + c * PALETTE_FLOATS;
        for (uint32_t i = 0; i < PALETTE_FLOATS; i++) {
            if (isnan(palette[i])) {
                return engineFail(error, "character %u: bone %u was not written", c, i / 12);
            }
        }
        const double worst = c % CHECK_EACH == 0 ? characterError(state, c) : 0.0;
        if (worst > POSE_BOUND) {
            return engineFail(error, "character %u: a matrix is off by %g", c, worst);
        }
    }
    return true;
}

/* ---- Telling ---- */

static CaseTraffic traffic(const void *data) {
    (void)data;
    return (CaseTraffic){
        .vertices = (double)CHARACTERS * POSE_BONES,
        .bytesWritten = (double)PALETTE_BYTES,
        .limitBytes = (double)PALETTE_BYTES,
    };
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const PoseState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u characters, %u tracks of %u keys, %s", CHARACTERS,
             state->scene.model->clips->trackCount, POSE_KEYS,
             state->parameters->threads ? "all processors" : "one thread");
}

const CaseFunctions poseFunctions = {
    .unsupported = unsupported,
    .prepare = prepare,
    .poison = poison,
    .run = run,
    .check = check,
    .traffic = traffic,
    .describe = describe,
    .destroy = destroy,
};
