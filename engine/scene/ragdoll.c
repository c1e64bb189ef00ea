#include "ragdoll.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vkskin/vkskin_blend.h"

#define DEEPEST   0.03 /* metres */
#define STEPS_MAX ((int64_t)(RAGDOLL_SECONDS / RAGDOLL_STEP))

struct Ragdoll {
    const RagdollShape *shape;
    RagdollWorld *world; /* null until the first fall begins: many characters never fall */
    RagdollFall fall;
    double ground;
    int64_t step; /* steps since the start; below 0: not begun */
    bool falls[RAGDOLL_BODIES_MAX];
    Rigid first[RAGDOLL_BODIES_MAX], former[RAGDOLL_BODIES_MAX], latest[RAGDOLL_BODIES_MAX];
    VkskinTransform *poses; /* [POSES][nodeCount] */
    VkskinAffine *worlds;   /* [POSES][nodeCount] */
};

enum { FIRST, SCRATCH, POSES }; /* the pose at the start; one of the clip */

/* ---- What falls ---- */

static bool nodeFalls(const Ragdoll *ragdoll, uint32_t node) {
    const RagdollShape *shape = ragdoll->shape;
    return ragdoll->fall.node >= shape->model->nodeCount || ragdollIsBelow(shape, node, ragdoll->fall.node);
}

bool ragdollCanFall(const RagdollShape *shape, uint32_t node, EngineError *error) {
    bool can = node >= shape->model->nodeCount;
    for (uint32_t i = 0; i < shape->bodyCount && !can; i++) {
        can = ragdollIsBelow(shape, shape->bodies[i].node, node);
    }
    return can ||
           engineFail(error, "node '%s' cannot collapse: no bone of at least 3 %% of the height is at or below it",
                      shape->model->nodes[node].name);
}

RagdollFall ragdollFallFrom(double start, uint32_t node) {
    return (RagdollFall){.start = start, .end = INFINITY, .ground = NAN, .node = node};
}

Ragdoll *ragdollCreate(const RagdollShape *shape) {
    Ragdoll *ragdoll = calloc(1, sizeof *ragdoll);
    if (!ragdoll) {
        return NULL;
    }
    const size_t count = (size_t)POSES * shape->model->nodeCount;
    ragdoll->shape = shape;
    ragdoll->fall = ragdollFallFrom(INFINITY, 0);
    ragdoll->step = -1;
    ragdoll->ground = NAN;
    ragdoll->poses = calloc(count, sizeof *ragdoll->poses);
    ragdoll->worlds = calloc(count, sizeof *ragdoll->worlds);
    if (!ragdoll->poses || !ragdoll->worlds) {
        ragdollDestroy(ragdoll);
        return NULL;
    }
    return ragdoll;
}

void ragdollDestroy(Ragdoll *ragdoll) {
    if (ragdoll) {
        ragdollWorldDestroy(ragdoll->world);
        free(ragdoll->poses);
        free(ragdoll->worlds);
        free(ragdoll);
    }
}

void ragdollSetFall(Ragdoll *ragdoll, const RagdollFall *fall) {
    ragdoll->fall = *fall;
    ragdoll->step = -1;
}

const RagdollFall *ragdollGetFall(const Ragdoll *ragdoll) {
    return &ragdoll->fall;
}

static double stepTime(const Ragdoll *ragdoll, int64_t step) {
    return ragdoll->fall.start + (double)step * RAGDOLL_STEP;
}

bool ragdollHit(Ragdoll *ragdoll, const RagdollHit *hit) {
    RagdollFall *fall = &ragdoll->fall;
    if (fall->hitCount == RAGDOLL_HITS_MAX) {
        return false;
    }
    fall->hits[fall->hitCount++] = *hit;
    ragdoll->step = hit->time < stepTime(ragdoll, ragdoll->step) ? -1 : ragdoll->step;
    return true;
}

void ragdollEnd(Ragdoll *ragdoll, double time) {
    ragdoll->fall.end = time;
}

double ragdollGround(const Ragdoll *ragdoll) {
    return ragdoll->ground;
}

RagdollMeasure ragdollMeasure(const Ragdoll *ragdoll) {
    return ragdoll->world ? ragdollWorldMeasure(ragdoll->world) : (RagdollMeasure){.hits = 0.0};
}

/* ---- Steps ---- */

static VkskinTransform *poseOf(const Ragdoll *ragdoll, int index) {
    return ragdoll->poses + (size_t)index * ragdoll->shape->model->nodeCount;
}

static VkskinAffine *worldOf(const Ragdoll *ragdoll, int index) {
    return ragdoll->worlds + (size_t)index * ragdoll->shape->model->nodeCount;
}

static VkskinResult poseClip(const Ragdoll *ragdoll, const RagdollPoser *poser, int index, double time) {
    return poser->pose(poser->user, time, poseOf(ragdoll, index), worldOf(ragdoll, index));
}

/* The lowest point of the capsules of a pose, along up. */
static double lowestOf(const RagdollShape *shape, const VkskinAffine *world) {
    double lowest = INFINITY;
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        const VkskinSpringCollider capsule = ragdollCapsuleIn(shape, i, world);
        const double low = fmin(ragdollHeight(shape, capsule.from), ragdollHeight(shape, capsule.to));
        lowest = fmin(lowest, low - (double)capsule.radius);
    }
    return lowest;
}

/*
 * A first pose that is lower than that at rest lowers the ground as much. Capsules reach below vertices: at most so far that
 * the ground does not throw them up.
 */
static VkskinResult findGround(const Ragdoll *ragdoll, double *ground) {
    const RagdollShape *shape = ragdoll->shape;
    *ground = ragdoll->fall.ground;
    VkskinResult result = VKSKIN_SUCCESS;
    if (isnan(*ground)) {
        result = vkskinSampleClip(shape->skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, poseOf(ragdoll, SCRATCH));
        result = result < 0 ? result
                            : vkskinComposePose(shape->skeleton, poseOf(ragdoll, SCRATCH), worldOf(ragdoll, SCRATCH));
        const double first = lowestOf(shape, worldOf(ragdoll, FIRST));
        const double lower = first - lowestOf(shape, worldOf(ragdoll, SCRATCH));
        *ground = fmin(shape->lowest + fmin(lower, 0.0), first + DEEPEST / shape->metres);
    }
    return result;
}

/* The first pose, and velocities from the step before it: at 0 seconds from the one after it. */
static VkskinResult begin(Ragdoll *ragdoll, const RagdollPoser *poser) {
    const RagdollShape *shape = ragdoll->shape;
    const double start = ragdoll->fall.start, sign = start >= RAGDOLL_STEP ? -1.0 : 1.0;
    RagdollState states[RAGDOLL_BODIES_MAX];
    VkskinResult result = poseClip(ragdoll, poser, SCRATCH, start + sign * RAGDOLL_STEP);
    result = result < 0 ? result : poseClip(ragdoll, poser, FIRST, start);
    if (result < 0) {
        return result;
    }
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        const Rigid at = ragdollBodyIn(shape, i, worldOf(ragdoll, FIRST));
        const Rigid other = ragdollBodyIn(shape, i, worldOf(ragdoll, SCRATCH));
        RagdollState *state = &states[i];
        *state = (RagdollState){.place = at, .falls = nodeFalls(ragdoll, shape->bodies[i].node)};
        rigidVelocity(&at, &other, sign * RAGDOLL_STEP, state->velocity, state->spin);
        ragdoll->falls[i] = state->falls;
        ragdoll->first[i] = ragdoll->former[i] = ragdoll->latest[i] = at;
    }
    ragdoll->world = ragdoll->world ? ragdoll->world : ragdollWorldCreate(shape);
    result = ragdoll->world ? findGround(ragdoll, &ragdoll->ground) : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    if (result >= 0) {
        ragdollWorldStart(ragdoll->world, states, ragdoll->ground);
        ragdoll->step = 0;
    }
    return result;
}

/* Bodies that do not fall follow the clip. */
static VkskinResult drive(Ragdoll *ragdoll, const RagdollPoser *poser) {
    VkskinResult result = VKSKIN_SUCCESS;
    bool posed = false;
    for (uint32_t i = 0; i < ragdoll->shape->bodyCount && result >= 0; i++) {
        if (!ragdoll->falls[i]) {
            result = posed ? result : poseClip(ragdoll, poser, SCRATCH, stepTime(ragdoll, ragdoll->step + 1));
            posed = true;
            const Rigid place = ragdollBodyIn(ragdoll->shape, i, worldOf(ragdoll, SCRATCH));
            ragdollWorldDrive(ragdoll->world, i, &place);
        }
    }
    return result;
}

static VkskinResult stepOn(Ragdoll *ragdoll, const RagdollPoser *poser) {
    const RagdollFall *fall = &ragdoll->fall;
    const double now = stepTime(ragdoll, ragdoll->step), next = stepTime(ragdoll, ragdoll->step + 1);
    for (uint32_t i = 0; i < fall->hitCount; i++) {
        const RagdollHit *hit = &fall->hits[i];
        if ((hit->time >= now || ragdoll->step == 0) && hit->time < next) {
            ragdollWorldHit(ragdoll->world, ragdoll->shape->bodyOfNodes[hit->node], hit->point, hit->impulse);
        }
    }
    const VkskinResult result = drive(ragdoll, poser);
    memcpy(ragdoll->former, ragdoll->latest, sizeof ragdoll->former);
    if (result >= 0) {
        ragdollWorldStep(ragdoll->world, ragdoll->latest);
        ragdoll->step++;
    }
    return result;
}

/* Simulates to the step at or after a moment. share: of the last step, up to the moment. */
static VkskinResult simulate(Ragdoll *ragdoll, double time, const RagdollPoser *poser, double *share) {
    const double steps = fmin((time - ragdoll->fall.start) / RAGDOLL_STEP, (double)STEPS_MAX);
    const int64_t last = (int64_t)ceil(steps);
    VkskinResult result = VKSKIN_SUCCESS;
    if (ragdoll->step < 0 || ragdoll->step > last) {
        result = begin(ragdoll, poser);
    }
    while (result >= 0 && ragdoll->step < last) {
        result = stepOn(ragdoll, poser);
    }
    *share = last > 0 ? steps - (double)(last - 1) : 1.0;
    return result;
}

/* ---- Poses ---- */

/* T, R, S of a node from its world matrix and that of its parent; the scale is that of the first pose. */
static VkskinTransform localOf(const Ragdoll *ragdoll, uint32_t node, const VkskinAffine *world) {
    const ModelNode *source = &ragdoll->shape->model->nodes[node];
    VkskinTransform local = poseOf(ragdoll, FIRST)[node];
    VkskinAffine before = source->preTransform, inverse;
    if (source->parent >= 0) {
        before = vkskinMultiplyAffine(&world[source->parent], &before);
    }
    if (vkskinInvertAffine(&before, &inverse) < 0) {
        return local;
    }
    VkskinAffine matrix = vkskinMultiplyAffine(&inverse, &world[node]);
    for (int i = 0; i < 3; i++) {
        local.translation[i] = matrix.m[i][3];
        for (int k = 0; k < 3; k++) {
            matrix.m[i][k] = local.scale[k] != 0.0f ? matrix.m[i][k] / local.scale[k] : 0.0f;
        }
    }
    const Turn turn = turnOfAffine(&matrix);
    for (int i = 0; i < 4; i++) {
        local.rotation[i] = (float)turn.q[i];
    }
    return local;
}

/* The nodes of the fall; those that do not fall are as in `pose` and `world` of the clip. */
static void poseFall(const Ragdoll *ragdoll, double share, VkskinTransform *pose, VkskinAffine *world) {
    const RagdollShape *shape = ragdoll->shape;
    const VkskinAffine *first = worldOf(ragdoll, FIRST);
    VkskinAffine moves[RAGDOLL_BODIES_MAX];
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        const Rigid now = rigidMix(&ragdoll->former[i], &ragdoll->latest[i], share);
        const Rigid back = rigidInverse(&ragdoll->first[i]), move = rigidMultiply(&now, &back);
        moves[i] = rigidAffine(&move);
    }
    for (uint32_t i = 0; i < shape->model->nodeCount; i++) {
        const uint32_t body = shape->bodyOfNodes[i];
        if (nodeFalls(ragdoll, i) && ragdoll->falls[body]) {
            world[i] = vkskinMultiplyAffine(&moves[body], &first[i]);
            pose[i] = localOf(ragdoll, i, world);
        }
    }
}

/* 0: the clip; 1: the fall. */
static double weightOf(const RagdollFall *fall, double time) {
    const double in = fmin((time - fall->start) / RAGDOLL_FADE, 1.0);
    const double out = time > fall->end ? fmax(1.0 - (time - fall->end) / RAGDOLL_FADE, 0.0) : 1.0;
    return in * in * (3.0 - 2.0 * in) * out * out * (3.0 - 2.0 * out);
}

VkskinResult ragdollPose(Ragdoll *ragdoll, double time, const RagdollPoser *poser, VkskinTransform *pose,
                         VkskinAffine *world) {
    const RagdollFall *fall = &ragdoll->fall;
    const bool falls = time >= fall->start && time < fall->end + RAGDOLL_FADE && isfinite(time);
    const uint32_t nodeCount = ragdoll->shape->model->nodeCount;
    double share = 1.0;
    VkskinResult result = falls ? simulate(ragdoll, time, poser, &share) : VKSKIN_SUCCESS;
    result = result < 0 ? result : poser->pose(poser->user, time, pose, world);
    const double weight = falls ? weightOf(fall, time) : 0.0;
    if (result < 0 || weight <= 0.0) {
        return result;
    }
    memcpy(poseOf(ragdoll, SCRATCH), pose, nodeCount * sizeof *pose);
    poseFall(ragdoll, share, pose, world);
    if (weight < 1.0) {
        const VkskinPoseLayer layers[] = {{.pose = poseOf(ragdoll, SCRATCH), .weight = (float)(1.0 - weight)},
                                          {.pose = pose, .weight = (float)weight}};
        VkskinBlendDef def = vkskinDefaultBlendDef();
        def.nodeCount = nodeCount;
        def.layers = layers;
        def.layerCount = 2;
        def.rest = poseOf(ragdoll, FIRST);
        result = vkskinBlendLayers(&def, pose);
        result = result < 0 ? result : vkskinComposePose(ragdoll->shape->skeleton, pose, world);
    }
    return result;
}
