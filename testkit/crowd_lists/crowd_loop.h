/*
 * crowd_loop.h: the plain loop of crowd_lists.h.
 */
#ifndef TESTKIT_CROWD_LOOP_H
#define TESTKIT_CROWD_LOOP_H

#include "crowd_stages.h"

#define LOOP_PLANES 6u

/* One model, one view, which is for colour. */
typedef struct CrowdLoop {
    const LayoutCrowdBounds *bounds; /* [clipCount] */
    uint32_t clipCount;
    uint32_t count, slots;
    LayoutCrowdState *states; /* [count] */
    const LayoutCrowdCold *colds;
    uint32_t *keys;      /* [count] */
    uint32_t *residents; /* [count]: slot + 1 */
    uint32_t *ring;      /* [slots]: free slots from `head` on */
    uint32_t head, free;
    uint32_t *list;    /* [slots]: of the view */
    uint32_t *skinned; /* [slots]: characters with a slot */
    uint32_t listed, skinnedCount, refused;
    uint32_t badClip, badModel, badPlace;
} CrowdLoop;

void crowdLoopFrame(CrowdLoop *loop, const float planes[LOOP_PLANES][4], uint32_t tick);

#endif
