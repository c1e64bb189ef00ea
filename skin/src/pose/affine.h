/*
 * affine.h: 3x4 affine matrices in double precision, and quaternions. Matrices are row-major, as VkskinAffine: several
 * operations are rounded to float once. Pure functions; pointers are not null, results may alias.
 */
#ifndef VKSKIN_AFFINE_H
#define VKSKIN_AFFINE_H

#include "vkskin/vkskin_pose.h"

typedef struct AffineDouble {
    double m[3][4];
} AffineDouble;

AffineDouble sknAffineWiden(const VkskinAffine *affine);
VkskinAffine sknAffineNarrow(const AffineDouble *affine);

/* T R S. A rotation of zero length is the identity. */
AffineDouble sknAffineFromTransform(const VkskinTransform *transform);

/* The rotation of a quaternion (x, y, z, w) of any length; the identity for a length of zero. */
void sknQuaternionToRotation(const float q[4], double rotation[3][3]);

AffineDouble sknAffineMultiply(const AffineDouble *a, const AffineDouble *b);

/* False, and *inverse unchanged, if the matrix is singular within float precision or not finite. */
bool sknAffineInvert(const AffineDouble *affine, AffineDouble *inverse);

/* Writes the cofactors of the 3x3 part, returns its determinant. The inverse transpose is cofactors / determinant. */
double sknAffineCofactors(double m[3][4], double cofactors[3][3]);

/* True if all of these are finite. */
bool sknAreFinite(const float *values, size_t count);

bool sknAffineIsFinite(const VkskinAffine *affine);
bool sknAffineIsIdentity(const VkskinAffine *affine);

/* True if all numbers of the transform are finite. */
bool sknTransformIsFinite(const VkskinTransform *transform);

/* From 0 to 1; false for NaN. */
static inline bool sknIsShare(float value) {
    return value >= 0.0f && value <= 1.0f;
}

/* ---- Quaternions (x, y, z, w): calculated in double precision, stored as float ---- */

/* Scales q to unit length; one of zero length becomes (0, 0, 0, 1). */
void sknQuaternionNormalise(float q[4]);

/* Interpolates from a (weight 0) to b (weight 1) at constant speed on the shorter arc. Normalises a and b first. */
void sknQuaternionSlerp(const float a[4], const float b[4], double weight, float result[4]);

#endif
