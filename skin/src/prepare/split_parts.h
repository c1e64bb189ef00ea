/*
 * split_parts.h: assigns each triangle to a part of a split mesh. Groups triangles by their bones, packs sets of bones
 * into parts, then moves triangles to reduce the number of vertices.
 */
#ifndef VKSKIN_SPLIT_PARTS_H
#define VKSKIN_SPLIT_PARTS_H

#include "influences.h"

typedef struct BoneSets {
    uint32_t triangleCount;
    uint32_t *triangles; /* [triangleCount]: sorted by set, ascending within a set */
    uint32_t *setOf;     /* [triangleCount]: set of each triangle */

    uint32_t count;          /* number of different sets, at least 1 */
    uint32_t *firstTriangle; /* [count + 1]: start of each set in triangles[], and the total */
    size_t *firstBone;       /* [count + 1]: start of each set in bones[], and the total */
    uint32_t *bones;         /* ascending within a set, without duplicates */

    size_t *firstSet; /* [boneCount + 1]: start in sets[] of the sets that have each bone */
    uint32_t *sets;   /* ascending within a bone */
} BoneSets;

/*
 * Groups the triangles of a checked surface, whose lists hold all influences. Errors: WEIGHT_ZERO and BONE_LIMIT,
 * logged; OUT_OF_HOST_MEMORY, not logged.
 */
VkskinResult sknMakeBoneSets(const Surface *surface, const InfluenceLists *lists, uint32_t maxBones, Arena *arena,
                             BoneSets *sets);

/* Number of bones of a set. */
static inline uint32_t sknBoneSetSize(const BoneSets *sets, uint32_t set) {
    return (uint32_t)(sets->firstBone[set + 1] - sets->firstBone[set]);
}

#define NO_HOME UINT32_MAX

/* A part that has all bones of a set. */
typedef struct BoneHome {
    uint32_t part;
    uint32_t next; /* another home of the set, or NO_HOME */
} BoneHome;

typedef struct BonePacking {
    uint32_t partCount;
    uint32_t *partOf; /* [sets->count]: part that the greedy packing chose for each set */
    uint32_t *homeOf; /* [sets->count]: first home of each set; partOf is one of its homes */
    uint32_t homeCount, homeCapacity;
    BoneHome *homes;
} BonePacking;

/*
 * Packs sets greedily. A part starts with a set with the maximum number of bones; among equals, with a set whose bones
 * are in the fewest other sets, which is at an end of the skeleton. Then the set that adds the fewest bones is added,
 * among equals the one that shares the most bones, until no set fits. If `firstSet` is below sets->count, it starts the
 * first part. The packing and scratch memory are in the arena. Errors: CANCELLED, logged; OUT_OF_HOST_MEMORY, not logged.
 */
VkskinResult sknPackBones(ProgressStage stage, const BoneSets *sets, uint32_t maxBones, uint32_t firstSet, Arena *arena,
                          BonePacking *packing);

typedef struct PartChoice {
    uint32_t partCount; /* some may have no triangle */
    uint32_t *partOf;   /* [triangleCount] */
    size_t vertexCount; /* total of all parts */
} PartChoice;

/*
 * Starts with the parts of a packing. Moves whole sets, and then single triangles, to the home that removes the most
 * vertices. Stops if no move removes any, or after a fixed number of rounds. Scratch memory is in the arena; the caller
 * frees the choice. Errors: CANCELLED, logged; OUT_OF_HOST_MEMORY, not logged; the choice is then empty.
 */
VkskinResult sknChooseParts(ProgressStage stage, const BoneSets *sets, const BonePacking *packing, Arena *arena,
                            PartChoice *choice);

void sknFreePartChoice(const Surface *surface, PartChoice *choice);

#endif
