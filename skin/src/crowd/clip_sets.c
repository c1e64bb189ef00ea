#include <string.h>

#include "crowd.h"

static VkskinResult makeDeviceSet(VkskinContext context, ClipSet *set) {
    Gpu *gpu = &context->gpu;
    const VkDeviceSize bytes = (VkDeviceSize)set->data.wordCount * sizeof *set->data.words;
    if (bytes > gpu->limits.maxStorageBufferRange) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                         "vkskinCreateClipSet: the clip set takes %llu bytes, the device binds %llu",
                         (unsigned long long)bytes, (unsigned long long)gpu->limits.maxStorageBufferRange);
    }
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkskinResult result = sknCreateBuffer(gpu, bytes, usage, VKSKIN_MEMORY_DEVICE, "clip set", &set->device);
    if (result >= 0) {
        result = sknCreateBuffer(gpu, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, VKSKIN_MEMORY_STAGING,
                                 "clip set staging", &set->staging);
    }
    if (result >= 0) {
        memcpy(set->staging.memory.mapped, set->data.words, (size_t)bytes);
        result = sknFlushBuffer(gpu, &set->staging, 0, bytes);
    }
    if (result >= 0) {
        const VkDeviceSize start = 0;
        result = sknCreateBufferSets(gpu, &set->descriptors, &set->device, &start, bytes, 1, &set->set);
    }
    return result;
}

void sknDropClipSet(VkskinContext context, ClipSet *set) {
    if (set != NULL) {
        sknDestroySets(&context->gpu, &set->descriptors);
        sknDestroyBuffer(&context->gpu, &set->device);
        sknDestroyBuffer(&context->gpu, &set->staging);
        sknFreeClipSet(&set->data);
        sknHostFree(context->gpu.hostAllocator, set);
    }
}

/* With the lock: reserves what the device needs, and the handle. */
static VkskinResult addSet(VkskinContext context, ClipSet *set, VkskinClipSet *handle) {
    VkskinResult result = sknOnCpu(context) ? VKSKIN_SUCCESS : makeDeviceSet(context, set);
    if (result < 0) {
        return result;
    }
    const uint32_t index = sknHandleTake(&context->clipSets, context->gpu.hostAllocator);
    if (index == NO_INDEX) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "vkskinCreateClipSet: no memory for its handle");
    }
    ClipSetItem *item = sknHandleItem(&context->clipSets, index);
    item->set = set;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): checked in another file */
    *handle = (VkskinClipSet){index + 1, item->header.generation};
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreateClipSet(VkskinContext context, const void *block, size_t size, VkskinClipSet *clipSet) {
    static const char call[] = "vkskinCreateClipSet";
    if (clipSet != NULL) {
        *clipSet = VKSKIN_NULL_CLIP_SET;
    }
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknNeedArgument(context, call, "block", block);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "clipSet", clipSet);
    }
    if (result < 0) {
        return result;
    }
    ClipSet *set = sknHostAllocateArray(context->gpu.hostAllocator, 1, sizeof *set);
    if (set == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory", call);
    }
    const Host host = sknHostOf(&context->gpu);
    set->descriptors = sknOwnDescriptors(&context->descriptors);
    result = sknMakeClipSet(&host, block, size, &set->data);
    sknLockAlone(&context->lock);
    if (result >= 0) {
        result = addSet(context, set, clipSet);
    }
    if (result < 0) {
        sknDropClipSet(context, set);
    }
    return sknLeave(context, result);
}

static VkskinResult destroySet(VkskinContext context, VkskinClipSet handle) {
    static const char call[] = "vkskinDestroyClipSet";
    uint32_t index = NO_INDEX;
    VkskinResult result =
        sknHandleFind(&context->clipSets, &context->gpu.logger, call, handle.index, handle.generation, &index);
    if (result < 0) {
        return result;
    }
    const uint32_t crowds = sknClipSet(context, index)->crowds;
    if (crowds > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_CLIP_SET_IN_USE, "%s: clip set (%u, %u) has %u crowds",
                         call, handle.index, handle.generation, crowds);
    }
    sknHandleRetire(&context->clipSets, index);
    FrameSlot *slot = &context->slots[context->preparing->slot];
    HandleHeader *header = sknHandleItem(&context->clipSets, index);
    header->next = slot->retiredClipSets;
    slot->retiredClipSets = index;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinDestroyClipSet(VkskinContext context, VkskinClipSet clipSet) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroySet(context, clipSet));
}
