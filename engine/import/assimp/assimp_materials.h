/* assimp_materials.h: the materials of assimp's scenes. */
#ifndef ENGINE_ASSIMP_MATERIALS_H
#define ENGINE_ASSIMP_MATERIALS_H

#include "fbx_document.h"
#include "parser.h"

struct aiScene;

/* Limited to 0 to 1; what is not a number becomes 0. */
float linearFromSrgb(float value);

/*
 * Fills the model's materials, at least one, and textures. fbx: of an .fbx file; or null. path: of the file; its textures
 * are below its folder.
 */
void assimpConvertMaterials(const aiScene *scene, const FbxDocument *fbx, const char *path, Model *model);

#endif
