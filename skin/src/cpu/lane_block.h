/*
 * lane_block.h: the vertices of a block on their way through skinning.
 */
#ifndef VKSKIN_LANE_BLOCK_H
#define VKSKIN_LANE_BLOCK_H

#include "cpu_code.h"
#include "vector_math.h"

/* A block of a mesh. */
typedef struct LaneBlock {
    const CpuMesh *mesh;
    const Row *rows;
    uint32_t number;     /* of the mesh's */
    uint32_t influences; /* rows of weight and joint */
    uint32_t attributes; /* 0: positions alone, 1: normals, 2: normals and tangents */
} LaneBlock;

/* Its vertices for one copy. What a mesh has not is not looked at; z of a flat one is 0. */
typedef struct LaneVertices {
    Row position[3];
    Row normal[3];
    Row tangent[3];
} LaneVertices;

LANE_INLINE Vec3 laneVector(const Row rows[3], uint32_t lane) {
    return (Vec3){rows[0].f[lane], rows[1].f[lane], rows[2].f[lane]};
}

LANE_INLINE void setLaneVector(Row rows[3], uint32_t lane, Vec3 v) {
    rows[0].f[lane] = v.x;
    rows[1].f[lane] = v.y;
    rows[2].f[lane] = v.z;
}

LANE_INLINE Quat laneQuat(const Row rows[4], uint32_t lane) {
    return (Quat){rows[0].f[lane], rows[1].f[lane], rows[2].f[lane], rows[3].f[lane]};
}

/* Not by memcpy, for which compilers take instructions that are slow to start. */
LANE_INLINE void copyRows(Row *to, const Row *from, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            to[r].u[lane] = from[r].u[lane];
        }
    }
}

LANE_INLINE const Row *laneWeights(const LaneBlock *block, uint32_t influence) {
    return block->rows + block->mesh->map.influences + 2 * (size_t)influence;
}

LANE_INLINE const Row *laneJoints(const LaneBlock *block, uint32_t influence) {
    return laneWeights(block, influence) + 1;
}

#endif
