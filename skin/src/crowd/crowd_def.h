/*
 * crowd_def.h: checks the def of a crowd, and collects what its models need.
 */
#ifndef VKSKIN_CROWD_DEF_H
#define VKSKIN_CROWD_DEF_H

#include "crowd.h"

/* A level of a model. error: 0 for level 0. */
typedef struct CrowdLevelPlace {
    uint32_t model, level;
    float error;
} CrowdLevelPlace;

/* All levels of a def, as models: those of a model in a row, the finest first. `levelCount` stays that of the model. */
typedef struct CrowdLevels {
    VkskinCrowdDef def; /* models: the following */
    VkskinCrowdModel models[CROWD_GROUPS];
    CrowdLevelPlace places[CROWD_GROUPS];
} CrowdLevels;

/* def: with checked numbers of models and levels. */
void sknListCrowdLevels(const VkskinCrowdDef *def, CrowdLevels *levels);

/* Checks all that needs no object of the context. */
VkskinResult sknCheckCrowdDef(VkskinContext context, const VkskinCrowdDef *def);

/* Creates the kernels with which the parts are skinned. Without the lock. */
VkskinResult sknMakePartKernels(VkskinContext context, const CrowdLevels *levels);

/*
 * Finds the clip set and the meshes of a checked def, checks them, and fills crowd->clipSet, groups, copies, and
 * the parts of the needs. They cannot be destroyed until sknReleaseCrowdObjects. On failure nothing is held. With
 * the lock.
 */
VkskinResult sknHoldCrowdObjects(VkskinContext context, const CrowdLevels *levels, Crowd *crowd, CrowdGroup *needs);
void sknReleaseCrowdObjects(VkskinContext context, const Crowd *crowd);

/* Fills skin, bounds and paletteBytes of the needs. Without the lock, with held objects. */
VkskinResult sknPrepareCrowdGroups(VkskinContext context, const CrowdLevels *levels, Crowd *crowd, const ClipSet *clips,
                                   CrowdGroup *needs);

#endif
