#include "commands.h"
#include "retire.h"

VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
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
    sknFreeRetired(context, &context->slots[frameIndex]);
    sknForgetCommands(context);
    context->frame++;
    context->slot = frameIndex;
    context->writtenCount = 0;
    context->skinnedCount = 0;
    context->frameStats = (VkskinStats){0};
    sknRingBeginSlot(&context->ring, frameIndex);
    sknJobsBeginFrame(&context->jobs);
    sknScopesBeginFrame(&context->scopes, context->frame);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                   VkskinPalette *palette, void **data) {
    static const char call[] = "vkskinAllocatePalette";
    if (palette != NULL) {
        *palette = (VkskinPalette){0};
    }
    if (data != NULL) {
        *data = NULL;
    }
    VkskinResult result = sknNeedArgument(context, call, "palette", palette);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "data", data);
    }
    if (result >= 0) {
        result = sknNeedFrame(context, call);
    }
    if (result < 0) {
        return result;
    }
    uint32_t stride = vkskinPaletteStride(encoding);
    if (stride == 0 || boneCount == 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: encoding %u, %u bones", call,
                         (unsigned)encoding, boneCount);
    }
    VkDeviceSize size = (VkDeviceSize)stride * boneCount;
    uint32_t page = 0;
    VkDeviceSize offset = 0;
    if (!sknRingTake(&context->ring, size, &page, &offset)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_PALETTE_RING_FULL,
                         "%s: %u bones take %llu bytes, %llu are left in one piece of this frame's %llu", call,
                         boneCount, (unsigned long long)size, (unsigned long long)sknRingRoom(&context->ring),
                         (unsigned long long)context->def.paletteBytesPerFrame);
    }
    *palette = (VkskinPalette){
        .frame = context->frame,
        .page = page,
        .offset = (uint32_t)offset,
        .boneCount = boneCount,
        .encoding = encoding,
    };
    *data = (unsigned char *)sknRingPage(&context->ring, page)->host.memory.mapped + offset;
    context->frameStats.paletteBytes += size;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    VkskinResult result = sknNeedArgument(context, "vkskinBeginScope", "name", name);
    if (result >= 0) {
        result = sknNeedArgument(context, "vkskinBeginScope", "commandBuffer", (const void *)commandBuffer);
    }
    if (result >= 0) {
        result = sknNeedFrame(context, "vkskinBeginScope");
    }
    if (result < 0) {
        return result;
    }
    if (!sknBeginScope(&context->gpu, &context->scopes, context->frame, commandBuffer, name)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_SCOPES,
                         "vkskinBeginScope: no room for '%s' in maxTimingScopes (%u)", name, context->scopes.most);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinEndScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    VkskinResult result = sknNeedArgument(context, "vkskinEndScope", "name", name);
    if (result >= 0) {
        result = sknNeedArgument(context, "vkskinEndScope", "commandBuffer", (const void *)commandBuffer);
    }
    if (result >= 0) {
        result = sknNeedFrame(context, "vkskinEndScope");
    }
    if (result < 0) {
        return result;
    }
    if (!sknEndScope(&context->gpu, &context->scopes, context->frame, commandBuffer, name)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinEndScope: no scope '%s' was begun",
                         name);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                              VkskinTimestampSupport *support) {
    VkskinResult result = sknNeedArgument(context, "vkskinGetTimings", "count", count);
    if (result >= 0) {
        result = sknReadScopes(&context->gpu, &context->scopes, context->frame);
    }
    if (result < 0) {
        return result;
    }
    const Scopes *scopes = &context->scopes;
    uint32_t room = *count;
    *count = scopes->resultCount;
    if (frame != NULL) {
        *frame = scopes->resultFrame;
    }
    if (support != NULL) {
        *support = scopes->most > 0 ? VKSKIN_TIMESTAMPS_SUPPORTED : VKSKIN_TIMESTAMPS_NONE;
    }
    for (uint32_t i = 0; timings != NULL && i < scopes->resultCount && i < room; i++) {
        timings[i] = scopes->results[i];
    }
    if (timings != NULL && room < scopes->resultCount) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinGetTimings: room for %u of %u timings", room, scopes->resultCount);
    }
    return VKSKIN_SUCCESS;
}
