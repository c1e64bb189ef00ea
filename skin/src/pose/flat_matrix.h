/*
 * flat_matrix.h: what an affine matrix does in the plane of x and y.
 */
#ifndef VKSKIN_FLAT_MATRIX_H
#define VKSKIN_FLAT_MATRIX_H

#include "affine.h"

/* As a palette holds it: m[row] is (m[row][0], m[row][1], translation). */
typedef struct FlatMatrix {
    float m[2][3];
} FlatMatrix;

/*
 * The rows of x and y without the column of z. False where the matrix leads out of the plane or into it: by turning,
 * an element of the third row or column beyond 0.1 % of the largest in the plane; or by moving along z beyond 0.1 % of
 * the largest element or movement in the plane. The matrix is finite.
 */
bool sknFlatMatrixFromAffine(const AffineDouble *affine, FlatMatrix *result);

#endif
