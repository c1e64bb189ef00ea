/*
 * split_part.h: one part of a split mesh: its bones, vertices, joints and indices.
 */
#ifndef VKSKIN_SPLIT_PART_H
#define VKSKIN_SPLIT_PART_H

#include "influence_lists.h"

/* A VkskinSplitPart whose arrays may be freed. */
typedef struct SplitPart {
    uint32_t boneCount;
    uint32_t *bones;
    uint32_t vertexCount;
    uint32_t *vertices;
    uint32_t *joints;
    uint32_t indexCount;
    bool wideIndices;
    void *indices;
    uint32_t rangeCount;
    VkskinSplitRange *ranges;
} SplitPart;

/* What making parts of one surface needs, part after part. */
typedef struct PartMaker {
    const Surface *surface;
    const InfluenceLists *lists;
    uint32_t *placeOfVertex; /* [vertexCount]: where a vertex stands in the part, or UINT32_MAX */
    uint32_t *placeOfBone;   /* [boneCount]: likewise */
    uint32_t *gathered;      /* [the larger of the two]: the part's vertices, then its bones */
    uint32_t *room;          /* [the larger of the two] */
} PartMaker;

/* False where there is no memory; nothing is left then. */
bool sknBeginParts(PartMaker *maker, const Surface *surface, const InfluenceLists *lists);

/*
 * Makes a part of triangles[count], which stand by material. False where there is no memory; what was made of the part
 * is freed by sknFreePart then.
 */
bool sknMakePart(PartMaker *maker, const uint32_t *triangles, uint32_t count, SplitPart *part);

void sknEndParts(PartMaker *maker);

void sknFreePart(const VkskinHostAllocator *allocator, SplitPart *part);

#endif
