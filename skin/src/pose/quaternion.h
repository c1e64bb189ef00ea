/*
 * quaternion.h: rotations as unit quaternions (x, y, z, w), and vectors, in double precision. Pure inline functions.
 */
#ifndef VKSKIN_QUATERNION_H
#define VKSKIN_QUATERNION_H

#include <math.h>

#include "vkskin/vkskin_pose.h"

typedef struct Quaternion {
    double x, y, z, w;
} Quaternion;

typedef struct Vector {
    double x, y, z;
} Vector;

/* ---- Vectors ---- */

static inline Vector sknVector(const float v[3]) {
    return (Vector){v[0], v[1], v[2]};
}

static inline Vector sknAdd(Vector a, Vector b) {
    return (Vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vector sknSubtract(Vector a, Vector b) {
    return (Vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vector sknScale(Vector v, double factor) {
    return (Vector){v.x * factor, v.y * factor, v.z * factor};
}

static inline double sknDot(Vector a, Vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vector sknCross(Vector a, Vector b) {
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double sknLength(Vector v) {
    return sqrt(sknDot(v, v));
}

/* Unit vector; `fallback` for a vector without length. */
static inline Vector sknDirection(Vector v, Vector fallback) {
    const double length = sknLength(v);
    return length > 0.0 ? sknScale(v, 1.0 / length) : fallback;
}

/* v without its part along the unit vector `axis`. */
static inline Vector sknAcross(Vector v, Vector axis) {
    return sknSubtract(v, sknScale(axis, sknDot(v, axis)));
}

/* A unit vector at right angles to the unit vector `axis`. */
static inline Vector sknAnyAcross(Vector axis) {
    const Vector other = fabs(axis.x) < 0.6 ? (Vector){1.0, 0.0, 0.0} : (Vector){0.0, 1.0, 0.0};
    return sknDirection(sknAcross(other, axis), other);
}

/* ---- Rotations ---- */

static inline Quaternion sknNoRotation(void) {
    return (Quaternion){0.0, 0.0, 0.0, 1.0};
}

/* Unit quaternion; no rotation for a quaternion without length. */
static inline Quaternion sknUnit(Quaternion q) {
    const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (length == 0.0) {
        return sknNoRotation();
    }
    const double factor = 1.0 / length;
    return (Quaternion){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

static inline Quaternion sknQuaternion(const float q[4]) {
    return sknUnit((Quaternion){q[0], q[1], q[2], q[3]});
}

static inline void sknStoreQuaternion(Quaternion q, float to[4]) {
    to[0] = (float)q.x;
    to[1] = (float)q.y;
    to[2] = (float)q.z;
    to[3] = (float)q.w;
}

static inline Quaternion sknConjugate(Quaternion q) {
    return (Quaternion){-q.x, -q.y, -q.z, q.w};
}

/* b first, then a. In pairs that cancel exactly if b is the inverse of a. */
static inline Quaternion sknMultiply(Quaternion a, Quaternion b) {
    return (Quaternion){
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
        (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
        (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

static inline Vector sknRotate(Quaternion q, Vector v) {
    const Vector axis = {q.x, q.y, q.z};
    const Vector twice = sknScale(sknCross(axis, v), 2.0);
    return sknAdd(sknAdd(v, sknScale(twice, q.w)), sknCross(axis, twice));
}

static inline Quaternion sknTurn(Vector unitAxis, double radians) {
    const double sine = sin(0.5 * radians);
    return (Quaternion){unitAxis.x * sine, unitAxis.y * sine, unitAxis.z * sine, cos(0.5 * radians)};
}

/* The angle between two vectors of any length but 0, precise at 0 and at pi. */
static inline double sknAngle(Vector a, Vector b) {
    return atan2(sknLength(sknCross(a, b)), sknDot(a, b));
}

/* The shortest rotation from one unit vector to another; for opposite ones about any axis at right angles. */
static inline Quaternion sknShortestTurn(Vector from, Vector to) {
    const double cosine = sknDot(from, to);
    if (cosine <= -1.0 + 1e-14) {
        const Vector axis = sknAnyAcross(from);
        return (Quaternion){axis.x, axis.y, axis.z, 0.0};
    }
    const Vector axis = sknCross(from, to);
    return sknUnit((Quaternion){axis.x, axis.y, axis.z, 1.0 + cosine});
}

/* The share `weight` of a rotation, on the shorter way, at constant speed. */
static inline Quaternion sknShare(Quaternion q, double weight) {
    const Vector axis = {q.x, q.y, q.z};
    const double sine = sknLength(axis);
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    const double half = atan2(sine, sign * q.w);
    if (sine == 0.0) {
        return sknNoRotation();
    }
    return sknTurn(sknScale(axis, sign / sine), 2.0 * half * weight);
}

#endif
