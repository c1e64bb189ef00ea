/*
 * crowd_bounds.h: the bounds of a model in each clip, from its packed keys.
 */
#ifndef VKSKIN_CROWD_BOUNDS_H
#define VKSKIN_CROWD_BOUNDS_H

#include "clip_set.h"
#include "crowd/crowd_layout.h"
#include "vkskin/vkskin_pack.h"
#include "vkskin/vkskin_mesh.h"

/*
 * boxes: [nodeCount], the vertices that each node moves. method: how they are skinned. bounds: [clipCount]. Errors:
 * TRANSFORM_NOT_FINITE (a box, or the bounds in a clip), OUT_OF_HOST_MEMORY.
 */
VkskinResult sknComputeCrowdBounds(const Host *host, const ClipSetData *clips, const VkskinAnimationBox *boxes,
                                   VkskinMethod method, LayoutCrowdBounds *bounds);

#endif
