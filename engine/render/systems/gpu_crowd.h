/*
 * gpu_crowd.h: the characters of a crowd as characters of vkskin_crowd.h: the device poses and culls them.
 *
 * Each kind has a clip set and a crowd of the library, with one model for each palette. A character of a kind with several
 * palettes is as many characters.
 */
#ifndef ENGINE_GPU_CROWD_H
#define ENGINE_GPU_CROWD_H

#include "population_pick.h"
#include "vkskin/vkskin_crowd.h"

#define GPU_CROWD_TICKS     1000u /* per second */
#define GPU_CROWD_ASKED_MAX 256u  /* characters of a kind: the default limit of a crowd */

/* A kind of character. */
typedef struct GpuKind {
    VkskinClipSet clips;
    VkskinCrowd crowd;
    VkskinCharacter *characters;             /* [characters of the kind][paletteCount] */
    uint32_t *parts;                         /* [partCount]: index of each part in its model */
    uint32_t slots[VKSKIN_MAX_CROWD_LEVELS]; /* slots of each model, by level */
    uint32_t askedCount;                     /* characters that gpuCrowdAsk asked for */
    uint32_t asked[GPU_CROWD_ASKED_MAX];     /* indices in the population */
} GpuKind;

typedef struct GpuCrowd {
    Population *population;
    GpuKind *kinds; /* [modelCount]; zero for kinds without characters */
    VkskinCrowdView views[POPULATION_PASS_COUNT];
    double clock;             /* time of the last gpuCrowdRecord; before the first, time of the creation */
    bool recorded;            /* gpuCrowdRecord ran once */
    VkskinCrowdMemory memory; /* memory of all kinds */
    bool asks;                /* gpuCrowdAnswer has no answer yet */
    PickRay ray;              /* the ray of gpuCrowdAsk */
    uint64_t askedIn;         /* the library's frame before it */
    uint32_t answerClip;      /* what the character of the answer plays */
    double answerTime;        /* seconds in the clip at GpuCrowd.clock 0 */
} GpuCrowd;

/* Counters of a level of detail. */
typedef struct GpuLevelStats {
    uint32_t slots, skinned, refreshed; /* slots; those in use; of these, posed and skinned in this frame */
    uint64_t vertices;                  /* skinned in this frame */
} GpuLevelStats;

/* Counters of all kinds, of the latest frame that has finished: characters of the library. */
typedef struct GpuCrowdStats {
    uint32_t characters;
    uint32_t slots;
    uint32_t skinned;
    uint32_t refused; /* visible, but without a slot */
    uint32_t drawn[POPULATION_PASS_COUNT];
    uint64_t vertices; /* skinned vertices */
    float maxPixels;   /* maximum error of the drawn levels in pixels: the largest of all kinds */
    GpuLevelStats levels[VKSKIN_MAX_CROWD_LEVELS];
    uint32_t levelCount;
    uint64_t bytes;     /* bytes of device memory */
    uint64_t slotBytes; /* palettes and vertices of the slots, a part of `bytes` */
} GpuCrowdStats;

/* Whether a crowd can show the model. Else *reason is a phrase without its name, such as "the model has no clips". */
bool gpuCrowdTakes(const Model *model, EngineError *reason);

/* The characters have their places, clips and times. slots: of each model, 0: enough for the characters, within a part
 * of the device's memory. Null on failure. */
GpuCrowd *gpuCrowdCreate(Population *population, uint32_t slots, EngineError *error);

/* Null is allowed. */
void gpuCrowdDestroy(GpuCrowd *gpu);

/* In place of populationCull. */
void gpuCrowdView(GpuCrowd *gpu, const PopulationView *view);

/* Poses, culls and skins at Population.clock. Outside a render pass, after vkskinRecordSkinning. */
bool gpuCrowdRecord(GpuCrowd *gpu, VkCommandBuffer commandBuffer, EngineError *error);

bool gpuCrowdStats(const GpuCrowd *gpu, GpuCrowdStats *stats, EngineError *error);

/*
 * gpu_crowd_pick.c: picks characters as they are on the device. gpuCrowdAsk chooses those whose boxes the ray enters, of each kind
 * the nearest GPU_CROWD_ASKED_MAX; their states come back some frames later. It replaces a question without an answer.
 * gpuCrowdAnswer poses them and tests the triangles of level 0, also of characters that are drawn with a coarser one, at the tick
 * of their states. Call it once per frame; *found: *pick is the answer.
 */
bool gpuCrowdAsk(GpuCrowd *gpu, const PickRay *ray, EngineError *error);
bool gpuCrowdAnswer(GpuCrowd *gpu, PopulationPick *pick, bool *found, EngineError *error);

/* Hides a character of the population, which goes on in its clip, or shows it again. */
bool gpuCrowdHide(GpuCrowd *gpu, uint32_t character, bool hidden, EngineError *error);

/* The character of the population whose characters of the library begin at GpuKind.characters[index x paletteCount]. The last
 * ones stand in front, see populationPlaceCharacters. They come first, because the first get slots first. */
uint32_t gpuCrowdCharacter(const Population *population, uint32_t kind, uint32_t index);

#endif
