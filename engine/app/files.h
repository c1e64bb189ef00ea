/*
 * files.h: output files that are complete or absent, and clean-up before a signal ends the program.
 *
 * Output goes to a temporary file in the folder of the target. The commit renames it to the target, after it is on the
 * disk. Until then an older file of that name does not change. A signal in between removes the temporary file. A target
 * that is no regular file (a terminal, /dev/null, a pipe) is written directly. A target that is a symbolic link stays a
 * link, even if it leads to no file yet.
 *
 * A file that this program did not write is not replaced by accident: see `force`. A file that is replaced keeps its
 * owner, group and mode; if that is not allowed, it is not replaced.
 *
 * Several files can be completed together: a sequence of pictures is there as a whole or not at all.
 *
 * One open file at a time. All calls come from the thread that made the first one.
 *
 * Errors read "PATH: cannot be written: why".
 */
#ifndef APP_FILES_H
#define APP_FILES_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine_error.h"

typedef struct AtomicFile {
    FILE *stream;     /* write here; a failure is kept until the commit */
    const char *path; /* as the user gave it */
    char target[PATH_MAX];
    char temporary[PATH_MAX]; /* empty: the target is written directly */
    int descriptor;
    int failure; /* errno of the first write that failed, else 0 */
} AtomicFile;

/* The folder of a path: "." for a bare name. */
void atomicFileFolder(const char *path, char *folder, size_t size);

/*
 * Follows the links of a path that leads to no file yet, which realpath() cannot do. On failure errno is set: the name is
 * too long, or the links form a circle.
 */
bool atomicFileFollow(char target[PATH_MAX]);

/*
 * Whether the path stands for standard output: "-", or "-." with an ending and no folder. It is written directly; a terminal
 * is refused.
 */
bool atomicFileIsStandard(const char *path);

/*
 * Whether `path` may be written: its folder exists and is writable, and the path is no folder. A regular file that is
 * neither empty nor begins as a file of this program is refused, except with `force`; a block device always. Call it before long work. The disk
 * may still be full later.
 */
bool atomicFileCheck(const char *path, bool force, EngineError *error);

/* On failure nothing stays open. Keep *file and `path` at their addresses until the commit or the drop. */
bool atomicFileBegin(AtomicFile *file, const char *path, EngineError *error);

/* Completes the file. On failure, also if an earlier write to the stream failed, nothing is left behind. */
bool atomicFileCommit(AtomicFile *file, EngineError *error);

/* Ends without a file. */
void atomicFileDrop(AtomicFile *file);

/*
 * Writes the file to the disk, but leaves its target until atomicFilesCommit: the next file may begin. On failure nothing
 * of this file is left behind.
 */
bool atomicFileFinish(AtomicFile *file, EngineError *error);

/* Completes all finished files. On failure the first target that could not be replaced, and those after it, stay. */
bool atomicFilesCommit(EngineError *error);

/* Removes all finished files. */
void atomicFilesDrop(void);

/* "walk-0012.png" for "walk.png" and 12; index: below 10,000. A name that is too long is cut, and cannot be written. */
void atomicFileNumbered(char name[PATH_MAX], const char *path, uint32_t index);

/*
 * Clean-ups before INT, TERM, HUP or QUIT end the program. The signal then has its former effect; an ignored signal stays
 * ignored. A clean-up runs on the thread that added the first one, whichever thread gets the signal (drivers have
 * threads), and may interrupt anything. That thread makes all calls below and must not end before the program.
 */
#define ON_SIGNAL_MAX 4

/* Calls only async-signal-safe functions. */
typedef void (*OnSignalFn)(void);

/* Stays until the program ends. Adding one again has no effect. At most ON_SIGNAL_MAX different ones. */
void onSignalAdd(OnSignalFn cleanUp);

/* Delays the signals between hold and release. Only for a few fast calls, never around a call that may wait. */
void onSignalHold(sigset_t *before);
void onSignalRelease(const sigset_t *before);

#endif
