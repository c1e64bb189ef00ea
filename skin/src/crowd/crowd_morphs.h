/*
 * crowd_morphs.h: the morph weights of a model in each clip, as rows that pose passes mix; and how far they move vertices.
 */
#ifndef VKSKIN_CROWD_MORPHS_H
#define VKSKIN_CROWD_MORPHS_H

#include "crowd/crowd_layout.h"
#include "host.h"
#include "vkskin/vkskin_crowd.h"

/* The morph targets of the mesh of a part. */
typedef struct CrowdMorphSource {
    uint32_t count;
    uint32_t first, step;        /* LayoutMorphWeight.morph of the first target, and from one to the next */
    const bool *after;           /* [count]: applied after skinning; null: none */
    const float (*maxDelta)[3];  /* [count]: largest size of a delta, by axis */
    const VkskinCrowdPart *part; /* host memory, valid only while the crowd is created */
} CrowdMorphSource;

/* What the weights of a model are made from. */
typedef struct CrowdMorphNeeds {
    const CrowdMorphSource *sources; /* [partCount] */
    uint32_t partCount;
    const VkskinClip *clips; /* [clipCount] or null, also elements */
    const float *durations;  /* [clipCount]: of the packed clips */
    uint32_t clipCount;
    uint32_t most; /* targets with a weight */
} CrowdMorphNeeds;

/* Targets whose weight is 0 in all rows are left out. */
typedef struct CrowdMorphs {
    uint32_t count;              /* targets of all parts; 0: all that follows is empty */
    uint32_t *targets;           /* [count]: LayoutMorphWeight.morph, part by part */
    LayoutCrowdMorphPart *parts; /* [partCount] */
    uint32_t *clipRows;          /* [clipCount + 1]: index of the first row of each clip */
    uint32_t *phases;            /* [rows]: 0 for the first row of a clip; ascending; equal ones are a jump */
    float *weights;              /* [rows][count] */
    double before[3], after[3];  /* how far vertices move by targets before and after skinning, by axis */
} CrowdMorphs;

/*
 * arena: receives the arrays. model: for messages. Errors: TOO_MANY_MORPHS, WEIGHT_NOT_FINITE, OUT_OF_HOST_MEMORY.
 */
VkskinResult sknMakeCrowdMorphs(const Host *host, uint32_t model, const CrowdMorphNeeds *needs, Arena *arena,
                                CrowdMorphs *morphs);

/* Words of the morph weights of a slot: for each part with targets a LayoutMorphs and the weights. */
uint32_t sknCrowdMorphWords(const CrowdMorphs *morphs, uint32_t partCount);

/*
 * Boxes that hold the vertices of `boxes` also when targets before skinning move them. Null on failure. binds, boneNodes:
 * [boneCount] of the skin.
 */
VkskinAnimationBox *sknGrowBoxes(Arena *arena, const CrowdMorphs *morphs, const VkskinAnimationBox *boxes,
                                 uint32_t nodeCount, const VkskinAffine *binds, const uint32_t *boneNodes,
                                 uint32_t boneCount);

/* Writes the weights of a slot, as crowd_describe.comp does: those that are not 0. */
void sknWriteCrowdMorphs(const uint32_t *tables, const LayoutCrowdMorphs *morphs, const LayoutCrowdPose *pose,
                         uint32_t *words);

/* The weights of all targets of all parts, part by part, in a pose: those that may be other than 0. sources: of the parts. */
void sknCrowdMorphWeights(const uint32_t *tables, const LayoutCrowdMorphs *morphs, const CrowdMorphSource *sources,
                          const LayoutCrowdPose *pose, float *weights);

#endif
