/*
 * baked.h: what `vkskin bake` wrote, read back, and its faces found by their corners.
 */
#ifndef TEST_BAKED_H
#define TEST_BAKED_H

#include <stdbool.h>

#define BAKED_VERTICES_MAX 16
#define BAKED_FACES_MAX    8

typedef struct Baked {
    int vertexCount, faceCount;
    float positions[BAKED_VERTICES_MAX][3];
    float normals[BAKED_VERTICES_MAX][3];
    int faces[BAKED_FACES_MAX][3]; /* from 0 */
} Baked;

/* What cannot be read, or has no room, fails the test. */
void bakedReadObj(const char *path, Baked *baked);

/* The binary form that vkskin writes. texcoords: it has them. */
void bakedReadPly(const char *path, bool texcoords, Baked *baked);

/* Each coordinate within `off`. */
bool bakedIsNear(const float *a, const double *b, double off);

/* Exactly one face has these corners, in this turning sense, beginning with any; and all its normals are this one. Each
 * coordinate within `off`. */
void bakedExpectFace(const Baked *baked, const double corners[3][3], const double normal[3], double off);

#endif
