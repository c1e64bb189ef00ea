/*
 * crowd_keys.h: the keys of a crowd's clips, laid out to be loaded side by side.
 */
#ifndef VKSKIN_CROWD_KEYS_H
#define VKSKIN_CROWD_KEYS_H

#include "crowd.h"
#include "skeleton.h"

/*
 * Makes tracks and clips of a crowd that was planned. kept: as sknPlanCrowd gave it. Errors: INVALID_VALUE, more keys
 * in a clip than are counted; OUT_OF_HOST_MEMORY. Neither is told to the logger.
 */
VkskinResult sknMakeCrowdKeys(VkskinPoseBatch crowd, VkskinSkeleton skeleton, const VkskinClip *clips,
                              const uint32_t *kept);

/* A clip of a crowd that may be unfinished. */
void sknFreeCrowdClip(VkskinPoseBatch crowd, CrowdClip *clip);

#endif
