#include "frame_state.h"

#include <stdio.h>

static void keepMessage(void *user, VkskinResult result, const char *message) {
    FrameState *state = user;
    if (result < 0) {
        snprintf(state->message, sizeof state->message, "%s", message);
    }
}

VkskinLogger frameLogger(FrameState *state) {
    return (VkskinLogger){keepMessage, state};
}

bool frameIsGood(const FrameState *state, VkskinResult result, EngineError *error) {
    return result >= 0 || engineFail(error, "%.400s (%s)", state->message, vkskinResultName(result));
}

const float *frameRead(FrameState *state, uint32_t level, VkBuffer buffer, VkDeviceSize offset, EngineError *error) {
    const VkDeviceSize vertices = state->scene.meshes[level].mesh.vertexCount;
    const VkBufferCopy region = {.srcOffset = offset, .size = sizeof(float) * 3 * vertices};
    return deviceClockRead(state->clock, buffer, &region, 1, state->vertices.handle, error) ? state->vertices.mapped
                                                                                            : NULL;
}
