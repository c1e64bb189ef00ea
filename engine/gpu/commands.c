#include "commands.h"

static bool allocateBuffers(Device *device, VkCommandPool pool, uint32_t count, VkCommandBuffer *buffers,
                            EngineError *error) {
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = count};
    return engineVulkan(error, "vkAllocateCommandBuffers", vkAllocateCommandBuffers(device->handle, &info, buffers));
}

bool commandsCreate(Device *device, uint32_t count, VkCommandPool *pool, VkCommandBuffer *buffers, EngineError *error) {
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = device->family};
    *pool = VK_NULL_HANDLE;
    return engineVulkan(error, "vkCreateCommandPool", vkCreateCommandPool(device->handle, &info, NULL, pool)) &&
           (count == 0 || allocateBuffers(device, *pool, count, buffers, error));
}

bool commandsBegin(VkCommandBuffer commandBuffer, EngineError *error) {
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    return engineVulkan(error, "vkBeginCommandBuffer", vkBeginCommandBuffer(commandBuffer, &info));
}

bool commandsEnd(VkCommandBuffer commandBuffer, EngineError *error) {
    return engineVulkan(error, "vkEndCommandBuffer", vkEndCommandBuffer(commandBuffer));
}

bool commandsSubmit(Device *device, VkCommandBuffer commandBuffer, const FrameSync *sync, VkFence fence,
                    EngineError *error) {
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = commandBuffer};
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
    return engineVulkan(error, "vkResetFences", vkResetFences(device->handle, 1, &fence)) &&
           engineVulkan(error, "vkQueueSubmit2", vkQueueSubmit2(device->queue, 1, &submit, fence));
}

bool fenceCreate(Device *device, bool signalled, VkFence *fence, EngineError *error) {
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                              .flags = signalled ? VK_FENCE_CREATE_SIGNALED_BIT : 0u};
    return engineVulkan(error, "vkCreateFence", vkCreateFence(device->handle, &info, NULL, fence));
}

bool fenceWait(Device *device, VkFence fence, EngineError *error) {
    return engineVulkan(error, "vkWaitForFences", vkWaitForFences(device->handle, 1, &fence, VK_TRUE, UINT64_MAX));
}

/* ---- At load time ---- */

VkCommandBuffer immediateBegin(Device *device, EngineError *error) {
    VkCommandBuffer commandBuffer = VK_NULL_HANDLE;
    if (!allocateBuffers(device, device->uploadPool, 1, &commandBuffer, error)) {
        return VK_NULL_HANDLE;
    }
    if (!commandsBegin(commandBuffer, error)) {
        vkFreeCommandBuffers(device->handle, device->uploadPool, 1, &commandBuffer);
        return VK_NULL_HANDLE;
    }
    return commandBuffer;
}

bool immediateEnd(Device *device, VkCommandBuffer commandBuffer, EngineError *error) {
    VkFence fence = VK_NULL_HANDLE;
    bool done = fenceCreate(device, false, &fence, error) && commandsEnd(commandBuffer, error) &&
                commandsSubmit(device, commandBuffer, NULL, fence, error) && fenceWait(device, fence, error);
    vkDestroyFence(device->handle, fence, NULL);
    vkFreeCommandBuffers(device->handle, device->uploadPool, 1, &commandBuffer);
    return done;
}

/* ---- Barriers ---- */

void imageBarrier(VkCommandBuffer commandBuffer, const ImageBarrier *barrier) {
    VkImageMemoryBarrier2 image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = barrier->srcStages,
        .srcAccessMask = barrier->srcAccess,
        .dstStageMask = barrier->dstStages,
        .dstAccessMask = barrier->dstAccess,
        .oldLayout = barrier->oldLayout,
        .newLayout = barrier->newLayout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = barrier->image,
        .subresourceRange = {.aspectMask = barrier->aspect,
                             .baseMipLevel = barrier->mipLevel,
                             .levelCount = barrier->mipCount ? barrier->mipCount : VK_REMAINING_MIP_LEVELS,
                             .layerCount = 1}};
    VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &image};
    vkCmdPipelineBarrier2(commandBuffer, &dependency);
}

void memoryBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 srcStages, VkAccessFlags2 srcAccess,
                   VkPipelineStageFlags2 dstStages, VkAccessFlags2 dstAccess) {
    VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                               .srcStageMask = srcStages,
                               .srcAccessMask = srcAccess,
                               .dstStageMask = dstStages,
                               .dstAccessMask = dstAccess};
    VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &memory};
    vkCmdPipelineBarrier2(commandBuffer, &dependency);
}

void copyToHostBarrier(VkCommandBuffer commandBuffer) {
    memoryBarrier(commandBuffer, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                  VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
}
