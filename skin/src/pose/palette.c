#include "palette.h"

#include <math.h>
#include <string.h>

#include "dual_quaternion.h"
#include "flat_matrix.h"
#include "similarity.h"
#include "skin.h"

_Static_assert(sizeof(VkskinAffine) == 48, "three float4 rows");
_Static_assert(sizeof(DualQuaternion) == 32, "two float4");
_Static_assert(sizeof(ScaledDualQuaternion) == 64, "four float4");
_Static_assert(sizeof(Similarity) == 32, "two float4");
_Static_assert(sizeof(SimilarityHalf) == 16, "eight halves");
_Static_assert(sizeof(SimilaritySnorm16) == 24, "four snorm16, then four floats");
_Static_assert(sizeof(FlatMatrix) == 24, "two rows of three floats");

/* inverse(meshToModel) x world x inverse bind, without the factors that are the identity. */
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

/* Each of the following writes the entry of a matrix whose elements are finite as floats. On error nothing is written. */

static VkskinResult writeMatrix(const AffineDouble *matrix, unsigned char *entry) {
    const VkskinAffine narrow = sknAffineNarrow(matrix);
    memcpy(entry, &narrow, sizeof narrow);
    return VKSKIN_SUCCESS;
}

static VkskinResult writeDualQuaternion(const AffineDouble *matrix, unsigned char *entry) {
    DualQuaternion bone;
    const bool rigid = sknDualQuaternionFromAffine(matrix, &bone);
    memcpy(entry, &bone, sizeof bone);
    return rigid ? VKSKIN_SUCCESS : VKSKIN_WARNING_SCALE_LOST;
}

static VkskinResult writeScaledDualQuaternion(const AffineDouble *matrix, unsigned char *entry) {
    ScaledDualQuaternion bone;
    sknScaledDualQuaternionFromAffine(matrix, &bone);
    for (int i = 0; i < 6; ++i) {
        if (!isfinite(bone.stretch[i])) {
            return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
    }
    memcpy(entry, &bone, sizeof bone);
    return VKSKIN_SUCCESS;
}

static VkskinResult writeQuaternion(const AffineDouble *matrix, unsigned char *entry) {
    Similarity bone;
    const bool held = sknSimilarityFromAffine(matrix, &bone);
    if (!isfinite(bone.scale)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    memcpy(entry, &bone, sizeof bone);
    return held ? VKSKIN_SUCCESS : VKSKIN_WARNING_SCALE_LOST;
}

/* The least that halves hold with all their bits. */
#define LEAST_HALF 6.103515625e-5f

static VkskinResult writeQuaternionHalf(const AffineDouble *matrix, unsigned char *entry) {
    Similarity bone;
    SimilarityHalf half;
    bool held = sknSimilarityFromAffine(matrix, &bone);
    held &= bone.scale == 0.0f || fabsf(bone.scale) >= LEAST_HALF;
    if (!sknSimilarityToHalf(&bone, &half)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    memcpy(entry, &half, sizeof half);
    return held ? VKSKIN_SUCCESS : VKSKIN_WARNING_SCALE_LOST;
}

static VkskinResult writeQuaternionSnorm16(const AffineDouble *matrix, unsigned char *entry) {
    Similarity bone;
    const bool held = sknSimilarityFromAffine(matrix, &bone);
    if (!isfinite(bone.scale)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    const SimilaritySnorm16 rounded = sknSimilarityToSnorm16(&bone);
    memcpy(entry, &rounded, sizeof rounded);
    return held ? VKSKIN_SUCCESS : VKSKIN_WARNING_SCALE_LOST;
}

static VkskinResult writeFlatMatrix(const AffineDouble *matrix, unsigned char *entry) {
    FlatMatrix bone;
    const bool flat = sknFlatMatrixFromAffine(matrix, &bone);
    memcpy(entry, &bone, sizeof bone);
    return flat ? VKSKIN_SUCCESS : VKSKIN_WARNING_DEPTH_LOST;
}

#define RETURN_STRIDE(name, bytes, text)                                                                               \
    case VKSKIN_PALETTE_##name:                                                                                        \
        return (bytes);

static inline uint32_t strideOf(VkskinPaletteEncoding encoding) {
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
