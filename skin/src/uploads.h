/*
 * uploads.h: mesh data on its way to the device: staging blocks, the copies still to be recorded, and their end.
 */
#ifndef VKSKIN_UPLOADS_H
#define VKSKIN_UPLOADS_H

#include "page_pool.h"

typedef struct StagingBlock StagingBlock;

typedef struct Upload {
    VkBuffer source;
    VkDeviceSize sourceOffset;
    PageRange target;
    uint32_t owner; /* a mesh's index */
} Upload;

typedef struct Uploads {
    StagingBlock *pending; /* blocks that are written or that unrecorded copies read, the one being filled first */
    Upload *copies;        /* not recorded yet */
    uint32_t count;
    uint32_t capacity;
    uint32_t reserved; /* stagings without a copy yet: there is room for theirs */
} Uploads;

/* Room in a staging block. It is written and flushed without the context's lock, while frames go on. */
typedef struct Staging {
    StagingBlock *block;
    VkDeviceSize offset;
    VkDeviceSize size;
} Staging;

/*
 * Takes `size` bytes of staging memory; they stay until sknStageCopy or sknAbandonStaging, one of which must follow.
 * Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknReserveStaging(Gpu *gpu, Uploads *uploads, VkDeviceSize size, Staging *staging);

/* Where to write. It may be write-combined memory: it is not read. */
void *sknStagingData(const Staging *staging);

/* Makes what was written visible to the device. */
VkskinResult sknFlushStaging(const Gpu *gpu, const Staging *staging);

/* Adds the copy of what was written and flushed to `target`, which is as large. */
void sknStageCopy(Uploads *uploads, const Staging *staging, const PageRange *target, uint32_t owner);

void sknAbandonStaging(Uploads *uploads, const Staging *staging);

/* Drops the copies of a mesh that goes before they were recorded. */
void sknDropUploads(Uploads *uploads, uint32_t owner);

/*
 * Forgets the recorded copies and moves their blocks to `frame`, the list of the frame that reads them. A block that
 * is still being written stays pending, and goes with a later frame.
 */
void sknRetireUploads(Uploads *uploads, StagingBlock **frame);

/* Frees a list of blocks. */
void sknFreeStaging(Gpu *gpu, StagingBlock **blocks);

void sknDestroyUploads(Gpu *gpu, Uploads *uploads);

#endif
