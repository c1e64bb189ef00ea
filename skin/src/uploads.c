#include "uploads.h"

#define BLOCK_SIZE ((VkDeviceSize)1 << 20)

struct StagingBlock {
    StagingBlock *next;
    Buffer buffer;
    VkDeviceSize used;
};

static VkskinResult addBlock(Gpu *gpu, Uploads *uploads, VkDeviceSize size) {
    StagingBlock *block = sknHostAllocateArray(gpu->hostAllocator, 1, sizeof *block);
    if (block == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a staging block");
    }
    VkskinResult result = sknCreateBuffer(gpu, size > BLOCK_SIZE ? size : BLOCK_SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                          VKSKIN_MEMORY_STAGING, "mesh staging", &block->buffer);
    if (result < 0) {
        sknHostFree(gpu->hostAllocator, block);
        return result;
    }
    block->next = uploads->pending;
    uploads->pending = block;
    return VKSKIN_SUCCESS;
}

static bool reserveCopy(Gpu *gpu, Uploads *uploads) {
    if (uploads->count < uploads->capacity) {
        return true;
    }
    uint32_t capacity = uploads->capacity == 0 ? 16 : uploads->capacity * 2;
    Upload *grown = sknHostGrowArray(gpu->hostAllocator, uploads->copies, uploads->count, capacity, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    uploads->copies = grown;
    uploads->capacity = capacity;
    return true;
}

VkskinResult sknStageUpload(Gpu *gpu, Uploads *uploads, const PageRange *target, uint32_t owner, void **data) {
    if (!reserveCopy(gpu, uploads)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for an upload");
    }
    StagingBlock *block = uploads->pending;
    if (block == NULL || block->buffer.size - block->used < target->size) {
        VkskinResult result = addBlock(gpu, uploads, target->size);
        if (result < 0) {
            return result;
        }
        block = uploads->pending;
    }
    uploads->copies[uploads->count++] = (Upload){
        .source = block->buffer.handle,
        .sourceOffset = block->used,
        .target = *target,
        .owner = owner,
    };
    *data = (unsigned char *)block->buffer.memory.mapped + block->used;
    block->used += target->size;
    return VKSKIN_SUCCESS;
}

void sknDropUploads(Uploads *uploads, uint32_t owner) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < uploads->count; i++) {
        if (uploads->copies[i].owner != owner) {
            uploads->copies[kept++] = uploads->copies[i];
        }
    }
    uploads->count = kept;
}

VkskinResult sknFlushUploads(const Gpu *gpu, const Uploads *uploads) {
    for (const StagingBlock *block = uploads->pending; block != NULL; block = block->next) {
        VkskinResult result = sknFlushBuffer(gpu, &block->buffer, block->used);
        if (result < 0) {
            return result;
        }
    }
    return VKSKIN_SUCCESS;
}

void sknRetireUploads(Uploads *uploads, StagingBlock **frame) {
    while (uploads->pending != NULL) {
        StagingBlock *block = uploads->pending;
        uploads->pending = block->next;
        block->next = *frame;
        *frame = block;
    }
    uploads->count = 0;
}

void sknFreeStaging(Gpu *gpu, StagingBlock **blocks) {
    while (*blocks != NULL) {
        StagingBlock *block = *blocks;
        *blocks = block->next;
        sknDestroyBuffer(gpu, &block->buffer);
        sknHostFree(gpu->hostAllocator, block);
    }
}

void sknDestroyUploads(Gpu *gpu, Uploads *uploads) {
    sknFreeStaging(gpu, &uploads->pending);
    sknHostFree(gpu->hostAllocator, uploads->copies);
    *uploads = (Uploads){0};
}
