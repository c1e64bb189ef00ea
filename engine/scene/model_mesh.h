/* model_mesh.h: reorders and measures meshes of a model, and makes their VkskinMeshDef. */
#ifndef ENGINE_MODEL_MESH_H
#define ENGINE_MODEL_MESH_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_mesh.h"

/*
 * The def of a mesh. Borrows the arrays of the mesh. Morph targets, centres and materials are unset.
 */
VkskinMeshDef meshDefOfModel(const ModelMesh *mesh);

/* The mesh's morph targets for a def: [morphCount], which borrow the arrays of the mesh. free() them. Null: out of memory. */
VkskinMorphTarget *modelCreateMorphs(const ModelMesh *source, EngineError *error);

/*
 * Vertex i becomes a copy of the old vertex origins[i], for each i below `count`, in every per-vertex array and every
 * morph target. origins: [count], each below mesh->vertexCount; a vertex may appear any number of times. Indices are
 * not changed: the caller renumbers them. False: out of memory; the mesh can then only be freed.
 */
bool modelGatherVertices(ModelMesh *mesh, const uint32_t *origins, uint32_t count);

/*
 * Sorts the vertices with vkskinSortVertices, keeping all influences, and renumbers the indices. Triangles keep their
 * order. A mesh that the library refuses (more than 255 influences per vertex, too many bones) stays unsorted:
 * vkskinCreateMesh reports why. False: out of memory; the mesh can then only be freed.
 */
bool modelSortMesh(ModelMesh *mesh);

/* modelSortMesh for all meshes. Use it for models that are drawn many times. Do not use it if vertices are exported in
 * the file's order. */
bool modelSortVertices(Model *model, EngineError *error);

/*
 * The largest factor by which the meshToModel matrix of a part that shows mesh `mesh` lengthens a direction; 1 if no
 * part shows it. It converts an error in the mesh's units to an upper bound in the model's units.
 */
double modelStretch(const Model *model, uint32_t mesh);

/*
 * The sum of a vertex' weights that is farthest from 1, of all meshes; *mesh: the mesh that has it. 1, and *mesh is null,
 * if none is farther than 1 in 1,000.
 */
double modelWorstWeights(const Model *model, const ModelMesh **mesh);

/* places[v] becomes the first vertex at exactly the same position. positions: [count][3]. places: [count]. */
bool modelFindPlaces(const float *positions, uint32_t count, uint32_t *places, EngineError *error);

#endif
