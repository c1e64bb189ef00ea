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
    Arena arena; /* memory of the skeleton, this struct included */
    VkskinLogger logger;
    uint32_t nodeCount;
    int32_t *parents;            /* [nodeCount] */
    uint32_t *order;             /* [nodeCount]: nodes, parents first; null: they are in this order */
    VkskinTransform *restPose;   /* [nodeCount] */
    VkskinAffine *preTransforms; /* [nodeCount] or null */
};

/* Node number `i` in an order in which parents come first. */
static inline uint32_t sknNodeInOrder(const struct VkskinSkeleton_T *skeleton, uint32_t i) {
    return skeleton->order != NULL ? skeleton->order[i] : i;
}

/* Whether `node` is `ancestor` or below it. */
static inline bool sknIsBelow(const struct VkskinSkeleton_T *skeleton, uint32_t node, uint32_t ancestor) {
    int32_t at = (int32_t)node;
    while (at >= 0 && at != (int32_t)ancestor) {
        at = skeleton->parents[at];
    }
    return at >= 0;
}

/* The matrix of a node in its parent's space, with its pre-transform. In sample.c. */
AffineDouble sknLocalMatrix(struct VkskinSkeleton_T *skeleton, const VkskinTransform *pose, uint32_t node);

struct VkskinSkin_T {
    Arena arena; /* memory of the skin, this struct included */
    uint32_t nodeCount;
    uint32_t boneCount;
    uint32_t *boneNodes;        /* [boneCount] */
    VkskinAffine *inverseBinds; /* [boneCount] or null: all identity */
    bool inMeshSpace;           /* false: meshToModel is the identity and modelToMesh need not be applied */
    AffineDouble modelToMesh;
};

#endif
