/*
 * The parser's process and its answer: parsers that misbehave cost one line, and the caller goes on; answers that are
 * cut off or changed are refused or are valid models.
 */
#include "blob.h"
#include "child.h"
#include "import_support.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEBIBYTE ((size_t)1 << 20)
#define ROLE     "vkskin-misbehave"

/* ---- Parsers that misbehave ---- */

static void writeAll(int output, const void *bytes, size_t size) {
    if (write(output, bytes, size) != (ssize_t)size) {
        _exit(4);
    }
}

/* pause() is none of the calls that a parser has. */
static void sleepForEver(void) {
    for (int never = 0;;) {
        syscall(SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    }
}

/* A model that takes a little more than 16 MiB. */
static int answerLargely(int output) {
    ModelNode nodes[16];
    const Model model = {.nodes = nodes, .nodeCount = COUNT_OF(nodes)};
    char *name = childAllocate(MEBIBYTE, 1);
    memset(name, 'x', MEBIBYTE - 1);
    for (size_t i = 0; i < COUNT_OF(nodes); i++) {
        nodes[i] = (ModelNode){.name = name, .parent = -1};
    }
    return blobWrite(fdopen(output, "wb"), &model, NULL) ? 0 : 1;
}

/* The name of the file says what this parser does. The return value is its exit status. */
static int misbehave(const char *path, int output) {
    static const char noise[] = "noise\n", block[4096] = {0};
    if (strcmp(path, "crash") == 0) {
        raise(SIGSEGV);
    } else if (strcmp(path, "abort") == 0) {
        abort();
    } else if (strcmp(path, "pretend") == 0) {
        raise(SIGXCPU);
    } else if (strcmp(path, "loop") == 0) {
        for (volatile unsigned count = 0;; count++) {
        }
    } else if (strcmp(path, "sleep") == 0) {
        sleepForEver();
    } else if (strcmp(path, "close and sleep") == 0) {
        close(output); /* the reader sees the end of the answer, but the process does not end */
        sleepForEver();
    } else if (strcmp(path, "allocate") == 0) {
        for (int i = 0; i < 256; i++) { /* far more than the limit of 64 */
            memset(childAllocate(MEBIBYTE, 1), 1, MEBIBYTE);
        }
    } else if (strcmp(path, "garbage") == 0) {
        writeAll(output, "these are not the bytes of a model", 34);
    } else if (strcmp(path, "lies") == 0) {
        uint32_t counts[64]; /* far too large */
        memset(counts, 0xff, sizeof counts);
        writeAll(output, "vkskmodl", 8);
        writeAll(output, counts, sizeof counts);
    } else if (strcmp(path, "short") == 0) {
        writeAll(output, "vkskmodl", 8);
    } else if (strcmp(path, "large") == 0) {
        return answerLargely(output);
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
    } else if (strcmp(path, "write") == 0) {
        int file = open(path, O_WRONLY);
        writeAll(file, "x", 1);
        return 3;
    } else if (strcmp(path, "descriptors") == 0) {
        for (int i = 4; i < 256; i++) {
            if (fcntl(i, F_GETFD) >= 0) {
                return i;
            }
        }
        return 3;
    } else if (strcmp(path, "environment") == 0) {
        return getenv("HOME") || getenv("PATH") || getenv("VKSKIN_TEST_SECRET") ? 4 : 3;
    }
    return 0;
}

__attribute__((constructor)) static void beginMisbehaving(int count, char **texts) {
    childBegin(ROLE, count, texts, misbehave);
}

static char scratch[64];

static int leaveScratch(void) {
    removeFolder(scratch);
    return 0;
}

/* Makes the file in a scratch folder, which is then the current one. */
static void makeModel(const char *name) {
    if (!scratch[0]) {
        makeFolder(scratch);
        assert_int_equal(chdir(scratch), 0);
        testAtEnd(leaveScratch);
    }
    writeWhole(name, "model");
}

static Model *run(const char *name, const ImportOptions *options, EngineError *error) {
    makeModel(name);
    return childRun(ROLE, name, options, error);
}

static const ImportOptions TIGHT = {.timeoutSeconds = 20, .memoryBytes = 64 * MEBIBYTE, .answerBytes = 16 * MEBIBYTE};

static void expectLineWith(const ImportOptions *options, const char *name, const char *line) {
    EngineError error = {.message = ""};
    char expected[ENGINE_ERROR_SIZE];
    assert_null(run(name, options, &error));
    snprintf(expected, sizeof expected, "%s: the parser%s", name, line);
    assert_string_equal(error.message, expected);
    /* No child is left behind. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void expectLine(const char *name, const char *line) {
    expectLineWith(&TIGHT, name, line);
}

TEST(testMisbehaviour) {
    expectLine("crash", " crashed (SIGSEGV)");
    expectLine("abort", " crashed (SIGABRT)");
    expectLine("pretend", " crashed (SIGXCPU)");
    expectLine("allocate", " needed more than 64 MiB");
    expectLine("status", " ended with status 3");
    expectLine("nothing", "'s answer is not a model");
    expectLine("garbage", "'s answer is not a model");
    expectLine("endless", "'s answer is not a model");
    expectLine("short", "'s answer is cut off or damaged");
    expectLine("lies", "'s answer is larger than 16 MiB");
    expectLine("large", "'s answer is larger than 16 MiB");
}

/* The same model is read where it may take more. */
TEST(testAnswerLimit) {
    EngineError error;
    ImportOptions options = TIGHT;
    options.answerBytes += MEBIBYTE;
    assert_null(run("large", &options, &error));
    assert_string_equal(error.message, "large: no meshes");
}

TEST(testTimeout) {
    static const ImportOptions options = {.timeoutSeconds = 1};
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    expectLineWith(&options, "loop", " took longer than 1 s");
    expectLineWith(&options, "sleep", " took longer than 1 s");
    expectLineWith(&options, "close and sleep", " took longer than 1 s");
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 20);
}

/* Waits for the child's end before its parent does. */
static void awaitEnd(void *user) {
    siginfo_t *ended = user;
    for (int i = 0; i < 1000 && ended->si_pid == 0; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        waitid(P_ALL, 0, ended, WEXITED | WNOHANG | WNOWAIT);
    }
}

/* The kernel ends a child that computes for too long, also while its parent does not look. */
TEST(testProcessorTime) {
    EngineError error;
    siginfo_t ended = {0};
    ImportOptions options = {.timeoutSeconds = 1, .waiting = awaitEnd, .user = &ended};
    assert_null(run("loop", &options, &error));
    assert_int_equal(ended.si_code, CLD_KILLED);
    assert_int_equal(ended.si_status, SIGXCPU);
    assert_string_equal(error.message, "loop: the parser took longer than 1 s");
}

/* The program may itself have less processor time than the parser would get. */
TEST(testLowerProcessorTime) {
    makeModel("loop");
    pid_t program = fork();
    if (program == 0) {
        EngineError error;
        const struct rlimit limit = {1, 1};
        setrlimit(RLIMIT_CPU, &limit);
        bool refused = !childRun(ROLE, "loop", NULL, &error);
        _exit(refused && strcmp(error.message, "loop: the parser took longer than 1 s") == 0 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(program, &status, 0), program);
    assert_int_equal(status, 0);
}

/* A host that ignores SIGCHLD gets the same messages, and still ignores it afterwards. */
TEST(testChildSignalIgnored) {
    struct sigaction before, after;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGCHLD, &ignore, &before);
    expectLine("crash", " crashed (SIGSEGV)");
    expectLine("status", " ended with status 3");
    sigaction(SIGCHLD, &before, &after);
    assert_true(after.sa_handler == SIG_IGN);
}

/* What the program has open and its environment stay with it. */
TEST(testNothingInherited) {
    int file = open("/dev/zero", O_RDONLY), high = fcntl(file, F_DUPFD, 200);
    assert_true(high >= 200);
    setenv("VKSKIN_TEST_SECRET", "token", 1);
    ImportOptions options = {.sandboxOff = true};
    expectLineWith(&options, "descriptors", " ended with status 3");
    expectLineWith(&options, "environment", " ended with status 3");
    unsetenv("VKSKIN_TEST_SECRET");
    close(file);
    close(high);
}

/* A program may start with some of the first descriptors closed. */
TEST(testDescriptorsClosed) {
    int kept[5];
    for (int closed = 0; closed < 32; closed++) {
        EngineError error = {.message = ""};
        makeModel("status");
        for (int i = 0; i < 5; i++) {
            kept[i] = closed & 1 << i ? fcntl(i, F_DUPFD, 100) : -1;
            if (closed & 1 << i) {
                close(i);
            }
        }
        Model *model = childRun(ROLE, "status", NULL, &error);
        for (int i = 0; i < 5; i++) {
            if (kept[i] >= 0) {
                dup2(kept[i], i);
                close(kept[i]);
            }
        }
        assert_null(model);
        assert_string_equal(error.message, "status: the parser ended with status 3");
    }
}

/* Kills a program at any moment of an import: no parser outlives it. */
TEST(testParentKilled) {
    makeModel("sleep");
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* orphans become children of this process */
    for (int i = 0; i < 40; i++) {
        pid_t parent = fork();
        assert_true(parent >= 0);
        if (parent == 0) {
            EngineError error;
            childRun(ROLE, "sleep", NULL, &error);
            _exit(0);
        }
        nanosleep(&(struct timespec){.tv_nsec = 3000000L * i}, NULL);
        kill(parent, SIGKILL);
    }
    pid_t ended = 0;
    for (int i = 0; i < 500 && ended >= 0; i++) {
        ended = waitpid(-1, NULL, WNOHANG);
        nanosleep(&(struct timespec){.tv_nsec = ended == 0 ? 20000000 : 0}, NULL);
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    assert_int_equal(ended, -1);
    assert_int_equal(errno, ECHILD);
}

static bool stealChildren;

pid_t __real_wait4(pid_t child, int *status, int options, struct rusage *used);
pid_t __wrap_wait4(pid_t child, int *status, int options, struct rusage *used);

/* Replaces the system's: as if another thread of the host had already waited for the child. */
pid_t __wrap_wait4(pid_t child, int *status, int options, struct rusage *used) {
    int lost;
    pid_t ended = __real_wait4(child, stealChildren ? &lost : status, options, used);
    if (stealChildren && ended > 0) {
        errno = ECHILD;
        return -1;
    }
    return ended;
}

/* A child with an unknown exit status has not succeeded. */
TEST(testStatusUnknown) {
    EngineError error = {.message = ""};
    stealChildren = true;
    Model *model = run("nothing", NULL, &error);
    stealChildren = false;
    assert_null(model);
    assert_string_equal(error.message, "nothing: the parser's exit status is unknown: No child processes");
}

/* Even without its sandbox a parser cannot print to the program's output, nor write to a file. */
TEST(testNothingWritten) {
    EngineError error = {.message = ""};
    const ImportOptions options = {.sandboxOff = true};
    makeModel("print");
    int file = open("print", O_RDWR | O_APPEND), output = dup(STDOUT_FILENO), errors = dup(STDERR_FILENO);
    assert_true(file >= 0);
    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    Model *model = childRun(ROLE, "print", &options, &error);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(file);
    close(output);
    close(errors);
    assert_null(model);
    assert_string_equal(error.message, "print: the parser ended with status 3");
    expectLineWith(&options, "write", " crashed (SIGXFSZ)");
    static const char *const files[] = {"print", "write"};
    for (int i = 0; i < 2; i++) {
        char *text = readWhole(files[i], NULL);
        assert_string_equal(text, "model");
        free(text);
    }
}

static void countWaits(void *user) {
    ++*(uint32_t *)user;
}

/* The callback comes several times a second, so that progress can be shown. */
TEST(testWaiting) {
    uint32_t waits = 0;
    EngineError error;
    ImportOptions options = {.timeoutSeconds = 1, .waiting = countWaits, .user = &waits};
    assert_null(run("sleep", &options, &error));
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

static Model *unpackWithin(char *bytes, size_t size, uint64_t limit, EngineError *error) {
    FILE *file = fmemopen(bytes, size, "rb");
    assert_non_null(file);
    Model *model = blobRead(file, limit, error);
    fclose(file);
    return model;
}

static Model *unpack(char *bytes, size_t size, EngineError *error) {
    return unpackWithin(bytes, size, MEBIBYTE, error);
}

static void expectRefused(const Bytes *packed, size_t size, const char *line) {
    EngineError error = {.message = ""};
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
    Bytes packed = pack(NULL, &(EngineError){.message = "it is\nasleep"});
    expectRefused(&packed, packed.size, "it is?asleep");
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

static long mostMemory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss; /* KiB */
}

/* Counts within the limit whose bytes do not come: of structs, of a text, of the pixels of a texture. */
TEST(testCountsAlone) {
    static const uint32_t nodes = (1u << 30) / sizeof(ModelNode), letters = 1u << 30, side = 1u << 14, size[2] = {2, 1};
    char answers[2][12] = {"vkskmodl", "vkskfail"};
    Model *model = importOrFail("textures.gltf");
    Bytes packed = pack(model, NULL);
    char *sides = memmem(packed.bytes, packed.size, size, sizeof size);
    memcpy(answers[0] + 8, &nodes, sizeof nodes);
    memcpy(answers[1] + 8, &letters, sizeof letters);
    assert_non_null(sides);
    memcpy(sides, (const uint32_t[]){side, side}, sizeof size);
    const Bytes cut[] = {{answers[0], 12}, {answers[1], 12}, packed};
    const long before = mostMemory();
    for (size_t i = 0; i < COUNT_OF(cut); i++) {
        EngineError error = {.message = ""};
        assert_null(unpackWithin(cut[i].bytes, cut[i].size, IMPORT_ANSWER_BYTES, &error));
        assert_string_equal(error.message, "the parser's answer is cut off or damaged");
    }
    assert_in_range(mostMemory() - before, 0, 64 << 10);
    modelFree(model);
    free(packed.bytes);
}

/* Arrays, texts and structs that come in several pieces. */
TEST(testLargeAnswer) {
    enum { NODES = 5000, LETTERS = 300000 };
    EngineError error;
    Model *model = importOrFail("textures.gltf");
    ModelNode *nodes = calloc(NODES, sizeof *nodes);
    char *name = calloc(LETTERS + 1, 1);
    memset(name, 'n', LETTERS);
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = i < model->nodeCount ? model->nodes[i] : model->nodes[0];
        nodes[i].name = strdup(i == NODES / 2 ? name : "node");
        nodes[i].rest.translation[0] = (float)i;
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        free(model->nodes[i].name);
    }
    free(model->nodes);
    model->nodes = nodes;
    model->nodeCount = NODES;
    Bytes packed = pack(model, NULL);
    Model *copy = unpackWithin(packed.bytes, packed.size, 16 * MEBIBYTE, &error);
    assert_non_null(copy);
    assert_int_equal(copy->nodeCount, NODES);
    assert_string_equal(copy->nodes[NODES / 2].name, name);
    assert_float_equal(copy->nodes[NODES - 1].rest.translation[0], NODES - 1, 0.0);
    modelFree(copy);
    modelFree(model);
    free(packed.bytes);
    free(name);
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
    expectRefused(&packed, packed.size, "the parser's answer is larger than 1 MiB");
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
            EngineError error = {.message = ""};
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
