#include "barriers.h"

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

void sknFlushBarriers(BarrierBatch *batch) {
    if (batch->count > 0) {
        batch->gpu->vk.vkCmdPipelineBarrier(batch->commandBuffer, batch->from, batch->to, 0, 0, NULL, batch->count,
                                            batch->barriers, 0, NULL);
        batch->count = 0;
    }
}
