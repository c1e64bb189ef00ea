#include "cmocka.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static jmp_buf testEnd;

static void print(FILE *file, const char *format, va_list arguments) {
    vfprintf(file, format, arguments);
    fflush(file);
}

void print_message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(stdout, format, arguments);
    va_end(arguments);
}

void print_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(stderr, format, arguments);
    va_end(arguments);
}

void smallFail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_error("%s:%d: ", file, line);
    print(stderr, format, arguments);
    print_error("\n");
    va_end(arguments);
    longjmp(testEnd, 1);
}

/* ---- Checks ---- */

void smallCheck(int holds, const char *text, const char *file, int line) {
    if (!holds) {
        smallFail(file, line, "does not hold: %s", text);
    }
}

void smallCheckInteger(uintmax_t a, uintmax_t b, int equal, const char *file, int line) {
    if ((a == b) != equal) {
        smallFail(file, line, "%#jx %s %#jx", a, equal ? "!=" : "==", b);
    }
}

void smallCheckRange(uintmax_t value, uintmax_t low, uintmax_t high, const char *file, int line) {
    if (value < low || value > high) {
        smallFail(file, line, "%ju is not in %ju to %ju", value, low, high);
    }
}

void smallCheckString(const char *a, const char *b, int equal, const char *file, int line) {
    if ((strcmp(a, b) == 0) != equal) {
        smallFail(file, line, "\"%s\" %s \"%s\"", a, equal ? "!=" : "==", b);
    }
}

void smallCheckMemory(const void *a, const void *b, size_t size, int equal, const char *file, int line) {
    const unsigned char *left = a, *right = b;
    size_t at = 0;
    while (at < size && left[at] == right[at]) {
        at++;
    }
    if ((at == size) != equal) {
        smallFail(file, line, "byte %zu of %zu is the first that differs", at, size);
    }
}

/* ---- Running ---- */

/* False if the function failed, or ended by a failed check. A test has no result: it returns 0. */
static bool passes(CMFixtureFunction fixture, void (*test)(void **state), void **state) {
    if (setjmp(testEnd) != 0) {
        return false;
    }
    if (test != NULL) {
        test(state);
    }
    return fixture == NULL || fixture(state) == 0;
}

static bool runTest(const struct CMUnitTest *test, void *state) {
    if (test->initial_state != NULL) {
        state = test->initial_state;
    }
    bool good = passes(test->setup_func, NULL, &state) && passes(NULL, test->test_func, &state);
    /* Also after a failure, as cmocka does. */
    return passes(test->teardown_func, NULL, &state) && good;
}

int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setUp,
                            CMFixtureFunction tearDown) {
    void *state = NULL;
    int failed = 0;
    if (!passes(setUp, NULL, &state)) {
        print_error("%s: the set-up failed\n", group);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        bool good = runTest(&tests[i], state);
        print_message("%s %s\n", good ? "passed" : "FAILED", tests[i].name);
        failed += !good;
    }
    if (!passes(tearDown, NULL, &state)) {
        print_error("%s: the tear-down failed\n", group);
        failed++;
    }
    print_message("%s: %zu tests, %d failed\n", group, count, failed);
    return failed;
}
