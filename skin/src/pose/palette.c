#include "palette.h"

#include <math.h>
#include <string.h>

#include "polar.h"
#include "skeleton.h"

/* ---- Layout of the entries ---- */

/* Rotation (x, y, z, w) of unit length; `dual` is half of translation times `real`. */
typedef struct DualQuaternion {
    float real[4];
    float dual[4];
} DualQuaternion;

/* A symmetric stretch (xx, yy, zz, xy, xz, yz), then the rigid transform. */
typedef struct ScaledDualQuaternion {
    DualQuaternion rigid;
    float stretch[6];
    float zero[2];
} ScaledDualQuaternion;

/* p' = scale x rotate(p) + translation. The rotation (x, y, z, w) has unit length; the scale may be negative or 0. */
typedef struct Similarity {
    float rotation[4];
    float translation[3];
    float scale;
} Similarity;

typedef struct SimilarityHalf {
    uint16_t rotation[4];
    uint16_t translation[3];
    uint16_t scale;
} SimilarityHalf;

typedef struct SimilaritySnorm16 {
    int16_t rotation[4]; /* 32767 is 1 */
    float translation[3];
    float scale;
} SimilaritySnorm16;

/* m[row] is (m[row][0], m[row][1], translation). */
typedef struct FlatMatrix {
    float m[2][3];
} FlatMatrix;

_Static_assert(sizeof(VkskinAffine) == 48, "three float4 rows");
_Static_assert(sizeof(DualQuaternion) == 32, "two float4");
_Static_assert(sizeof(ScaledDualQuaternion) == 64, "four float4");
_Static_assert(sizeof(Similarity) == 32, "two float4");
_Static_assert(sizeof(SimilarityHalf) == 16, "eight halves");
_Static_assert(sizeof(SimilaritySnorm16) == 24, "four snorm16, then four floats");
_Static_assert(sizeof(FlatMatrix) == 24, "two rows of three floats");

/* Each function below writes the entry of a matrix that is finite in floats. On an error it writes nothing. */

static VkskinResult writeMatrix(const AffineDouble *matrix, unsigned char *entry) {
    const VkskinAffine narrow = sknAffineNarrow(matrix);
    memcpy(entry, &narrow, sizeof narrow);
    return VKSKIN_SUCCESS;
}

/* ---- Dual quaternions ---- */

/* The dual part is calculated from the rounded real part: dividing by that gives the exact translation. */
static DualQuaternion fromRotation(const double rotation[4], const AffineDouble *affine) {
    DualQuaternion result;
    for (int i = 0; i < 4; ++i) {
        result.real[i] = (float)rotation[i];
    }
    const float *q = result.real;
    const double x = affine->m[0][3];
    const double y = affine->m[1][3];
    const double z = affine->m[2][3];
    result.dual[0] = (float)(0.5 * (x * q[3] + y * q[2] - z * q[1]));
    result.dual[1] = (float)(0.5 * (y * q[3] + z * q[0] - x * q[2]));
    result.dual[2] = (float)(0.5 * (z * q[3] + x * q[1] - y * q[0]));
    result.dual[3] = (float)(-0.5 * (x * q[0] + y * q[1] + z * q[2]));
    return result;
}

/* Warns if the matrix is not rigid within 0.1 %: scale and shear are lost. */
static VkskinResult writeDualQuaternion(const AffineDouble *matrix, unsigned char *entry) {
    double rotation[4];
    const bool rigid = sknNearestRotation(matrix, rotation);
    const DualQuaternion bone = fromRotation(rotation, matrix);
    memcpy(entry, &bone, sizeof bone);
    return rigid ? VKSKIN_SUCCESS : VKSKIN_WARNING_SCALE_LOST;
}

static VkskinResult writeScaledDualQuaternion(const AffineDouble *matrix, unsigned char *entry) {
    double rotation[4];
    sknPolarRotation(matrix, rotation);
    ScaledDualQuaternion bone = {.rigid = fromRotation(rotation, matrix)};
    sknPolarStretch(matrix, bone.rigid.real, bone.stretch);
    for (int i = 0; i < 6; ++i) {
        if (!isfinite(bone.stretch[i])) {
            return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
    }
    memcpy(entry, &bone, sizeof bone);
    return VKSKIN_SUCCESS;
}

/* ---- Rotation, translation and uniform scale ---- */

static bool isZero(const AffineDouble *affine) {
    bool zero = true;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            zero &= affine->m[row][column] == 0.0;
        }
    }
    return zero;
}

/* The rotation of a matrix whose scale is known. False if the matrix is not the product of the two. */
static bool rotationBesideScale(const AffineDouble *affine, double scale, double rotation[4]) {
    if (scale == 0.0) {
        sknPolarRotation(affine, rotation);
        return isZero(affine);
    }
    AffineDouble unit = *affine;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            unit.m[row][column] /= scale;
        }
    }
    return sknNearestRotation(&unit, rotation);
}

/*
 * The translation, the scale of the same volume and its rotation (polar.h). Warns if another scale or shear beyond
 * 0.1 % is lost. TRANSFORM_NOT_FINITE if the scale does not fit a float.
 */
static VkskinResult similarityFromAffine(const AffineDouble *affine, Similarity *result) {
    AffineDouble work = *affine;
    double cofactors[3][3];
    const double scale = cbrt(sknAffineCofactors(work.m, cofactors));
    double rotation[4];
    const bool held = rotationBesideScale(affine, scale, rotation);
    for (int i = 0; i < 4; ++i) {
        result->rotation[i] = (float)rotation[i];
    }
    for (int i = 0; i < 3; ++i) {
        result->translation[i] = (float)affine->m[i][3];
    }
    result->scale = (float)scale;
    if (!isfinite(result->scale)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    return held ? VKSKIN_SUCCESS : VKSKIN_WARNING_SCALE_LOST;
}

static VkskinResult writeQuaternion(const AffineDouble *matrix, unsigned char *entry) {
    Similarity bone;
    const VkskinResult result = similarityFromAffine(matrix, &bone);
    if (result >= 0) {
        memcpy(entry, &bone, sizeof bone);
    }
    return result;
}

static VkskinResult writeQuaternionSnorm16(const AffineDouble *matrix, unsigned char *entry) {
    Similarity bone;
    const VkskinResult result = similarityFromAffine(matrix, &bone);
    if (result < 0) {
        return result;
    }
    SimilaritySnorm16 rounded = {.scale = bone.scale};
    for (int i = 0; i < 4; ++i) {
        rounded.rotation[i] = (int16_t)lroundf(32767.0f * bone.rotation[i]);
    }
    memcpy(rounded.translation, bone.translation, sizeof rounded.translation);
    memcpy(entry, &rounded, sizeof rounded);
    return result;
}

/* ---- Halves ---- */

#define HALF_INFINITY 0x7c00u
#define FLOAT_BIAS    127
#define HALF_BIAS     15
#define BITS_DROPPED  13 /* half floats keep 10 of the 23 fraction bits of a float */

/* value / 2^bits, rounded to nearest, ties to even. */
static uint32_t shiftToNearestEven(uint32_t value, uint32_t bits) {
    const uint32_t kept = value >> bits;
    const uint32_t rest = value - (kept << bits);
    const uint32_t middle = 1u << (bits - 1);
    return kept + (rest > middle || (rest == middle && (kept & 1u) != 0));
}

bool sknHalfFromFloat(float value, uint16_t *half) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    const int32_t exponent = (int32_t)(bits >> 23 & 0xffu) - FLOAT_BIAS + HALF_BIAS;
    const uint32_t fraction = bits & 0x7fffffu;
    uint32_t magnitude;
    if (exponent > 0 && exponent < 31) {
        /* A fraction of all ones that rounds up carries into the exponent: the next half, or infinity. */
        magnitude = shiftToNearestEven((uint32_t)exponent << 23 | fraction, BITS_DROPPED);
    } else if (exponent <= 0 && exponent >= -10) {
        magnitude = shiftToNearestEven(0x800000u | fraction, (uint32_t)(BITS_DROPPED + 1 - exponent));
    } else {
        magnitude = exponent < 0 ? 0 : HALF_INFINITY;
    }
    *half = (uint16_t)(sign | magnitude);
    return magnitude < HALF_INFINITY;
}

/* The smallest normal half. */
#define SMALLEST_HALF 6.103515625e-5f

static VkskinResult writeQuaternionHalf(const AffineDouble *matrix, unsigned char *entry) {
    Similarity bone;
    SimilarityHalf half;
    const VkskinResult result = similarityFromAffine(matrix, &bone);
    const bool held = bone.scale == 0.0f || fabsf(bone.scale) >= SMALLEST_HALF;
    bool finite = sknHalfFromFloat(bone.scale, &half.scale);
    for (int i = 0; i < 4; ++i) {
        finite &= sknHalfFromFloat(bone.rotation[i], &half.rotation[i]);
    }
    for (int i = 0; i < 3; ++i) {
        finite &= sknHalfFromFloat(bone.translation[i], &half.translation[i]);
    }
    if (!finite) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    memcpy(entry, &half, sizeof half);
    return held ? result : VKSKIN_WARNING_SCALE_LOST;
}

/* ---- 2D matrices ---- */

#define DEPTH_TOLERANCE 1e-3

/*
 * Writes the rows of x and y without the column of z. Warns if the matrix leaves the plane: an element of the third row
 * or column above 0.1 % of the largest in the plane, or a movement along z above 0.1 % of the largest in the plane.
 */
static VkskinResult writeFlatMatrix(const AffineDouble *affine, unsigned char *entry) {
    FlatMatrix bone;
    double size = 0.0;
    double movement = 0.0;
    double across = 0.0; /* between the plane and z */
    for (int i = 0; i < 2; ++i) {
        const double *row = affine->m[i];
        bone.m[i][0] = (float)row[0];
        bone.m[i][1] = (float)row[1];
        bone.m[i][2] = (float)row[3];
        size = fmax(size, fmax(fabs(row[0]), fabs(row[1])));
        movement = fmax(movement, fabs(row[3]));
        across = fmax(across, fmax(fabs(row[2]), fabs(affine->m[2][i])));
    }
    memcpy(entry, &bone, sizeof bone);
    const bool flat =
        across <= DEPTH_TOLERANCE * size && fabs(affine->m[2][3]) <= DEPTH_TOLERANCE * fmax(size, movement);
    return flat ? VKSKIN_SUCCESS : VKSKIN_WARNING_DEPTH_LOST;
}

/* ---- Palettes ---- */

#define RETURN_STRIDE(name, bytes, text)                                                                               \
    case VKSKIN_PALETTE_##name:                                                                                        \
        return (bytes);

static inline uint32_t strideOf(VkskinPaletteEncoding encoding) {
    /* NOLINTNEXTLINE(bugprone-branch-clone): two encodings of the list may have one stride */
    switch (encoding) { VKSKIN_PALETTE_ENCODINGS(RETURN_STRIDE) }
    return 0;
}

uint32_t vkskinPaletteStride(VkskinPaletteEncoding encoding) {
    return strideOf(encoding);
}

static VkskinResult writeEntry(const AffineDouble *matrix, VkskinPaletteEncoding encoding, unsigned char *entry) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return writeMatrix(matrix, entry);
    case VKSKIN_PALETTE_DUAL_QUATERNION:
        return writeDualQuaternion(matrix, entry);
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return writeScaledDualQuaternion(matrix, entry);
    case VKSKIN_PALETTE_QUATERNION:
        return writeQuaternion(matrix, entry);
    case VKSKIN_PALETTE_QUATERNION_HALF:
        return writeQuaternionHalf(matrix, entry);
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        return writeQuaternionSnorm16(matrix, entry);
    case VKSKIN_PALETTE_MAT2X3:
        return writeFlatMatrix(matrix, entry);
    }
    return VKSKIN_ERROR_INVALID_VALUE;
}

VkskinResult sknWriteBone(const AffineDouble *matrix, uint32_t bone, VkskinPaletteEncoding encoding, void *palette) {
    const VkskinAffine narrow = sknAffineNarrow(matrix);
    if (!sknAffineIsFinite(&narrow)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    return writeEntry(matrix, encoding, (unsigned char *)palette + (size_t)bone * strideOf(encoding));
}

/* inverse(meshToModel) x world x inverse bind. Omits factors that are the identity. */
static AffineDouble boneMatrix(VkskinSkin skin, const VkskinAffine *world, uint32_t bone) {
    AffineDouble matrix = sknAffineWiden(&world[skin->boneNodes[bone]]);
    if (skin->inverseBinds != NULL) {
        const AffineDouble inverseBind = sknAffineWiden(&skin->inverseBinds[bone]);
        matrix = sknAffineMultiply(&matrix, &inverseBind);
    }
    if (skin->inMeshSpace) {
        matrix = sknAffineMultiply(&skin->modelToMesh, &matrix);
    }
    return matrix;
}

VkskinResult vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, uint32_t worldCount,
                                VkskinPaletteEncoding encoding, void *palette, uint32_t boneCount) {
    if (skin == NULL || world == NULL || palette == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (worldCount < skin->nodeCount || (uint32_t)encoding >= VKSKIN_PALETTE_ENCODING_COUNT) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    if (boneCount < skin->boneCount) {
        return VKSKIN_ERROR_PALETTE_TOO_SMALL;
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        const AffineDouble matrix = boneMatrix(skin, world, bone);
        const VkskinResult written = sknWriteBone(&matrix, bone, encoding, palette);
        if (written < VKSKIN_SUCCESS) {
            return written;
        }
        result = written != VKSKIN_SUCCESS ? written : result;
    }
    return result;
}

/* ---- Matrices of the host ---- */

#define MAX_MATRIX_STRIDE  65536u
#define LAST_ROW_TOLERANCE 1e-3f

static size_t matrixBytes(VkskinMatrixOrder order) {
    return (order == VKSKIN_MATRIX_COLUMN_MAJOR ? 16 : 12) * sizeof(float);
}

static size_t matrixStride(const VkskinMatrices *matrices) {
    return matrices->stride != 0 ? matrices->stride : matrixBytes(matrices->order);
}

static VkskinResult checkMatrices(const VkskinMatrices *matrices) {
    const size_t stride = matrixStride(matrices);
    if (matrices->data == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const bool good = matrices->count > 0 && (uint32_t)matrices->order <= VKSKIN_MATRIX_ROW_MAJOR &&
                      stride >= matrixBytes(matrices->order) && stride <= MAX_MATRIX_STRIDE &&
                      stride % sizeof(float) == 0;
    return good ? VKSKIN_SUCCESS : VKSKIN_ERROR_INVALID_VALUE;
}

/* Also false for NaN. Of a matrix in the other order this row is the translation. */
static bool hasLastRow(const float *columns) {
    return fabsf(columns[3]) <= LAST_ROW_TOLERANCE && fabsf(columns[7]) <= LAST_ROW_TOLERANCE &&
           fabsf(columns[11]) <= LAST_ROW_TOLERANCE && fabsf(columns[15] - 1.0f) <= LAST_ROW_TOLERANCE;
}

static VkskinAffine readColumns(const float *matrix) {
    VkskinAffine affine;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            affine.m[row][column] = matrix[4 * column + row];
        }
    }
    return affine;
}

/* The matrix is checked before it is used. */
static VkskinResult readMatrix(const float *matrix, VkskinMatrixOrder order, VkskinAffine *affine) {
    if (order == VKSKIN_MATRIX_COLUMN_MAJOR) {
        *affine = readColumns(matrix);
    } else {
        memcpy(affine, matrix, sizeof *affine);
    }
    if (!sknAffineIsFinite(affine)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    return order == VKSKIN_MATRIX_COLUMN_MAJOR && !hasLastRow(matrix) ? VKSKIN_ERROR_TRANSFORM_NOT_AFFINE
                                                                      : VKSKIN_SUCCESS;
}

/* MAT3X4, the usual encoding, takes no detour over doubles. */
static VkskinResult convertMatrix(const float *matrix, VkskinMatrixOrder order, VkskinPaletteEncoding encoding,
                                  unsigned char *entry) {
    VkskinAffine affine;
    const VkskinResult result = readMatrix(matrix, order, &affine);
    if (result < 0) {
        return result;
    }
    if (encoding == VKSKIN_PALETTE_MAT3X4) {
        memcpy(entry, &affine, sizeof affine);
        return VKSKIN_SUCCESS;
    }
    const AffineDouble wide = sknAffineWiden(&affine);
    return writeEntry(&wide, encoding, entry);
}

static VkskinResult convertMatrices(const VkskinMatrices *matrices, VkskinPaletteEncoding encoding, void *palette,
                                    uint32_t *bone) {
    const size_t stride = matrixStride(matrices);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < matrices->count; ++i) {
        const void *matrix = (const unsigned char *)matrices->data + stride * i;
        const VkskinResult written =
            convertMatrix(matrix, matrices->order, encoding, (unsigned char *)palette + (size_t)strideOf(encoding) * i);
        if (written != VKSKIN_SUCCESS && (result == VKSKIN_SUCCESS || written < VKSKIN_SUCCESS)) {
            result = written;
            *bone = i;
        }
        if (written < VKSKIN_SUCCESS) {
            break;
        }
    }
    return result;
}

VkskinResult vkskinWriteMatrices(const VkskinMatrices *matrices, VkskinPaletteEncoding encoding, void *palette,
                                 uint32_t boneCount, uint32_t *bone) {
    if (matrices == NULL || palette == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = checkMatrices(matrices);
    if (result < 0) {
        return result;
    }
    if ((uint32_t)encoding >= VKSKIN_PALETTE_ENCODING_COUNT) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    if (boneCount < matrices->count) {
        return VKSKIN_ERROR_PALETTE_TOO_SMALL;
    }
    uint32_t first = 0;
    result = convertMatrices(matrices, encoding, palette, &first);
    if (bone != NULL) {
        *bone = first;
    }
    return result;
}

VkskinResult vkskinAffinesFromMatrices(const VkskinMatrices *matrices, VkskinAffine *affines, size_t stride,
                                       uint32_t *element) {
    if (matrices == NULL || affines == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = checkMatrices(matrices);
    if (result >= 0 && stride != 0 && (stride < sizeof *affines || stride % sizeof(float) != 0)) {
        result = VKSKIN_ERROR_INVALID_VALUE;
    }
    uint32_t i = 0;
    for (; result >= 0 && i < matrices->count; ++i) {
        const void *matrix = (const unsigned char *)matrices->data + matrixStride(matrices) * i;
        VkskinAffine affine;
        result = readMatrix(matrix, matrices->order, &affine);
        if (result >= 0) {
            memcpy((unsigned char *)affines + (stride != 0 ? stride : sizeof affine) * i, &affine, sizeof affine);
        }
    }
    if (element != NULL) {
        *element = result < 0 && i > 0 ? i - 1 : 0;
    }
    return result;
}
