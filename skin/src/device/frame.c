#include "frame.h"

#include "commands.h"

/* ---- Deferred destruction ---- */

void sknForgetMesh(const Gpu *gpu, Mesh *mesh) {
    sknHostFree(gpu->hostAllocator, mesh->morphsAfter);
    mesh->morphsAfter = NULL;
    sknFreeCpuMesh(mesh->cpu);
    mesh->cpu = NULL;
}

static void freeMesh(VkskinContext context, uint32_t index) {
    Mesh *mesh = sknMesh(context, index);
    if (!sknOnCpu(context)) {
        sknPoolFree(&context->meshPages, &mesh->source);
    }
    sknForgetMesh(&context->gpu, mesh);
    sknHandleRecycle(&context->meshes, index);
}

static void freeInstance(VkskinContext context, uint32_t index) {
    sknPoolFree(&context->outputPages, &sknInstance(context, index)->output);
    sknHandleRecycle(&context->instances, index);
}

void sknRetireMesh(VkskinContext context, uint32_t index) {
    sknDropUploads(&context->uploads, index);
    sknHandleRetire(&context->meshes, index);
    if (sknMesh(context, index)->uploadPending) {
        freeMesh(context, index);
        return;
    }
    FrameSlot *slot = &context->slots[context->slot];
    sknMesh(context, index)->header.next = slot->retiredMeshes;
    slot->retiredMeshes = index;
}

void sknRetireInstance(VkskinContext context, uint32_t index) {
    Instance *instance = sknInstance(context, index);
    if (instance->command != NO_INDEX) {
        uint32_t moved = sknDropCommand(&context->jobs, instance->command);
        if (moved != NO_INDEX) {
            sknInstance(context, moved)->command = instance->command;
        }
        context->skinnedCount--;
    }
    sknMesh(context, instance->mesh)->instanceCount--;
    sknHandleRetire(&context->instances, index);
    if (instance->updateFrame == 0) {
        freeInstance(context, index);
        return;
    }
    FrameSlot *slot = &context->slots[context->slot];
    instance->header.next = slot->retiredInstances;
    slot->retiredInstances = index;
}

/* Empties `from` first: both may be the same list. */
static void moveList(const HandleTable *table, uint32_t *from, uint32_t *to) {
    uint32_t index = *from;
    *from = NO_INDEX;
    while (index != NO_INDEX) {
        HandleHeader *header = sknHandleItem(table, index);
        uint32_t next = header->next;
        header->next = *to;
        *to = index;
        index = next;
    }
}

void sknMoveRetired(VkskinContext context, FrameSlot *from, FrameSlot *to) {
    moveList(&context->instances, &from->retiredInstances, &to->retiredInstances);
    moveList(&context->meshes, &from->retiredMeshes, &to->retiredMeshes);
}

void sknFreeRetired(VkskinContext context, FrameSlot *slot) {
    sknFreeStaging(&context->gpu, &slot->staging);
    while (slot->retiredInstances != NO_INDEX) {
        uint32_t index = slot->retiredInstances;
        slot->retiredInstances = sknInstance(context, index)->header.next;
        freeInstance(context, index);
    }
    while (slot->retiredMeshes != NO_INDEX) {
        uint32_t index = slot->retiredMeshes;
        slot->retiredMeshes = sknMesh(context, index)->header.next;
        freeMesh(context, index);
    }
}

/* ---- Frames ---- */

static void takeBackUploads(VkskinContext context) {
    Uploads *uploads = &context->uploads;
    for (uint32_t i = 0; i < uploads->recorded; i++) {
        sknMesh(context, uploads->copies[i].owner)->uploadPending = true;
    }
    sknTakeBackUploads(uploads);
}

static VkskinResult beginFrame(VkskinContext context, uint32_t frameIndex) {
    const VkskinLogger *logger = &context->gpu.logger;
    uint32_t slots = context->def.framesInFlight;
    VkskinResult idle = sknNeedIdle(context, "vkskinBeginFrame");
    if (idle < 0) {
        return idle;
    }
    if (frameIndex >= slots) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinBeginFrame: frameIndex is %u, not below framesInFlight (%u)", frameIndex, slots);
    }
    if (context->frame > 0 && frameIndex != (context->slot + 1) % slots) {
        return sknReport(logger, VKSKIN_ERROR_FRAME_ORDER, "vkskinBeginFrame: frameIndex is %u, after %u comes %u",
                         frameIndex, context->slot, (context->slot + 1) % slots);
    }
    uint32_t dropped = sknTakeBackCommands(context);
    sknRetireUploads(&context->gpu, &context->uploads, &context->slots[context->slot].staging);
    sknFreeRetired(context, &context->slots[frameIndex]);
    if (context->frame == 0 || context->begun) { /* else this frame has the serial of the cancelled one */
        context->slotSerial++;
    }
    context->frame++;
    context->begun = true;
    context->slot = frameIndex;
    context->writtenCount = 0;
    context->released = false;
    context->acquired = false;
    uint32_t given = context->skinnedCount;
    context->skinnedCount = 0;
    context->frameStats = (VkskinStats){0};
    sknRingBeginSlot(&context->ring, frameIndex);
    sknJobsBeginFrame(&context->jobs);
    sknScopesBeginFrame(&context->scopes, context->slotSerial, context->frame);
    if (dropped > 0) {
        return sknReport(logger, VKSKIN_WARNING_COMMANDS_DROPPED,
                         "vkskinBeginFrame: %u of %u commands of the frame before were never recorded", dropped, given);
    }
    return VKSKIN_SUCCESS;
}

/*
 * The slot will be begun again at once. The frame before it may still read objects destroyed in this one, so they move to
 * that frame's slot.
 */
static VkskinResult cancelFrame(VkskinContext context) {
    VkskinResult result = sknNeedIdle(context, "vkskinCancelFrame");
    if (result < 0) {
        return result;
    }
    uint32_t slots = context->def.framesInFlight;
    uint32_t before = (context->slot + slots - 1) % slots;
    sknTakeBackFrame(context);
    takeBackUploads(context);
    sknMoveRetired(context, &context->slots[context->slot], &context->slots[before]);
    context->begun = false;
    context->slot = before;
    context->skinnedCount = 0;
    context->frameStats = (VkskinStats){0};
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCancelFrame(VkskinContext context) {
    VkskinResult result = sknEnterFrame(context, "vkskinCancelFrame", "context", context);
    return result < 0 ? result : sknLeave(context, cancelFrame(context));
}

VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, beginFrame(context, frameIndex));
}

/* ---- Timing scopes ---- */

VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    static const char call[] = "vkskinBeginScope";
    VkskinResult result = sknEnterFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result < 0) {
        return result;
    }
    result = sknNeedArgument(context, call, "name", name);
    if (result >= 0 && !sknBeginScope(&context->gpu, &context->scopes, context->slotSerial, commandBuffer, name)) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_SCOPES,
                           "%s: no room for '%s' in maxTimingScopes (%u)", call, name, context->scopes.maxScopes);
    }
    return sknLeave(context, result);
}

VkskinResult vkskinEndScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    static const char call[] = "vkskinEndScope";
    VkskinResult result = sknEnterFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result < 0) {
        return result;
    }
    result = sknNeedArgument(context, call, "name", name);
    if (result >= 0 && !sknEndScope(&context->gpu, &context->scopes, context->slotSerial, commandBuffer, name)) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: no scope '%s' was begun", call, name);
    }
    return sknLeave(context, result);
}

static VkskinResult getTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                               VkskinTimestampSupport *support) {
    VkskinResult result = sknReadScopes(&context->gpu, &context->scopes, context->slotSerial);
    if (result < 0) {
        return result;
    }
    const Scopes *scopes = &context->scopes;
    bool incomplete = timings != NULL && *count < scopes->resultCount;
    *count = incomplete ? *count : scopes->resultCount;
    if (frame != NULL) {
        *frame = scopes->resultFrame;
    }
    if (support != NULL) {
        *support = scopes->maxScopes > 0 ? VKSKIN_TIMESTAMPS_SUPPORTED : VKSKIN_TIMESTAMPS_NONE;
    }
    for (uint32_t i = 0; timings != NULL && i < *count; i++) {
        timings[i] = scopes->results[i];
    }
    if (incomplete) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_INCOMPLETE, "vkskinGetTimings: room for %u of %u timings",
                         *count, scopes->resultCount);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                              VkskinTimestampSupport *support) {
    VkskinResult result = sknEnterWith(context, "vkskinGetTimings", "count", count);
    return result < 0 ? result : sknLeave(context, getTimings(context, timings, count, frame, support));
}
