/* assimp.h: the formats that assimp reads. For the parser's process. */
#ifndef ENGINE_ASSIMP_H
#define ENGINE_ASSIMP_H

#include "engine_error.h"
#include "model.h"

/* Reads a file. Null: *error is written. */
Model *assimpParse(const char *path, EngineError *error);

#endif
