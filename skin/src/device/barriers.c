#include "barriers.h"

void sknRecordBarrier(const Gpu *gpu, VkCommandBuffer commandBuffer, BarrierSide from, BarrierSide to) {
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = from.access,
        .dstAccessMask = to.access,
    };
    gpu->vk.vkCmdPipelineBarrier(commandBuffer, from.stages, to.stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void sknFlushBarriers(BarrierBatch *batch) {
    if (batch->count > 0) {
        batch->gpu->vk.vkCmdPipelineBarrier(batch->commandBuffer, batch->from, batch->to, 0, 0, NULL, batch->count,
                                            batch->barriers, 0, NULL);
        batch->count = 0;
    }
}

void sknAddBarrier(BarrierBatch *batch, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size) {
    if (batch->count == BARRIER_BATCH) {
        sknFlushBarriers(batch);
    }
    VkBufferMemoryBarrier *barrier = &batch->barriers[batch->count++];
    *barrier = batch->like;
    barrier->sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER;
    barrier->buffer = buffer;
    barrier->offset = offset;
    barrier->size = size;
}
