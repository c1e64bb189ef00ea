#include "uploads.h"

#define BLOCK_SIZE ((VkDeviceSize)1 << 20)

struct StagingBlock {
    StagingBlock *next;
    Buffer buffer;
    VkDeviceSize used;
    uint32_t users; /* stagings in it without a copy, and copies from it */
    bool read;      /* copies from it were recorded and not taken back */
};

static VkskinResult addBlock(Gpu *gpu, Uploads *uploads, VkDeviceSize size) {
    StagingBlock *block = sknHostAllocateArray(gpu->hostAllocator, 1, sizeof *block);
    if (block == NULL) {
        sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a staging block");
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
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

VkskinResult sknReserveStaging(Gpu *gpu, Uploads *uploads, VkDeviceSize size, Staging *staging) {
    Upload *copies = sknHostReserve(gpu->hostAllocator, uploads->copies, uploads->count + uploads->reserved + 1,
                                    &uploads->capacity, sizeof *copies);
    if (copies == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for an upload");
    }
    uploads->copies = copies;
    StagingBlock *block = uploads->pending;
    if (block == NULL || block->buffer.size - block->used < size) {
        VkskinResult result = addBlock(gpu, uploads, size);
        if (result < 0) {
            return result;
        }
        block = uploads->pending;
    }
    *staging = (Staging){.block = block, .offset = block->used, .size = size};
    block->used += size;
    block->users++;
    uploads->reserved++;
    return VKSKIN_SUCCESS;
}

void *sknStagingData(const Staging *staging) {
    return (unsigned char *)staging->block->buffer.memory.mapped + staging->offset;
}

VkskinResult sknFlushStaging(const Gpu *gpu, const Staging *staging) {
    return sknFlushBuffer(gpu, &staging->block->buffer, staging->offset, staging->size);
}

void sknStageCopy(Uploads *uploads, const Staging *staging, const PageRange *target, uint32_t owner) {
    uploads->reserved--;
    uploads->copies[uploads->count++] = (Upload){
        .source = staging->block,
        .sourceOffset = staging->offset,
        .target = *target,
        .owner = owner,
    };
}

void sknAbandonStaging(Uploads *uploads, const Staging *staging) {
    staging->block->users--;
    uploads->reserved--;
}

void sknExchangeUploads(Uploads *uploads, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < uploads->count; i++) {
        Upload *upload = &uploads->copies[i];
        upload->owner = upload->owner == a ? b : upload->owner == b ? a : upload->owner;
    }
}

void sknDropUploads(Uploads *uploads, uint32_t owner) {
    uint32_t kept = 0;
    uint32_t recorded = uploads->recorded;
    uint32_t due = uploads->due;
    for (uint32_t i = 0; i < uploads->count; i++) {
        Upload *upload = &uploads->copies[i];
        if (upload->owner != owner) {
            uploads->copies[kept++] = *upload;
            continue;
        }
        upload->source->users--;
        upload->source->read = upload->source->read || i < recorded;
        uploads->recorded -= i < recorded;
        uploads->due -= i < due;
    }
    uploads->count = kept;
}

VkBuffer sknUploadSource(const Upload *upload) {
    return upload->source->buffer.handle;
}

uint32_t sknUploadsDue(const Uploads *uploads) {
    return uploads->sealed ? uploads->due : uploads->count;
}

void sknSealUploads(Uploads *uploads) {
    if (!uploads->sealed) {
        uploads->sealed = true;
        uploads->due = uploads->count;
    }
}

static void breakSeal(Uploads *uploads) {
    uploads->sealed = false;
    uploads->due = 0;
}

void sknMarkUploadsRecorded(Uploads *uploads) {
    uploads->recorded = sknUploadsDue(uploads);
    breakSeal(uploads);
}

void sknTakeBackUploads(Uploads *uploads) {
    uploads->recorded = 0;
    breakSeal(uploads);
}

static void forgetRecorded(Uploads *uploads) {
    for (uint32_t i = 0; i < uploads->recorded; i++) {
        uploads->copies[i].source->users--;
        uploads->copies[i].source->read = true;
    }
    uploads->count -= uploads->recorded;
    for (uint32_t i = 0; i < uploads->count; i++) {
        uploads->copies[i] = uploads->copies[uploads->recorded + i];
    }
    uploads->recorded = 0;
}

void sknRetireUploads(Gpu *gpu, Uploads *uploads, StagingBlock **frame) {
    breakSeal(uploads);
    forgetRecorded(uploads);
    StagingBlock *unread = NULL;
    StagingBlock **link = &uploads->pending;
    while (*link != NULL) {
        StagingBlock *block = *link;
        if (block->users > 0) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        StagingBlock **list = block->read ? frame : &unread;
        block->next = *list;
        *list = block;
    }
    sknFreeStaging(gpu, &unread);
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
