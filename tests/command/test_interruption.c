/*
 * test_interruption.c: signals that come while an output file is written. As with a driver's threads, a second thread
 * stands by, which may be the one that a signal reaches.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "sequence.h"
#include "verbs.h"
#include "place.h"
#include "test.h"
#include "scratch.h"

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void nap(void) {
    struct timespec pause = {.tv_nsec = 5000000};
    nanosleep(&pause, NULL);
}

static void *sleepOn(void *nothing) {
    for (;;) {
        nap();
    }
    return nothing;
}

/* Signals ignored by the caller of the tests are not ignored here. No core dumps, and a time limit. */
static void becomeWriter(void) {
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        signal(SIGNALS[i], SIG_DFL);
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    alarm(10);
}

/* Writes for a second; signals `ready` when the first part is in the file. */
static void writeSlowly(const char *path, int ready) {
    AtomicFile file;
    EngineError error;
    if (!atomicFileBegin(&file, path, &error)) {
        _exit(2);
    }
    for (int i = 0; i < 200; i++) {
        fputs("new", file.stream);
        fflush(file.stream);
        if (i == 0 && write(ready, "!", 1) != 1) {
            _exit(3);
        }
        nap();
    }
    _exit(atomicFileCommit(&file, &error) ? 0 : 1);
}

/* Starts a child that runs `work` and returns when that is ready. */
static pid_t startWriter(void (*work)(const char *path, int ready), const char *path) {
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ready[0]);
        becomeWriter();
        work(path, ready[1]);
        _exit(4);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

/*
 * Sends the writer a signal, unless it is 0. end: its status as of waitpid, with or without a core dump. entries: of the
 * folder after the end.
 */
static void expectEnd(const Place *place, void (*work)(const char *path, int ready), int sent, int end, int entries) {
    int status;
    pid_t child = startWriter(work, place->text);
    nap();
    nap();
    assert_int_equal(sent != 0 ? kill(child, sent) : 0, 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status & ~0x80, end);
    assert_int_equal(countEntries(place->folder), entries);
}

static void writeBesideSleeper(const char *path, int ready) {
    pthread_t sleeper;
    if (pthread_create(&sleeper, NULL, sleepOn, NULL) != 0) {
        _exit(5);
    }
    writeSlowly(path, ready);
}

AT_PLACE(writingLeavesNoHalf) {
    Place *place = *state;
    writeWhole(place->text, "old");
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        expectEnd(place, writeBesideSleeper, SIGNALS[i], SIGNALS[i], 1);
        expectFile(place->text, "old");
    }
}

/* The signal reaches this thread. */
static void *raiseSoon(void *nothing) {
    nap();
    raise(SIGTERM);
    return nothing;
}

static void writeBesideTaker(const char *path, int ready) {
    pthread_t taker;
    AtomicFile file;
    EngineError error;
    if (!atomicFileBegin(&file, path, &error) || write(ready, "!", 1) != 1 ||
        pthread_create(&taker, NULL, raiseSoon, NULL) != 0) {
        _exit(5);
    }
    sleepOn(NULL);
}

AT_PLACE(otherThreadsPassItOn) {
    expectEnd(*state, writeBesideTaker, 0, SIGTERM, 0);
}

static void writeIgnoring(const char *path, int ready) {
    signal(SIGHUP, SIG_IGN);
    writeSlowly(path, ready);
}

AT_PLACE(ignoredSignalsStayIgnored) {
    expectEnd(*state, writeIgnoring, SIGHUP, 0, 1);
}

static void leaveByHand(int number) {
    _exit(40 + number);
}

static void writeUnderHandler(const char *path, int ready) {
    signal(SIGINT, leaveByHand);
    writeSlowly(path, ready);
}

AT_PLACE(formerHandlersComeAfter) {
    expectEnd(*state, writeUnderHandler, SIGINT, (40 + SIGINT) << 8, 0);
}

/* Opening a pipe without a reader waits, and can be interrupted. */
static void writeToPipe(const char *path, int ready) {
    AtomicFile file;
    EngineError error;
    if (write(ready, "!", 1) == 1 && atomicFileBegin(&file, path, &error)) {
        _exit(0);
    }
}

AT_PLACE(waitingForAReaderEnds) {
    Place *place = *state;
    assert_int_equal(mkfifo(place->text, 0600), 0);
    expectEnd(place, writeToPipe, SIGTERM, SIGTERM, 1);
}

/* ---- Sequences ---- */

#define STEPS 4

static int stopAfter; /* files that are complete when the signal comes */

/* A sequence of --keep; its signal comes while the next file is open, or before the end. */
static void writeSequence(const char *path, int ready) {
    char sequence[] = "0.5:2:2", out[96], *texts[] = {"a.x", "--sequence", sequence, "--keep", "-o", out};
    char message[OPTIONS_MESSAGE_SIZE], name[PATH_MAX];
    Arguments arguments;
    EngineError error;
    AtomicFile file;
    snprintf(out, sizeof out, "%.90s.obj", path);
    if (dup2(ready, STDERR_FILENO) < 0 ||
        optionsParse(&verbBake, COUNT_OF(texts), texts, &arguments, message) != OPTIONS_RUN) {
        _exit(5);
    }
    for (int i = 0; i < STEPS; i++) {
        atomicFileNumbered(name, out, (uint32_t)i);
        if (!atomicFileBegin(&file, name, &error)) {
            _exit(6);
        }
        if (i == stopAfter) {
            raise(SIGINT);
        }
        if (!atomicFileFinish(&file, &error) || !sequenceFinished(&arguments, (uint32_t)i, &error)) {
            _exit(7);
        }
    }
    raise(SIGINT);
}

/* What is complete stays, no half of a file does, and the line names the rest, if there is any. */
AT_PLACE(keptSequencesGoOn) {
    Place *place = *state;
    for (stopAfter = 0; stopAfter <= STEPS; stopAfter++) {
        char text[256] = "", line[256] = "";
        int ends[2], status;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            becomeWriter();
            writeSequence(place->text, ends[1]);
            _exit(4);
        }
        close(ends[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(read(ends[0], text, sizeof text - 1) >= 0);
        close(ends[0]);
        assert_int_equal(status & ~0x80, SIGINT);
        assert_int_equal(countEntries(place->folder), stopAfter); /* files of the rounds before are replaced */
        if (stopAfter > 0 && stopAfter < STEPS) {
            snprintf(line, sizeof line, "vkskin bake: %d of %d files are kept; --sequence 0.5:2:2:%d makes the rest\n",
                     stopAfter, STEPS, stopAfter);
        }
        assert_string_equal(text, line);
    }
}
