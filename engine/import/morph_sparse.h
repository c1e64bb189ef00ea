/* morph_sparse.h: a morph target from one delta for every vertex to those that are not zero, and back. */
#ifndef ENGINE_MORPH_SPARSE_H
#define ENGINE_MORPH_SPARSE_H

#include "model.h"

/* Deltas of positions, normals and tangents: [vertexCount][3] each, or null. */
typedef struct MorphDeltas {
    const float *positions, *normals, *tangents;
} MorphDeltas;

/* Fills morph, of which only the name may be set: a vertex is kept where any of its numbers is not zero. */
void morphSetSparse(ModelMorph *morph, uint32_t vertexCount, MorphDeltas deltas);

/* One array of a morph as a delta for each of `vertexCount` vertices; null where the morph lacks it. free() it. */
float *morphSpread(const ModelMorph *morph, const float *values, uint32_t vertexCount);

#endif
