/* assimp.h: the formats that assimp reads. For the parser's process. */
#ifndef ENGINE_ASSIMP_H
#define ENGINE_ASSIMP_H

#include "engine_error.h"
#include "model.h"

/* Reads a file. Null: *error is written. */
Model *assimpParse(const char *path, EngineError *error);

/*
 * Converts assimp's scene: triangles, with normals. path: the file, for its format and its folder. Fills *model, which
 * is zeroed. False: *error is written; *model can then only be freed.
 */
struct aiScene;
bool assimpConvert(const struct aiScene *scene, const char *path, Model *model, EngineError *error);

#endif
