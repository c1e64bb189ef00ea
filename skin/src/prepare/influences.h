/*
 * influences.h: the influences of vertices: sorted, trimmed, scaled to a sum of one, quantised, and listed.
 */
#ifndef VKSKIN_INFLUENCES_H
#define VKSKIN_INFLUENCES_H

#include "surface.h"

typedef struct KeptInfluences {
    uint32_t count;       /* kept, none of weight zero; 0 where all weights were zero */
    uint32_t dropped;     /* with a weight above zero */
    double droppedWeight; /* as a share of the sum */
    double sum;           /* of all weights, before */
} KeptInfluences;

/*
 * Brings `count` influences (255 at most) into descending order, the earlier of equals first, and keeps the first
 * `most` (0: all) of those whose share of the sum is at least minShare; the largest always stays. What is kept stands
 * first and sums to one. Weights are finite and at least 0.
 */
KeptInfluences sknKeepInfluences(Influence *influences, uint32_t count, uint32_t most, float minShare);

/* The units that a weight of one is stored as; 0 for floats. */
uint32_t sknWeightUnits(VkskinWeightFormat format);

/*
 * Weights as whole units of 1/total that sum to `total`, each off by less than one, by largest remainders. The
 * influences are as sknKeepInfluences leaves them, `count` at least 1. Returns how many have a unit at all: the rest,
 * which are the last, go.
 */
uint32_t sknCountUnits(const Influence *influences, uint32_t count, uint32_t total, uint32_t *units);

/* ---- The influences of all vertices ---- */

typedef struct InfluenceLists {
    size_t *first;         /* [vertexCount + 1]: a vertex's list ends where the next one's begins */
    Influence *influences; /* what is kept of each vertex, its weights summing to one, ascending by joint */
} InfluenceLists;

/* Which influences of a vertex are kept; zero keeps all. */
typedef struct KeepRule {
    uint32_t most;  /* as sknKeepInfluences takes them */
    float minShare; /* likewise */
    uint32_t total; /* weights are rounded to units of 1/total, and those of no unit go; 0: they are not */
} KeepRule;

/*
 * Makes the lists of a checked surface: what the rule keeps of each vertex, nothing where all its weights are zero.
 * False where there is no memory; nothing is left then.
 */
bool sknMakeInfluenceLists(const Surface *surface, KeepRule rule, InfluenceLists *lists);

/* Makes one influence of those of a vertex that name the same bone, their weights added. */
void sknJoinDoubles(const Surface *surface, InfluenceLists *lists);

/*
 * What moves a triangle: the mean of its corners' weights into mean[3 * MAX_INFLUENCES], ascending by joint, no joint
 * twice. Returns how many.
 */
uint32_t sknTriangleInfluences(const Surface *surface, const InfluenceLists *lists, uint32_t triangle, Influence *mean);

void sknFreeInfluenceLists(const Surface *surface, InfluenceLists *lists);

/* The list of a vertex and its length. */
static inline const Influence *sknInfluenceList(const InfluenceLists *lists, uint32_t vertex, uint32_t *count) {
    *count = (uint32_t)(lists->first[vertex + 1] - lists->first[vertex]);
    return lists->influences + lists->first[vertex];
}

/*
 * Sorts items[count], which have lists, by the length of the list, then by the bones in it, then by their own number.
 * What no bone moves stands first. `room` is [count], overwritten.
 */
void sknOrderByBones(const InfluenceLists *lists, uint32_t *items, uint32_t count, uint32_t *room);

#endif
