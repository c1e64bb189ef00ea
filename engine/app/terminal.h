/*
 * say.h: what programs tell on standard error, one line each: "vkskin VERB: message".
 *
 * File and object names come from others: control characters in them, and bytes that are no UTF-8, are shown as '?', so
 * that no line breaks and no terminal obeys them.
 */
#ifndef APP_TERMINAL_H
#define APP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints the line and returns EXIT_FAILED, so that `return sayFailure(...)` reads well. */
__attribute__((format(printf, 2, 3))) int sayFailure(const char *verb, const char *format, ...);

/* "vkskin VERB: warning: message". */
__attribute__((format(printf, 2, 3))) void sayWarning(const char *verb, const char *format, ...);

/* Writes `text` with '?' for its control characters and what is no UTF-8. */
void sayClean(FILE *file, const char *text);

/* ---- * quantity.h: numbers as people read them. ---- */

/* Room for any of these texts. */
#define QUANTITY_SIZE 48

/* "1,234,567". */
void quantityCount(char text[QUANTITY_SIZE], uint64_t count);

/* "1.23 M": three or four digits that count, by powers of 1,000 up to T; "0" for zero. unit: follows, such as "B/s". */
void quantityScaled(char text[QUANTITY_SIZE], double value, const char *unit);

/* ---- * progress.h: how far long work has come, on one line of a terminal that is gone when the work is done.
 *
 * Nothing is written where standard error is no terminal (a pipe, a file) or a dumb one. The line comes only after
 * a third of a second of work and changes at most ten times a second, so that it costs nothing. A signal that ends the
 * program takes the line away first (on_signal.h). ---- */

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
