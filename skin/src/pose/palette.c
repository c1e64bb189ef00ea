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

/* Writes the entry of a matrix that is finite as floats too: a success or a warning; or nothing and an error. */
typedef VkskinResult (*WriteEntry)(const AffineDouble *matrix, unsigned char *entry);

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

static const struct {
    uint32_t stride;
    WriteEntry write;
} encodings[VKSKIN_PALETTE_ENCODING_COUNT] = {
    [VKSKIN_PALETTE_MAT3X4] = {sizeof(VkskinAffine), writeMatrix},
    [VKSKIN_PALETTE_DUAL_QUATERNION] = {sizeof(DualQuaternion), writeDualQuaternion},
    [VKSKIN_PALETTE_SCALED_DUAL_QUATERNION] = {sizeof(ScaledDualQuaternion), writeScaledDualQuaternion},
    [VKSKIN_PALETTE_QUATERNION] = {sizeof(Similarity), writeQuaternion},
    [VKSKIN_PALETTE_QUATERNION_HALF] = {sizeof(SimilarityHalf), writeQuaternionHalf},
    [VKSKIN_PALETTE_QUATERNION_SNORM16] = {sizeof(SimilaritySnorm16), writeQuaternionSnorm16},
    [VKSKIN_PALETTE_MAT2X3] = {sizeof(FlatMatrix), writeFlatMatrix},
};

uint32_t vkskinPaletteStride(VkskinPaletteEncoding encoding) {
    return (uint32_t)encoding < VKSKIN_PALETTE_ENCODING_COUNT ? encodings[encoding].stride : 0;
}

VkskinResult sknWriteBone(const AffineDouble *matrix, uint32_t bone, VkskinPaletteEncoding encoding, void *palette) {
    const VkskinAffine narrow = sknAffineNarrow(matrix);
    if (!sknAffineIsFinite(&narrow)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    return encodings[encoding].write(matrix, (unsigned char *)palette + (size_t)bone * encodings[encoding].stride);
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
