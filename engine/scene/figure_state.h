/* figure_state.h: the state of a figure at one time: bones, slots, constraints. figure_pose.h evaluates it. */
#ifndef ENGINE_FIGURE_STATE_H
#define ENGINE_FIGURE_STATE_H

#include <stdbool.h>

#include "figure.h"

/* A point (x, y) of a bone's space is (a x + b y + x0, c x + d y + y0) of the figure's. */
typedef struct FigureMatrix {
    double a, b, c, d, x0, y0;
} FigureMatrix;

#define FIGURE_UNPLACED ((FigureMatrix){1.0, 0.0, 0.0, 1.0, 0.0, 0.0})

/* First `inner`, then `outer`. */
FigureMatrix figureMultiply(const FigureMatrix *outer, const FigureMatrix *inner);

typedef struct FigureBoneState {
    bool active;                      /* else its slots show nothing */
    FigureInherit inherit;            /* as the animation says */
    double local[FIGURE_LOCAL_COUNT]; /* after constraints; they give the matrix again */
    FigureMatrix matrix;
} FigureBoneState;

/* Animations that are mixed in one pose. */
#define FIGURE_PLAYS_MAX 4

typedef struct FigurePlay {
    int32_t animation; /* an index; -1: the setup pose */
    double time;       /* seconds; after the last key it holds */
    double weight;     /* 0 to 1: how far the plays before it are mixed to it; of the first one 1, whatever it says */
} FigurePlay;

/* Puts a bone at a place of the figure's space, before constraints: the target of an IK constraint that a user drags. */
typedef struct FigurePull {
    uint32_t bone;
    double place[2];
} FigurePull;

/* Keys that move vertices, times a share of the mix. */
typedef struct FigureDeform {
    const FigureTimeline *timeline; /* null: none */
    double time, share;
} FigureDeform;

typedef struct FigureSlotState {
    int32_t attachment; /* attachment of the figure; -1: none */
    uint32_t frame;     /* frame of the attachment, if it has frames */
    float colour[4], dark[3];
    FigureDeform deforms[FIGURE_PLAYS_MAX]; /* deformation of each play; their sum moves the vertices */
} FigureSlotState;

/* What the keys of one animation say, to be mixed with those of the next one. */
typedef struct FigureKept {
    double (*locals)[FIGURE_LOCAL_COUNT]; /* [boneCount] */
    float (*colours)[7];                  /* [slotCount]: colour, dark colour */
    double (*values)[FIGURE_VALUE_COUNT]; /* [constraintCount] */
} FigureKept;

#define FIGURE_SPACES 5

/* Members are for reading. */
typedef struct FigurePose {
    const Figure *figure;
    FigureBoneState *bones;               /* [boneCount] */
    FigureSlotState *slots;               /* [slotCount] */
    uint32_t *drawOrder;                  /* [slotCount]: slots from back to front */
    double (*values)[FIGURE_VALUE_COUNT]; /* [constraintCount] */
    bool *constraintActive;               /* [constraintCount] */
    double time;                          /* seconds: of the last play */
    uint32_t *skins;                      /* [skinCount]: those that are chosen */
    uint32_t skinCount;
    FigureKept kept;
    uint32_t *firstOfSlot, *bySlot; /* [slotCount + 1] in [attachmentCount]: the attachments of each slot */
    bool *moved, *fixed;            /* [boneCount]: for constraints, cleared between them */
    double *points;                 /* [influenceCount of the largest attachment][2] */
    double *path;                   /* [vertexCount of the largest attachment][2] */
    double *lengths;                /* lengths of the pieces of a path's curves: figure_path.c */
    int32_t measured;               /* attachment whose lengths these are; -1: none */
    double *measuredPath;           /* [vertexCount of the largest attachment][2]: its vertices then */
    double *spaces;                 /* [FIGURE_SPACES][bones of the largest constraint + 1] */
} FigurePose;

#endif
