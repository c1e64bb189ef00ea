/*
 * crowd.h: what the context keeps of clip sets and crowds.
 */
#ifndef VKSKIN_CROWD_OBJECTS_H
#define VKSKIN_CROWD_OBJECTS_H

#include "context.h"
#include "crowd_bounds.h"
#include "crowd_changes.h"
#include "crowd_kernels.h"
#include "crowd_stages.h"
#include "pose_batch.h"
#include "vkskin/vkskin_crowd.h"

/*
 * Device memory that is written once by recorded commands: copies from a staging buffer, or fills. They are recorded again
 * if their frame is cancelled.
 */
typedef struct CrowdUpload {
    uint64_t frame; /* number of the frame that recorded it; 0: none */
    bool done;      /* that frame was not cancelled */
} CrowdUpload;

typedef struct ClipSet {
    ClipSetData data;
    Buffer device, staging; /* not on the CPU; staging: until its copy has run */
    CrowdUpload upload;
    VkDescriptorSet set;
    Descriptors descriptors; /* the pool of `set` */
    uint32_t crowds;         /* that use it */
} ClipSet;

typedef struct ClipSetItem {
    HandleHeader header;
    ClipSet *set;
} ClipSetItem;

/* A part of a level, as the skinning needs it. */
typedef struct CrowdMeshPart {
    uint32_t mesh;
    uint32_t kernel;      /* see sknMeshKernel */
    uint32_t morphKernel; /* the same for parts with morph weights */
    uint32_t pair;
} CrowdMeshPart;

typedef struct CrowdGroupData {
    CrowdMeshPart *meshes;    /* [partCount] */
    CrowdMorphSource *morphs; /* [partCount] */
    uint32_t partCount;
} CrowdGroupData;

typedef struct CrowdPoolMemory {
    Buffer palettes; /* palettes of all slots, then temporary memory of posing */
    Buffer output;
    VkBufferView texels;
    VkDescriptorSet paletteSet, poseSet, outputSet;
} CrowdPoolMemory;

/*
 * States of some characters come back to the host. Each frame copies those that it asked for into memory of its frame
 * slot. When the slot is begun again, they are the answers. This is what a frame copies of a character.
 */
typedef struct CrowdAnswer {
    LayoutCrowdState state;
    LayoutCrowdCold cold;
} CrowdAnswer;

#define CROWD_ANSWER_WORDS (CROWD_STATE_WORDS + CROWD_COLD_WORDS)
_Static_assert(sizeof(CrowdAnswer) == CROWD_ANSWER_WORDS * sizeof(uint32_t), "copies fill it");

/* The characters that a frame asks for. */
typedef struct CrowdQuestion {
    VkskinCharacter *characters; /* [most] */
    CrowdAnswer *answers;        /* [most]; on the device: only of the latest frame that has finished */
    uint32_t count;
    uint32_t tick;
} CrowdQuestion;

typedef struct CrowdQueries {
    uint32_t most;
    CrowdQuestion next, slots[VKSKIN_MAX_FRAMES_IN_FLIGHT], finished;
    uint64_t frame;       /* number of the finished one; 0: none */
    VkBufferCopy *copies; /* [2][most] */
} CrowdQueries;

/* What the host writes and reads in a frame slot: counters, planes, changes. */
typedef struct CrowdInput {
    Buffer buffer;
    VkDescriptorSet set;
    uint64_t frame; /* number of the frame that writes the counters; 0: none */
    uint32_t characters;
    LayoutCrowdStats stats; /* on the CPU */
} CrowdInput;

/* What the CPU backend has to restore if a frame is cancelled. */
typedef struct CrowdUndo {
    LayoutCrowdState *states; /* [maxChanges]: of the changed characters, before the frame */
    LayoutCrowdCold *colds;
    uint32_t count;
    uint32_t *rings; /* [2 x groupCount]: head and used */
    LayoutCrowdBudget budget;
} CrowdUndo;

/* Slots that a task poses and then skins, while their palettes are in its cache. */
#define CROWD_PIECE_SLOTS 16u

/* With fewer slots there would not be enough tasks: all are posed, and then large meshes are skinned by several tasks. */
#define CROWD_FEW_SLOTS 512u

/* Without masks, so many palettes of a pool exist at a time. */
#define CROWD_WINDOW_SLOTS (BATCH_TASKS * CROWD_PIECE_SLOTS)
_Static_assert(CROWD_WINDOW_SLOTS >= CROWD_FEW_SLOTS, "few slots have their palettes at the same time");

/* What the CPU backend works with, all in host memory. */
typedef struct CrowdCpu {
    LayoutCrowdState *states;   /* [capacity] */
    LayoutCrowdCold *colds;     /* [capacity] */
    uint32_t *work, *frames[2]; /* frames: written in turn */
    uint32_t *input;
    uint32_t *copies; /* see CrowdArrays */
    CrowdUndo undo;
    CpuCommand *commands;         /* [slots x parts] */
    CpuJob *jobs;                 /* [pools x parts] */
    CrowdPoseJob *poses;          /* [pools] */
    uint32_t *order;              /* [slots]: of each pool, indices of its refreshed slots, sorted by their clips */
    uint32_t *clipEnds;           /* [2 x clips + 1]: for sorting */
    atomic_uint_fast64_t windows; /* windows of palettes in use: one bit each */
    LayoutCrowdPose *fewPoses;    /* [CROWD_FEW_SLOTS]: of those that are refreshed */
    uint32_t *fewSlots;           /* likewise */
    CrowdArrays arrays;           /* arrays of the frame that is being recorded, or was recorded last */
    const ClipSetData *clips;     /* clips of that frame */
    const CpuMesh *meshes[VKSKIN_MAX_CROWD_PARTS];
} CrowdCpu;

typedef struct Crowd {
    Arena arena; /* memory of the crowd, this struct included */
    char name[32];
    uint32_t clipSet; /* index */
    uint32_t ticksPerSecond;
    uint32_t maxChanges; /* maximum changes per frame */
    uint32_t maxViews;   /* likewise; the draws are of these */
    uint32_t modelCount;
    CrowdGroupData *groups; /* [groupCount]: the levels of all models, see LayoutCrowdHead.groupsAt */
    CrowdSkin *skins;       /* [groupCount] */
    uint32_t groupCount;
    bool masks; /* some part has one */
    CrowdPlan plan;
    CrowdChanges changes;
    VkskinCrowdMemory memory;
    Descriptors descriptors; /* the pools of the sets below */
    Buffer tables, staging;  /* tables and staging: not on the CPU */
    Buffer states, colds, work;
    Buffer constants;         /* VkskinCrowdDrawConstants of all draws, written once by the host */
    Buffer frame;             /* on the CPU: a copy for each frame slot, of what the host reads */
    VkDeviceSize frameStride; /* bytes from a copy to the next; 0 on the device */
    VkDescriptorSet tableSet, stateSet, coldSet, workSet, frameSet;
    CrowdInput inputs[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    CrowdPoolMemory *pools; /* [plan.poolCount] */
    CrowdUpload upload;
    uint32_t copies;        /* copies of each slot's output */
    uint32_t frameCount;    /* recorded frames that were not cancelled */
    uint64_t recordedFrame; /* number of the last one */
    VkskinCrowdStats stats; /* counts of the latest frame that has finished */
    CrowdQueries queries;
    CrowdCpu cpu;
} Crowd;

typedef struct CrowdItem {
    HandleHeader header;
    Crowd *crowd;
} CrowdItem;

static inline ClipSet *sknClipSet(const struct VkskinContext_T *context, uint32_t index) {
    return ((ClipSetItem *)sknHandleItem(&context->clipSets, index))->set;
}

static inline Crowd *sknCrowd(const struct VkskinContext_T *context, uint32_t index) {
    return ((CrowdItem *)sknHandleItem(&context->crowds, index))->crowd;
}

static inline const uint32_t *sknCrowdTables(const Crowd *crowd) {
    return crowd->plan.tables;
}

/* Finds the object of a handle. Errors: NULL_HANDLE, STALE_HANDLE. With the lock. */
VkskinResult sknFindCrowd(VkskinContext context, const char *name, VkskinCrowd handle, Crowd **crowd);

/* Enters a call with the checked pointer `name` and finds the crowd. After a failure the lock is free. */
VkskinResult sknEnterCrowd(VkskinContext context, const char *call, VkskinCrowd handle, const char *name,
                           const void *pointer, Crowd **crowd);

/* Checks element i of the characters of a call. Errors: NULL_HANDLE, STALE_HANDLE. With the lock. */
VkskinResult sknCheckCharacter(VkskinContext context, const char *name, const Crowd *crowd,
                               const VkskinCharacter *characters, uint32_t i);

/* ---- Life ---- */

/* The draw `index` of a crowd whose memory is made. With the lock. */
VkskinCrowdDraw sknDescribeCrowdDraw(VkskinContext context, const Crowd *crowd, uint32_t index);

/* Frees what the device no longer uses; null is allowed. With the lock, or while nothing else uses the context. */
void sknFreeCrowd(VkskinContext context, Crowd *crowd);
void sknDropClipSet(VkskinContext context, ClipSet *set);

/* Frees all clip sets and crowds, with the context. */
void sknDestroyCrowds(VkskinContext context);

/* ---- Frames ---- */

/* For VkskinContext_T.crowdCalls. */
extern const CrowdCalls sknCrowdCalls;

/* ---- Queries: crowd_query.c ---- */

/* Host memory for `most` characters. False: no memory. */
bool sknMakeCrowdQueries(Arena *arena, uint32_t most, bool onCpu, uint32_t slots, CrowdQueries *queries);

/* After the passes of a frame: notes what it asks for, and copies the states or records the copies. The second returns
 * whether it recorded something. */
void sknAnswerOnCpu(Crowd *crowd, uint32_t slot, uint32_t tick);
bool sknRecordAnswers(VkskinContext context, VkCommandBuffer commandBuffer, Crowd *crowd, uint32_t slot, uint32_t tick);

/* The frame of a slot has finished: its answers are the latest ones. */
void sknReadAnswers(VkskinContext context, Crowd *crowd, uint32_t slot, uint64_t frame);

/* Byte offset of the answers in the input of a frame slot: behind the changes. */
VkDeviceSize sknAnswersAt(const Crowd *crowd);

/* ---- Recording ---- */

/*
 * Values of VkskinCrowdView.flaw; 0: none. The calls that make a view from matrices return it by value and know no logger:
 * they note what is wrong, and the record reports it. Cameras that scale, for example those of a scene in other units,
 * have none: a transposed one of them is not recognised. A plane without a direction is no flaw: a camera without a far
 * plane has one.
 */
#define CROWD_VIEW_ZERO       1u /* the matrix has no direction for x or y of the picture */
#define CROWD_VIEW_TRANSPOSED 2u /* the columns are the rows of a camera, and the rows are not */
#define CROWD_VIEW_OF_CAMERA  4u /* factor of these for the second matrix of a shadow's view */

/* Checks a view of a frame and reports what is wrong. call, index: for messages. Error: INVALID_VALUE. */
VkskinResult sknCheckCrowdView(const VkskinLogger *logger, const char *call, uint32_t index,
                               const VkskinCrowdView *view);

/* What a frame of a crowd is recorded from. */
typedef struct CrowdFrame {
    LayoutCrowdPush push;
    CrowdViews views;
} CrowdFrame;

VkskinResult sknRecordCrowdOnDevice(VkskinContext context, VkCommandBuffer commandBuffer, Crowd *crowd,
                                    CrowdFrame *frame);

/* In two steps: takes what the work reads with the lock, works without it. */
void sknBeginCrowdOnCpu(VkskinContext context, Crowd *crowd, CrowdFrame *frame);
void sknWorkCrowdOnCpu(VkskinContext context, Crowd *crowd, const CrowdFrame *frame);
VkskinResult sknEndCrowdOnCpu(VkskinContext context, Crowd *crowd);

/* CrowdCalls.listAccesses. */
void sknListCrowdAccesses(VkskinContext context, void (*add)(void *list, const VkskinAccess *access), void *list);

/* Undoes the work of a cancelled frame. */
void sknUndoCrowdOnCpu(Crowd *crowd);

#endif
