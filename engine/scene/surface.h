/*
 * surface.h: the nearest point of a triangle list, in several poses at once: near is what is near in all of them. The points
 * of a vertex in these poses are one point of a space with three dimensions for each pose.
 */
#ifndef ENGINE_SURFACE_H
#define ENGINE_SURFACE_H

#include "engine_error.h"

#define SURFACE_POSES 3
#define SURFACE_AXES  12 /* three for each pose, and zeros: a number that vectors divide */

/* A triangle list that is searched. It does not change: any number of threads may search. */
typedef struct Surface Surface;

typedef struct SurfacePoint {
    uint32_t corners[3]; /* indices of the triangle's vertices */
    float weights[3];    /* the point is their mean with these weights, at least 0, with the sum 1 */
} SurfacePoint;

/*
 * positions: [vertices][SURFACE_AXES]. normals: [vertices][3]. indices: [3 * triangleCount], at least one triangle. All are borrowed until it is
 * destroyed. Work and memory: triangles x their logarithm. Null: out of memory.
 */
Surface *surfaceCreate(const float *positions, const float *normals, const uint32_t *indices, uint32_t triangleCount,
                       EngineError *error);

/* Null is allowed. */
void surfaceDestroy(Surface *surface);

/*
 * The point of the surface that is nearest. A triangle whose normals turn away from `normal` counts as twice as far, so that a
 * point of a thin part finds its own side. The search looks at SURFACE_VISITS_MAX places at most; what it found so far
 * is the answer then. *near: a triangle that is probably near, or 0; receives the one that has the point.
 */
SurfacePoint surfaceNearest(const Surface *surface, const float point[SURFACE_AXES], const float normal[3],
                            uint32_t *near);

#define SURFACE_VISITS_MAX 4096u

/* The squared distance of the point to the triangle of these corners. weights: receives those of the nearest point. */
float surfaceNearestOfTriangle(const float *const corners[3], const float point[SURFACE_AXES], float weights[3]);

#endif
