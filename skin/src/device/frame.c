#include "frame.h"

#include "commands.h"
#include "fills.h"

/* ---- Deferred destruction ---- */

void sknForgetMesh(const Gpu *gpu, Mesh *mesh) {
    sknHostFree(gpu->hostAllocator, mesh->morphsAfter);
    mesh->morphsAfter = NULL;
    sknHostFree(gpu->hostAllocator, mesh->morphMaxDelta);
    mesh->morphMaxDelta = NULL;
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
    FrameSlot *slot = &context->slots[context->preparing->slot];
    sknMesh(context, index)->header.next = slot->retiredMeshes;
    slot->retiredMeshes = index;
}

void sknRetireInstance(VkskinContext context, uint32_t index) {
    Instance *instance = sknInstance(context, index);
    sknDropCommandsOf(context, instance);
    sknDropFill(context, instance);
    sknMesh(context, instance->mesh)->instanceCount--;
    sknHandleRetire(&context->instances, index);
    if (sknNewestUpdate(&instance->updates)->frame == 0 && !instance->filled) {
        freeInstance(context, index);
        return;
    }
    FrameSlot *slot = &context->slots[context->preparing->slot];
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

/* Moves the retired objects of `from` to `to`, which may be the same slot. */
static void moveRetired(VkskinContext context, FrameSlot *from, FrameSlot *to) {
    moveList(&context->instances, &from->retiredInstances, &to->retiredInstances);
    moveList(&context->meshes, &from->retiredMeshes, &to->retiredMeshes);
    moveList(&context->clipSets, &from->retiredClipSets, &to->retiredClipSets);
    moveList(&context->crowds, &from->retiredCrowds, &to->retiredCrowds);
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
    context->crowdCalls->freeRetired(context, slot);
}

/* ---- Frames ---- */

static void takeBackUploads(VkskinContext context) {
    Uploads *uploads = &context->uploads;
    for (uint32_t i = 0; i < uploads->recorded; i++) {
        sknMesh(context, uploads->copies[i].owner)->uploadPending = true;
    }
    sknTakeBackUploads(uploads);
    sknTakeBackFills(context);
}

static void clearFrame(Frame *frame) {
    frame->recorded = (VkskinStats){0};
    frame->culled = 0;
    frame->unchanged = 0;
    sknClearCommands(&frame->commands);
}

/* Opens a frame of palettes and commands in the slot. */
static void openFrame(VkskinContext context, Frame *frame, uint32_t slot, uint64_t slotSerial) {
    context->crowdCalls->finishSlot(context, slot);
    sknFreeRetired(context, &context->slots[slot]);
    frame->number = ++context->frameNumber;
    frame->slotSerial = slotSerial;
    frame->slot = slot;
    clearFrame(frame);
    sknRingBeginSlot(&context->ring, slot);
    sknJobsBeginFrame(&context->jobs, slot);
    context->preparing = frame;
}

/* A frame after a cancelled one has the serial of that one. */
static uint64_t nextSlotSerial(VkskinContext context) {
    const Frame *last = context->recording;
    return last->number == 0 || context->begun ? last->slotSerial + 1 : last->slotSerial;
}

/* Ends the last frame and begins one in the slot: the one that is prepared, or another. The caller has checked the order. */
static VkskinResult enterSlot(VkskinContext context, uint32_t slot) {
    Frame *last = context->recording;
    context->crowdCalls->keepFrames(context);
    uint32_t dropped = sknTakeBackCommands(context);
    uint32_t given = sknTaken(&last->commands.places);
    sknRetireFills(context);
    sknRetireUploads(&context->gpu, &context->uploads, &context->slots[last->slot].staging);
    if (!sknOverlaps(context)) {
        openFrame(context, last, slot, nextSlotSerial(context));
    }
    context->recording = context->preparing;
    context->begun = true;
    context->writtenCount = 0;
    context->released = false;
    context->acquired = false;
    sknScopesBeginFrame(&context->scopes, context->recording->slotSerial, context->recording->number);
    if (dropped > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_COMMANDS_DROPPED,
                         "vkskinBeginFrame: %u of %u commands of the frame before were never recorded", dropped, given);
    }
    return VKSKIN_SUCCESS;
}

/* The slot must be the one after the last frame's. */
static VkskinResult checkNextSlot(VkskinContext context, const char *call, uint32_t slot) {
    const uint32_t frames = context->def.framesInFlight;
    if (slot >= frames) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: frameIndex is %u, not below framesInFlight (%u)", call, slot, frames);
    }
    const uint32_t last = context->recording->slot, next = (last + 1) % frames;
    if (context->recording->number == 0 || slot == next) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&context->gpu.logger, VKSKIN_ERROR_FRAME_ORDER,
                     "%s: frameIndex is %u, after %u comes %u (framesInFlight is %u)%s", call, slot, last, next, frames,
                     context->begun ? "" : "; the slot of a cancelled frame is begun again");
}

static VkskinResult beginFrame(VkskinContext context, uint32_t slot) {
    static const char call[] = "vkskinBeginFrame";
    const bool again = context->begun && slot == context->recording->slot && !sknOverlaps(context);
    VkskinResult result = sknNeedIdle(context, call);
    if (result >= 0 && !again) {
        result = checkNextSlot(context, call, slot);
    }
    return result < 0 ? result : enterSlot(context, slot);
}

static VkskinResult prepareFrame(VkskinContext context, uint32_t slot) {
    static const char call[] = "vkskinPrepareFrame";
    if (sknOverlaps(context)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_FRAME_ORDER,
                         "%s: a frame is prepared in slot %u, vkskinBeginFrame comes next", call,
                         context->preparing->slot);
    }
    VkskinResult result = checkNextSlot(context, call, slot);
    if (result >= 0 && context->def.framesInFlight == 1) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_FRAME_ORDER,
                           "%s: framesInFlight is 1, the slot of the frame that is recorded", call);
    }
    if (result >= 0) {
        Frame *other = context->recording == &context->frames[0] ? &context->frames[1] : &context->frames[0];
        openFrame(context, other, slot, context->recording->slotSerial + 1);
    }
    return result;
}

static uint32_t slotBefore(VkskinContext context, uint32_t slot) {
    return (slot + context->def.framesInFlight - 1) % context->def.framesInFlight;
}

/*
 * The slot will be begun again at once. The frame before it may still read objects destroyed in this one, so they move to
 * that frame's slot. So do those that were destroyed while the next frame was prepared.
 */
static VkskinResult cancelFrame(VkskinContext context) {
    VkskinResult result = sknNeedIdle(context, "vkskinCancelFrame");
    if (result < 0) {
        return result;
    }
    Frame *frame = context->recording;
    uint32_t before = slotBefore(context, frame->slot);
    sknTakeBackFrames(context);
    takeBackUploads(context);
    context->crowdCalls->cancelFrames(context);
    if (sknOverlaps(context)) {
        moveRetired(context, &context->slots[context->preparing->slot], &context->slots[before]);
        context->preparing = frame;
    }
    moveRetired(context, &context->slots[frame->slot], &context->slots[before]);
    clearFrame(frame);
    frame->slot = before;
    context->begun = false;
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

VkskinResult vkskinPrepareFrame(VkskinContext context, uint32_t frameIndex) {
    VkskinResult result = sknEnterFrame(context, "vkskinPrepareFrame", "context", context);
    return result < 0 ? result : sknLeave(context, prepareFrame(context, frameIndex));
}

/* ---- Timing scopes ---- */

VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    static const char call[] = "vkskinBeginScope";
    bool shared = false;
    VkskinResult result = sknEnterRecordingFrame(context, call, "commandBuffer", (const void *)commandBuffer, &shared);
    if (result < 0) {
        return result;
    }
    result = sknNeedArgument(context, call, "name", name);
    if (result >= 0 &&
        !sknBeginScope(&context->gpu, &context->scopes, context->recording->slotSerial, commandBuffer, name)) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_SCOPES,
                           "%s: no room for '%s' in maxTimingScopes (%u)", call, name, context->scopes.maxScopes);
    }
    return sknLeaveRecording(context, shared, result);
}

VkskinResult vkskinEndScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    static const char call[] = "vkskinEndScope";
    bool shared = false;
    VkskinResult result = sknEnterRecordingFrame(context, call, "commandBuffer", (const void *)commandBuffer, &shared);
    if (result < 0) {
        return result;
    }
    result = sknNeedArgument(context, call, "name", name);
    if (result >= 0 &&
        !sknEndScope(&context->gpu, &context->scopes, context->recording->slotSerial, commandBuffer, name)) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: no scope '%s' was begun", call, name);
    }
    return sknLeaveRecording(context, shared, result);
}

static VkskinResult getTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                               VkskinTimestampSupport *support) {
    VkskinResult result = sknReadScopes(&context->gpu, &context->scopes, context->recording->slotSerial);
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
