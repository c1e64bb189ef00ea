/*
 * model_surface.h: the VkskinMeshDef of a model's mesh.
 */
#ifndef ENGINE_MODEL_SURFACE_H
#define ENGINE_MODEL_SURFACE_H

#include "model.h"
#include "vkskin/vkskin_mesh.h"

/* Borrows the arrays of the mesh. Morph targets, centres and materials are not set, nor how the mesh is skinned. */
VkskinMeshDef meshDefOfModel(const ModelMesh *mesh);

#endif
