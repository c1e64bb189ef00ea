#include "frames.h"

#include <string.h>

#include "measure.h"

static bool createSlot(Frames *frames, uint32_t slot, EngineError *error) {
    VkDevice device = frames->device->handle;
    VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                        .queueFamilyIndex = frames->device->family};
    VkResult result = vkCreateCommandPool(device, &poolInfo, NULL, &frames->pools[slot]);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkCreateCommandPool", result);
    }
    VkCommandBufferAllocateInfo bufferInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = frames->pools[slot],
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = FRAMES_MAX_PARTS};
    result = vkAllocateCommandBuffers(device, &bufferInfo, frames->commandBuffers[slot]);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkAllocateCommandBuffers", result);
    }
    VkFenceCreateInfo fenceInfo = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    result = vkCreateFence(device, &fenceInfo, NULL, &frames->fences[slot]);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateFence", result);
}

bool framesCreate(Device *device, uint32_t count, Frames *frames, EngineError *error) {
    memset(frames, 0, sizeof(*frames));
    if (count == 0 || count > FRAMES_MAX) {
        return engineFail(error, "frames in flight must be 1 to %d, not %u", FRAMES_MAX, count);
    }
    frames->device = device;
    frames->count = count;
    bool made = true;
    for (uint32_t slot = 0; slot < count && made; slot++) {
        made = createSlot(frames, slot, error);
    }
    if (made) {
        VkFenceCreateInfo fenceInfo = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        VkResult result = vkCreateFence(device->handle, &fenceInfo, NULL, &frames->flushFence);
        made = result == VK_SUCCESS || engineFailVulkan(error, "vkCreateFence", result);
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
    vkDeviceWaitIdle(device); /* a failure is ignored: a lost device is destroyed the same way */
    for (uint32_t slot = 0; slot < frames->count; slot++) {
        vkDestroyFence(device, frames->fences[slot], NULL);
        vkDestroyCommandPool(device, frames->pools[slot], NULL);
    }
    vkDestroyFence(device, frames->flushFence, NULL);
    memset(frames, 0, sizeof(*frames));
}

static bool beginPart(Frames *frames, Frame *frame, uint32_t part, EngineError *error) {
    frame->part = part;
    frame->commandBuffer = frames->commandBuffers[frame->slot][part];
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkResult result = vkBeginCommandBuffer(frame->commandBuffer, &info);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkBeginCommandBuffer", result);
}

static bool waitFence(const Frames *frames, VkFence fence, EngineError *error) {
    VkResult result = vkWaitForFences(frames->device->handle, 1, &fence, VK_TRUE, UINT64_MAX);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkWaitForFences", result);
}

bool framesBegin(Frames *frames, Frame *frame, EngineError *error) {
    frame->slot = frames->next;
    if (!waitFence(frames, frames->fences[frame->slot], error)) {
        return false;
    }
    VkResult result = vkResetCommandPool(frames->device->handle, frames->pools[frame->slot], 0);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkResetCommandPool", result);
    }
    return beginPart(frames, frame, 0, error);
}

static bool submitPart(Frames *frames, const Frame *frame, const FrameSync *sync, VkFence fence, EngineError *error) {
    VkResult result = vkEndCommandBuffer(frame->commandBuffer);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkEndCommandBuffer", result);
    }
    result = vkResetFences(frames->device->handle, 1, &fence);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkResetFences", result);
    }
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = frame->commandBuffer};
    VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                  .semaphore = sync ? sync->wait : VK_NULL_HANDLE,
                                  .stageMask = sync ? sync->waitStages : 0};
    VkSemaphoreSubmitInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                    .semaphore = sync ? sync->signal : VK_NULL_HANDLE,
                                    .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                            .waitSemaphoreInfoCount = wait.semaphore ? 1 : 0,
                            .pWaitSemaphoreInfos = &wait,
                            .commandBufferInfoCount = 1,
                            .pCommandBufferInfos = &commands,
                            .signalSemaphoreInfoCount = signal.semaphore ? 1 : 0,
                            .pSignalSemaphoreInfos = &signal};
    result = vkQueueSubmit2(frames->device->queue, 1, &submit, fence);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkQueueSubmit2", result);
}

bool framesFlush(Frames *frames, Frame *frame, double *milliseconds, EngineError *error) {
    if (frame->part + 1 >= FRAMES_MAX_PARTS) {
        return engineFail(error, "a frame has at most %d parts", FRAMES_MAX_PARTS);
    }
    VkResult result = vkQueueWaitIdle(frames->device->queue);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkQueueWaitIdle", result);
    }
    double start = measureNow();
    if (!submitPart(frames, frame, NULL, frames->flushFence, error) || !waitFence(frames, frames->flushFence, error)) {
        return false;
    }
    *milliseconds = measureNow() - start;
    return beginPart(frames, frame, frame->part + 1, error);
}

bool framesEnd(Frames *frames, Frame *frame, const FrameSync *sync, EngineError *error) {
    frames->next = (frame->slot + 1) % frames->count;
    bool submitted = submitPart(frames, frame, sync, frames->fences[frame->slot], error);
    frame->commandBuffer = VK_NULL_HANDLE;
    return submitted;
}
