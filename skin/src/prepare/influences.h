/*
 * influences.h: the influences of vertices: sorted, trimmed, scaled to a sum of one, quantised, and listed.
 */
#ifndef VKSKIN_INFLUENCES_H
#define VKSKIN_INFLUENCES_H

#include "surface.h"

typedef struct KeptInfluences {
    uint32_t count;       /* number of kept influences, none with weight zero; 0 if all weights are zero */
    uint32_t dropped;     /* number of removed influences with a weight above zero */
    double droppedWeight; /* fraction of the sum */
    double sum;           /* sum of all weights before trimming */
} KeptInfluences;

/*
 * Sorts `count` influences (at most 255) by descending weight, stably, and keeps the first `most` (0: all) whose
 * fraction of the sum is at least minShare. The largest is always kept. Kept influences come first, normalised.
 * Weights are finite and at least 0.
 */
KeptInfluences sknKeepInfluences(Influence *influences, uint32_t count, uint32_t most, float minShare);

/* Units of a weight of 1; 0 for floats. */
uint32_t sknWeightUnits(VkskinWeightFormat format);

/*
 * Quantises weights to multiples of 1/total that sum to `total`, with the largest remainder method. The influences come
 * from sknKeepInfluences, `count` at least 1. Returns the number of influences with at least one unit; they come first.
 */
uint32_t sknCountUnits(const Influence *influences, uint32_t count, uint32_t total, uint32_t *units);

/* ---- The influences of all vertices ---- */

typedef struct InfluenceLists {
    size_t *first;         /* [vertexCount + 1]: start of the list of each vertex, and the total */
    Influence *influences; /* kept influences of each vertex, normalised, ascending by joint */
} InfluenceLists;

/* Which influences of a vertex are kept; zero keeps all. */
typedef struct KeepRule {
    uint32_t most;  /* as in sknKeepInfluences */
    float minShare; /* as in sknKeepInfluences */
    uint32_t total; /* weights are quantised to multiples of 1/total; 0: not quantised */
} KeepRule;

/*
 * Lists the influences of a checked surface that the rule keeps. A vertex without weights has an empty list. False if
 * out of memory; nothing is allocated then.
 */
bool sknMakeInfluenceLists(const Surface *surface, KeepRule rule, InfluenceLists *lists);

/* Joins influences of a vertex with the same bone: their weights are added. */
void sknJoinDoubles(const Surface *surface, InfluenceLists *lists);

/*
 * Writes the mean weights of the vertices of a triangle to mean[3 * MAX_INFLUENCES], ascending by joint, without
 * duplicates. Returns the count.
 */
uint32_t sknTriangleInfluences(const Surface *surface, const InfluenceLists *lists, uint32_t triangle, Influence *mean);

void sknFreeInfluenceLists(const VkskinHostAllocator *allocator, InfluenceLists *lists);

/* The list of a vertex and its length. */
static inline const Influence *sknInfluenceList(const InfluenceLists *lists, uint32_t vertex, uint32_t *count) {
    *count = (uint32_t)(lists->first[vertex + 1] - lists->first[vertex]);
    return lists->influences + lists->first[vertex];
}

/*
 * Sorts items[count] by the length of their lists, then by the bones in the lists, then by item number. `room` is
 * [count] scratch memory.
 */
void sknOrderByBones(const InfluenceLists *lists, uint32_t *items, uint32_t count, uint32_t *room);

#endif
