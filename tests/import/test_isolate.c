/* Parsers that misbehave: each costs one line, and the process that called them goes on. */
#include "blob.h"
#include "child_memory.h"
#include "import_run.h"

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
#define SECONDS 1u

static int crash(const char *path, int output)
{
    (void)path;
    (void)output;
    raise(SIGSEGV);
    return 0;
}

static int giveUp(const char *path, int output)
{
    (void)path;
    (void)output;
    abort();
}

static int loopForEver(const char *path, int output)
{
    (void)path;
    (void)output;
    for (volatile unsigned turns = 0;; turns++) {
    }
    return 0;
}

static int sleepForEver(const char *path, int output)
{
    (void)path;
    (void)output;
    for (;;) {
        pause();
    }
    return 0;
}

/* Closes its answer, so that the reader sees its end, and stays. */
static int closeAndSleep(const char *path, int output)
{
    close(output);
    return sleepForEver(path, output);
}

static int eatMemory(const char *path, int output)
{
    (void)path;
    (void)output;
    for (;;) {
        memset(childAllocate(MEBIBYTE, 1), 1, MEBIBYTE);
    }
    return 0;
}

static int endWithStatus(const char *path, int output)
{
    (void)path;
    (void)output;
    return 3;
}

static int answerNothing(const char *path, int output)
{
    (void)path;
    (void)output;
    return 0;
}

static void writeAll(int output, const void *bytes, size_t size)
{
    if (write(output, bytes, size) != (ssize_t)size) {
        _exit(4);
    }
}

static int answerGarbage(const char *path, int output)
{
    (void)path;
    writeAll(output, "these are not the bytes of a model", 34);
    return 0;
}

/* A model's first bytes, then counts that are far too large. */
static int answerLies(const char *path, int output)
{
    (void)path;
    uint32_t counts[64];
    memset(counts, 0xff, sizeof counts);
    writeAll(output, "vkskmodl", 8);
    writeAll(output, counts, sizeof counts);
    return 0;
}

static int answerForEver(const char *path, int output)
{
    (void)path;
    static const char block[4096] = {0};
    for (;;) {
        writeAll(output, block, sizeof block);
    }
    return 0;
}

/* A parser that prints must not disturb the program's own output; one that writes files must not. */
static int printAndWriteFile(const char *path, int output)
{
    printf("noise\n");
    fflush(stdout);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite("x", 1, 1, file) == 1 && fclose(file) == 0;
    FILE *answer = fdopen(output, "wb");
    return answer && blobWrite(answer, NULL, written ? "wrote a file" : "wrote nothing") ? 0 : 1;
}

static void expectLine(IsolateWork work, const char *expected)
{
    const ImportOptions options = {.timeoutSeconds = SECONDS, .memoryBytes = 64 * MEBIBYTE};
    char message[IMPORT_MESSAGE_SIZE] = "";
    Model *model = importRun(work, "beast.x", &options, message);
    assert_null(model);
    assert_string_equal(message, expected);
    /* No child is left behind. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void testCrash(void **state)
{
    (void)state;
    expectLine(crash, "beast.x: the parser crashed (SIGSEGV)");
    expectLine(giveUp, "beast.x: the parser crashed (SIGABRT)");
}

static void testHang(void **state)
{
    (void)state;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    expectLine(loopForEver, "beast.x: the parser took longer than 1 s");
    expectLine(sleepForEver, "beast.x: the parser took longer than 1 s");
    expectLine(closeAndSleep, "beast.x: the parser took longer than 1 s");
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 20);
}

static void testMemory(void **state)
{
    (void)state;
    expectLine(eatMemory, "beast.x: the parser needed more than 64 MiB");
}

static void testStatus(void **state)
{
    (void)state;
    expectLine(endWithStatus, "beast.x: the parser ended with status 3");
}

static void testGarbage(void **state)
{
    (void)state;
    expectLine(answerNothing, "beast.x: the parser's answer is not a model");
    expectLine(answerGarbage, "beast.x: the parser's answer is not a model");
    expectLine(answerLies, "beast.x: the parser's answer is cut off");
    expectLine(answerForEver, "beast.x: the parser's answer is larger than 64 MiB");
}

static void testSilence(void **state)
{
    (void)state;
    char path[] = "/tmp/vkskin_isolate_XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    char message[IMPORT_MESSAGE_SIZE] = "";
    Model *model = importRun(printAndWriteFile, path, NULL, message);
    off_t size = lseek(descriptor, 0, SEEK_END);
    close(descriptor);
    unlink(path);
    assert_null(model);
    assert_int_equal(size, 0);
    /* RLIMIT_FSIZE ends the child where it writes. */
    assert_non_null(strstr(message, ": the parser crashed (SIGXFSZ)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCrash),  cmocka_unit_test(testHang),    cmocka_unit_test(testMemory),
        cmocka_unit_test(testStatus), cmocka_unit_test(testGarbage), cmocka_unit_test(testSilence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
