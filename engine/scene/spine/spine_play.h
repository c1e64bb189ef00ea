/* spine_play.h: what a 2D character plays: an animation, another one mixed in, or a state machine; a target of IK. */
#ifndef ENGINE_SPINE_PLAY_H
#define ENGINE_SPINE_PLAY_H

#include "motion_machine.h"
#include "spine_pose.h"

typedef struct SpineMotion {
    int32_t animation;      /* -1: the setup pose */
    int32_t blendAnimation; /* mixed to it, in step: each passes once while the weighted mean of their durations does */
    double blendWeight;     /* 0 to 1; 0: none */
    SpinePull pull;
    uint32_t pullCount; /* 0 or 1 */
    SpineCurves curves;
    /* Or null: plays instead of both, with spineMachineCreate. Who reads the motion destroys it; copies borrow it. */
    MotionMachine *machine;
} SpineMotion;

/* Seconds; of the setup pose (-1) 0. */
double spineDuration(const SpineModel *spine, int32_t animation);

/* -1: none has the name. */
int32_t spineFindAnimation(const SpineModel *spine, const char *name);

/* As motionMachineCreate; its clips are the animations. */
MotionMachine *spineMachineCreate(const char *path, const SpineModel *spine, const MotionEvent *events,
                                  uint32_t eventCount, EngineError *error);

/*
 * cursor: as motionMachinePlay. plays: receives what a machine plays at a time, as spinePoseMix needs it. Returns how many. The setup pose, if memory ends
 * or a clip would loop too often.
 */
uint32_t spineMachinePlays(const MotionMachine *machine, MotionCursor *cursor, double time,
                           SpinePlay plays[SPINE_PLAYS_MAX]);

/* Seconds: of the clip, or the weighted mean of both; infinity with a machine. */
double spineMotionDuration(const SpineModel *spine, const SpineMotion *motion);

void spineMotionSet(SpinePose *pose, const SpineMotion *motion, double time);

/*
 * As after updates of physics at 60 per second, from the first one at 1/60 s to the time, whatever was evaluated before.
 * Times that ascend cost the updates between them. Those of more than SPINE_PLAY_FRAMES before the time are left out.
 */
void spineMotionPlay(SpinePose *pose, const SpineMotion *motion, double time);

#define SPINE_PLAY_RATE   60.0
#define SPINE_PLAY_FRAMES 36000u

/* Adds what the whole duration shows: 30 poses per second, at most 256; of a machine each animation that it may play. */
void spineMotionAddBoxes(SpinePose *pose, const SpineMotion *motion, SpineBox *box);

#endif
