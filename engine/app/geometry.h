/*
 * geometry.h: all parts of a baked model as one list of triangles, and its files (OBJ, PLY, GLB).
 */
#ifndef APP_GEOMETRY_H
#define APP_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "glb_pictures.h"

typedef struct GeometryPart {
    const char *name;              /* owned by the model, as the material */
    const ModelMaterial *material; /* parts of one material have the same address */
    uint32_t firstVertex;          /* first of vertexCount consecutive vertices */
    uint32_t vertexCount;
    uint32_t firstIndex;     /* into Geometry.indices, which are those of Geometry.positions */
    uint32_t indexCount;     /* multiple of 3 */
    bool texcoords, colours; /* whether its mesh has some; else they are zero, or white */
} GeometryPart;

/* What a geometry, and a file of it, need. */
typedef struct GeometrySize {
    uint64_t vertices, indices; /* for geometryCreate: at most INT32_MAX */
    uint32_t parts;
    bool texcoords, colours; /* some part has them */
    uint64_t pictures;       /* most bytes of the pictures of its materials in a .glb file */
} GeometrySize;

typedef struct Geometry {
    uint32_t vertexCount;
    float *positions; /* [vertexCount][3] */
    float *normals;   /* [vertexCount][3], unit length */
    float *texcoords; /* [vertexCount][2], (0, 0) is the upper left of the image; null: none */
    float *colours;   /* [vertexCount][4], linear; null: none */
    uint32_t indexCount;
    uint32_t *indices; /* [indexCount], counter-clockwise seen from outside */
    uint32_t partCount;
    GeometryPart *parts;
    float toMetres[3][3]; /* from the axes and the unit of the positions to y up and metres; for GLB */
} Geometry;

/* Allocates zeroed arrays. On failure *geometry is zero. */
bool geometryCreate(const GeometrySize *size, Geometry *geometry);

/* A zero one is allowed. */
void geometryFree(Geometry *geometry);

typedef enum GeometryFormat {
    GEOMETRY_OBJ, /* text, one object per part with the name of its material, nine digits: floats are exact */
    GEOMETRY_PLY, /* binary: x y z nx ny nz (s t) per vertex, then the faces */
    GEOMETRY_GLB /* glTF 2.0: a node with toMetres, below it a node and a mesh per part; materials and their pictures */
} GeometryFormat;

/* The ending of each format, null-terminated. */
extern const char *const GEOMETRY_ENDINGS[];

/* The most bytes that a file may have, without its names and comment. */
uint64_t geometrySizeMax(GeometryFormat format, const GeometrySize *size);

/*
 * Writes the file, complete with atomicFilesCommit or not at all. pictures: of the model (glbPicturesCreate); only for
 * GEOMETRY_GLB. comment: one line for its header.
 */
bool geometryFinish(const Geometry *geometry, GeometryFormat format, const GlbPictures *pictures, const char *path,
                    const char *comment, EngineError *error);

#endif
