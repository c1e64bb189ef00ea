/*
 * crowd_lanes.h: culling with SIMD lanes. All instruction levels give the same bits.
 */
#ifndef VKSKIN_CROWD_LANES_H
#define VKSKIN_CROWD_LANES_H

#include "crowd_plan.h"

/* The views of a frame: CROWD_VIEWS_WORDS. */
typedef struct CrowdViews {
    float planes[CROWD_VIEWS][CROWD_PLANES][4];
    LayoutCrowdView views[CROWD_VIEWS];
} CrowdViews;

/* The buffers of a frame. */
typedef struct CrowdArrays {
    const uint32_t *tables;
    LayoutCrowdState *states; /* [capacity] */
    LayoutCrowdCold *colds;   /* [capacity] */
    uint32_t *work;
    uint32_t *frame;
    const uint32_t *lastFrame; /* that of the frame before, for the previous transforms; may be the same */
    uint32_t *copies; /* [slots of all pools]: the copy of its output that each slot has; null: as in lastFrame */
    const CrowdViews *views;
    const LayoutCrowdChange *changes;
} CrowdArrays;

/* Characters that exist, with something that a host cannot have meant. */
typedef struct CrowdBad {
    uint32_t clip, model, place;
} CrowdBad;

/* The code of an instruction level. */
typedef struct CrowdLevel {
    /* Advances the characters from `first` to below `end`, writes their keys, and adds to *bad. */
    void (*cull)(const CrowdArrays *arrays, const LayoutCrowdPush *push, uint32_t first, uint32_t end, CrowdBad *bad);
} CrowdLevel;

extern const CrowdLevel sknCrowdLevelPortable;
extern const CrowdLevel sknCrowdLevelAvx2;
extern const CrowdLevel sknCrowdLevelAvx512;

#endif
