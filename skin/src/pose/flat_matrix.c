#include "flat_matrix.h"

#include <math.h>

#define DEPTH_TOLERANCE 1e-3

bool sknFlatMatrixFromAffine(const AffineDouble *affine, FlatMatrix *result) {
    double size = 0.0;
    double movement = 0.0;
    double across = 0.0; /* between the plane and z */
    for (int i = 0; i < 2; ++i) {
        const double *row = affine->m[i];
        result->m[i][0] = (float)row[0];
        result->m[i][1] = (float)row[1];
        result->m[i][2] = (float)row[3];
        size = fmax(size, fmax(fabs(row[0]), fabs(row[1])));
        movement = fmax(movement, fabs(row[3]));
        across = fmax(across, fmax(fabs(row[2]), fabs(affine->m[2][i])));
    }
    return across <= DEPTH_TOLERANCE * size && fabs(affine->m[2][3]) <= DEPTH_TOLERANCE * fmax(size, movement);
}
