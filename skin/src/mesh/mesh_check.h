/*
 * mesh_check.h: refuses a VkskinMeshDef that the kernels could not be given.
 */
#ifndef VKSKIN_MESH_CHECK_H
#define VKSKIN_MESH_CHECK_H

#include "host.h"
#include "vkskin/vkskin_mesh.h"

/*
 * Looks at the def's fields and at every vertex. mostBytes: of source that there can be room for. Errors: those of
 * vkskinCreateMesh that speak of the def.
 */
VkskinResult sknCheckMeshDef(const Host *host, const VkskinMeshDef *def, uint64_t mostBytes);

#endif
