#include "crew.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic uint64_t failures;

typedef struct Member {
    pthread_t thread;
    pthread_barrier_t *start;
    CrewWork work;
    void *argument;
} Member;

static void *runMember(void *argument) {
    const Member *member = argument;
    pthread_barrier_wait(member->start);
    member->work(member->argument);
    return NULL;
}

static void need(bool done, const char *what) {
    if (!done) {
        fprintf(stderr, "crew: %s\n", what);
        abort();
    }
}

void crewRun(const CrewWork *works, uint32_t count, void *argument) {
    Member members[CREW_MAX];
    pthread_barrier_t start;
    need(count <= CREW_MAX && pthread_barrier_init(&start, NULL, count) == 0, "too many threads");
    for (uint32_t i = 0; i < count; i++) {
        members[i] = (Member){.start = &start, .work = works[i], .argument = argument};
        need(pthread_create(&members[i].thread, NULL, runMember, &members[i]) == 0, "no thread to be had");
    }
    for (uint32_t i = 0; i < count; i++) {
        need(pthread_join(members[i].thread, NULL) == 0, "a thread could not be joined");
    }
    pthread_barrier_destroy(&start);
}

bool crewCheck(bool condition, const char *text, const char *file, int line) {
    if (!condition) {
        crewAdd(&failures, 1);
        fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
    }
    return condition;
}

uint32_t crewFailures(void) {
    uint32_t count = (uint32_t)crewRead(&failures);
    crewWrite(&failures, 0);
    return count;
}
