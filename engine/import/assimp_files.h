/* assimp_files.h: the files that assimp may open: the model's own and what lies beside or below it. */
#ifndef ENGINE_ASSIMP_FILES_H
#define ENGINE_ASSIMP_FILES_H

#include <assimp/cfileio.h>

/*
 * For aiImportFileEx. Opens regular files for reading whose name begins with `folder` (ends with a slash, or is
 * empty; it and the result stay the caller's until the scene is released) and never steps out of it. Any other is as
 * if it were not there. Child process only.
 */
struct aiFileIO assimpFilesBelow(char *folder);

#endif
