/*
 * Queue family ownership of what a frame wrote, where skinning and drawing are of different families.
 */
#include "context.h"

#define BARRIER_BATCH 32u

typedef struct Written {
    uint32_t page;
    VkDeviceSize begin, end;
} Written;

static Written writtenRange(VkskinContext context, uint32_t index) {
    const Instance *instance = sknInstance(context, index);
    VkDeviceSize begin = sknRangeOffset(&context->outputPages, &instance->output, instance->region);
    return (Written){instance->output.page, begin, begin + instance->output.size};
}

static int compareWritten(const Written *a, const Written *b) {
    if (a->page != b->page) {
        return a->page < b->page ? -1 : 1;
    }
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static void siftDown(VkskinContext context, uint32_t *heap, uint32_t count, uint32_t at) {
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        Written left = writtenRange(context, heap[child]);
        if (child + 1 < count) {
            Written right = writtenRange(context, heap[child + 1]);
            if (compareWritten(&left, &right) < 0) {
                child++;
                left = right;
            }
        }
        Written parent = writtenRange(context, heap[at]);
        if (compareWritten(&parent, &left) >= 0) {
            return;
        }
        uint32_t index = heap[at];
        heap[at] = heap[child];
        heap[child] = index;
        at = child;
    }
}

/* In place and without memory of its own: recording allocates nothing. */
static void sortWritten(VkskinContext context) {
    uint32_t *heap = context->written;
    uint32_t count = context->writtenCount;
    for (uint32_t i = count / 2; i-- > 0;) {
        siftDown(context, heap, count, i);
    }
    for (uint32_t last = count; last-- > 1;) {
        uint32_t index = heap[0];
        heap[0] = heap[last];
        heap[last] = index;
        siftDown(context, heap, last, 0);
    }
}

typedef struct Transfer {
    VkPipelineStageFlags from, to;
    VkAccessFlags fromAccess, toAccess;
} Transfer;

static void flushBatch(VkskinContext context, VkCommandBuffer commandBuffer, const Transfer *transfer,
                       const VkBufferMemoryBarrier *barriers, uint32_t count) {
    if (count > 0) {
        context->gpu.vk.vkCmdPipelineBarrier(commandBuffer, transfer->from, transfer->to, 0, 0, NULL, count, barriers,
                                             0, NULL);
    }
}

/* Both halves name the same ranges: neighbours are joined alike, in the same order. */
static void recordTransfer(VkskinContext context, VkCommandBuffer commandBuffer, const Transfer *transfer) {
    VkBufferMemoryBarrier barriers[BARRIER_BATCH];
    uint32_t count = 0;
    for (uint32_t i = 0; i < context->writtenCount;) {
        Written joined = writtenRange(context, context->written[i++]);
        for (; i < context->writtenCount; i++) {
            Written next = writtenRange(context, context->written[i]);
            if (next.page != joined.page || next.begin != joined.end) {
                break;
            }
            joined.end = next.end;
        }
        if (count == BARRIER_BATCH) {
            flushBatch(context, commandBuffer, transfer, barriers, count);
            count = 0;
        }
        barriers[count++] = (VkBufferMemoryBarrier){
            .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
            .srcAccessMask = transfer->fromAccess,
            .dstAccessMask = transfer->toAccess,
            .srcQueueFamilyIndex = context->def.skinningFamily,
            .dstQueueFamilyIndex = context->def.drawingFamily,
            .buffer = context->outputPages.pages[joined.page].buffer.handle,
            .offset = joined.begin,
            .size = joined.end - joined.begin,
        };
    }
    flushBatch(context, commandBuffer, transfer, barriers, count);
}

static VkskinResult needBoth(VkskinContext context, VkCommandBuffer commandBuffer, const char *call) {
    VkskinResult result = sknNeedArgument(context, call, "commandBuffer", (const void *)commandBuffer);
    return result < 0 ? result : sknNeedFrame(context, call);
}

VkskinResult vkskinRecordRelease(VkskinContext context, VkCommandBuffer commandBuffer) {
    VkskinResult result = needBoth(context, commandBuffer, "vkskinRecordRelease");
    if (result >= 0 && sknTwoFamilies(context)) {
        sortWritten(context);
        const Transfer release = {
            .from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            .fromAccess = VK_ACCESS_SHADER_WRITE_BIT,
            .to = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
        };
        recordTransfer(context, commandBuffer, &release);
    }
    return result;
}

VkskinResult vkskinRecordAcquire(VkskinContext context, VkCommandBuffer commandBuffer) {
    VkskinResult result = needBoth(context, commandBuffer, "vkskinRecordAcquire");
    if (result >= 0 && sknTwoFamilies(context)) {
        sortWritten(context);
        /* From the consumers' own stages: the semaphore's wait ends there, and the acquire must come after it. */
        const Transfer acquire = {
            .from = context->def.consumerStages,
            .to = context->def.consumerStages,
            .toAccess = context->def.consumerAccess,
        };
        recordTransfer(context, commandBuffer, &acquire);
    }
    return result;
}
