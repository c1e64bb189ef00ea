#include "commands.h"
#include "retire.h"

static VkskinResult beginFrame(VkskinContext context, uint32_t frameIndex) {
    const VkskinLogger *logger = &context->gpu.logger;
    uint32_t slots = context->def.framesInFlight;
    if (frameIndex >= slots) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinBeginFrame: frameIndex is %u of %u frames in flight", frameIndex, slots);
    }
    if (context->frame > 0 && frameIndex != (context->slot + 1) % slots) {
        return sknReport(logger, VKSKIN_ERROR_FRAME_ORDER, "vkskinBeginFrame: frameIndex is %u, after %u comes %u",
                         frameIndex, context->slot, (context->slot + 1) % slots);
    }
    uint32_t dropped = sknTakeBackCommands(context);
    sknFreeRetired(context, &context->slots[frameIndex]);
    context->frame++;
    context->slot = frameIndex;
    context->writtenCount = 0;
    context->skinnedCount = 0;
    context->frameStats = (VkskinStats){0};
    sknRingBeginSlot(&context->ring, frameIndex);
    sknJobsBeginFrame(&context->jobs);
    sknScopesBeginFrame(&context->scopes, context->frame);
    if (dropped > 0) {
        return sknReport(logger, VKSKIN_WARNING_COMMANDS_DROPPED,
                         "vkskinBeginFrame: %u commands of the frame before were never recorded", dropped);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, beginFrame(context, frameIndex));
}
