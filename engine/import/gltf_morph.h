/* gltf_morph.h: the morph targets of a glTF primitive, and the weights that they have at rest. */
#ifndef ENGINE_GLTF_MORPH_H
#define ENGINE_GLTF_MORPH_H

#include "gltf_source.h"

/* How many targets each primitive of a mesh has; what its first one says. */
size_t gltfTargetCount(const GltfMesh *mesh);

/*
 * Reads the targets of a primitive of `from` into mesh->morphs, named by the mesh's extras.targetNames. The mesh has
 * its vertices. Displaced positions are read; normals where `normals` is set, tangents where the mesh has them too;
 * texture coordinates and colours are not. False: source->message says why.
 */
bool gltfReadMorphs(const GltfSource *source, const GltfMesh *from, const GltfPrimitive *primitive, bool normals,
                    ModelMesh *mesh);

/*
 * The weights at rest of a mesh where `node` carries it: the node's own, else the mesh's. *weights:
 * [gltfTargetCount(mesh)], to be freed, or null where neither has any. False: source->message says why.
 */
bool gltfReadRestWeights(const GltfSource *source, const GltfNode *node, const GltfMesh *mesh, float **weights);

#endif
