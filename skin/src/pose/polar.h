/*
 * polar.h: a matrix taken apart into a rotation and the stretch that comes before it. Only the 3x3 part is looked at;
 * it is finite and otherwise any: singular, sheared and mirrored matrices have their rotation too. Quaternions are
 * (x, y, z, w), those written of unit length.
 */
#ifndef VKSKIN_POLAR_H
#define VKSKIN_POLAR_H

#include "affine.h"

/*
 * The rotation nearest to the matrix. False where the matrix is not rigid to within 0.1 % (a column's length, the
 * cosine between two columns, or a mirroring).
 */
bool sknNearestRotation(const AffineDouble *affine, double rotation[4]);

/*
 * The rotation R of M = R S, S symmetric: the one nearest to M, or, where M mirrors, to -M, so that a mirrored rotation
 * has a rotation that turns with it and S is negative (Shoemake and Duff 1992, "Matrix Animation and Polar
 * Decomposition"). Of the zero matrix it is none.
 */
void sknPolarRotation(const AffineDouble *affine, double rotation[4]);

/*
 * The stretch S = R^T M as (xx, yy, zz, xy, xz, yz), of a rotation of sknPolarRotation after it was rounded: R S is the
 * matrix again, to float's precision. Infinite where it is beyond float.
 */
void sknPolarStretch(const AffineDouble *affine, const float rotation[4], float stretch[6]);

#endif
