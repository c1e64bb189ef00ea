/* vertex_error.h: reads vertices from skinned output and measures their error against the reference. */
#ifndef TESTKIT_VERTEX_ERROR_H
#define TESTKIT_VERTEX_ERROR_H

#include "reference.h"

/* One output vertex, unpacked here as vkskin.h describes it. */
typedef struct ReadVertex {
    float position[3]; /* z of a flat mesh: 0 */
    double normal[3];  /* as stored; octahedral normals are unpacked to unit length */
    double tangent[4]; /* w +1 or -1 */
} ReadVertex;

/* bytes: an output page, or a part of it that begins `origin` bytes into the page. */
ReadVertex readVertex(const void *bytes, VkDeviceSize origin, const VkskinOutput *output, const VkskinMeshInfo *info,
                      uint32_t vertex);

/* Reads only a position of a solid mesh. offset: of the positions or of the previous positions, in the page. */
void readPosition(const void *bytes, VkDeviceSize origin, VkDeviceSize offset, uint32_t vertex, float position[3]);

#define POSITION_BOUND  1e-5 /* share of the diagonal */
#define PACKED_DEGREES  0.1
#define FLOAT_DEGREES   0.05
#define SNORM10_DEGREES 0.2

/*
 * An attribute that the mesh lacks has error 0. A NaN has error infinity. Where blending gives a normal or a tangent
 * shorter than 1, its angle is multiplied by that length: rounding turns a short vector further.
 */
typedef struct VertexError {
    double position;        /* share of the diagonal */
    double normal, tangent; /* degrees times length; a tangent of wrong handedness: 180 */
    /* Rounding decides the result: quaternions on the border between hemispheres, exact normals where the volume is
     * nearly 0, normals or tangents of nearly no length. The affected values are not compared. */
    bool leftOut;
} VertexError;

/* diagonal: of the bounds of the object that has the vertex. */
VertexError vertexError(const ReferenceVertex *expected, const ReadVertex *vertex, double diagonal,
                        const VkskinMeshInfo *info);

/* Keeps the larger of each error. worst->leftOut does not change. */
void vertexErrorKeepWorst(VertexError *worst, const VertexError *error);

/* The bound of normals and tangents of a format, in degrees. */
double vertexErrorDegrees(VkskinVertexFormat format);

bool vertexErrorIsGood(const VertexError *error, VkskinVertexFormat format);

#endif
