/* fbx_materials.h: the materials of an .fbx file. For the parser's process. */
#ifndef ENGINE_FBX_MATERIALS_H
#define ENGINE_FBX_MATERIALS_H

#include "fbx_pictures.h"

struct FbxMaterials {
    const FbxDocument *document;
    FbxPictures pictures;
    Model *model;
    std::map<std::pair<const FbxRecord *, const FbxRecord *>, uint32_t> done;
    std::vector<std::string>
        uvSets; /* [materials of the model]: texture coordinates that the base colour names, or "" */
};

/* Allocates the materials and textures of the model. uses: upper bound of the calls of fbxMaterial. */
FbxMaterials fbxBeginMaterials(const FbxDocument &document, const char *path, size_t uses, Model *model);

/*
 * The index of a material of the model. material: null: a plain one. texture: of the Model itself, as 6.1 has it, for
 * materials without a base colour map; or null.
 */
uint32_t fbxMaterial(FbxMaterials *materials, const FbxRecord *material, const FbxRecord *texture);

#endif
