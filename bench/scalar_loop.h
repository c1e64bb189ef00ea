/*
 * scalar_loop.h: skinning on the CPU as an engineer writes it who needs it once: plain C, one vertex at a time, as many
 * influences as the mesh has, up to the first without weight. What the CPU backend is compared with.
 *
 * It is compiled with the flags of all the bench, so the compiler may use what vector instructions it finds.
 */
#ifndef BENCH_SCALAR_LOOP_H
#define BENCH_SCALAR_LOOP_H

#include <stdint.h>

/* Arrays as they come out of an importer, tightly packed. */
typedef struct ScalarMesh {
    uint32_t vertexCount;
    uint32_t influences;    /* that are looked at a vertex, 1 up */
    uint32_t places;        /* of joints and weights a vertex: influences up */
    const float *positions; /* [vertexCount][3] */
    const float *normals;   /* [vertexCount][3] */
    const float *tangents;  /* [vertexCount][4], w the handedness */
    const uint32_t *joints; /* [vertexCount][places] */
    const float *weights;   /* [vertexCount][places], their sum 1, those without weight last */
} ScalarMesh;

/*
 * Linear blending. palette: entries of VKSKIN_PALETTE_MAT3X4. positions: [vertexCount][3]. attributes: [vertexCount][7],
 * normal and tangent of unit length, as VKSKIN_VERTEX_FLOAT; null: positions alone.
 */
void scalarSkin(const ScalarMesh *mesh, const float *palette, float *positions, float *attributes);

#endif
