#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_kinds.h"
#include "measure.h"
#include "random.h"
#include "vkskin/vkskin_blend.h"
#include "vkskin/vkskin_ik.h"
#include "vkskin/vkskin_pack.h"
#include "vkskin/vkskin_spring.h"

#define CHARACTERS 1000u
#define BONES      64u
#define LAYERS     4u
#define CHAINS     5u /* limbs and head, as in pose_case.c */
#define BOUND      2e-6
#define REACH      1e-4
#define HAND       (1 + 3 * CHAINS) /* end of the first limb: its grandparent is node 1 + CHAINS */

typedef struct BlendState {
    const BlendDef *def;
    VkskinSkeleton skeleton;
    VkskinTransform *poses; /* [LAYERS][CHARACTERS][BONES] */
    VkskinTransform *out;   /* [CHARACTERS][BONES] */
    VkskinAffine *world;    /* [CHARACTERS][BONES], of IK */
    float mask[BONES];
    VkskinAnimationBox boxes[BONES], bounds[CHARACTERS];
    VkskinSpring springs[CHARACTERS];
    float targets[2][3]; /* turn by turn: each run solves from the solution of the one before */
    uint32_t frame;
} BlendState;

static const float WEIGHTS[LAYERS] = {0.4f, 0.3f, 0.2f, 0.1f};

static VkskinTransform *poseOf(const BlendState *state, uint32_t layer, uint32_t character) {
    return state->poses + ((size_t)layer * CHARACTERS + character) * BONES;
}

/* ---- Making ---- */

static void destroy(void *data) {
    BlendState *state = data;
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        vkskinDestroySpring(state->springs[c]);
    }
    vkskinDestroySkeleton(state->skeleton);
    free(state->poses);
    free(state->out);
    free(state->world);
}

static void fillPoses(BlendState *state) {
    Random random = {.state = 64};
    for (size_t i = 0; i < (size_t)LAYERS * CHARACTERS * BONES; i++) {
        state->poses[i] = vkskinIdentityTransform();
        state->poses[i].translation[1] = 0.15f;
        randomRotation(&random, 0.6f, state->poses[i].rotation);
    }
    for (uint32_t bone = 0; bone < BONES; bone++) {
        state->boxes[bone] = (VkskinAnimationBox){{-0.1f, 0.0f, -0.1f}, {0.1f, 0.15f, 0.1f}};
        state->mask[bone] = bone % 4 == 0 ? 0.0f : bone % 4 == 1 ? 0.5f : 1.0f;
    }
}

static bool makeSkeleton(BlendState *state, EngineError *error) {
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    int32_t parents[BONES];
    for (uint32_t n = 0; n < BONES; n++) {
        parents[n] = n == 0 ? -1 : n <= CHAINS ? 0 : (int32_t)(n - CHAINS);
    }
    def.nodeCount = BONES;
    def.parents = parents;
    def.restPose = state->poses;
    const VkskinResult result = vkskinCreateSkeleton(&def, &state->skeleton);
    return result == VKSKIN_SUCCESS || engineFail(error, "vkskinCreateSkeleton: %s", vkskinResultName(result));
}

static bool makeSprings(BlendState *state, EngineError *error) {
    VkskinSpringDef def = vkskinDefaultSpringDef();
    def.skeleton = state->skeleton;
    def.start = HAND - 2 * CHAINS;
    def.end = HAND;
    def.gravity[1] = -9.81f;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t c = 0; c < CHARACTERS && result == VKSKIN_SUCCESS; c++) {
        result = vkskinCreateSpring(&def, &state->springs[c]);
    }
    return result == VKSKIN_SUCCESS || engineFail(error, "vkskinCreateSpring: %s", vkskinResultName(result));
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    (void)environment;
    BlendState *state = data;
    state->def = benchCase->parameters;
    state->poses = engineAllocate((size_t)LAYERS * CHARACTERS * BONES, sizeof *state->poses, error);
    state->out = engineAllocate((size_t)CHARACTERS * BONES, sizeof *state->out, error);
    state->world = engineAllocate((size_t)CHARACTERS * BONES, sizeof *state->world, error);
    if (!state->poses || !state->out || !state->world) {
        return false;
    }
    fillPoses(state);
    if (!makeSkeleton(state, error) || (state->def->spring && !makeSprings(state, error))) {
        return false;
    }
    memcpy(state->out, state->poses, (size_t)CHARACTERS * BONES * sizeof *state->out);
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        (void)vkskinComposePose(state->skeleton, state->out + (size_t)c * BONES, state->world + (size_t)c * BONES);
    }
    state->targets[0][0] = 0.15f;
    state->targets[1][2] = 0.2f;
    return true;
}

/* ---- Running ---- */

/* IK goes on from its last solution. */
static bool poison(void *data, EngineError *error) {
    (void)error;
    BlendState *state = data;
    memset(state->bounds, 0xff, sizeof state->bounds);
    if (state->def->layers > 0) {
        memset(state->out, 0xff, (size_t)CHARACTERS * BONES * sizeof *state->out);
    }
    return true;
}

static VkskinResult blendCharacter(const BlendState *state, uint32_t character, VkskinTransform *out) {
    VkskinPoseLayer layers[LAYERS];
    VkskinBlendDef def = vkskinDefaultBlendDef();
    for (uint32_t i = 0; i < LAYERS; i++) {
        layers[i] = (VkskinPoseLayer){poseOf(state, i, character), WEIGHTS[i], state->def->masked ? state->mask : NULL};
    }
    def.nodeCount = BONES;
    def.layerCount = state->def->layers;
    def.layers = layers;
    def.rest = poseOf(state, 0, character);
    return vkskinBlendLayers(&def, out);
}

static VkskinTwoBoneDef chainOf(const BlendState *state, const VkskinAffine *world) {
    VkskinTwoBoneDef def = vkskinDefaultTwoBoneDef();
    def.start = HAND - 2 * CHAINS;
    def.mid = HAND - CHAINS;
    def.end = HAND;
    def.pole[2] = 1.0f;
    for (int i = 0; i < 3; i++) {
        def.target[i] = world[def.start].m[i][3] + state->targets[state->frame % 2][i];
    }
    return def;
}

static VkskinResult workOn(BlendState *state, uint32_t character) {
    VkskinTransform *out = state->out + (size_t)character * BONES;
    VkskinAffine *world = state->world + (size_t)character * BONES;
    if (state->def->bound) {
        return vkskinBoundPose(state->boxes, world, BONES, VKSKIN_METHOD_LINEAR_BLEND, 0.0f, &state->bounds[character]);
    }
    if (state->def->spring) {
        const VkskinSpringFrame frame = {.seconds = 1.0f / 60};
        return vkskinStepSpring(state->springs[character], &frame, out, world);
    }
    if (!state->def->chain) {
        return blendCharacter(state, character, out);
    }
    const VkskinTwoBoneDef def = chainOf(state, world);
    return vkskinSolveTwoBone(state->skeleton, &def, out, world, NULL);
}

static bool run(void *data, RunTime *time, EngineError *error) {
    BlendState *state = data;
    state->frame++;
    VkskinResult result = VKSKIN_SUCCESS;
    const double start = measureNow(), busy = processNow();
    for (uint32_t c = 0; c < CHARACTERS && result == VKSKIN_SUCCESS; c++) {
        result = workOn(state, c);
    }
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result == VKSKIN_SUCCESS || engineFail(error, "a pose failed: %s", vkskinResultName(result));
}

/* ---- Checking ---- */

/* The blend of a node in double precision, from the definition of vkskinBlendLayers. */
static double nodeError(const BlendState *state, uint32_t character, uint32_t bone) {
    double sum[4] = {0}, length = 0.0, worst = 0.0;
    const float *first = poseOf(state, 0, character)[bone].rotation;
    for (uint32_t i = 0; i < state->def->layers; i++) {
        const float *q = poseOf(state, i, character)[bone].rotation;
        double dot = 0.0;
        for (int k = 0; k < 4; k++) {
            dot += sum[k] * (double)q[k];
        }
        for (int k = 0; k < 4; k++) {
            sum[k] += (dot < 0.0 ? -(double)WEIGHTS[i] : (double)WEIGHTS[i]) * (double)q[k];
        }
    }
    if (state->def->masked && state->mask[bone] == 0.0f) {
        for (int k = 0; k < 4; k++) {
            sum[k] = (double)first[k]; /* the rest pose */
        }
    }
    for (int k = 0; k < 4; k++) {
        length += sum[k] * sum[k];
    }
    for (int k = 0; k < 4; k++) {
        const double got = (double)state->out[(size_t)character * BONES + bone].rotation[k];
        const double difference = fabs(got - sum[k] / sqrt(length));
        worst = difference <= worst ? worst : isnan(difference) ? INFINITY : difference;
    }
    return worst;
}

static double reachError(const BlendState *state, uint32_t character) {
    const VkskinAffine *world = state->world + (size_t)character * BONES;
    const VkskinTwoBoneDef def = chainOf(state, world);
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double miss = (double)world[HAND].m[i][3] - (double)def.target[i];
        square += miss * miss;
    }
    return sqrt(square);
}

/* The bound has the middle of each node's box. */
static bool isBounded(const BlendState *state, uint32_t character) {
    const VkskinAnimationBox *bound = &state->bounds[character];
    bool inside = true;
    for (uint32_t i = 0; i < 3 * BONES; i++) {
        const float *m = state->world[(size_t)character * BONES + i / 3].m[i % 3];
        const float middle = m[3] + 0.075f * m[1];
        inside = inside && bound->low[i % 3] < middle && bound->high[i % 3] > middle;
    }
    return inside;
}

/* Each bone of the limb has its length. */
static bool hasLengths(const BlendState *state, uint32_t character) {
    const VkskinAffine *world = state->world + (size_t)character * BONES;
    bool good = true;
    for (uint32_t bone = HAND; bone > HAND - 2 * CHAINS; bone -= CHAINS) {
        double square = 0.0;
        for (int i = 0; i < 3; i++) {
            const double side = (double)world[bone].m[i][3] - (double)world[bone - CHAINS].m[i][3];
            square += side * side;
        }
        good = good && fabs(sqrt(square) - 0.15) < 1e-4;
    }
    return good;
}

static bool check(void *data, EngineError *error) {
    const BlendState *state = data;
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        if (state->def->chain) {
            const double miss = reachError(state, c);
            if (!(miss < REACH)) {
                return engineFail(error, "character %u: the hand misses its target by %g", c, miss);
            }
        }
        if (state->def->bound && !isBounded(state, c)) {
            return engineFail(error, "character %u: its bound is too small", c);
        }
        if (state->def->spring && !hasLengths(state, c)) {
            return engineFail(error, "character %u: a bone has lost its length", c);
        }
        for (uint32_t bone = 0; bone < BONES && state->def->layers > 0; bone++) {
            const double worst = nodeError(state, c, bone);
            if (!(worst < BOUND)) {
                return engineFail(error, "character %u: bone %u is off by %g", c, bone, worst);
            }
        }
        const VkskinTransform *out = state->out + (size_t)c * BONES;
        if (isnan(out[BONES - 1].rotation[3])) {
            return engineFail(error, "character %u was not written", c);
        }
    }
    return true;
}

/* ---- Numbers ---- */

static CaseTraffic traffic(const void *data) {
    (void)data;
    return (CaseTraffic){.vertices = (double)CHARACTERS * BONES,
                         .bytesWritten = (double)CHARACTERS * BONES * sizeof(VkskinTransform)};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const BlendState *state = data;
    if (state->def->layers == 0) {
        snprintf(settings, CASE_SETTINGS_SIZE,
                 state->def->bound || state->def->spring ? "%u characters, one thread"
                                                         : "%u characters, one chain each, one thread",
                 CHARACTERS);
    } else {
        snprintf(settings, CASE_SETTINGS_SIZE, "%u characters, %u poses%s, one thread", CHARACTERS, state->def->layers,
                 state->def->masked ? ", masks" : "");
    }
}

const CaseFunctions BLEND = {sizeof(BlendState), prepare, poison, run, check, traffic, describe, destroy};
