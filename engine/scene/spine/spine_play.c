#include "spine_play.h"

#include <string.h>

#define BOXES_PER_SECOND 30.0
#define BOXES_MAX        256.0

double spineDuration(const SpineModel *spine, int32_t animation) {
    return animation >= 0 ? (double)spine->animations[animation].duration : 0.0;
}

int32_t spineFindAnimation(const SpineModel *spine, const char *name) {
    for (uint32_t i = 0; i < spine->animationCount; i++) {
        if (strcmp(spine->animations[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

double spineMotionDuration(const SpineModel *spine, const SpineMotion *motion) {
    return (1.0 - motion->blendWeight) * spineDuration(spine, motion->animation) +
           motion->blendWeight * spineDuration(spine, motion->blendAnimation);
}

/* The animations at `time` seconds of this duration. Returns how many, 1 or 2. */
static uint32_t playsAt(const SpineModel *spine, const SpineMotion *motion, double time, SpinePlay plays[2]) {
    const double mean = spineMotionDuration(spine, motion);
    const int32_t animations[2] = {motion->animation, motion->blendAnimation};
    for (int i = 0; i < 2; i++) {
        const double pace = mean > 0.0 ? spineDuration(spine, animations[i]) / mean : 1.0;
        plays[i] = (SpinePlay){animations[i], time * pace, i > 0 ? motion->blendWeight : 1.0};
    }
    return motion->blendWeight > 0.0 ? 2 : 1;
}

void spineMotionSet(SpinePose *pose, const SpineMotion *motion, double time) {
    SpinePlay plays[2];
    const uint32_t count = playsAt(pose->spine, motion, time, plays);
    spinePoseCurves(pose, motion->curves);
    spinePoseMix(pose, plays, count, &motion->pull, motion->pullCount);
}

void spineMotionAddBoxes(SpinePose *pose, const SpineMotion *motion, SpineBox *box) {
    const double duration = spineMotionDuration(pose->spine, motion);
    const uint32_t steps = (uint32_t)fmin(ceil(duration * BOXES_PER_SECOND), BOXES_MAX - 1.0);
    for (uint32_t i = 0; i <= steps; i++) {
        spineMotionSet(pose, motion, i * (duration / fmax(steps, 1.0)));
        spinePoseAddBox(pose, box);
    }
}
