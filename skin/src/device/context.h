/*
 * context.h: the context, and what every call does with it: lock, check arguments, unlock.
 */
#ifndef VKSKIN_CONTEXT_H
#define VKSKIN_CONTEXT_H

#include "command_list.h"
#include "cpu_skin.h"
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
    uint32_t retiredClipSets;
    uint32_t retiredCrowds;
} FrameSlot;

/*
 * What the frames of a context do for its crowds, with the lock. Set when the context is created, so that frames know no
 * crowds.
 */
typedef struct CrowdCalls {
    /* The last frame is or will be submitted. */
    void (*keepFrames)(VkskinContext context);
    /* The recorded frame will not run. */
    void (*cancelFrames)(VkskinContext context);
    /* A frame begins in the slot, whose last use has finished: reads its counters. */
    void (*finishSlot)(VkskinContext context, uint32_t slot);
    /* Frees the clip sets and crowds that were destroyed in the slot's last use. */
    void (*freeRetired)(VkskinContext context, FrameSlot *slot);
    /* Calls add(list, access) for each access of crowds that are not recorded in this frame. */
    void (*listAccesses)(VkskinContext context, void (*add)(void *list, const VkskinAccess *access), void *list);
} CrowdCalls;

/* Instances whose output awaits its pass-through attributes: see fills.h. */
typedef struct Fills {
    uint32_t *instances; /* [count]: NO_INDEX if it was destroyed; the first `recorded` are recorded in this frame */
    uint32_t recorded, count, capacity;
    uint32_t due; /* if the uploads are sealed */
} Fills;

/* Everything that one record call of the CPU backend reads. */
typedef struct CpuWork {
    Arena arena;
    uint32_t capacity, morphCapacity;
    CpuCommand *commands;   /* [capacity] */
    CpuJob *jobs;           /* [capacity] */
    CpuMorphWeight *morphs; /* [morphCapacity] */
} CpuWork;

typedef struct CpuBackend {
    bool used;
    bool working;     /* skinning without the context's lock; sknNeedIdle */
    VkskinCpuRun run; /* run.level: an instruction level that this CPU has */
    Lock lock;    /* serialises vkskinRecordSkinning; taken before the context's lock, which is free during the work */
    CpuWork next; /* for the next record call; the arrays of `busy` are the same unless they have grown since */
    CpuWork busy; /* while `working` */
} CpuBackend;

/* What belongs to one frame. */
typedef struct Frame {
    uint64_t number;     /* counts frames; 0: none yet */
    uint64_t slotSerial; /* the same without cancelled frames: advances with the slots */
    uint32_t slot;       /* after a cancelled frame, of the frame before it */
    CommandList commands;
    _Atomic uint32_t culled, unchanged; /* commands that were left out */
    VkskinStats recorded;               /* counters of the record calls */
} Frame;

/*
 * gpu (except its count of bytes), def and the descriptor set layouts never change, and are read without a lock. `lock`
 * protects all other fields. A thread that holds it shared may
 * - read all that only calls change which hold it alone: objects, pages, kernels, which frames there are;
 * - take commands: claims (Updates), places (CommandList) and counters are atomic;
 * - take palettes from the current page;
 * - record with `recording`, while another frame is prepared. Otherwise calls that record hold `lock` alone, because other
 *   threads may add commands to the same frame.
 * The holder of `making` may also read the kernels; to write them it takes both locks.
 */
struct VkskinContext_T {
    SharedLock lock; /* held by every call for its short work */
    Lock recordLock; /* taken after `lock` */
    Lock making;     /* serialises vkskinCreatePipelines; taken before `lock` */
    Gpu gpu;
    VkskinContextDef def; /* copy of the def without its pointers: the host owns their targets */
    Descriptors descriptors;
    Kernels kernels;
    CpuBackend cpu;
    PagePool meshPages;
    PagePool outputPages;
    PaletteRing ring;
    Uploads uploads;
    Fills fills;
    Scopes scopes;
    JobTable jobs;
    HandleTable meshes;
    uint64_t meshSerial; /* serial number of the newest mesh data */
    HandleTable instances;
    HandleTable outputBuffers;
    HandleTable clipSets; /* ClipSetItem, see crowd.h */
    HandleTable crowds;   /* CrowdItem */
    const CrowdCalls *crowdCalls;
    struct CrowdKernels *crowdKernels; /* null before the first crowd */
    FrameSlot slots[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    Frame frames[2];
    Frame *recording;     /* frame of the calls that record, and of vkskinGetOutput */
    Frame *preparing;     /* frame of new palettes and commands: `recording`, or one that vkskinPrepareFrame began */
    uint64_t frameNumber; /* number of the newest frame */
    bool begun;           /* the frame is begun and not cancelled */
    uint64_t visitSerial; /* numbers the visits that mark pages */
    uint32_t *written; /* [writtenCount] instances recorded in this frame; from [writtenCapacity] on room to sort them;
                          null with one queue family */
    uint32_t writtenCount, writtenCapacity;
    bool writtenSorted; /* by page and offset */
    bool released;      /* the release and acquire of this frame were recorded */
    bool acquired;
};

static inline Mesh *sknMesh(const struct VkskinContext_T *context, uint32_t index) {
    return sknHandleItem(&context->meshes, index);
}

static inline Instance *sknInstance(const struct VkskinContext_T *context, uint32_t index) {
    return sknHandleItem(&context->instances, index);
}

/* Identifies the palettes of a frame among all frames of all contexts. */
static inline uint64_t sknSerialOf(const struct VkskinContext_T *context, const Frame *frame) {
    return ((uint64_t)context->instances.firstGeneration << 32) + frame->number;
}

/* The same for the frame that is prepared. */
static inline uint64_t sknFrameSerial(const struct VkskinContext_T *context) {
    return sknSerialOf(context, context->preparing);
}

/* Whether vkskinPrepareFrame began another frame than the one that is recorded. */
static inline bool sknOverlaps(const struct VkskinContext_T *context) {
    return context->preparing != context->recording;
}

/* A palette page of the frame that is recorded. */
static inline PalettePage *sknRecordedPage(const struct VkskinContext_T *context, uint32_t page) {
    return sknRingPage(&context->ring, context->recording->slot, page);
}

/* Takes the lock alone. NULL_ARGUMENT, not logged, for a null context. */
VkskinResult sknEnter(VkskinContext context);

/* Releases the lock and returns the result. */
VkskinResult sknLeave(VkskinContext context, VkskinResult result);

/* The same with the lock shared. */
VkskinResult sknEnterShared(VkskinContext context);
VkskinResult sknLeaveShared(VkskinContext context, VkskinResult result);

/* The same for calls that record. *shared: whether the lock is shared; pass it to sknLeaveRecording. */
VkskinResult sknEnterRecording(VkskinContext context, bool *shared);
VkskinResult sknLeaveRecording(VkskinContext context, bool shared, VkskinResult result);

/* NULL_ARGUMENT for a null pointer. With or without the lock. */
VkskinResult sknNeedArgument(VkskinContext context, const char *call, const char *name, const void *pointer);

/* The same, and FRAME_NOT_BEGUN if no frame is begun or it was cancelled. With the lock. */
VkskinResult sknNeedFrame(VkskinContext context, const char *call, const char *name, const void *pointer);

/* FRAME_ORDER while the CPU backend skins: it uses memory of this frame and of objects destroyed in it. With the lock. */
VkskinResult sknNeedIdle(VkskinContext context, const char *call);

/* Take the lock and check as the first two. After a failure the lock is free. */
VkskinResult sknEnterWith(VkskinContext context, const char *call, const char *name, const void *pointer);
VkskinResult sknEnterFrame(VkskinContext context, const char *call, const char *name, const void *pointer);

/* sknEnterRecording, and the checks of sknNeedFrame. */
VkskinResult sknEnterRecordingFrame(VkskinContext context, const char *call, const char *name, const void *pointer,
                                    bool *shared);

/* Finds the object of a handle. Errors: NULL_HANDLE, STALE_HANDLE. With the lock. */
VkskinResult sknFindMesh(VkskinContext context, const char *call, VkskinMesh handle, uint32_t *index);
VkskinResult sknFindInstance(VkskinContext context, const char *call, VkskinInstance handle, uint32_t *index);

/* MESH_IN_USE if a crowd has the mesh. With the lock. */
VkskinResult sknNeedNoCrowd(VkskinContext context, const char *call, uint32_t mesh);

/* Whether the context skins on the CPU. With or without the lock. */
static inline bool sknOnCpu(const struct VkskinContext_T *context) {
    return context->cpu.used;
}

/* Fetches what a command reads of an instance. The handle may be anything. */
static inline void sknFetchInstance(const struct VkskinContext_T *context, VkskinInstance handle) {
#if defined(__GNUC__)
    if (handle.index - 1u < context->instances.capacity) {
        const char *instance = sknHandleItem(&context->instances, handle.index - 1u);
        __builtin_prefetch(instance, 1);
        __builtin_prefetch(instance + 64, 1);
        __builtin_prefetch(instance + sizeof(Instance) - 1, 1);
    }
#else
    (void)context;
    (void)handle;
#endif
}

/* Whether skinning and drawing use different queue families. */
static inline bool sknTwoFamilies(const struct VkskinContext_T *context) {
    return context->def.computeQueueFamily != context->def.graphicsQueueFamily;
}

#endif
