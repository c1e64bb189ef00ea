/* Matrices, polar decomposition and palette entries of the reference. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
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

/* ---- Palette entries ---- */

#define SNORM16 32767.0

/* A bone's parts; the encoding has either the stretch or the scale, which is applied first. */
typedef struct Parts {
    double rotation[4]; /* x, y, z, w */
    double translation[3];
    double stretch[3][3];
    double scale;
} Parts;

/* IEEE 754 binary16, ties to even; infinity above 65,504. */
static uint16_t halfFrom(double value) {
    uint16_t sign = signbit(value) ? 0x8000u : 0u;
    int exponent = 0;
    frexp(fmax(fabs(value), 0x1p-14), &exponent); /* in [0.5, 1) x 2^exponent; denormals share the smallest one */
    double steps = nearbyint(ldexp(fabs(value), 11 - exponent)); /* of the last bit; 2048 carries into the exponent */
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

static void splitUniform(const ReferenceMatrix *bone, Parts *parts) {
    double determinant = referenceDeterminant(bone);
    ReferenceMatrix upright = *bone; /* without the sign of the scale */
    for (int e = 0; e < 9 && determinant < 0.0; e++) {
        upright.m[e / 3][e % 3] = -upright.m[e / 3][e % 3];
    }
    referenceNearestRotation(&upright, parts->rotation);
    parts->scale = cbrt(determinant);
}

static Parts splitBone(const ReferenceMatrix *bone, bool uniform, bool antipode) {
    Parts parts;
    if (uniform) {
        splitUniform(bone, &parts);
    } else {
        referenceNearestRotation(bone, parts.rotation);
        referenceStretch(bone, parts.rotation, parts.stretch);
    }
    for (int i = 0; i < 3; i++) {
        parts.translation[i] = bone->m[i][3];
    }
    for (int i = 0; i < 4 && antipode; i++) {
        parts.rotation[i] = -parts.rotation[i];
    }
    return parts;
}

static void writeRows(const ReferenceMatrix *bone, int rows, float *out) {
    int columns = rows == 2 ? 2 : 3;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            *out++ = (float)bone->m[r][c];
        }
        *out++ = (float)bone->m[r][3];
    }
}

/* The dual part is half of the product of translation and rotation. */
static void writeDual(const Parts *parts, float *out) {
    const double *q = parts->rotation, *t = parts->translation;
    for (int i = 0; i < 4; i++) {
        out[i] = (float)q[i];
    }
    out[4] = (float)(0.5 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]));
    out[5] = (float)(0.5 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]));
    out[6] = (float)(0.5 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]));
    out[7] = (float)(-0.5 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2]));
}

static void writeStretch(const double stretch[3][3], float *out) {
    const double values[8] = {stretch[0][0], stretch[1][1], stretch[2][2], stretch[0][1],
                              stretch[0][2], stretch[1][2], 0.0,           0.0};
    for (int i = 0; i < 8; i++) {
        out[i] = (float)values[i];
    }
}

static void writeHalves(const double values[8], uint16_t *out) {
    for (int i = 0; i < 8; i++) {
        out[i] = halfFrom(values[i]);
    }
}

/* Rotation, translation, uniform scale. */
static void listParts(const Parts *parts, double values[8]) {
    const double *q = parts->rotation, *t = parts->translation;
    const double list[8] = {q[0], q[1], q[2], q[3], t[0], t[1], t[2], parts->scale};
    memcpy(values, list, sizeof list);
}

static void writeFloats(const double values[8], float *out) {
    for (int i = 0; i < 8; i++) {
        out[i] = (float)values[i];
    }
}

static void writeSnorms(const double values[8], void *entry) {
    float floats[8];
    int16_t rotation[4];
    writeFloats(values, floats);
    for (int i = 0; i < 4; i++) {
        rotation[i] = (int16_t)nearbyint(values[i] * SNORM16);
    }
    memcpy(entry, rotation, sizeof rotation);
    memcpy((char *)entry + sizeof rotation, floats + 4, 16);
}

void paletteEntry(VkskinPaletteEncoding encoding, const ReferenceMatrix *bone, bool antipode, void *entry) {
    float floats[16] = {0};
    uint16_t halves[8];
    double values[8];
    Parts stretched = splitBone(bone, false, antipode), uniform = splitBone(bone, true, antipode);
    listParts(&uniform, values);
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        writeRows(bone, 3, floats);
        break;
    case VKSKIN_PALETTE_MAT2X3:
        writeRows(bone, 2, floats);
        break;
    case VKSKIN_PALETTE_DUAL_QUATERNION:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        writeDual(&stretched, floats);
        writeStretch((const double(*)[3])stretched.stretch, floats + 8);
        break;
    case VKSKIN_PALETTE_QUATERNION:
        writeFloats(values, floats);
        break;
    case VKSKIN_PALETTE_QUATERNION_HALF:
        writeHalves(values, halves);
        memcpy(floats, halves, sizeof halves);
        break;
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        writeSnorms(values, floats);
        break;
    }
    memcpy(entry, floats, vkskinPaletteStride(encoding));
}

static ReferenceMatrix readRows(const float *floats, int rows) {
    ReferenceMatrix matrix = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    int columns = rows == 2 ? 2 : 3;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            matrix.m[r][c] = *floats++;
        }
        matrix.m[r][3] = *floats++;
    }
    return matrix;
}

static ReferenceMatrix readDual(const float *floats, bool scaled) {
    double q[4] = {floats[0], floats[1], floats[2], floats[3]};
    const float *d = floats + 4, *s = floats + 8;
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double translation[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        translation[i] = 2.0 * (q[3] * d[i] - d[3] * q[i] + q[j] * d[k] - q[k] * d[j]) / square;
    }
    static const double noScale[3] = {1, 1, 1};
    ReferenceMatrix matrix = referenceCompose(translation, q, noScale);
    ReferenceMatrix stretch = {{{s[0], s[3], s[4], 0}, {s[3], s[1], s[5], 0}, {s[4], s[5], s[2], 0}}};
    return scaled ? referenceMultiply(&matrix, &stretch) : matrix;
}

/* values: rotation, translation, uniform scale. */
static ReferenceMatrix composeUniform(const double values[8]) {
    const double scale[3] = {values[7], values[7], values[7]};
    return referenceCompose(values + 4, values, scale);
}

static ReferenceMatrix readFloats(const float floats[8]) {
    double values[8];
    for (int i = 0; i < 8; i++) {
        values[i] = floats[i];
    }
    return composeUniform(values);
}

static ReferenceMatrix readHalves(const uint16_t halves[8]) {
    double values[8];
    for (int i = 0; i < 8; i++) {
        values[i] = fromHalf(halves[i]);
    }
    return composeUniform(values);
}

/* The rotation is not scaled: it is normalised later. */
static ReferenceMatrix readSnorms(const void *entry) {
    float floats[8];
    int16_t rotation[4];
    memcpy(rotation, entry, sizeof rotation);
    memcpy(floats + 4, (const char *)entry + sizeof rotation, 16);
    for (int i = 0; i < 4; i++) {
        floats[i] = (float)rotation[i];
    }
    return readFloats(floats);
}

ReferenceMatrix paletteEntryMatrix(VkskinPaletteEncoding encoding, const void *entry) {
    float floats[16] = {0};
    uint16_t halves[8];
    memcpy(floats, entry, vkskinPaletteStride(encoding));
    memcpy(halves, floats, sizeof halves);
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return readRows(floats, 3);
    case VKSKIN_PALETTE_MAT2X3:
        return readRows(floats, 2);
    case VKSKIN_PALETTE_DUAL_QUATERNION:
        return readDual(floats, false);
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return readDual(floats, true);
    case VKSKIN_PALETTE_QUATERNION:
        return readFloats(floats);
    case VKSKIN_PALETTE_QUATERNION_HALF:
        return readHalves(halves);
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        return readSnorms(floats);
    }
    abort(); /* not an encoding */
}
