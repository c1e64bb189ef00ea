/*
 * lane_write.h: the vertices of a block as they go out: put together here, written once. They are sent a block later:
 * by then what was put together of small stores can be read in large pieces without waiting for them.
 */
#ifndef VKSKIN_LANE_WRITE_H
#define VKSKIN_LANE_WRITE_H

#include "copy_out.h"
#include "lane_block.h"

/* A block on its way out. */
typedef struct LaneOutput {
    uint32_t positions[LANES * 3];
    uint32_t attributes[LANES * 7];
    uint32_t positionWords, attributeWords; /* to be sent */
    void *toPositions;
    void *toAttributes;
} LaneOutput;

/* Rows as vectors of two or three, one after another. */
LANE_INLINE void joinTwo(const Row rows[2], uint32_t *restrict out) {
    for (size_t lane = 0; lane < LANES; lane++) {
        out[2 * lane] = rows[0].u[lane];
        out[2 * lane + 1] = rows[1].u[lane];
    }
}

LANE_INLINE void joinThree(const Row rows[3], uint32_t *restrict out) {
    for (size_t lane = 0; lane < LANES; lane++) {
        out[3 * lane] = rows[0].u[lane];
        out[3 * lane + 1] = rows[1].u[lane];
        out[3 * lane + 2] = rows[2].u[lane];
    }
}

static inline void packAttributes(const LaneBlock *block, const LaneVertices *vertices, uint32_t *out) {
    Row words[2];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        words[0].u[lane] = packNormal(laneVector(vertices->normal, lane));
    }
    if (block->attributes == 1) {
        memcpy(out, words[0].u, sizeof words[0].u);
        return;
    }
    const Row *handedness = block->rows + block->mesh->map.tangent + 3;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        words[1].u[lane] = packTangent(laneVector(vertices->tangent, lane), handedness->f[lane]);
    }
    joinTwo(words, out);
}

static inline void joinAttributes(const LaneBlock *block, const LaneVertices *vertices, uint32_t *out) {
    if (block->attributes == 1) {
        joinThree(vertices->normal, out);
        return;
    }
    const Row *handedness = block->rows + block->mesh->map.tangent + 3;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t *vertex = out + 7 * (size_t)lane;
        for (uint32_t i = 0; i < 3; i++) {
            vertex[i] = vertices->normal[i].u[lane];
            vertex[3 + i] = vertices->tangent[i].u[lane];
        }
        vertex[6] = handedness->u[lane];
    }
}

/* The first `count` lanes; `target` is that of the run, `first` the block's first vertex in it. */
static inline void joinVertices(const LaneBlock *block, const LaneVertices *vertices, const CpuTarget *target,
                                uint32_t first, uint32_t count, LaneOutput *output) {
    uint32_t width = block->mesh->positionWords;
    uint32_t words = block->mesh->attributeWords;
    if (width == 3) {
        joinThree(vertices->position, output->positions);
    } else {
        joinTwo(vertices->position, output->positions);
    }
    if (words > 0 && block->mesh->info.format == VKSKIN_VERTEX_PACKED) {
        packAttributes(block, vertices, output->attributes);
    } else if (words > 0) {
        joinAttributes(block, vertices, output->attributes);
    }
    output->positionWords = count * width;
    output->attributeWords = count * words;
    output->toPositions = target->positions + (size_t)first * width;
    output->toAttributes = words > 0 ? target->attributes + (size_t)first * words : NULL;
}

static inline void sendVertices(const LaneOutput *output, bool stream) {
    if (output->positionWords > 0) {
        copyOut(output->toPositions, output->positions, output->positionWords, stream);
    }
    if (output->attributeWords > 0) {
        copyOut(output->toAttributes, output->attributes, output->attributeWords, stream);
    }
}

#endif
