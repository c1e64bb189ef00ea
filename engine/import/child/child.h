/*
 * child.h: the process in which parsers run, and memory for them.
 *
 * The child is the program itself, started again, so that nothing of the parent is in its memory. A child that crashes,
 * hangs, uses too much memory or writes an endless answer costs the caller one line of text.
 */
#ifndef ENGINE_CHILD_H
#define ENGINE_CHILD_H

#include <stddef.h>

#include "import_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What the child does: reads `path` and writes an answer (blobWrite) to the descriptor `output`, which stays open until
 * the child ends. Returns the child's exit status; 0: the answer is complete.
 */
typedef int (*ImportWork)(const char *path, int output);

/* ---- For the parent ---- */

/*
 * Starts the program again as `role` and returns the model that its work answers with; null: *error is written. When
 * this function returns, the child no longer exists. Until then SIGCHLD has its default action, whatever the host set.
 */
Model *childRun(const char *role, const char *path, const ImportOptions *options, EngineError *error);

/* ---- For the child ---- */

/*
 * If childRun has started this program as `role`: limits and locks the process (import.h lists how), calls
 * work(path, output) and exits. Otherwise returns. Call it in a constructor with the arguments of main, so that every
 * program that imports models can be its own child.
 */
void childBegin(const char *role, int count, char **texts, ImportWork work);

/*
 * count x size zero bytes, at least one byte. Never null: a failed allocation ends the child, and the parent reports
 * it. Free with free().
 */
void *childAllocate(size_t count, size_t size);

/* A copy of `text`; an empty string for null. */
char *childCopyText(const char *text);

/* modelWarn that never fails. */
__attribute__((format(printf, 2, 3))) void childWarn(Model *model, const char *format, ...);

/* Ends the child as a failed allocation does. */
void childOutOfMemory(void) __attribute__((noreturn));

/* ---- For both sides ---- */

#define CHILD_OUTPUT 3 /* the descriptor of the answer; 0 to 2 are /dev/null, there are no others */
/* The first argument: parent, seconds, bytes, whether it locks itself. It is an option, so that a dynamic loader that is
 * started in place of the program runs nothing. The second argument is the model's path. */
#define CHILD_ORDER          "--parse=%d,%u,%llu,%d"
#define CHILD_EXIT_NO_MEMORY 77 /* status of a child whose allocation failed */

#ifdef __cplusplus
}
#endif

#endif
