
#include "crowd_def.h"

static const char call[] = "vkskinCreateCrowd";

VkskinResult sknFindCrowd(VkskinContext context, const char *name, VkskinCrowd handle, Crowd **crowd) {
    uint32_t index = NO_INDEX;
    VkskinResult result =
        sknHandleFind(&context->crowds, &context->gpu.logger, name, handle.index, handle.generation, &index);
    *crowd = result < 0 ? NULL : sknCrowd(context, index);
    return result;
}

/* The crowd is in its own arena. Null if there is no memory. */
static Crowd *allocateCrowd(VkskinContext context, const VkskinCrowdDef *def) {
    Arena arena = sknMakeArena(context->gpu.hostAllocator);
    Crowd *crowd = sknArenaArray(&arena, 1, sizeof *crowd);
    if (crowd == NULL) {
        return NULL;
    }
    crowd->arena = arena;
    crowd->modelCount = def->modelCount;
    crowd->ticksPerSecond = def->ticksPerSecond;
    crowd->maxViews = def->maxViews;
    crowd->maxChanges = def->maxChanges < def->capacity ? def->maxChanges : def->capacity;
    crowd->descriptors = sknOwnDescriptors(&context->descriptors);
    snprintf(crowd->name, sizeof crowd->name, "%s", def->name != NULL ? def->name : "(no name)");
    crowd->models = sknArenaArray(&crowd->arena, def->modelCount, sizeof *crowd->models);
    crowd->skins = sknArenaArray(&crowd->arena, def->modelCount, sizeof *crowd->skins);
    if (crowd->arena.failed) {
        sknFreeCrowd(context, crowd);
        return NULL;
    }
    return crowd;
}

static CrowdNeeds needsOf(VkskinContext context, const VkskinCrowdDef *def, const Crowd *crowd, const ClipSet *clips,
                          const CrowdModel *models) {
    const KernelSettings *settings = &context->kernels.settings;
    const uint64_t range = context->gpu.limits.maxStorageBufferRange;
    const uint64_t texels = (uint64_t)context->gpu.limits.maxTexelBufferElements * 16;
    return (CrowdNeeds){
        .models = models,
        .modelCount = def->modelCount,
        .capacity = def->capacity,
        .clipCount = clips->data.clipCount,
        .nodeCount = clips->data.nodeCount,
        .places = clips->data.places,
        .scratchWords = sknCrowdScratchWords(clips->data.nodeCount),
        .copies = crowd->copies,
        .range = range,
        .paletteRange = settings->texels && !sknOnCpu(context) && texels < range ? texels : range,
        .groupSize = settings->workgroupSize,
        .groupInstances = settings->instancesPerThread,
        .poseSlots = sknPoseSlots(settings->crowdPosing),
        .views = def->maxViews,
    };
}

/* Without the lock: what takes long. */
static VkskinResult planCrowd(VkskinContext context, const VkskinCrowdDef *def, Crowd *crowd, const ClipSet *clips,
                              CrowdModel *models) {
    const Host host = sknHostOf(&context->gpu);
    VkskinResult result = sknPrepareCrowdModels(context, def, crowd, clips, models);
    if (result >= 0) {
        const CrowdNeeds needs = needsOf(context, def, crowd, clips, models);
        result = sknPlanCrowd(&host, crowd->name, &needs, &crowd->plan);
    }
    if (result >= 0) {
        crowd->pools = sknArenaArray(&crowd->arena, crowd->plan.poolCount, sizeof *crowd->pools);
        if (crowd->pools == NULL) {
            result = sknReport(&host.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for %u pools", call,
                               crowd->plan.poolCount);
        }
    }
    return result;
}

/* Takes a handle, and memory for the changes of characters. Not logged. */
static VkskinResult takeHandle(VkskinContext context, Crowd *crowd, VkskinCrowd *handle) {
    const uint32_t index = sknHandleTake(&context->crowds, context->gpu.hostAllocator);
    if (index == NO_INDEX) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    CrowdItem *item = sknHandleItem(&context->crowds, index);
    const uint32_t seed = (item->header.generation + index) * 2654435761u;
    VkskinResult result =
        sknInitChanges(context->gpu.hostAllocator, sknCrowdHead(crowd->plan.tables)->capacity, seed, &crowd->changes);
    if (result < 0) {
        sknHandleRetire(&context->crowds, index);
        sknHandleRecycle(&context->crowds, index);
        return result;
    }
    item->crowd = crowd;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): vkskinCreateCrowd checked it in another file */
    *handle = (VkskinCrowd){index + 1, item->header.generation};
    return VKSKIN_SUCCESS;
}

/* With the lock. */
static VkskinResult addCrowd(VkskinContext context, Crowd *crowd, VkskinCrowd *handle) {
    VkskinResult result = sknMakeCrowdMemory(context, crowd);
    if (result < 0) {
        return result;
    }
    result = takeHandle(context, crowd, handle);
    if (result < 0) {
        return sknReport(&context->gpu.logger, result, "%s: no memory for crowd %s", call, crowd->name);
    }
    crowd->memory.host += sknChangesBytes(&crowd->changes);
    for (uint32_t m = 0; m < crowd->modelCount; m++) {
        crowd->memory.host += sknCrowdPoserBytes(&crowd->skins[m]);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult makeKernels(VkskinContext context, const VkskinCrowdDef *def) {
    VkskinResult result = sknMakePartKernels(context, def);
    if (result < 0 || sknOnCpu(context)) {
        return result;
    }
    sknLock(&context->making);
    if (context->crowdKernels == NULL) {
        context->crowdKernels = sknHostAllocateArray(context->gpu.hostAllocator, 1, sizeof *context->crowdKernels);
    }
    if (context->crowdKernels == NULL) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for kernels", call);
    } else {
        result = sknMakeCrowdKernels(&context->gpu, &context->descriptors, context->crowdKernels);
    }
    for (uint32_t m = 0; result >= 0 && m < def->modelCount; m++) {
        result = sknMakePoseKernel(&context->gpu, &context->descriptors, &context->kernels.settings,
                                   def->models[m].encoding, context->crowdKernels);
    }
    sknUnlock(&context->making);
    return result;
}

/* The objects that the crowd needs are held while it is made. */
static VkskinResult makeCrowd(VkskinContext context, const VkskinCrowdDef *def, Crowd *crowd, VkskinCrowd *handle) {
    CrowdModel models[VKSKIN_MAX_CROWD_MODELS] = {0};
    sknLockAlone(&context->lock);
    VkskinResult result = sknHoldCrowdObjects(context, def, crowd, models);
    const ClipSet *clips = result < 0 ? NULL : sknClipSet(context, crowd->clipSet);
    sknUnlockAlone(&context->lock);
    if (result < 0) {
        return result;
    }
    result = makeKernels(context, def);
    if (result >= 0) {
        result = planCrowd(context, def, crowd, clips, models);
    }
    sknLockAlone(&context->lock);
    if (result >= 0) {
        result = addCrowd(context, crowd, handle);
    }
    if (result < 0) {
        sknReleaseCrowdObjects(context, crowd);
    }
    return sknLeave(context, result);
}

VkskinResult vkskinCreateCrowd(VkskinContext context, const VkskinCrowdDef *def, VkskinCrowd *crowd,
                               VkskinCrowdMemory *memory) {
    if (crowd != NULL) {
        *crowd = VKSKIN_NULL_CROWD;
    }
    if (memory != NULL) {
        *memory = (VkskinCrowdMemory){0};
    }
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknNeedArgument(context, call, "def", def);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "crowd", crowd);
    }
    if (result >= 0) {
        result = sknCheckCrowdDef(context, def);
    }
    if (result < 0) {
        return result;
    }
    Crowd *made = allocateCrowd(context, def);
    if (made == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory", call);
    }
    result = makeCrowd(context, def, made, crowd);
    if (memory != NULL) {
        *memory = made->memory;
    }
    if (result < 0) {
        sknLockAlone(&context->lock);
        sknFreeCrowd(context, made);
        sknUnlockAlone(&context->lock);
    }
    return result;
}

static VkskinResult destroyCrowd(VkskinContext context, VkskinCrowd handle) {
    Crowd *crowd = NULL;
    VkskinResult result = sknFindCrowd(context, "vkskinDestroyCrowd", handle, &crowd);
    if (result < 0) {
        return result;
    }
    const uint32_t index = handle.index - 1;
    sknHandleRetire(&context->crowds, index);
    FrameSlot *slot = &context->slots[context->preparing->slot];
    HandleHeader *header = sknHandleItem(&context->crowds, index);
    header->next = slot->retiredCrowds;
    slot->retiredCrowds = index;
    sknReleaseCrowdObjects(context, crowd);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinDestroyCrowd(VkskinContext context, VkskinCrowd crowd) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroyCrowd(context, crowd));
}
