/* import_assimp.h: the formats that assimp knows. Runs in a child process only: see isolate.h. */
#ifndef ENGINE_IMPORT_ASSIMP_H
#define ENGINE_IMPORT_ASSIMP_H

#include "model.h"

/* Null: `message` (IMPORT_MESSAGE_SIZE bytes) says "PATH: why". */
Model *assimpParse(const char *path, char *message);

#endif
