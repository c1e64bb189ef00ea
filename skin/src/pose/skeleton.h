/*
 * skeleton.h: what a skeleton holds. Immutable once made.
 */
#ifndef VKSKIN_SKELETON_H
#define VKSKIN_SKELETON_H

#include "vkskin/vkskin_pose.h"

#define MAX_NODES (1u << 20)

struct VkskinSkeleton_T {
    VkskinHostAllocator allocator;
    VkskinLogger logger;
    uint32_t nodeCount;
    int32_t *parents;            /* [nodeCount] */
    VkskinTransform *restPose;   /* [nodeCount] */
    VkskinAffine *preTransforms; /* [nodeCount] or null */
};

#endif
