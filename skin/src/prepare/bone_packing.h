/*
 * bone_packing.h: sets of bones put together to parts of at most so many bones, greedily.
 */
#ifndef VKSKIN_BONE_PACKING_H
#define VKSKIN_BONE_PACKING_H

#include "bone_sets.h"
#include "host_loop.h"

#define NO_HOME UINT32_MAX

/* A part whose bones hold a set's. */
typedef struct BoneHome {
    uint32_t part;
    uint32_t next; /* another home of the set, or NO_HOME */
} BoneHome;

typedef struct BonePacking {
    uint32_t partCount;
    uint32_t *partOf; /* [sets->count]: where the greedy choice put a set */
    uint32_t *homeOf; /* [sets->count]: the first home of a set; its part above is among them */
    uint32_t homeCount, homeCapacity;
    BoneHome *homes;
} BonePacking;

/*
 * A part begins with a set of most bones, of those with one whose bones are in the fewest other sets: at an end of the
 * skeleton. Then comes, again and again, the set that brings the fewest new bones, of those one that shares most, until
 * none fits. `firstSet` begins the first part instead, where it is below sets->count. Errors: CANCELLED, told to the
 * surface's logger; OUT_OF_HOST_MEMORY, not told. Nothing is left then.
 */
VkskinResult sknPackBones(Stage stage, const BoneSets *sets, uint32_t maxBones, uint32_t firstSet,
                          BonePacking *packing);

void sknFreeBonePacking(const Surface *surface, BonePacking *packing);

#endif
