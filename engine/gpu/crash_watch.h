/*
 * crash_watch.h: prints one line if a driver crashes in its first work, before the signal ends the program.
 *
 * Watches SEGV, BUS, ILL, FPE and ABRT, each only if it has no handler yet: sanitizers keep theirs. All calls on one thread.
 */
#ifndef ENGINE_CRASH_WATCH_H
#define ENGINE_CRASH_WATCH_H

#include <stddef.h>

#define CRASH_WATCH_SIZE 512

/* Begins, or changes the line. line: without a line end; copied, cut at CRASH_WATCH_SIZE. */
void crashWatchBegin(const char *line);

/* The signals have their former effect again. Nothing if the watch has not begun. */
void crashWatchEnd(void);

#endif
