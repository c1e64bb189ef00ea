#include "figure_play.h"

#include <string.h>

#define BOXES_PER_SECOND 30.0
#define BOXES_MAX        256.0

double figureDuration(const Figure *figure, int32_t animation) {
    return animation >= 0 ? (double)figure->animations[animation].duration : 0.0;
}

int32_t figureFindAnimation(const Figure *figure, const char *name) {
    for (uint32_t i = 0; i < figure->animationCount; i++) {
        if (strcmp(figure->animations[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

double figureMotionDuration(const Figure *figure, const FigureMotion *motion) {
    return (1.0 - motion->blendWeight) * figureDuration(figure, motion->animation) +
           motion->blendWeight * figureDuration(figure, motion->blendAnimation);
}

/* The animations at `time` seconds of this duration. Returns how many, 1 or 2. */
static uint32_t playsAt(const Figure *figure, const FigureMotion *motion, double time, FigurePlay plays[2]) {
    const double mean = figureMotionDuration(figure, motion);
    const int32_t animations[2] = {motion->animation, motion->blendAnimation};
    for (int i = 0; i < 2; i++) {
        const double pace = mean > 0.0 ? figureDuration(figure, animations[i]) / mean : 1.0;
        plays[i] = (FigurePlay){animations[i], time * pace, i > 0 ? motion->blendWeight : 1.0};
    }
    return motion->blendWeight > 0.0 ? 2 : 1;
}

void figureMotionSet(FigurePose *pose, const FigureMotion *motion, double time) {
    FigurePlay plays[2];
    const uint32_t count = playsAt(pose->figure, motion, time, plays);
    figurePoseMix(pose, plays, count, &motion->pull, motion->pullCount);
}

void figureMotionAddBoxes(FigurePose *pose, const FigureMotion *motion, FigureBox *box) {
    const double duration = figureMotionDuration(pose->figure, motion);
    const uint32_t steps = (uint32_t)fmin(ceil(duration * BOXES_PER_SECOND), BOXES_MAX - 1.0);
    for (uint32_t i = 0; i <= steps; i++) {
        figureMotionSet(pose, motion, i * (duration / fmax(steps, 1.0)));
        figurePoseAddBox(pose, box);
    }
}
