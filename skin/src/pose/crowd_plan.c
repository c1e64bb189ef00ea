#include "crowd_plan.h"

#include "host_memory.h"

static const VkskinAffine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

/* Numbers the nodes that bones hang on, and their parents. */
static uint32_t keepNodes(VkskinSkeleton skeleton, VkskinSkin skin, uint32_t *kept) {
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        kept[node] = UINT32_MAX;
    }
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        kept[skin->boneNodes[bone]] = 0;
    }
    for (uint32_t node = skeleton->nodeCount; node-- > 0;) {
        if (kept[node] == 0 && skeleton->parents[node] >= 0) {
            kept[skeleton->parents[node]] = 0;
        }
    }
    uint32_t count = 0;
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        kept[node] = kept[node] == 0 ? count++ : UINT32_MAX;
    }
    return count;
}

/* What comes before T R S: the node's pre-transform, and for a root the way from model to mesh space. */
static AffineDouble preOf(VkskinSkeleton skeleton, VkskinSkin skin, uint32_t node) {
    AffineDouble pre = sknAffineWiden(skeleton->preTransforms != NULL ? &skeleton->preTransforms[node] : &identity);
    if (skeleton->parents[node] < 0 && skin->inMeshSpace) {
        pre = sknAffineMultiply(&skin->modelToMesh, &pre);
    }
    return pre;
}

static CrowdNode planNode(VkskinSkeleton skeleton, VkskinSkin skin, uint32_t node) {
    const VkskinTransform *rest = &skeleton->restPose[node];
    const AffineDouble pre = preOf(skeleton, skin, node);
    const AffineDouble transform = sknAffineFromTransform(rest);
    const AffineDouble local = sknAffineMultiply(&pre, &transform);
    VkskinTransform turn = vkskinIdentityTransform();
    for (int i = 0; i < 4; ++i) {
        turn.rotation[i] = rest->rotation[i];
    }
    const VkskinAffine rotation = vkskinAffineFromTransform(&turn);
    CrowdNode made = {.pre = sknAffineNarrow(&pre), .local = sknAffineNarrow(&local)};
    made.hasPre = !sknAffineIsIdentity(&made.pre);
    for (uint32_t channel = 0; channel < CROWD_CHANNELS; ++channel) {
        made.tracks[channel] = CROWD_NO_TRACK;
    }
    for (int row = 0; row < 3; ++row) {
        made.translation[row] = rest->translation[row];
        made.scale[row] = rest->scale[row];
        made.scales |= rest->scale[row] != 1.0f;
        for (int column = 0; column < 3; ++column) {
            made.rotation[3 * row + column] = rotation.m[row][column];
        }
    }
    return made;
}

/* The node after which each group of bones can be written: groups go in order. */
static void planGroups(VkskinPoseBatch crowd, VkskinSkin skin, const uint32_t *kept) {
    uint32_t last = 0;
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        const uint32_t node = kept[skin->boneNodes[bone]];
        last = node > last ? node : last;
        crowd->groupNodes[bone / CROWD_GROUP] = last;
    }
}

/* Nodes by the node after which their matrix is no longer needed, in lists. */
typedef struct Endings {
    uint32_t *last; /* [nodeCount]: that node */
    uint32_t *head; /* [nodeCount]: the first that ends there, or UINT32_MAX */
    uint32_t *next; /* [nodeCount]: the one after that */
    uint32_t *free; /* [nodeCount]: places that may be taken again */
} Endings;

static void findEndings(VkskinPoseBatch crowd, VkskinSkeleton skeleton, VkskinSkin skin, const uint32_t *kept,
                        Endings *endings) {
    for (uint32_t node = 0; node < crowd->nodeCount; ++node) {
        endings->last[node] = node;
        endings->head[node] = UINT32_MAX;
    }
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        if (kept[node] != UINT32_MAX && skeleton->parents[node] >= 0) {
            endings->last[kept[skeleton->parents[node]]] = kept[node];
        }
    }
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        uint32_t *last = &endings->last[kept[skin->boneNodes[bone]]];
        const uint32_t written = crowd->groupNodes[bone / CROWD_GROUP];
        *last = written > *last ? written : *last;
    }
    for (uint32_t node = 0; node < crowd->nodeCount; ++node) {
        endings->next[node] = endings->head[endings->last[node]];
        endings->head[endings->last[node]] = node;
    }
}

static void givePlaces(VkskinPoseBatch crowd, VkskinSkeleton skeleton, const uint32_t *kept, Endings *endings) {
    uint32_t freeCount = 0;
    for (uint32_t source = 0; source < skeleton->nodeCount; ++source) {
        if (kept[source] == UINT32_MAX) {
            continue;
        }
        CrowdNode *node = &crowd->nodes[kept[source]];
        const int32_t parent = skeleton->parents[source];
        node->parent = parent >= 0 ? crowd->nodes[kept[parent]].place : CROWD_NO_PARENT;
        node->place = freeCount > 0 ? endings->free[--freeCount] : crowd->placeCount++;
        for (uint32_t ended = endings->head[kept[source]]; ended != UINT32_MAX; ended = endings->next[ended]) {
            endings->free[freeCount++] = crowd->nodes[ended].place;
        }
    }
}

static bool planPlaces(VkskinPoseBatch crowd, VkskinSkeleton skeleton, VkskinSkin skin, const uint32_t *kept) {
    uint32_t *memory = sknHostAllocateArray(&crowd->allocator, crowd->nodeCount, 4 * sizeof *memory);
    if (memory == NULL) {
        return false;
    }
    const size_t count = crowd->nodeCount;
    Endings endings = {memory, memory + count, memory + 2 * count, memory + 3 * count};
    findEndings(crowd, skeleton, skin, kept, &endings);
    givePlaces(crowd, skeleton, kept, &endings);
    sknHostFree(&crowd->allocator, memory);
    return true;
}

bool sknPlanCrowd(VkskinPoseBatch crowd, VkskinSkeleton skeleton, VkskinSkin skin, uint32_t *kept) {
    const VkskinHostAllocator *allocator = &crowd->allocator;
    crowd->nodeCount = keepNodes(skeleton, skin, kept);
    crowd->boneCount = skin->boneCount;
    crowd->nodes = sknHostAllocateArray(allocator, crowd->nodeCount, sizeof *crowd->nodes);
    crowd->bones = sknHostAllocateArray(allocator, crowd->boneCount, sizeof *crowd->bones);
    crowd->groupNodes = sknHostAllocateArray(allocator, crowd->boneCount / CROWD_GROUP + 1, sizeof(uint32_t));
    if (crowd->nodes == NULL || crowd->bones == NULL || crowd->groupNodes == NULL) {
        return false;
    }
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        if (kept[node] != UINT32_MAX) {
            crowd->nodes[kept[node]] = planNode(skeleton, skin, node);
        }
    }
    planGroups(crowd, skin, kept);
    if (!planPlaces(crowd, skeleton, skin, kept)) {
        return false;
    }
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        crowd->bones[bone].place = crowd->nodes[kept[skin->boneNodes[bone]]].place;
        crowd->bones[bone].inverseBind = skin->inverseBinds != NULL ? skin->inverseBinds[bone] : identity;
    }
    return true;
}
