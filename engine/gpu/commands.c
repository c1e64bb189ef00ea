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
    return deviceCreatePool(device, pool, error) &&
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

static const struct {
    VkImageLayout layout;
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 reads, writes;
} IMAGE_USES[] = {
    [IMAGE_UNUSED] = {VK_IMAGE_LAYOUT_UNDEFINED, 0, 0, 0},
    [IMAGE_COPY_TARGET] = {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_2_TRANSFER_BIT, 0,
                           VK_ACCESS_2_TRANSFER_WRITE_BIT},
    [IMAGE_COPY_SOURCE] = {VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                           VK_ACCESS_2_TRANSFER_READ_BIT, 0},
    [IMAGE_SAMPLED] = {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                       VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, 0},
    [IMAGE_SAMPLED_BY_VERTICES] = {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
                                   VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, 0},
    [IMAGE_DEPTH] = {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                     VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
                     VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
    [IMAGE_DEPTH_STENCIL] = {VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                             VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
    [IMAGE_COLOUR] = {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                      VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT},
    /* Presenting waits for semaphores: the stage chains barriers with them. */
    [IMAGE_PRESENTED] = {VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0},
};

static void recordImageBarrier(VkCommandBuffer commandBuffer, VkImage image, uint32_t level, uint32_t levels,
                               ImageUse from, ImageUse to, bool keep) {
    const bool both = from == IMAGE_DEPTH_STENCIL || to == IMAGE_DEPTH_STENCIL,
               depth = from == IMAGE_DEPTH || to == IMAGE_DEPTH;
    const VkImageAspectFlags depthAspects = VK_IMAGE_ASPECT_DEPTH_BIT | (both ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = IMAGE_USES[from].stages,
        .srcAccessMask = IMAGE_USES[from].writes,
        .dstStageMask = IMAGE_USES[to].stages,
        .dstAccessMask = IMAGE_USES[to].reads | IMAGE_USES[to].writes,
        .oldLayout = keep ? IMAGE_USES[from].layout : VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = IMAGE_USES[to].layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {.aspectMask = depth || both ? depthAspects : VK_IMAGE_ASPECT_COLOR_BIT,
                             .baseMipLevel = level,
                             .levelCount = levels,
                             .layerCount = 1}};
    VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commandBuffer, &dependency);
}

void imageBarrier(VkCommandBuffer commandBuffer, VkImage image, ImageUse from, ImageUse to) {
    recordImageBarrier(commandBuffer, image, 0, VK_REMAINING_MIP_LEVELS, from, to, true);
}

void imageDiscard(VkCommandBuffer commandBuffer, VkImage image, ImageUse from, ImageUse to) {
    recordImageBarrier(commandBuffer, image, 0, VK_REMAINING_MIP_LEVELS, from, to, false);
}

void imageLevelBarrier(VkCommandBuffer commandBuffer, VkImage image, uint32_t level, ImageUse from, ImageUse to) {
    recordImageBarrier(commandBuffer, image, level, 1, from, to, true);
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
