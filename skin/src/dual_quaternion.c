#include "dual_quaternion.h"

#include <math.h>
#include <string.h>

#define RIGID_TOLERANCE 1e-3
#define JACOBI_SWEEPS   12

static double columnDot(double m[3][4], int a, int b) {
    return m[0][a] * m[0][b] + m[1][a] * m[1][b] + m[2][a] * m[2][b];
}

static bool isRigid(double m[3][4], double determinant) {
    if (determinant <= 0.0) {
        return false;
    }
    for (int column = 0; column < 3; ++column) {
        if (fabs(sqrt(columnDot(m, column, column)) - 1.0) > RIGID_TOLERANCE ||
            fabs(columnDot(m, column, (column + 1) % 3)) > RIGID_TOLERANCE) {
            return false;
        }
    }
    return true;
}

/*
 * Polar decomposition by Newton's iteration, m <- (m + inverse transpose of m) / 2. It squares the error, so from the
 * tolerance of a rigid matrix two steps reach double's precision.
 */
static void orthonormalise(double m[3][4]) {
    for (int step = 0; step < 2; ++step) {
        double cofactors[3][3];
        const double determinant = sknAffineCofactors(m, cofactors);
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                m[row][column] = 0.5 * (m[row][column] + cofactors[row][column] / determinant);
            }
        }
    }
}

/* The symmetric 4x4 form whose value at a unit quaternion (x, y, z, w) is trace(R^T m): Horn 1987, section 4. */
static void alignmentForm(double m[3][4], double form[4][4]) {
    const double values[4][4] = {
        {m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]},
        {m[0][1] + m[1][0], m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1], m[0][2] - m[2][0]},
        {m[0][2] + m[2][0], m[1][2] + m[2][1], m[2][2] - m[0][0] - m[1][1], m[1][0] - m[0][1]},
        {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], m[0][0] + m[1][1] + m[2][2]},
    };
    memcpy(form, values, sizeof values);
}

/* One Jacobi rotation: clears form[p][q] and gathers the rotation in the columns of `vectors`. */
static void jacobiRotate(double form[4][4], double vectors[4][4], int p, int q) {
    if (form[p][q] == 0.0) {
        return;
    }
    const double theta = (form[q][q] - form[p][p]) / (2.0 * form[p][q]);
    const double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double s = t * c;
    for (int i = 0; i < 4; ++i) {
        const double a = form[i][p];
        const double b = form[i][q];
        form[i][p] = c * a - s * b;
        form[i][q] = s * a + c * b;
        const double x = vectors[i][p];
        const double y = vectors[i][q];
        vectors[i][p] = c * x - s * y;
        vectors[i][q] = s * x + c * y;
    }
    for (int i = 0; i < 4; ++i) {
        const double a = form[p][i];
        const double b = form[q][i];
        form[p][i] = c * a - s * b;
        form[q][i] = s * a + c * b;
    }
}

/* The eigenvector of the largest eigenvalue; the last among equals, so that no rotation is preferred. */
static void largestEigenvector(double form[4][4], double vector[4]) {
    double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int sweep = 0; sweep < JACOBI_SWEEPS; ++sweep) {
        for (int p = 0; p < 3; ++p) {
            for (int q = p + 1; q < 4; ++q) {
                jacobiRotate(form, vectors, p, q);
            }
        }
    }
    int largest = 3;
    for (int i = 2; i >= 0; --i) {
        if (form[i][i] > form[largest][largest]) {
            largest = i;
        }
    }
    for (int i = 0; i < 4; ++i) {
        vector[i] = vectors[i][largest];
    }
}

/*
 * The rotation nearest to any matrix, mirrored and singular ones included. A mirrored matrix of equal scales has many;
 * shortening its x axis a little makes frame after frame choose the one that turns x back.
 */
static void nearestRotation(double m[3][4], double determinant, double rotation[4]) {
    if (determinant < 0.0) {
        for (int row = 0; row < 3; ++row) {
            m[row][0] *= 1.0 - 1e-4;
        }
    }
    double form[4][4];
    alignmentForm(m, form);
    largestEigenvector(form, rotation);
}

/* The quaternion of a rotation matrix, from its largest component: Shepperd 1978. */
static void rotationToQuaternion(double m[3][4], double q[4]) {
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int largest = 0;
    for (int i = 1; i < 3; ++i) {
        if (m[i][i] > m[largest][largest]) {
            largest = i;
        }
    }
    if (trace >= m[largest][largest]) {
        q[0] = m[2][1] - m[1][2];
        q[1] = m[0][2] - m[2][0];
        q[2] = m[1][0] - m[0][1];
        q[3] = 1.0 + trace;
    } else {
        const int i = largest;
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[j][i] + m[i][j];
        q[k] = m[k][i] + m[i][k];
        q[3] = m[k][j] - m[j][k];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) {
        q[i] /= length;
    }
}

bool sknDualQuaternionFromAffine(const AffineDouble *affine, DualQuaternion *result) {
    AffineDouble work = *affine;
    double cofactors[3][3];
    const double determinant = sknAffineCofactors(work.m, cofactors);
    const bool rigid = isRigid(work.m, determinant);
    double q[4];
    if (rigid) {
        orthonormalise(work.m);
        rotationToQuaternion(work.m, q);
    } else {
        nearestRotation(work.m, determinant, q);
    }
    const double x = affine->m[0][3];
    const double y = affine->m[1][3];
    const double z = affine->m[2][3];
    const double dual[4] = {
        0.5 * (x * q[3] + y * q[2] - z * q[1]),
        0.5 * (y * q[3] + z * q[0] - x * q[2]),
        0.5 * (z * q[3] + x * q[1] - y * q[0]),
        -0.5 * (x * q[0] + y * q[1] + z * q[2]),
    };
    for (int i = 0; i < 4; ++i) {
        result->real[i] = (float)q[i];
        result->dual[i] = (float)dual[i];
    }
    return rigid;
}
