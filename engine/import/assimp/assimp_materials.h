/* assimp_materials.h: the materials of assimp's scenes. */
#ifndef ENGINE_ASSIMP_MATERIALS_H
#define ENGINE_ASSIMP_MATERIALS_H

#include "parser.h"

struct aiScene;

/* Fills the model's materials, at least one, and textures. path: of the file; its textures are below its folder. */
void assimpConvertMaterials(const aiScene *scene, const char *path, Model *model);

#endif
