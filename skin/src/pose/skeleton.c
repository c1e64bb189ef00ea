#include "skeleton.h"

#include <string.h>

#include "affine.h"
#include "cookie.h"
#include "host.h"

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

/* ---- Skins ---- */

VkskinSkinDef vkskinDefaultSkinDef(void) {
    return (VkskinSkinDef){.cookie = VKSKIN_COOKIE_SKIN, .meshToModel = vkskinIdentityAffine()};
}

static VkskinResult checkSkinArguments(const VkskinSkinDef *def) {
    const VkskinLogger *logger = &def->logger;
    if (!sknHostAllocatorIsComplete(def->allocator)) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "skin: the host allocator lacks a function");
    }
    if (def->nodeCount == 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "skin: nodeCount is 0");
    }
    if (def->boneCount == 0 || def->boneCount > MAX_BONES) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "skin: boneCount is %u, not 1 to %u", def->boneCount,
                         MAX_BONES);
    }
    if (def->boneNodes == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "skin: boneNodes is null");
    }
    if (!sknAffineIsFinite(&def->meshToModel)) {
        return sknReport(logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "skin: meshToModel is not finite");
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkBone(const VkskinSkinDef *def, uint32_t bone) {
    if (def->boneNodes[bone] >= def->nodeCount) {
        return sknReport(&def->logger, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "skin: bone %u is node %u of %u", bone,
                         def->boneNodes[bone], def->nodeCount);
    }
    if (def->inverseBinds != NULL && !sknAffineIsFinite(&def->inverseBinds[bone])) {
        return sknReport(&def->logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                         "skin: the inverse bind matrix of bone %u is not finite", bone);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkSkinDef(const VkskinSkinDef *def, AffineDouble *modelToMesh) {
    VkskinResult result = checkSkinArguments(def);
    for (uint32_t bone = 0; result == VKSKIN_SUCCESS && bone < def->boneCount; ++bone) {
        result = checkBone(def, bone);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    const AffineDouble meshToModel = sknAffineWiden(&def->meshToModel);
    if (!sknAffineInvert(&meshToModel, modelToMesh)) {
        return sknReport(&def->logger, VKSKIN_ERROR_SINGULAR_MATRIX, "skin: meshToModel cannot be inverted");
    }
    return VKSKIN_SUCCESS;
}

static VkskinSkin copySkinDef(const VkskinSkinDef *def, const AffineDouble *modelToMesh) {
    VkskinSkin made = sknHostAllocateArray(def->allocator, 1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    const size_t count = def->boneCount;
    made->allocator = sknHostAllocatorCopy(def->allocator);
    made->nodeCount = def->nodeCount;
    made->boneCount = def->boneCount;
    made->inMeshSpace = !sknAffineIsIdentity(&def->meshToModel);
    made->modelToMesh = *modelToMesh;
    made->boneNodes = sknHostAllocate(def->allocator, count * sizeof *made->boneNodes);
    if (def->inverseBinds != NULL) {
        made->inverseBinds = sknHostAllocate(def->allocator, count * sizeof *made->inverseBinds);
    }
    if (made->boneNodes == NULL || (def->inverseBinds != NULL && made->inverseBinds == NULL)) {
        vkskinDestroySkin(made);
        return NULL;
    }
    memcpy(made->boneNodes, def->boneNodes, count * sizeof *made->boneNodes);
    if (def->inverseBinds != NULL) {
        memcpy(made->inverseBinds, def->inverseBinds, count * sizeof *made->inverseBinds);
    }
    return made;
}

VkskinResult vkskinCreateSkin(const VkskinSkinDef *def, VkskinSkin *skin) {
    if (skin != NULL) {
        *skin = NULL;
    }
    if (def == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (def->cookie != VKSKIN_COOKIE_SKIN) {
        return VKSKIN_ERROR_DEF_NOT_INITIALISED;
    }
    if (skin == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT, "skin: the place for the handle is null");
    }
    AffineDouble modelToMesh;
    const VkskinResult result = checkSkinDef(def, &modelToMesh);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    *skin = copySkinDef(def, &modelToMesh);
    if (*skin == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "skin: no host memory for %u bones",
                         def->boneCount);
    }
    return VKSKIN_SUCCESS;
}

void vkskinDestroySkin(VkskinSkin skin) {
    if (skin == NULL) {
        return;
    }
    const VkskinHostAllocator allocator = skin->allocator;
    sknHostFree(&allocator, skin->inverseBinds);
    sknHostFree(&allocator, skin->boneNodes);
    sknHostFree(&allocator, skin);
}

uint32_t vkskinGetSkinBoneCount(VkskinSkin skin) {
    return skin != NULL ? skin->boneCount : 0;
}

uint32_t vkskinGetSkinNodeCount(VkskinSkin skin) {
    return skin != NULL ? skin->nodeCount : 0;
}
