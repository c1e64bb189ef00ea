/*
 * baseline_crowd.h: crowds of vertices as engines commonly skin them: 48 bytes of source, and a palette of 3x4 matrices
 * for each instance. The baseline is such a crowd, and so is the one that the vertex shader skins.
 */
#ifndef BENCH_BASELINE_CROWD_H
#define BENCH_BASELINE_CROWD_H

#include "bench_case.h"
#include "crowd_scene.h"
#include "resources.h"

/* baseline.comp and skin_in_vertex_shader.vert read it. */
typedef struct BaselineVertex {
    float position[3], normal[3], tangent[4];
    uint8_t joints[4], weights[4]; /* the first four influences; weights: 255 is 1 */
} BaselineVertex;

_Static_assert(sizeof(BaselineVertex) == 48, "the baseline reads 48 bytes a vertex");

/* BaselineVertex as vertex input. */
extern const VkPipelineVertexInputStateCreateInfo BASELINE_INPUT;

typedef struct SourceCrowd {
    Device *device;
    DeviceClock *clock;
    CrowdScene scene;
    Buffer source;              /* BaselineVertex of the mesh */
    Buffer palettes;            /* palettes of all instances, mapped */
    VkDeviceSize paletteStride; /* between instances */
} SourceCrowd;

/* usage: of the source. alignment: of palettes. *crowd: zero. Destroy it also on failure. */
bool sourceCrowdCreate(SourceCrowd *crowd, const CrowdShape *shape, const BenchEnvironment *environment,
                       VkBufferUsageFlags usage, VkDeviceSize alignment, EngineError *error);
void sourceCrowdDestroy(SourceCrowd *crowd);

void sourceCrowdWritePalettes(const SourceCrowd *crowd);

#endif
