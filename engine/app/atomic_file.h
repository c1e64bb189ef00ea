/*
 * atomic_file.h: output files that are there whole or not at all.
 *
 * What is written goes to a temporary file in the target's folder, which takes the target's name when all of it is
 * on the disk; until then an older file of that name stays as it was. A signal that ends the program in between takes
 * the temporary file away (on_signal.h). A target that is no regular file (a terminal, /dev/null, a pipe) is written
 * straight. A target that is a symbolic link stays one, also where what it leads to is not there yet.
 *
 * One file at a time, begun and ended by the program's first thread.
 *
 * Messages are one line without a line end: "PATH: cannot be written: why".
 */
#ifndef CONSOLE_ATOMIC_FILE_H
#define CONSOLE_ATOMIC_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

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
