#include "soak_frames.h"

#include <string.h>

static bool check(VkResult result, const char *call, EngineError *error) {
    return result == VK_SUCCESS || engineFailVulkan(error, call, result);
}

/* ---- Making ---- */

static bool createSlot(Device *device, SoakSlot *slot, EngineError *error) {
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = device->family};
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (!check(vkCreateCommandPool(device->handle, &pool, NULL, &slot->pool), "vkCreateCommandPool", error)) {
        return false;
    }
    buffer.commandPool = slot->pool;
    return check(vkAllocateCommandBuffers(device->handle, &buffer, &slot->commandBuffer), "vkAllocateCommandBuffers",
                 error) &&
           check(vkCreateFence(device->handle, &fence, NULL, &slot->fence), "vkCreateFence", error) &&
           bufferCreate(device, SOAK_READBACK_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "soak readback",
                        &slot->readback, error);
}

bool soakFramesCreate(Device *device, SoakFrames *frames, EngineError *error) {
    *frames = (SoakFrames){.device = device};
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    bool good = check(vkCreateSemaphore(device->handle, &info, NULL, &frames->gate), "vkCreateSemaphore", error);
    for (uint32_t i = 0; good && i < SOAK_MAX_FRAMES; i++) {
        good = createSlot(device, &frames->slots[i], error);
    }
    if (!good) {
        soakFramesDestroy(frames);
    }
    return good;
}

/* ---- The gate ---- */

static bool open(SoakFrames *frames, uint64_t value, EngineError *error) {
    if (value <= frames->opened) {
        return true;
    }
    VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = frames->gate, .value = value};
    frames->opened = value;
    return check(vkSignalSemaphore(frames->device->handle, &signal), "vkSignalSemaphore", error);
}

void soakFramesDestroy(SoakFrames *frames) {
    if (frames->device == NULL) {
        return;
    }
    VkDevice device = frames->device->handle;
    EngineError ignored; /* a lost device is taken down like any other */
    if (open(frames, frames->submitted, &ignored)) {
        vkDeviceWaitIdle(device);
    }
    for (uint32_t i = 0; i < SOAK_MAX_FRAMES; i++) {
        bufferDestroy(frames->device, &frames->slots[i].readback);
        vkDestroyFence(device, frames->slots[i].fence, NULL);
        vkDestroyCommandPool(device, frames->slots[i].pool, NULL);
    }
    vkDestroySemaphore(device, frames->gate, NULL);
    *frames = (SoakFrames){0};
}

bool soakFramesWait(SoakFrames *frames, uint32_t slot, EngineError *error) {
    SoakSlot *waited = &frames->slots[slot];
    VkDevice device = frames->device->handle;
    uint64_t submission = waited->submission;
    waited->submission = 0;
    return submission == 0 ||
           (open(frames, submission, error) &&
            check(vkWaitForFences(device, 1, &waited->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences", error) &&
            check(vkResetFences(device, 1, &waited->fence), "vkResetFences", error));
}

/* ---- A frame ---- */

bool soakFramesRecord(SoakFrames *frames, uint32_t slot, EngineError *error) {
    const SoakSlot *recorded = &frames->slots[slot];
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    return check(vkResetCommandPool(frames->device->handle, recorded->pool, 0), "vkResetCommandPool", error) &&
           check(vkBeginCommandBuffer(recorded->commandBuffer, &info), "vkBeginCommandBuffer", error);
}

static bool submit(SoakFrames *frames, SoakSlot *slot, EngineError *error) {
    VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                  .semaphore = frames->gate,
                                  .value = frames->submitted + 1,
                                  .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = slot->commandBuffer};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = 1,
                          .pWaitSemaphoreInfos = &wait,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &commands};
    if (!check(vkQueueSubmit2(frames->device->queue, 1, &info, slot->fence), "vkQueueSubmit2", error)) {
        return false;
    }
    slot->submission = ++frames->submitted;
    return true;
}

bool soakFramesSubmit(SoakFrames *frames, uint32_t slot, uint64_t lag, EngineError *error) {
    SoakSlot *submitted = &frames->slots[slot];
    return check(vkEndCommandBuffer(submitted->commandBuffer), "vkEndCommandBuffer", error) &&
           submit(frames, submitted, error) &&
           (lag >= frames->submitted || open(frames, frames->submitted - lag, error));
}
