/*
 * on_signal.h: what is put right before a signal ends the program.
 *
 * INT, TERM, HUP and QUIT first run the clean-ups and then do what they did before. One that was ignored stays
 * ignored. Whichever thread a signal reaches (the drivers have threads of their own), the clean-ups run on the thread
 * that added the first one, in the midst of whatever that does. All calls are for that thread, which must not end
 * before the program does.
 */
#ifndef CONSOLE_ON_SIGNAL_H
#define CONSOLE_ON_SIGNAL_H

#include <signal.h>

#define ON_SIGNAL_MAX 4

/* Calls nothing but what is async-signal-safe, and reads nothing but what its owner sets with care for that. */
typedef void (*OnSignalFn)(void);

/* Kept until the program ends; adding one again does nothing. ON_SIGNAL_MAX different ones at most. */
void onSignalAdd(OnSignalFn cleanUp);

/* The signals wait from hold to release. For a few quick calls in between; never around what may wait itself. */
void onSignalHold(sigset_t *before);
void onSignalRelease(const sigset_t *before);

#endif
