/*
 * stage.h: threads that start together, for scenes on the null driver.
 */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include <sched.h>

#include "null_scene.h"

typedef void (*ThreadWork)(void *argument);

/* Runs works[i](argument) on a thread each, up to 8, all released together. Returns when all have ended. */
void runThreads(const ThreadWork *works, uint32_t count, void *argument);

/* A VkskinParallelFn: runs the tasks on 3 threads, interleaved. *user: a Counter of tasks that ran, or null. */
void lendThreads(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

#endif
