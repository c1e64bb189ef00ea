/* The parent's side of child.h. */
#include "child.h"

#include "blob.h"
#include "count_of.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_SECONDS 60u
#define DEFAULT_BYTES   (4ull << 30)
#define MEBIBYTE        (1ull << 20)
#define REPORT_EVERY    100 /* milliseconds */

/* One run of a child. */
typedef struct Run {
    EngineError *error;
    ImportOptions limits; /* the caller's options with all limits set */
    pid_t child;
    int input;
    int64_t deadline;   /* milliseconds of the monotonic clock */
    struct rusage used; /* by the child, after its end */
    bool timedOut;
    bool begun;  /* the child has reported its sandbox */
    bool closed; /* the child has closed the pipe */
} Run;

static int64_t nowMilliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- Reading the answer ---- */

/* Waits until the child writes or ends. False: its time is over. */
static bool waitForInput(Run *run) {
    for (;;) {
        int64_t left = run->deadline - nowMilliseconds();
        if (left <= 0) {
            run->timedOut = true;
            return false;
        }
        struct pollfd descriptor = {.fd = run->input, .events = POLLIN};
        bool reports = run->limits.waiting;
        int ready = poll(&descriptor, 1, reports && left > REPORT_EVERY ? REPORT_EVERY : (int)left);
        if (reports) {
            run->limits.waiting(run->limits.user);
        }
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true;
        }
    }
}

/* For a stream of the answer. */
static ssize_t readSome(void *user, char *bytes, size_t size) {
    Run *run = user;
    ssize_t got = -1;
    do {
        if (!waitForInput(run)) {
            return -1;
        }
        got = read(run->input, bytes, size);
    } while (got < 0 && errno == EINTR);
    run->closed = got == 0;
    return got;
}

/* Null: run->error is written. */
static Model *readAnswer(Run *run) {
    ImportSandbox active = {0};
    FILE *answer = fopencookie(run, "rb", (cookie_io_functions_t){.read = readSome});
    if (!answer) {
        engineFail(run->error, "out of memory");
        return NULL;
    }
    run->begun = fread(&active, sizeof active, 1, answer) == 1; /* where it fails, so does the next one */
    if (run->limits.sandbox) {
        *run->limits.sandbox = active;
    }
    Model *model = blobRead(answer, run->limits.answerBytes, run->error);
    fclose(answer);
    return model;
}

/* ---- The child's end ---- */

/* A child that closed the pipe may run until the deadline. False: its exit status is unknown; errno says why. */
static bool reapChild(Run *run, int *status) {
    pid_t ended = 0;
    bool mayFinish = run->closed;
    while (mayFinish && (ended = wait4(run->child, status, WNOHANG, &run->used)) == 0) {
        if (nowMilliseconds() >= run->deadline) {
            run->timedOut = true;
            mayFinish = false;
        }
        const struct timespec pause = {.tv_nsec = 500000};
        nanosleep(&pause, NULL);
    }
    if (!mayFinish) {
        kill(run->child, SIGKILL);
        do {
            ended = wait4(run->child, status, 0, &run->used);
        } while (ended < 0 && errno == EINTR);
    }
    return ended == run->child;
}

/* The caller's limit, or that of this process where it is lower. */
static unsigned long long memoryLimit(const Run *run) {
    struct rlimit own;
    bool lower = getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur < run->limits.memoryBytes;
    return lower ? own.rlim_cur : run->limits.memoryBytes;
}

/* Seconds of processor time: the caller's limit, or that of this process where it is lower. */
static unsigned processorLimit(const Run *run) {
    struct rlimit own;
    bool lower = getrlimit(RLIMIT_CPU, &own) == 0 && own.rlim_max < run->limits.timeoutSeconds;
    return lower ? (unsigned)own.rlim_max : run->limits.timeoutSeconds;
}

/* Whether the kernel stopped the child for its processor time. A child can send itself the same signal, so the time must
 * be used up too. The kernel's two clocks differ a little. */
static bool usedItsTime(const Run *run, int status) {
    const struct timeval *user = &run->used.ru_utime, *system = &run->used.ru_stime;
    const double used = (double)(user->tv_sec + system->tv_sec) + 1e-6 * (double)(user->tv_usec + system->tv_usec);
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) &&
           used >= 0.75 * processorLimit(run);
}

/* True when the child succeeded; else run->error says how it ended. */
static bool judgeEnd(const Run *run, int status) {
    bool usedUp = usedItsTime(run, status);
    if (run->timedOut || usedUp) {
        return engineFail(run->error, "the parser took longer than %u s",
                          usedUp ? processorLimit(run) : run->limits.timeoutSeconds);
    }
    if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        return engineFail(run->error, "the parser crashed (SIG%s)", name ? name : "?");
    }
    if (WEXITSTATUS(status) == CHILD_EXIT_NO_MEMORY) {
        return engineFail(run->error, "the parser needed more than %llu MiB", memoryLimit(run) / MEBIBYTE);
    }
    if (!run->begun) {
        return engineFail(run->error,
                          "the parser did not start (status %d); a program that was started through the "
                          "dynamic loader, and not directly, cannot read models",
                          WEXITSTATUS(status));
    }
    if (WEXITSTATUS(status) != 0) {
        return engineFail(run->error, "the parser ended with status %d", WEXITSTATUS(status));
    }
    return true;
}

static Model *followChild(Run *run) {
    int status = 0;
    Model *model = readAnswer(run);
    bool reaped = reapChild(run, &status);
    if (!run->closed && !run->timedOut) {
        return model; /* it was stopped: readAnswer has written the error */
    }
    bool good =
        reaped || run->timedOut || engineFail(run->error, "the parser's exit status is unknown: %s", strerror(errno));
    if (!good || !judgeEnd(run, status)) {
        modelFree(model);
        return NULL;
    }
    return model;
}

/* ---- Starting it ---- */

static ImportOptions limitsFrom(const ImportOptions *options) {
    ImportOptions limits = options ? *options : (ImportOptions){0};
    limits.timeoutSeconds = limits.timeoutSeconds ? limits.timeoutSeconds : DEFAULT_SECONDS;
    /* poll counts milliseconds in an int. */
    limits.timeoutSeconds = limits.timeoutSeconds < 1000000u ? limits.timeoutSeconds : 1000000u;
    limits.memoryBytes = limits.memoryBytes ? limits.memoryBytes : DEFAULT_BYTES;
    limits.answerBytes = limits.answerBytes ? limits.answerBytes : IMPORT_ANSWER_BYTES;
    return limits;
}

/* Where libraries are, and the settings of sanitizers. Everything else may be secret. */
static const char *const KEPT[] = {"LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "UBSAN_OPTIONS="};
#define KEPT_COUNT COUNT_OF(KEPT)

static void copyEnvironment(char *environment[KEPT_COUNT + 1]) {
    size_t count = 0;
    for (size_t i = 0; i < KEPT_COUNT; i++) {
        char **entry = environ;
        while (*entry && strncmp(*entry, KEPT[i], strlen(KEPT[i])) != 0) {
            entry++;
        }
        if (*entry) {
            environment[count++] = *entry;
        }
    }
    environment[count] = NULL;
}

/* Descriptors as child.h says. */
static int prepareFiles(posix_spawn_file_actions_t *files, int output) {
    int failed = posix_spawn_file_actions_adddup2(files, output, CHILD_OUTPUT); /* first: it may be one of 0 to 2 */
    for (int descriptor = 0; failed == 0 && descriptor < CHILD_OUTPUT; descriptor++) {
        failed = posix_spawn_file_actions_addopen(files, descriptor, "/dev/null", O_RDWR, 0);
    }
    return failed ? failed : posix_spawn_file_actions_addclosefrom_np(files, CHILD_OUTPUT + 1);
}

/* Starts this program, also where its file has moved. 0, or the error's number. */
static int startChild(Run *run, const char *role, const char *path, int output) {
    char order[96], *texts[] = {(char *)role, order, (char *)path, NULL}, *environment[KEPT_COUNT + 1];
    posix_spawn_file_actions_t files;
    snprintf(order, sizeof order, CHILD_ORDER, (int)getpid(), run->limits.timeoutSeconds,
             (unsigned long long)run->limits.memoryBytes, !run->limits.sandboxOff);
    copyEnvironment(environment);
    int failed = posix_spawn_file_actions_init(&files);
    if (!failed) {
        failed = prepareFiles(&files, output);
        failed = failed ? failed : posix_spawn(&run->child, "/proc/self/exe", &files, NULL, texts, environment);
        posix_spawn_file_actions_destroy(&files);
    }
    return failed;
}

static Model *runChild(Run *run, const char *role, const char *path) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        engineFail(run->error, "no pipe for the parser: %s", strerror(errno));
        return NULL;
    }
    run->input = ends[0];
    run->deadline = nowMilliseconds() + (int64_t)run->limits.timeoutSeconds * 1000;
    int failed = startChild(run, role, path, ends[1]);
    close(ends[1]);
    if (failed) {
        engineFail(run->error, "no process for the parser: %s%s", strerror(failed),
                   failed == ENOENT ? "; it needs /proc" : "");
    }
    Model *model = failed ? NULL : followChild(run);
    close(ends[0]);
    return model;
}

Model *childRun(const char *role, const char *path, const ImportOptions *options, EngineError *error) {
    Run run = {.error = error, .limits = limitsFrom(options)};
    /* Where the host ignores SIGCHLD the system reaps every child, and its exit status is lost. */
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction hosts;
    sigaction(SIGCHLD, &standard, &hosts);
    Model *model = runChild(&run, role, path);
    sigaction(SIGCHLD, &hosts, NULL);
    if (!model) {
        engineFailAt(error, path);
    }
    return model;
}
