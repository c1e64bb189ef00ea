#include "context.h"

static VkskinResult beginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    VkskinResult result = sknNeedFrame(context, "vkskinBeginScope", "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = sknNeedArgument(context, "vkskinBeginScope", "name", name);
    }
    if (result < 0) {
        return result;
    }
    if (!sknBeginScope(&context->gpu, &context->scopes, context->turn, commandBuffer, name)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_SCOPES,
                         "vkskinBeginScope: no room for '%s' in maxTimingScopes (%u)", name, context->scopes.most);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult endScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    VkskinResult result = sknNeedFrame(context, "vkskinEndScope", "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = sknNeedArgument(context, "vkskinEndScope", "name", name);
    }
    if (result < 0) {
        return result;
    }
    if (!sknEndScope(&context->gpu, &context->scopes, context->turn, commandBuffer, name)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinEndScope: no scope '%s' was begun",
                         name);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult getTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                               VkskinTimestampSupport *support) {
    VkskinResult result = sknNeedArgument(context, "vkskinGetTimings", "count", count);
    if (result >= 0) {
        result = sknReadScopes(&context->gpu, &context->scopes, context->turn);
    }
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
        *support = scopes->most > 0 ? VKSKIN_TIMESTAMPS_SUPPORTED : VKSKIN_TIMESTAMPS_NONE;
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

VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, beginScope(context, commandBuffer, name));
}

VkskinResult vkskinEndScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, endScope(context, commandBuffer, name));
}

VkskinResult vkskinGetTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                              VkskinTimestampSupport *support) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, getTimings(context, timings, count, frame, support));
}
