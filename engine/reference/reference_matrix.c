#include "reference.h"

#include <math.h>
#include <string.h>

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

ReferenceMatrix referenceInvert(const ReferenceMatrix *matrix) {
    double determinant = 0.0;
    for (int c = 0; c < 3; c++) {
        determinant += matrix->m[0][c] * cofactor(matrix, 0, c);
    }
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

/* Horn 1987: the quaternion q that makes q^T K q largest turns best into the 3x3 part. Order (x, y, z, w). */
static void hornMatrix(const ReferenceMatrix *matrix, double k[4][4]) {
    const double(*m)[4] = matrix->m;
    double rows[4][4] = {
        {m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]},
        {m[0][1] + m[1][0], m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1], m[0][2] - m[2][0]},
        {m[0][2] + m[2][0], m[1][2] + m[2][1], m[2][2] - m[0][0] - m[1][1], m[1][0] - m[0][1]},
        {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], m[0][0] + m[1][1] + m[2][2]},
    };
    memcpy(k, rows, sizeof rows);
}

/* One Jacobi rotation, of a symmetric matrix's rows and columns p and q and of the vectors' columns. */
static void jacobiRotate(double k[4][4], double vectors[4][4], int p, int q) {
    if (k[p][q] == 0.0) {
        return;
    }
    double angle = 0.5 * atan2(2.0 * k[p][q], k[q][q] - k[p][p]);
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 4; i++) {
        double kp = k[i][p], kq = k[i][q];
        k[i][p] = c * kp - s * kq;
        k[i][q] = s * kp + c * kq;
        double vp = vectors[i][p], vq = vectors[i][q];
        vectors[i][p] = c * vp - s * vq;
        vectors[i][q] = s * vp + c * vq;
    }
    for (int i = 0; i < 4; i++) {
        double kp = k[p][i], kq = k[q][i];
        k[p][i] = c * kp - s * kq;
        k[q][i] = s * kp + c * kq;
    }
}

void referenceNearestRotation(const ReferenceMatrix *matrix, double rotation[4]) {
    double k[4][4];
    double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    hornMatrix(matrix, k);
    for (int sweep = 0; sweep < 20; sweep++) { /* converges quadratically: 6 sweeps are plenty */
        for (int p = 0; p < 3; p++) {
            for (int q = p + 1; q < 4; q++) {
                jacobiRotate(k, vectors, p, q);
            }
        }
    }
    int best = 0;
    for (int i = 1; i < 4; i++) {
        best = k[i][i] > k[best][best] ? i : best;
    }
    for (int i = 0; i < 4; i++) {
        rotation[i] = vectors[i][best];
    }
}
