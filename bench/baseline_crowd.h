/*
 * baseline_crowd.h: the baseline of the device cases: how engines commonly skin a crowd today. Each instance binds its
 * own source, palette and output (one set with dynamic offsets) and has its own dispatch. One thread per vertex,
 * workgroups of 64, always four influences, 48 bytes of source and 40 of output per vertex, 3x4 float matrices in a
 * storage buffer, no barrier between instances.
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
