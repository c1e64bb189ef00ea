/*
 * crowd_plan.h: where everything of a crowd lies: pools, and word offsets in the tables, the work buffer and the frame.
 */
#ifndef VKSKIN_CROWD_PLAN_H
#define VKSKIN_CROWD_PLAN_H

#include "crowd/crowd_layout.h"
#include "crowd_morphs.h"
#include "crowd_pose.h"
#include "host.h"

/* A class of a part: see mesh_plan.h. */
typedef struct CrowdClass {
    uint32_t vertexCount;
    uint32_t head; /* word offset of its LayoutClass in the mesh page */
} CrowdClass;

typedef struct CrowdPart {
    uint32_t outputBytes; /* bytes of one copy, a multiple of 16 */
    uint32_t vertexCount;
    uint32_t indexCount, firstIndex, vertexOffset;
    uint32_t mask;       /* VkskinCrowdPart.mask */
    uint32_t classCount; /* 0 on the CPU */
    CrowdClass classes[LAYOUT_CLASSES];
} CrowdPart;

/* A level of a model. */
typedef struct CrowdGroup {
    uint32_t model, level;
    uint32_t coarser; /* number of coarser levels: they are the next groups */
    float error;
    uint32_t interval;
    const CrowdPart *parts; /* [partCount] */
    uint32_t partCount;
    uint32_t slots;
    uint32_t vertices; /* vertices of all parts */
    CrowdSkin skin;
    uint32_t paletteBytes;           /* bytes per slot, a multiple of 16 */
    const LayoutCrowdBounds *bounds; /* [clipCount]; of level 0 */
    CrowdMorphs morphs;
} CrowdGroup;

/* What is planned, and the limits. */
typedef struct CrowdNeeds {
    const CrowdGroup *groups; /* [groupCount]: the levels of a model in a row, the finest first */
    uint32_t groupCount;
    uint32_t capacity;
    uint32_t clipCount;
    CrowdNodes nodes;        /* nodes of the clip set */
    uint32_t scratchWords;   /* temporary words per slot */
    uint32_t paletteSlots;   /* slots of a pool that have a palette and temporary words at a time */
    uint32_t copies;         /* copies of each slot's output */
    uint64_t range;          /* maximum bytes of a storage buffer */
    uint64_t paletteRange;   /* maximum bytes of the palettes of a pool, at most `range` */
    uint32_t groupSize;      /* invocations per workgroup of the skinning kernels */
    uint32_t groupInstances; /* instances per thread of the skinning kernels */
    uint32_t poseSlots;      /* LayoutCrowdHead.poseSlots */
    uint32_t views;          /* views that have draws, at most CROWD_VIEWS */
} CrowdNeeds;

/* A pool, as the host sees it; the rest is in its LayoutCrowdPool. */
typedef struct CrowdPoolPlan {
    uint32_t group, slots, firstSlot;
    uint64_t paletteBytes, scratchBytes, outputBytes; /* bytes of all slots together, see CrowdNeeds.paletteSlots */
} CrowdPoolPlan;

typedef struct CrowdPlan {
    Arena arena;
    uint32_t *tables; /* [tableWords], complete */
    uint32_t tableWords;
    uint32_t structureWords; /* the first words of the tables: counts and offsets, see crowd_layout.h */
    uint64_t workWords, frameWords;
    uint64_t morphBytes; /* bytes of the slots' morph weights, a part of the frame */
    uint32_t drawWords;  /* the first words of the frame: the arguments of draws */
    uint32_t poolCount;
    CrowdPoolPlan *pools; /* [poolCount] */
} CrowdPlan;

/*
 * Errors: UNSUPPORTED_DEVICE (an array, or one slot, is larger than a storage buffer), OUT_OF_HOST_MEMORY; *plan is then
 * empty. name: of the crowd, for messages.
 */
VkskinResult sknPlanCrowd(const Host *host, const char *name, const CrowdNeeds *needs, CrowdPlan *plan);
void sknFreeCrowdPlan(CrowdPlan *plan);

/* Parts of the tables. */
static inline const LayoutCrowdHead *sknCrowdHead(const uint32_t *tables) {
    return (const LayoutCrowdHead *)tables;
}

static inline const LayoutCrowdModel *sknCrowdModel(const uint32_t *tables, uint32_t model) {
    return (const LayoutCrowdModel *)(tables + sknCrowdHead(tables)->modelsAt) + model;
}

static inline const LayoutCrowdGroup *sknCrowdGroup(const uint32_t *tables, uint32_t group) {
    return (const LayoutCrowdGroup *)(tables + sknCrowdHead(tables)->groupsAt) + group;
}

static inline const LayoutCrowdPool *sknCrowdPool(const uint32_t *tables, uint32_t pool) {
    return (const LayoutCrowdPool *)(tables + sknCrowdHead(tables)->poolsAt) + pool;
}

static inline const LayoutCrowdPart *sknCrowdPart(const uint32_t *tables, const LayoutCrowdPool *pool, uint32_t part) {
    return (const LayoutCrowdPart *)(tables + pool->partsAt) + part;
}

static inline const LayoutCrowdJob *sknCrowdJob(const uint32_t *tables, uint32_t job) {
    return (const LayoutCrowdJob *)(tables + sknCrowdHead(tables)->jobsAt) + job;
}

static inline const LayoutCrowdDraw *sknCrowdDraw(const uint32_t *tables, uint32_t draw) {
    return (const LayoutCrowdDraw *)(tables + sknCrowdHead(tables)->drawsAt) + draw;
}

#endif
