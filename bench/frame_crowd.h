/*
 * frame_crowd.h: a frame whose characters the device poses, culls and skins.
 */
#ifndef BENCH_FRAME_CROWD_H
#define BENCH_FRAME_CROWD_H

#include "frame_state.h"

/* Only the objects of the library: needs `context`, `meshes`, `scene` and `rooms`. */
VkskinResult frameCrowdMake(FrameState *state);

bool frameCrowdCreate(FrameState *state, EngineError *error);

/* *time gets the host time. */
bool frameCrowdRun(FrameState *state, RunTime *time, EngineError *error);
bool frameCrowdPoison(FrameState *state, EngineError *error);
bool frameCrowdCheck(FrameState *state, EngineError *error);
void frameCrowdDestroy(FrameState *state);

#endif
