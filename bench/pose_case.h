/* pose_case.h: cases of kind CASE_POSE: characters are sampled, composed and written as 3x4 palettes. */
#ifndef BENCH_POSE_CASE_H
#define BENCH_POSE_CASE_H

#include "bench_case.h"
#include "vkskin/vkskin_pose.h"

/* The parameters of poseFunctions. */
typedef struct PoseParameters {
    bool batch; /* vkskinPoseBatch for all; else vkskinSampleClip, vkskinComposePose and vkskinWritePalette for each */
    bool allTracks;       /* see poseSceneCreate */
    VkskinCpuLevel level; /* of vkskinPoseBatch's instructions */
    bool threads;         /* all processors, otherwise the calling thread */
} PoseParameters;

extern const CaseFunctions poseFunctions;

#endif
