#include <string.h>

#include "cookie.h"
#include "crowd.h"

static const char call[] = "vkskinRecordCrowd";

_Static_assert(CROWD_PLANES == VKSKIN_MAX_CROWD_PLANES && CROWD_VIEWS == VKSKIN_MAX_CROWD_VIEWS, "views fit the input");

VkskinCrowdFrame vkskinDefaultCrowdFrame(void) {
    return (VkskinCrowdFrame){.cookie = VKSKIN_COOKIE_CROWD_FRAME};
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
    VkskinResult result = sknNeedArgument(context, call, "views", frame->views);
    for (uint32_t v = 0; result >= 0 && v < frame->viewCount; v++) {
        result = sknCheckCrowdView(&context->gpu.logger, call, v, &frame->views[v]);
    }
    return result;
}

static CrowdFrame describeFrame(const VkskinCrowdFrame *frame) {
    CrowdFrame made = {.push = {.tick = frame->tick, .views = (1u << frame->viewCount) - 1}};
    for (uint32_t v = 0; v < frame->viewCount; v++) {
        const VkskinCrowdView *view = &frame->views[v];
        made.push.colours |= (view->kind == VKSKIN_CROWD_COLOUR ? 1u : 0u) << v;
        made.push.planes |= view->planeCount << (8 * v);
        memcpy(made.planes[v], view->planes, view->planeCount * sizeof view->planes[0]);
    }
    return made;
}

/* ---- Recording ---- */

/* With host-owned barriers: meshes whose upload is not recorded. */
static VkskinResult needUploads(VkskinContext context, const Crowd *crowd) {
    for (uint32_t m = 0; m < crowd->modelCount; m++) {
        for (uint32_t p = 0; p < crowd->models[m].partCount; p++) {
            if (sknMesh(context, crowd->models[m].meshes[p].mesh)->uploadPending) {
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
        made.push.copy = crowd->frameCount % crowd->copies;
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
    if (result < 0) {
        sknForgetCrowdFrame(context, crowd);
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
    made.push.copy = crowd->frameCount % crowd->copies;
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
