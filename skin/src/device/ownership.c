/*
 * Queue family ownership of what a frame wrote, where skinning and drawing are of different families.
 */
#include "barriers.h"
#include "context.h"

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
    if (context->writtenSorted) {
        return;
    }
    context->writtenSorted = true;
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

/* Both halves name the same ranges: neighbours are joined alike, in the same order. */
static void recordTransfer(VkskinContext context, BarrierBatch *batch) {
    sortWritten(context);
    batch->gpu = &context->gpu;
    batch->like.srcQueueFamilyIndex = context->def.computeQueueFamily;
    batch->like.dstQueueFamilyIndex = context->def.graphicsQueueFamily;
    for (uint32_t i = 0; i < context->writtenCount;) {
        Written joined = writtenRange(context, context->written[i++]);
        for (; i < context->writtenCount; i++) {
            Written next = writtenRange(context, context->written[i]);
            if (next.page != joined.page || next.begin != joined.end) {
                break;
            }
            joined.end = next.end;
        }
        sknAddBarrier(batch, context->outputPages.pages[joined.page].buffer.handle, joined.begin,
                      joined.end - joined.begin);
    }
    sknFlushBarriers(batch);
}

/* Each half comes once a frame: a second one would name ranges that are of the other family already. */
static VkskinResult needHalf(VkskinContext context, const char *call, VkCommandBuffer commandBuffer, bool recorded) {
    VkskinResult result = sknNeedFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result >= 0 && recorded) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: it was recorded in this frame already",
                         call);
    }
    return result;
}

static VkskinResult recordRelease(VkskinContext context, VkCommandBuffer commandBuffer) {
    VkskinResult result = needHalf(context, "vkskinRecordRelease", commandBuffer, context->released);
    if (result < 0) {
        return result;
    }
    context->released = true;
    if (sknTwoFamilies(context)) {
        BarrierBatch release = {
            .commandBuffer = commandBuffer,
            .from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            .to = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
            .like = {.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT},
        };
        recordTransfer(context, &release);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult recordAcquire(VkskinContext context, VkCommandBuffer commandBuffer) {
    VkskinResult result = needHalf(context, "vkskinRecordAcquire", commandBuffer, context->acquired);
    if (result < 0) {
        return result;
    }
    context->acquired = true;
    if (sknTwoFamilies(context)) {
        /* From the consumers' own stages: the semaphore's wait ends there, and the acquire must come after it. */
        BarrierBatch acquire = {
            .commandBuffer = commandBuffer,
            .from = context->def.consumerStages,
            .to = context->def.consumerStages,
            .like = {.dstAccessMask = context->def.consumerAccess},
        };
        recordTransfer(context, &acquire);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinRecordRelease(VkskinContext context, VkCommandBuffer commandBuffer) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, recordRelease(context, commandBuffer));
}

VkskinResult vkskinRecordAcquire(VkskinContext context, VkCommandBuffer commandBuffer) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, recordAcquire(context, commandBuffer));
}
