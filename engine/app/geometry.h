/*
 * geometry.h: triangles ready for a file: all parts of a baked model in one list of vertices.
 */
#ifndef COMMAND_GEOMETRY_H
#define COMMAND_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct GeometryPart {
    const char *name;    /* borrowed: of the model */
    uint32_t firstIndex; /* into Geometry.indices */
    uint32_t indexCount; /* a multiple of 3 */
} GeometryPart;

typedef struct Geometry {
    uint32_t vertexCount;
    float *positions; /* [vertexCount][3] */
    float *normals;   /* [vertexCount][3], unit length */
    float *texcoords; /* [vertexCount][2], (0, 0) the image's upper left; null where no part has any */
    uint32_t indexCount;
    uint32_t *indices; /* [indexCount], counter-clockwise seen from outside */
    uint32_t partCount;
    GeometryPart *parts;
} Geometry;

/* All arrays of these sizes, zero. On failure *geometry is zero. */
bool geometryCreate(uint32_t vertexCount, uint32_t indexCount, uint32_t partCount, bool texcoords, Geometry *geometry);

/* A zero one is allowed. */
void geometryFree(Geometry *geometry);

#endif
