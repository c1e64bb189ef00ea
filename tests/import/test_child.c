/*
 * The parser's process and its answer: parsers that misbehave cost one line, and the caller goes on; answers that are
 * cut off or changed are refused or are valid models.
 */
#include "blob.h"
#include "child.h"
#include "import_support.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEBIBYTE ((size_t)1 << 20)

/* ---- Parsers that misbehave ---- */

static void writeAll(int output, const void *bytes, size_t size) {
    if (write(output, bytes, size) != (ssize_t)size) {
        _exit(4);
    }
}

static int crash(const char *path, int output) {
    (void)path;
    (void)output;
    raise(SIGSEGV);
    return 0;
}

static int callAbort(const char *path, int output) {
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

/* Closes its answer, so that the reader sees its end, but does not end. */
static int closeAndSleep(const char *path, int output) {
    close(output);
    return sleepForEver(path, output);
}

static int allocateForEver(const char *path, int output) {
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

static int answerGarbage(const char *path, int output) {
    (void)path;
    writeAll(output, "these are not the bytes of a model", 34);
    return 0;
}

/* The first bytes of a model, then counts that are far too large. */
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

typedef struct Case {
    ImportWork work;
    const char *line;
} Case;

static void expectLines(const Case *cases, size_t count) {
    const ImportOptions options = {.timeoutSeconds = 1, .memoryBytes = 64 * MEBIBYTE};
    for (size_t i = 0; i < count; i++) {
        EngineError error = {""};
        assert_null(importRun(cases[i].work, "beast.x", &options, &error));
        assert_string_equal(error.message, cases[i].line);
        /* No child is left behind. */
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    }
}

static void testMisbehaviour(void **state) {
    (void)state;
    static const Case cases[] = {
        {crash, "beast.x: the parser crashed (SIGSEGV)"},
        {callAbort, "beast.x: the parser crashed (SIGABRT)"},
        {allocateForEver, "beast.x: the parser needed more than 64 MiB"},
        {endWithStatus, "beast.x: the parser ended with status 3"},
        {answerNothing, "beast.x: the parser's answer is not a model"},
        {answerGarbage, "beast.x: the parser's answer is not a model"},
        {answerLies, "beast.x: the parser's answer is cut off or damaged"},
        {answerForEver, "beast.x: the parser's answer is larger than 64 MiB"},
    };
    expectLines(cases, COUNT(cases));
}

static void testTimeout(void **state) {
    (void)state;
    static const char line[] = "beast.x: the parser took longer than 1 s";
    static const Case cases[] = {{loopForEver, line}, {sleepForEver, line}, {closeAndSleep, line}};
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    expectLines(cases, COUNT(cases));
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 20);
}

/* A host that ignores SIGCHLD gets the same messages, and still ignores it afterwards. */
static void testChildSignalIgnored(void **state) {
    (void)state;
    static const Case cases[] = {
        {crash, "beast.x: the parser crashed (SIGSEGV)"},
        {endWithStatus, "beast.x: the parser ended with status 3"},
        {sleepForEver, "beast.x: the parser took longer than 1 s"},
    };
    struct sigaction before, after;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGCHLD, &ignore, &before);
    expectLines(cases, COUNT(cases));
    sigaction(SIGCHLD, &before, &after);
    assert_true(after.sa_handler == SIG_IGN);
}

static bool stealChildren;

pid_t __real_waitpid(pid_t child, int *status, int options);
pid_t __wrap_waitpid(pid_t child, int *status, int options);

/* Replaces the system's: as if another thread of the host had already waited for the child. */
pid_t __wrap_waitpid(pid_t child, int *status, int options) {
    int lost;
    pid_t ended = __real_waitpid(child, stealChildren ? &lost : status, options);
    if (stealChildren && ended > 0) {
        errno = ECHILD;
        return -1;
    }
    return ended;
}

/* A child with an unknown exit status has not succeeded. */
static void testStatusUnknown(void **state) {
    (void)state;
    EngineError error = {""};
    stealChildren = true;
    Model *model = importRun(answerNothing, "beast.x", NULL, &error);
    stealChildren = false;
    assert_null(model);
    assert_string_equal(error.message, "beast.x: the parser's exit status is unknown: No child processes");
}

static off_t sizeThenRemove(int descriptor, const char *path) {
    off_t size = lseek(descriptor, 0, SEEK_END);
    close(descriptor);
    unlink(path);
    return size;
}

/* A parser cannot print to the program's output, nor write to a file. */
static void testNothingWritten(void **state) {
    (void)state;
    char path[] = "/tmp/vkskin_child_XXXXXX";
    EngineError printed = {""}, written = {""};
    int file = mkstemp(path), output = dup(STDOUT_FILENO), errors = dup(STDERR_FILENO);
    assert_true(file >= 0);
    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    Model *model = importRun(print, "beast.x", NULL, &printed);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(output);
    close(errors);
    assert_null(model);
    assert_null(importRun(writeFile, path, NULL, &written));
    assert_int_equal(sizeThenRemove(file, path), 0);
    assert_string_equal(printed.message, "beast.x: the parser ended with status 3");
    assert_non_null(strstr(written.message, ": the parser crashed (SIGXFSZ)"));
}

static void countWaits(void *user) {
    ++*(uint32_t *)user;
}

/* The callback comes several times a second, so that progress can be shown. */
static void testWaiting(void **state) {
    (void)state;
    uint32_t waits = 0;
    EngineError error;
    ImportOptions options = {.timeoutSeconds = 1, .waiting = countWaits, .user = &waits};
    assert_null(importRun(sleepForEver, "beast.x", &options, &error));
    assert_in_range(waits, 3, 100);
}

/* ---- Answers ---- */

typedef struct Bytes {
    char *bytes;
    size_t size;
} Bytes;

static Bytes pack(const Model *model, const EngineError *reason) {
    Bytes packed = {0};
    FILE *file = open_memstream(&packed.bytes, &packed.size);
    assert_non_null(file);
    assert_true(blobWrite(file, model, reason));
    assert_int_equal(fclose(file), 0);
    return packed;
}

static Model *unpack(const char *bytes, size_t size, EngineError *error) {
    /* A copy of the exact size, so that the sanitizer sees a read past its end. */
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, bytes, size);
    Model *model = blobRead(exact, size, error);
    free(exact);
    return model;
}

static void expectRefused(const Bytes *packed, size_t size, const char *line) {
    EngineError error = {""};
    assert_null(unpack(packed->bytes, size, &error));
    assert_string_equal(error.message, line);
}

static void testThereAndBack(void **state) {
    (void)state;
    static const char *const names[] = {"two_skins.gltf", "step_cubic.gltf", "mended.gltf",
                                        "three_bones.x",  "textures.gltf",   "morphs.gltf"};
    for (size_t i = 0; i < COUNT(names); i++) {
        EngineError error;
        Model *model = importOrFail(names[i]);
        Bytes first = pack(model, NULL);
        Model *copy = unpack(first.bytes, first.size, &error);
        assert_non_null(copy);
        Bytes second = pack(copy, NULL);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.bytes, second.bytes, first.size);
        modelFree(model);
        modelFree(copy);
        free(first.bytes);
        free(second.bytes);
    }
}

static void testReason(void **state) {
    (void)state;
    Bytes packed = pack(NULL, &(EngineError){"it is\nasleep"});
    expectRefused(&packed, packed.size, "it is asleep");
    expectRefused(&packed, packed.size - 1, "the parser's answer is cut off or damaged");
    free(packed.bytes);
}

static void testCutOff(void **state) {
    (void)state;
    Model *model = importOrFail("step_cubic.gltf");
    Bytes packed = pack(model, NULL);
    for (size_t size = 0; size < packed.size; size++) {
        expectRefused(&packed, size,
                      size < 8 ? "the parser's answer is not a model" : "the parser's answer is cut off or damaged");
    }
    modelFree(model);
    free(packed.bytes);
}

/* Keys without weights: any number of them would fit into no bytes. */
static void testKeysWithoutWeights(void **state) {
    (void)state;
    Model *model = importOrFail("morphs.gltf");
    VkskinTrack *track = &model->clips[0].tracks[0];
    assert_int_equal(track->channel, VKSKIN_CHANNEL_MORPH_WEIGHTS);
    track->weightCount = 0;
    Bytes packed = pack(model, NULL);
    expectRefused(&packed, packed.size, "the parser's answer is cut off or damaged");
    modelFree(model);
    free(packed.bytes);
}

/* After any change of a byte the answer is refused with one line, or is a model that modelCheck accepts. */
static void testEveryByteChanged(void **state) {
    (void)state;
    static const char *const fixtures[] = {"step_cubic.gltf", "morphs.gltf"};
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    for (size_t i = 0; i < COUNT(fixtures); i++) {
        Model *model = importOrFail(fixtures[i]);
        Bytes packed = pack(model, NULL);
        for (size_t at = 0; at < COUNT(masks) * packed.size; at++) {
            EngineError error = {""};
            char *byte = &packed.bytes[at / COUNT(masks)], old = *byte;
            *byte = (char)(old ^ masks[at % COUNT(masks)]);
            Model *changed = unpack(packed.bytes, packed.size, &error);
            assert_true(changed || error.message[0]);
            modelFree(changed);
            *byte = old;
        }
        modelFree(model);
        free(packed.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testMisbehaviour),
        cmocka_unit_test(testTimeout),
        cmocka_unit_test(testChildSignalIgnored),
        cmocka_unit_test(testStatusUnknown),
        cmocka_unit_test(testNothingWritten),
        cmocka_unit_test(testWaiting),
        cmocka_unit_test(testThereAndBack),
        cmocka_unit_test(testReason),
        cmocka_unit_test(testCutOff),
        cmocka_unit_test(testKeysWithoutWeights),
        cmocka_unit_test(testEveryByteChanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
