/*
 * motion.h: what is done to the poses of a character beyond its clip: a second clip blended, an additive clip, a chain
 * that reaches a point, a node that looks at one, chains that swing, a fall, or a state machine in place of the clip. Clips
 * are named as in a ClipSource: an index of clipCount or more is the rest pose.
 */
#ifndef ENGINE_MOTION_H
#define ENGINE_MOTION_H

#include "engine_error.h"
#include "model_pose.h"
#include "motion_machine.h"
#include "motion_spring.h"
#include "vkskin/vkskin_ik.h"

/* All zero: the clip as it is. Points are in the model's own space. */
typedef struct MotionChoice {
    MotionName blendClip; /* in step with the clip */
    float blendWeight;    /* 0 to 1 */
    MotionName addClip;   /* added as the difference to its first moment */
    float addWeight;      /* -1 to 1 */
    MotionName reachNode; /* the end of a chain of two bones */
    float reachTarget[3]; /* two for a 2D character */
    MotionName lookNode;  /* looks to where the model faces at rest: z of its Y-up space */
    float lookTarget[3];
    uint32_t springCount;
    MotionSpringChoice springs[MOTION_SPRINGS_MAX]; /* later ones swing behind earlier ones */
    bool collapses;                                 /* falls from this time on: see ragdoll.h */
    double collapseTime;                            /* seconds */
    MotionName collapseNode;                        /* empty: the whole character falls */
    const char *machine;                            /* path of a file for machineRead, or null */
    uint32_t eventCount;
    MotionEvent events[MOTION_EVENTS_MAX]; /* in any order */
} MotionChoice;

/* For one character. Callers may switch its parts between frames, and then change `version`. */
typedef struct Motion {
    uint32_t blendClip, addClip; /* below source.clipCount, or equal to it: none */
    float blendWeight, addWeight;
    float addChosen;     /* the weight of the choice */
    bool reaches, looks; /* switched on; `canReach` and `canLook`: whether they may be */
    bool canReach, canLook;
    VkskinTwoBoneDef reach;
    VkskinAimDef look;
    MotionSprings springs;
    RagdollShape *bodies;        /* made by motionBodies, or null */
    const RagdollShape *ragdoll; /* `bodies`, or null: characters cannot fall */
    RagdollFall fall;            /* with a ragdoll: that of every new swing */
    uint32_t version;
    ClipSource source;      /* poses of the character */
    MotionMachine *machine; /* or null */
} Motion;

/* modelToCommon: see Character. source: copied; what it borrows must outlive the motion. Null on failure. */
Motion *motionCreate(const MotionChoice *choice, const Model *model, const VkskinAffine *modelToCommon,
                     const ClipSource *source, EngineError *error);

/* No swing of its springs may exist. Null is allowed. */
void motionDestroy(Motion *motion);

/* The bodies of the motion's model, which springs and falls share: made by the first call. modelToCommon: as for motionCreate. */
const RagdollShape *motionBodies(Motion *motion, const Model *model, const VkskinAffine *modelToCommon,
                                 EngineError *error);

/* Whether a pose depends on those before: then each character has a MotionSwing of its own. Null is allowed. */
bool motionSwings(const Motion *motion);

/* motion: must outlive the swing. Null: out of memory. */
MotionSwing *motionCreateSwing(const Motion *motion);

/* The next weight of the second clip: 0, 0.25 and so on to 1, then 0. Without a second clip, that is the one after `clip`. */
void motionStepBlend(Motion *motion, uint32_t clip);

/* Switches the additive clip, or both solvers, off or on. Without them, nothing changes. */
void motionSwitchAdd(Motion *motion);
void motionSwitchSolvers(Motion *motion);

/* Whether poses differ from those of the clip. Null is allowed. */
bool motionIsActive(const Motion *motion);

/* A clip and a second one at the same share of their durations. */
typedef struct MotionBlend {
    double time;        /* seconds in the clip */
    float otherWeight;  /* 0: no second clip */
    uint32_t otherClip; /* index */
    double otherTime;
} MotionBlend;

/* Whether poses differ from those of the clip by nothing but a second clip: see motionBlend. Null is allowed. */
bool motionOnlyBlends(const Motion *motion);

/* The moments of a motion without a machine. The rest pose is not blended. */
MotionBlend motionBlend(const Motion *motion, uint32_t clip, double time);

/* Seconds in which the poses of a clip repeat or end; infinity with a machine or a ragdoll. */
double motionDuration(const Motion *motion, uint32_t clip);

/*
 * World matrices of all nodes at a moment, on any thread. world: [nodes of the skeleton]. Springs swing from the start of
 * the clip; the cost grows with the time, up to MOTION_SWING_SECONDS. With a swing of the character, which may be null, it
 * grows with the time since its last call. Errors are those of the library.
 */
VkskinResult motionPose(const Motion *motion, uint32_t clip, double time, VkskinWrap wrap, MotionSwing *swing,
                        VkskinAffine *world);

#endif
