#include "soak_frames.h"

#include <string.h>

static bool check(VkResult result, const char *call, EngineError *error) {
    return result == VK_SUCCESS || engineFailVulkan(error, call, result);
}

/* ---- Making ---- */

static bool createGate(Device *device, VkSemaphore *gate, EngineError *error) {
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    return check(vkCreateSemaphore(device->handle, &info, NULL, gate), "vkCreateSemaphore", error);
}

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
           createGate(device, &slot->gate, error) &&
           bufferCreate(device, SOAK_READBACK_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "soak readback",
                        &slot->readback, error);
}

bool soakFramesCreate(Device *device, SoakFrames *frames, EngineError *error) {
    *frames = (SoakFrames){.device = device};
    bool good = true;
    for (uint32_t i = 0; good && i < SOAK_MAX_FRAMES; i++) {
        good = createSlot(device, &frames->slots[i], error);
    }
    if (!good) {
        soakFramesDestroy(frames);
    }
    return good;
}

/* ---- The gate ---- */

static bool openOne(SoakFrames *frames, uint64_t submission, EngineError *error) {
    for (uint32_t i = 0; i < SOAK_MAX_FRAMES; i++) {
        if (frames->slots[i].submission == submission) {
            VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                            .semaphore = frames->slots[i].gate,
                                            .value = submission};
            return check(vkSignalSemaphore(frames->device->handle, &signal), "vkSignalSemaphore", error);
        }
    }
    return true;
}

/* For all submissions up to this one. */
static bool openGate(SoakFrames *frames, uint64_t submission, EngineError *error) {
    bool good = true;
    while (good && frames->opened < submission) {
        good = openOne(frames, ++frames->opened, error);
    }
    return good;
}

void soakFramesDestroy(SoakFrames *frames) {
    if (frames->device == NULL) {
        return;
    }
    VkDevice device = frames->device->handle;
    EngineError ignored; /* a lost device is taken down like any other */
    if (openGate(frames, frames->submitted, &ignored)) {
        vkDeviceWaitIdle(device);
    }
    for (uint32_t i = 0; i < SOAK_MAX_FRAMES; i++) {
        bufferDestroy(frames->device, &frames->slots[i].readback);
        vkDestroyFence(device, frames->slots[i].fence, NULL);
        vkDestroySemaphore(device, frames->slots[i].gate, NULL);
        vkDestroyCommandPool(device, frames->slots[i].pool, NULL);
    }
    *frames = (SoakFrames){0};
}

bool soakFramesWait(SoakFrames *frames, uint32_t slot, EngineError *error) {
    SoakSlot *waited = &frames->slots[slot];
    VkDevice device = frames->device->handle;
    if (waited->submission == 0) {
        return true;
    }
    bool good = openGate(frames, waited->submission, error) &&
                check(vkWaitForFences(device, 1, &waited->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences", error) &&
                check(vkResetFences(device, 1, &waited->fence), "vkResetFences", error);
    waited->submission = 0;
    return good;
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
                                  .semaphore = slot->gate,
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
           (lag >= frames->submitted || openGate(frames, frames->submitted - lag, error));
}
