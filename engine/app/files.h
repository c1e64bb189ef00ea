/*
 * on_signal.h: what is put right before a signal ends the program.
 *
 * INT, TERM, HUP and QUIT first run the clean-ups and then do what they did before. One that was ignored stays
 * ignored. Whichever thread a signal reaches (the drivers have threads of their own), the clean-ups run on the thread
 * that added the first one, in the midst of whatever that does. All calls are for that thread, which must not end
 * before the program does.
 */
#ifndef APP_FILES_H
#define APP_FILES_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#define ON_SIGNAL_MAX 4

/* Calls nothing but what is async-signal-safe, and reads nothing but what its owner sets with care for that. */
typedef void (*OnSignalFn)(void);

/* Kept until the program ends; adding one again does nothing. ON_SIGNAL_MAX different ones at most. */
void onSignalAdd(OnSignalFn cleanUp);

/* The signals wait from hold to release. For a few quick calls in between; never around what may wait itself. */
void onSignalHold(sigset_t *before);
void onSignalRelease(const sigset_t *before);

/* ---- * atomic_file.h: output files that are there whole or not at all.
 *
 * What is written goes to a temporary file in the target's folder, which takes the target's name when all of it is
 * on the disk; until then an older file of that name stays as it was. A signal that ends the program in between takes
 * the temporary file away (on_signal.h). A target that is no regular file (a terminal, /dev/null, a pipe) is written
 * straight. A target that is a symbolic link stays one, also where what it leads to is not there yet.
 *
 * One file at a time, begun and ended by the program's first thread.
 *
 * Messages are one line without a line end: "PATH: cannot be written: why". ---- */

#define ATOMIC_FILE_MESSAGE_SIZE 512

typedef struct AtomicFile {
    FILE *stream;     /* write here; a failure is remembered until the commit */
    const char *path; /* as the user gave it */
    char target[PATH_MAX];
    char temporary[PATH_MAX]; /* empty: the target is written straight */
    int descriptor;
    int failure; /* errno of the first write that failed, else 0 */
} AtomicFile;

/* The folder of a path: "." for a bare name. */
void atomicFileFolder(const char *path, char *folder, size_t size);

/*
 * Whether `path` looks writable: its folder is there and may be written, it is no folder itself. Ask before long
 * work; the disk may still be full later.
 */
bool atomicFileCheck(const char *path, char *message);

/* On failure nothing is left open. *file and `path` must stay where they are until the commit or the drop. */
bool atomicFileBegin(AtomicFile *file, const char *path, char *message);

/* Ends the writing. On failure, also when an earlier write to the stream failed, nothing is left behind. */
bool atomicFileCommit(AtomicFile *file, char *message);

/* Ends the writing without a file. */
void atomicFileDrop(AtomicFile *file);

#endif
