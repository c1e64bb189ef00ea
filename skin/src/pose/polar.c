#include "polar.h"

#include <math.h>
#include <string.h>

#define RIGID_TOLERANCE 1e-3
#define FLAT_TOLERANCE  1e-3
#define NEWTON_STEPS    12   /* more than any matrix needs that is not flat */
#define NEWTON_DONE     1e-6 /* the error after a step is the square of its change */
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

/* Frequently used properties of a matrix. Sizes are Frobenius norms. */
typedef struct Measures {
    double cofactors[3][3];
    double determinant;
    double size;
    double cofactorSize;
} Measures;

static Measures measure(double m[3][4]) {
    Measures measures;
    measures.determinant = sknAffineCofactors(m, measures.cofactors);
    double squared = 0.0;
    double cofactorsSquared = 0.0;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            squared += m[row][column] * m[row][column];
            cofactorsSquared += measures.cofactors[row][column] * measures.cofactors[row][column];
        }
    }
    measures.size = sqrt(squared);
    measures.cofactorSize = sqrt(cofactorsSquared);
    return measures;
}

/*
 * Newton's iteration for the rotation of a matrix that is neither mirrored nor flat: the mean of the matrix and its
 * inverse transpose, scaled to the same size for fast convergence: Higham 1986, "Computing the Polar Decomposition".
 * A step squares the error, so the iteration ends after a small step.
 */
static void orthonormalise(double m[3][4]) {
    double change = 1.0;
    for (int step = 0; step < NEWTON_STEPS && change > NEWTON_DONE; ++step) {
        const Measures measures = measure(m);
        const double balance = sqrt(measures.cofactorSize / (measures.determinant * measures.size));
        change = 0.0;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                const double inverse = measures.cofactors[row][column] / measures.determinant;
                const double mean = 0.5 * (balance * m[row][column] + inverse / balance);
                change = fmax(change, fabs(mean - m[row][column]));
                m[row][column] = mean;
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

/* The eigenvector of the largest eigenvalue. Among equals the last one, so that zero gives the identity. */
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

/* The rotation nearest to m, which it may change. For a mirrored matrix with equal scales, one of many. */
static void nearestTo(double m[3][4], double rotation[4]) {
    const Measures measures = measure(m);
    /* With singular values a >= b >= c, compares a b c with a times a b. */
    if (measures.determinant > FLAT_TOLERANCE * measures.size * measures.cofactorSize) {
        orthonormalise(m);
        rotationToQuaternion(m, rotation);
        return;
    }
    double form[4][4];
    alignmentForm(m, form);
    largestEigenvector(form, rotation);
}

bool sknNearestRotation(const AffineDouble *affine, double rotation[4]) {
    AffineDouble work = *affine;
    double cofactors[3][3];
    const double determinant = sknAffineCofactors(work.m, cofactors);
    const bool rigid = isRigid(work.m, determinant);
    if (determinant < 0.0) {
        /* Shortening the x axis a little selects the rotation that mirrors x, the same one in every frame. */
        for (int row = 0; row < 3; ++row) {
            work.m[row][0] *= 1.0 - 1e-4;
        }
    }
    nearestTo(work.m, rotation);
    return rigid;
}

/* Whether the smallest singular value is negative, beyond the rounding error of a flat matrix. */
static bool isMirrored(double m[3][4]) {
    const Measures measures = measure(m);
    /* With singular values a >= b >= |c|, compares a b c times a with a b squared. */
    return measures.determinant * measures.size < -FLAT_TOLERANCE * measures.cofactorSize * measures.cofactorSize;
}

void sknPolarRotation(const AffineDouble *affine, double rotation[4]) {
    AffineDouble work = *affine;
    const double sign = isMirrored(work.m) ? -1.0 : 1.0;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            work.m[row][column] *= sign;
        }
    }
    nearestTo(work.m, rotation);
}

void sknPolarStretch(const AffineDouble *affine, const float rotation[4], float stretch[6]) {
    double r[3][3];
    sknQuaternionToRotation(rotation, r);
    double product[3][3]; /* transpose of r times the matrix: symmetric but for what rounding did to r */
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            const double(*m)[4] = affine->m;
            product[row][column] = r[0][row] * m[0][column] + r[1][row] * m[1][column] + r[2][row] * m[2][column];
        }
    }
    stretch[0] = (float)product[0][0];
    stretch[1] = (float)product[1][1];
    stretch[2] = (float)product[2][2];
    stretch[3] = (float)(0.5 * (product[0][1] + product[1][0]));
    stretch[4] = (float)(0.5 * (product[0][2] + product[2][0]));
    stretch[5] = (float)(0.5 * (product[1][2] + product[2][1]));
}
