/*
 * drawn_crowd.h: a crowd that is drawn in some passes: skinned in the vertex shader of each, or once by the library's
 * compute pass. What is timed is skinning and the passes' work on vertices: points behind the far plane.
 */
#ifndef BENCH_DRAWN_CROWD_H
#define BENCH_DRAWN_CROWD_H

#include "bench_case.h"
#include "library_crowd.h"

/* BenchCase.parameters of these cases. */
typedef struct DrawnCrowdDef {
    LibraryCrowdDef crowd; /* packed; of the vertex shader, which reads matrices, the shape alone counts */
    uint32_t passes;
} DrawnCrowdDef;

/* A source of 48 bytes and a palette of matrices, both read in each pass. */
extern const CaseFunctions VERTEX_SHADER_CROWD;

/* The library's output, 20 bytes, pulled in each pass. */
extern const CaseFunctions COMPUTE_DRAWN_CROWD;

#endif
