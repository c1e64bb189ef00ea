/* Matrices, polar decomposition and palette entries of the reference. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double referenceNormalise(double *v, int size) {
    double square = 0.0;
    for (int i = 0; i < size; i++) {
        square += v[i] * v[i];
    }
    double length = sqrt(square);
    for (int i = 0; i < size; i++) {
        v[i] = length != 0.0 ? v[i] / length : 0.0;
    }
    return length;
}

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
    double q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
    referenceNormalise(q, 4);
    double x = q[0], y = q[1], z = q[2], w = q[3];
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

/* ---- Polar decomposition ---- */

/* Horn 1987: the quaternion q (x, y, z, w) with the largest q^T K q is the rotation nearest to the 3x3 part. */
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

/* One Jacobi rotation of rows and columns p and q of a symmetric matrix, and of the vectors' columns. */
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
    for (int sweep = 0; sweep < 20; sweep++) { /* converges quadratically: 6 would do */
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
            stretch[r][c] = 0.5 * (product[r][c] + product[c][r]); /* symmetric, except for rounding */
        }
    }
}

/* ---- Dual quaternions ---- */

/* The product a b of quaternions (x, y, z, w). */
static void multiplyQuaternions(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

void referenceDualPart(const ReferenceMatrix *matrix, const double real[4], double dual[4]) {
    double half[4] = {0.5 * matrix->m[0][3], 0.5 * matrix->m[1][3], 0.5 * matrix->m[2][3], 0.0};
    multiplyQuaternions(half, real, dual);
}

ReferenceMatrix referenceFromDual(const double real[4], const double dual[4]) {
    static const double noMove[3] = {0, 0, 0}, noScale[3] = {1, 1, 1};
    ReferenceMatrix matrix = referenceCompose(noMove, real, noScale);
    double conjugate[4] = {-real[0], -real[1], -real[2], real[3]};
    double half[4], square = 0.0;
    multiplyQuaternions(dual, conjugate, half);
    for (int i = 0; i < 4; i++) {
        square += real[i] * real[i];
    }
    for (int r = 0; r < 3; r++) {
        matrix.m[r][3] = 2.0 * half[r] / square;
    }
    return matrix;
}

/* ---- Palette entries: a list of numbers, and how an encoding stores it ---- */

#define MAX_NUMBERS 16
#define SNORM16     32767.0

/* IEEE 754 binary16, ties to even; infinity above 65,504. */
static uint16_t halfFrom(double value) {
    uint16_t sign = signbit(value) ? 0x8000u : 0u;
    int exponent = 0;
    frexp(fmax(fabs(value), 0x1p-14), &exponent); /* in [0.5, 1) x 2^exponent; denormals share the smallest one */
    double steps =
        nearbyint(ldexp(fabs(value), 11 - exponent)); /* steps of the last bit; 2048 carries into the exponent */
    double bits = steps + (double)((exponent + 13) * 1024);
    return (uint16_t)(sign | (bits < 0x7c00 ? (uint16_t)bits : 0x7c00u));
}

static double fromHalf(uint16_t half) {
    int exponent = half >> 10 & 31;
    double fraction = half & 1023;
    double size = exponent == 0    ? ldexp(fraction, -24)
                  : exponent == 31 ? INFINITY
                                   : ldexp(fraction + 1024.0, exponent - 25);
    return half >> 15 != 0 ? -size : size;
}

typedef enum NumberFormat { NUMBER_FLOAT, NUMBER_HALF, NUMBER_SNORM16 } NumberFormat;

static NumberFormat formatOf(VkskinPaletteEncoding encoding, int index) {
    bool rotation = index < 4;
    return encoding == VKSKIN_PALETTE_QUATERNION_HALF                  ? NUMBER_HALF
           : encoding == VKSKIN_PALETTE_QUATERNION_SNORM16 && rotation ? NUMBER_SNORM16
                                                                       : NUMBER_FLOAT;
}

static void store(VkskinPaletteEncoding encoding, const double numbers[MAX_NUMBERS], void *entry) {
    char *end = (char *)entry + vkskinPaletteStride(encoding), *at = entry;
    for (int i = 0; at < end; i++) {
        NumberFormat format = formatOf(encoding, i);
        float number = (float)numbers[i];
        uint16_t half = 0;
        if (format == NUMBER_HALF) {
            half = halfFrom(numbers[i]);
        } else if (format == NUMBER_SNORM16) {
            half = (uint16_t)(int16_t)nearbyint(numbers[i] * SNORM16);
        }
        size_t size = format == NUMBER_FLOAT ? sizeof number : sizeof half;
        memcpy(at, format == NUMBER_FLOAT ? (const void *)&number : &half, size);
        at += size;
    }
}

/* Signed normalised numbers are not divided: a quaternion is normalised later. */
static void load(VkskinPaletteEncoding encoding, const void *entry, double numbers[MAX_NUMBERS]) {
    const char *end = (const char *)entry + vkskinPaletteStride(encoding), *at = entry;
    for (int i = 0; at < end; i++) {
        NumberFormat format = formatOf(encoding, i);
        float number;
        uint16_t half;
        if (format == NUMBER_FLOAT) {
            memcpy(&number, at, sizeof number);
            numbers[i] = number;
            at += sizeof number;
        } else {
            memcpy(&half, at, sizeof half);
            numbers[i] = format == NUMBER_HALF ? fromHalf(half) : (double)(int16_t)half;
            at += sizeof half;
        }
    }
}

/* A matrix of 3 rows of 4, or of 2 rows of 3. */
static void listRows(const ReferenceMatrix *bone, int rows, double *numbers) {
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < rows; c++) {
            *numbers++ = bone->m[r][c];
        }
        *numbers++ = bone->m[r][3];
    }
}

static ReferenceMatrix fromRows(const double *numbers, int rows) {
    ReferenceMatrix matrix = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < rows; c++) {
            matrix.m[r][c] = *numbers++;
        }
        matrix.m[r][3] = *numbers++;
    }
    return matrix;
}

/* Rotation, dual part, stretch. */
static void listDual(const ReferenceMatrix *bone, double sign, double numbers[MAX_NUMBERS]) {
    double s[3][3];
    referenceNearestRotation(bone, numbers);
    referenceStretch(bone, numbers, s);
    for (int i = 0; i < 4; i++) {
        numbers[i] *= sign;
    }
    referenceDualPart(bone, numbers, numbers + 4);
    const double stretch[6] = {s[0][0], s[1][1], s[2][2], s[0][1], s[0][2], s[1][2]};
    memcpy(numbers + 8, stretch, sizeof stretch);
}

static ReferenceMatrix fromDual(const double numbers[MAX_NUMBERS], bool scaled) {
    const double *s = numbers + 8;
    ReferenceMatrix matrix = referenceFromDual(numbers, numbers + 4);
    ReferenceMatrix stretch = {{{s[0], s[3], s[4], 0}, {s[3], s[1], s[5], 0}, {s[4], s[5], s[2], 0}}};
    return scaled ? referenceMultiply(&matrix, &stretch) : matrix;
}

/* Rotation, translation, uniform scale, which is applied first. */
static void listUniform(const ReferenceMatrix *bone, double sign, double numbers[MAX_NUMBERS]) {
    double determinant = referenceDeterminant(bone);
    ReferenceMatrix upright = *bone; /* without the sign of the scale */
    for (int e = 0; e < 9 && determinant < 0.0; e++) {
        upright.m[e / 3][e % 3] = -upright.m[e / 3][e % 3];
    }
    referenceNearestRotation(&upright, numbers);
    for (int i = 0; i < 4; i++) {
        numbers[i] *= sign;
        numbers[4 + i] = i < 3 ? bone->m[i][3] : cbrt(determinant);
    }
}

static ReferenceMatrix fromUniform(const double numbers[MAX_NUMBERS]) {
    const double scale[3] = {numbers[7], numbers[7], numbers[7]};
    return referenceCompose(numbers + 4, numbers, scale);
}

void paletteEntry(VkskinPaletteEncoding encoding, const ReferenceMatrix *bone, bool antipode, void *entry) {
    double numbers[MAX_NUMBERS] = {0}, sign = antipode ? -1.0 : 1.0;
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        listRows(bone, 3, numbers);
        break;
    case VKSKIN_PALETTE_MAT2X3:
        listRows(bone, 2, numbers);
        break;
    case VKSKIN_PALETTE_DUAL_QUATERNION:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        listDual(bone, sign, numbers);
        break;
    case VKSKIN_PALETTE_QUATERNION:
    case VKSKIN_PALETTE_QUATERNION_HALF:
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        listUniform(bone, sign, numbers);
        break;
    }
    store(encoding, numbers, entry);
}

ReferenceMatrix paletteEntryMatrix(VkskinPaletteEncoding encoding, const void *entry) {
    double numbers[MAX_NUMBERS] = {0};
    load(encoding, entry, numbers);
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return fromRows(numbers, 3);
    case VKSKIN_PALETTE_MAT2X3:
        return fromRows(numbers, 2);
    case VKSKIN_PALETTE_DUAL_QUATERNION:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return fromDual(numbers, encoding == VKSKIN_PALETTE_SCALED_DUAL_QUATERNION);
    case VKSKIN_PALETTE_QUATERNION:
    case VKSKIN_PALETTE_QUATERNION_HALF:
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        return fromUniform(numbers);
    }
    abort(); /* not an encoding */
}
