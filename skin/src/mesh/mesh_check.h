/*
 * mesh_check.h: refuses a VkskinMeshDef that the kernels could not be given.
 */
#ifndef VKSKIN_MESH_CHECK_H
#define VKSKIN_MESH_CHECK_H

#include "gpu.h"

/* Looks at the def's fields and at every vertex. Errors: those of vkskinCreateMesh that speak of the def. */
VkskinResult sknCheckMeshDef(const Gpu *gpu, const VkskinMeshDef *def);

#endif
