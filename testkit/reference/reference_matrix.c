#include "reference.h"

#include <math.h>

ReferenceMatrix referenceFromAffine(const VkskinAffine *affine) {
    ReferenceMatrix result;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 4; c++) {
            result.m[r][c] = affine->m[r][c];
        }
    }
    return result;
}

ReferenceMatrix referenceMultiply(const ReferenceMatrix *a, const ReferenceMatrix *b) {
    ReferenceMatrix result;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 4; c++) {
            double sum = c == 3 ? a->m[r][3] : 0.0;
            for (int k = 0; k < 3; k++) {
                sum += a->m[r][k] * b->m[k][c];
            }
            result.m[r][c] = sum;
        }
    }
    return result;
}

static double cofactor(const ReferenceMatrix *matrix, int row, int column) {
    int r0 = (row + 1) % 3, r1 = (row + 2) % 3;
    int c0 = (column + 1) % 3, c1 = (column + 2) % 3;
    return matrix->m[r0][c0] * matrix->m[r1][c1] - matrix->m[r0][c1] * matrix->m[r1][c0];
}

double referenceDeterminant(const ReferenceMatrix *matrix) {
    double determinant = 0.0;
    for (int c = 0; c < 3; c++) {
        determinant += matrix->m[0][c] * cofactor(matrix, 0, c);
    }
    return determinant;
}

ReferenceMatrix referenceInvert(const ReferenceMatrix *matrix) {
    double determinant = referenceDeterminant(matrix);
    ReferenceMatrix result;
    for (int r = 0; r < 3; r++) {
        result.m[r][3] = 0.0;
        for (int c = 0; c < 3; c++) {
            result.m[r][c] = cofactor(matrix, c, r) / determinant;
            result.m[r][3] -= result.m[r][c] * matrix->m[c][3];
        }
    }
    return result;
}

ReferenceMatrix referenceCompose(const double translation[3], const double rotation[4], const double scale[3]) {
    double length = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2] +
                         rotation[3] * rotation[3]);
    double x = rotation[0] / length, y = rotation[1] / length, z = rotation[2] / length, w = rotation[3] / length;
    double turn[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)},
    };
    ReferenceMatrix result;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            result.m[r][c] = turn[r][c] * scale[c];
        }
        result.m[r][3] = translation[r];
    }
    return result;
}

ReferenceMatrix referenceNormalMatrix(const ReferenceMatrix *matrix) {
    double sign = referenceDeterminant(matrix) < 0.0 ? -1.0 : 1.0;
    ReferenceMatrix result = {{{0}}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            result.m[r][c] = sign * cofactor(matrix, r, c);
        }
    }
    return result;
}
