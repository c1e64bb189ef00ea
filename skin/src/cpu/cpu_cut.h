/*
 * cpu_cut.h: cuts a mesh into spans, parts and runs (cpu_mesh.h), by how many influences its vertices have.
 */
#ifndef VKSKIN_CPU_CUT_H
#define VKSKIN_CPU_CUT_H

#include "cpu_mesh.h"

/*
 * counts[vertexCount]: influences of each vertex, 0 in a mesh without bones. Fills of the mesh, whose info and map
 * stand, all but rows and morphs, and returns in *rowCount how many rows it takes. Where memory is missing, false, and
 * the mesh holds what it got.
 */
bool sknCutMesh(const VkskinHostAllocator *allocator, const uint8_t *counts, CpuMesh *mesh, uint64_t *rowCount);

/* Where a vertex lies. */
typedef struct CpuLane {
    uint32_t run;
    uint32_t index; /* in the run */
} CpuLane;

/* Walks through a part in the host's order. next[LAYOUT_CLASSES]: zero before its first vertex. */
CpuLane sknNextLane(const CpuMesh *mesh, const CpuPart *part, uint32_t influences, uint32_t *next);

#endif
