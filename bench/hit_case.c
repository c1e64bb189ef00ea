#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_kinds.h"
#include "measure.h"
#include "random.h"
#include "reference_hit.h"

/* A tube of rings and segments along x, bumpy and bent: two triangles for each segment of a ring. */
#define RINGS     ((size_t)100)
#define SEGMENTS  ((size_t)50)
#define VERTICES  ((RINGS + 1) * SEGMENTS)
#define TRIANGLES (2 * RINGS * SEGMENTS)
#define BONES     16u
#define RAYS      ((size_t)100000)
#define LOOP_RAYS ((size_t)500) /* the plain loop has fewer: time is counted for each ray */

typedef struct HitState {
    const HitDef *def;
    VkskinCpuRun run;
    VkskinCpuMesh mesh;
    VkskinHitMesh hitMesh;
    float *bind, *weights, *positions; /* positions: skinned */
    uint16_t *joints;
    uint32_t *indices;
    VkskinAffine palette[BONES];
    void *pose;
    VkskinRay *rays; /* [RAYS] */
    VkskinHit *hits; /* [RAYS] */
    uint32_t found;
} HitState;

/* ---- Making ---- */

static void fillTube(HitState *state) {
    for (size_t v = 0; v < VERTICES; v++) {
        const size_t ring = v / SEGMENTS;
        const float along = (float)ring / RINGS, turn = 6.2831853f * (float)(v % SEGMENTS) / SEGMENTS;
        const float radius = 0.25f + 0.05f * sinf(9 * turn) * sinf(40 * along), bone = along * (BONES - 1);
        state->bind[3 * v] = 2 * along;
        state->bind[3 * v + 1] = radius * cosf(turn);
        state->bind[3 * v + 2] = radius * sinf(turn);
        state->joints[2 * v] = (uint16_t)fminf(bone, BONES - 2);
        state->joints[2 * v + 1] = state->joints[2 * v] + 1;
        state->weights[2 * v + 1] = bone - (float)state->joints[2 * v];
        state->weights[2 * v] = 1 - state->weights[2 * v + 1];
    }
    for (size_t i = 0; i < TRIANGLES; i++) {
        const uint32_t ring = (uint32_t)(i / 2 / SEGMENTS * SEGMENTS), a = i / 2 % SEGMENTS, b = (a + 1) % SEGMENTS;
        const uint32_t corners[2][3] = {{a, b, a + SEGMENTS}, {b, b + SEGMENTS, a + SEGMENTS}};
        for (uint32_t k = 0; k < 3; k++) {
            state->indices[3 * i + k] = ring + corners[i % 2][k];
        }
    }
    for (uint32_t b = 0; b < BONES; b++) { /* they curl */
        const float angle = 0.35f * (float)b, c = cosf(angle), s = sinf(angle), x = 2.0f * (float)b / (BONES - 1);
        state->palette[b] = (VkskinAffine){{{c, -s, 0, x - c * x}, {s, c, 0, -s * x}, {0, 0, 1, 0.03f * (float)b}}};
    }
}

/* From a sphere of twice the radius of the box to random points of the box. */
static void aimRays(HitState *state) {
    Random random = {38};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, radius = 0;
    for (size_t i = 0; i < 3 * VERTICES; i++) {
        low[i % 3] = fminf(low[i % 3], state->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], state->positions[i]);
    }
    for (int k = 0; k < 3; k++) {
        radius += (high[k] - low[k]) * (high[k] - low[k]);
    }
    radius = 0.5f * sqrtf(radius);
    for (uint32_t i = 0; i < RAYS; i++) {
        float direction[3];
        randomDirection(&random, direction);
        for (int k = 0; k < 3; k++) {
            const float target = randomFloat(&random, low[k], high[k]);
            state->rays[i].origin[k] = 0.5f * (low[k] + high[k]) + 2 * radius * direction[k];
            state->rays[i].direction[k] = target - state->rays[i].origin[k];
        }
    }
}

static VkskinResult skin(const HitState *state) {
    const VkskinCpuCommand command = {.palette = state->palette, .boneCount = BONES, .streams = {state->positions}};
    return vkskinSkinOnCpu(state->mesh, &command, 1, &state->run);
}

static VkskinResult trace(const HitState *state, uint32_t count) {
    return vkskinTraceRays(state->hitMesh, state->pose, state->rays, count, &state->run, state->hits);
}

static bool makeMeshes(HitState *state, EngineError *error) {
    VkskinMeshDef mesh = vkskinDefaultMeshDef();
    mesh.vertexCount = VERTICES;
    mesh.boneCount = BONES;
    mesh.positions = state->bind;
    mesh.influencesPerVertex = 2;
    mesh.joints = state->joints;
    mesh.weights = state->weights;
    mesh.indexCount = 3 * TRIANGLES;
    mesh.indices = state->indices;
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &mesh;
    VkskinResult result = vkskinCreateCpuMesh(&def, &state->mesh);
    if (result >= 0) {
        result = vkskinCreateHitMesh(&mesh, NULL, &state->hitMesh);
    }
    return result >= 0 || engineFail(error, "the mesh: %s", vkskinResultName(result));
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    (void)environment;
    HitState *state = data;
    state->def = benchCase->parameters;
    state->run = benchCaseCpuRun(benchCase);
    state->bind = engineAllocate(VERTICES, 3 * sizeof(float), error);
    state->positions = engineAllocate(VERTICES, 3 * sizeof(float), error);
    state->weights = engineAllocate(VERTICES, 2 * sizeof(float), error);
    state->joints = engineAllocate(VERTICES, 2 * sizeof(uint16_t), error);
    state->indices = engineAllocate(TRIANGLES, 3 * sizeof(uint32_t), error);
    state->rays = engineAllocate(RAYS, sizeof(VkskinRay), error);
    state->hits = engineAllocate(RAYS, sizeof(VkskinHit), error);
    if (!state->bind || !state->positions || !state->weights || !state->joints || !state->indices || !state->rays ||
        !state->hits) {
        return false;
    }
    fillTube(state);
    if (!makeMeshes(state, error)) {
        return false;
    }
    state->pose = engineAllocate(1, vkskinGetHitPoseSize(state->hitMesh), error);
    if (!state->pose || skin(state) < 0) {
        return engineFail(error, "the pose failed");
    }
    aimRays(state);
    if (vkskinWriteHitPose(state->hitMesh, state->positions, 0, state->pose) < 0 || trace(state, RAYS) < 0) {
        return engineFail(error, "the rays failed");
    }
    for (uint32_t i = 0; i < RAYS; i++) {
        state->found += state->hits[i].triangle != VKSKIN_NO_HIT;
    }
    return true;
}

static void destroy(void *data) {
    HitState *state = data;
    vkskinDestroyCpuMesh(state->mesh);
    vkskinDestroyHitMesh(state->hitMesh);
    free(state->bind);
    free(state->positions);
    free(state->weights);
    free(state->joints);
    free(state->indices);
    free(state->pose);
    free(state->rays);
    free(state->hits);
}

/* ---- Running ---- */

static bool poison(void *data, EngineError *error) {
    (void)error;
    const HitState *state = data;
    memset(state->hits, 0xff, RAYS * sizeof *state->hits);
    if (state->def->work == HIT_POSE) {
        memset(state->pose, 0xff, vkskinGetHitPoseSize(state->hitMesh));
    } else if (state->def->work == HIT_SKIN) {
        memset(state->positions, 0xff, VERTICES * 3 * sizeof(float));
    }
    return true;
}

static VkskinResult work(const HitState *state) {
    switch (state->def->work) {
    case HIT_SKIN:
        return skin(state);
    case HIT_POSE:
        return vkskinWriteHitPose(state->hitMesh, state->positions, 0, state->pose);
    case HIT_RAYS:
        return trace(state, RAYS);
    default:
        for (uint32_t i = 0; i < LOOP_RAYS; i++) {
            state->hits[i] = referenceHit(state->positions, state->indices, TRIANGLES, &state->rays[i]);
        }
        return VKSKIN_SUCCESS;
    }
}

static bool run(void *data, RunTime *time, EngineError *error) {
    const HitState *state = data;
    const double start = measureNow(), busy = processNow();
    const VkskinResult result = work(state);
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result == VKSKIN_SUCCESS || engineFail(error, "a call failed: %s", vkskinResultName(result));
}

/* ---- Checking ---- */

/* Bit by bit, all rays or those of the loop. The loop does not name bones. */
static bool check(void *data, EngineError *error) {
    HitState *state = data;
    const uint32_t count = state->def->work == HIT_RAYS ? RAYS : LOOP_RAYS;
    if ((state->def->work == HIT_SKIN && vkskinWriteHitPose(state->hitMesh, state->positions, 0, state->pose) < 0) ||
        (state->def->work != HIT_RAYS && trace(state, count) < 0)) {
        return engineFail(error, "the rays failed");
    }
    for (uint32_t i = 0; i < count; i++) {
        VkskinHit truth = referenceHit(state->positions, state->indices, TRIANGLES, &state->rays[i]);
        truth.bone = state->hits[i].bone;
        if (memcmp(&truth, &state->hits[i], sizeof truth) != 0) {
            return engineFail(error, "ray %u hits triangle %u, not %u", i, state->hits[i].triangle, truth.triangle);
        }
    }
    return true;
}

/* ---- Numbers ---- */

static CaseTraffic traffic(const void *data) {
    const HitState *state = data;
    const HitWork work = state->def->work;
    const size_t count = work == HIT_RAYS   ? RAYS
                         : work == HIT_LOOP ? LOOP_RAYS
                         : work == HIT_SKIN ? VERTICES
                                            : TRIANGLES;
    return (CaseTraffic){.vertices = (double)count};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const HitState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%zu triangles, %.1f %% of the rays hit, one thread", TRIANGLES,
             100.0 * state->found / RAYS);
}

const CaseFunctions HIT = {sizeof(HitState), prepare, poison, run, check, traffic, describe, destroy};
