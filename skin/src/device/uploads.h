/*
 * uploads.h: mesh data on its way to the device: staging blocks, the copies out of them, and their end.
 *
 * A recorded copy stays until the next frame begins: where its frame is cancelled it is pending again. A block goes to
 * the list of a frame when nothing in it is being written or is still to be copied.
 */
#ifndef VKSKIN_UPLOADS_H
#define VKSKIN_UPLOADS_H

#include "page_pool.h"

typedef struct StagingBlock StagingBlock;

typedef struct Upload {
    StagingBlock *source;
    VkDeviceSize sourceOffset;
    PageRange target;
    uint32_t owner; /* a mesh's index */
} Upload;

typedef struct Uploads {
    StagingBlock *pending; /* the one being filled first */
    Upload *copies;        /* [count], those that are recorded in this frame first */
    uint32_t recorded;
    uint32_t count;
    uint32_t capacity;
    uint32_t reserved; /* stagings without a copy yet: there is room for theirs */
    bool sealed;       /* the next record takes the first `due` copies alone */
    uint32_t due;
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

/* Drops the copies of a mesh that goes. */
void sknDropUploads(Uploads *uploads, uint32_t owner);

/* The place of a copy's bytes. */
VkBuffer sknUploadSource(const Upload *upload);

/* Copies up to here are recorded by the next record: all, or those that were there when they were sealed. */
uint32_t sknUploadsDue(const Uploads *uploads);

/* What is pending now is what the next record takes. The first seal holds until then. */
void sknSealUploads(Uploads *uploads);

/* The copies that are due have been recorded. */
void sknMarkUploadsRecorded(Uploads *uploads);

/* What was recorded in this frame will not run, and is pending again. */
void sknTakeBackUploads(Uploads *uploads);

/*
 * Ends the frame's part: forgets the recorded copies, frees the blocks that nobody needs any more, and moves those of
 * them that the device may be reading to `frame`, the list of the frame that did so last.
 */
void sknRetireUploads(Gpu *gpu, Uploads *uploads, StagingBlock **frame);

/* Frees a list of blocks. */
void sknFreeStaging(Gpu *gpu, StagingBlock **blocks);

void sknDestroyUploads(Gpu *gpu, Uploads *uploads);

#endif
