/*
 * child_memory.h: memory for the parsers, which run in a child process only (see isolate.h).
 *
 * An allocation that fails ends the child with ISOLATE_EXIT_MEMORY, and the parent says so in one line. So these
 * never return null, and no parser needs a path of its own for it. Free with free().
 */
#ifndef ENGINE_CHILD_MEMORY_H
#define ENGINE_CHILD_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* count x size bytes of zeros; at least one byte. */
void *childAllocate(size_t count, size_t size);

/* A copy of `text`; of null, the empty string. */
char *childCopyText(const char *text);

/* Ends the child as a failed allocation does. */
void childOutOfMemory(void) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
