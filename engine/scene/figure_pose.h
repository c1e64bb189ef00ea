/*
 * figure_pose.h: a figure at one time of an animation, evaluated in double precision: places of bones, what slots show,
 * vertices.
 *
 * The order of an evaluation: the setup pose, the animation's keys, for several animations mixed, the matrices of all bones
 * from their parents', then each active constraint in the figure's order. After a constraint, the bones below those that it
 * moved follow them.
 *
 * Curves and paths are evaluated exactly, not by a few segments: docs/2d.md.
 */
#ifndef ENGINE_FIGURE_POSE_H
#define ENGINE_FIGURE_POSE_H

#include <math.h>

#include "engine_error.h"
#include "figure_state.h"

/*
 * In the setup pose. skins: [skinCount] indices; where several have an attachment for a slot and name, the last one counts,
 * where none has one, the default skin's. The figure must stay. Null: out of memory.
 */
FigurePose *figurePoseCreate(const Figure *figure, const uint32_t *skins, uint32_t skinCount, EngineError *error);
void figurePoseFree(FigurePose *pose);

/* Memory of a pose of the figure, about. */
size_t figurePoseBytes(const Figure *figure);

/* One animation, as FigurePlay. */
void figurePoseSet(FigurePose *pose, int32_t animation, double time);

/*
 * Animations mixed one after the other, playCount of them from 1 to FIGURE_PLAYS_MAX. Numbers are mixed linearly, rotations
 * the short way. Attachments, their pictures, draw order, inherit modes and switches of IK are not mixed: they are those of
 * the last play with a weight above 0. Weights of 0 and 1 give exactly one of the animations. docs/2d.md has the rule.
 * pulls: [pullCount], or null.
 */
void figurePoseMix(FigurePose *pose, const FigurePlay *plays, uint32_t playCount, const FigurePull *pulls,
                   uint32_t pullCount);

/* positions: [vertexCount of the slot's attachment][2] in the figure's space. The slot must show an attachment. */
void figurePoseVertices(const FigurePose *pose, uint32_t slot, double *positions);

/* Whether the bone is active and the target of an IK constraint that is. */
bool figurePoseTarget(const FigurePose *pose, uint32_t bone);

/* Empty where a low is above a high. */
typedef struct FigureBox {
    double low[2], high[2];
} FigureBox;

#define FIGURE_EMPTY_BOX ((FigureBox){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}})

/* Adds the vertices of all regions and meshes that slots show. Not on two threads with one pose. */
void figurePoseAddBox(const FigurePose *pose, FigureBox *box);

/* The index of the skin's attachments that a slot shows under a name with the chosen skins; -1: none. */
int32_t figurePoseFind(const FigurePose *pose, uint32_t slot, int32_t name);

#endif
