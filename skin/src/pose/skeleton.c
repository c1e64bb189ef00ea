#include "skeleton.h"

#include "cookie.h"

/* ---- Order ---- */

/*
 * Appends a node after those of its ancestors that are not placed yet. The free end of `order` first holds the path up
 * from the node. Returns false on a cycle: the path is longer than the number of nodes left.
 */
static bool placeNode(const int32_t *parents, uint32_t nodeCount, uint32_t node, uint32_t *order, uint32_t *places,
                      uint32_t *placed) {
    uint32_t first = nodeCount;
    for (int32_t at = (int32_t)node; at >= 0 && places[at] == UINT32_MAX; at = parents[at]) {
        if (first == *placed) {
            return false;
        }
        order[--first] = (uint32_t)at;
    }
    for (; first < nodeCount; first++) {
        places[order[first]] = *placed;
        order[(*placed)++] = order[first];
    }
    return true;
}

VkskinResult vkskinSortHierarchy(const int32_t *parents, uint32_t nodeCount, uint32_t *order, uint32_t *places) {
    if (parents == NULL || order == NULL || places == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (nodeCount == 0 || nodeCount > MAX_NODES) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    for (uint32_t node = 0; node < nodeCount; ++node) {
        if (parents[node] < -1 || parents[node] >= (int32_t)nodeCount) {
            return parents[node] < -1 ? VKSKIN_ERROR_INVALID_VALUE : VKSKIN_ERROR_NODE_OUT_OF_RANGE;
        }
        places[node] = UINT32_MAX;
    }
    uint32_t placed = 0;
    for (uint32_t node = 0; node < nodeCount; ++node) {
        if (!placeNode(parents, nodeCount, node, order, places, &placed)) {
            return VKSKIN_ERROR_HIERARCHY_CYCLE;
        }
    }
    return VKSKIN_SUCCESS;
}

/* ---- Skeletons ---- */

VkskinSkeletonDef vkskinDefaultSkeletonDef(void) {
    return (VkskinSkeletonDef){.cookie = VKSKIN_COOKIE_SKELETON};
}

static VkskinResult checkArguments(const VkskinSkeletonDef *def, const VkskinSkeleton *place) {
    const VkskinLogger *logger = &def->logger;
    const Subject subject = {logger, "skeleton", ""};
    const Rule rules[] = {
        {place == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the handle is null"},
        {!sknHostAllocatorIsComplete(def->allocator), VKSKIN_ERROR_NULL_ARGUMENT,
         "the host allocator lacks a function"},
    };
    VkskinResult result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    if (result < 0) {
        return result;
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
    if (parent >= (int32_t)def->nodeCount) {
        return sknReport(logger, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "skeleton: the parent of node %u is node %d of %u",
                         node, parent, def->nodeCount);
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

static VkskinResult checkDef(const VkskinSkeletonDef *def, const VkskinSkeleton *place) {
    VkskinResult result = checkArguments(def, place);
    for (uint32_t node = 0; result == VKSKIN_SUCCESS && node < def->nodeCount; ++node) {
        result = checkNode(def, node);
    }
    return result;
}

static bool parentsComeFirst(const VkskinSkeletonDef *def) {
    for (uint32_t node = 0; node < def->nodeCount; ++node) {
        if (def->parents[node] >= (int32_t)node) {
            return false;
        }
    }
    return true;
}

/* places: of the sort that failed. Its first node without a place is on a cycle or below one. */
static VkskinResult reportCycle(const VkskinSkeletonDef *def, const uint32_t *places) {
    uint32_t node = 0;
    while (places[node] != UINT32_MAX) {
        ++node;
    }
    for (uint32_t step = 0; step < def->nodeCount; ++step) {
        node = (uint32_t)def->parents[node];
    }
    return sknReport(&def->logger, VKSKIN_ERROR_HIERARCHY_CYCLE, "skeleton: node %u is its own ancestor", node);
}

/* Allocates *order if parents do not come first. */
static VkskinResult orderNodes(const VkskinSkeletonDef *def, Arena *arena, uint32_t **order) {
    if (parentsComeFirst(def)) {
        return VKSKIN_SUCCESS;
    }
    *order = sknArenaArray(arena, def->nodeCount, sizeof **order);
    uint32_t *places = sknHostAllocateArray(&arena->allocator, def->nodeCount, sizeof *places);
    arena->failed |= places == NULL;
    VkskinResult result = VKSKIN_SUCCESS;
    if (!arena->failed && vkskinSortHierarchy(def->parents, def->nodeCount, *order, places) < 0) {
        result = reportCycle(def, places);
    }
    sknHostFree(&arena->allocator, places);
    return result;
}

static VkskinResult copyDef(const VkskinSkeletonDef *def, VkskinSkeleton *copy) {
    Arena arena = sknMakeArena(def->allocator);
    uint32_t *order = NULL;
    VkskinResult result = orderNodes(def, &arena, &order);
    if (result < 0) {
        sknFreeArena(&arena);
        return result;
    }
    const struct VkskinSkeleton_T skeleton = {
        .logger = def->logger,
        .nodeCount = def->nodeCount,
        .parents = sknArenaCopy(&arena, def->parents, def->nodeCount, sizeof *def->parents),
        .order = order,
        .restPose = sknArenaCopy(&arena, def->restPose, def->nodeCount, sizeof *def->restPose),
        .preTransforms = sknArenaCopy(&arena, def->preTransforms, def->nodeCount, sizeof *def->preTransforms),
    };
    VkskinSkeleton made = sknArenaCopy(&arena, &skeleton, 1, sizeof skeleton);
    if (arena.failed) {
        sknFreeArena(&arena);
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "skeleton: no host memory for %u nodes",
                         def->nodeCount);
    }
    made->arena = arena;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *copy = made;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreateSkeleton(const VkskinSkeletonDef *def, VkskinSkeleton *skeleton) {
    if (skeleton != NULL) {
        *skeleton = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_SKELETON);
    if (result == VKSKIN_SUCCESS) {
        result = checkDef(def, skeleton);
    }
    return result == VKSKIN_SUCCESS ? copyDef(def, skeleton) : result;
}

void vkskinDestroySkeleton(VkskinSkeleton skeleton) {
    if (skeleton != NULL) {
        sknFreeArena(&skeleton->arena);
    }
}

uint32_t vkskinGetSkeletonNodeCount(VkskinSkeleton skeleton) {
    return skeleton != NULL ? skeleton->nodeCount : 0;
}

/* ---- Skins ---- */

VkskinSkinDef vkskinDefaultSkinDef(void) {
    return (VkskinSkinDef){.cookie = VKSKIN_COOKIE_SKIN, .meshToModel = vkskinIdentityAffine()};
}

static VkskinResult checkSkinArguments(const VkskinSkinDef *def, const VkskinSkin *place) {
    const VkskinLogger *logger = &def->logger;
    const Subject subject = {logger, "skin", ""};
    const Rule rules[] = {
        {place == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the handle is null"},
        {!sknHostAllocatorIsComplete(def->allocator), VKSKIN_ERROR_NULL_ARGUMENT,
         "the host allocator lacks a function"},
        {def->nodeCount == 0, VKSKIN_ERROR_INVALID_VALUE, "nodeCount is 0"},
    };
    VkskinResult result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    if (result < 0) {
        return result;
    }
    if (def->boneCount == 0 || def->boneCount > MAX_BONES) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "skin: boneCount is %u, not 1 to %u", def->boneCount,
                         MAX_BONES);
    }
    const Rule rest[] = {
        {def->boneNodes == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "boneNodes is null"},
        {!sknAffineIsFinite(&def->meshToModel), VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "meshToModel is not finite"},
    };
    return sknCheckRules(&subject, rest, SKN_COUNT(rest));
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

static VkskinResult checkSkinDef(const VkskinSkinDef *def, const VkskinSkin *place, AffineDouble *modelToMesh) {
    VkskinResult result = checkSkinArguments(def, place);
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

static VkskinResult copySkinDef(const VkskinSkinDef *def, const AffineDouble *modelToMesh, VkskinSkin *copy) {
    Arena arena = sknMakeArena(def->allocator);
    const struct VkskinSkin_T skin = {
        .nodeCount = def->nodeCount,
        .boneCount = def->boneCount,
        .boneNodes = sknArenaCopy(&arena, def->boneNodes, def->boneCount, sizeof *def->boneNodes),
        .inverseBinds = sknArenaCopy(&arena, def->inverseBinds, def->boneCount, sizeof *def->inverseBinds),
        .inMeshSpace = !sknAffineIsIdentity(&def->meshToModel),
        .modelToMesh = *modelToMesh,
    };
    VkskinSkin made = sknArenaCopy(&arena, &skin, 1, sizeof skin);
    if (arena.failed) {
        sknFreeArena(&arena);
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "skin: no host memory for %u bones",
                         def->boneCount);
    }
    made->arena = arena;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *copy = made;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreateSkin(const VkskinSkinDef *def, VkskinSkin *skin) {
    if (skin != NULL) {
        *skin = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_SKIN);
    AffineDouble modelToMesh;
    if (result == VKSKIN_SUCCESS) {
        result = checkSkinDef(def, skin, &modelToMesh);
    }
    return result == VKSKIN_SUCCESS ? copySkinDef(def, &modelToMesh, skin) : result;
}

void vkskinDestroySkin(VkskinSkin skin) {
    if (skin != NULL) {
        sknFreeArena(&skin->arena);
    }
}

uint32_t vkskinGetSkinBoneCount(VkskinSkin skin) {
    return skin != NULL ? skin->boneCount : 0;
}

uint32_t vkskinGetSkinNodeCount(VkskinSkin skin) {
    return skin != NULL ? skin->nodeCount : 0;
}
