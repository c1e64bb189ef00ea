/*
 * crowd_plan.h: which nodes a crowd needs, where their world matrices lie while they are needed, and when bones can be
 * written.
 */
#ifndef VKSKIN_CROWD_PLAN_H
#define VKSKIN_CROWD_PLAN_H

#include "crowd.h"
#include "skeleton.h"
#include "skin.h"

/*
 * Makes nodes, bones and groups of a crowd that has its allocator; tracks are CROWD_NO_TRACK. kept: [skeleton's nodes],
 * receives each node's index in crowd->nodes, or UINT32_MAX where no bone hangs on it. False: no memory.
 */
bool sknPlanCrowd(VkskinPoseBatch crowd, VkskinSkeleton skeleton, VkskinSkin skin, uint32_t *kept);

#endif
