/*
 * interleaved.h: meshes whose output has the layout of their interleaved input: VkskinMeshDef.vertices.
 */
#ifndef VKSKIN_INTERLEAVED_H
#define VKSKIN_INTERLEAVED_H

#include "host.h"
#include "vkskin/vkskin_mesh.h"

/* Before, between and after position, normal and tangent. */
#define MAX_VERTEX_GAPS 4u

/* A def with a layout, in place of one with vertices. Do not copy it: it points into itself. */
typedef struct InterleavedDef {
    VkskinMeshDef def;
    VkskinOutputLayout layout;
    VkskinPassThroughData rest[MAX_VERTEX_GAPS];
} InterleavedDef;

/*
 * Without vertices, *def is unchanged; else it points to own->def, which has strides, layout and pass-through data instead.
 * *def: not null, may be bad otherwise. Errors: INVALID_VALUE, NULL_ARGUMENT.
 */
VkskinResult sknResolveVertices(const VkskinLogger *logger, const VkskinMeshDef **def, InterleavedDef *own);

#endif
