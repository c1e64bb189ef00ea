/*
 * context.h: the context, and what every call does with it: lock, check arguments, unlock.
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

/* Objects that a frame slot keeps until it is begun again. */
typedef struct FrameSlot {
    StagingBlock *staging;
    uint32_t retiredMeshes; /* lists by HandleHeader.next */
    uint32_t retiredInstances;
} FrameSlot;

typedef struct CpuBackend {
    bool used;
    bool working;     /* skinning without the context's lock; sknNeedIdle */
    VkskinCpuRun run; /* its level is one that is there */
    Lock lock; /* serialises vkskinRecordSkinning; taken before the context's lock, which is free during the work */
    CpuCommand *commands; /* [maxInstances], of one record call */
    CpuJob *jobs;         /* likewise */
} CpuBackend;

/*
 * gpu (except its count of bytes), def and the descriptor set layouts never change, and are read without a lock. `lock`
 * protects all other fields. The holder of `making` may also read the kernels; to write them it takes both locks.
 */
struct VkskinContext_T {
    Lock lock;   /* held by every call for its short work */
    Lock making; /* serialises vkskinCreatePipelines; taken before `lock` */
    Gpu gpu;
    VkskinContextDef def; /* its pointers are null: the host owns their targets */
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
    uint64_t slotSerial;   /* the same without cancelled frames: advances with the slots */
    bool begun;            /* a frame is begun and not cancelled */
    uint32_t slot;         /* of this frame; after a cancelled one, of the frame before it */
    uint32_t skinnedCount; /* commands taken in this frame */
    uint64_t visitSerial;  /* numbers the visits that mark pages */
    uint32_t *written;     /* [writtenCount] instances recorded in this frame, then [maxInstances] room to sort them;
                              null with one queue family */
    uint32_t writtenCount;
    bool writtenSorted; /* by page and offset */
    bool released;      /* the release and acquire of this frame were recorded */
    bool acquired;
    VkskinStats frameStats; /* of this frame, without the counts of objects */
};

static inline Mesh *sknMesh(const struct VkskinContext_T *context, uint32_t index) {
    return sknHandleItem(&context->meshes, index);
}

static inline Instance *sknInstance(const struct VkskinContext_T *context, uint32_t index) {
    return sknHandleItem(&context->instances, index);
}

/* Identifies the palettes of this frame among all frames of all contexts. */
static inline uint64_t sknFrameSerial(const struct VkskinContext_T *context) {
    return ((uint64_t)context->instances.firstGeneration << 32) + context->frame;
}

/* Takes the lock. NULL_ARGUMENT, not logged, for a null context. */
VkskinResult sknEnter(VkskinContext context);

/* Releases the lock and returns the result. */
VkskinResult sknLeave(VkskinContext context, VkskinResult result);

/* NULL_ARGUMENT for a null pointer. With or without the lock. */
VkskinResult sknNeedArgument(VkskinContext context, const char *call, const char *name, const void *pointer);

/* The same, and FRAME_NOT_BEGUN if no frame is begun or it was cancelled. With the lock. */
VkskinResult sknNeedFrame(VkskinContext context, const char *call, const char *name, const void *pointer);

/* FRAME_ORDER while the CPU backend skins: it uses memory of this frame and of objects destroyed in it. With the lock. */
VkskinResult sknNeedIdle(VkskinContext context, const char *call);

/* Take the lock and check as the first two. After a failure the lock is free. */
VkskinResult sknEnterWith(VkskinContext context, const char *call, const char *name, const void *pointer);
VkskinResult sknEnterFrame(VkskinContext context, const char *call, const char *name, const void *pointer);

/* Finds the object of a handle. Errors: NULL_HANDLE, STALE_HANDLE. With the lock. */
VkskinResult sknFindMesh(VkskinContext context, const char *call, VkskinMesh handle, uint32_t *index);
VkskinResult sknFindInstance(VkskinContext context, const char *call, VkskinInstance handle, uint32_t *index);

/* Whether the context skins on the CPU. With or without the lock. */
static inline bool sknOnCpu(const struct VkskinContext_T *context) {
    return context->cpu.used;
}

/* Whether skinning and drawing use different queue families. */
static inline bool sknTwoFamilies(const struct VkskinContext_T *context) {
    return context->def.computeQueueFamily != context->def.graphicsQueueFamily;
}

#endif
