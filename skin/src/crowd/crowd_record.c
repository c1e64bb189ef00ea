#include <string.h>

#include "cookie.h"
#include "crowd.h"
#include "crowd/crowd_rules.h"

/* ---- Destroyed objects ---- */

static void freeRetired(VkskinContext context, FrameSlot *slot) {
    while (slot->retiredCrowds != NO_INDEX) {
        CrowdItem *item = sknHandleItem(&context->crowds, slot->retiredCrowds);
        const uint32_t index = slot->retiredCrowds;
        slot->retiredCrowds = item->header.next;
        sknFreeCrowd(context, item->crowd);
        item->crowd = NULL;
        sknHandleRecycle(&context->crowds, index);
    }
    while (slot->retiredClipSets != NO_INDEX) {
        ClipSetItem *item = sknHandleItem(&context->clipSets, slot->retiredClipSets);
        const uint32_t index = slot->retiredClipSets;
        slot->retiredClipSets = item->header.next;
        sknDropClipSet(context, item->set);
        item->set = NULL;
        sknHandleRecycle(&context->clipSets, index);
    }
}

void sknDestroyCrowds(VkskinContext context) {
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        sknFreeCrowd(context, sknCrowd(context, i));
    }
    for (uint32_t i = 0; i < context->clipSets.capacity; i++) {
        sknDropClipSet(context, sknClipSet(context, i));
    }
    sknDestroyHandles(&context->crowds, context->gpu.hostAllocator);
    sknDestroyHandles(&context->clipSets, context->gpu.hostAllocator);
}

/* ---- Frames of the context ---- */

/* staging: freed when the frame that read it is certain to have finished; null: kept. */
static void keepUpload(VkskinContext context, CrowdUpload *upload, Buffer *staging) {
    upload->done = upload->done || upload->frame != 0;
    if (staging != NULL && upload->done && context->frameNumber > upload->frame + context->def.framesInFlight) {
        sknDestroyBuffer(&context->gpu, staging);
    }
}

static void keepFrames(VkskinContext context) {
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        Crowd *crowd = sknCrowd(context, i);
        if (crowd != NULL) {
            sknForgetChanges(&crowd->changes);
            keepUpload(context, &crowd->upload, NULL); /* frames copy from it */
        }
    }
    for (uint32_t i = 0; i < context->clipSets.capacity; i++) {
        ClipSet *set = sknClipSet(context, i);
        if (set != NULL) {
            keepUpload(context, &set->upload, &set->staging);
        }
    }
}

static void cancelUpload(CrowdUpload *upload) {
    upload->frame = upload->done ? upload->frame : 0;
}

/* The recorded frame of the crowd will not run. With the lock. */
static void forgetFrame(VkskinContext context, Crowd *crowd) {
    if (sknOnCpu(context)) {
        sknUndoCrowdOnCpu(crowd);
    }
    crowd->frameCount--;
    crowd->recordedFrame = 0;
    crowd->inputs[context->recording->slot].frame = 0;
    sknTakeBackChanges(&crowd->changes);
}

static void cancelFrames(VkskinContext context) {
    const Frame *frame = context->recording;
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        Crowd *crowd = sknCrowd(context, i);
        if (crowd == NULL) {
            continue;
        }
        if (crowd->recordedFrame == frame->number) {
            forgetFrame(context, crowd);
        }
        cancelUpload(&crowd->upload);
    }
    for (uint32_t i = 0; i < context->clipSets.capacity; i++) {
        ClipSet *set = sknClipSet(context, i);
        if (set != NULL) {
            cancelUpload(&set->upload);
        }
    }
}

/* Counters that cannot be read stay those of an earlier frame. */
static void readStats(VkskinContext context, Crowd *crowd, CrowdInput *input) {
    LayoutCrowdStats stats;
    if (!sknOnCpu(context)) {
        if (sknInvalidateBuffer(&context->gpu, &input->buffer, 0, sizeof stats) < 0) {
            return;
        }
        memcpy(&stats, input->buffer.memory.mapped, sizeof stats);
    } else {
        stats = input->stats;
    }
    if (input->frame < crowd->stats.frame) { /* a slot that was begun twice finished a later frame before */
        return;
    }
    crowd->stats = (VkskinCrowdStats){
        .frame = input->frame,
        .characters = input->characters,
        .skinned = stats.skinned,
        .refused = stats.refused,
        .drawn = {stats.drawn0, stats.drawn1, stats.drawn2, stats.drawn3, stats.drawn4, stats.drawn5, stats.drawn6,
                  stats.drawn7},
        .badClip = stats.badClip,
        .badModel = stats.badModel,
        .badPlace = stats.badPlace,
    };
    uint32_t words[CROWD_STATS_WORDS];
    memcpy(words, &stats, sizeof words);
    memcpy(&crowd->stats.maxPixels, &stats.maxPixels, sizeof stats.maxPixels);
    for (uint32_t level = 0; level < CROWD_LEVELS; level++) {
        crowd->stats.levels[level] = (VkskinCrowdLevelStats){
            .slots = words[CROWD_STATS_SLOTS + level],
            .refreshed = words[CROWD_STATS_UPDATED + level],
            .vertices = (uint64_t)words[CROWD_STATS_HIGH + level] << 32 | words[CROWD_STATS_LOW + level],
        };
    }
}

static void finishSlot(VkskinContext context, uint32_t slot) {
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        Crowd *crowd = sknCrowd(context, i);
        if (crowd != NULL && crowd->inputs[slot].frame != 0) {
            if (crowd->inputs[slot].frame > crowd->queries.frame) { /* see readStats */
                sknReadAnswers(context, crowd, slot, crowd->inputs[slot].frame);
            }
            readStats(context, crowd, &crowd->inputs[slot]);
            crowd->inputs[slot].frame = 0;
        }
    }
}

const CrowdCalls sknCrowdCalls = {
    .keepFrames = keepFrames,
    .cancelFrames = cancelFrames,
    .finishSlot = finishSlot,
    .freeRetired = freeRetired,
    .listAccesses = sknListCrowdAccesses,
};

static const char call[] = "vkskinRecordCrowd";

_Static_assert(CROWD_PLANES == VKSKIN_MAX_CROWD_PLANES && CROWD_VIEWS == VKSKIN_MAX_CROWD_VIEWS, "views fit the input");

VkskinCrowdFrame vkskinDefaultCrowdFrame(void) {
    return (VkskinCrowdFrame){.cookie = VKSKIN_COOKIE_CROWD_FRAME, .maxPixels = 1.0f};
}

/* ---- Checks ---- */

static VkskinResult checkFrame(VkskinContext context, const Crowd *crowd, const VkskinCrowdFrame *frame) {
    if (frame->cookie != VKSKIN_COOKIE_CROWD_FRAME) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "%s: the frame was not made by vkskinDefaultCrowdFrame", call);
    }
    if (frame->viewCount == 0 || frame->viewCount > crowd->maxViews) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: viewCount is %u, not in 1 to %u (maxViews of crowd %s)", call, frame->viewCount,
                         crowd->maxViews, crowd->name);
    }
    if (!(frame->maxPixels > 0.0f && frame->maxPixels <= 1e6f)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: maxPixels is %g, not in 0 to 1e6", call,
                         (double)frame->maxPixels);
    }
    VkskinResult result = sknNeedArgument(context, call, "views", frame->views);
    for (uint32_t v = 0; result >= 0 && v < frame->viewCount; v++) {
        result = sknCheckCrowdView(&context->gpu.logger, call, v, &frame->views[v]);
    }
    return result;
}

static uint32_t budgetOf(uint64_t maxVertices) {
    const uint64_t units = maxVertices / CROWD_BUDGET_UNIT;
    return maxVertices == 0 ? 0 : units == 0 ? 1 : units < INT32_MAX ? (uint32_t)units : INT32_MAX;
}

static CrowdFrame describeFrame(const VkskinCrowdFrame *frame) {
    CrowdFrame made = {.push = {.tick = frame->tick,
                                .views = (1u << frame->viewCount) - 1,
                                .maxPixels = crowdFloatBits(frame->maxPixels),
                                .budget = budgetOf(frame->maxVertices)}};
    for (uint32_t v = 0; v < frame->viewCount; v++) {
        const VkskinCrowdView *view = &frame->views[v];
        made.push.colours |= (view->kind == VKSKIN_CROWD_COLOUR ? 1u : 0u) << v;
        made.views.views[v] = (LayoutCrowdView){
            .planes = view->planeCount,
            .scale = crowdFloatBits(view->pixelsPerUnit * view->pixelsPerUnit),
            .parallel = view->orthographic ? 1u : 0u,
            .eyeX = crowdFloatBits(view->eye[0]),
            .eyeY = crowdFloatBits(view->eye[1]),
            .eyeZ = crowdFloatBits(view->eye[2]),
        };
        memcpy(made.views.planes[v], view->planes, view->planeCount * sizeof view->planes[0]);
    }
    return made;
}

/* ---- Recording ---- */

/* With host-owned barriers: meshes whose upload is not recorded. */
static VkskinResult needUploads(VkskinContext context, const Crowd *crowd) {
    for (uint32_t g = 0; g < crowd->groupCount; g++) {
        for (uint32_t p = 0; p < crowd->groups[g].partCount; p++) {
            if (sknMesh(context, crowd->groups[g].meshes[p].mesh)->uploadPending) {
                return sknReport(&context->gpu.logger, VKSKIN_ERROR_UPLOADS_PENDING,
                                 "%s: call vkskinRecordUploads first, for the meshes of crowd %s", call, crowd->name);
            }
        }
    }
    return VKSKIN_SUCCESS;
}

/* Finds and checks what is recorded. With the lock. */
static VkskinResult prepare(VkskinContext context, VkCommandBuffer commandBuffer, VkskinCrowd handle,
                            const VkskinCrowdFrame *frame, Crowd **crowd) {
    VkskinResult result = sknNeedFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "frame", frame);
    }
    if (result >= 0) {
        result = sknFindCrowd(context, call, handle, crowd);
    }
    if (result >= 0) {
        result = checkFrame(context, *crowd, frame);
    }
    if (result >= 0 && (*crowd)->recordedFrame == context->recording->number) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_FRAME_ORDER,
                           "%s: crowd %s was recorded in this frame already: call vkskinBeginFrame first", call,
                           (*crowd)->name);
    }
    if (result >= 0 && !sknOnCpu(context) && context->def.barriers == VKSKIN_BARRIERS_HOST) {
        result = needUploads(context, *crowd);
    }
    return result;
}

/* Notes the frame: it counts from now on. */
static void note(VkskinContext context, Crowd *crowd) {
    CrowdInput *input = &crowd->inputs[context->recording->slot];
    crowd->recordedFrame = context->recording->number;
    crowd->frameCount++;
    input->frame = context->recording->number;
    input->characters = crowd->changes.alive;
}

static VkskinResult recordOnCpu(VkskinContext context, VkCommandBuffer commandBuffer, VkskinCrowd handle,
                                const VkskinCrowdFrame *frame) {
    Crowd *crowd = NULL;
    bool shared = false;
    (void)sknEnterRecording(context, &shared);
    VkskinResult result = prepare(context, commandBuffer, handle, frame, &crowd);
    CrowdFrame made = {0};
    if (result >= 0) {
        made = describeFrame(frame);
        made.push.number = crowd->frameCount;
        sknBeginCrowdOnCpu(context, crowd, &made);
        note(context, crowd);
        context->cpu.working = true;
    }
    (void)sknLeaveRecording(context, shared, result);
    if (result < 0) {
        return result;
    }
    sknWorkCrowdOnCpu(context, crowd, &made);
    sknLockAlone(&context->lock);
    context->cpu.working = false;
    result = sknEndCrowdOnCpu(context, crowd);
    sknAnswerOnCpu(crowd, context->recording->slot, made.push.tick);
    if (result < 0) {
        forgetFrame(context, crowd);
    }
    return sknLeave(context, result);
}

static VkskinResult recordOnDevice(VkskinContext context, VkCommandBuffer commandBuffer, VkskinCrowd handle,
                                   const VkskinCrowdFrame *frame) {
    Crowd *crowd = NULL;
    VkskinResult result = prepare(context, commandBuffer, handle, frame, &crowd);
    if (result < 0) {
        return result;
    }
    CrowdFrame made = describeFrame(frame);
    made.push.number = crowd->frameCount;
    result = sknRecordCrowdOnDevice(context, commandBuffer, crowd, &made);
    if (result >= 0) {
        note(context, crowd);
    }
    return result;
}

VkskinResult vkskinRecordCrowd(VkskinContext context, VkCommandBuffer commandBuffer, VkskinCrowd crowd,
                               const VkskinCrowdFrame *frame) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (sknOnCpu(context)) {
        sknLock(&context->cpu.lock);
        VkskinResult result = recordOnCpu(context, commandBuffer, crowd, frame);
        sknUnlock(&context->cpu.lock);
        return result;
    }
    bool shared = false;
    (void)sknEnterRecording(context, &shared);
    return sknLeaveRecording(context, shared, recordOnDevice(context, commandBuffer, crowd, frame));
}
