/*
 * drawn_crowd.h: a crowd that is drawn in several passes. It is skinned in the vertex shader of each pass, or once in the
 * library's compute pass. The time covers skinning and vertex work: all points lie behind the far plane.
 */
#ifndef BENCH_DRAWN_CROWD_H
#define BENCH_DRAWN_CROWD_H

#include "bench_case.h"
#include "library_crowd.h"

/* BenchCase.parameters of these cases. */
typedef struct DrawnCrowdDef {
    LibraryCrowdDef crowd; /* packed; the vertex shader uses only the shape */
    uint32_t passes;
} DrawnCrowdDef;

/* Reads 48 bytes of source and a matrix palette in each pass. */
extern const CaseFunctions VERTEX_SHADER_CROWD;

/* Pulls the library's output, 20 bytes per vertex, in each pass. */
extern const CaseFunctions COMPUTE_DRAWN_CROWD;

#endif
