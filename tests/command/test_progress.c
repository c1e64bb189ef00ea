/*
 * test_progress.c: progress shows on a terminal, is gone at the end, and a pipe never sees any of it.
 */
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "progress.h"

/* Work of half a second. */
static void workSlowly(void) {
    Progress progress;
    progressBegin(&progress, "working", 50);
    for (uint64_t i = 0; i <= 50; i++) {
        struct timespec pause = {.tv_nsec = 10000000};
        nanosleep(&pause, NULL);
        progressShow(&progress, i);
    }
    progressErase(&progress);
}

/* What workSlowly writes to standard error when that is `descriptor`; read from `reader`. */
static void collect(int descriptor, int reader, const char *terminal, char *text, size_t size) {
    size_t used = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(descriptor, STDERR_FILENO);
        setenv("TERM", terminal, 1);
        workSlowly();
        _exit(0);
    }
    close(descriptor);
    for (ssize_t got = 1; got > 0 && used + 1 < size; used += got > 0 ? (size_t)got : 0) {
        got = read(reader, text + used, size - 1 - used);
    }
    text[used] = '\0';
    close(reader);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void collectTerminal(const char *terminal, char *text, size_t size) {
    int near, far;
    assert_int_equal(openpty(&near, &far, NULL, NULL, NULL), 0);
    collect(far, near, terminal, text, size);
}

static void terminalShowsAndForgets(void **state) {
    static const char ERASED[] = "\r\033[K";
    char text[4096];
    (void)state;
    collectTerminal("xterm", text, sizeof text);
    assert_non_null(strstr(text, "\rworking: "));
    assert_non_null(strstr(text, " of 50 ("));
    assert_null(strchr(text, '\n'));
    assert_true(strlen(text) > strlen(ERASED));
    assert_string_equal(text + strlen(text) - strlen(ERASED), ERASED);
    /* Ten a second at most, of a hundred calls a second; the first third of a second is silent. */
    int shown = 0;
    for (const char *at = text; (at = strstr(at, "working")); at++) {
        shown++;
    }
    assert_in_range(shown, 1, 25);
}

static void dumbTerminalStaysSilent(void **state) {
    char text[4096];
    (void)state;
    collectTerminal("dumb", text, sizeof text);
    assert_string_equal(text, "");
}

static void pipeStaysSilent(void **state) {
    char text[4096];
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    collect(ends[1], ends[0], "xterm", text, sizeof text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminalShowsAndForgets),
        cmocka_unit_test(dumbTerminalStaysSilent),
        cmocka_unit_test(pipeStaysSilent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
