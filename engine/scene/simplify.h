/*
 * simplify.h: removes vertices of a triangle list by collapsing edges.
 *
 * A place is a position. Vertices at one place are its wedges: they differ in texture coordinates, normal or mesh. An edge from
 * place a to place b is collapsed by moving the triangles' corners at a to wedges of b. A wedge with a triangle at the edge
 * becomes the other end of the edge. Another one becomes the most similar wedge of its mesh, if it is similar enough. So seams are kept
 * where possible, also where three of them meet, and borders between meshes stay closed.
 *
 * The cost of an edge is the mean squared distance to planes (Garland and Heckbert: Surface Simplification Using Quadric Error
 * Metrics, 1997), the largest of several poses (after Mohr and Gleicher: Deformation Sensitive Decimation, 2003).
 */
#ifndef ENGINE_SIMPLIFY_H
#define ENGINE_SIMPLIFY_H

#include "engine_error.h"

#define SIMPLIFY_ATTRIBUTES 5

typedef struct SimplifyDef {
    size_t vertexCount;
    const float *positions;  /* [vertexCount][3], finite, in the bind pose; equal at one place */
    const float *posed;      /* [poseCount][vertexCount][3]: the surface in several poses */
    const float *coarse;     /* the same with the influences of the level */
    uint32_t poseCount;      /* 1 and more */
    const float *attributes; /* [vertexCount][SIMPLIFY_ATTRIBUTES]: in the unit of the positions; see PARTED */
    const uint32_t *places;  /* [vertexCount]: the first vertex at the same place */
    const uint32_t *meshes;  /* [vertexCount] */
    const uint8_t *kept;     /* [vertexCount], read at the first vertex of a place: not 0: the place stays */
    size_t wanted;           /* vertices: it stops at so many */
    double limit;            /* of the distance between a removed place and the new surface in any pose */
} SimplifyDef;

/*
 * indices: [*indexCount], a multiple of 3: the triangles, which are replaced by fewer ones. Each keeps its mesh, and they keep
 * their order. A place with very many triangles stays. Work: at most 4 x SIMPLIFY_PASSES x (triangles x their logarithm + poses x
 * triangles). False: out of memory.
 */
bool simplifyTriangles(const SimplifyDef *def, uint32_t *indices, size_t *indexCount, EngineError *error);

#define SIMPLIFY_PASSES 32

#endif
