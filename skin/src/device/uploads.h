/*
 * uploads.h: staging blocks for mesh data, and the copies from them to the mesh pages.
 *
 * A recorded copy is kept until the next frame begins; if its frame is cancelled, it becomes pending again. A block moves
 * to the list of a frame slot when no part of it is being written or still has to be copied.
 */
#ifndef VKSKIN_UPLOADS_H
#define VKSKIN_UPLOADS_H

#include "page_pool.h"

typedef struct StagingBlock StagingBlock;

typedef struct Upload {
    StagingBlock *source;
    VkDeviceSize sourceOffset;
    PageRange target;
    uint32_t owner; /* index of the mesh */
} Upload;

typedef struct Uploads {
    StagingBlock *pending; /* the first one is being filled */
    Upload *copies;        /* [count]; the first `recorded` are recorded in this frame */
    uint32_t recorded;
    uint32_t count;
    uint32_t capacity;
    uint32_t reserved; /* stagings without a copy; `copies` has room for them */
    bool sealed;       /* the next record takes only the first `due` copies */
    uint32_t due;
} Uploads;

/* Room in a staging block. It is written and flushed without the context's lock. */
typedef struct Staging {
    StagingBlock *block;
    VkDeviceSize offset;
    VkDeviceSize size;
} Staging;

/*
 * Takes `size` bytes of staging memory. sknStageCopy or sknAbandonStaging must follow.
 * Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknReserveStaging(Gpu *gpu, Uploads *uploads, VkDeviceSize size, Staging *staging);

/* Where to write. Do not read: it may be write-combined memory. */
void *sknStagingData(const Staging *staging);

/* Makes the written bytes visible to the device. */
VkskinResult sknFlushStaging(const Gpu *gpu, const Staging *staging);

/* Adds the copy of the written and flushed bytes to `target`, which has the same size. */
void sknStageCopy(Uploads *uploads, const Staging *staging, const PageRange *target, uint32_t owner);

void sknAbandonStaging(Uploads *uploads, const Staging *staging);

/* The copies of two meshes change owners. */
void sknExchangeUploads(Uploads *uploads, uint32_t a, uint32_t b);

/* Drops the copies of a destroyed mesh. */
void sknDropUploads(Uploads *uploads, uint32_t owner);

/* The buffer that a copy reads. */
VkBuffer sknUploadSource(const Upload *upload);

/* The next record takes the copies below this index: all, or those that existed when they were sealed. */
uint32_t sknUploadsDue(const Uploads *uploads);

/* The next record takes only the copies that are pending now. Later seals before that record change nothing. */
void sknSealUploads(Uploads *uploads);

/* The copies that are due have been recorded. */
void sknMarkUploadsRecorded(Uploads *uploads);

/* The copies recorded in this frame will not run: they are pending again. */
void sknTakeBackUploads(Uploads *uploads);

/*
 * Ends the frame: removes the recorded copies. Blocks that are no longer needed are freed, or moved to `frame`, the list
 * of the last frame that reads them, if the device may be reading them.
 */
void sknRetireUploads(Gpu *gpu, Uploads *uploads, StagingBlock **frame);

/* Frees a list of blocks. */
void sknFreeStaging(Gpu *gpu, StagingBlock **blocks);

void sknDestroyUploads(Gpu *gpu, Uploads *uploads);

#endif
