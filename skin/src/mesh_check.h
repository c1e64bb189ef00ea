/*
 * mesh_check.h: refuses a VkskinMeshDef that the kernels could not be given.
 */
#ifndef VKSKIN_MESH_CHECK_H
#define VKSKIN_MESH_CHECK_H

#include "gpu.h"
#include "vertex_pack.h"

/* Looks at the def's fields and at every vertex. Errors: those of vkskinCreateMesh that speak of the def. */
VkskinResult sknCheckMeshDef(const Gpu *gpu, const VkskinMeshDef *def);

/* A checked def's data: attribute streams by stride, and all influences of a vertex into influences[]. */
const float *sknMeshPosition(const VkskinMeshDef *def, uint32_t vertex);
const float *sknMeshNormal(const VkskinMeshDef *def, uint32_t vertex);
const float *sknMeshTangent(const VkskinMeshDef *def, uint32_t vertex);
void sknMeshInfluences(const VkskinMeshDef *def, uint32_t vertex, Influence *influences);

/* The def's name, or "unnamed". */
const char *sknMeshName(const VkskinMeshDef *def);

#define MAX_INFLUENCES_IN 255

#endif
