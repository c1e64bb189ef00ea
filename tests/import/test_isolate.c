/* Parsers that misbehave: each costs one line, and the process that called them goes on. */
#include "child_memory.h"
#include "import_run.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define MEBIBYTE ((size_t)1 << 20)
#define SECONDS  1u

static int crash(const char *path, int output) {
    (void)path;
    (void)output;
    raise(SIGSEGV);
    return 0;
}

static int giveUp(const char *path, int output) {
    (void)path;
    (void)output;
    abort();
}

static int loopForEver(const char *path, int output) {
    (void)path;
    (void)output;
    for (volatile unsigned turns = 0;; turns++) {
    }
    return 0;
}

static int sleepForEver(const char *path, int output) {
    (void)path;
    (void)output;
    for (;;) {
        pause();
    }
    return 0;
}

/* Closes its answer, so that the reader sees its end, and stays. */
static int closeAndSleep(const char *path, int output) {
    close(output);
    return sleepForEver(path, output);
}

static int eatMemory(const char *path, int output) {
    (void)path;
    (void)output;
    for (;;) {
        memset(childAllocate(MEBIBYTE, 1), 1, MEBIBYTE);
    }
    return 0;
}

static int endWithStatus(const char *path, int output) {
    (void)path;
    (void)output;
    return 3;
}

static int answerNothing(const char *path, int output) {
    (void)path;
    (void)output;
    return 0;
}

static void writeAll(int output, const void *bytes, size_t size) {
    if (write(output, bytes, size) != (ssize_t)size) {
        _exit(4);
    }
}

static int answerGarbage(const char *path, int output) {
    (void)path;
    writeAll(output, "these are not the bytes of a model", 34);
    return 0;
}

/* A model's first bytes, then counts that are far too large. */
static int answerLies(const char *path, int output) {
    (void)path;
    uint32_t counts[64];
    memset(counts, 0xff, sizeof counts);
    writeAll(output, "vkskmodl", 8);
    writeAll(output, counts, sizeof counts);
    return 0;
}

static int answerForEver(const char *path, int output) {
    (void)path;
    static const char block[4096] = {0};
    for (;;) {
        writeAll(output, block, sizeof block);
    }
    return 0;
}

static int print(const char *path, int output) {
    (void)path;
    (void)output;
    static const char noise[] = "noise\n";
    writeAll(STDOUT_FILENO, noise, sizeof noise - 1);
    writeAll(STDERR_FILENO, noise, sizeof noise - 1);
    return 3;
}

static int writeFile(const char *path, int output) {
    (void)output;
    FILE *file = fopen(path, "wb");
    return file && fwrite("x", 1, 1, file) == 1 && fclose(file) == 0 ? 3 : 4;
}

static void expectLine(IsolateWork work, const char *expected) {
    const ImportOptions options = {.timeoutSeconds = SECONDS, .memoryBytes = 64 * MEBIBYTE};
    char message[IMPORT_MESSAGE_SIZE] = "";
    Model *model = importRun(work, "beast.x", &options, message);
    assert_null(model);
    assert_string_equal(message, expected);
    /* No child is left behind. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void testCrash(void **state) {
    (void)state;
    expectLine(crash, "beast.x: the parser crashed (SIGSEGV)");
    expectLine(giveUp, "beast.x: the parser crashed (SIGABRT)");
}

/* A host that ignores SIGCHLD must learn of a crash all the same, and goes on ignoring it. */
static void testChildSignalIgnored(void **state) {
    (void)state;
    struct sigaction before, after;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGCHLD, &ignore, &before);
    expectLine(crash, "beast.x: the parser crashed (SIGSEGV)");
    expectLine(endWithStatus, "beast.x: the parser ended with status 3");
    expectLine(sleepForEver, "beast.x: the parser took longer than 1 s");
    sigaction(SIGCHLD, &before, &after);
    assert_true(after.sa_handler == SIG_IGN);
}

static bool stealChildren;

pid_t __real_waitpid(pid_t child, int *status, int options);
pid_t __wrap_waitpid(pid_t child, int *status, int options);

/* In place of the system's: as if another thread of the host had waited for the child before. */
pid_t __wrap_waitpid(pid_t child, int *status, int options) {
    int lost;
    pid_t ended = __real_waitpid(child, stealChildren ? &lost : status, options);
    if (stealChildren && ended > 0) {
        errno = ECHILD;
        return -1;
    }
    return ended;
}

/* A child whose end was not seen has not succeeded. */
static void testEndUnknown(void **state) {
    (void)state;
    char message[IMPORT_MESSAGE_SIZE] = "";
    stealChildren = true;
    Model *model = importRun(answerNothing, "beast.x", NULL, message);
    stealChildren = false;
    assert_null(model);
    assert_string_equal(message, "beast.x: how the parser ended is not known: No child processes");
}

static void testHang(void **state) {
    (void)state;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    expectLine(loopForEver, "beast.x: the parser took longer than 1 s");
    expectLine(sleepForEver, "beast.x: the parser took longer than 1 s");
    expectLine(closeAndSleep, "beast.x: the parser took longer than 1 s");
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 20);
}

static void testMemory(void **state) {
    (void)state;
    expectLine(eatMemory, "beast.x: the parser needed more than 64 MiB");
}

static void testStatus(void **state) {
    (void)state;
    expectLine(endWithStatus, "beast.x: the parser ended with status 3");
}

static void testGarbage(void **state) {
    (void)state;
    expectLine(answerNothing, "beast.x: the parser's answer is not a model");
    expectLine(answerGarbage, "beast.x: the parser's answer is not a model");
    expectLine(answerLies, "beast.x: the parser's answer is cut off");
    expectLine(answerForEver, "beast.x: the parser's answer is larger than 64 MiB");
}

/* A new empty file, its name in `path`. */
static int makeFile(char *path) {
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    return descriptor;
}

static off_t sizeThenRemove(int descriptor, const char *path) {
    off_t size = lseek(descriptor, 0, SEEK_END);
    close(descriptor);
    unlink(path);
    return size;
}

/* A parser that prints must not disturb what the program prints. */
static void testSilence(void **state) {
    (void)state;
    char path[] = "/tmp/vkskin_isolate_XXXXXX", message[IMPORT_MESSAGE_SIZE] = "";
    int file = makeFile(path), output = dup(STDOUT_FILENO), errors = dup(STDERR_FILENO);
    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    Model *model = importRun(print, "beast.x", NULL, message);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(output);
    close(errors);
    assert_null(model);
    assert_string_equal(message, "beast.x: the parser ended with status 3");
    assert_int_equal(sizeThenRemove(file, path), 0);
}

static void testNoFileWritten(void **state) {
    (void)state;
    char path[] = "/tmp/vkskin_isolate_XXXXXX", message[IMPORT_MESSAGE_SIZE] = "";
    int file = makeFile(path);
    assert_null(importRun(writeFile, path, NULL, message));
    assert_int_equal(sizeThenRemove(file, path), 0);
    assert_non_null(strstr(message, ": the parser crashed (SIGXFSZ)"));
}

static void countWaits(void *user) {
    ++*(uint32_t *)user;
}

/* A second of waiting is told of several times, so that a line of progress can live. */
static void testWaiting(void **state) {
    (void)state;
    uint32_t waits = 0;
    char message[IMPORT_MESSAGE_SIZE];
    IsolateAnswer answer;
    ImportOptions options = {.timeoutSeconds = 1, .waiting = countWaits, .user = &waits};
    assert_false(isolateRun(sleepForEver, "model", &options, &answer, message));
    assert_in_range(waits, 3, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCrash),         cmocka_unit_test(testHang),
        cmocka_unit_test(testMemory),        cmocka_unit_test(testStatus),
        cmocka_unit_test(testGarbage),       cmocka_unit_test(testSilence),
        cmocka_unit_test(testNoFileWritten), cmocka_unit_test(testChildSignalIgnored),
        cmocka_unit_test(testEndUnknown),    cmocka_unit_test(testWaiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
