#include "commands.h"
#include "retire.h"

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
    if (context->frame == 0 || context->begun) { /* else this one takes the turn of a cancelled frame */
        context->turn++;
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
    sknScopesBeginFrame(&context->scopes, context->turn, context->frame);
    if (dropped > 0) {
        return sknReport(logger, VKSKIN_WARNING_COMMANDS_DROPPED,
                         "vkskinBeginFrame: %u of %u commands of the frame before were never recorded", dropped, given);
    }
    return VKSKIN_SUCCESS;
}

/*
 * The slot will be begun again at once. What was destroyed in it may still be read by the frame before it, and goes
 * with that one's slot.
 */
static VkskinResult cancelFrame(VkskinContext context) {
    VkskinResult result = sknNeedFrame(context, "vkskinCancelFrame", "context", context);
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
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, cancelFrame(context));
}

VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, beginFrame(context, frameIndex));
}
