#include "stage.h"

#include <pthread.h>

#define MAX_THREADS  8u
#define LENT_THREADS 3u

typedef struct Thread {
    pthread_t thread;
    pthread_barrier_t *start;
    ThreadWork work;
    void *argument;
} Thread;

static void *runThread(void *argument) {
    Thread *thread = argument;
    pthread_barrier_wait(thread->start);
    thread->work(thread->argument);
    return NULL;
}

void runThreads(const ThreadWork *works, uint32_t count, void *argument) {
    Thread threads[MAX_THREADS];
    pthread_barrier_t start;
    if (count > MAX_THREADS || pthread_barrier_init(&start, NULL, count) != 0) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        threads[i] = (Thread){.start = &start, .work = works[i], .argument = argument};
        if (pthread_create(&threads[i].thread, NULL, runThread, &threads[i]) != 0) {
            abort();
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(threads[i].thread, NULL);
    }
    pthread_barrier_destroy(&start);
}

typedef struct Loan {
    Counter threads;
    Counter *tasksRun;
    uint32_t count;
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
} Loan;

static void runShare(void *argument) {
    Loan *loan = argument;
    for (uint32_t i = (uint32_t)counterAdd(&loan->threads, 1); i < loan->count; i += LENT_THREADS) {
        loan->task(loan->taskData, i);
        if (loan->tasksRun != NULL) {
            counterAdd(loan->tasksRun, 1);
        }
    }
}

void lendThreads(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    static const ThreadWork works[LENT_THREADS] = {runShare, runShare, runShare};
    Loan loan = {.tasksRun = user, .count = count, .task = task, .taskData = taskData};
    runThreads(works, LENT_THREADS, &loan);
}
