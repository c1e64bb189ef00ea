/* drawn_probe.h: what a pass draws of one instance, read back from the probe's images and held against the reference. */
#ifndef BENCH_DRAWN_PROBE_H
#define BENCH_DRAWN_PROBE_H

#include "crowd_scene.h"
#include "device_clock.h"
#include "point_program.h"

/* Records the draw of one instance into a pass that is begun. */
typedef void (*DrawnProbeFn)(void *user, VkCommandBuffer commandBuffer, uint32_t instance);

typedef struct DrawnProbe {
    DeviceClock *clock;
    PointProgram *program;
    VkskinVertexFormat format; /* what the vertices were read from: their bounds */
    Buffer readback;
    DrawnProbeFn draw;
    void *user;
} DrawnProbe;

/* The other members are set. */
bool drawnProbeCreate(DrawnProbe *probe, EngineError *error);
void drawnProbeDestroy(DrawnProbe *probe);

/* As crowdCheck does. */
bool drawnProbeCheck(DrawnProbe *probe, const CrowdScene *scene, EngineError *error);

#endif
