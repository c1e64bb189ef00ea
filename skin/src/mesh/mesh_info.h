/*
 * mesh_info.h: what a mesh came to, and what of it is a warning.
 */
#ifndef VKSKIN_MESH_INFO_H
#define VKSKIN_MESH_INFO_H

#include "host.h"
#include "vkskin/vkskin_mesh.h"

/* What a checked def says itself, the bytes of its output with it; sknPlanMesh adds the rest. */
VkskinMeshInfo sknDescribeMesh(const VkskinMeshDef *def);

/* Tells of weights that were changed, and returns the last warning, or VKSKIN_SUCCESS. */
VkskinResult sknReportMesh(const Host *host, const VkskinMeshDef *def, const VkskinMeshInfo *info);

#endif
