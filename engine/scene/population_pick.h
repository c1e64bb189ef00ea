/* population_pick.h: what a ray hits: the nearest triangle of the characters of a population, as they are posed now. */
#ifndef ENGINE_POPULATION_PICK_H
#define ENGINE_POPULATION_PICK_H

#include "population.h"
#include "vkskin/vkskin_hit.h"

#define PICK_NOTHING UINT32_MAX

typedef struct PopulationPick {
    uint32_t character; /* index; PICK_NOTHING: nothing is hit */
    uint32_t part;      /* part of its model */
    uint32_t node;      /* node of the bone that moves the point most; PICK_NOTHING: no bone does */
    VkskinHit hit;      /* in the mesh of the part at level 0 */
} PopulationPick;

typedef struct PickRay {
    float origin[3], direction[3]; /* in world space; direction: any length above 0 */
} PickRay;

/*
 * Origin and direction of a ray in the model's own space, in which distances stay the same. toWorld: populationToWorld. False:
 * the character has no volume.
 */
bool pickRayIn(const PickRay *ray, const VkskinAffine *toWorld, VkskinRay *own);

/*
 * Tests the boxes of the characters, then the triangles of those that the ray enters, on the CPU with any system. Vertices
 * are skinned by linear blending, also with other methods.
 */
bool populationPick(const Population *population, const PickRay *ray, PopulationPick *pick, EngineError *error);

/* Both steps, for poses from elsewhere. */

/* index: of a character. Where the ray enters the box of all poses of its clip; below 0: nowhere; 0 for a character with a motion. */
float populationPickBox(const Population *population, uint32_t index, const PickRay *ray);

/* A pose of a character. */
typedef struct PickPose {
    VkskinAffine place;        /* from the model's world space to the world */
    const VkskinAffine *world; /* [nodeCount] */
    uint32_t clip;             /* with time and wrap: the weights of the morph targets */
    double time;               /* seconds */
    VkskinWrap wrap;
} PickPose;

/* Replaces *pick if the ray hits the character before that. */
bool populationPickPosed(const Population *population, uint32_t index, const PickRay *ray, const PickPose *posed,
                         PopulationPick *pick, EngineError *error);

#endif
