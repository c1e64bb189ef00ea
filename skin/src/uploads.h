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
    StagingBlock *pending; /* blocks that unrecorded copies read, the one being filled first */
    Upload *copies;        /* not recorded yet */
    uint32_t count;
    uint32_t capacity;
} Uploads;

/*
 * Takes target->size bytes of staging memory for a later copy to `target`; *data is where to write them.
 * Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknStageUpload(Gpu *gpu, Uploads *uploads, const PageRange *target, uint32_t owner, void **data);

/* Drops the copies of a mesh that goes before they were recorded. */
void sknDropUploads(Uploads *uploads, uint32_t owner);

/* Makes staged data visible to the device; before recording the copies. */
VkskinResult sknFlushUploads(const Gpu *gpu, const Uploads *uploads);

/* Forgets the recorded copies and moves their blocks to `frame`, the list of the frame that reads them. */
void sknRetireUploads(Uploads *uploads, StagingBlock **frame);

/* Frees a list of blocks. */
void sknFreeStaging(Gpu *gpu, StagingBlock **blocks);

void sknDestroyUploads(Gpu *gpu, Uploads *uploads);

#endif
