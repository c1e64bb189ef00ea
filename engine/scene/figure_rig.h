/* figure_rig.h: the parts of the evaluation of a figure. Only for the sources figure_*.c. */
#ifndef ENGINE_FIGURE_RIG_H
#define ENGINE_FIGURE_RIG_H

#include <math.h>

#include "figure_state.h"

#define FIGURE_PI 3.14159265358979323846

/* Lengths below it count as none. */
#define FIGURE_TINY 1e-5

/* Number of pieces of a path's curve whose lengths are measured. */
#define FIGURE_PATH_PIECES 16

static inline double figureRadians(double degrees) {
    return degrees * (FIGURE_PI / 180.0);
}

static inline double figureDegrees(double radians) {
    return radians * (180.0 / FIGURE_PI);
}

/* ---- figure_bones.c ---- */

static inline double figureDeterminant(const FigureMatrix *m) {
    return m->a * m->d - m->b * m->c;
}

void figureTransform(const FigureMatrix *m, double x, double y, double result[2]);

/* The same angle from -180 to 180. */
double figureWrap(double degrees);

/*
 * From a direction in the figure's space to the one whose angle is the rotation of a bone that points along it. False: the
 * frame has no inverse.
 */
bool figureAim(const FigurePose *pose, uint32_t bone, const double direction[2], double result[2]);

/* The matrix from the parent's and `local`. */
void figurePlace(FigurePose *pose, uint32_t bone);

/* `local` from the matrix, with no shear of the x axis. It stays where the parent's matrix has no inverse. */
void figureUnplace(FigurePose *pose, uint32_t bone);

/* Moves the bone to a place of the figure's space. It stays where the parent's matrix has no inverse. */
void figureMove(FigurePose *pose, uint32_t bone, const double place[2]);

/* Turns the axes of a bone by an angle in radians. */
void figureTurn(FigureMatrix *m, double angle);

/* Places the bones below those marked in pose->moved, not those marked in pose->fixed; clears both. */
void figureFollow(FigurePose *pose);

/* ---- figure_timeline.c ---- */

/* The key at or before the time; -1: the time is before the first one. */
int64_t figureKey(const FigureTimeline *timeline, double time);

/* All curved channels at the time, which is not before the first key: values[curves]. */
void figureSample(const FigureTimeline *timeline, double time, double *values);

/* The key of DEFORM before the time, and how far the next key is mixed in. False: the time is before the first key. */
bool figureDeformKey(const FigureTimeline *timeline, double time, uint32_t *key, double *mix);

/* Adds the offsets of DEFORM times the share to points[influence][2]. */
void figureDeform(const FigureDeform *deform, double *points);

/* The frame that a sequence of `count` shows. */
uint32_t figureSequenceFrame(const FigureTimeline *timeline, double time, uint32_t count);

/* ---- Constraints: each moves its bones and those below ---- */

void figureApplyIk(FigurePose *pose, const FigureConstraint *constraint, const double *values);
void figureApplyTransform(FigurePose *pose, const FigureConstraint *constraint, const double *values);
void figureApplyPath(FigurePose *pose, const FigureConstraint *constraint, const double *values);

#endif
