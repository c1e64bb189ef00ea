/*
 * lane_morph.h: morph targets that have a weight, added to the vertices of a block.
 */
#ifndef VKSKIN_LANE_MORPH_H
#define VKSKIN_LANE_MORPH_H

#include "lane_block.h"
#include "morph_pack.h"

/* words: of `width` floats for each delta; offset 0: there are none. */
static inline void addDelta(const uint32_t *words, uint32_t stream, uint32_t delta, uint32_t width, float weight,
                            uint32_t lane, Row *rows) {
    if (stream == 0) {
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        float value;
        memcpy(&value, words + stream + (size_t)delta * width + i, sizeof value);
        rows[i].f[lane] += weight * value;
    }
}

static inline void addMorph(const LaneBlock *block, const CpuMorphWeight *morph, LaneVertices *vertices) {
    const CpuMesh *mesh = block->mesh;
    const LayoutMorph *head = &mesh->morphs[morph->target];
    uint32_t place = LANES * block->number;
    uint32_t words = place / 32 - head->firstBlock; /* wraps around before the first */
    if (words >= head->blockCount) {
        return;
    }
    uint32_t moved = mesh->morphWords[head->blocks + 2 * (size_t)words];
    uint32_t delta = mesh->morphWords[head->blocks + 2 * (size_t)words + 1];
    delta += sknCountBits(moved & ((1u << place % 32) - 1u));
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if ((moved >> (place % 32 + lane) & 1u) != 0) {
            addDelta(mesh->morphWords, head->positions, delta, mesh->positionWords, morph->weight, lane,
                     vertices->position);
            addDelta(mesh->morphWords, head->normals, delta, 3, morph->weight, lane, vertices->normal);
            addDelta(mesh->morphWords, head->tangents, delta, 3, morph->weight, lane, vertices->tangent);
            delta++;
        }
    }
}

static inline void addMorphs(const LaneBlock *block, const CpuMorphWeight *morphs, uint32_t count,
                             LaneVertices *vertices) {
    for (uint32_t i = 0; i < count; i++) {
        addMorph(block, &morphs[i], vertices);
    }
}

#endif
