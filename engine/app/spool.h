/* spool.h: standard input as a file, because readers need a file with the ending of its format. */
#ifndef APP_SPOOL_H
#define APP_SPOOL_H

#include "engine_error.h"

/*
 * Copies standard input to a new file in a new folder of TMPDIR, or /tmp. A signal removes both. ending: without the dot.
 * Returns the path, valid until spoolEnd. Null: nothing is left behind; *error says why: a terminal, a read error, or no
 * room. Empty input makes an empty file.
 */
const char *spoolBegin(const char *ending, EngineError *error);

/* Removes the file and its folder. */
void spoolEnd(void);

#endif
