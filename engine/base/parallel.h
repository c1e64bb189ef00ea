/*
 * parallel.h: loops over several processors: by threads that are kept, or by some that are made for one long loop.
 */
#ifndef ENGINE_PARALLEL_H
#define ENGINE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include <pthread.h>

#define PARALLEL_THREADS_MAX 64

struct ParallelLoop;

/* Threads that sleep until there is a loop for them. Its address stays from parallelBegin to parallelEnd. */
typedef struct ParallelPool {
    uint32_t threads; /* that work on a loop, the calling one among them: 1 up */

    /* The pool's own. */
    pthread_t helpers[PARALLEL_THREADS_MAX - 1];
    pthread_mutex_t turn; /* held through a loop: one at a time */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t begun, left;
    struct ParallelLoop *loop; /* null: none for those who come now */
    uint64_t count;            /* of loops so far */
    uint32_t busy;             /* helpers that are in the loop */
    bool ending;
} ParallelPool;

/*
 * Makes the threads. threads: the calling one of a loop among them, to PARALLEL_THREADS_MAX; 0: as many as there are
 * processors. Where so many cannot be made there are fewer, at the least the calling one.
 */
void parallelBegin(ParallelPool *pool, uint32_t threads);

/* Ends the threads. No loop runs or comes after. A zero one is allowed. */
void parallelEnd(ParallelPool *pool);

/*
 * Calls task(taskData, i) once for each i below count, on the pool's threads and the calling one, and returns when all
 * have returned. A VkskinParallelFn; user: a ParallelPool. Several threads may call at once: one waits for the other. A
 * task does not call into its own pool.
 */
void parallelRun(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

/* parallelRun by a pool for this loop alone, of as many threads as there are processors: for long work before a scene is
 * shown. A VkskinParallelFn; user is not looked at. */
void parallelFor(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

#endif
