/* figure_play.h: what a 2D character plays: an animation, another one mixed in, a target of IK. */
#ifndef ENGINE_FIGURE_PLAY_H
#define ENGINE_FIGURE_PLAY_H

#include "figure_pose.h"

typedef struct FigureMotion {
    int32_t animation;      /* -1: the setup pose */
    int32_t blendAnimation; /* mixed to it, in step: each passes once while the weighted mean of their durations does */
    double blendWeight;     /* 0 to 1; 0: none */
    FigurePull pull;
    uint32_t pullCount; /* 0 or 1 */
} FigureMotion;

/* Seconds; of the setup pose (-1) 0. */
double figureDuration(const Figure *figure, int32_t animation);

/* -1: none has the name. */
int32_t figureFindAnimation(const Figure *figure, const char *name);

/* Seconds: of the clip, or the weighted mean of both. */
double figureMotionDuration(const Figure *figure, const FigureMotion *motion);

void figureMotionSet(FigurePose *pose, const FigureMotion *motion, double time);

/* Adds what the whole duration shows: 30 poses per second, at most 256. */
void figureMotionAddBoxes(FigurePose *pose, const FigureMotion *motion, FigureBox *box);

#endif
