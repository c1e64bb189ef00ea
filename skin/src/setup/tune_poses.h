/*
 * tune_poses.h: measures the kernel that poses crowds, for vkskinTune.
 */
#ifndef VKSKIN_TUNE_POSES_H
#define VKSKIN_TUNE_POSES_H

#include "tuning.h"

struct VkskinContext_T;

/* How often something is run, and how. */
typedef struct PoseTuning {
    struct VkskinContext_T *context; /* context of the trial; nothing is left in it */
    uint32_t characters;             /* at least 1 */
    uint32_t rounds;                 /* at least 1: runs of each setting; the fastest one counts */
    /* Runs what `record` records, once; see VkskinRunFn. */
    VkskinResult (*run)(void *user, VkskinResult (*record)(void *data, VkCommandBuffer commandBuffer), void *data,
                        double *milliseconds);
    void *user;
} PoseTuning;

/* *posing receives the faster VkskinCrowdPosing. Errors: those of vkskinTune. */
VkskinResult sknTunePoses(const PoseTuning *tuning, uint32_t *posing);

#endif
