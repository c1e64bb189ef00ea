/* pose_case.h: cases of kind CASE_POSE: characters are sampled, composed and written as 3x4 palettes. */
#ifndef BENCH_POSE_CASE_H
#define BENCH_POSE_CASE_H

#include "bench_case.h"
#include "vkskin/vkskin_pose.h"

typedef enum PoseWay {
    POSE_ONE_BY_ONE, /* vkskinSampleClip, vkskinComposePose, vkskinWritePalette for each character */
    POSE_BATCH       /* vkskinPoseBatch for all */
} PoseWay;

/* The parameters of poseFunctions. */
typedef struct PoseParameters {
    PoseWay way;
    bool allTracks;       /* see poseSceneCreate */
    VkskinCpuLevel level; /* of vkskinPoseBatch's instructions */
    bool threads;         /* all processors, otherwise the calling thread */
} PoseParameters;

extern const CaseFunctions poseFunctions;

#endif
