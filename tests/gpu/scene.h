/*
 * scene.h: what most tests do in a frame: record the skinning and run it, ask for the counters, check positions.
 */
#ifndef TESTS_GPU_SCENE_H
#define TESTS_GPU_SCENE_H

#include "meshes.h"

/* Records the skinning of the frame's commands in a command buffer of its own, submits it and waits. */
static inline void recordAndRun(Gpu *gpu, VkskinContext context) {
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
}

static inline VkskinStats statsOf(Gpu *gpu, VkskinContext context) {
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    return stats;
}

/* The positions of an instance of a marker mesh, as the device wrote them: vertex v is at (v, y, z). */
static inline void checkPositions(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z) {
    VkskinOutput output = markerOutput(gpu, context, instance);
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    assert_int_equal(markerMismatches((const char *)page.mapped + output.positionOffset, output.vertexCount, y, z), 0);
    gpuFreeBuffer(gpu, &page);
}

#endif
