#include "crowd.h"

#include "cookie.h"
#include "crowd_keys.h"
#include "crowd_plan.h"
#include "diagnostics.h"
#include "host_memory.h"

VkskinPoseBatchDef vkskinDefaultPoseBatchDef(void) {
    return (VkskinPoseBatchDef){.cookie = VKSKIN_COOKIE_POSE_BATCH};
}

static VkskinResult checkArguments(const VkskinPoseBatchDef *def) {
    const VkskinLogger *logger = &def->logger;
    if (!sknHostAllocatorIsComplete(def->allocator)) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "crowd: the host allocator lacks a function");
    }
    if (def->skeleton == NULL || def->skin == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "crowd: %s is null",
                         def->skeleton == NULL ? "skeleton" : "skin");
    }
    if (def->clipCount > 0 && def->clips == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "crowd: clips is null, clipCount is %u", def->clipCount);
    }
    if (def->clipCount == VKSKIN_REST_POSE || def->slotCount == 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: %s",
                         def->slotCount == 0 ? "slotCount is 0" : "clipCount is that of the rest pose");
    }
    if (def->skin->nodeCount > def->skeleton->nodeCount) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "crowd: the skin is for a skeleton of %u nodes, this one has %u", def->skin->nodeCount,
                         def->skeleton->nodeCount);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkClip(const VkskinPoseBatchDef *def, uint32_t index) {
    if (def->clips[index] == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT, "crowd: clip %u is null", index);
    }
    if (vkskinGetClipNodeCount(def->clips[index]) > def->skeleton->nodeCount) {
        return sknReport(&def->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "crowd: clip %u is for a skeleton of %u nodes, this one has %u", index,
                         vkskinGetClipNodeCount(def->clips[index]), def->skeleton->nodeCount);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkDef(const VkskinPoseBatchDef *def) {
    VkskinResult result = checkArguments(def);
    for (uint32_t clip = 0; result == VKSKIN_SUCCESS && clip < def->clipCount; ++clip) {
        result = checkClip(def, clip);
    }
    return result;
}

static bool allocateSlots(VkskinPoseBatch crowd) {
    const VkskinHostAllocator *allocator = &crowd->allocator;
    const size_t cursorBytes = sizeof *crowd->cursors * crowd->trackCount;
    crowd->slotClips = sknHostAllocateArray(allocator, crowd->slotCount, sizeof *crowd->slotClips);
    crowd->slotCalls = sknHostAllocateArray(allocator, crowd->slotCount, sizeof *crowd->slotCalls);
    crowd->cursors = sknHostAllocateArray(allocator, crowd->slotCount, cursorBytes);
    crowd->order = sknHostAllocateArray(allocator, crowd->slotCount, sizeof *crowd->order);
    crowd->clipEnds = sknHostAllocateArray(allocator, (size_t)crowd->clipCount + 2, sizeof *crowd->clipEnds);
    if (crowd->slotClips == NULL || crowd->slotCalls == NULL || crowd->cursors == NULL || crowd->order == NULL ||
        crowd->clipEnds == NULL) {
        return false;
    }
    for (uint32_t slot = 0; slot < crowd->slotCount; ++slot) {
        crowd->slotClips[slot] = UINT32_MAX;
    }
    return true;
}

static bool allocateWork(VkskinPoseBatch crowd) {
    const size_t taskBytes = sizeof *crowd->work * 12 * CROWD_LANES * CROWD_TASKS;
    if (crowd->placeCount > SIZE_MAX / taskBytes) {
        return false;
    }
    crowd->work = sknHostAllocateLines(&crowd->allocator, crowd->placeCount * taskBytes);
    return crowd->work != NULL;
}

/* What is left of a crowd that could not be made is the caller's to destroy. */
static VkskinResult fillCrowd(const VkskinPoseBatchDef *def, VkskinPoseBatch crowd) {
    uint32_t *kept = sknHostAllocateArray(&crowd->allocator, def->skeleton->nodeCount, sizeof *kept);
    if (kept == NULL || !sknPlanCrowd(crowd, def->skeleton, def->skin, kept)) {
        sknHostFree(&crowd->allocator, kept);
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkskinResult result = sknMakeCrowdKeys(crowd, def->skeleton, def->clips, kept);
    sknHostFree(&crowd->allocator, kept);
    if (result == VKSKIN_SUCCESS && (!allocateSlots(crowd) || !allocateWork(crowd))) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    return result;
}

static VkskinResult makeCrowd(const VkskinPoseBatchDef *def, VkskinPoseBatch *crowd) {
    VkskinPoseBatch made = sknHostAllocateArray(def->allocator, 1, sizeof *made);
    if (made == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    made->allocator = sknHostAllocatorCopy(def->allocator);
    made->logger = def->logger;
    made->clipCount = def->clipCount;
    made->slotCount = def->slotCount;
    atomic_init(&made->workInUse, 0);
    const VkskinResult result = fillCrowd(def, made);
    if (result != VKSKIN_SUCCESS) {
        vkskinDestroyPoseBatch(made);
        return result;
    }
    *crowd = made;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreatePoseBatch(const VkskinPoseBatchDef *def, VkskinPoseBatch *crowd) {
    if (crowd != NULL) {
        *crowd = NULL;
    }
    if (def == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (def->cookie != VKSKIN_COOKIE_POSE_BATCH) {
        return VKSKIN_ERROR_DEF_NOT_INITIALISED;
    }
    if (crowd == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT, "crowd: the place for the handle is null");
    }
    VkskinResult result = checkDef(def);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    result = makeCrowd(def, crowd);
    if (result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY) {
        return sknReport(&def->logger, result, "crowd: no host memory for %u clips and %u slots", def->clipCount,
                         def->slotCount);
    }
    if (result != VKSKIN_SUCCESS) {
        return sknReport(&def->logger, result, "crowd: a clip has more keys than 32 bits count");
    }
    return VKSKIN_SUCCESS;
}

void vkskinDestroyPoseBatch(VkskinPoseBatch crowd) {
    if (crowd == NULL) {
        return;
    }
    const VkskinHostAllocator allocator = crowd->allocator;
    for (uint32_t clip = 0; crowd->clips != NULL && clip <= crowd->clipCount; ++clip) {
        sknFreeCrowdClip(crowd, &crowd->clips[clip]);
    }
    sknHostFree(&allocator, crowd->work);
    sknHostFree(&allocator, crowd->clipEnds);
    sknHostFree(&allocator, crowd->order);
    sknHostFree(&allocator, crowd->cursors);
    sknHostFree(&allocator, crowd->slotCalls);
    sknHostFree(&allocator, crowd->slotClips);
    sknHostFree(&allocator, crowd->clips);
    sknHostFree(&allocator, crowd->tracks);
    sknHostFree(&allocator, crowd->groupNodes);
    sknHostFree(&allocator, crowd->bones);
    sknHostFree(&allocator, crowd->nodes);
    sknHostFree(&allocator, crowd);
}
