#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "on_signal.h"

#define NANOSECONDS 1000000000ull
#define FIRST_AFTER (NANOSECONDS / 3)
#define AGAIN_AFTER (NANOSECONDS / 10)

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NANOSECONDS + (uint64_t)time.tv_nsec;
}

static bool standsOnTerminal(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Whether the line stands, for a signal that ends the program. */
static volatile sig_atomic_t lineStands;

static void eraseOnSignal(void) {
    static const char ERASE[] = "\r\033[K";
    if (lineStands) {
        ssize_t written = write(STDERR_FILENO, ERASE, sizeof ERASE - 1);
        (void)written; /* the program ends: there is nobody to tell */
    }
}

void progressBegin(Progress *progress, const char *what, uint64_t total) {
    *progress = (Progress){.what = what, .total = total, .live = standsOnTerminal()};
    progress->begun = progress->live ? now() : 0;
}

void progressShow(Progress *progress, uint64_t done) {
    if (!progress->live) {
        return;
    }
    uint64_t time = now();
    bool due = progress->shown ? time - progress->shown >= AGAIN_AFTER : time - progress->begun >= FIRST_AFTER;
    if (!due) {
        return;
    }
    if (!progress->shown) {
        onSignalAdd(eraseOnSignal);
    }
    progress->shown = time;
    lineStands = 1;
    if (progress->total > 0) {
        fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64 " (%" PRIu64 " %%)\033[K", progress->what, done,
                progress->total, done * 100 / progress->total);
    } else {
        fprintf(stderr, "\r%s\033[K", progress->what);
    }
    fflush(stderr);
}

void progressErase(Progress *progress) {
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = 0;
        lineStands = 0;
    }
}
