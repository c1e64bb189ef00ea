/*
 * ragdoll.h: a character that falls: its bodies go on from a pose of its clip under gravity, with the velocities that they
 * had, and come to rest on the ground. The whole character falls, or what is below a node: the rest follows the clip.
 *
 * What a moment shows depends on its time alone, not on the frames before: the simulation runs in steps of RAGDOLL_STEP from
 * the start of the fall, and a frame between two steps shows the bodies between both. The same inputs give the same bits.
 * It is over RAGDOLL_SECONDS after its start: the last pose stays.
 *
 * Lengths, velocities and impulses are those of a character 1.8 m high (RAGDOLL_METRES), with the density of water and a gravity of
 * 9.81 m/s^2. Moving bodies lose 0.1 of their velocity and 1 of their spin per second. Joints have dry friction.
 */
#ifndef ENGINE_RAGDOLL_H
#define ENGINE_RAGDOLL_H

#include "ragdoll_world.h"

#define RAGDOLL_FADE     0.3 /* seconds from the clip to the fall, and back */
#define RAGDOLL_SECONDS  30.0
#define RAGDOLL_HITS_MAX 16u

/* Something that hits a body. In the model's own space; it has an effect while the character falls. */
typedef struct RagdollHit {
    double time;      /* seconds, as those of the clip */
    uint32_t node;    /* the node whose body is hit */
    float point[3];   /* where, in the model's unit */
    float impulse[3]; /* kg m/s */
} RagdollHit;

typedef struct RagdollFall {
    double start;  /* seconds, at least 0: the pose of the clip then is the first one */
    double end;    /* seconds: from then on it fades back to the clip; INFINITY: it does not */
    double ground; /* height along the shape's `up`, in the model's unit; NAN: that of the lowest vertex at rest, or of
                    * the lowest body of the first pose if that is lower */
    uint32_t node; /* it falls with all below it; nodeCount of the model or more: the whole character */
    uint32_t hitCount;
    RagdollHit hits[RAGDOLL_HITS_MAX];
} RagdollFall;

/* A fall without an end and hits, on the ground that it finds. start: INFINITY: it never begins. */
RagdollFall ragdollFallFrom(double start, uint32_t node);

/* Gives the pose of the clip at a moment, in seconds of at least 0. pose, world: [nodeCount]. */
typedef struct RagdollPoser {
    VkskinResult (*pose)(void *user, double time, VkskinTransform *pose, VkskinAffine *world);
    void *user;
} RagdollPoser;

/* One character; one call at a time may use it. */
typedef struct Ragdoll Ragdoll;

/* Whether a body is below the node, so that ragdollCreate can let it fall. Else *error has the line. */
bool ragdollCanFall(const RagdollShape *shape, uint32_t node, EngineError *error);

/* shape: must outlive the ragdoll. Null: out of memory. */
Ragdoll *ragdollCreate(const RagdollShape *shape);

/* Null is allowed. */
void ragdollDestroy(Ragdoll *ragdoll);

/* Lets the character fall, in place of the former fall. The next pose simulates from its start. */
void ragdollSetFall(Ragdoll *ragdoll, const RagdollFall *fall);
const RagdollFall *ragdollGetFall(const Ragdoll *ragdoll);

/* Adds a hit to the fall: also to moments that were shown. False: it has RAGDOLL_HITS_MAX. */
bool ragdollHit(Ragdoll *ragdoll, const RagdollHit *hit);

/* Ends the fall at a moment. The poses up to it do not change. */
void ragdollEnd(Ragdoll *ragdoll, double time);

/*
 * The pose of a moment: that of the clip, of the fall, or between both while it fades. Without a fall, that of the clip.
 * The cost grows with the time since the last call, or since the start of the fall after a later moment. World matrices are
 * exact for any scales of nodes; while it fades, within rounding where the ancestors of a node scale all axes alike.
 * pose, world: [nodeCount]; receive the moment. Errors are those of the poser.
 */
VkskinResult ragdollPose(Ragdoll *ragdoll, double time, const RagdollPoser *poser, VkskinTransform *pose,
                         VkskinAffine *world);

/* Height of the ground along the shape's `up`, in the model's unit; NAN before the first pose of a fall. */
double ragdollGround(const Ragdoll *ragdoll);

/* Measures the last step. Before the first fall all are 0. */
RagdollMeasure ragdollMeasure(const Ragdoll *ragdoll);

#endif
