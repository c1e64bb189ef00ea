#include "isolate.h"

#include "diagnostic.h"

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
#define TELL_EVERY      100 /* milliseconds */
#define FIRST_CAPACITY  ((size_t)1 << 16)

typedef struct Limits {
    uint32_t seconds;
    uint64_t bytes;
} Limits;

/* The parent's side of one run. */
typedef struct Run {
    const char *path;
    char *message;
    Limits limits;
    const ImportOptions *options; /* may be null */
    pid_t child;
    int input;
    int64_t deadline; /* milliseconds of the monotonic clock */
    bool timedOut;
    struct sigaction childSignal; /* the host's, for when the child is gone */
} Run;

static int64_t nowMilliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the child ---- */

/* Bytes of address space in use. A limit must lie above it: drivers and sanitizers map far more than they touch. */
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

/* The host's handlers (a sanitizer's, or one that cleans up files) must not run in the child. */
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
    /* A core pattern that pipes ignores the limit of 0; a process that is not dumpable leaves none either way. */
    prctl(PR_SET_DUMPABLE, 0);
    resetSignals();
    setLimit(RLIMIT_AS, addressSpaceInUse() + limits->bytes);
    setLimit(RLIMIT_CPU, limits->seconds);
    setLimit(RLIMIT_CORE, 0);
    setLimit(RLIMIT_FSIZE, 0);
    silence();
}

/* ---- the parent ---- */

static void stopChild(const Run *run) {
    kill(run->child, SIGKILL);
}

/* Room for more of the answer. False: there is none. */
static bool growAnswer(IsolateAnswer *answer, size_t *capacity) {
    if (answer->size < *capacity) {
        return true;
    }
    size_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
    uint8_t *bytes = realloc(answer->bytes, wanted);
    if (!bytes) {
        return false;
    }
    answer->bytes = bytes;
    *capacity = wanted;
    return true;
}

/* Waits for the child to write or to end. False when its time is over. */
static bool waitForInput(Run *run) {
    for (;;) {
        int64_t left = run->deadline - nowMilliseconds();
        if (left <= 0) {
            run->timedOut = true;
            return false;
        }
        struct pollfd descriptor = {.fd = run->input, .events = POLLIN};
        bool tells = run->options && run->options->waiting;
        int ready = poll(&descriptor, 1, tells && left > TELL_EVERY ? TELL_EVERY : (int)left);
        if (tells) {
            run->options->waiting(run->options->user);
        }
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true;
        }
    }
}

/* Reads until the child closes the pipe. False: the message is written, or the time is over. */
static bool readAnswer(Run *run, IsolateAnswer *answer) {
    size_t capacity = 0;
    for (;;) {
        if (!growAnswer(answer, &capacity)) {
            return diagnose(run->message, "%s: out of memory while reading the parser's answer", run->path);
        }
        if (!waitForInput(run)) {
            return false;
        }
        ssize_t got = read(run->input, answer->bytes + answer->size, capacity - answer->size);
        if (got == 0) {
            return true;
        }
        if (got < 0 && errno != EINTR) {
            return diagnose(run->message, "%s: reading the parser's answer failed: %s", run->path, strerror(errno));
        }
        answer->size += got > 0 ? (size_t)got : 0;
        if (answer->size > run->limits.bytes) {
            return diagnose(run->message, "%s: the parser's answer is larger than %llu MiB", run->path,
                            (unsigned long long)(run->limits.bytes / MEBIBYTE));
        }
    }
}

/* Where the host ignores SIGCHLD the system reaps every child, and none tells how it ended. */
static void keepEndings(Run *run) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &standard, &run->childSignal);
}

static void restoreEndings(const Run *run) {
    sigaction(SIGCHLD, &run->childSignal, NULL);
}

/* A child that closed the pipe may still run: it has until the deadline. False: its end was not seen; errno says. */
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

/* True when the child ended well; else the message says how it did not. */
static bool judgeEnd(const Run *run, int status) {
    bool overTime = run->timedOut || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    if (overTime) {
        return diagnose(run->message, "%s: the parser took longer than %u s", run->path, run->limits.seconds);
    }
    if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        return diagnose(run->message, "%s: the parser crashed (SIG%s)", run->path, name ? name : "?");
    }
    if (WEXITSTATUS(status) == ISOLATE_EXIT_MEMORY) {
        return diagnose(run->message, "%s: the parser needed more than %llu MiB", run->path,
                        (unsigned long long)(run->limits.bytes / MEBIBYTE));
    }
    if (WEXITSTATUS(status) != 0) {
        return diagnose(run->message, "%s: the parser ended with status %d", run->path, WEXITSTATUS(status));
    }
    return true;
}

static bool followChild(Run *run, IsolateAnswer *answer) {
    bool whole = readAnswer(run, answer);
    int status = 0;
    bool reaped = reapChild(run, whole, &status);
    if (!whole && !run->timedOut) {
        return false; /* readAnswer has said why */
    }
    if (!reaped && !run->timedOut) {
        return diagnose(run->message, "%s: how the parser ended is not known: %s", run->path, strerror(errno));
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

bool isolateRun(IsolateWork work, const char *path, const ImportOptions *options, IsolateAnswer *answer,
                char *message) {
    *answer = (IsolateAnswer){0};
    Run run = {.path = path, .message = message, .limits = limitsFrom(options), .options = options};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return diagnose(message, "%s: no pipe for the parser: %s", path, strerror(errno));
    }
    run.input = ends[0];
    run.deadline = nowMilliseconds() + (int64_t)run.limits.seconds * 1000;
    keepEndings(&run);
    run.child = fork();
    if (run.child == 0) {
        close(ends[0]);
        enterChild(&run.limits);
        _exit(work(path, ends[1]));
    }
    close(ends[1]);
    bool good = run.child > 0 ? followChild(&run, answer)
                              : diagnose(message, "%s: no process for the parser: %s", path, strerror(errno));
    restoreEndings(&run);
    close(ends[0]);
    if (!good || answer->size == 0) {
        free(answer->bytes);
        *answer = (IsolateAnswer){0};
    }
    return good;
}
