/* fbx_object.h: what the record of an object of an .fbx file says about it. For the parser's process. */
#ifndef ENGINE_FBX_OBJECT_H
#define ENGINE_FBX_OBJECT_H

#include "fbx_tree.h"

/* The property of the object itself; the last one where a name is there twice. Null: it has none of that name. */
const FbxRecord *fbxOwnProperty(const FbxRecord &object, const char *name);

/* Without its kind: "Model::Arm" in text files, "Arm", a zero byte and more in binary ones. */
std::string fbxName(const FbxRecord &object);

/* The number of an object, by which connections name it. */
int64_t fbxId(const FbxRecord &object);

/* What an object is among its kind: "Mesh", "LimbNode", "Skin", "Cluster", "BlendShapeChannel", "Shape" and so on. */
std::string fbxType(const FbxRecord &object);

#endif
