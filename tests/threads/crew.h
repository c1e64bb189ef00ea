/*
 * crew.h: threads that start together, and what they found wrong.
 *
 * The crew's own marks are relaxed atomics: they order nothing, so that the order which ThreadSanitizer sees among
 * threads is the library's alone.
 */
#ifndef TESTS_CREW_H
#define TESTS_CREW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CREW_MAX 8u

typedef void (*CrewWork)(void *argument);

/* Runs work[i](argument) on a thread each, all released at once, and returns when all have ended. */
void crewRun(const CrewWork *works, uint32_t count, void *argument);

/* Checks on any thread: what does not hold is printed and counted, and the thread goes on. Returns the condition. */
#define CREW_CHECK(condition) crewCheck((condition), #condition, __FILE__, __LINE__)
bool crewCheck(bool condition, const char *text, const char *file, int line);

/* Checks that did not hold since the last call; for the test's own thread, when the crew is done. */
uint32_t crewFailures(void);

static inline uint64_t crewRead(const _Atomic uint64_t *mark) {
    return atomic_load_explicit(mark, memory_order_relaxed);
}

static inline void crewWrite(_Atomic uint64_t *mark, uint64_t value) {
    atomic_store_explicit(mark, value, memory_order_relaxed);
}

static inline void crewAdd(_Atomic uint64_t *mark, uint64_t value) {
    atomic_fetch_add_explicit(mark, value, memory_order_relaxed);
}

#endif
