/*
 * lane_block.h: the vertices of a block on their way through skinning, and palette entries brought into lanes.
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

LANE_INLINE const Row *laneWeights(const LaneBlock *block, uint32_t influence) {
    return block->rows + block->mesh->map.influences + 2 * (size_t)influence;
}

LANE_INLINE const Row *laneJoints(const LaneBlock *block, uint32_t influence) {
    return laneWeights(block, influence) + 1;
}

/* A palette, as words of 4 bytes. */
typedef struct Palette {
    const unsigned char *bytes;
    uint32_t stride; /* bytes of an entry */
} Palette;

/* Words `at` to at + count of each lane's entry, a row each. */
LANE_INLINE void gatherWords(const Palette *palette, const Row *joints, uint32_t at, uint32_t count, Row *rows) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const unsigned char *entry = palette->bytes + (size_t)joints->u[lane] * palette->stride + 4 * (size_t)at;
        for (uint32_t w = 0; w < count; w++) {
            memcpy(&rows[w].u[lane], entry + 4 * (size_t)w, 4);
        }
    }
}

#if defined(__SSE2__)
#include <immintrin.h>

/* The same of four words: four lanes at a time, turned in registers. */
LANE_INLINE void gatherQuad(const Palette *palette, const Row *joints, uint32_t at, Row rows[4]) {
    const unsigned char *bytes = palette->bytes + 4 * (size_t)at;
    for (uint32_t lane = 0; lane < LANES; lane += 4) {
        __m128 a = _mm_loadu_ps((const float *)(const void *)(bytes + (size_t)joints->u[lane] * palette->stride));
        __m128 b = _mm_loadu_ps((const float *)(const void *)(bytes + (size_t)joints->u[lane + 1] * palette->stride));
        __m128 c = _mm_loadu_ps((const float *)(const void *)(bytes + (size_t)joints->u[lane + 2] * palette->stride));
        __m128 d = _mm_loadu_ps((const float *)(const void *)(bytes + (size_t)joints->u[lane + 3] * palette->stride));
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(&rows[0].f[lane], a);
        _mm_storeu_ps(&rows[1].f[lane], b);
        _mm_storeu_ps(&rows[2].f[lane], c);
        _mm_storeu_ps(&rows[3].f[lane], d);
    }
}
#else
LANE_INLINE void gatherQuad(const Palette *palette, const Row *joints, uint32_t at, Row rows[4]) {
    gatherWords(palette, joints, at, 4, rows);
}
#endif

#endif
