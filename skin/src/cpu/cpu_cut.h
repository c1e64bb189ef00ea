/*
 * cpu_cut.h: cuts a mesh into spans, parts and runs (cpu_mesh.h) by the influence counts of its vertices.
 */
#ifndef VKSKIN_CPU_CUT_H
#define VKSKIN_CPU_CUT_H

#include "cpu_mesh.h"

/*
 * mesh: with arena, info and map set; receives everything else except rows, shared bones and morphs. counts[vertexCount]:
 * influences of each vertex, 0 in a mesh without bones. *rowCount receives the number of rows. False: no memory.
 */
bool sknCutMesh(const uint8_t *counts, CpuMesh *mesh, uint64_t *rowCount);

/* Where a vertex is stored. */
typedef struct CpuLane {
    uint32_t run;
    uint32_t index; /* in the run */
} CpuLane;

/* The lane of a part's next vertex in the host's order. next[LAYOUT_CLASSES]: zero before the first vertex. */
CpuLane sknNextLane(const CpuMesh *mesh, const CpuPart *part, uint32_t influences, uint32_t *next);

#endif
