/* A figure of 16 bones that falls: a run simulates two seconds, so time is counted for each step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_kinds.h"
#include "measure.h"
#include "ragdoll.h"
#include "ragdoll_fit.h"

#define BONES    16u
#define CORNERS  8u
#define VERTICES (BONES * CORNERS)
#define STEPS    480

typedef struct FallState {
    Model model;
    ModelNode nodes[BONES];
    ModelMesh mesh;
    ModelSkin skin;
    ModelPart part;
    float positions[VERTICES][3], weights[VERTICES];
    uint32_t joints[VERTICES], bones[BONES];
    VkskinAffine inverseBinds[BONES], world[BONES];
    VkskinTransform pose[BONES];
    ClipSource source;
    RagdollShape *shape;
    Ragdoll *ragdoll;
    double firstEnergy;
} FallState;

/* Parent; place under it; from there to the far end; half the width. Metres: 1.8 high. */
static const struct {
    int32_t parent;
    float place[3], end[3], width;
} PARTS[BONES] = {
    {-1, {0, 0.95f, 0}, {0, 0.12f, 0}, 0.13f},   {0, {0, 0.12f, 0}, {0, 0.2f, 0}, 0.13f},
    {1, {0, 0.2f, 0}, {0, 0.25f, 0}, 0.15f},     {2, {0, 0.28f, 0}, {0, 0.25f, 0}, 0.08f},
    {2, {0.18f, 0.2f, 0}, {0.28f, 0, 0}, 0.05f}, {4, {0.28f, 0, 0}, {0.25f, 0, 0}, 0.04f},
    {5, {0.25f, 0, 0}, {0.17f, 0, 0}, 0.03f},    {2, {-0.18f, 0.2f, 0}, {-0.28f, 0, 0}, 0.05f},
    {7, {-0.28f, 0, 0}, {-0.25f, 0, 0}, 0.04f},  {8, {-0.25f, 0, 0}, {-0.17f, 0, 0}, 0.03f},
    {0, {0.1f, 0, 0}, {0, -0.44f, 0}, 0.07f},    {10, {0, -0.44f, 0}, {0, -0.44f, 0}, 0.05f},
    {11, {0, -0.45f, 0}, {0, 0, 0.2f}, 0.04f},   {0, {-0.1f, 0, 0}, {0, -0.44f, 0}, 0.07f},
    {13, {0, -0.44f, 0}, {0, -0.44f, 0}, 0.05f}, {14, {0, -0.45f, 0}, {0, 0, 0.2f}, 0.04f},
};

static void fillModel(FallState *state) {
    static char name[] = "bone";
    for (uint32_t i = 0; i < BONES; i++) {
        state->nodes[i] = (ModelNode){name, PARTS[i].parent, vkskinIdentityTransform(), vkskinIdentityAffine()};
        memcpy(state->nodes[i].rest.translation, PARTS[i].place, sizeof PARTS[i].place);
        const VkskinAffine local = vkskinAffineFromTransform(&state->nodes[i].rest);
        state->world[i] = i > 0 ? vkskinMultiplyAffine(&state->world[PARTS[i].parent], &local) : local;
        (void)vkskinInvertAffine(&state->world[i], &state->inverseBinds[i]);
        state->bones[i] = i;
        for (uint32_t v = i * CORNERS; v < (i + 1) * CORNERS; v++) {
            for (int k = 0; k < 3; k++) {
                const float end = PARTS[i].end[k], side = v >> k & 1 ? PARTS[i].width : -PARTS[i].width;
                state->positions[v][k] = state->world[i].m[k][3] + (end == 0.0f ? side : v >> k & 1 ? end : 0.0f);
            }
            state->joints[v] = i;
            state->weights[v] = 1.0f;
        }
    }
    state->skin = (ModelSkin){BONES, state->bones, state->inverseBinds};
    state->mesh = (ModelMesh){.vertexCount = VERTICES,
                              .positions = state->positions[0],
                              .influences = 1,
                              .joints = state->joints,
                              .weights = state->weights,
                              .boneCount = BONES};
    state->model = (Model){.nodeCount = BONES,
                           .nodes = state->nodes,
                           .meshCount = 1,
                           .meshes = &state->mesh,
                           .skinCount = 1,
                           .skins = &state->skin,
                           .partCount = 1,
                           .parts = &state->part};
}

/* Stands, and tips over: the height of the hips is that of the clip, its turn grows by 0.5 radians a second. */
static VkskinResult poseClip(void *user, double time, VkskinTransform *pose, VkskinAffine *world) {
    const FallState *state = user;
    const VkskinResult result = vkskinSampleClip(state->source.skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, pose);
    pose[0].rotation[0] = sinf(0.25f * (float)time);
    pose[0].rotation[3] = cosf(0.25f * (float)time);
    return result < 0 ? result : vkskinComposePose(state->source.skeleton, pose, world);
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    (void)benchCase;
    (void)environment;
    FallState *state = data;
    const VkskinAffine identity = vkskinIdentityAffine();
    fillModel(state);
    if (modelCreateSkeleton(&state->model, NULL, (VkskinLogger){0}, &state->source.skeleton) < 0) {
        return engineFail(error, "out of memory");
    }
    state->shape = ragdollShapeCreate(&state->model, &identity, &state->source, error);
    state->ragdoll = state->shape ? ragdollCreate(state->shape) : NULL;
    return state->ragdoll || (state->shape && engineFail(error, "out of memory"));
}

static void destroy(void *data) {
    FallState *state = data;
    ragdollDestroy(state->ragdoll);
    ragdollShapeDestroy(state->shape);
    vkskinDestroySkeleton(state->source.skeleton);
}

static bool poison(void *data, EngineError *error) {
    (void)error;
    FallState *state = data;
    memset(state->world, 0xff, sizeof state->world);
    return true;
}

static bool run(void *data, RunTime *time, EngineError *error) {
    FallState *state = data;
    const RagdollPoser poser = {poseClip, state};
    const RagdollFall fall = {.start = 0.2, .end = INFINITY, .ground = NAN, .node = BONES};
    ragdollSetFall(state->ragdoll, &fall);
    VkskinResult result = ragdollPose(state->ragdoll, fall.start, &poser, state->pose, state->world);
    state->firstEnergy = ragdollMeasure(state->ragdoll).energy;
    const double start = measureNow(), busy = processNow();
    if (result >= 0) {
        result = ragdollPose(state->ragdoll, fall.start + STEPS * RAGDOLL_STEP, &poser, state->pose, state->world);
    }
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result >= 0 || engineFail(error, "the fall failed: %s", vkskinResultName(result));
}

/* It lies, and its joints hold. */
static bool check(void *data, EngineError *error) {
    const FallState *state = data;
    const RagdollMeasure measure = ragdollMeasure(state->ragdoll);
    return (state->world[3].m[1][3] < 0.6f && measure.gap < 0.02 && measure.energy < 0.5 * state->firstEnergy) ||
           engineFail(error, "the head is %g high, a gap is %g, the energy is %g of %g",
                      (double)state->world[3].m[1][3], measure.gap, measure.energy, state->firstEnergy);
}

static CaseTraffic traffic(const void *data) {
    (void)data;
    return (CaseTraffic){.vertices = STEPS, .bytesWritten = sizeof(VkskinAffine) * (double)BONES};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    snprintf(settings, CASE_SETTINGS_SIZE, "%u bodies, one thread", ((const FallState *)data)->shape->bodyCount);
}

const CaseFunctions FALL = {sizeof(FallState), prepare, poison, run, check, traffic, describe, destroy};
