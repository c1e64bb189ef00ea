/* mesh_normals.h: normals for meshes that come without. */
#ifndef ENGINE_MESH_NORMALS_H
#define ENGINE_MESH_NORMALS_H

#include "model.h"

/*
 * Sets the normal of every vertex from the triangles that use it, weighted by their area: flat where each triangle
 * has vertices of its own, smooth where they share them. A vertex whose triangles have no area gets (0, 0, 1).
 * positions and indices are set, indices in range; mesh->normals is allocated where it is null.
 */
void meshComputeNormals(ModelMesh *mesh);

/*
 * Sets the normals of every morph, which has positions alone, to those of the morphed triangles minus the mesh's, which
 * meshComputeNormals has made: right at the weights 0 and 1, and a blend between. More vertices may be moved then.
 * A vertex whose morphed triangles have no area keeps its normal.
 */
void meshComputeMorphNormals(ModelMesh *mesh);

/* As meshComputeNormals for those vertices alone whose normal is not finite, and for all where mesh->normals is null. */
void meshRepairNormals(ModelMesh *mesh);

#endif
