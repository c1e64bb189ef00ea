/* model_gather.h: the vertices of a mesh picked anew: fewer, more, or in another order. */
#ifndef ENGINE_MODEL_GATHER_H
#define ENGINE_MODEL_GATHER_H

#include "model.h"

/*
 * Makes what was vertex origins[i] vertex i, for each i below `count`, in every stream and every morph target.
 * origins: [count], each below mesh->vertexCount; a vertex may be named often or never. Indices are left as they are:
 * the caller, who knows where vertices went, renames them. False: out of memory; the mesh can then only be freed.
 */
bool modelGatherVertices(ModelMesh *mesh, const uint32_t *origins, uint32_t count);

#endif
