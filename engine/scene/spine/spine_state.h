/* spine_state.h: the state of a 2D model at one time: bones, slots, constraints. spine_pose.h evaluates it. */
#ifndef ENGINE_SPINE_STATE_H
#define ENGINE_SPINE_STATE_H

#include <stdbool.h>

#include "spine_model.h"

/* A point (x, y) of a bone's space is (a x + b y + x0, c x + d y + y0) of the 2D model's. */
typedef struct SpineMatrix {
    double a, b, c, d, x0, y0;
} SpineMatrix;

#define SPINE_UNPLACED ((SpineMatrix){1.0, 0.0, 0.0, 1.0, 0.0, 0.0})

/* First `inner`, then `outer`. */
SpineMatrix spineMultiply(const SpineMatrix *outer, const SpineMatrix *inner);

typedef struct SpineBoneState {
    bool active;                     /* else its slots show nothing */
    SpineInherit inherit;            /* as the animation says */
    double local[SPINE_LOCAL_COUNT]; /* after constraints; where a later one reads them, they give the matrix again */
    SpineMatrix matrix;
    double degrees[2], turn[2][2]; /* angles of the axes, and their cosines and sines: see spinePlace */
} SpineBoneState;

/* Animations that are mixed in one pose. */
#define SPINE_PLAYS_MAX 8

typedef struct SpinePlay {
    int32_t animation; /* an index; -1: the setup pose */
    double time;       /* seconds; after the last key it holds */
    double weight;     /* 0 to 1: how far the plays before it are mixed to it; of the first one 1, whatever it says */
} SpinePlay;

/* Puts a bone at a place of the 2D model's space, before constraints: the target of an IK constraint that a user drags. */
typedef struct SpinePull {
    uint32_t bone;
    double place[2];
} SpinePull;

/* Where Bezier curves of keys and of paths are taken from: docs/2d.md. */
typedef enum SpineCurves {
    SPINE_CURVES_RUNTIME, /* from straight pieces, as the official runtime does */
    SPINE_CURVES_EXACT
} SpineCurves;

/* A time at which curves are evaluated. */
typedef struct SpineTime {
    double seconds;
    bool exact; /* SPINE_CURVES_EXACT */
} SpineTime;

/* Keys that move vertices, times a share of the mix. */
typedef struct SpineDeform {
    const SpineTimeline *timeline; /* null: none */
    SpineTime time;
    double share;
} SpineDeform;

typedef struct SpineSlotState {
    int32_t attachment; /* attachment of the 2D model; -1: none */
    uint32_t frame;     /* frame of the attachment, if it has frames */
    float colour[4], dark[3];
    bool clean;                           /* as in the setup pose: no key changed it */
    uint32_t deformCount;                 /* how many of `deforms` are set */
    SpineDeform deforms[SPINE_PLAYS_MAX]; /* deformation of each play; their sum moves the vertices */
} SpineSlotState;

/* What the keys of one animation say, to be mixed with those of the next one. */
typedef struct SpineKept {
    double (*locals)[SPINE_LOCAL_COUNT]; /* [boneCount] */
    float (*colours)[7];                 /* [slotCount]: colour, dark colour */
    double (*values)[SPINE_VALUE_COUNT]; /* [constraintCount] */
} SpineKept;

/* The springs of a physics constraint. */
enum { SPINE_SPRING_X, SPINE_SPRING_Y, SPINE_SPRING_TURN, SPINE_SPRING_SCALE, SPINE_SPRING_COUNT };

/* What a physics constraint remembers. */
typedef struct SpineSprings {
    bool fresh;                            /* the next update only looks where the bone is */
    double remaining, last;                /* seconds without a step so far; time of the last update */
    double place[2], origin[2], tip[2];    /* the bone without physics, with it, and from there to its end */
    double offsets[SPINE_SPRING_COUNT];    /* units; radians; share of the scale */
    double velocities[SPINE_SPRING_COUNT]; /* per second */
    double perFrame, perStep;              /* damping, and the factor of velocities that it makes: that takes long */
} SpineSprings;

/* Physics of a pose: spine_physics.c. */
typedef struct SpinePhysics {
    uint32_t count;      /* physics constraints; 0: nothing below is used */
    double time, before; /* seconds of all updates, and without the last one */
    double keptTime;
    double begin;          /* for spineMotionPlay: seconds before the first update */
    bool updates;          /* the next evaluation takes steps; else offsets stay */
    uint64_t frames;       /* for spineMotionPlay: updates since the reset, at 60 per second */
    SpineSprings *springs; /* [2][constraintCount]: now, and as spinePhysicsKeep found them */
    double *played;        /* [2][animationCount]: where each was at the last update; below 0: nowhere */
} SpinePhysics;

#define SPINE_SPACES 6

/* Members are for reading. */
typedef struct SpinePose {
    const SpineModel *spine;
    SpineBoneState *bones;               /* [boneCount] */
    SpineSlotState *slots;               /* [slotCount] */
    uint32_t *drawOrder;                 /* [slotCount]: slots from back to front */
    double (*values)[SPINE_VALUE_COUNT]; /* [constraintCount] */
    bool *constraintActive;              /* [constraintCount] */
    SpineTime time;                      /* time of the last play */
    uint32_t *skins;                     /* [skinCount]: those that are chosen */
    uint32_t skinCount;
    SpineKept kept;
    uint32_t *firstOfSlot, *bySlot; /* [slotCount + 1] in [attachmentCount]: the attachments of each slot */
    bool *moved, *fixed;            /* [boneCount]: for constraints, cleared between them */
    uint32_t firstMoved, lastMoved; /* the bones that are marked, and those below, are between them */
    uint32_t *lastBelow;            /* [boneCount]: the last bone below each, or itself */
    uint32_t *lastReader;           /* [boneCount]: the last constraint that reads `local`, or 0 */
    double *points;                 /* [influenceCount of the largest attachment][2] */
    double *path;                   /* [vertexCount of the largest attachment][2] */
    double *lengths;                /* lengths of the pieces of a path's curves: spine_path.c */
    int32_t measured;               /* attachment whose lengths these are; -1: none */
    double *measuredPath;           /* [vertexCount of the largest attachment][2]: its vertices then */
    double *spaces;                 /* [SPINE_SPACES][bones of the largest constraint + 1] */
    SpinePhysics physics;
} SpinePose;

#endif
