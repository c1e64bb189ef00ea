/*
 * scratch.h: temporary folders and whole files for tests. Failures fail the running test.
 */
#ifndef TESTKIT_SCRATCH_H
#define TESTKIT_SCRATCH_H

#include <stddef.h>

/* A new empty folder below the system's place for temporary files, its path in `path` (at least 64 bytes). */
void makeFolder(char *path);

/* Entries in a folder, hidden ones too. */
int countEntries(const char *folder);

/* Removes the folder with all that is in it. */
void removeFolder(const char *folder);

/* A whole file with a zero after it, to be freed; *size may be null. */
char *readWhole(const char *path, size_t *size);

void writeWhole(const char *path, const char *text);

#endif
