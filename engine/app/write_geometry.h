/*
 * write_geometry.h: Geometry as a model file. Files are there whole or not at all (atomic_file.h).
 */
#ifndef COMMAND_WRITE_GEOMETRY_H
#define COMMAND_WRITE_GEOMETRY_H

#include "geometry.h"

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
