#include "context.h"

VkskinResult sknEnter(VkskinContext context) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    sknLockAlone(&context->lock);
    return VKSKIN_SUCCESS;
}

VkskinResult sknLeave(VkskinContext context, VkskinResult result) {
    sknUnlockAlone(&context->lock);
    return result;
}

VkskinResult sknEnterShared(VkskinContext context) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    sknLockShared(&context->lock);
    return VKSKIN_SUCCESS;
}

VkskinResult sknLeaveShared(VkskinContext context, VkskinResult result) {
    sknUnlockShared(&context->lock);
    return result;
}

VkskinResult sknEnterRecording(VkskinContext context, bool *shared) {
    VkskinResult result = sknEnterShared(context);
    if (result < 0) {
        return result;
    }
    *shared = sknOverlaps(context);
    if (*shared) {
        sknLock(&context->recordLock);
        return result;
    }
    (void)sknLeaveShared(context, result);
    return sknEnter(context);
}

VkskinResult sknLeaveRecording(VkskinContext context, bool shared, VkskinResult result) {
    if (!shared) {
        return sknLeave(context, result);
    }
    sknUnlock(&context->recordLock);
    return sknLeaveShared(context, result);
}

VkskinResult sknNeedArgument(VkskinContext context, const char *call, const char *name, const void *pointer) {
    if (pointer == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_NULL_ARGUMENT, "%s: %s is null", call, name);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknNeedFrame(VkskinContext context, const char *call, const char *name, const void *pointer) {
    VkskinResult result = sknNeedArgument(context, call, name, pointer);
    if (result >= 0 && !context->begun) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_FRAME_NOT_BEGUN,
                         "%s: no frame is begun, vkskinBeginFrame comes first", call);
    }
    return result;
}

VkskinResult sknNeedIdle(VkskinContext context, const char *call) {
    if (context->cpu.working) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_FRAME_ORDER,
                         "%s: vkskinRecordSkinning is still skinning on the CPU", call);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult leaveOnFailure(VkskinContext context, VkskinResult result) {
    return result < 0 ? sknLeave(context, result) : result;
}

VkskinResult sknEnterWith(VkskinContext context, const char *call, const char *name, const void *pointer) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : leaveOnFailure(context, sknNeedArgument(context, call, name, pointer));
}

VkskinResult sknEnterFrame(VkskinContext context, const char *call, const char *name, const void *pointer) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : leaveOnFailure(context, sknNeedFrame(context, call, name, pointer));
}

VkskinResult sknEnterRecordingFrame(VkskinContext context, const char *call, const char *name, const void *pointer,
                                    bool *shared) {
    VkskinResult result = sknEnterRecording(context, shared);
    if (result >= 0) {
        result = sknNeedFrame(context, call, name, pointer);
        if (result < 0) {
            (void)sknLeaveRecording(context, *shared, result);
        }
    }
    return result;
}

VkskinResult sknFindMesh(VkskinContext context, const char *call, VkskinMesh handle, uint32_t *index) {
    return sknHandleFind(&context->meshes, &context->gpu.logger, call, handle.index, handle.generation, index);
}

VkskinResult sknFindInstance(VkskinContext context, const char *call, VkskinInstance handle, uint32_t *index) {
    return sknHandleFind(&context->instances, &context->gpu.logger, call, handle.index, handle.generation, index);
}

VkskinResult sknNeedNoCrowd(VkskinContext context, const char *call, uint32_t mesh) {
    const Mesh *used = sknMesh(context, mesh);
    if (used->crowdParts > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_MESH_IN_USE, "%s: %s is in %u parts of crowds", call,
                         used->label, used->crowdParts);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetStats(VkskinContext context, VkskinStats *stats) {
    VkskinResult result = sknEnterWith(context, "vkskinGetStats", "stats", stats);
    if (result < 0) {
        return result;
    }
    const Frame *frame = context->recording;
    *stats = frame->recorded;
    stats->frame = frame->number;
    stats->instancesCulled = frame->culled;
    stats->instancesUnchanged = frame->unchanged;
    stats->paletteBytes = context->begun ? sknRingTaken(&context->ring, frame->slot) : 0;
    stats->morphWeights = sknTaken(&frame->commands.morphPlaces);
    stats->backend = sknOnCpu(context) ? VKSKIN_BACKEND_CPU : VKSKIN_BACKEND_COMPUTE;
    stats->meshes = context->meshes.aliveCount;
    stats->instances = context->instances.aliveCount;
    stats->meshPages = context->meshPages.pageCount;
    stats->palettePages = sknRingPages(&context->ring);
    stats->outputPages = sknPoolPages(&context->outputPages);
    stats->outputRegions = context->def.outputRegions;
    stats->deviceBytes = context->gpu.bytes;
    return sknLeave(context, VKSKIN_SUCCESS);
}
