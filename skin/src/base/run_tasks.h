/*
 * run_tasks.h: the only place that passes work to the host's threads.
 */
#ifndef VKSKIN_RUN_TASKS_H
#define VKSKIN_RUN_TASKS_H

#include "vkskin/vkskin_base.h"

/* Calls task(data, i) for each i below `count`: through `parallel`, or if that is null, here and in order. */
static inline void sknRunTasks(VkskinParallelFn parallel, void *parallelUser, uint32_t count,
                               void (*task)(void *data, uint32_t i), void *data) {
    if (parallel != NULL && count > 0) {
        parallel(parallelUser, count, task, data);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        task(data, i);
    }
}

#endif
