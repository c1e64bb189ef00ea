#include "frames.h"

#include <string.h>

#include "crash_watch.h"
#include "measure.h"

static bool createSlot(Frames *frames, uint32_t slot, EngineError *error) {
    return commandsCreate(frames->device, FRAMES_MAX_PARTS, &frames->pools[slot], frames->commandBuffers[slot],
                          error) &&
           fenceCreate(frames->device, true, &frames->fences[slot], error);
}

bool framesCreate(Device *device, Frames *frames, EngineError *error) {
    memset(frames, 0, sizeof(*frames));
    frames->device = device;
    bool made = fenceCreate(device, false, &frames->flushFence, error);
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT && made; slot++) {
        made = createSlot(frames, slot, error);
    }
    if (!made) {
        framesDestroy(frames);
    }
    return made;
}

void framesDestroy(Frames *frames) {
    if (!frames->device) {
        return;
    }
    VkDevice device = frames->device->handle;
    vkDeviceWaitIdle(device); /* failures are ignored: a lost device is destroyed the same way */
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT; slot++) {
        vkDestroyFence(device, frames->fences[slot], NULL);
        vkDestroyCommandPool(device, frames->pools[slot], NULL);
    }
    vkDestroyFence(device, frames->flushFence, NULL);
    memset(frames, 0, sizeof(*frames));
}

static bool beginPart(Frames *frames, Frame *frame, uint32_t part, EngineError *error) {
    frame->part = part;
    frame->commandBuffer = frames->commandBuffers[frame->slot][part];
    return commandsBegin(frame->commandBuffer, error);
}

bool framesBegin(Frames *frames, Frame *frame, EngineError *error) {
    VkDevice device = frames->device->handle;
    frame->slot = frames->next;
    if (!fenceWait(frames->device, frames->fences[frame->slot], error)) {
        return false;
    }
    if (frames->begun++ == FRAMES_IN_FLIGHT) { /* the slot has a frame that is complete */
        crashWatchEnd();
    }
    return engineVulkan(error, "vkResetCommandPool", vkResetCommandPool(device, frames->pools[frame->slot], 0)) &&
           beginPart(frames, frame, 0, error);
}

static bool submitPart(Frames *frames, const Frame *frame, const FrameSync *sync, VkFence fence, EngineError *error) {
    return commandsEnd(frame->commandBuffer, error) &&
           commandsSubmit(frames->device, frame->commandBuffer, sync, fence, error);
}

bool framesFlush(Frames *frames, Frame *frame, double *milliseconds, EngineError *error) {
    if (frame->part + 1 >= FRAMES_MAX_PARTS) {
        return engineFail(error, "a frame has at most %d parts", FRAMES_MAX_PARTS);
    }
    if (!engineVulkan(error, "vkQueueWaitIdle", vkQueueWaitIdle(frames->device->queue))) {
        return false;
    }
    double start = measureNow();
    if (!submitPart(frames, frame, NULL, frames->flushFence, error) ||
        !fenceWait(frames->device, frames->flushFence, error)) {
        return false;
    }
    *milliseconds = measureNow() - start;
    return beginPart(frames, frame, frame->part + 1, error);
}

bool framesEnd(Frames *frames, Frame *frame, const FrameSync *sync, EngineError *error) {
    frames->next = (frame->slot + 1) % FRAMES_IN_FLIGHT;
    bool submitted = submitPart(frames, frame, sync, frames->fences[frame->slot], error);
    frame->commandBuffer = VK_NULL_HANDLE;
    return submitted;
}
