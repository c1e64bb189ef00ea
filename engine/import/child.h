/*
 * child.h: the child process in which parsers run, and memory for them.
 *
 * A child that crashes, hangs, uses too much memory or writes an endless answer costs the caller one line of text.
 */
#ifndef ENGINE_CHILD_H
#define ENGINE_CHILD_H

#include <stddef.h>

#include "import.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- For the parent ---- */

/*
 * What the child does: reads `path` and writes an answer (blobWrite) to the descriptor `output`, which stays open until
 * the child ends. Returns the child's exit status; 0: the answer is complete.
 */
typedef int (*ImportWork)(const char *path, int output);

/*
 * importModel with work(path) as the parser. Limits of the child: processor and wall-clock time, address space and core
 * files. It can write no file and print nothing. When this function returns, the child no longer exists. Until then
 * SIGCHLD has its default action, whatever the host set.
 */
Model *importRun(ImportWork work, const char *path, const ImportOptions *options, EngineError *error);

/* ---- For the child ---- */

/*
 * count x size zero bytes, at least one byte. Never null: a failed allocation ends the child, and the parent reports
 * it. Free with free().
 */
void *childAllocate(size_t count, size_t size);

/* A copy of `text`; an empty string for null. */
char *childCopyText(const char *text);

/* Ends the child as a failed allocation does. */
void childOutOfMemory(void) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
