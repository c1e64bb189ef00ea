#include "parallel.h"

#include <stdatomic.h>
#include <unistd.h>

typedef struct ParallelLoop {
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
    uint32_t count;
    atomic_uint_fast64_t next; /* ends above count: each thread adds 1 when it finds no task */
} ParallelLoop;

static void work(ParallelLoop *loop) {
    uint64_t i = atomic_fetch_add(&loop->next, 1);
    while (i < loop->count) {
        loop->task(loop->taskData, (uint32_t)i);
        i = atomic_fetch_add(&loop->next, 1);
    }
}

/* Waits for a loop with a number above *seen and enters it. Null: the pool ends. */
static ParallelLoop *enter(ParallelPool *pool, uint64_t *seen) {
    pthread_mutex_lock(&pool->lock);
    while (!pool->ending && (pool->loop == NULL || pool->count == *seen)) {
        pthread_cond_wait(&pool->begun, &pool->lock);
    }
    ParallelLoop *loop = pool->ending ? NULL : pool->loop;
    pool->busy += loop != NULL;
    *seen = pool->count;
    pthread_mutex_unlock(&pool->lock);
    return loop;
}

static void leave(ParallelPool *pool) {
    pthread_mutex_lock(&pool->lock);
    if (--pool->busy == 0) {
        pthread_cond_signal(&pool->left);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void *help(void *data) {
    ParallelPool *pool = data;
    uint64_t seen = 0;
    ParallelLoop *loop;
    while ((loop = enter(pool, &seen)) != NULL) {
        work(loop);
        leave(pool);
    }
    return NULL;
}

static uint32_t processorCount(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > PARALLEL_THREADS_MAX ? PARALLEL_THREADS_MAX : (uint32_t)processors;
}

void parallelBegin(ParallelPool *pool, uint32_t threads) {
    const uint32_t wanted = threads == 0                     ? processorCount()
                            : threads < PARALLEL_THREADS_MAX ? threads
                                                             : PARALLEL_THREADS_MAX;
    *pool = (ParallelPool){.threads = 1,
                           .running = PTHREAD_MUTEX_INITIALIZER,
                           .lock = PTHREAD_MUTEX_INITIALIZER,
                           .begun = PTHREAD_COND_INITIALIZER,
                           .left = PTHREAD_COND_INITIALIZER};
    while (pool->threads < wanted && pthread_create(&pool->helpers[pool->threads - 1], NULL, help, pool) == 0) {
        pool->threads++;
    }
}

void parallelEnd(ParallelPool *pool) {
    if (pool->threads == 0) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i + 1 < pool->threads; i++) {
        pthread_join(pool->helpers[i], NULL);
    }
    pthread_cond_destroy(&pool->left);
    pthread_cond_destroy(&pool->begun);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->running);
    *pool = (ParallelPool){0};
}

static void openLoop(ParallelPool *pool, ParallelLoop *loop) {
    pthread_mutex_lock(&pool->lock);
    pool->loop = loop;
    pool->count++;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
}

/* Removes the loop, so that late helpers find none. Waits for the helpers inside it. */
static void closeLoop(ParallelPool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->loop = NULL;
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->left, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void parallelRun(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    ParallelPool *pool = user;
    ParallelLoop loop = {.task = task, .taskData = taskData, .count = count};
    pthread_mutex_lock(&pool->running);
    if (count > 1) {
        openLoop(pool, &loop);
    }
    work(&loop);
    closeLoop(pool);
    pthread_mutex_unlock(&pool->running);
}

void parallelFor(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    (void)user;
    const uint32_t processors = processorCount();
    ParallelPool pool;
    parallelBegin(&pool, count == 0 ? 1 : count < processors ? count : processors);
    parallelRun(&pool, count, task, taskData);
    parallelEnd(&pool);
}
