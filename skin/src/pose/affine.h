/*
 * affine.h: 3x4 affine matrices in double precision, for what is inverted or multiplied several times over before it
 * is rounded to float once. Row-major as VkskinAffine. Pure functions; pointers are not null, results may alias.
 */
#ifndef VKSKIN_AFFINE_H
#define VKSKIN_AFFINE_H

#include "vkskin/vkskin_pose.h"

typedef struct AffineDouble {
    double m[3][4];
} AffineDouble;

AffineDouble sknAffineWiden(const VkskinAffine *affine);
VkskinAffine sknAffineNarrow(const AffineDouble *affine);

/* T R S; a rotation of zero length counts as none. */
AffineDouble sknAffineFromTransform(const VkskinTransform *transform);

/* a times b. */
AffineDouble sknAffineMultiply(const AffineDouble *a, const AffineDouble *b);

/* False where the matrix is singular to within float's precision or not finite; *inverse is then not written. */
bool sknAffineInvert(const AffineDouble *affine, AffineDouble *inverse);

/* Writes the cofactors of the 3x3 part and returns its determinant: inverse transpose = cofactors / determinant. */
double sknAffineCofactors(double m[3][4], double cofactors[3][3]);

bool sknAffineIsFinite(const VkskinAffine *affine);
bool sknAffineIsIdentity(const VkskinAffine *affine);

/* True where all the transform's numbers are finite. */
bool sknTransformIsFinite(const VkskinTransform *transform);

/* Quaternions (x, y, z, w). Calculated in double precision, stored as float. Results may alias. */

/* Scales q to unit length; one of zero length becomes (0, 0, 0, 1). */
void sknQuaternionNormalise(float q[4]);

/* From a (weight 0) to b (weight 1) at constant speed, the shorter way. a and b need not be of exact unit length. */
void sknQuaternionSlerp(const float a[4], const float b[4], double weight, float result[4]);

#endif
