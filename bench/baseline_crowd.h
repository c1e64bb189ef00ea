/*
 * baseline_crowd.h: the way that engines commonly skin a crowd today, for the library to be compared with: one after the
 * other, each instance binds its own source, palette and output (a set with dynamic offsets) and has a dispatch; a thread
 * for each vertex, four influences always, 48 bytes of source and 40 of output a vertex, matrices of 3x4 floats in a
 * storage buffer. Workgroups of 64. No barrier between the instances.
 */
#ifndef BENCH_BASELINE_CROWD_H
#define BENCH_BASELINE_CROWD_H

#include "bench_case.h"
#include "model.h"
#include "crowd_scene.h"

/* BenchCase.parameters: a CrowdShape of at most 4 influences and 256 bones. */
/* The 48 bytes of a vertex that engines commonly skin. baseline.comp and skin_in_vertex_shader.vert read it. */
typedef struct BaselineVertex {
    float position[3], normal[3], tangent[4];
    uint8_t joints[4], weights[4]; /* weights: 255 is 1 */
} BaselineVertex;

_Static_assert(sizeof(BaselineVertex) == 48, "the baseline reads 48 bytes a vertex");

/* The vertices of the mesh, each with its first four influences. From malloc; null: out of memory. */
BaselineVertex *newBaselineVertices(const ModelMesh *mesh);

extern const CaseFunctions BASELINE_CROWD;

#endif
