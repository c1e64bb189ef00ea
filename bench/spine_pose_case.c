#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_kinds.h"
#include "measure.h"
#include "spine_scene.h"

#define CHARACTERS     1000u
#define FRAME          (1.0 / 60.0)
#define PALETTE_FLOATS (6 * (size_t)SPINE_BONES)
#define BOUND          (1e-5 * SPINE_SIZE)
#define PATH_BOUND     (1e-3 * SPINE_SIZE) /* between points of the path that the check looks at */
#define PATH_POINTS    20000u

typedef struct PoseState {
    const SpinePoseDef *def;
    SpineScene *scene;
    SpineMesh mesh;
    SpinePose *pose;
    float *palettes; /* [CHARACTERS][SPINE_BONES][6] */
    uint64_t frame;
} PoseState;

static double timeOf(const PoseState *state, uint32_t character) {
    return fmod((double)state->frame * FRAME + (double)character * 0.0137, SPINE_SECONDS);
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    (void)environment;
    PoseState *state = data;
    state->def = benchCase->parameters;
    state->scene = engineAllocate(1, sizeof *state->scene, error);
    state->palettes = engineAllocate(CHARACTERS * PALETTE_FLOATS, sizeof *state->palettes, error);
    if (!state->scene || !state->palettes ||
        !spineSceneFill(state->def->constraints, state->def->curves, state->scene, error) ||
        !spineMeshCreate(&state->scene->spine, &state->mesh, error)) {
        return false;
    }
    state->pose = spinePoseCreate(&state->scene->spine, NULL, 0, error);
    return state->pose != NULL;
}

static void destroy(void *data) {
    PoseState *state = data;
    spinePoseFree(state->pose);
    spineMeshFree(&state->mesh);
    free(state->palettes);
    free(state->scene);
}

static bool poison(void *data, EngineError *error) {
    (void)error;
    const PoseState *state = data;
    memset(state->palettes, 0xff, CHARACTERS * PALETTE_FLOATS * sizeof *state->palettes);
    return true;
}

static bool run(void *data, RunTime *time, EngineError *error) {
    PoseState *state = data;
    float unused; /* there are no morph targets */
    (void)error;
    state->frame++;
    const double start = measureNow(), busy = processNow();
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        spinePoseSet(state->pose, 0, timeOf(state, c));
        spineMeshPose(&state->mesh, state->pose, &SPINE_UNPLACED, state->palettes + c * PALETTE_FLOATS, &unused);
    }
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return true;
}

/* ---- Checking ---- */

static const float *boneOf(const PoseState *state, uint32_t character, uint32_t bone) {
    return state->palettes + character * PALETTE_FLOATS + 6 * (size_t)bone;
}

/* How far the tip of a limb is from its target; 0 where that is out of reach. */
static double missOf(const PoseState *state, uint32_t character, uint32_t limb) {
    const uint32_t lower = spineSceneLower(limb);
    const float *tip = boneOf(state, character, lower + 1), *target = boneOf(state, character, spineSceneTarget(limb));
    const float *joint = boneOf(state, character, lower - 1);
    const double maxDistance =
        (double)state->scene->bones[lower].local[SPINE_X] + (double)state->scene->bones[lower].length;
    const double away = hypot((double)target[2] - (double)joint[2], (double)target[5] - (double)joint[5]);
    const double miss = hypot((double)tip[2] - (double)target[2], (double)tip[5] - (double)target[5]);
    return away > 0.99 * maxDistance ? 0.0 : miss;
}

/* From the first bone of a path constraint to the nearest point of the path. The pose is the character's. */
static double fromPath(const PoseState *state, uint32_t bone) {
    double points[2 * 3 * SPINE_PATH_CURVES], nearest = INFINITY;
    const uint32_t curves = state->scene->attachments[1].lengthCount;
    const SpineMatrix *m = &state->pose->bones[bone].matrix;
    spinePoseVertices(state->pose, 1, points);
    for (uint32_t i = 0; i < PATH_POINTS; i++) {
        const double at = (double)curves * i / PATH_POINTS, t = at - floor(at), s = 1.0 - t;
        const double *p = points + 2 * (3 * (size_t)at + 1);
        double place[2];
        for (size_t c = 0; c < 2; c++) {
            place[c] =
                s * s * s * p[c] + 3.0 * s * s * t * p[2 + c] + 3.0 * s * t * t * p[4 + c] + t * t * t * p[6 + c];
        }
        nearest = fmin(nearest, hypot(m->x0 - place[0], m->y0 - place[1]));
    }
    return nearest;
}

static bool checkCharacter(const PoseState *state, uint32_t c, EngineError *error) {
    for (size_t i = 0; i < PALETTE_FLOATS; i++) {
        if (!isfinite(state->palettes[c * PALETTE_FLOATS + i])) {
            return engineFail(error, "character %u: bone %zu was not written", c, i / 6);
        }
    }
    for (uint32_t limb = 0; limb < SPINE_LIMBS && state->def->constraints; limb++) {
        const double miss = missOf(state, c, limb);
        if (!(miss < BOUND)) {
            return engineFail(error, "character %u: the tip of limb %u misses its target by %g", c, limb, miss);
        }
    }
    return true;
}

/* The last character is still the pose. */
static bool check(void *data, EngineError *error) {
    const PoseState *state = data;
    const uint32_t last = SPINE_CONSTRAINTS - 1;
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        if (!checkCharacter(state, c, error)) {
            return false;
        }
    }
    for (uint32_t i = last - 1; i <= last && state->def->constraints; i++) {
        const double away = fromPath(state, state->scene->constraintBones[i][0]);
        if (!(away < PATH_BOUND)) {
            return engineFail(error, "constraint %u: its first bone is %g from the path", i, away);
        }
    }
    return true;
}

/* ---- Numbers ---- */

static CaseTraffic traffic(const void *data) {
    (void)data;
    return (CaseTraffic){.vertices = (double)CHARACTERS * SPINE_BONES,
                         .bytesWritten = (double)CHARACTERS * PALETTE_FLOATS * sizeof(float)};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const PoseState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u timelines of %u keys, %u constraints, one thread",
             state->scene->animation.timelineCount, SPINE_KEYS, state->scene->spine.constraintCount);
}

const CaseFunctions SPINE_POSES = {sizeof(PoseState), prepare, poison, run, check, traffic, describe, destroy};
