/*
 * run_tasks.h: the one place where work goes to the host's threads.
 */
#ifndef VKSKIN_RUN_TASKS_H
#define VKSKIN_RUN_TASKS_H

#include "vkskin/vkskin_base.h"

/* Calls task(data, i) for each i below `count`, by `parallel` or, where that is null, here and in order. */
void sknRunTasks(VkskinParallelFn parallel, void *parallelUser, uint32_t count, void (*task)(void *data, uint32_t i),
                 void *data);

#endif
