/* fbx_extent.h: how large a model is, and so how exact its clips must be. For the parser's process. */
#ifndef ENGINE_FBX_EXTENT_H
#define ENGINE_FBX_EXTENT_H

#include "fbx_nodes.h"

/*
 * For each node the length, in the space of its parent at rest, that is `part` of the diagonal of all meshes at rest.
 * Infinite where there are no meshes.
 */
std::vector<double> fbxTolerances(const FbxDocument &document, const FbxNodes &nodes, double part);

#endif
