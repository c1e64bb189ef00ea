/*
 * bone_sets.h: the triangles of a mesh by the bones that move them.
 */
#ifndef VKSKIN_BONE_SETS_H
#define VKSKIN_BONE_SETS_H

#include "influence_lists.h"

typedef struct BoneSets {
    uint32_t triangleCount;
    uint32_t *triangles; /* [triangleCount]: by their bones; those of one set side by side, ascending */
    uint32_t *setOf;     /* [triangleCount]: of each triangle */

    uint32_t count;          /* of different sets, 1 up */
    uint32_t *firstTriangle; /* [count + 1]: a set's triangles end where the next one's begin, in triangles[] */
    size_t *firstBone;       /* [count + 1]: likewise in bones[] */
    uint32_t *bones;         /* ascending within a set, none twice */

    size_t *firstSet; /* [boneCount + 1]: for each bone the sets that have it, in sets[] */
    uint32_t *sets;   /* ascending within a bone */
} BoneSets;

/*
 * Groups the triangles of a checked surface, whose lists hold all influences. Errors: WEIGHT_ZERO and BONE_LIMIT, told
 * to the surface's logger; OUT_OF_HOST_MEMORY, not told. Nothing is left then.
 */
VkskinResult sknMakeBoneSets(const Surface *surface, const InfluenceLists *lists, uint32_t maxBones, BoneSets *sets);

void sknFreeBoneSets(const Surface *surface, BoneSets *sets);

/* How many bones a set has. */
static inline uint32_t sknBoneSetSize(const BoneSets *sets, uint32_t set) {
    return (uint32_t)(sets->firstBone[set + 1] - sets->firstBone[set]);
}

#endif
