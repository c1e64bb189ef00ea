/*
 * crash_watch.h: one line about a driver that crashes in its first work, before the signal ends the program.
 *
 * Watched are SEGV, BUS, ILL, FPE and ABRT that have no handler yet: sanitizers keep theirs.
 */
#ifndef ENGINE_CRASH_WATCH_H
#define ENGINE_CRASH_WATCH_H

#include <stddef.h>

#define CRASH_WATCH_SIZE 512

/* Begins, or changes the line. line: one line without a line end; cut at CRASH_WATCH_SIZE. */
void crashWatchBegin(const char *line);

/* The signals have their former effect again. Nothing if the watch has not begun. */
void crashWatchEnd(void);

#endif
