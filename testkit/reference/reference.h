/*
 * reference.h: skinning as its definitions say it, in double precision, slow and plain.
 *
 * It starts from a Model's keys and weights and shares no code with the library: sampling, hierarchy, palettes, morph
 * targets and every method are written here a second time. Everything else is held against it.
 *
 * Matrices are 3x4, row-major, as VkskinAffine. Arrays from the new... functions are freed by free(). A failed
 * allocation ends the process: there is nothing to compare then.
 */
#ifndef ENGINE_REFERENCE_H
#define ENGINE_REFERENCE_H

#include "model.h"
#include "vkskin/vkskin.h"

typedef struct ReferenceMatrix {
    double m[3][4];
} ReferenceMatrix;

typedef enum ReferenceSpace {
    REFERENCE_MESH_SPACE, /* what the library's output is in: inverse(rest world of the part's node) applied */
    REFERENCE_MODEL_SPACE /* the model's world space */
} ReferenceSpace;

typedef struct ReferenceVertex {
    double position[3];
    double normal[3];    /* of length 1, or zero where its length before was 0 */
    double normalLength; /* before it was brought to 1; the product, where that happened twice on the way */
    double tangent[4];   /* as the normal; w +1 or -1 */
    double tangentLength;
    /* Quaternions: the length of the blended real part, and how far the least of the influences was from the border
     * between the hemispheres (|dot| with the largest). Near 0 rounding decides. 1 for linear blending. */
    double realLength;
    double leastDot;
    /* Exact normals: what the 3x3 part that moves the vertex makes of a unit of volume. Near 0 rounding decides which
     * side is out. 1 for cheap ones. */
    double volume;
} ReferenceVertex;

/* ---- reference_matrix.c ---- */

ReferenceMatrix referenceFromAffine(const VkskinAffine *affine);
ReferenceMatrix referenceMultiply(const ReferenceMatrix *a, const ReferenceMatrix *b);

/* By the adjugate; a singular matrix gives infinities. */
ReferenceMatrix referenceInvert(const ReferenceMatrix *matrix);

/* Scale, then rotation, then translation. The quaternion (x, y, z, w) is normalised first. */
ReferenceMatrix referenceCompose(const double translation[3], const double rotation[4], const double scale[3]);

/* Of the 3x3 part. */
double referenceDeterminant(const ReferenceMatrix *matrix);

/* The 3x3 part's cofactors, with the sign of its determinant (0 counts as positive): what turns normals as the matrix
 * turns surfaces. The translation is 0. */
ReferenceMatrix referenceNormalMatrix(const ReferenceMatrix *matrix);

/* ---- reference_polar.c ---- */

/* The unit quaternion (x, y, z, w) of the rotation nearest to the upper 3x3: the largest eigenvector of Horn's
 * 4x4 matrix, so that mirrored and scaled matrices have an answer too. Its sign is either. */
void referenceNearestRotation(const ReferenceMatrix *matrix, double rotation[4]);

/* The symmetric S of the polar decomposition R S of the upper 3x3, R being the nearest rotation. */
void referenceStretch(const ReferenceMatrix *matrix, const double rotation[4], double stretch[3][3]);

/* ---- reference_pose.c ---- */

/* The world matrices [nodeCount] of a model. clip -1: the rest pose. */
ReferenceMatrix *newReferenceWorld(const Model *model, int32_t clip, double time, VkskinWrap wrap);

/* The weights of a part's morph targets, [morphCount of its mesh]. clip -1: at rest. */
float *newReferenceMorphWeights(const Model *model, uint32_t part, int32_t clip, double time, VkskinWrap wrap);

/* A part's bone matrices, [boneCount of its skin], from newReferenceWorld's. */
ReferenceMatrix *newReferenceBones(const Model *model, uint32_t part, const ReferenceMatrix *world,
                                   ReferenceSpace space);

/* ---- reference_skin.c ---- */

/* How vertices are moved: zero is linear blending by all influences, cheap normals, no morph target. */
typedef struct ReferenceDef {
    VkskinMethod method;
    bool exactNormals;
    uint32_t maxInfluences;    /* the largest of a vertex that count, 0: all */
    float minWeight;           /* the share of a vertex's weight that an influence must have to count */
    uint32_t unweightedBone;   /* moves the vertices whose weights are all zero */
    const float *centres;      /* [vertexCount][3], for VKSKIN_METHOD_CENTRES_OF_ROTATION */
    const float *morphWeights; /* [morphCount of the mesh], or null: all zero */
    const bool *morphsAfter;   /* [morphCount]: which come after skinning; null: none */
} ReferenceDef;

/*
 * The mesh's vertices, [vertexCount], moved by bones; a mesh without bones by its morph targets alone. Painted blends
 * take the mesh's blendWeights. A flat mesh is one whose z are 0, with bones that leave z as it is.
 */
ReferenceVertex *newReferenceVertices(const ModelMesh *mesh, const ReferenceMatrix *bones, const ReferenceDef *def);

/* The diagonal of the positions' bounding box. */
double referenceDiagonal(const ReferenceVertex *vertices, uint32_t count);

#endif
