/*
 * The parser's process and its answer: parsers that misbehave cost one line, and the caller goes on; answers that are
 * cut off or changed are refused or are valid models.
 */
#include "blob.h"
#include "child.h"
#include "import_support.h"
#include "test.h"

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

static void sleepForEver(void) {
    for (;;) {
        pause();
    }
}

/* The path names what this parser does. The return value is its exit status. */
static int misbehave(const char *path, int output) {
    static const char noise[] = "noise\n", block[4096] = {0};
    if (strcmp(path, "crash") == 0) {
        raise(SIGSEGV);
    } else if (strcmp(path, "abort") == 0) {
        abort();
    } else if (strcmp(path, "loop") == 0) {
        for (volatile unsigned count = 0;; count++) {
        }
    } else if (strcmp(path, "sleep") == 0) {
        sleepForEver();
    } else if (strcmp(path, "close and sleep") == 0) {
        close(output); /* the reader sees the end of the answer, but the process does not end */
        sleepForEver();
    } else if (strcmp(path, "allocate") == 0) {
        for (;;) {
            memset(childAllocate(MEBIBYTE, 1), 1, MEBIBYTE);
        }
    } else if (strcmp(path, "garbage") == 0) {
        writeAll(output, "these are not the bytes of a model", 34);
    } else if (strcmp(path, "lies") == 0) {
        uint32_t counts[64]; /* far too large */
        memset(counts, 0xff, sizeof counts);
        writeAll(output, "vkskmodl", 8);
        writeAll(output, counts, sizeof counts);
    } else if (strcmp(path, "endless") == 0) {
        for (;;) {
            writeAll(output, block, sizeof block);
        }
    } else if (strcmp(path, "status") == 0) {
        return 3;
    } else if (strcmp(path, "print") == 0) {
        writeAll(STDOUT_FILENO, noise, sizeof noise - 1);
        writeAll(STDERR_FILENO, noise, sizeof noise - 1);
        return 3;
    } else if (path[0] == '/') {
        FILE *file = fopen(path, "wb");
        return file && fwrite("x", 1, 1, file) == 1 && fclose(file) == 0 ? 3 : 4;
    }
    return 0;
}

static void expectLine(const char *path, const char *line) {
    const ImportOptions options = {.timeoutSeconds = 1, .memoryBytes = 64 * MEBIBYTE};
    EngineError error = {""};
    char expected[ENGINE_ERROR_SIZE];
    assert_null(importRun(misbehave, path, &options, &error));
    snprintf(expected, sizeof expected, "%s: the parser%s", path, line);
    assert_string_equal(error.message, expected);
    /* No child is left behind. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

TEST(testMisbehaviour) {
    expectLine("crash", " crashed (SIGSEGV)");
    expectLine("abort", " crashed (SIGABRT)");
    expectLine("allocate", " needed more than 64 MiB");
    expectLine("status", " ended with status 3");
    expectLine("nothing", "'s answer is not a model");
    expectLine("garbage", "'s answer is not a model");
    expectLine("lies", "'s answer is cut off or damaged");
    expectLine("endless", "'s answer is larger than 64 MiB");
}

TEST(testTimeout) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    expectLine("loop", " took longer than 1 s");
    expectLine("sleep", " took longer than 1 s");
    expectLine("close and sleep", " took longer than 1 s");
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 20);
}

/* A host that ignores SIGCHLD gets the same messages, and still ignores it afterwards. */
TEST(testChildSignalIgnored) {
    struct sigaction before, after;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGCHLD, &ignore, &before);
    expectLine("crash", " crashed (SIGSEGV)");
    expectLine("status", " ended with status 3");
    expectLine("sleep", " took longer than 1 s");
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
TEST(testStatusUnknown) {
    EngineError error = {""};
    stealChildren = true;
    Model *model = importRun(misbehave, "nothing", NULL, &error);
    stealChildren = false;
    assert_null(model);
    assert_string_equal(error.message, "nothing: the parser's exit status is unknown: No child processes");
}

static off_t sizeThenRemove(int descriptor, const char *path) {
    off_t size = lseek(descriptor, 0, SEEK_END);
    close(descriptor);
    unlink(path);
    return size;
}

/* A parser cannot print to the program's output, nor write to a file. */
TEST(testNothingWritten) {
    char path[] = "/tmp/vkskin_child_XXXXXX";
    EngineError printed = {""}, written = {""};
    int file = mkstemp(path), output = dup(STDOUT_FILENO), errors = dup(STDERR_FILENO);
    assert_true(file >= 0);
    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    Model *model = importRun(misbehave, "print", NULL, &printed);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(output);
    close(errors);
    assert_null(model);
    assert_null(importRun(misbehave, path, NULL, &written));
    assert_int_equal(sizeThenRemove(file, path), 0);
    assert_string_equal(printed.message, "print: the parser ended with status 3");
    assert_non_null(strstr(written.message, ": the parser crashed (SIGXFSZ)"));
}

static void countWaits(void *user) {
    ++*(uint32_t *)user;
}

/* The callback comes several times a second, so that progress can be shown. */
TEST(testWaiting) {
    uint32_t waits = 0;
    EngineError error;
    ImportOptions options = {.timeoutSeconds = 1, .waiting = countWaits, .user = &waits};
    assert_null(importRun(misbehave, "sleep", &options, &error));
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

TEST(testThereAndBack) {
    static const char *const names[] = {"two_skins.gltf", "step_cubic.gltf", "mended.gltf",
                                        "three_bones.x",  "textures.gltf",   "morphs.gltf"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
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

TEST(testReason) {
    Bytes packed = pack(NULL, &(EngineError){"it is\nasleep"});
    expectRefused(&packed, packed.size, "it is asleep");
    expectRefused(&packed, packed.size - 1, "the parser's answer is cut off or damaged");
    free(packed.bytes);
}

TEST(testCutOff) {
    Model *model = importOrFail("step_cubic.gltf");
    Bytes packed = pack(model, NULL);
    for (size_t size = 0; size < packed.size; size++) {
        expectRefused(&packed, size,
                      size < 8 ? "the parser's answer is not a model" : "the parser's answer is cut off or damaged");
    }
    modelFree(model);
    free(packed.bytes);
}

/* A texture of 2^31 x 2^31 texels: its size in bytes is 2^64, which is 0 in 64 bits. */
TEST(testSizeOverflow) {
    static const uint32_t size[2] = {2, 1}, huge[2] = {1u << 31, 1u << 31};
    Model *model = importOrFail("textures.gltf");
    Bytes packed = pack(model, NULL);
    uint8_t texture[12]; /* width, height and the first pixel */
    memcpy(texture, size, sizeof size);
    memcpy(texture + 8, model->textures[0].pixels, 4);
    char *at = memmem(packed.bytes, packed.size, texture, sizeof texture);
    assert_non_null(at);
    memcpy(at, huge, sizeof huge);
    /* Without the pixels, the rest fits a texture of 0 bytes. */
    memmove(at + 8, at + 16, packed.size - (size_t)(at + 16 - packed.bytes));
    packed.size -= 8;
    expectRefused(&packed, packed.size, "the parser's answer is cut off or damaged");
    modelFree(model);
    free(packed.bytes);
}

/* Keys without weights: any number of them would fit into no bytes. */
TEST(testKeysWithoutWeights) {
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
TEST(testEveryByteChanged) {
    static const char *const fixtures[] = {"step_cubic.gltf", "morphs.gltf"};
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        Model *model = importOrFail(fixtures[i]);
        Bytes packed = pack(model, NULL);
        for (size_t at = 0; at < COUNT_OF(masks) * packed.size; at++) {
            EngineError error = {""};
            char *byte = &packed.bytes[at / COUNT_OF(masks)], old = *byte;
            *byte = (char)(old ^ masks[at % COUNT_OF(masks)]);
            Model *changed = unpack(packed.bytes, packed.size, &error);
            assert_true(changed || error.message[0]);
            modelFree(changed);
            *byte = old;
        }
        modelFree(model);
        free(packed.bytes);
    }
}
