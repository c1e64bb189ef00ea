/*
 * blend_order.h: the blended parts of a population from far to near, by the centre of each part in its pose.
 *
 * The centre is the mean of the part's vertices, skinned with linear blending. Each bone moves its share of the mean, so
 * it costs one product per bone, not per vertex. Morph targets are ignored.
 */
#ifndef ENGINE_BLEND_ORDER_H
#define ENGINE_BLEND_ORDER_H

#include "population.h"

/* A part of a character that the colour pass shows. */
typedef struct BlendPiece {
    uint32_t character;
    uint32_t part; /* index among the parts of the character's model */
    float depth;   /* distance from the camera's plane */
} BlendPiece;

typedef struct BlendShare BlendShare;

typedef struct BlendOrder {
    const Population *population;
    uint32_t count;      /* pieces in this frame */
    BlendPiece *pieces;  /* room for all blended parts of all characters; null if no part is blended */
    BlendShare **shares; /* [modelCount][partCount]: of blended parts */
    VkskinAffine *world; /* for the largest skeleton */
} BlendOrder;

/* crowd outlives it. On failure *order is to be destroyed. */
bool blendOrderCreate(const Population *population, BlendOrder *order, EngineError *error);

/* A zero one is allowed. */
void blendOrderDestroy(BlendOrder *order);

/* Fills pieces[count] for the poses of the last populationPose. Of equal depths the earlier character comes first. */
bool blendOrderSort(BlendOrder *order, const float viewProjection[16], EngineError *error);

#endif
