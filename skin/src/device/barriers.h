/*
 * barriers.h: records pipeline barriers.
 */
#ifndef VKSKIN_BARRIERS_H
#define VKSKIN_BARRIERS_H

#include "gpu.h"

/* What a memory barrier orders before or after it. */
typedef struct BarrierSide {
    VkPipelineStageFlags stages;
    VkAccessFlags access; /* 0: an execution dependency only */
} BarrierSide;

void sknRecordBarrier(const Gpu *gpu, VkCommandBuffer commandBuffer, BarrierSide from, BarrierSide to);

#define BARRIER_BATCH 32

/* Barriers of buffer ranges, which are recorded many at a time. */
typedef struct BarrierBatch {
    const Gpu *gpu;
    VkCommandBuffer commandBuffer;
    VkPipelineStageFlags from, to;
    VkBufferMemoryBarrier like; /* the accesses and queue families of all barriers */
    VkBufferMemoryBarrier barriers[BARRIER_BATCH];
    uint32_t count;
} BarrierBatch;

void sknAddBarrier(BarrierBatch *batch, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size);

/* Records what was added. Call it after the last one. */
void sknFlushBarriers(BarrierBatch *batch);

#endif
