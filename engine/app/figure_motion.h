/* figure_motion.h: what options ask of the pose of a 2D character: a clip, a second clip mixed in, a target of IK. */
#ifndef APP_FIGURE_MOTION_H
#define APP_FIGURE_MOTION_H

#include "figure_camera.h"
#include "options.h"

typedef struct FigureMotion {
    int32_t animation;      /* -1: the setup pose */
    int32_t blendAnimation; /* mixed to it, in step: each passes once while the weighted mean of their durations does */
    double blendWeight;     /* 0 to 1; 0: none */
    FigurePull pull;
    uint32_t pullCount; /* 0 or 1 */
} FigureMotion;

/* Reads --clip, --blend-clip and --reach. */
bool figureMotionRead(const Arguments *arguments, const Figure *figure, FigureMotion *motion, EngineError *error);

/* Seconds: of the clip, or the weighted mean of both. */
double figureMotionDuration(const Figure *figure, const FigureMotion *motion);

/* The animations at `time` seconds of this duration. Returns how many, 1 or 2. */
uint32_t figureMotionPlays(const Figure *figure, const FigureMotion *motion, double time, FigurePlay plays[2]);

void figureMotionSet(FigurePose *pose, const FigureMotion *motion, double time);

/* Adds what the poses at `count` times show, `step` seconds apart from `from` on. False: out of memory. */
bool figureMotionBox(FigurePose *pose, const FigureMotion *motion, double from, double step, uint32_t count,
                     FigureBox *box, EngineError *error);

/* The whole duration, 30 times per second, at most 256 times. */
bool figureMotionBoxWhole(FigurePose *pose, const FigureMotion *motion, FigureBox *box, EngineError *error);

#endif
