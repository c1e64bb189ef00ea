/*
 * figure_pose.h: a figure at one time of an animation, evaluated in double precision: places of bones, what slots show,
 * vertices.
 *
 * The order of an evaluation: the setup pose, the animation's keys, the matrices of all bones from their parents', then
 * each active constraint in the figure's order. After a constraint, the bones below those that it moved follow them.
 *
 * Curves and paths are evaluated exactly, not by a few segments: docs/2d.md.
 */
#ifndef ENGINE_FIGURE_POSE_H
#define ENGINE_FIGURE_POSE_H

#include "engine_error.h"
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

typedef struct FigureSlotState {
    int32_t attachment; /* of the figure; -1: none */
    uint32_t frame;     /* of the attachment, if it has frames */
    float colour[4], dark[3];
    const FigureTimeline *deform; /* keys that move its vertices; or null */
} FigureSlotState;

#define FIGURE_SPACES 5

/* Members are for reading. */
typedef struct FigurePose {
    const Figure *figure;
    FigureBoneState *bones;               /* [boneCount] */
    FigureSlotState *slots;               /* [slotCount] */
    uint32_t *drawOrder;                  /* [slotCount]: slots from back to front */
    double (*values)[FIGURE_VALUE_COUNT]; /* [constraintCount] */
    bool *constraintActive;               /* [constraintCount] */
    double time;                          /* seconds */
    uint32_t *skins;                      /* [skinCount]: those that are chosen */
    uint32_t skinCount;
    bool *moved, *fixed; /* [boneCount]: for constraints, cleared between them */
    double *points;      /* [influenceCount of the largest attachment][2] */
    double *path;        /* [vertexCount of the largest attachment][2] */
    double *lengths;     /* [vertexCount of the largest attachment] */
    double *spaces;      /* [FIGURE_SPACES][bones of the largest constraint + 1] */
} FigurePose;

/*
 * In the setup pose. skins: [skinCount] indices; where several have an attachment for a slot and name, the last one counts,
 * where none has one, the default skin's. The figure must stay. Null: out of memory.
 */
FigurePose *figurePoseCreate(const Figure *figure, const uint32_t *skins, uint32_t skinCount, EngineError *error);
void figurePoseFree(FigurePose *pose);

/* animation: an index; -1: the setup pose. time: seconds; after the last key it holds. */
void figurePoseSet(FigurePose *pose, int32_t animation, double time);

/* positions: [vertexCount of the slot's attachment][2] in the figure's space. The slot must show an attachment. */
void figurePoseVertices(const FigurePose *pose, uint32_t slot, double *positions);

/* The index of the skin's attachments that a slot shows under a name with the chosen skins; -1: none. */
int32_t figurePoseFind(const FigurePose *pose, uint32_t slot, int32_t name);

#endif
