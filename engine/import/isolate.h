/*
 * isolate.h: runs a piece of work in a child process with limits, and brings back the bytes that it wrote.
 *
 * A child that crashes, hangs, eats memory or answers without end costs the caller one line of text.
 */
#ifndef ENGINE_ISOLATE_H
#define ENGINE_ISOLATE_H

#include "import.h"

/* The status with which a child ends when an allocation fails: see child_memory.h. */
#define ISOLATE_EXIT_MEMORY 77

/*
 * What the child does: reads `path`, writes its answer to the descriptor `output`, which stays open until the child
 * ends. The return value is the child's exit status; 0 means that the answer is whole.
 */
typedef int (*IsolateWork)(const char *path, int output);

typedef struct IsolateAnswer {
    uint8_t *bytes; /* free() it; null when size is 0 */
    size_t size;
} IsolateAnswer;

/*
 * Runs work(path) in a child: processor and wall-clock time, address space and core files limited, no file written,
 * nothing printed. The child is gone when this returns. Until then SIGCHLD has its default, whatever the host set.
 * options: null or zero fields for the defaults of import.h; memoryBytes also caps the answer.
 * False: *answer is empty and `message` (IMPORT_MESSAGE_SIZE bytes) holds "PATH: what happened".
 */
bool isolateRun(IsolateWork work, const char *path, const ImportOptions *options, IsolateAnswer *answer, char *message);

#endif
