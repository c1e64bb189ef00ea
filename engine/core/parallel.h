/*
 * parallel.h: a loop over all processors, for long work before a scene is shown.
 */
#ifndef ENGINE_PARALLEL_H
#define ENGINE_PARALLEL_H

#include <stdint.h>

/*
 * Calls task(taskData, i) once for each i below count, on as many threads as there are processors, the calling one among
 * them, and returns when all have returned. Where threads cannot be made, those that there are do all of it.
 * A VkskinParallelFn; user is not looked at.
 */
void parallelFor(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

#endif
