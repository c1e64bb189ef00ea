/* Loops over several threads: each index once, whatever their number, and all before the loop returns. */

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "parallel.h"
#include "test.h"
#include "vkskin/vkskin_base.h"

#define COUNT_MAX 1000

static const uint32_t COUNTS[] = {0, 1, 2, 3, 63, 64, 65, COUNT_MAX};
#define COUNTS_COUNT (COUNT_OF(COUNTS))

typedef struct Calls {
    uint32_t counts[COUNT_MAX]; /* plain: a second call of one index would be a race */
    atomic_uint elsewhere;      /* made on another thread than `caller` */
    pthread_t caller;
    useconds_t pause; /* so that others get their turn */
} Calls;

static void hear(void *data, uint32_t i) {
    Calls *calls = data;
    calls->counts[i]++;
    if (!pthread_equal(pthread_self(), calls->caller)) {
        atomic_fetch_add(&calls->elsewhere, 1);
    }
    if (calls->pause > 0) {
        usleep(calls->pause);
    }
}

/* The number of calls that another thread made. */
static uint32_t expectEachOnce(VkskinParallelFn loop, void *user, uint32_t count, useconds_t pause) {
    Calls calls = {.caller = pthread_self(), .pause = pause};
    loop(user, count, hear, &calls);
    for (uint32_t i = 0; i < COUNT_MAX; i++) {
        assert_int_equal(calls.counts[i], i < count);
    }
    return calls.elsewhere;
}

TEST(eachIsCalledOnce) {
    uint32_t elsewhere = 0;
    for (size_t k = 0; k < COUNTS_COUNT; k++) {
        elsewhere += expectEachOnce(parallelFor, NULL, COUNTS[k], 50);
    }
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
        assert_true(elsewhere > 0);
    }
}

TEST(poolsCallEachOnce) {
    static const uint32_t THREADS[] = {1, 2, 3, 8, PARALLEL_THREADS_MAX, PARALLEL_THREADS_MAX + 1};
    for (size_t t = 0; t < COUNT_OF(THREADS); t++) {
        ParallelPool pool;
        uint32_t elsewhere = 0;
        parallelBegin(&pool, THREADS[t]);
        assert_int_equal(pool.threads, THREADS[t] < PARALLEL_THREADS_MAX ? THREADS[t] : PARALLEL_THREADS_MAX);
        for (size_t k = 0; k < COUNTS_COUNT; k++) {
            elsewhere += expectEachOnce(parallelRun, &pool, COUNTS[k], 50);
        }
        parallelEnd(&pool);
        assert_true(THREADS[t] == 1 ? elsewhere == 0 : elsewhere > 0);
    }
}

/* Loops so short that helpers come late, or in the next one. */
TEST(shortLoopsFollowOneAnother) {
    ParallelPool pool;
    parallelBegin(&pool, 4);
    for (uint32_t i = 0; i < 2000; i++) {
        expectEachOnce(parallelRun, &pool, i % 5, 0);
    }
    parallelEnd(&pool);
}

static void *callFromElsewhere(void *data) {
    for (uint32_t i = 0; i < 200; i++) {
        expectEachOnce(parallelRun, data, 8, 0);
    }
    return NULL;
}

TEST(callersTakeTurns) {
    pthread_t callers[3];
    ParallelPool pool;
    parallelBegin(&pool, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&callers[i], NULL, callFromElsewhere, &pool), 0);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(callers[i], NULL), 0);
    }
    parallelEnd(&pool);
}

static double processorSeconds(void) {
    struct timespec used;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used), 0);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

/* An idle pool uses no processor time. */
TEST(idleThreadsSleep) {
    ParallelPool pool;
    parallelBegin(&pool, 8);
    expectEachOnce(parallelRun, &pool, 64, 0);
    double before = processorSeconds();
    usleep(100000);
    assert_true(processorSeconds() - before < 0.02);
    parallelEnd(&pool);
}

TEST(poolsEndUnused) {
    ParallelPool pool = {0};
    parallelEnd(&pool);
    for (uint32_t i = 0; i < 50; i++) {
        parallelBegin(&pool, 4);
        parallelEnd(&pool);
    }
    parallelEnd(&pool);
    assert_int_equal(pool.threads, 0);
    parallelBegin(&pool, 0);
    assert_true(pool.threads >= 1);
    parallelEnd(&pool);
}
