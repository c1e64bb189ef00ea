/* parallelFor: each index once, whatever their number, and all before it returns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "parallel.h"

#define COUNT_MAX 1000

typedef struct Calls {
    atomic_uint counts[COUNT_MAX];
    atomic_uint elsewhere; /* made on another thread than `caller` */
    pthread_t caller;
} Calls;

static void hear(void *data, uint32_t i) {
    Calls *calls = data;
    atomic_fetch_add(&calls->counts[i], 1);
    if (!pthread_equal(pthread_self(), calls->caller)) {
        atomic_fetch_add(&calls->elsewhere, 1);
    }
    usleep(100); /* so that others get their turn */
}

static void eachIsCalledOnce(void **state) {
    static const uint32_t COUNTS[] = {0, 1, 2, 3, 63, 64, 65, COUNT_MAX};
    static Calls calls;
    (void)state;
    for (size_t k = 0; k < sizeof COUNTS / sizeof COUNTS[0]; k++) {
        memset(&calls, 0, sizeof calls);
        calls.caller = pthread_self();
        parallelFor(NULL, COUNTS[k], hear, &calls);
        for (uint32_t i = 0; i < COUNT_MAX; i++) {
            assert_int_equal(calls.counts[i], i < COUNTS[k]);
        }
    }
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
        assert_true(calls.elsewhere > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(eachIsCalledOnce)};
    return cmocka_run_group_tests_name("engine.parallel", tests, NULL, NULL);
}
