/*
 * clip_source.h: what the poses of a character are sampled from: packed clips if there are any, else clips of float keys.
 * Clips are named by their index. An index of clipCount or more is the rest pose.
 */
#ifndef ENGINE_CLIP_SOURCE_H
#define ENGINE_CLIP_SOURCE_H

#include "vkskin/vkskin_anim.h"

/* Borrowed: the skeleton, the clips and the block must outlive it. */
typedef struct ClipSource {
    VkskinSkeleton skeleton;
    uint32_t clipCount;
    const VkskinClip *clips; /* [clipCount]; with a block, only durations and morph weights are read */
    const void *block;       /* an animation set of the same skeleton, checked, with the same clips; or null */
} ClipSource;

/* Seconds; 0 for the rest pose. */
double clipSourceDuration(const ClipSource *source, uint32_t clip);

/* Local transforms of all nodes, on any thread. pose: [nodes of the skeleton]. Errors are those of the library. */
VkskinResult clipSourceSample(const ClipSource *source, uint32_t clip, double time, VkskinWrap wrap,
                              VkskinTransform *pose);

#endif
