#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define HELPERS_MAX 63

typedef struct Loop {
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
    uint32_t count;
    atomic_uint next;
} Loop;

static void *work(void *data) {
    Loop *loop = data;
    uint32_t i = atomic_fetch_add(&loop->next, 1);
    while (i < loop->count) {
        loop->task(loop->taskData, i);
        i = atomic_fetch_add(&loop->next, 1);
    }
    return NULL;
}

/* Threads besides the calling one. */
static uint32_t helperCount(uint32_t count) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t helpers = processors > 1 ? (uint32_t)processors - 1 : 0;
    helpers = helpers < HELPERS_MAX ? helpers : HELPERS_MAX;
    return helpers < count - 1 ? helpers : count - 1;
}

void parallelFor(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    (void)user;
    Loop loop = {.task = task, .taskData = taskData, .count = count};
    pthread_t helpers[HELPERS_MAX];
    uint32_t wanted = count > 0 ? helperCount(count) : 0;
    uint32_t made = 0;
    while (made < wanted && pthread_create(&helpers[made], NULL, work, &loop) == 0) {
        made++;
    }
    work(&loop);
    for (uint32_t i = 0; i < made; i++) {
        pthread_join(helpers[i], NULL);
    }
}
