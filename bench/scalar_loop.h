/*
 * scalar_loop.h: the baseline of the CPU cases: skinning in simple C, one vertex at a time, with the influences of the
 * vertex up to the first zero weight.
 *
 * It is compiled with the flags of the whole bench, so the compiler may vectorise it.
 */
#ifndef BENCH_SCALAR_LOOP_H
#define BENCH_SCALAR_LOOP_H

#include <stdint.h>

/* The arrays of an importer, tightly packed. */
typedef struct ScalarMesh {
    uint32_t vertexCount;
    uint32_t influences;    /* read per vertex, at least 1 */
    uint32_t places;        /* joints and weights stored per vertex, at least `influences` */
    const float *positions; /* [vertexCount][3] */
    const float *normals;   /* [vertexCount][3] */
    const float *tangents;  /* [vertexCount][4], w the handedness */
    const uint32_t *joints; /* [vertexCount][places] */
    const float *weights;   /* [vertexCount][places]; their sum is 1, zero weights come last */
} ScalarMesh;

/*
 * Linear blending. palette: entries of VKSKIN_PALETTE_MAT3X4. positions: [vertexCount][3]. attributes: [vertexCount][7],
 * normal and tangent of unit length, as VKSKIN_VERTEX_FLOAT; null: positions only.
 */
void scalarSkin(const ScalarMesh *mesh, const float *palette, float *positions, float *attributes);

#endif
