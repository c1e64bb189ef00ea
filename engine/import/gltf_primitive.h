/* gltf_primitive.h: one primitive of a glTF mesh as a mesh of the model. */
#ifndef ENGINE_GLTF_PRIMITIVE_H
#define ENGINE_GLTF_PRIMITIVE_H

#include "gltf_source.h"

/*
 * Makes primitive `index` of a mesh. Fills *mesh, which is zeroed and stays the caller's to free also on failure. `skinned`: joints and weights are
 * read, where there are any; else every vertex follows joint 0. *nodeBoneFirst: see influencesPack.
 * A primitive without triangles or without positions leaves indexCount 0. False: source->message says why.
 */
bool gltfConvertPrimitive(const GltfSource *source, const GltfMesh *fromMesh, size_t index, bool skinned,
                          ModelMesh *mesh, bool *nodeBoneFirst);

/* Whether the primitive has joints: only then does a skin move it. */
bool gltfHasJoints(const GltfPrimitive *primitive);

#endif
