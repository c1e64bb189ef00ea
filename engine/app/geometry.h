/*
 * geometry.h: all parts of a baked model as one list of triangles, and its files (OBJ, PLY, GLB).
 */
#ifndef APP_GEOMETRY_H
#define APP_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine_error.h"

typedef struct GeometryPart {
    const char *name;        /* owned by the model, as the next one */
    const char *material;    /* its name */
    const float *baseColour; /* [4] of the material, linear; owned by the model */
    uint32_t firstVertex;    /* its vertices follow each other */
    uint32_t vertexCount;
    uint32_t firstIndex; /* into Geometry.indices, which are those of Geometry.positions */
    uint32_t indexCount; /* a multiple of 3 */
    bool texcoords;      /* whether its mesh has some; else they are zero */
} GeometryPart;

typedef struct Geometry {
    uint32_t vertexCount;
    float *positions; /* [vertexCount][3] */
    float *normals;   /* [vertexCount][3], unit length */
    float *texcoords; /* [vertexCount][2], (0, 0) is the upper left of the image; null: none */
    uint32_t indexCount;
    uint32_t *indices; /* [indexCount], counter-clockwise seen from outside */
    uint32_t partCount;
    GeometryPart *parts;
    float toMetres[3][3]; /* from the axes and the unit of the positions to y up and metres; for GLB */
} Geometry;

/* Allocates zeroed arrays. On failure *geometry is zero. */
bool geometryCreate(uint32_t vertexCount, uint32_t indexCount, uint32_t partCount, bool texcoords, Geometry *geometry);

/* A zero one is allowed. */
void geometryFree(Geometry *geometry);

typedef enum GeometryFormat {
    GEOMETRY_OBJ, /* text, one object per part with the name of its material, nine digits: floats are exact */
    GEOMETRY_PLY, /* binary: x y z nx ny nz (s t) per vertex, then the faces */
    GEOMETRY_GLB  /* glTF 2.0: a node with toMetres, below it a node and a mesh per part; materials with a colour */
} GeometryFormat;

/* The ending of each format, null-terminated. */
extern const char *const GEOMETRY_ENDINGS[];

/* The most bytes that a file of these counts may have, without its names and comment. */
uint64_t geometrySizeMax(GeometryFormat format, uint64_t vertexCount, uint64_t indexCount, bool texcoords);

/* Writes the file, complete with atomicFilesCommit or not at all. comment: one line for its header. */
bool geometryFinish(const Geometry *geometry, GeometryFormat format, const char *path, const char *comment,
                    EngineError *error);

#endif
