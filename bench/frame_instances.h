/*
 * frame_instances.h: a frame whose characters the host poses and culls. The library skins one instance for each
 * character in view.
 */
#ifndef BENCH_FRAME_INSTANCES_H
#define BENCH_FRAME_INSTANCES_H

#include "frame_state.h"

bool frameInstancesCreate(FrameState *state, EngineError *error);

/* *time gets the host time. */
bool frameInstancesRun(FrameState *state, RunTime *time, EngineError *error);
bool frameInstancesPoison(FrameState *state, EngineError *error);
bool frameInstancesCheck(FrameState *state, EngineError *error);
void frameInstancesDestroy(FrameState *state);

#endif
