/*
 * pair_triangles.h: for each pair of bones the triangles that both move, for sums over triangles of like weights.
 */
#ifndef VKSKIN_PAIR_TRIANGLES_H
#define VKSKIN_PAIR_TRIANGLES_H

#include "host_loop.h"
#include "influence_lists.h"
#include "pair_table.h"

/* A triangle and the weights that the bones of a pair have in it, each the mean of its corners'. */
typedef struct PairTriangle {
    uint32_t triangle;
    float low, high;
} PairTriangle;

typedef struct PairTriangles {
    PairTable pairs;         /* those that some vertex has */
    size_t *first;           /* [pairs.count + 1]: a pair's triangles end where the next one's begin */
    PairTriangle *triangles; /* of each pair ascending */
} PairTriangles;

/*
 * `lists` hold no bone twice in a vertex; `to` is how far the call is when they are made. Errors: CANCELLED, told to
 * the surface's logger; OUT_OF_HOST_MEMORY, not told. Nothing is left then.
 */
VkskinResult sknMakePairTriangles(const Surface *surface, const InfluenceLists *lists, double to, PairTriangles *made);

void sknFreePairTriangles(const Surface *surface, PairTriangles *made);

#endif
