#include "affine.h"

#include <float.h>
#include <math.h>
#include <string.h>

AffineDouble sknAffineWiden(const VkskinAffine *affine) {
    AffineDouble wide;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            wide.m[row][column] = affine->m[row][column];
        }
    }
    return wide;
}

VkskinAffine sknAffineNarrow(const AffineDouble *affine) {
    VkskinAffine narrow;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            narrow.m[row][column] = (float)affine->m[row][column];
        }
    }
    return narrow;
}

void sknQuaternionToRotation(const float q[4], double rotation[3][3]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double squared = x * x + y * y + z * z + w * w;
    /* 2 / length squared normalises without a square root. */
    const double k = squared == 0.0 ? 0.0 : 2.0 / squared;
    const double values[3][3] = {
        {1.0 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)},
        {k * (x * y + w * z), 1.0 - k * (x * x + z * z), k * (y * z - w * x)},
        {k * (x * z - w * y), k * (y * z + w * x), 1.0 - k * (x * x + y * y)},
    };
    memcpy(rotation, values, sizeof values);
}

AffineDouble sknAffineFromTransform(const VkskinTransform *transform) {
    double rotation[3][3];
    sknQuaternionToRotation(transform->rotation, rotation);
    AffineDouble affine;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            affine.m[row][column] = rotation[row][column] * transform->scale[column];
        }
        affine.m[row][3] = transform->translation[row];
    }
    return affine;
}

AffineDouble sknAffineMultiply(const AffineDouble *a, const AffineDouble *b) {
    AffineDouble product;
    for (int row = 0; row < 3; ++row) {
        const double *r = a->m[row];
        for (int column = 0; column < 4; ++column) {
            product.m[row][column] = r[0] * b->m[0][column] + r[1] * b->m[1][column] + r[2] * b->m[2][column];
        }
        product.m[row][3] += r[3];
    }
    return product;
}

double sknAffineCofactors(double m[3][4], double cofactors[3][3]) {
    for (int row = 0; row < 3; ++row) {
        const int r1 = (row + 1) % 3;
        const int r2 = (row + 2) % 3;
        for (int column = 0; column < 3; ++column) {
            const int c1 = (column + 1) % 3;
            const int c2 = (column + 2) % 3;
            cofactors[row][column] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    }
    return m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
}

/* Product of the column lengths: the maximum of the determinant for these scales. */
static double columnVolume(double m[3][4]) {
    double volume = 1.0;
    for (int column = 0; column < 3; ++column) {
        volume *= sqrt(m[0][column] * m[0][column] + m[1][column] * m[1][column] + m[2][column] * m[2][column]);
    }
    return volume;
}

bool sknAffineInvert(const AffineDouble *affine, AffineDouble *inverse) {
    AffineDouble source = *affine;
    double cofactors[3][3];
    const double determinant = sknAffineCofactors(source.m, cofactors);
    /* Written so that a NaN fails. */
    if (!(fabs(determinant) > FLT_EPSILON * columnVolume(source.m)) || isinf(determinant)) {
        return false;
    }
    AffineDouble result;
    for (int row = 0; row < 3; ++row) {
        double translation = 0.0;
        for (int column = 0; column < 3; ++column) {
            result.m[row][column] = cofactors[column][row] / determinant;
            translation -= result.m[row][column] * source.m[column][3];
        }
        result.m[row][3] = translation;
    }
    const VkskinAffine narrow = sknAffineNarrow(&result);
    if (!sknAffineIsFinite(&narrow)) {
        return false;
    }
    *inverse = result;
    return true;
}

bool sknAreFinite(const float *values, size_t count) {
    bool finite = true;
    for (size_t i = 0; i < count; ++i) {
        finite &= isfinite(values[i]) != 0;
    }
    return finite;
}

bool sknAffineIsFinite(const VkskinAffine *affine) {
    return sknAreFinite(&affine->m[0][0], 12);
}

bool sknAffineIsIdentity(const VkskinAffine *affine) {
    bool identity = true;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            identity &= affine->m[row][column] == (row == column ? 1.0f : 0.0f);
        }
    }
    return identity;
}

bool sknTransformIsFinite(const VkskinTransform *transform) {
    bool finite = true;
    for (int i = 0; i < 3; ++i) {
        finite &= isfinite(transform->translation[i]) && isfinite(transform->scale[i]);
    }
    for (int i = 0; i < 4; ++i) {
        finite &= isfinite(transform->rotation[i]) != 0;
    }
    return finite;
}

/* ---- Quaternions ---- */

/*
 * Double precision, because the float dot product of pairs that are 0.04 degrees apart rounds to 1, and nearly
 * antipodal pairs would pass through zero.
 */

static void normalised(const float q[4], double unit[4]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double length = sqrt(x * x + y * y + z * z + w * w);
    if (length == 0.0) {
        unit[0] = unit[1] = unit[2] = 0.0;
        unit[3] = 1.0;
        return;
    }
    unit[0] = x / length;
    unit[1] = y / length;
    unit[2] = z / length;
    unit[3] = w / length;
}

void sknQuaternionNormalise(float q[4]) {
    double unit[4];
    normalised(q, unit);
    for (int i = 0; i < 4; ++i) {
        q[i] = (float)unit[i];
    }
}

void sknQuaternionSlerp(const float a[4], const float b[4], double weight, float result[4]) {
    double from[4];
    double to[4];
    normalised(a, from);
    normalised(b, to);
    const double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
    const double sign = dot < 0.0 ? -1.0 : 1.0;
    double apart = 0.0;
    double along = 0.0;
    for (int i = 0; i < 4; ++i) {
        to[i] *= sign;
        apart += (to[i] - from[i]) * (to[i] - from[i]);
        along += (to[i] + from[i]) * (to[i] + from[i]);
    }
    /* The angle from the chord is precise for small angles; an arc cosine is not. */
    const double angle = 2.0 * atan2(sqrt(apart), sqrt(along));
    double weightFrom = 1.0 - weight;
    double weightTo = weight;
    /* For smaller angles, arc and chord differ by less than float precision. */
    if (angle > 1e-3) {
        const double whole = sin(angle);
        weightFrom = sin(weightFrom * angle) / whole;
        weightTo = sin(weightTo * angle) / whole;
    }
    for (int i = 0; i < 4; ++i) {
        result[i] = (float)(weightFrom * from[i] + weightTo * to[i]);
    }
}

/* ---- Public calls ---- */

VkskinTransform vkskinIdentityTransform(void) {
    return (VkskinTransform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = {1.0f, 1.0f, 1.0f}};
}

VkskinAffine vkskinIdentityAffine(void) {
    return (VkskinAffine){.m = {{1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}};
}

VkskinAffine vkskinAffineFromTransform(const VkskinTransform *transform) {
    const AffineDouble affine = sknAffineFromTransform(transform);
    return sknAffineNarrow(&affine);
}

VkskinAffine vkskinMultiplyAffine(const VkskinAffine *a, const VkskinAffine *b) {
    const AffineDouble wideA = sknAffineWiden(a);
    const AffineDouble wideB = sknAffineWiden(b);
    const AffineDouble product = sknAffineMultiply(&wideA, &wideB);
    return sknAffineNarrow(&product);
}

VkskinResult vkskinInvertAffine(const VkskinAffine *affine, VkskinAffine *inverse) {
    if (affine == NULL || inverse == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const AffineDouble wide = sknAffineWiden(affine);
    AffineDouble wideInverse;
    if (!sknAffineInvert(&wide, &wideInverse)) {
        return VKSKIN_ERROR_SINGULAR_MATRIX;
    }
    *inverse = sknAffineNarrow(&wideInverse);
    return VKSKIN_SUCCESS;
}
