/* mesh_weld.h: vertices that are the same become one. */
#ifndef ENGINE_MESH_WELD_H
#define ENGINE_MESH_WELD_H

#include "model.h"

/*
 * Joins vertices whose every attribute, joint, weight and morph is the same bit for bit, keeps the first of each, and
 * drops those that no triangle uses. Vertices that differ in weights or in a morph alone stay apart. The mesh is whole:
 * positions, normals, joints, weights and indices set, indices in range.
 */
void meshWeld(ModelMesh *mesh);

/* The reverse: every corner of every triangle gets a vertex of its own. Normals and tangents may be null. */
void meshSplit(ModelMesh *mesh);

#endif
