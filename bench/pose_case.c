#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "case_kinds.h"
#include "measure.h"
#include "model_objects.h"
#include "pose_scene.h"
#include "reference.h"
#include "vkskin/vkskin_blend.h"

#define CHARACTERS    10000u
#define BLOCK         100u /* characters per task */
#define FRAME         (1.0 / 60.0)
#define CHECK_EACH    97u   /* every so many characters one is compared */
#define POSE_BOUND    2e-5  /* allowed error of a matrix element, for a character one unit high */
#define PACK_ERROR    1e-3f /* in the scene's unit, which is a metre */
#define PACK_DISTANCE 0.25f /* distance of measured points from each bone; the inverse bind matrices move less */
#define PACK_BOUND                                                                                                     \
    4e-3 /* allowed error of a packed element: the error of points on opposite sides, by their distance */
#define PALETTE_FLOATS ((size_t)POSE_BONES * 12)
#define PALETTE_BYTES  (CHARACTERS * PALETTE_FLOATS * sizeof(float))
#define POISON         0xffc0ffeeu /* bits of a NaN */

typedef struct PoseState {
    const PoseDef *def;
    VkskinCpuRun run;
    PoseScene scene;
    ModelObjects objects;                 /* objects of the scene's model */
    float *palettes;                      /* [CHARACTERS][POSE_BONES][3][4] */
    VkskinPoseBatch crowd;                /* with `batch` */
    VkskinPoseBatchCharacter *characters; /* [CHARACTERS] */
    void *animation;                      /* with `packed` */
    size_t animationSize;
    uint64_t frame;
    atomic_int result; /* VkskinResult of the threads without `batch` */
} PoseState;

/* Characters of one clip are not neighbours. */
static uint32_t clipOf(const PoseState *state, uint32_t character) {
    return character * 2654435761u >> 8 & (state->scene.model.clipCount - 1);
}

/* Each character has its own time; all advance by a frame per run. */
static double timeOf(const PoseState *state, uint32_t character) {
    return (double)state->frame * FRAME + (double)character * 0.0137;
}

/* The second clip of a character, with `blended`. */
static uint32_t secondClipOf(const PoseState *state, uint32_t character) {
    return clipOf(state, character + 1);
}

static double secondTimeOf(const PoseState *state, uint32_t character) {
    return 0.7 * timeOf(state, character);
}

static float weightOf(uint32_t character) {
    return (float)(1 + character % 7) / 8.0f;
}

/* ---- Posing ---- */

static VkskinResult poseOne(const PoseState *state, uint32_t character) {
    const ModelObjects *objects = &state->objects;
    VkskinTransform pose[POSE_BONES];
    VkskinAffine world[POSE_BONES];
    float *palette = state->palettes + character * PALETTE_FLOATS;
    VkskinResult result = vkskinSampleClip(objects->skeleton, objects->clips[clipOf(state, character)],
                                           timeOf(state, character), VKSKIN_WRAP_LOOP, pose);
    if (result == VKSKIN_SUCCESS) {
        result = vkskinComposePose(objects->skeleton, pose, world);
    }
    if (result == VKSKIN_SUCCESS) {
        result = vkskinWritePalette(objects->skins[0], world, POSE_BONES, VKSKIN_PALETTE_MAT3X4, palette, POSE_BONES);
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
    if (state->run.parallel) {
        state->run.parallel(NULL, CHARACTERS / BLOCK, poseBlock, state);
    } else {
        for (uint32_t i = 0; i < CHARACTERS / BLOCK; i++) {
            poseBlock(state, i);
        }
    }
    return (VkskinResult)atomic_load(&state->result);
}

static VkskinResult poseBatch(PoseState *state) {
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        state->characters[i].clip = clipOf(state, i);
        state->characters[i].time = timeOf(state, i);
        if (state->def->blended) {
            state->characters[i].blendClip = secondClipOf(state, i);
            state->characters[i].blendTime = secondTimeOf(state, i);
            state->characters[i].blendWeight = weightOf(i);
        }
    }
    return vkskinPoseBatch(state->crowd, state->characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, POSE_BONES, &state->run);
}

/* ---- Making ---- */

static void destroy(void *data) {
    PoseState *state = data;
    vkskinDestroyPoseBatch(state->crowd);
    vkskinFreeAnimation(state->animation, NULL);
    if (state->objects.model) {
        modelObjectsFree(&state->objects);
    }
    free(state->characters);
    free(state->palettes);
}

static bool pack(PoseState *state, EngineError *error) {
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    def.skeleton = state->objects.skeleton;
    def.clipCount = state->scene.model.clipCount;
    def.clips = state->objects.clips;
    def.maxError = PACK_ERROR;
    def.distance = PACK_DISTANCE;
    const VkskinResult result = vkskinPackAnimation(&def, &state->animation, &state->animationSize, NULL);
    return result == VKSKIN_SUCCESS || engineFail(error, "vkskinPackAnimation: %s", vkskinResultName(result));
}

static bool makeCrowd(PoseState *state, EngineError *error) {
    state->characters = engineAllocate(CHARACTERS, sizeof *state->characters, error);
    if (!state->characters) {
        return false;
    }
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        state->characters[i] = (VkskinPoseBatchCharacter){.wrap = VKSKIN_WRAP_LOOP,
                                                          .blendWrap = VKSKIN_WRAP_LOOP,
                                                          .slot = i,
                                                          .palette = state->palettes + i * PALETTE_FLOATS};
    }
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    if (state->def->packed) {
        if (!pack(state, error)) {
            return false;
        }
        def.animation = state->animation;
        def.animationSize = state->animationSize;
    } else {
        def.skeleton = state->objects.skeleton;
        def.clipCount = state->scene.model.clipCount;
        def.clips = state->objects.clips;
    }
    def.skin = state->objects.skins[0];
    def.slotCount = CHARACTERS;
    def.blending = state->def->blended;
    const VkskinResult result = vkskinCreatePoseBatch(&def, &state->crowd);
    return result == VKSKIN_SUCCESS || engineFail(error, "vkskinCreatePoseBatch: %s", vkskinResultName(result));
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    (void)environment;
    PoseState *state = data;
    state->def = benchCase->parameters;
    state->run = benchCaseCpuRun(benchCase);
    state->palettes = aligned_alloc(64, PALETTE_BYTES);
    if (!state->palettes) {
        return engineFail(error, "out of memory");
    }
    poseSceneFill(state->def->manyClips ? POSE_CLIPS : 1, state->def->allTracks, &state->scene);
    const VkskinResult result = modelObjectsCreate(&state->scene.model, NULL, &state->objects);
    if (result < 0) {
        return engineFail(error, "the skeleton could not be made: %s", vkskinResultName(result));
    }
    return !state->def->batch || makeCrowd(state, error);
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
    const VkskinResult result = state->def->batch ? poseBatch(state) : poseOneByOne(state);
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result == VKSKIN_SUCCESS || engineFail(error, "posing failed: %s", vkskinResultName(result));
}

/* The largest error of an element in the palette of a character; NaN counts as infinite. */
static double oneClipError(const PoseState *state, uint32_t character) {
    const Model *model = &state->scene.model;
    const float *palette = state->palettes + character * PALETTE_FLOATS;
    ReferenceMatrix *world =
        newReferenceWorld(model, (int32_t)clipOf(state, character), timeOf(state, character), VKSKIN_WRAP_LOOP);
    ReferenceMatrix *bones = newReferenceBones(model, 0, world);
    double worst = 0.0;
    for (uint32_t i = 0; i < PALETTE_FLOATS; i++) {
        const double difference = fabs((double)palette[i] - bones[i / 12].m[i % 12 / 4][i % 4]);
        worst = difference <= worst ? worst : isnan(difference) ? INFINITY : difference;
    }
    free(bones);
    free(world);
    return worst;
}

/* The same with a second clip, against layers of the float clips. */
static double twoClipsError(const PoseState *state, uint32_t character) {
    const ModelObjects *objects = &state->objects;
    const float weight = weightOf(character);
    const float *palette = state->palettes + character * PALETTE_FLOATS;
    VkskinTransform poses[3][POSE_BONES];
    VkskinAffine world[POSE_BONES];
    float expected[PALETTE_FLOATS];
    const VkskinPoseLayer layers[2] = {{poses[0], 1.0f - weight, NULL}, {poses[1], weight, NULL}};
    VkskinBlendDef blend = vkskinDefaultBlendDef();
    blend.nodeCount = POSE_BONES;
    blend.layerCount = 2;
    blend.layers = layers;
    blend.rest = poses[0];
    const bool good = vkskinSampleClip(objects->skeleton, objects->clips[clipOf(state, character)],
                                       timeOf(state, character), VKSKIN_WRAP_LOOP, poses[0]) == VKSKIN_SUCCESS &&
                      vkskinSampleClip(objects->skeleton, objects->clips[secondClipOf(state, character)],
                                       secondTimeOf(state, character), VKSKIN_WRAP_LOOP, poses[1]) == VKSKIN_SUCCESS &&
                      vkskinBlendLayers(&blend, poses[2]) == VKSKIN_SUCCESS &&
                      vkskinComposePose(objects->skeleton, poses[2], world) == VKSKIN_SUCCESS &&
                      vkskinWritePalette(objects->skins[0], world, POSE_BONES, VKSKIN_PALETTE_MAT3X4, expected,
                                         POSE_BONES) == VKSKIN_SUCCESS;
    double worst = good ? 0.0 : INFINITY;
    for (uint32_t i = 0; i < PALETTE_FLOATS && good; i++) {
        const double difference = fabs((double)palette[i] - expected[i]);
        worst = difference <= worst ? worst : isnan(difference) ? INFINITY : difference;
    }
    return worst;
}

static double characterError(const PoseState *state, uint32_t character) {
    return state->def->blended ? twoClipsError(state, character) : oneClipError(state, character);
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
        if (worst > (state->def->packed ? PACK_BOUND : POSE_BOUND)) {
            return engineFail(error, "character %u: a matrix is off by %g", c, worst);
        }
    }
    return true;
}

/* ---- Numbers ---- */

static CaseTraffic traffic(const void *data) {
    (void)data;
    return (CaseTraffic){.vertices = (double)CHARACTERS * POSE_BONES, .bytesWritten = (double)PALETTE_BYTES};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const PoseState *state = data;
    const char *threads = state->run.parallel ? "all processors" : "one thread";
    if (state->def->packed) {
        snprintf(settings, CASE_SETTINGS_SIZE, "%u characters, %u tracks of %u keys in %.1f KB for all clips, %s",
                 CHARACTERS, state->scene.clips[0].trackCount, POSE_KEYS, (double)state->animationSize / 1e3, threads);
        return;
    }
    snprintf(settings, CASE_SETTINGS_SIZE, "%u characters, %u tracks of %u keys, %s", CHARACTERS,
             state->scene.clips[0].trackCount, POSE_KEYS, threads);
}

const CaseFunctions POSE = {sizeof(PoseState), prepare, poison, run, check, traffic, describe, destroy};
