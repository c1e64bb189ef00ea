/*
 * spine_pose.h: a 2D model at one time of an animation, evaluated in double precision: places of bones, what slots show,
 * vertices.
 *
 * The order of an evaluation: the setup pose, the animation's keys, for several animations mixed, the matrices of all bones
 * from their parents', then each active constraint in the 2D model's order. After a constraint, the bones below those that it
 * moved follow them.
 *
 * docs/2d.md has the formulas.
 */
#ifndef ENGINE_SPINE_POSE_H
#define ENGINE_SPINE_POSE_H

#include <math.h>

#include "engine_error.h"
#include "spine_state.h"

/*
 * In the setup pose. skins: [skinCount] indices; where several have an attachment for a slot and name, the last one counts,
 * where none has one, the default skin's. The 2D model must stay. Null: out of memory.
 */
SpinePose *spinePoseCreate(const SpineModel *spine, const uint32_t *skins, uint32_t skinCount, EngineError *error);
void spinePoseFree(SpinePose *pose);

/* Memory of a pose of the 2D model, about. */
size_t spinePoseBytes(const SpineModel *spine);

/* From the next evaluation on. At first SPINE_CURVES_RUNTIME. */
void spinePoseCurves(SpinePose *pose, SpineCurves curves);

/*
 * Physics. At first, and after a reset, the next update finds bones at rest where they are. An evaluation after
 * spinePoseAdvance is an update: constraints see how bones moved and take their steps. Others show the offsets as they are.
 * seconds: at least 0, since the last update.
 */
void spinePoseReset(SpinePose *pose);
void spinePoseAdvance(SpinePose *pose, double seconds);

/* Keeps the state of physics, and brings it back: for updates that shall not count. */
void spinePhysicsKeep(SpinePose *pose);
void spinePhysicsRestore(SpinePose *pose);

/* One animation, as SpinePlay. */
void spinePoseSet(SpinePose *pose, int32_t animation, double time);

/*
 * Animations mixed one after the other, playCount of them from 1 to SPINE_PLAYS_MAX. Numbers are mixed linearly, rotations
 * the short way. Attachments, their pictures, draw order, inherit modes and switches of IK are not mixed: they are those of
 * the last play with a weight above 0. Weights of 0 and 1 give exactly one of the animations. docs/2d.md has the rule.
 * pulls: [pullCount], or null.
 */
void spinePoseMix(SpinePose *pose, const SpinePlay *plays, uint32_t playCount, const SpinePull *pulls,
                  uint32_t pullCount);

/* positions: [vertexCount of the slot's attachment][2] in the 2D model's space. The slot must show an attachment. */
void spinePoseVertices(const SpinePose *pose, uint32_t slot, double *positions);

/* Whether the bone is active and the target of an IK constraint that is. */
bool spinePoseTarget(const SpinePose *pose, uint32_t bone);

/* Empty where a low is above a high. */
typedef struct SpineBox {
    double low[2], high[2];
} SpineBox;

#define SPINE_EMPTY_BOX ((SpineBox){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}})

/* Adds the vertices of all regions and meshes that slots show. Not on two threads with one pose. */
void spinePoseAddBox(const SpinePose *pose, SpineBox *box);

/* The index of the skin's attachments that a slot shows under a name with the chosen skins; -1: none. */
int32_t spinePoseFind(const SpinePose *pose, uint32_t slot, int32_t name);

#endif
