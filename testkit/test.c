#include "test.h"

#if defined(_WIN32) /* which has no fnmatch: the filter is the whole name */
#define fnmatch(pattern, name, flags) strcmp(pattern, name)
#else
#include <fnmatch.h>
#endif

#define TESTS_MAX 128

typedef struct Entry {
    struct CMUnitTest test;
    int line;
} Entry;

static Entry entries[TESTS_MAX];
static size_t entryCount;
static int (*finishGroup)(void);

/* A compiler may call constructors in another order than that of the source: the entries are sorted by their lines. */
void testAdd(const struct CMUnitTest *test, int line) {
    if (entryCount == TESTS_MAX) {
        fprintf(stderr, "test.c: more than %d tests\n", TESTS_MAX);
        abort();
    }
    size_t place = entryCount++;
    for (; place > 0 && entries[place - 1].line > line; place--) {
        entries[place] = entries[place - 1];
    }
    entries[place] = (Entry){*test, line};
}

void testAtEnd(int (*finish)(void)) {
    finishGroup = finish;
}

/* ---- Running ---- */

static struct CMUnitTest tests[TESTS_MAX];
static size_t running; /* in `tests`, with VKSKIN_TEST_STOP */
static bool begun;     /* and not ended, as a test that failed */

static void runNext(void **state) {
    if (begun) {
        _Exit(1);
    }
    begun = true;
    tests[running++].test_func(state);
    begun = false;
}

/* Each test is run by a function that ends the program if the one before failed. */
static int runUntilFailure(const char *group, size_t count, int (*setUp)(void **), int (*tearDown)(void **)) {
    static struct CMUnitTest stopping[TESTS_MAX];
    memcpy(stopping, tests, sizeof stopping);
    for (size_t i = 0; i < count; i++) {
        stopping[i].test_func = runNext;
    }
    running = 0;
    return _cmocka_run_group_tests(group, stopping, count, setUp, tearDown);
}

int testRunGroup(const char *group, const char *filter, int (*setUp)(void **), int (*tearDown)(void **)) {
    size_t count = 0;
    for (size_t i = 0; i < entryCount; i++) {
        if (filter == NULL || fnmatch(filter, entries[i].test.name, 0) == 0) {
            tests[count++] = entries[i].test;
        }
    }
    if (count == 0) {
        fprintf(stderr, "no test of '%s' matches '%s'\n", group, filter != NULL ? filter : "*");
        return 1;
    }
    int failed = getenv("VKSKIN_TEST_STOP") != NULL ? runUntilFailure(group, count, setUp, tearDown)
                                                    : _cmocka_run_group_tests(group, tests, count, setUp, tearDown);
    int (*finish)(void) = finishGroup;
    finishGroup = NULL;
    return failed + (finish != NULL ? finish() : 0);
}
