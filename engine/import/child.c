#include "child.h"

#include "blob.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_SECONDS 60u
#define DEFAULT_BYTES   (4ull << 30)
#define MEBIBYTE        (1ull << 20)
#define REPORT_EVERY    100 /* milliseconds */
#define EXIT_NO_MEMORY  77  /* status of a child whose allocation failed */
#define CHUNK_SIZE      65536

typedef struct Limits {
    uint32_t seconds;
    uint64_t bytes;
} Limits;

/* The parent's side of one run. */
typedef struct Run {
    EngineError *error;
    Limits limits;
    const ImportOptions *options; /* may be null */
    pid_t child;
    int input;
    int64_t deadline; /* milliseconds of the monotonic clock */
    bool timedOut;
} Run;

static int64_t nowMilliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- In the child ---- */

void childOutOfMemory(void) {
    _exit(EXIT_NO_MEMORY);
}

void *childAllocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) {
        childOutOfMemory();
    }
    return memory;
}

char *childCopyText(const char *text) {
    char *copy = strdup(text ? text : "");
    if (!copy) {
        childOutOfMemory();
    }
    return copy;
}

/* Bytes of address space in use. The limit is added to it: drivers and sanitizers map far more than they touch. */
static uint64_t addressSpaceInUse(void) {
    char line[128] = "";
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (!fgets(line, sizeof line, file)) {
            line[0] = '\0';
        }
        fclose(file);
    }
    return (uint64_t)strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void setLimit(int resource, uint64_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) {
        return;
    }
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) {
        limit.rlim_cur = (rlim_t)value;
    } else {
        limit.rlim_cur = limit.rlim_max;
    }
    setrlimit(resource, &limit);
}

/* The host's handlers (of a sanitizer, or for removing files) must not run in the child. */
static void resetSignals(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,  SIGABRT, SIGTRAP, SIGXCPU, SIGXFSZ,
                                  SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGCHLD};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        signal(signals[i], SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void silence(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) {
        return;
    }
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    if (nothing > STDERR_FILENO) {
        close(nothing);
    }
}

static void enterChild(const Limits *limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* A core pattern that is a pipe ignores the limit of 0. A process that is not dumpable leaves no core at all. */
    prctl(PR_SET_DUMPABLE, 0);
    resetSignals();
    setLimit(RLIMIT_AS, addressSpaceInUse() + limits->bytes);
    setLimit(RLIMIT_CPU, limits->seconds);
    setLimit(RLIMIT_CORE, 0);
    setLimit(RLIMIT_FSIZE, 0);
    silence();
}

/* ---- In the parent ---- */

static void stopChild(const Run *run) {
    kill(run->child, SIGKILL);
}

/* Waits until the child writes or ends. False: its time is over. */
static bool waitForInput(Run *run) {
    for (;;) {
        int64_t left = run->deadline - nowMilliseconds();
        if (left <= 0) {
            run->timedOut = true;
            return false;
        }
        struct pollfd descriptor = {.fd = run->input, .events = POLLIN};
        bool reports = run->options && run->options->waiting;
        int ready = poll(&descriptor, 1, reports && left > REPORT_EVERY ? REPORT_EVERY : (int)left);
        if (reports) {
            run->options->waiting(run->options->user);
        }
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true;
        }
    }
}

/* Reads until the child closes the pipe. False: run->error is written, or the time is over. */
static bool readAnswer(Run *run, FILE *answer) {
    uint8_t chunk[CHUNK_SIZE];
    for (uint64_t total = 0;;) {
        if (!waitForInput(run)) {
            return false;
        }
        ssize_t got = read(run->input, chunk, sizeof chunk);
        if (got < 0 && errno != EINTR) {
            return engineFail(run->error, "reading the parser's answer failed: %s", strerror(errno));
        }
        size_t count = got > 0 ? (size_t)got : 0;
        total += count;
        if (total > run->limits.bytes) {
            return engineFail(run->error, "the parser's answer is larger than %llu MiB",
                              (unsigned long long)(run->limits.bytes / MEBIBYTE));
        }
        if (fwrite(chunk, 1, count, answer) != count || (got == 0 && fflush(answer) != 0)) {
            return engineFail(run->error, "out of memory while reading the parser's answer");
        }
        if (got == 0) {
            return true;
        }
    }
}

/* A child that closed the pipe may run until the deadline. False: its exit status is unknown; errno says why. */
static bool reapChild(Run *run, bool mayFinish, int *status) {
    pid_t ended = 0;
    while (mayFinish && (ended = waitpid(run->child, status, WNOHANG)) == 0) {
        if (nowMilliseconds() >= run->deadline) {
            run->timedOut = true;
            mayFinish = false;
        }
        const struct timespec pause = {.tv_nsec = 500000};
        nanosleep(&pause, NULL);
    }
    if (!mayFinish) {
        stopChild(run);
        do {
            ended = waitpid(run->child, status, 0);
        } while (ended < 0 && errno == EINTR);
    }
    return ended == run->child;
}

/* True when the child succeeded; else run->error says how it ended. */
static bool judgeEnd(const Run *run, int status) {
    bool overTime = run->timedOut || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    if (overTime) {
        return engineFail(run->error, "the parser took longer than %u s", run->limits.seconds);
    }
    if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        return engineFail(run->error, "the parser crashed (SIG%s)", name ? name : "?");
    }
    if (WEXITSTATUS(status) == EXIT_NO_MEMORY) {
        return engineFail(run->error, "the parser needed more than %llu MiB",
                          (unsigned long long)(run->limits.bytes / MEBIBYTE));
    }
    if (WEXITSTATUS(status) != 0) {
        return engineFail(run->error, "the parser ended with status %d", WEXITSTATUS(status));
    }
    return true;
}

static bool followChild(Run *run, FILE *answer) {
    bool whole = readAnswer(run, answer);
    int status = 0;
    bool reaped = reapChild(run, whole, &status);
    if (!whole && !run->timedOut) {
        return false; /* readAnswer has written the error */
    }
    if (!reaped && !run->timedOut) {
        return engineFail(run->error, "the parser's exit status is unknown: %s", strerror(errno));
    }
    return judgeEnd(run, status);
}

static Limits limitsFrom(const ImportOptions *options) {
    Limits limits = {DEFAULT_SECONDS, DEFAULT_BYTES};
    if (options && options->timeoutSeconds) {
        /* poll counts milliseconds in an int. */
        limits.seconds = options->timeoutSeconds < 1000000u ? options->timeoutSeconds : 1000000u;
    }
    if (options && options->memoryBytes) {
        limits.bytes = options->memoryBytes;
    }
    return limits;
}

/* False: *error is written. */
static bool runChild(ImportWork work, const char *path, const ImportOptions *options, FILE *answer,
                     EngineError *error) {
    Run run = {.error = error, .limits = limitsFrom(options), .options = options};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return engineFail(error, "no pipe for the parser: %s", strerror(errno));
    }
    run.input = ends[0];
    run.deadline = nowMilliseconds() + (int64_t)run.limits.seconds * 1000;
    /* Where the host ignores SIGCHLD the system reaps every child, and its exit status is lost. */
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction hosts;
    sigaction(SIGCHLD, &standard, &hosts);
    run.child = fork();
    if (run.child == 0) {
        close(ends[0]);
        enterChild(&run.limits);
        _exit(work(path, ends[1]));
    }
    close(ends[1]);
    bool good =
        run.child > 0 ? followChild(&run, answer) : engineFail(error, "no process for the parser: %s", strerror(errno));
    sigaction(SIGCHLD, &hosts, NULL);
    close(ends[0]);
    return good;
}

Model *importRun(ImportWork work, const char *path, const ImportOptions *options, EngineError *error) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *answer = open_memstream(&bytes, &size);
    bool good = answer ? runChild(work, path, options, answer, error) : engineFail(error, "out of memory");
    Model *model = good ? blobRead((const uint8_t *)bytes, size, error) : NULL;
    if (answer) {
        fclose(answer);
    }
    free(bytes);
    if (!model) {
        engineFailAt(error, path);
    }
    return model;
}
