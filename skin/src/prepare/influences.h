/*
 * influences.h: what moves one vertex: sorted, trimmed, scaled to one, and counted in the units of a stored weight.
 */
#ifndef VKSKIN_INFLUENCES_H
#define VKSKIN_INFLUENCES_H

#include "vkskin/vkskin_mesh.h"

#define MAX_INFLUENCES 255

typedef struct Influence {
    uint32_t joint;
    float weight;
} Influence;

typedef struct KeptInfluences {
    uint32_t count;       /* kept, none of weight zero; 0 where all weights were zero */
    uint32_t dropped;     /* with a weight above zero */
    double droppedWeight; /* as a share of the sum */
    double sum;           /* of all weights, before */
} KeptInfluences;

/*
 * Brings `count` influences (255 at most) into descending order, the earlier of equals first, and keeps the first
 * `most` (0: all) of those whose share of the sum is at least minShare; the largest always stays. What is kept stands
 * first and sums to one. Weights are finite and at least 0.
 */
KeptInfluences sknKeepInfluences(Influence *influences, uint32_t count, uint32_t most, float minShare);

/* The units that a weight of one is stored as; 0 for floats. */
uint32_t sknWeightUnits(VkskinWeightFormat format);

/*
 * Weights as whole units of 1/total that sum to `total`, each off by less than one, by largest remainders. The
 * influences are as sknKeepInfluences leaves them, `count` at least 1. Returns how many have a unit at all: the rest,
 * which are the last, go.
 */
uint32_t sknCountUnits(const Influence *influences, uint32_t count, uint32_t total, uint32_t *units);

#endif
