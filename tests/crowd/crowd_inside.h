/*
 * crowd_inside.h: what tests read of a crowd that is no part of the interface. Separate, because the library and the
 * testkit both have a type Gpu.
 */
#ifndef TESTS_CROWD_INSIDE_H
#define TESTS_CROWD_INSIDE_H

#include "crowd_changes.h"
#include "crowd_plan.h"
#include "vkskin/vkskin_crowd.h"

/* A buffer of the device, or host memory of the CPU backend. */
typedef struct InsideBuffer {
    VkBuffer buffer;
    VkDeviceSize size;
    const void *mapped; /* null: of the device */
} InsideBuffer;

/* Valid until the next call on the context. */
typedef struct CrowdInside {
    const CrowdPlan *plan;
    const CrowdChanges *changes;
    uint32_t copies;     /* copies of each slot's output */
    uint32_t frameCount; /* recorded and not cancelled */
    InsideBuffer states, colds, work, frame, tables;
    InsideBuffer inputs[VKSKIN_MAX_FRAMES_IN_FLIGHT]; /* inputs of the frame slots */
} CrowdInside;

CrowdInside crowdInside(VkskinContext context, VkskinCrowd crowd);

/* The output and the palettes of a pool. */
InsideBuffer insideOutput(VkskinContext context, VkskinCrowd crowd, uint32_t pool);
InsideBuffer insidePalettes(VkskinContext context, VkskinCrowd crowd, uint32_t pool);

/* What kernels read of a clip set. */
InsideBuffer insideClips(VkskinContext context, VkskinClipSet set);

/* Vertices of a part of a model. */
uint32_t insideVertices(VkskinContext context, VkskinCrowd crowd, uint32_t group, uint32_t part);

#endif
