/*
 * tune_watch.h: a tuning through the interposer, and what the driver
 * sees of it: which settings are on trial.
 */
#ifndef TESTS_TUNE_WATCH_H
#define TESTS_TUNE_WATCH_H

#include "interposer.h"

/* Of so many vertices and instances each pair of settings has a number of groups of its own. */
#define TUNE_VERTICES  997u
#define TUNE_INSTANCES 33u
#define TUNE_ROUNDS    3u

/* Bytes that a palette page of texels may have: those of one trial, not of the two that a context has room for. */
#define TUNE_TEXEL_PAGE 2048u
#define TUNE_MOST_SETS  64u

/* What is on trial, as the driver sees it. */
typedef struct TuneSettings {
    VkskinPaletteBinding binding;
    uint32_t instancesPerThread;
    uint32_t workgroupSize;
} TuneSettings;

/* Vulkan's functions carry nothing of the host's. */
typedef struct TuneWatch {
    Gpu *gpu;
    TuneSettings wanted;
    uint32_t kernelSets;                       /* made so far */
    uint32_t runs, runsSince;                  /* in all; since kernels were made last */
    VkDescriptorSet texelSets[TUNE_MOST_SETS]; /* with a view of palettes */
    uint32_t texelSetCount;
    bool texels; /* by the last recording */
    uint32_t groups;
    PFN_vkCreateComputePipelines makeKernels; /* the interposer's */
} TuneWatch;

extern TuneWatch tuneWatch;

typedef void (*TuneRecordFn)(void *recordData, VkCommandBuffer commandBuffer);

/* A def and what it points to. */
typedef struct Tune {
    VkskinVulkanFunctions functions;
    VkskinContextDef context;
    VkskinMeshDef mesh;
    VkskinTuneDef def;
} Tune;

/* Fills *tune, which stays where it is, and has the watch and the shim forget all before. runUser is `tune`. */
void tuneStart(Gpu *gpu, TuneSettings wanted, VkskinRunFn run, Tune *tune);

/* Every vertex on one bone; the next call's def has the same arrays. vertexCount: at most TUNE_VERTICES. */
VkskinMeshDef tuneMeshDef(uint32_t vertexCount, uint32_t boneCount);

/* What a run does: records, submits and waits. */
void tuneRecordAndRun(TuneRecordFn record, void *recordData);

/* The interposer's census. */
void tuneCheckNothingIsLeft(void);

#endif
