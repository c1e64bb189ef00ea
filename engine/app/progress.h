/*
 * progress.h: how far long work has come, on one line of a terminal that is gone when the work is done.
 *
 * Nothing is written where standard error is no terminal (a pipe, a file) or a dumb one. The line comes only after
 * a third of a second of work and changes at most ten times a second, so that it costs nothing. A signal that ends the
 * program takes the line away first (on_signal.h).
 */
#ifndef CONSOLE_PROGRESS_H
#define CONSOLE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    const char *what; /* as total, may be set anew when the work comes to another part */
    uint64_t total;
    uint64_t begun, shown; /* nanoseconds of the monotonic clock; shown 0: no line stands */
    bool live;
} Progress;

/* what: a phrase such as "measuring", which must outlive the progress. total: steps, 0 where nobody knows. */
void progressBegin(Progress *progress, const char *what, uint64_t total);

/* done: steps so far, of the total. */
void progressShow(Progress *progress, uint64_t done);

/* Takes the line away, so that something else may be printed; progressShow brings it back. */
void progressErase(Progress *progress);

#endif
