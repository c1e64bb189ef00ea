/*
 * reference.h: skinning in double precision, written from the definitions. Slow and simple.
 *
 * It reads a Model's keys and weights and shares no code with the library: it samples clips, composes the hierarchy,
 * writes palettes, applies morph targets and blends by every method on its own. All other results are compared with it.
 *
 * Matrices are 3x4, row-major, as VkskinAffine. Free the arrays of the new... functions with free(). Out of memory ends
 * the process.
 */
#ifndef TESTKIT_REFERENCE_H
#define TESTKIT_REFERENCE_H

#include "model.h"
#include "vkskin/vkskin.h"

/* ---- Matrices: reference_matrix.c ---- */

typedef struct ReferenceMatrix {
    double m[3][4];
} ReferenceMatrix;

/* Divides by the length and returns it. A zero vector stays. */
double referenceNormalise(double *v, int size);

ReferenceMatrix referenceFromAffine(const VkskinAffine *affine);
ReferenceMatrix referenceMultiply(const ReferenceMatrix *a, const ReferenceMatrix *b);

/* By the adjugate. A singular matrix gives infinities. */
ReferenceMatrix referenceInvert(const ReferenceMatrix *matrix);

/* Scale, then rotation, then translation. The quaternion (x, y, z, w) is normalised first. */
ReferenceMatrix referenceCompose(const double translation[3], const double rotation[4], const double scale[3]);

/* The determinant of the 3x3 part. */
double referenceDeterminant(const ReferenceMatrix *matrix);

/* The matrix for normals: the cofactors of the 3x3 part times the sign of its determinant (0 counts as positive). The
 * translation is 0. */
ReferenceMatrix referenceNormalMatrix(const ReferenceMatrix *matrix);

/* The unit quaternion (x, y, z, w) of the rotation nearest to the 3x3 part, also of mirrored and scaled matrices: the
 * largest eigenvector of Horn's 4x4 matrix. Either of its two signs. */
void referenceNearestRotation(const ReferenceMatrix *matrix, double rotation[4]);

/* The symmetric S of the polar decomposition R S of the 3x3 part. rotation: R, the nearest rotation. */
void referenceStretch(const ReferenceMatrix *matrix, const double rotation[4], double stretch[3][3]);

/* The dual part of the dual quaternion of a matrix: half of the product of its translation and its rotation `real`. */
void referenceDualPart(const ReferenceMatrix *matrix, const double real[4], double dual[4]);

/* The rigid transform of a dual quaternion that is divided by the length of its real part. */
ReferenceMatrix referenceFromDual(const double real[4], const double dual[4]);

/* ---- Palette entries as vkskin_base.h describes them: reference_matrix.c ---- */

/*
 * Writes vkskinPaletteStride(encoding) bytes: the parts of the bone that the encoding can store (nearest rotation,
 * translation, stretch, or uniform scale of the same volume). antipode: writes the quaternion, and the values that
 * depend on its sign, with the other sign. The meaning is the same.
 */
void paletteEntry(VkskinPaletteEncoding encoding, const ReferenceMatrix *bone, bool antipode, void *entry);

/* The transform that an entry encodes, with its quaternion normalised. */
ReferenceMatrix paletteEntryMatrix(VkskinPaletteEncoding encoding, const void *entry);

/* ---- Poses: reference_pose.c ---- */

/* The world matrices [nodeCount] of a model. clip -1: the rest pose. */
ReferenceMatrix *newReferenceWorld(const Model *model, int32_t clip, double time, VkskinWrap wrap);

/* A part's bone matrices, [boneCount of its skin], in the space of the library's output: inverse(rest world of the part's
 * node) is applied. world: from newReferenceWorld. */
ReferenceMatrix *newReferenceBones(const Model *model, uint32_t part, const ReferenceMatrix *world);

/* ---- Skinning: reference_skin.c ---- */

typedef struct ReferenceVertex {
    double position[3];
    double normal[3];    /* unit normal; zero if its length was 0 */
    double normalLength; /* before it was normalised; the product where it was normalised twice */
    double tangent[4];   /* xyz as the normal; w +1 or -1 */
    double tangentLength;
    /* Quaternion methods: the length of the blended real part, and the smallest |dot| of an influence with the largest
     * one. Near 0 rounding decides the result. Linear blending: 1. */
    double realLength;
    double leastDot;
    /* Exact normals: the determinant of the 3x3 part that moves the vertex. Near 0 rounding decides which side is
     * outside. Cheap normals: 1. */
    double volume;
} ReferenceVertex;

/* Zero: linear blending with all influences, cheap normals, no morph target. */
typedef struct ReferenceDef {
    VkskinMethod method;
    bool exactNormals;
    uint32_t maxInfluences;    /* number of largest influences per vertex that count; 0: all */
    float minWeight;           /* an influence counts from this share of the vertex's weight on */
    uint32_t unweightedBone;   /* moves the vertices whose weights are all zero */
    const float *centres;      /* [vertexCount][3], for VKSKIN_METHOD_CENTRES_OF_ROTATION */
    const float *morphWeights; /* [morphCount of the mesh]; null: all zero */
    const bool *morphsAfter;   /* [morphCount]: applied after skinning; null: none is */
    /* [vertexCount][influences of the mesh][2]: a position per influence; null: one per vertex. Then the targets before
     * skinning have influenceDeltas[morph]: [vertexCount of the morph][influences][2]. */
    const float *influencePositions;
    const float *const *influenceDeltas;
} ReferenceDef;

/*
 * The skinned vertices, [vertexCount]. A mesh without bones is moved only by its morph targets. Painted blends use the
 * mesh's blendWeights. In a flat mesh all z are 0 and the bones keep z. The vertices of a morph target may also descend.
 */
ReferenceVertex *newReferenceVertices(const ModelMesh *mesh, const ReferenceMatrix *bones, const ReferenceDef *def);

/* The same for some vertices of the mesh, [count]. sample: their indices; null: the first ones. */
ReferenceVertex *newReferenceSample(const ModelMesh *mesh, const ReferenceMatrix *bones, const ReferenceDef *def,
                                    const uint32_t *sample, uint32_t count);

/* The diagonal of the positions' bounding box. */
double referenceDiagonal(const ReferenceVertex *vertices, uint32_t count);

#endif
