/*
 * motion_spring.h: chains of nodes that swing behind the poses of a motion, and how far those of one character have swung,
 * or fallen.
 */
#ifndef ENGINE_MOTION_SPRING_H
#define ENGINE_MOTION_SPRING_H

#include "engine_error.h"
#include "model_pose.h"
#include "motion_machine.h"
#include "ragdoll.h"
#include "vkskin/vkskin_spring.h"

#define MOTION_SPRINGS_MAX   64u
#define MOTION_SWING_SECONDS 10.0 /* swings that cannot go on from where it was begins so long before the moment */

/* The first node that turns, and what VkskinSpringDef has; gravity pulls down, in the model's units / s^2. */
typedef struct MotionSpringChoice {
    MotionName node;
    float stiffness, damping, gravity;
} MotionSpringChoice;

typedef struct MotionSprings {
    const Model *model; /* borrowed */
    uint32_t count;
    VkskinSpringDef defs[MOTION_SPRINGS_MAX];
    const RagdollShape *shape; /* bodies that are colliders; null: none */
    uint64_t collides
        [MOTION_SPRINGS_MAX]; /* bit b: the chain stays outside of body b, which has the place of the clip's pose */
} MotionSprings;

/* Adds the chain from a node to the deepest node below it; of several, to that of the lowest index. */
bool motionSpringsAdd(MotionSprings *springs, const MotionSpringChoice *choice, uint32_t node,
                      const VkskinAffine *modelToCommon, VkskinSkeleton skeleton, EngineError *error);

/*
 * Chooses the colliders of all chains: the bodies of `shape`, except those of the chain's own bones, the one that holds its start,
 * and those that hold one of its points at rest. rest: [nodes].
 */
void motionSpringsCollide(MotionSprings *springs, const VkskinAffine *rest);

/* State of one character; one call at a time may use it. */
typedef struct MotionSwing MotionSwing;

/* springs: must outlive the swing, as the ragdoll's shape, which may be null. Null: out of memory. */
MotionSwing *motionSwingCreate(const MotionSprings *springs, const RagdollShape *shape, const RagdollFall *fall);

/* Null is allowed. */
void motionSwingDestroy(MotionSwing *swing);

/*
 * The steps of VKSKIN_SPRING_STEP from the start of the clip up to the one nearest to a moment are `*next`, `*next` + 1 and
 * so on to `*last`: their poses go to motionSwingStep in this order. There may be none. So what a moment shows does not
 * depend on the moments shown before.
 */
void motionSwingFind(MotionSwing *swing, double time, int64_t *next, int64_t *last);

/* The fall of the character; null without a shape. */
Ragdoll *motionSwingRagdoll(MotionSwing *swing);

/* How far a machine was played for the steps. */
MotionCursor *motionSwingCursor(MotionSwing *swing);

/* pose, world: [nodes], of the moment of the step, without springs; they are changed. */
VkskinResult motionSwingStep(MotionSwing *swing, int64_t step, VkskinTransform *pose, VkskinAffine *world);

/* Turns the nodes of the chains as in the last step. pose: [nodes]. */
void motionSwingTurn(const MotionSwing *swing, VkskinTransform *pose);

#endif
