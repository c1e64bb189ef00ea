#include "morph_sparse.h"

#include "child_memory.h"

#include <string.h>

#define DELTA_SIZE (3 * sizeof(float))

static bool moves(const float *deltas, uint32_t vertex) {
    const float *delta = deltas ? deltas + 3 * (size_t)vertex : NULL;
    return delta && (delta[0] != 0.0f || delta[1] != 0.0f || delta[2] != 0.0f);
}

static bool movesAny(const MorphDeltas *deltas, uint32_t vertex) {
    return moves(deltas->positions, vertex) || moves(deltas->normals, vertex) || moves(deltas->tangents, vertex);
}

static float *keepMoved(const ModelMorph *morph, const float *deltas) {
    if (!deltas) {
        return NULL;
    }
    float *kept = childAllocate(morph->vertexCount, DELTA_SIZE);
    for (size_t i = 0; i < morph->vertexCount; i++) {
        memcpy(kept + 3 * i, deltas + 3 * (size_t)morph->vertices[i], DELTA_SIZE);
    }
    return kept;
}

void morphSetSparse(ModelMorph *morph, uint32_t vertexCount, MorphDeltas deltas) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < vertexCount; v++) {
        count += movesAny(&deltas, v);
    }
    morph->vertices = childAllocate(count, sizeof *morph->vertices);
    for (uint32_t v = 0; v < vertexCount; v++) {
        if (movesAny(&deltas, v)) {
            morph->vertices[morph->vertexCount++] = v;
        }
    }
    morph->positions = keepMoved(morph, deltas.positions);
    morph->normals = keepMoved(morph, deltas.normals);
    morph->tangents = keepMoved(morph, deltas.tangents);
}

float *morphSpread(const ModelMorph *morph, const float *values, uint32_t vertexCount) {
    float *deltas = values ? childAllocate(vertexCount, DELTA_SIZE) : NULL;
    for (size_t i = 0; deltas && i < morph->vertexCount; i++) {
        memcpy(deltas + 3 * (size_t)morph->vertices[i], values + 3 * i, DELTA_SIZE);
    }
    return deltas;
}
