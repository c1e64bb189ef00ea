/* baseline_vertex.h: the 48 bytes of a vertex that engines commonly skin from. */
#ifndef BENCH_BASELINE_VERTEX_H
#define BENCH_BASELINE_VERTEX_H

#include "model.h"

/* As baseline.comp reads it, and the vertex input of skin_in_vertex_shader.vert. */
typedef struct BaselineVertex {
    float position[3], normal[3], tangent[4];
    uint8_t joints[4], weights[4]; /* weights: 255 is 1 */
} BaselineVertex;

_Static_assert(sizeof(BaselineVertex) == 48, "what a vertex of the baseline reads");

/* The mesh's vertices, of the first four influences each: from malloc, null where memory is out. */
BaselineVertex *newBaselineVertices(const ModelMesh *mesh);

#endif
