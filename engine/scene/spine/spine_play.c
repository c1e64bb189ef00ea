#include "spine_play.h"

#include <stdlib.h>
#include <string.h>

#define BOXES_PER_SECOND 30.0
#define BOXES_MAX        256.0
#define PLAY_ROUNDING    1e-4 /* frames */

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
    if (motion->machine) {
        return INFINITY;
    }
    return (1.0 - motion->blendWeight) * spineDuration(spine, motion->animation) +
           motion->blendWeight * spineDuration(spine, motion->blendAnimation);
}

/* ---- Machines ---- */

_Static_assert(SPINE_PLAYS_MAX >= VKSKIN_MACHINE_SAMPLES_MAX, "all samples of a machine are mixed in one pose");

static MotionClip clipAt(const void *model, uint32_t index) {
    const SpineAnimation *animation = &((const SpineModel *)model)->animations[index];
    return (MotionClip){animation->name, animation->duration};
}

MotionMachine *spineMachineCreate(const char *path, const SpineModel *spine, const MotionEvent *events,
                                  uint32_t eventCount, EngineError *error) {
    const MotionClips clips = {spine->animationCount, clipAt, spine};
    return motionMachineCreate(path, &clips, events, eventCount, error);
}

/* Weights of samples are shares of the whole; that of a play is its share of itself and those before it. */
uint32_t spineMachinePlays(const MotionMachine *machine, MotionCursor *cursor, double time,
                           SpinePlay plays[SPINE_PLAYS_MAX]) {
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    uint32_t count = 0;
    double sum = 0.0;
    if (motionMachinePlay(machine, cursor, time, samples, &count) < 0) {
        plays[0] = (SpinePlay){-1, 0.0, 1.0};
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)samples[i].weight;
        plays[i] = (SpinePlay){(int32_t)samples[i].clip, samples[i].step.to, (double)samples[i].weight / sum};
    }
    return count;
}

/* ---- Motions ---- */

/* The animations at `time` seconds of this duration. Returns how many. */
static uint32_t playsAt(const SpineModel *spine, const SpineMotion *motion, MotionCursor *cursor, double time,
                        SpinePlay plays[SPINE_PLAYS_MAX]) {
    if (motion->machine) {
        return spineMachinePlays(motion->machine, cursor, time, plays);
    }
    const double mean = spineMotionDuration(spine, motion);
    const int32_t animations[2] = {motion->animation, motion->blendAnimation};
    for (int i = 0; i < 2; i++) {
        const double pace = mean > 0.0 ? spineDuration(spine, animations[i]) / mean : 1.0;
        plays[i] = (SpinePlay){animations[i], time * pace, i > 0 ? motion->blendWeight : 1.0};
    }
    return motion->blendWeight > 0.0 ? 2 : 1;
}

static void setAt(SpinePose *pose, const SpineMotion *motion, MotionCursor *cursor, double time) {
    SpinePlay plays[SPINE_PLAYS_MAX];
    const uint32_t count = playsAt(pose->spine, motion, cursor, time, plays);
    spinePoseCurves(pose, motion->curves);
    spinePoseMix(pose, plays, count, &motion->pull, motion->pullCount);
}

void spineMotionSet(SpinePose *pose, const SpineMotion *motion, double time) {
    setAt(pose, motion, NULL, time);
}

/* After so many seconds. The time is their sum, whose rounding decides in which update a key is passed. */
static void update(SpinePose *pose, const SpineMotion *motion, MotionCursor *cursor, double seconds) {
    spinePoseAdvance(pose, seconds);
    setAt(pose, motion, cursor, pose->physics.begin + pose->physics.time);
}

void spineMotionPlay(SpinePose *pose, const SpineMotion *motion, double time) {
    SpinePhysics *physics = &pose->physics;
    if (physics->count == 0) {
        spineMotionSet(pose, motion, time);
        return;
    }
    /* A time that is a frame but for its rounding is that frame. */
    const uint64_t frames = (uint64_t)fmin(fmax(time, 0.0) * SPINE_PLAY_RATE + PLAY_ROUNDING, 1e15);
    const double rest = time - (double)frames / SPINE_PLAY_RATE;
    const bool whole = rest * SPINE_PLAY_RATE <= PLAY_ROUNDING;
    if (physics->frames > frames || physics->frames + SPINE_PLAY_FRAMES < frames) {
        spinePoseReset(pose);
        physics->frames = frames > SPINE_PLAY_FRAMES ? frames - SPINE_PLAY_FRAMES : 0;
        physics->begin = (double)physics->frames / SPINE_PLAY_RATE;
    }
    if (whole && physics->frames == frames) {
        spineMotionSet(pose, motion, time);
        return;
    }
    MotionCursor cursor = {0};
    while (physics->frames < frames) {
        update(pose, motion, &cursor, 1.0 / SPINE_PLAY_RATE);
        physics->frames++;
    }
    if (!whole) {
        spinePhysicsKeep(pose);
        update(pose, motion, &cursor, rest);
        spinePhysicsRestore(pose);
    }
    free(cursor.parameters);
}

void spineMotionAddBoxes(SpinePose *pose, const SpineMotion *motion, SpineBox *box) {
    for (uint32_t i = 0; motion->machine && i < pose->spine->animationCount; i++) {
        SpineMotion alone = *motion;
        alone.machine = NULL;
        alone.animation = (int32_t)i;
        spineMotionAddBoxes(pose, &alone, box);
    }
    if (motion->machine) {
        return;
    }
    const double duration = spineMotionDuration(pose->spine, motion);
    const uint32_t steps = (uint32_t)fmin(ceil(duration * BOXES_PER_SECOND), BOXES_MAX - 1.0);
    for (uint32_t i = 0; i <= steps; i++) {
        spineMotionSet(pose, motion, i * (duration / fmax(steps, 1.0)));
        spinePoseAddBox(pose, box);
    }
}
