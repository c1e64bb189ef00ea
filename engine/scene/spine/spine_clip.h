/*
 * spine_clip.h: triangles of a 2D model cut by its clipping polygons, for files, which have no stencil.
 *
 * The inside of a polygon is by the rule of the stencil: what is inside an odd number of times. So it may be concave and
 * cross itself.
 */
#ifndef ENGINE_SPINE_CLIP_H
#define ENGINE_SPINE_CLIP_H

#include "spine_pose.h"

/* Which polygon clips, while slots are visited in draw order. Begins with SPINE_UNCLIPPED. */
typedef struct SpineClipping {
    int32_t slot; /* whose polygon clips; -1: none */
    int32_t end;  /* the last slot that it clips; -1: up to the last one */
} SpineClipping;

#define SPINE_UNCLIPPED ((SpineClipping){-1, -1})

/* Before and after a slot. A polygon that begins while another one clips does nothing. */
void spineClipBegin(const SpinePose *pose, uint32_t slot, SpineClipping *clipping);
void spineClipEnd(uint32_t slot, SpineClipping *clipping);

/* The inside of a polygon as convex pieces that do not overlap. */
typedef struct SpineRegion {
    uint32_t pieceCount;
    uint32_t *first;    /* [pieceCount + 1]: in `corners` */
    double *corners;    /* [first[pieceCount]][2], counter-clockwise */
    uint32_t cornerMax; /* maximum corners of a piece */
} SpineRegion;

/*
 * Steps that the calls below may take for all slots of a pose: an edge of a polygon at the height of a corner or of a
 * crossing; a triangle and an edge of a piece. *left begins with it. A call that would take more than are left fails
 * before it begins.
 */
#define SPINE_CLIP_STEPS (1u << 26)

/* polygon: [count][2], finite. Fails for polygons of more than some thousand corners or crossings. */
bool spineRegionCreate(const double *polygon, uint32_t count, uint64_t *left, SpineRegion *region, EngineError *error);

/* A zero one is allowed. */
void spineRegionFree(SpineRegion *region);

/* A point of a triangle: the sum of share x corner, for positions and for texture coordinates. */
typedef struct SpineCutVertex {
    uint32_t corners[3];
    double shares[3]; /* they sum to 1 */
} SpineCutVertex;

typedef struct SpineCut {
    uint32_t vertexCount, indexCount;
    SpineCutVertex *vertices; /* [vertexCount] */
    uint32_t *indices;        /* [indexCount] triangles, turned as before */
} SpineCut;

/*
 * The parts of triangles that are in the region; null: all of them. positions: [vertexCount][2], finite. indices:
 * [indexCount], a multiple of 3. The caller calls spineCutFree also after a failure.
 */
bool spineCutMake(const SpineRegion *region, const double *positions, uint32_t vertexCount, const uint32_t *indices,
                  uint32_t indexCount, uint64_t *left, SpineCut *cut, EngineError *error);
void spineCutFree(SpineCut *cut);

#endif
