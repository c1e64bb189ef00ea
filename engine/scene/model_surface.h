/*
 * model_surface.h: a mesh of a model as vkskin_mesh.h reads it.
 */
#ifndef ENGINE_MODEL_SURFACE_H
#define ENGINE_MODEL_SURFACE_H

#include "model.h"
#include "vkskin/vkskin_mesh.h"

/* Borrows all of the mesh; nothing of threads, progress, logger and materials is set. */
VkskinSurfaceDef modelSurface(const ModelMesh *mesh);

#endif
