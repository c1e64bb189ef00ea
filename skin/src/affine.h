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

AffineDouble affineWiden(const VkskinAffine *affine);
VkskinAffine affineNarrow(const AffineDouble *affine);

/* T R S; a rotation of zero length counts as none. */
AffineDouble affineFromTransform(const VkskinTransform *transform);

/* a times b. */
AffineDouble affineMultiply(const AffineDouble *a, const AffineDouble *b);

/* False where the matrix is singular to within float's precision or not finite; *inverse is then not written. */
bool affineInvert(const AffineDouble *affine, AffineDouble *inverse);

/* Writes the cofactors of the 3x3 part and returns its determinant: inverse transpose = cofactors / determinant. */
double affineCofactors(double m[3][4], double cofactors[3][3]);

bool affineIsFinite(const VkskinAffine *affine);
bool affineIsIdentity(const VkskinAffine *affine);

/* True where all the transform's numbers are finite. */
bool transformIsFinite(const VkskinTransform *transform);

#endif
