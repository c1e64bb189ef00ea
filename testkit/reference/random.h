/*
 * random.h: random numbers, meshes and bones. The same seed gives the same values on every machine.
 *
 * Each Random is one stream. Two threads must not use one stream at the same time.
 */
#ifndef TESTKIT_RANDOM_H
#define TESTKIT_RANDOM_H

#include <stddef.h>

#include "model.h"

typedef struct Random {
    uint64_t state; /* set it to the seed: any value */
} Random;

/* Zeroed memory, to be freed with free(). Never null: out of memory ends the process. */
void *newZeroed(size_t count, size_t size);

uint32_t randomWord(Random *random);

/* 0 to count - 1. count: at least 1. */
uint32_t randomBelow(Random *random, uint32_t count);

/* low (included) to high (excluded). */
float randomFloat(Random *random, float low, float high);

/* A vector of length 1. */
void randomDirection(Random *random, float direction[3]);

/* A unit quaternion (x, y, z, w): any axis, an angle of 0 to maxAngle radians. */
void randomRotation(Random *random, float maxAngle, float rotation[4]);

/* A rotation as above, and a translation of -0.5 to 0.5 on each axis. */
void randomRigidBone(Random *random, float maxAngle, float rotation[4], float translation[3]);

/* A rigid bone as a matrix. scaled: it first scales each axis by a factor of 0.5 to 2. */
VkskinAffine randomBone(Random *random, float maxAngle, bool scaled);

typedef struct RandomMeshDef {
    uint32_t vertexCount;
    uint32_t boneCount;
    uint32_t influences;    /* influence slots per vertex */
    uint32_t minInfluences; /* minimum number of slots with a weight above 0 */
    bool normalised;        /* the weights of each vertex sum to 1; else to a value of 0.2 to 3 */
} RandomMeshDef;

/*
 * Positions in a cube of side 2, unit normals, unit tangents perpendicular to them, of both handednesses. Slots without
 * a weight have joint UINT32_MAX. Out of memory ends the process. Free the mesh with randomMeshFree, which also frees blend
 * weights and morph targets.
 */
ModelMesh randomMesh(Random *random, const RandomMeshDef *def);
void randomMeshFree(ModelMesh *mesh);

/* Vectors [count][3] of -maxDelta to maxDelta on each axis; in the plane if flat. */
float *randomDeltas(Random *random, uint32_t count, float maxDelta, bool flat);

#endif
