#include "pose_case.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu_stream.h"
#include "measure.h"
#include "parallel.h"
#include "pose_scene.h"
#include "reference.h"

#define CHARACTERS     10000u
#define BLOCK          100u /* characters that a thread takes at a time */
#define FRAME          (1.0 / 60.0)
#define CHECK_EACH     97u  /* characters from one that is compared to the next */
#define POSE_BOUND     2e-5 /* of a matrix element, in lengths and turns of a character one unit high */
#define PALETTE_FLOATS ((size_t)POSE_BONES * 12)
#define PALETTE_BYTES  (CHARACTERS * PALETTE_FLOATS * sizeof(float))
#define POISON         0xffc0ffeeu /* a NaN */

typedef struct PoseState {
    const PoseParameters *parameters;
    PoseScene scene;
    float *palettes;                      /* [CHARACTERS][POSE_BONES][3][4] */
    VkskinPoseBatch crowd;                /* of POSE_CROWD, and */
    VkskinPoseBatchCharacter *characters; /* [CHARACTERS] */
    uint64_t frame;
    atomic_int result; /* VkskinResult: a failure of POSE_ONE_BY_ONE's threads */
} PoseState;

/* Everyone is somewhere else in the clip, and all go on by a frame from run to run. */
static double timeOf(const PoseState *state, uint32_t character) {
    return (double)state->frame * FRAME + (double)character * 0.0137;
}

/* ---- The ways ---- */

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

static VkskinResult poseCrowd(PoseState *state) {
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
           (state->parameters->way != POSE_CROWD || makeCrowd(state, error));
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
    const VkskinResult result = state->parameters->way == POSE_CROWD ? poseCrowd(state) : poseOneByOne(state);
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result == VKSKIN_SUCCESS || engineFail(error, "posing failed: %s", vkskinResultName(result));
}

/* The largest difference of an element of a character's palette; NaN counts as infinite. */
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

/* Some characters whole, and no poison left in the others. */
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
