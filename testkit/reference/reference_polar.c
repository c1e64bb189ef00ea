#include "reference.h"

#include <math.h>
#include <string.h>

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

void referenceStretch(const ReferenceMatrix *matrix, const double rotation[4], double stretch[3][3]) {
    static const double noMove[3] = {0, 0, 0}, noScale[3] = {1, 1, 1};
    ReferenceMatrix turn = referenceCompose(noMove, rotation, noScale);
    double product[3][3] = {{0}};
    for (int e = 0; e < 27; e++) {
        int r = e / 9, c = e / 3 % 3, k = e % 3;
        product[r][c] += turn.m[k][r] * matrix->m[k][c];
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            stretch[r][c] = 0.5 * (product[r][c] + product[c][r]); /* symmetric but for rounding */
        }
    }
}
