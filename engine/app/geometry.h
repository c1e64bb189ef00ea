/*
 * geometry.h: triangles ready for a file: all parts of a baked model in one list of vertices.
 */
#ifndef APP_GEOMETRY_H
#define APP_GEOMETRY_H

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

/* ---- * write_geometry.h: Geometry as a model file. Files are there whole or not at all (atomic_file.h). ---- */

typedef enum GeometryFormat {
    GEOMETRY_OBJ, /* text, an object a part; nine digits, so that a float comes back as it was */
    GEOMETRY_PLY  /* binary: x y z nx ny nz (s t) a vertex, then the faces */
} GeometryFormat;

/* By the path's ending, in any case. False for an ending that is neither. */
bool geometryFormat(const char *path, GeometryFormat *format);

/*
 * comment: one line for the file's head; control characters are left out. message: ATOMIC_FILE_MESSAGE_SIZE bytes,
 * one line on failure.
 */
bool geometryWrite(const Geometry *geometry, GeometryFormat format, const char *path, const char *comment,
                   char *message);

#endif
