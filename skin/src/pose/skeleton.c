#include "skeleton.h"

#include <string.h>

#include "affine.h"
#include "cookie.h"
#include "diagnostics.h"
#include "host_memory.h"

VkskinSkeletonDef vkskinDefaultSkeletonDef(void) {
    return (VkskinSkeletonDef){.cookie = VKSKIN_COOKIE_SKELETON};
}

static VkskinResult checkArguments(const VkskinSkeletonDef *def) {
    const VkskinLogger *logger = &def->logger;
    if (!sknHostAllocatorIsComplete(def->allocator)) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: the host allocator lacks a function");
    }
    if (def->nodeCount == 0 || def->nodeCount > MAX_NODES) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "skeleton: nodeCount is %u, not 1 to %u", def->nodeCount,
                         MAX_NODES);
    }
    if (def->parents == NULL || def->restPose == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: %s is null",
                         def->parents == NULL ? "parents" : "restPose");
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkNode(const VkskinSkeletonDef *def, uint32_t node) {
    const VkskinLogger *logger = &def->logger;
    const int32_t parent = def->parents[node];
    if (parent < -1) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "skeleton: the parent of node %u is %d; a root has -1",
                         node, parent);
    }
    if (parent >= (int32_t)node) {
        return sknReport(logger, VKSKIN_ERROR_HIERARCHY_ORDER,
                         "skeleton: the parent of node %u is node %d, which does not come before it", node, parent);
    }
    if (!sknTransformIsFinite(&def->restPose[node])) {
        return sknReport(logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "skeleton: the rest pose of node %u is not finite",
                         node);
    }
    if (def->preTransforms != NULL && !sknAffineIsFinite(&def->preTransforms[node])) {
        return sknReport(logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                         "skeleton: the pre-transform of node %u is not finite", node);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkDef(const VkskinSkeletonDef *def) {
    VkskinResult result = checkArguments(def);
    for (uint32_t node = 0; result == VKSKIN_SUCCESS && node < def->nodeCount; ++node) {
        result = checkNode(def, node);
    }
    return result;
}

static VkskinSkeleton copyDef(const VkskinSkeletonDef *def) {
    VkskinSkeleton made = sknHostAllocateArray(def->allocator, 1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    const size_t count = def->nodeCount;
    made->allocator = sknHostAllocatorCopy(def->allocator);
    made->logger = def->logger;
    made->nodeCount = def->nodeCount;
    made->parents = sknHostAllocate(def->allocator, count * sizeof *made->parents);
    made->restPose = sknHostAllocate(def->allocator, count * sizeof *made->restPose);
    if (def->preTransforms != NULL) {
        made->preTransforms = sknHostAllocate(def->allocator, count * sizeof *made->preTransforms);
    }
    if (made->parents == NULL || made->restPose == NULL ||
        (def->preTransforms != NULL && made->preTransforms == NULL)) {
        vkskinDestroySkeleton(made);
        return NULL;
    }
    memcpy(made->parents, def->parents, count * sizeof *made->parents);
    memcpy(made->restPose, def->restPose, count * sizeof *made->restPose);
    if (def->preTransforms != NULL) {
        memcpy(made->preTransforms, def->preTransforms, count * sizeof *made->preTransforms);
    }
    return made;
}

VkskinResult vkskinCreateSkeleton(const VkskinSkeletonDef *def, VkskinSkeleton *skeleton) {
    if (skeleton != NULL) {
        *skeleton = NULL;
    }
    if (def == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (def->cookie != VKSKIN_COOKIE_SKELETON) {
        return VKSKIN_ERROR_DEF_NOT_INITIALISED;
    }
    if (skeleton == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: the place for the handle is null");
    }
    const VkskinResult result = checkDef(def);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    *skeleton = copyDef(def);
    if (*skeleton == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "skeleton: no host memory for %u nodes",
                         def->nodeCount);
    }
    return VKSKIN_SUCCESS;
}

void vkskinDestroySkeleton(VkskinSkeleton skeleton) {
    if (skeleton == NULL) {
        return;
    }
    const VkskinHostAllocator allocator = skeleton->allocator;
    sknHostFree(&allocator, skeleton->preTransforms);
    sknHostFree(&allocator, skeleton->restPose);
    sknHostFree(&allocator, skeleton->parents);
    sknHostFree(&allocator, skeleton);
}

uint32_t vkskinGetSkeletonNodeCount(VkskinSkeleton skeleton) {
    return skeleton != NULL ? skeleton->nodeCount : 0;
}
