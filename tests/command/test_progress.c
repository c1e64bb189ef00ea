/*
 * test_progress.c: progress shows on a terminal, is gone at the end, and a pipe never sees any of it.
 */
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"
#include "test.h"

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

/* A signal comes while the line stands. */
static void workUntilInterrupted(void) {
    Progress progress;
    struct timespec pause = {.tv_nsec = 400000000};
    signal(SIGINT, SIG_DFL);
    progressBegin(&progress, "working", 50);
    nanosleep(&pause, NULL);
    progressShow(&progress, 20);
    raise(SIGINT);
}

/* What `work` writes to standard error when that is `descriptor`; read from `reader`. Returns how the child ended. */
static int collect(void (*work)(void), int descriptor, int reader, const char *terminal, char *text, size_t size) {
    int status;
    size_t used = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(descriptor, STDERR_FILENO);
        setenv("TERM", terminal, 1);
        work();
        _exit(0);
    }
    close(descriptor);
    for (ssize_t got = 1; got > 0 && used + 1 < size; used += got > 0 ? (size_t)got : 0) {
        got = read(reader, text + used, size - 1 - used);
    }
    text[used] = '\0';
    close(reader);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static int collectTerminal(void (*work)(void), const char *terminal, char *text, size_t size) {
    int near, far;
    assert_int_equal(openpty(&near, &far, NULL, NULL, NULL), 0);
    return collect(work, far, near, terminal, text, size);
}

TEST(terminalShowsAndForgets) {
    static const char ERASED[] = "\r\033[K";
    char text[4096];
    collectTerminal(workSlowly, "xterm", text, sizeof text);
    assert_non_null(strstr(text, "\rworking: "));
    assert_non_null(strstr(text, " of 50 ("));
    for (const char *at = text; (at = strstr(at, "\rworking: ")); at++) { /* as many of 24 as steps of 50 */
        unsigned done = 0;
        char bar[32] = "";
        assert_int_equal(sscanf(at, "\rworking: [%24[#-]] %u of 50", bar, &done), 2);
        assert_int_equal(strlen(bar), 24);
        assert_int_equal(strspn(bar, "#"), done * 24 / 50);
    }
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

TEST(interruptionErases) {
    char text[4096];
    int status = collectTerminal(workUntilInterrupted, "xterm", text, sizeof text);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    /* 0.4 s took 20 steps: 30 take 0.6 s, which is 1 s as a whole; on a busy machine more. */
    unsigned left = 0;
    int used = 0;
    assert_int_equal(
        sscanf(text, "\rworking: [#########---------------] 20 of 50 (40 %%), %u s left\033[K\r\033[K%n", &left, &used),
        1);
    assert_true(left >= 1 && left < 10 && text[used] == '\0' && used > 0);
}

/* The time left is that of the part that is shown, from its first step on. */
static void workInParts(void) {
    Progress progress;
    struct timespec pause = {.tv_nsec = 400000000};
    progressBegin(&progress, "reading", 0);
    nanosleep(&pause, NULL);
    progressShow(&progress, 0);
    progress.what = "files";
    progress.total = 1000;
    progressShow(&progress, 100);
    nanosleep(&pause, NULL);
    progressShow(&progress, 101);
    nanosleep(&pause, NULL);
    progressShow(&progress, 1000);
    progressErase(&progress);
}

TEST(timeLeftIsOfThisPart) {
    char text[4096];
    unsigned minutes = 0;
    collectTerminal(workInParts, "xterm", text, sizeof text);
    assert_non_null(strstr(text, "\rreading, 1 s\033[K"));
    const char *left = strstr(text, " 101 of 1000 (10 %), ");
    assert_non_null(left);
    assert_int_equal(sscanf(left, " 101 of 1000 (10 %%), %u min left", &minutes), 1);
    assert_in_range(minutes, 6, 60); /* 899 steps of 0.4 s */
    assert_null(strstr(text, "1000 of 1000 (100 %),"));
}

TEST(dumbTerminalStaysSilent) {
    char text[4096];
    collectTerminal(workSlowly, "dumb", text, sizeof text);
    assert_string_equal(text, "");
}

TEST(pipeStaysSilent) {
    char text[4096];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    collect(workSlowly, ends[1], ends[0], "xterm", text, sizeof text);
    assert_string_equal(text, "");
}
