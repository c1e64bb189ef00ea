/*
 * polar.h: decomposes a matrix into a rotation after a stretch. Reads only the 3x3 part. It must be finite; singular,
 * sheared and mirrored matrices have a rotation too. Quaternions are (x, y, z, w); results have unit length.
 */
#ifndef VKSKIN_POLAR_H
#define VKSKIN_POLAR_H

#include "affine.h"

/*
 * The rotation nearest to the matrix. False if the matrix is not rigid within 0.1 % (length of a column, cosine between
 * two columns) or mirrors.
 */
bool sknNearestRotation(const AffineDouble *affine, double rotation[4]);

/*
 * The rotation R of M = R S, S symmetric: the rotation nearest to M. If M mirrors, the one nearest to -M: it then
 * follows the mirrored bone, and S is negative (Shoemake and Duff 1992, "Matrix Animation and Polar Decomposition").
 * For the zero matrix, the identity.
 */
void sknPolarRotation(const AffineDouble *affine, double rotation[4]);

/*
 * The stretch S = R^T M as (xx, yy, zz, xy, xz, yz). rotation: from sknPolarRotation, rounded. R S is the matrix within
 * float precision. Infinite if it does not fit a float.
 */
void sknPolarStretch(const AffineDouble *affine, const float rotation[4], float stretch[6]);

#endif
