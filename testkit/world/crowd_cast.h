/*
 * crowd_cast.h: what a crowd of two models needs: a clip set, a skin, two meshes, morph weights that clips drive; and
 * random characters and changes of them. The same random numbers make the same objects.
 */
#ifndef TESTKIT_CROWD_CAST_H
#define TESTKIT_CROWD_CAST_H

#include "random.h"
#include "vkskin/vkskin_crowd.h"

#define CAST_MODELS     2u
#define CAST_PARTS      3u /* parts of all models: the first model has the first mesh, the second one both */
#define CAST_MASK       3u /* mask of the part of the second mesh: three of four characters show it */
#define CAST_LEVELS     3u /* intervals are 1, 2 and 4 */
#define CAST_NODES      12u
#define CAST_BONES      10u
#define CAST_SKIN_BONES (CAST_BONES + 2) /* the first mesh uses all, the second CAST_BONES */
#define CAST_CLIPS      4u
#define CAST_TARGETS    3u
#define CAST_CARRIER    2u /* node with the morph weights of the first mesh; the next node those of the second */

typedef struct CastDef {
    uint32_t capacity;
    uint32_t slots[CAST_MODELS];
    uint32_t maxChanges; /* 0: the default */
    bool previousPositions;
    bool rigid;  /* each vertex has one bone: bounds are closer */
    bool morphs; /* the meshes have targets, which clips drive */
    bool whole;  /* all characters show all parts: no masks */
    bool levels; /* the models have CAST_LEVELS coarser levels, each with the slots of the model */
    VkskinMethod method;
    VkskinVertexFormat format; /* vertex format of the meshes */
    VkskinNormals normals;
    uint32_t dropped; /* 0: the meshes have normals and tangents, 1: only normals, 2: neither */
} CastDef;

typedef struct Cast {
    VkskinMesh meshes[2];
    uint32_t vertexCounts[2];
    VkskinSkin skin;
    VkskinAnimationBox boxes[CAST_NODES];
    VkskinClipSet clipSet;
    VkskinClip clips[CAST_CLIPS]; /* with morph weights, or null */
} Cast;

/* The first failure, which the library has logged, or success. */
VkskinResult castMake(VkskinContext context, const CastDef *def, Random *random, Cast *cast);

/* Frees what no context owns. */
void castFree(Cast *cast);

/* The def of a crowd; points into *made and *cast. */
typedef struct CastCrowdDef {
    VkskinCrowdPart parts[CAST_PARTS];
    VkskinCrowdModel models[CAST_MODELS];
    VkskinCrowdLevel levels[CAST_MODELS][CAST_LEVELS];
    VkskinCrowdDef def;
} CastCrowdDef;

void castDescribe(const Cast *cast, const CastDef *def, CastCrowdDef *made);

/* Any place, model, animation and variation; one in ten is hidden. */
VkskinCharacterDef castCharacter(Random *random);

/* One change of one character. *hidden: set if it hides or shows the character; may be null. */
VkskinResult castChange(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *who, Random *random,
                        bool *hidden);

#endif
