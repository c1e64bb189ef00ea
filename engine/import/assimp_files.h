/* assimp_files.h: the files that assimp may open: the model's own and what lies beside or below it. */
#ifndef ENGINE_ASSIMP_FILES_H
#define ENGINE_ASSIMP_FILES_H

#include <assimp/cfileio.h>

typedef struct AssimpFiles {
    const char *model;  /* the model's own file, as the user named it */
    const char *folder; /* where it lies: ends with a slash, or is empty */
} AssimpFiles;

/*
 * For aiImportFileEx. Opens for reading the model's own file, and regular files that lie below its folder, by name and
 * with links followed. Any other is as if it were not there. `files` and the result stay the caller's until the scene is
 * released. Child process only.
 */
struct aiFileIO assimpFilesBelow(AssimpFiles *files);

#endif
