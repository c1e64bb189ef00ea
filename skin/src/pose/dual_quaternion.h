/*
 * dual_quaternion.h: a rigid transform as a unit dual quaternion, and any affine one as that and a stretch before it.
 */
#ifndef VKSKIN_DUAL_QUATERNION_H
#define VKSKIN_DUAL_QUATERNION_H

#include "affine.h"

/* As a palette holds it: parts (x, y, z, w); `real` of unit length, `dual` half of translation times real. */
typedef struct DualQuaternion {
    float real[4];
    float dual[4];
} DualQuaternion;

/* As a palette holds it: the symmetric stretch is (xx, yy, zz, xy, xz, yz). */
typedef struct ScaledDualQuaternion {
    DualQuaternion rigid;
    float stretch[6];
    float zero[2];
} ScaledDualQuaternion;

/*
 * The matrix's translation and its nearest rotation. False where the matrix is not rigid to within 0.1 % (a column's
 * length, the cosine between two columns, or a mirroring): scale or shear were then lost. The matrix is finite.
 */
bool sknDualQuaternionFromAffine(const AffineDouble *affine, DualQuaternion *result);

/* All of a finite matrix, as polar.h takes it apart. The stretch is infinite where it is beyond float. */
void sknScaledDualQuaternionFromAffine(const AffineDouble *affine, ScaledDualQuaternion *result);

#endif
