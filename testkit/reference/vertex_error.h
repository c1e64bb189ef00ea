/* vertex_error.h: how far a skinned vertex is from the reference, and how far it may be. */
#ifndef ENGINE_VERTEX_ERROR_H
#define ENGINE_VERTEX_ERROR_H

#include "reference.h"
#include "vertex_read.h"

#define POSITION_BOUND 1e-5 /* of a diagonal */
#define PACKED_DEGREES 0.1
#define FLOAT_DEGREES  0.05

/*
 * What is not there, or has no direction worth comparing, has an error of 0; a NaN one of infinity. Where blending
 * leaves a normal or a tangent shorter than 1, its angle counts as much less: what rounding did to the mesh's own turns
 * a short direction as much more.
 */
typedef struct VertexError {
    double position;        /* of the diagonal */
    double normal, tangent; /* degrees, times the length; a tangent of the wrong handedness is 180 off */
    /* The vertex lies where rounding decides: quaternions on the border between hemispheres, exact normals where a
     * volume is lost, normals or tangents that blend to almost nothing. What it decides is not compared. */
    bool leftOut;
} VertexError;

/* diagonal: of the bounds of what the vertex belongs to. */
VertexError vertexError(const ReferenceVertex *expected, const ReadVertex *vertex, double diagonal,
                        const VkskinMeshInfo *info);

/* The larger of each. leftOut is kept as it is. */
void vertexErrorKeepWorst(VertexError *worst, const VertexError *error);

/* The degrees that normals and tangents of a format may be off. */
double vertexErrorDegrees(VkskinVertexFormat format);

bool vertexErrorIsGood(const VertexError *error, VkskinVertexFormat format);

#endif
