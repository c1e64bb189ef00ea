/*
 * cmocka.h: the part of cmocka that the tests use, for systems without it. Same names, same meaning.
 */
#ifndef SMALL_CMOCKA_H
#define SMALL_CMOCKA_H

#include <stddef.h>
#include <stdint.h>

typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    CMFixtureFunction setup_func, teardown_func; /* or null; return 0 on success */
    void *initial_state;
};

/* Runs each test, and prints one line for each. Returns the number of failures, one for each broken group fixture. */
int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setUp,
                            CMFixtureFunction tearDown);

/* Prints the place and the message, and ends the running test. Only on the thread of the tests. */
__attribute__((format(gnu_printf, 3, 4), noreturn)) void smallFail(const char *file, int line, const char *format, ...);
__attribute__((format(gnu_printf, 1, 2))) void print_message(const char *format, ...);
__attribute__((format(gnu_printf, 1, 2))) void print_error(const char *format, ...);

#define fail_msg(...) smallFail(__FILE__, __LINE__, __VA_ARGS__)
#define fail()        fail_msg("failed")

void smallCheck(int holds, const char *text, const char *file, int line);
void smallCheckInteger(uintmax_t a, uintmax_t b, int equal, const char *file, int line);
void smallCheckRange(uintmax_t value, uintmax_t low, uintmax_t high, const char *file, int line);
void smallCheckString(const char *a, const char *b, int equal, const char *file, int line);
void smallCheckMemory(const void *a, const void *b, size_t size, int equal, const char *file, int line);

#define assert_true(condition)     smallCheck((condition) != 0, #condition, __FILE__, __LINE__)
#define assert_false(condition)    smallCheck((condition) == 0, "not " #condition, __FILE__, __LINE__)
#define assert_non_null(value)     smallCheck((value) != NULL, #value " is not null", __FILE__, __LINE__)
#define assert_null(value)         smallCheck((value) == NULL, #value " is null", __FILE__, __LINE__)
#define assert_int_equal(a, b)     smallCheckInteger((uintmax_t)(a), (uintmax_t)(b), 1, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) smallCheckInteger((uintmax_t)(a), (uintmax_t)(b), 0, __FILE__, __LINE__)
#define assert_ptr_equal(a, b)     smallCheckInteger((uintptr_t)(a), (uintptr_t)(b), 1, __FILE__, __LINE__)
#define assert_ptr_not_equal(a, b) smallCheckInteger((uintptr_t)(a), (uintptr_t)(b), 0, __FILE__, __LINE__)
#define assert_in_range(value, low, high)                                                                              \
    smallCheckRange((uintmax_t)(value), (uintmax_t)(low), (uintmax_t)(high), __FILE__, __LINE__)
#define assert_string_equal(a, b)           smallCheckString(a, b, 1, __FILE__, __LINE__)
#define assert_string_not_equal(a, b)       smallCheckString(a, b, 0, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size)     smallCheckMemory(a, b, size, 1, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, size) smallCheckMemory(a, b, size, 0, __FILE__, __LINE__)

#endif
