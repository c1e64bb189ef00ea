/*
 * vertex_pack.h: one vertex as the kernels read it: attributes in either format, influences sorted and trimmed.
 */
#ifndef VKSKIN_VERTEX_PACK_H
#define VKSKIN_VERTEX_PACK_H

#include "vkskin/vkskin.h"

#define MAX_KERNEL_INFLUENCES 4

/* Three components over their length; `fallback` where that is below 1e-20. */
void sknNormalise(const float *v, const float *fallback, float *unit);

/* A unit vector across the unit vector `normal`. */
void sknPerpendicular(const float *normal, float *unit);

/* The first and the second word of VKSKIN_VERTEX_PACKED; the vectors are of unit length. */
uint32_t sknPackNormal(const float *normal);
uint32_t sknPackTangent(const float *tangent, float handedness);

typedef struct Influence {
    uint32_t joint;
    float weight;
} Influence;

typedef struct InfluenceSet {
    Influence kept[MAX_KERNEL_INFLUENCES]; /* descending by weight, their sum one */
    uint32_t count;                        /* kept, those of weight zero not among them */
    uint32_t dropped;                      /* with a weight above zero */
    double droppedWeight;                  /* as a share of the sum */
    double sum;                            /* of all weights, before */
} InfluenceSet;

/*
 * Keeps the `most` largest of `count` influences, the earlier of equals first. Weights are finite and at least 0, and
 * at least one is above.
 */
InfluenceSet sknSelectInfluences(const Influence *influences, uint32_t count, uint32_t most);

#endif
