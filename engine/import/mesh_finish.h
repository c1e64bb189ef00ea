/* mesh_finish.h: what every importer does to a mesh's attributes before the mesh is done. */
#ifndef ENGINE_MESH_FINISH_H
#define ENGINE_MESH_FINISH_H

#include "model.h"

/*
 * Positions must be finite. Texture coordinates and tangents that are not finite are left out whole, normals that
 * are not finite are computed from the triangles. False: `message` (IMPORT_MESSAGE_SIZE bytes) names the vertex.
 */
bool meshFinishAttributes(ModelMesh *mesh, const char *path, char *message);

#endif
