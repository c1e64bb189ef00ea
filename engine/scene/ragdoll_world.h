/*
 * ragdoll_world.h: the bodies and joints of one character in the physics engine, ODE. Only its source knows ODE. Any threads
 * may call it for different worlds: one call at a time is made.
 */
#ifndef ENGINE_RAGDOLL_WORLD_H
#define ENGINE_RAGDOLL_WORLD_H

#include "ragdoll_shape.h"

#define RAGDOLL_STEP (1.0 / 240.0) /* seconds */

typedef struct RagdollWorld RagdollWorld;

/* shape: must outlive the world. Null: out of memory. */
RagdollWorld *ragdollWorldCreate(const RagdollShape *shape);

/* Null is allowed. */
void ragdollWorldDestroy(RagdollWorld *world);

/* Places and velocities of a body, in the model's space and unit. */
typedef struct RagdollState {
    Rigid place;
    double velocity[3], spin[3]; /* per second; radians about the centre */
    bool falls;                  /* false: ragdollWorldDrive moves it */
} RagdollState;

/* Begins anew. states: [bodies]. ground: along up. Pairs that overlap now, and neighbours, never collide. */
void ragdollWorldStart(RagdollWorld *world, const RagdollState *states, double ground);

/* The place that a body which does not fall has after the next step. */
void ragdollWorldDrive(RagdollWorld *world, uint32_t index, const Rigid *place);

/* Hits a body now: in kg m/s at a point of the model. */
void ragdollWorldHit(RagdollWorld *world, uint32_t index, const float point[3], const float impulse[3]);

/* Moves on by RAGDOLL_STEP. places: [bodies]; receives them. */
void ragdollWorldStep(RagdollWorld *world, Rigid *places);

typedef struct RagdollMeasure {
    double energy;      /* J: kinetic, and potential above the ground, of bodies that fall */
    double hits;        /* J: given by hits so far */
    double gap;         /* the largest distance of both ends of a joint, relative to the length of its bone */
    double beyond;      /* radians: the largest angle of a joint outside its limits */
    double speed, spin; /* m/s and rad/s: the largest ones */
} RagdollMeasure;

/* Measures the last step. */
RagdollMeasure ragdollWorldMeasure(const RagdollWorld *world);

#endif
