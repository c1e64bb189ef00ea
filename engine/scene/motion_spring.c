#include "motion_spring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAST_SECOND 1e9 /* the step is an int64_t */

struct MotionSwing {
    const MotionSprings *springs;
    VkskinSpring chains[MOTION_SPRINGS_MAX];
    VkskinTransform *pose; /* [nodes], of the last step */
    int64_t step;          /* the last one, from the start of the clip; below 0: none */
    Ragdoll *ragdoll;      /* or null */
    MotionCursor cursor;
    bool rests; /* the next step is the first */
};

/* ---- Chains ---- */

static bool findEnd(const Model *model, uint32_t node, uint32_t *end, EngineError *error) {
    uint32_t *depths = engineAllocate(model->nodeCount, sizeof *depths, error); /* 0: not below the node */
    *end = node;
    for (uint32_t i = node + 1; i < model->nodeCount && depths; i++) {
        const int32_t parent = model->nodes[i].parent;
        if (parent == (int32_t)node || (parent >= 0 && depths[parent] > 0)) {
            depths[i] = depths[parent] + 1;
            *end = depths[i] > depths[*end] ? i : *end;
        }
    }
    free(depths);
    return depths != NULL;
}

bool motionSpringsAdd(MotionSprings *springs, const MotionSpringChoice *choice, uint32_t node,
                      const VkskinAffine *modelToCommon, VkskinSkeleton skeleton, EngineError *error) {
    VkskinSpringDef *def = &springs->defs[springs->count];
    *def = vkskinDefaultSpringDef();
    def->skeleton = skeleton;
    def->start = node;
    def->stiffness = choice->stiffness;
    def->damping = choice->damping;
    for (int i = 0; i < 3; i++) {
        def->gravity[i] = -choice->gravity * modelToCommon->m[1][i]; /* one row: up in the model's own space */
    }
    if (!findEnd(springs->model, node, &def->end, error)) {
        return false;
    }
    springs->count++;
    return def->end != node || engineFail(error, "node '%s' cannot swing: there is no node below it", choice->node);
}

/* ---- Colliders ---- */

_Static_assert(RAGDOLL_BODIES_MAX <= 64, "a body is a bit");

/* Whether a point of the chain lies in the body at rest. */
static bool isInside(const MotionSprings *springs, const VkskinSpringDef *def, uint32_t index,
                     const VkskinAffine *rest) {
    const RagdollBody *body = &springs->shape->bodies[index];
    bool inside = false;
    for (uint32_t node = def->end; node != def->start && !inside; node = (uint32_t)springs->model->nodes[node].parent) {
        double away[3];
        affinePoint(&rest[node], (const double[3]){0}, away);
        add3(away, -1.0, body->centre, away);
        add3(away, -fmin(fmax(dot3(away, body->axis), -body->half), body->half), body->axis, away);
        inside = length3(away) < body->radius;
    }
    return inside;
}

void motionSpringsCollide(MotionSprings *springs, const VkskinAffine *rest) {
    const RagdollShape *shape = springs->shape;
    for (uint32_t i = 0; i < springs->count; i++) {
        const VkskinSpringDef *def = &springs->defs[i];
        const int32_t parent = springs->model->nodes[def->start].parent;
        for (uint32_t b = 0; b < shape->bodyCount; b++) {
            const bool own = ragdollIsBelow(shape, shape->bodies[b].node, def->start);
            const bool held = parent >= 0 && shape->bodyOfNodes[parent] == b;
            springs->collides[i] |= (uint64_t)(!own && !held && !isInside(springs, def, b, rest)) << b;
        }
    }
}

/* Returns the number of colliders of a chain. */
static uint32_t findColliders(const MotionSprings *springs, uint32_t chain, const VkskinSpringCollider *bodies,
                              VkskinSpringCollider *colliders) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < RAGDOLL_BODIES_MAX; b++) {
        if (springs->collides[chain] >> b & 1u) {
            colliders[count++] = bodies[b];
        }
    }
    return count;
}

/* ---- Swings ---- */

MotionSwing *motionSwingCreate(const MotionSprings *springs, const RagdollShape *shape, const RagdollFall *fall) {
    MotionSwing *swing = calloc(1, sizeof *swing);
    bool good = swing != NULL;
    if (good) {
        swing->springs = springs;
        swing->step = -1;
        swing->pose = calloc(springs->model->nodeCount, sizeof *swing->pose);
        swing->ragdoll = shape ? ragdollCreate(shape) : NULL;
        good = swing->pose && (swing->ragdoll || !shape);
    }
    if (good && shape) {
        ragdollSetFall(swing->ragdoll, fall);
    }
    for (uint32_t i = 0; i < springs->count && good; i++) {
        good = vkskinCreateSpring(&springs->defs[i], &swing->chains[i]) == VKSKIN_SUCCESS;
    }
    if (!good) {
        motionSwingDestroy(swing);
        return NULL;
    }
    return swing;
}

void motionSwingDestroy(MotionSwing *swing) {
    for (uint32_t i = 0; swing && i < swing->springs->count; i++) {
        vkskinDestroySpring(swing->chains[i]);
    }
    if (swing) {
        ragdollDestroy(swing->ragdoll);
        free(swing->cursor.parameters);
        free(swing->pose);
        free(swing);
    }
}

void motionSwingFind(MotionSwing *swing, double time, int64_t *next, int64_t *last) {
    *last = llround(fmin(fmax(time, 0.0), LAST_SECOND) / VKSKIN_SPRING_STEP);
    const int64_t longest = llround(MOTION_SWING_SECONDS / VKSKIN_SPRING_STEP);
    const int64_t first = *last > longest ? *last - longest : 0;
    swing->rests = swing->step < first || swing->step > *last;
    *next = swing->rests ? first : swing->step + 1;
}

Ragdoll *motionSwingRagdoll(MotionSwing *swing) {
    return swing->ragdoll;
}

MotionCursor *motionSwingCursor(MotionSwing *swing) {
    return &swing->cursor;
}

VkskinResult motionSwingStep(MotionSwing *swing, int64_t step, VkskinTransform *pose, VkskinAffine *world) {
    const MotionSprings *springs = swing->springs;
    VkskinSpringCollider bodies[RAGDOLL_BODIES_MAX], colliders[RAGDOLL_BODIES_MAX];
    VkskinSpringFrame frame = {.seconds = (float)VKSKIN_SPRING_STEP, .teleport = swing->rests, .colliders = colliders};
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t b = 0; springs->shape && b < springs->shape->bodyCount; b++) {
        bodies[b] = ragdollCapsuleIn(springs->shape, b, world);
    }
    for (uint32_t i = 0; i < swing->springs->count && result >= 0; i++) {
        frame.colliderCount = findColliders(springs, i, bodies, colliders);
        result = vkskinStepSpring(swing->chains[i], &frame, pose, world);
    }
    memcpy(swing->pose, pose, swing->springs->model->nodeCount * sizeof *pose);
    swing->step = step;
    swing->rests = false;
    return result;
}

void motionSwingTurn(const MotionSwing *swing, VkskinTransform *pose) {
    const ModelNode *nodes = swing->springs->model->nodes;
    for (uint32_t i = 0; i < swing->springs->count; i++) {
        const VkskinSpringDef *def = &swing->springs->defs[i];
        for (uint32_t node = def->end; node != def->start;) {
            node = (uint32_t)nodes[node].parent;
            memcpy(pose[node].rotation, swing->pose[node].rotation, sizeof pose[node].rotation);
        }
    }
}
