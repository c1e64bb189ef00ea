/*
 * commands.h: command buffers, submissions, fences and barriers.
 */
#ifndef ENGINE_COMMANDS_H
#define ENGINE_COMMANDS_H

#include "device.h"

/* Makes a pool with `count` command buffers for the device's queue. Destroy the pool also on failure. */
bool commandsCreate(Device *device, uint32_t count, VkCommandPool *pool, VkCommandBuffer *buffers, EngineError *error);

/* Begins a recording that is submitted once. */
bool commandsBegin(VkCommandBuffer commandBuffer, EngineError *error);

bool commandsEnd(VkCommandBuffer commandBuffer, EngineError *error);

/* Semaphores of a window's submission; null handles are ignored. */
typedef struct FrameSync {
    VkSemaphore wait; /* binary */
    VkPipelineStageFlags2 waitStages;
    VkSemaphore signal; /* binary; signalled when all commands are done */
} FrameSync;

/* Resets the fence and submits an ended command buffer with it. sync: null: no wait and no signal. */
bool commandsSubmit(Device *device, VkCommandBuffer commandBuffer, const FrameSync *sync, VkFence fence,
                    EngineError *error);

bool fenceCreate(Device *device, bool signalled, VkFence *fence, EngineError *error);
bool fenceWait(Device *device, VkFence fence, EngineError *error);

/*
 * A command buffer for work at load time. immediateEnd submits it, waits for it and frees it, also on failure.
 * immediateBegin returns null on failure.
 */
VkCommandBuffer immediateBegin(Device *device, EngineError *error);
bool immediateEnd(Device *device, VkCommandBuffer commandBuffer, EngineError *error);

/* An image barrier. Masks as in VkImageMemoryBarrier2. */
typedef struct ImageBarrier {
    VkImage image;
    VkImageAspectFlags aspect;
    uint32_t mipLevel, mipCount; /* mipCount 0: all from mipLevel on */
    VkImageLayout oldLayout, newLayout;
    VkPipelineStageFlags2 srcStages;
    VkAccessFlags2 srcAccess;
    VkPipelineStageFlags2 dstStages;
    VkAccessFlags2 dstAccess;
} ImageBarrier;

void imageBarrier(VkCommandBuffer commandBuffer, const ImageBarrier *barrier);

/* A barrier for all memory. */
void memoryBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 srcStages, VkAccessFlags2 srcAccess,
                   VkPipelineStageFlags2 dstStages, VkAccessFlags2 dstAccess);

/* Makes earlier copies readable by the host after it has waited for the submission's fence. */
void copyToHostBarrier(VkCommandBuffer commandBuffer);

#endif
