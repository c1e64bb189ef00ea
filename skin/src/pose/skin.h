/*
 * skin.h: what a skin holds. Immutable once made.
 */
#ifndef VKSKIN_SKIN_H
#define VKSKIN_SKIN_H

#include "affine.h"

#define MAX_BONES (1u << 20)

struct VkskinSkin_T {
    VkskinHostAllocator allocator;
    uint32_t nodeCount;
    uint32_t boneCount;
    uint32_t *boneNodes;        /* [boneCount] */
    VkskinAffine *inverseBinds; /* [boneCount] or null: all identity */
    bool inMeshSpace;           /* false: meshToModel is the identity and modelToMesh need not be applied */
    AffineDouble modelToMesh;
};

#endif
