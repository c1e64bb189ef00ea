/* assimp_scene.h: reads a file with assimp and repairs what assimp makes of it. For the parser's process. */
#ifndef ENGINE_ASSIMP_SCENE_H
#define ENGINE_ASSIMP_SCENE_H

extern "C" {
#include "engine_error.h"
#include "model.h"
}

#include <assimp/scene.h>

#include <memory>

/*
 * Reads a file with the one importer for its extension: triangles, normals, the file's own axes and unit. Writes the
 * model's up, metres, warnings and repairs. Throws ParseFailed: *error is written.
 */
std::unique_ptr<aiScene> assimpReadScene(const char *path, Model *model, EngineError *error);

#endif
