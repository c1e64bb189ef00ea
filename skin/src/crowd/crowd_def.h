/*
 * crowd_def.h: checks the def of a crowd, and collects what its models need.
 */
#ifndef VKSKIN_CROWD_DEF_H
#define VKSKIN_CROWD_DEF_H

#include "crowd.h"

/* Checks all that needs no object of the context. */
VkskinResult sknCheckCrowdDef(VkskinContext context, const VkskinCrowdDef *def);

/* Creates the kernels with which the parts are skinned. Without the lock. */
VkskinResult sknMakePartKernels(VkskinContext context, const VkskinCrowdDef *def);

/*
 * Finds the clip set and the meshes of a checked def, checks them, and fills crowd->clipSet, models, copies, and
 * models[].parts of the needs. They cannot be destroyed until sknReleaseCrowdObjects. On failure nothing is held. With
 * the lock.
 */
VkskinResult sknHoldCrowdObjects(VkskinContext context, const VkskinCrowdDef *def, Crowd *crowd, CrowdModel *needs);
void sknReleaseCrowdObjects(VkskinContext context, const Crowd *crowd);

/* Fills skin, bounds and paletteBytes of the needs. Without the lock, with held objects. */
VkskinResult sknPrepareCrowdModels(VkskinContext context, const VkskinCrowdDef *def, Crowd *crowd, const ClipSet *clips,
                                   CrowdModel *needs);

#endif
