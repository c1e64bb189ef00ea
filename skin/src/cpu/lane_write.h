/*
 * lane_write.h: the vertices of a block as they go out: put together here, written once.
 */
#ifndef VKSKIN_LANE_WRITE_H
#define VKSKIN_LANE_WRITE_H

#include "copy_out.h"
#include "lane_block.h"

static inline void writePositions(const LaneVertices *vertices, uint32_t width, uint32_t count, float *to,
                                  bool stream) {
    float out[LANES * 3];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        for (uint32_t i = 0; i < width; i++) {
            out[lane * width + i] = vertices->position[i].f[lane];
        }
    }
    copyOut(to, out, count * width, stream);
}

static inline void packAttributes(const LaneBlock *block, const LaneVertices *vertices, uint32_t *out) {
    Row words[2];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        words[0].u[lane] = packNormal(laneVector(vertices->normal, lane));
    }
    if (block->attributes == 1) {
        memcpy(out, &words[0], sizeof words[0]);
        return;
    }
    const Row *handedness = block->rows + block->mesh->map.tangent + 3;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        words[1].u[lane] = packTangent(laneVector(vertices->tangent, lane), handedness->f[lane]);
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        out[2 * lane] = words[0].u[lane];
        out[2 * lane + 1] = words[1].u[lane];
    }
}

static inline void joinAttributes(const LaneBlock *block, const LaneVertices *vertices, uint32_t *out) {
    const Row *rows[7] = {&vertices->normal[0], &vertices->normal[1], &vertices->normal[2]};
    uint32_t width = block->mesh->attributeWords;
    if (block->attributes == 2) {
        rows[3] = &vertices->tangent[0];
        rows[4] = &vertices->tangent[1];
        rows[5] = &vertices->tangent[2];
        rows[6] = block->rows + block->mesh->map.tangent + 3;
    }
    for (uint32_t i = 0; i < width; i++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            out[lane * width + i] = rows[i]->u[lane];
        }
    }
}

/* The first `count` lanes; `target` is that of the run, `first` the block's first vertex in it. */
static inline void writeVertices(const LaneBlock *block, const LaneVertices *vertices, const CpuTarget *target,
                                 uint32_t first, uint32_t count, bool stream) {
    uint32_t width = block->mesh->positionWords;
    writePositions(vertices, width, count, target->positions + (size_t)first * width, stream);
    if (block->attributes > 0) {
        uint32_t out[LANES * 7];
        uint32_t words = block->mesh->attributeWords;
        if (block->mesh->info.format == VKSKIN_VERTEX_PACKED) {
            packAttributes(block, vertices, out);
        } else {
            joinAttributes(block, vertices, out);
        }
        copyOut(target->attributes + (size_t)first * words, out, count * words, stream);
    }
}

#endif
