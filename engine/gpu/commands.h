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

/* How commands use an image. */
typedef enum ImageUse {
    IMAGE_UNUSED,      /* nothing waits for it, and its content does not count */
    IMAGE_COPY_TARGET, /* target of copies and blits */
    IMAGE_COPY_SOURCE,
    IMAGE_SAMPLED,             /* by fragment shaders */
    IMAGE_SAMPLED_BY_VERTICES, /* by vertex shaders */
    IMAGE_DEPTH,
    IMAGE_DEPTH_STENCIL, /* depth and stencil, in a format with both */
    IMAGE_COLOUR,
    IMAGE_PRESENTED
} ImageUse;

/* Ends a use of all mip levels and begins another one. */
void imageBarrier(VkCommandBuffer commandBuffer, VkImage image, ImageUse from, ImageUse to);

/* The same without the content: commands only wait for the former use. */
void imageDiscard(VkCommandBuffer commandBuffer, VkImage image, ImageUse from, ImageUse to);

/* imageBarrier for one mip level. */
void imageLevelBarrier(VkCommandBuffer commandBuffer, VkImage image, uint32_t level, ImageUse from, ImageUse to);

/* A barrier for all memory. */
void memoryBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 srcStages, VkAccessFlags2 srcAccess,
                   VkPipelineStageFlags2 dstStages, VkAccessFlags2 dstAccess);

/* Makes earlier copies readable by the host after it has waited for the submission's fence. */
void copyToHostBarrier(VkCommandBuffer commandBuffer);

#endif
