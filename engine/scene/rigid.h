/* rigid.h: rotations and rigid motions in double precision, for bodies that are simulated. */
#ifndef ENGINE_RIGID_H
#define ENGINE_RIGID_H

#include <math.h>

#include "vkskin/vkskin_pose.h"

/* A quaternion of unit length: x, y, z, w. */
typedef struct Turn {
    double q[4];
} Turn;

/* Turns, then moves. */
typedef struct Rigid {
    Turn turn;
    double place[3];
} Rigid;

static inline double dot3(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double *a, const double *b, double *to) {
    const double result[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    for (int i = 0; i < 3; i++) {
        to[i] = result[i];
    }
}

/* to = a + factor b */
static inline void add3(const double *a, double factor, const double *b, double *to) {
    for (int i = 0; i < 3; i++) {
        to[i] = a[i] + factor * b[i];
    }
}

/* to = factor a */
static inline void scale3(double factor, const double *a, double *to) {
    for (int i = 0; i < 3; i++) {
        to[i] = factor * a[i];
    }
}

static inline void widen3(const float *from, double *to) {
    for (int i = 0; i < 3; i++) {
        to[i] = (double)from[i];
    }
}

static inline double length3(const double *a) {
    return sqrt(dot3(a, a));
}

static inline Turn turnNone(void) {
    return (Turn){{0, 0, 0, 1}};
}

/* b first, then a. */
Turn turnMultiply(Turn a, Turn b);
Turn turnInverse(Turn a);
void turnApply(Turn turn, const double *vector, double *to);

/* The axis times the angle, at most half a turn, in radians; and back. */
void turnVector(Turn turn, double *vector);
Turn turnOfVector(const double *vector);

/* From a to b by the shorter way. */
Turn turnMix(Turn a, Turn b, double share);

/* The rotation closest to the directions of the first two axes of a matrix; that of a matrix without size is none. */
Turn turnOfAffine(const VkskinAffine *affine);

/* b first, then a. */
Rigid rigidMultiply(const Rigid *a, const Rigid *b);
Rigid rigidInverse(const Rigid *a);
Rigid rigidMix(const Rigid *a, const Rigid *b, double share);

/* The velocity, and the spin as turnVector has it, of a body that moves between two places in `seconds`. */
void rigidVelocity(const Rigid *from, const Rigid *to, double seconds, double *velocity, double *spin);

VkskinAffine rigidAffine(const Rigid *rigid);

/* The place of a point under an affine matrix. */
void affinePoint(const VkskinAffine *affine, const double *point, double *to);

/* A unit vector across `axis`, which has length 1. */
void acrossOf(const double *axis, double *across);

/* The direction in which a symmetric matrix, without negative eigenvalues, is largest. Zero matrix: along z. */
void largestAxis(double matrix[3][3], double *axis);

#endif
