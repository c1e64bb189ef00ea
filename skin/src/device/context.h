/*
 * context.h: all that a context holds, and what its parts need of one another.
 */
#ifndef VKSKIN_CONTEXT_H
#define VKSKIN_CONTEXT_H

#include "cpu_skin.h"
#include "job_table.h"
#include "kernels.h"
#include "lock.h"
#include "objects.h"
#include "palette_ring.h"
#include "scopes.h"
#include "uploads.h"

/* What one slot of the frames in flight keeps until it is begun again. */
typedef struct FrameSlot {
    StagingBlock *staging;
    uint32_t retiredMeshes; /* lists by HandleHeader.next */
    uint32_t retiredInstances;
} FrameSlot;

typedef struct CpuBackend {
    bool used;
    VkskinCpuRun run; /* its level is one that is there */
    Lock lock; /* one vkskinRecordSkinning after another: taken before the context's, which the work is done without */
    CpuCommand *commands; /* [maxInstances], of one record call */
    CpuJob *jobs;         /* likewise */
} CpuBackend;

/*
 * Gpu (save its count of bytes), def and descriptors' layout are read without a lock: they never change. The rest is
 * touched by the holder of `lock` alone; kernels are also read, and written besides, by the holder of `making`.
 */
struct VkskinContext_T {
    Lock lock;   /* every call's, for its short work */
    Lock making; /* one vkskinCreatePipelines after the other; taken before `lock` */
    Gpu gpu;
    VkskinContextDef def; /* its pointers are null: they belong to the host */
    Descriptors descriptors;
    Kernels kernels;
    CpuBackend cpu;
    PagePool meshPages;
    PagePool outputPages;
    PaletteRing ring;
    Uploads uploads;
    Scopes scopes;
    JobTable jobs;
    HandleTable meshes;
    HandleTable instances;
    FrameSlot slots[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    uint64_t frame;        /* count of vkskinBeginFrame; 0: none yet */
    uint64_t slotSerial;   /* the same without cancelled frames: goes on as the slots do */
    bool begun;            /* a frame is, and was not cancelled */
    uint32_t slot;         /* of this frame; after a cancelled one, of the frame before it */
    uint32_t skinnedCount; /* commands taken in this frame */
    uint64_t visitSerial;  /* numbers the walks that mark pages */
    uint32_t *written;     /* [writtenCount] instances recorded in this frame; two families only, else null */
    uint32_t writtenCount;
    bool writtenSorted; /* by where they lie */
    bool released;      /* this frame's halves of the transfer of ownership were recorded */
    bool acquired;
    VkskinStats frameStats; /* of this frame; what is alive is counted when asked for */
};

static inline Mesh *sknMesh(const struct VkskinContext_T *context, uint32_t index) {
    return sknHandleItem(&context->meshes, index);
}

static inline Instance *sknInstance(const struct VkskinContext_T *context, uint32_t index) {
    return sknHandleItem(&context->instances, index);
}

/* Of the palettes of this frame: unlike any other frame's, and any other context's. */
static inline uint64_t sknFrameSerial(const struct VkskinContext_T *context) {
    return ((uint64_t)context->instances.firstGeneration << 32) + context->frame;
}

/* Takes the lock. NULL_ARGUMENT for a null context: it has neither a lock nor a logger to tell. */
VkskinResult sknEnter(VkskinContext context);

/* Gives the lock back; the result passes through. */
VkskinResult sknLeave(VkskinContext context, VkskinResult result);

/* NULL_ARGUMENT unless the pointer is there. With or without the lock. */
VkskinResult sknNeedArgument(VkskinContext context, const char *call, const char *name, const void *pointer);

/* The same, and FRAME_NOT_BEGUN unless a frame has been begun and was not cancelled. With the lock. */
VkskinResult sknNeedFrame(VkskinContext context, const char *call, const char *name, const void *pointer);

/* Skins on the CPU. With or without the lock. */
static inline bool sknOnCpu(const struct VkskinContext_T *context) {
    return context->cpu.used;
}

/* Skinning and drawing are of different queue families. */
static inline bool sknTwoFamilies(const struct VkskinContext_T *context) {
    return context->def.computeQueueFamily != context->def.graphicsQueueFamily;
}

#endif
