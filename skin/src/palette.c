#include <string.h>

#include "affine.h"
#include "dual_quaternion.h"
#include "skin.h"

_Static_assert(sizeof(VkskinAffine) == 48, "three float4 rows");
_Static_assert(sizeof(DualQuaternion) == 32, "two float4");

uint32_t vkskinPaletteStride(VkskinPaletteEncoding encoding) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return sizeof(VkskinAffine);
    case VKSKIN_PALETTE_DUAL_QUATERNION:
        return sizeof(DualQuaternion);
    default:
        break;
    }
    return 0;
}

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

static VkskinResult writeMatrices(VkskinSkin skin, const VkskinAffine *world, unsigned char *palette) {
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        const AffineDouble matrix = boneMatrix(skin, world, bone);
        const VkskinAffine entry = sknAffineNarrow(&matrix);
        if (!sknAffineIsFinite(&entry)) {
            return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
        memcpy(palette + (size_t)bone * sizeof entry, &entry, sizeof entry);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult writeDualQuaternions(VkskinSkin skin, const VkskinAffine *world, unsigned char *palette) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        const AffineDouble matrix = boneMatrix(skin, world, bone);
        const VkskinAffine narrow = sknAffineNarrow(&matrix);
        if (!sknAffineIsFinite(&narrow)) {
            return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
        DualQuaternion entry;
        if (!sknDualQuaternionFromAffine(&matrix, &entry)) {
            result = VKSKIN_WARNING_SCALE_LOST;
        }
        memcpy(palette + (size_t)bone * sizeof entry, &entry, sizeof entry);
    }
    return result;
}

VkskinResult vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, uint32_t worldCount,
                                VkskinPaletteEncoding encoding, void *palette, uint32_t boneCount) {
    if (skin == NULL || world == NULL || palette == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (worldCount < skin->nodeCount) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    if (boneCount < skin->boneCount) {
        return VKSKIN_ERROR_PALETTE_TOO_SMALL;
    }
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return writeMatrices(skin, world, palette);
    case VKSKIN_PALETTE_DUAL_QUATERNION:
        return writeDualQuaternions(skin, world, palette);
    default:
        break;
    }
    return VKSKIN_ERROR_INVALID_VALUE;
}
