/*
 * barriers.h: buffer barriers of one scope, recorded some at a time, so that recording needs no memory of its own.
 */
#ifndef VKSKIN_BARRIERS_H
#define VKSKIN_BARRIERS_H

#include "gpu.h"

#define BARRIER_BATCH 32

typedef struct BarrierBatch {
    const Gpu *gpu;
    VkCommandBuffer commandBuffer;
    VkPipelineStageFlags from, to;
    VkBufferMemoryBarrier like; /* accesses and families of all */
    VkBufferMemoryBarrier barriers[BARRIER_BATCH];
    uint32_t count;
} BarrierBatch;

/* Adds a range; records what has gathered when there is no more room. */
void sknAddBarrier(BarrierBatch *batch, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size);

/* Records the rest. */
void sknFlushBarriers(BarrierBatch *batch);

#endif
