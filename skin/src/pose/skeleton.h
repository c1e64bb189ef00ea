/*
 * skeleton.h: skeletons and skins. Immutable after creation.
 */
#ifndef VKSKIN_SKELETON_H
#define VKSKIN_SKELETON_H

#include "affine.h"
#include "host.h"

#define MAX_NODES (1u << 20)
#define MAX_BONES (1u << 20)

struct VkskinSkeleton_T {
    Arena arena; /* of the skeleton */
    VkskinLogger logger;
    uint32_t nodeCount;
    int32_t *parents;            /* [nodeCount] */
    VkskinTransform *restPose;   /* [nodeCount] */
    VkskinAffine *preTransforms; /* [nodeCount] or null */
};

struct VkskinSkin_T {
    Arena arena; /* of the skin */
    uint32_t nodeCount;
    uint32_t boneCount;
    uint32_t *boneNodes;        /* [boneCount] */
    VkskinAffine *inverseBinds; /* [boneCount] or null: all identity */
    bool inMeshSpace;           /* false: meshToModel is the identity and modelToMesh need not be applied */
    AffineDouble modelToMesh;
};

#endif
