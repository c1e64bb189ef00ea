/* Frames in flight on a device that lags. */
#include "soak_parts.h"

static void createSlot(Device *device, SoakSlot *slot) {
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = device->family};
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo gate = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    EngineError error;
    worldCheckVulkan("vkCreateCommandPool", vkCreateCommandPool(device->handle, &pool, NULL, &slot->pool));
    buffer.commandPool = slot->pool;
    worldCheckVulkan("vkAllocateCommandBuffers",
                     vkAllocateCommandBuffers(device->handle, &buffer, &slot->target.commandBuffer));
    worldCheckVulkan("vkCreateFence", vkCreateFence(device->handle, &fence, NULL, &slot->fence));
    worldCheckVulkan("vkCreateSemaphore", vkCreateSemaphore(device->handle, &gate, NULL, &slot->gate));
    if (!bufferCreate(device, WORLD_READBACK_BYTES + WORLD_CROWD_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                      BUFFER_READBACK, "soak readback", &slot->target.readback, &error)) {
        worldFail("%s", error.message);
    }
}

void soakFramesCreate(Device *device, SoakFrames *frames) {
    *frames = (SoakFrames){.device = device};
    for (uint32_t i = 0; i < WORLD_MAX_FRAMES; i++) {
        createSlot(device, &frames->slots[i]);
    }
}

/* Opens the gates of all submissions up to this one. */
static VkResult openGates(SoakFrames *frames, uint64_t submission) {
    VkResult result = VK_SUCCESS;
    while (result == VK_SUCCESS && frames->opened < submission) {
        frames->opened++;
        for (uint32_t i = 0; result == VK_SUCCESS && i < WORLD_MAX_FRAMES; i++) {
            VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                            .semaphore = frames->slots[i].gate,
                                            .value = frames->opened};
            if (frames->slots[i].submission == frames->opened) {
                result = vkSignalSemaphore(frames->device->handle, &signal);
            }
        }
    }
    return result;
}

void soakFramesDestroy(SoakFrames *frames) {
    if (frames->device == NULL) {
        return;
    }
    VkDevice device = frames->device->handle;
    if (openGates(frames, frames->submitted) == VK_SUCCESS) { /* not if the device is lost */
        vkDeviceWaitIdle(device);
    }
    for (uint32_t i = 0; i < WORLD_MAX_FRAMES; i++) {
        bufferDestroy(frames->device, &frames->slots[i].target.readback);
        vkDestroyFence(device, frames->slots[i].fence, NULL);
        vkDestroySemaphore(device, frames->slots[i].gate, NULL);
        vkDestroyCommandPool(device, frames->slots[i].pool, NULL);
    }
    *frames = (SoakFrames){0};
}

void soakFramesWait(SoakFrames *frames, uint32_t slot) {
    SoakSlot *waited = &frames->slots[slot];
    VkDevice device = frames->device->handle;
    if (waited->submission > 0) {
        worldCheckVulkan("vkSignalSemaphore", openGates(frames, waited->submission));
        worldCheckVulkan("vkWaitForFences", vkWaitForFences(device, 1, &waited->fence, VK_TRUE, UINT64_MAX));
        worldCheckVulkan("vkResetFences", vkResetFences(device, 1, &waited->fence));
        waited->submission = 0;
    }
}

void soakFramesRecord(SoakFrames *frames, uint32_t slot) {
    const SoakSlot *recorded = &frames->slots[slot];
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    worldCheckVulkan("vkResetCommandPool", vkResetCommandPool(frames->device->handle, recorded->pool, 0));
    worldCheckVulkan("vkBeginCommandBuffer", vkBeginCommandBuffer(recorded->target.commandBuffer, &info));
}

void soakFramesSubmit(SoakFrames *frames, uint32_t slot, uint64_t lag) {
    SoakSlot *submitted = &frames->slots[slot];
    VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                  .semaphore = submitted->gate,
                                  .value = frames->submitted + 1,
                                  .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = submitted->target.commandBuffer};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = 1,
                          .pWaitSemaphoreInfos = &wait,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &commands};
    worldCheckVulkan("vkEndCommandBuffer", vkEndCommandBuffer(submitted->target.commandBuffer));
    worldCheckVulkan("vkQueueSubmit2", vkQueueSubmit2(frames->device->queue, 1, &info, submitted->fence));
    submitted->submission = ++frames->submitted;
    if (lag < frames->submitted) {
        worldCheckVulkan("vkSignalSemaphore", openGates(frames, frames->submitted - lag));
    }
}
