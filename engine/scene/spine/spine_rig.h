/* spine_rig.h: the parts of the evaluation of a 2D model. Only for the sources spine_*.c. */
#ifndef ENGINE_SPINE_RIG_H
#define ENGINE_SPINE_RIG_H

#include <math.h>

#include "engine_error.h"
#include "spine_state.h"

#define SPINE_PI 3.14159265358979323846

/* Lengths below it count as none. */
#define SPINE_TINY 1e-5

/* Number of pieces of a path's curve whose lengths are measured with exact curves. */
#define SPINE_PATH_PIECES 16

static inline double spineRadians(double degrees) {
    return degrees * (SPINE_PI / 180.0);
}

static inline double spineDegrees(double radians) {
    return radians * (180.0 / SPINE_PI);
}

/* ---- spine_bones.c ---- */

static inline double spineDeterminant(const SpineMatrix *m) {
    return m->a * m->d - m->b * m->c;
}

void spineTransform(const SpineMatrix *m, double x, double y, double result[2]);

/* The same angle from -180 to 180. */
double spineWrap(double degrees);

/*
 * From a direction in the 2D model's space to the one whose angle is the rotation of a bone that points along it. False: the
 * frame has no inverse.
 */
bool spineAim(const SpinePose *pose, uint32_t bone, const double direction[2], double result[2]);

/* The matrix from the parent's and `local`. */
void spinePlace(SpinePose *pose, uint32_t bone);

/*
 * After a constraint: `local` from the matrix, with no shear of the x axis. It stays where the parent's matrix has no
 * inverse, and where no later constraint reads it.
 */
void spineUnplace(SpinePose *pose, uint32_t bone, const SpineConstraint *constraint);

/* Moves the bone to a place of the 2D model's space. It stays where the parent's matrix has no inverse. */
void spineMove(SpinePose *pose, uint32_t bone, const double place[2]);

/* Turns the axes of a bone by an angle in radians. */
void spineTurn(SpineMatrix *m, double angle);

/* Marks a bone that a constraint moves. fixed: its matrix is made, else its `local`. */
void spineMark(SpinePose *pose, uint32_t bone, bool fixed);

/* Places the bones that are marked and not fixed, and those below marked ones; clears the marks. */
void spineFollow(SpinePose *pose);

/* For spineUnplace: enters what constraints will read. */
void spineFindReaders(SpinePose *pose);

/* ---- spine_timeline.c ---- */

/* The key at or before the time; -1: the time is before the first one. */
int64_t spineKey(const SpineTimeline *timeline, double time);

/* All curved channels at the time, which is not before the first key: values[curves]. key: spineKey of it. */
void spineSample(const SpineTimeline *timeline, SpineTime time, int64_t key, double *values);

/* The key of DEFORM before the time, and how far the next key is mixed in. False: the time is before the first key. */
bool spineDeformKey(const SpineTimeline *timeline, SpineTime time, uint32_t *key, double *mix);

/* Adds the offsets of DEFORM times the share to points[influence][2]. */
void spineDeform(const SpineDeform *deform, double *points);

/* The frame that a sequence of `count` shows. */
uint32_t spineSequenceFrame(const SpineTimeline *timeline, double time, uint32_t count);

/* ---- Constraints: each moves its bones and those below ---- */

void spineApplyIk(SpinePose *pose, const SpineConstraint *constraint, const double *values);
void spineApplyTransform(SpinePose *pose, const SpineConstraint *constraint, const double *values);
void spineApplyPhysics(SpinePose *pose, uint32_t index);

/* Before constraints: the keys of RESET that animations pass since the last update. */
void spinePassResets(SpinePose *pose, const SpinePlay *plays, uint32_t count);

bool spinePhysicsCreate(SpinePose *pose, EngineError *error);
void spinePhysicsFree(SpinePose *pose);

void spineApplyPath(SpinePose *pose, const SpineConstraint *constraint, const double *values);

#endif
