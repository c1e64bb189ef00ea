#include "palette_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SNORM16 32767.0

/* Rotation (x, y, z, w), translation, and a stretch or a uniform scale before them. */
typedef struct Parts {
    double rotation[4];
    double translation[3];
    double stretch[3][3];
    double scale;
} Parts;

/* ---- Halves ---- */

/* IEEE 754 binary16, ties to even; beyond 65,504: infinity. */
static uint16_t halfFrom(double value) {
    uint16_t sign = signbit(value) ? 0x8000u : 0u;
    int exponent = 0;
    frexp(fmax(fabs(value), 0x1p-14), &exponent); /* in [0.5, 1) x 2^exponent; denormals share the smallest one */
    double steps = nearbyint(ldexp(fabs(value), 11 - exponent)); /* of the last bit; 2048: one binade up, as it adds */
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

/* ---- Taking a bone apart ---- */

static void splitUniform(const ReferenceMatrix *bone, Parts *parts) {
    double determinant = referenceDeterminant(bone);
    ReferenceMatrix upright = *bone; /* the scale's sign taken out */
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

/* ---- Writing ---- */

static void writeRows(const ReferenceMatrix *bone, int rows, float *out) {
    int columns = rows == 2 ? 2 : 3;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            *out++ = (float)bone->m[r][c];
        }
        *out++ = (float)bone->m[r][3];
    }
}

/* The dual part is half of translation times rotation. */
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

/* ---- Reading ---- */

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

/* The rotation stays as long as it is: it is normalised anyway. */
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
