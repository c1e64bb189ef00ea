/* reference_blend.h: what the bones of one vertex blend to, by every method. Private to this folder. */
#ifndef ENGINE_REFERENCE_BLEND_H
#define ENGINE_REFERENCE_BLEND_H

#include "reference.h"

/* A blend is affine for one vertex, whatever the method. */
typedef struct ReferenceMap {
    ReferenceMatrix points;              /* its 3x3 part moves tangents, and normals that are cheap */
    ReferenceMatrix normals;             /* the 3x3 part alone counts */
    double realLength, leastDot, volume; /* as in ReferenceVertex */
} ReferenceMap;

/* A bone taken apart: rotation and translation as a dual quaternion, and the stretch that comes before them. */
typedef struct ReferenceTurn {
    bool known;              /* worked out only once it is needed: a skeleton may have many bones that move no vertex */
    double real[4], dual[4]; /* x, y, z, w */
    double stretch[3][3];
} ReferenceTurn;

/* turns: [boneCount of the mesh], zero before the first vertex, kept from one to the next. Not for a mesh without
 * bones. */
ReferenceMap referenceBlend(const ModelMesh *mesh, uint32_t vertex, const ReferenceMatrix *bones, ReferenceTurn *turns,
                            const ReferenceDef *def);

#endif
