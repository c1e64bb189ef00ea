/*
 * say.h: what programs tell on standard error, one line each: "vkskin VERB: message".
 *
 * File and object names come from others: control characters in them, and bytes that are no UTF-8, are shown as '?', so
 * that no line breaks and no terminal obeys them.
 */
#ifndef CONSOLE_SAY_H
#define CONSOLE_SAY_H

#include <stdio.h>

/* Prints the line and returns EXIT_FAILED, so that `return sayFailure(...)` reads well. */
__attribute__((format(printf, 2, 3))) int sayFailure(const char *verb, const char *format, ...);

/* "vkskin VERB: warning: message". */
__attribute__((format(printf, 2, 3))) void sayWarning(const char *verb, const char *format, ...);

/* Writes `text` with '?' for its control characters and what is no UTF-8. */
void sayClean(FILE *file, const char *text);

#endif
