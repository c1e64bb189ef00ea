/* fbx_chains.h: repairs of the scenes that assimp makes from .fbx files. For the parser's process. */
#ifndef ENGINE_FBX_CHAINS_H
#define ENGINE_FBX_CHAINS_H

extern "C" {
#include "model.h"
}

#include <assimp/scene.h>

/*
 * A node X of the file with joint orients becomes a chain of helper nodes, "X_$AssimpFbx$_PreRotation" and others, and
 * the node X at its end. For some of these nodes assimp 5.2.5 writes one channel of keys for X that holds the whole
 * chain, so that the chain would apply twice. This function moves the chain of each node with such a channel into the
 * node itself. It also inverts the PostRotation in these keys, which assimp forgets.
 */
void fbxMergeChains(aiScene *scene);

/* Adds the geometric transform of the nodes of skinned meshes to the offset matrices, which assimp leaves out. */
void fbxApplyGeometry(aiScene *scene);

/* Warns of nodes whose InheritType is not that of a product of matrices, where a scale above them makes a difference. */
void fbxWarnOfInheritance(const aiScene *scene, Model *model);

#endif
