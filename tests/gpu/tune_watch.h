/*
 * tune_watch.h: a tuning through the interposer, and what the driver
 * sees of it: which settings are on trial.
 */
#ifndef TESTS_TUNE_WATCH_H
#define TESTS_TUNE_WATCH_H

#include "interposer.h"

/* With these counts each pair of settings has a different number of workgroups. */
#define TUNE_VERTICES  997u
#define TUNE_INSTANCES 33u
#define TUNE_ROUNDS    3u

/* Bytes of the largest palette page that texels can view: the palettes of one trial, not of two. */
#define TUNE_TEXEL_PAGE 2048u
#define TUNE_MOST_SETS  64u

/* The settings on trial, as the driver sees them. */
typedef struct TuneSettings {
    VkskinPaletteBinding binding;
    uint32_t instancesPerThread;
    uint32_t workgroupSize;
} TuneSettings;

/* Global, because Vulkan's functions carry no user pointer. */
typedef struct TuneWatch {
    Gpu *gpu;
    TuneSettings wanted;
    uint32_t kernelSets;                       /* made so far */
    uint32_t runs, runsSince;                  /* in total; since the last kernels */
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

/* A run: records, submits and waits. */
void tuneRecordAndRun(TuneRecordFn record, void *recordData);

/* The interposer's census. */
void tuneCheckNothingIsLeft(void);

#endif
