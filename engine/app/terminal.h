/*
 * terminal.h: messages on standard error, numbers for people, and progress on a terminal.
 *
 * A message is one line: "vkskin VERB: message". Names of files and objects are foreign text: hidden characters
 * (utf8Length) are printed as '?', so that they cannot break or reorder lines or control the terminal.
 */
#ifndef APP_TERMINAL_H
#define APP_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine_error.h"

/*
 * Call it first. Standard descriptors that are closed get /dev/null, opened so that a use fails as if they were closed:
 * files that are opened later do not take their numbers, and messages do not end up in them.
 */
void terminalOpenStandard(void);

/* Prints the line and returns EXIT_FAILED, so that `return sayFailure(...)` reads well. */
__attribute__((format(printf, 2, 3))) int sayFailure(const char *verb, const char *format, ...);

/* The message of the first sayFailure of the program, valid to its end; "": there was none. */
const char *saidFailure(void);

/* Prints the error as sayFailure does, unless `good`. Returns the exit status of the verb. */
int sayEnd(const char *verb, bool good, const EngineError *error);

/* "vkskin VERB: warning: message". */
__attribute__((format(printf, 2, 3))) void sayWarning(const char *verb, const char *format, ...);

/* "vkskin VERB: 12 pictures: walk-0000.png to walk-0011.png": what a sequence wrote. what: of one; path: of the option; from:
 * number of the first; count 0: nothing. */
void sayFiles(const char *verb, const char *what, const char *path, uint32_t from, uint32_t count);

/* Also gives each later warning, and each text of sayLines for standard error, to `hear`; null: no longer. */
void sayHear(void (*hear)(void *user, const char *text), void *user);

/* Writes `text` with '?' for each byte at which utf8Length is 0. */
void sayClean(FILE *file, const char *text);

/* A name at the end of a line, as sayClean; "(no name)" if it is empty. Ends the line. */
void sayName(FILE *file, const char *name);

/* As sayClean for a text of several lines, which keep their line ends; adds the last one and flushes the file. */
void sayLines(FILE *file, const char *text);

/* "PATH: reloaded", to standard output. */
void sayReloaded(const char *path);

/* Room for the texts below. */
#define QUANTITY_SIZE 48

/* "1,234,567". Returns the text. QUANTITY(count): in memory of the block that it is in. */
#define QUANTITY(count) quantityCount((char[QUANTITY_SIZE]){0}, count)
const char *quantityCount(char text[QUANTITY_SIZE], uint64_t count);

/* "1.23 M": three or four significant digits with a prefix up to T; "0" for zero. unit: a suffix such as "B/s". Returns the text. */
const char *quantityScaled(char text[QUANTITY_SIZE], double value, const char *unit);

/*
 * Progress of long work, on one line of the terminal: with a bar and the time left where the number of steps is known, else
 * with the time so far. Nothing is written if standard error is no terminal, or a dumb one.
 * The line appears after a third of a second, changes at most ten times per second, and disappears at the end or before
 * a signal ends the program.
 */

typedef struct Progress {
    const char *what; /* you may change it and `total` when another part of the work starts */
    uint64_t total;
    double begun, shown; /* measureNow at these moments; shown 0: no line is visible */
    const char *counted; /* the `what` of whose steps the time left is computed, from `since` and `from` on */
    double since;
    uint64_t from;
    bool live;
} Progress;

/* what: a phrase such as "measuring"; it must outlive the progress. total: steps; 0: unknown. */
void progressBegin(Progress *progress, const char *what, uint64_t total);

/* done: steps so far. */
void progressShow(Progress *progress, uint64_t done);

/* A line that is printed when a signal ends the program; "": none. Without a line end; it is copied. */
void interruptionSays(const char *line);

/* Erases the line before other output; progressShow shows it again. */
void progressErase(Progress *progress);

#endif
