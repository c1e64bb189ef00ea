/*
 * cpu_rows.h: writes the vertices of a mesh into its rows.
 */
#ifndef VKSKIN_CPU_ROWS_H
#define VKSKIN_CPU_ROWS_H

#include "cpu_mesh.h"

/* Which rows a checked def's blocks have. */
RowMap sknMapRows(const VkskinMeshDef *def);

/*
 * Fills every row of a mesh that sknCutMesh cut by counts[vertexCount]. logger: as of sknMeshSurface. lanes:
 * [vertexCount], receives where each of the def's vertices lies: LANES * block + lane; null where nobody asks.
 */
void sknWriteRows(const VkskinLogger *logger, const VkskinMeshDef *def, const uint8_t *counts, CpuMesh *mesh,
                  uint32_t *lanes);

#endif
