/* path_below.h: names of files that a model names. */
#ifndef ENGINE_PATH_BELOW_H
#define ENGINE_PATH_BELOW_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True for a relative path with no step upwards: it leads to the folder it is taken from, or below. */
bool pathStaysBelow(const char *path);

/* True for a path that begins with `folder` (ends with a slash, or is empty) and whose rest stays below. */
bool pathIsBelow(const char *path, const char *folder);

/*
 * True where the file that `path` leads to lies below `folder`, both taken with all links followed: a model from
 * elsewhere may come with links. False where there is no such file.
 */
bool pathLeadsBelow(const char *path, const char *folder);

/* The path up to and with its last slash, "" where it has none. Child process only; free() it. */
char *pathFolder(const char *path);

#ifdef __cplusplus
}
#endif

#endif
