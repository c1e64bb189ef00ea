/* spine_play.h: what a 2D character plays: an animation, another one mixed in, a target of IK. */
#ifndef ENGINE_SPINE_PLAY_H
#define ENGINE_SPINE_PLAY_H

#include "spine_pose.h"

typedef struct SpineMotion {
    int32_t animation;      /* -1: the setup pose */
    int32_t blendAnimation; /* mixed to it, in step: each passes once while the weighted mean of their durations does */
    double blendWeight;     /* 0 to 1; 0: none */
    SpinePull pull;
    uint32_t pullCount; /* 0 or 1 */
    SpineCurves curves;
} SpineMotion;

/* Seconds; of the setup pose (-1) 0. */
double spineDuration(const SpineModel *spine, int32_t animation);

/* -1: none has the name. */
int32_t spineFindAnimation(const SpineModel *spine, const char *name);

/* Seconds: of the clip, or the weighted mean of both. */
double spineMotionDuration(const SpineModel *spine, const SpineMotion *motion);

void spineMotionSet(SpinePose *pose, const SpineMotion *motion, double time);

/* Adds what the whole duration shows: 30 poses per second, at most 256. */
void spineMotionAddBoxes(SpinePose *pose, const SpineMotion *motion, SpineBox *box);

#endif
