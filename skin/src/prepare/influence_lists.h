/*
 * influence_lists.h: for each vertex of a surface the bones that move it, one list behind another.
 */
#ifndef VKSKIN_INFLUENCE_LISTS_H
#define VKSKIN_INFLUENCE_LISTS_H

#include "surface.h"

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

#endif
