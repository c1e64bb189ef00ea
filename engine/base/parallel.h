/* parallel.h: loops on several threads, from a pool or created for one long loop. */
#ifndef ENGINE_PARALLEL_H
#define ENGINE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include <pthread.h>

#define PARALLEL_THREADS_MAX 64

struct ParallelLoop;

/* Threads that sleep until a loop starts. The pool must not move between parallelBegin and parallelEnd. */
typedef struct ParallelPool {
    uint32_t threads; /* threads that run a loop, including the calling thread; at least 1 */

    /* Private. */
    pthread_t helpers[PARALLEL_THREADS_MAX - 1];
    pthread_mutex_t running; /* held during a loop: one loop at a time */
    pthread_mutex_t lock;    /* guards the fields below */
    pthread_cond_t begun, left;
    struct ParallelLoop *loop; /* null: no loop to enter */
    uint64_t count;            /* loops started so far */
    uint32_t busy;             /* helpers inside the loop */
    bool ending;
} ParallelPool;

/*
 * Creates the threads. threads: their number, the calling thread of a loop included, up to PARALLEL_THREADS_MAX; 0: the
 * number of processors. If the system refuses a thread, the pool has fewer, at least the calling one.
 */
void parallelBegin(ParallelPool *pool, uint32_t threads);

/* Ends the threads. No loop may run now or later. A zeroed pool is allowed. */
void parallelEnd(ParallelPool *pool);

/*
 * A VkskinParallelFn; user: a ParallelPool. Calls task(taskData, i) once for each i below count, on the pool's threads
 * and the calling one, and returns after the last task. Any thread may call; concurrent loops run one after another. A
 * task must not use its own pool.
 */
void parallelRun(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

/*
 * A VkskinParallelFn; user is ignored. parallelRun with a pool for this loop only, one thread per processor. For long
 * work before a scene is shown.
 */
void parallelFor(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

#endif
