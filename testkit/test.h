/*
 * test.h: tests that register themselves, on top of cmocka.
 *
 * TEST(name) { ... } defines a test. Its body sees `void **state`. Tests run in the order of their lines. A program
 * without a main function of its own runs all its tests, or those whose names match the shell pattern in its first argument.
 * With VKSKIN_TEST_STOP in the environment it ends at the first test that fails.
 */
#ifndef TESTKIT_TEST_H
#define TESTKIT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "count_of.h"

/* setUp and tearDown: cmocka fixture functions, or null. */
#define TEST_WITH(name, setUp, tearDown)                                                                               \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void register_##name(void) {                                                   \
        testAdd(&(struct CMUnitTest){#name, name, setUp, tearDown, NULL}, __LINE__);                                   \
    }                                                                                                                  \
    static void name(__attribute__((unused)) void **state)
#define TEST(name) TEST_WITH(name, NULL, NULL)
/* For files with functions of these names. */
#define FIXTURE_TEST(name) TEST_WITH(name, setUp, tearDown)

/* Fails with the message of `error`, an EngineError, if `call` is false or null. */
#define TEST_GOOD(call, error)                                                                                         \
    do {                                                                                                               \
        if (!(call)) {                                                                                                 \
            fail_msg("%s: %s", #call, (error).message);                                                                \
        }                                                                                                              \
    } while (0)

/* Numbers are near each other only if both are finite: cmocka's own macro accepts infinite ones. */
#undef assert_float_equal
#define assert_float_equal(a, b, tolerance)                                                                            \
    do {                                                                                                               \
        const float compared[3] = {(float)(a), (float)(b), (float)(tolerance)};                                        \
        if (!testIsNear(compared)) {                                                                                   \
            fail_msg("%s is %.9g, not %.9g within %g", #a, (double)compared[0], (double)compared[1],                   \
                     (double)compared[2]);                                                                             \
        }                                                                                                              \
    } while (0)

static inline bool testIsNear(const float compared[3]) {
    return isfinite(compared[0]) && isfinite(compared[1]) && fabsf(compared[0] - compared[1]) <= compared[2];
}

/* Use TEST. Copies the test. */
void testAdd(const struct CMUnitTest *test, int line);

/*
 * Runs the registered tests that match `filter`, a shell pattern; null: all. setUp and tearDown: group fixtures, or
 * null. Returns the number of failures. A filter without a match is a failure.
 */
int testRunGroup(const char *group, const char *filter, int (*setUp)(void **), int (*tearDown)(void **));

/* Calls `finish` once, after the tests of the current group; it returns a number of failures. One function at a time. */
void testAtEnd(int (*finish)(void));

#endif
