/*
 * random_animation.h: random blocks of vkskin_pack.h in all forms that vkskinCheckAnimation accepts, also those that the
 * packer never writes; and their poses in double precision, written from the description of the layout.
 */
#ifndef TESTKIT_RANDOM_ANIMATION_H
#define TESTKIT_RANDOM_ANIMATION_H

#include "random.h"
#include "reference.h"
#include "vkskin/vkskin_pack.h"

typedef struct RandomAnimationDef {
    uint32_t nodeCount; /* at least 1 */
    uint32_t clipCount;
    uint32_t maxKeys;   /* rows of a clip: 1 to maxKeys */
    uint32_t rootCount; /* 0: 1 */
    bool chain;         /* each node is the child of the one before; otherwise of any node before */
    bool shuffled;      /* parents may have larger indices than their children */
    bool preTransforms;
    bool scales;       /* scales other than 1, also negative ones */
    float maxDistance; /* translations: -maxDistance to maxDistance */
    float turn;        /* quaternion numbers of a rotation: -turn to turn; up to 0.5 they are of unit length or less */
    float spread;      /* rotations stay about so many radians from the rest pose; 0: any */
    bool nonUniform;   /* all clips list their times; otherwise some */
    uint32_t every;    /* only each so many nodes move; 0: all may */
} RandomAnimationDef;

/* A block, aligned to 16 bytes; free it with free(). Each clip has tracks, held channels and channels at rest; numbers
 * of 2 to 24 and of 32 bits, rotations of three and of four numbers, some numbers absent. */
void *newRandomAnimation(Random *random, const RandomAnimationDef *def, size_t *size);

/* A time in a clip: rows `row` and `row` + 1, or only row 0. */
typedef struct ReferencePlace {
    uint32_t row;
    double fraction;
} ReferencePlace;

/* seconds: 0 to the duration. */
ReferencePlace referencePlaceAt(const void *block, uint32_t clip, double seconds);

/* The local transform of a node; the rotation is of unit length. clip VKSKIN_REST_POSE: at rest. */
typedef struct ReferenceTransform {
    double translation[3], rotation[4], scale[3];
} ReferenceTransform;

ReferenceTransform referenceNodeAt(const void *block, uint32_t clip, ReferencePlace place, uint32_t node);

/* From a to b: translation and scale linear, the rotation linear on the shorter side and normalised. */
ReferenceTransform referenceBlend(const ReferenceTransform *a, const ReferenceTransform *b, double weight);

/* World matrices [nodeCount of the block] of local transforms [nodeCount]; freed with free(). */
ReferenceMatrix *newReferenceAnimationWorld(const void *block, const ReferenceTransform *locals);

#endif
