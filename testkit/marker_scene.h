/*
 * marker_scene.h: a context with a marker mesh, and what most tests do in a frame: record the skinning and run it, ask for
 * the counters, check positions.
 */
#ifndef TESTKIT_MARKER_SCENE_H
#define TESTKIT_MARKER_SCENE_H

#include "meshes.h"

/* A context with a marker mesh and an instance of it. */
typedef struct Scene {
    Gpu *gpu;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instance;
} Scene;

/* def: null for the default. */
static inline Scene makeScene(Gpu *gpu, const VkskinContextDef *def, uint32_t vertexCount, bool previousPositions) {
    Scene scene = {.gpu = gpu, .context = gpuContext(gpu, def)};
    scene.mesh = markerMesh(gpu, scene.context, vertexCount, previousPositions);
    scene.instance = markerInstance(gpu, scene.context, scene.mesh);
    return scene;
}

/* A test of each backend with kernels and on the CPU. Its body sees `gpu` and `VkskinBackend backend`. */
#define BACKENDS_TEST(name)                                                                                            \
    static void name##WithBackend(Gpu *gpu, VkskinBackend backend);                                                    \
    GPU_TEST(name) {                                                                                                   \
        name##WithBackend(gpu, VKSKIN_BACKEND_COMPUTE);                                                                \
        name##WithBackend(gpu, VKSKIN_BACKEND_CPU);                                                                    \
    }                                                                                                                  \
    static void name##WithBackend(Gpu *gpu, VkskinBackend backend)

/* A def with small pages. */
static inline VkskinContextDef smallDef(Gpu *gpu, VkskinBackend backend, uint32_t framesInFlight, uint32_t regions) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.backend = backend;
    def.framesInFlight = framesInFlight;
    def.outputRegions = regions;
    def.memory.pageSize = 1u << 20;
    return def;
}

/* Records the skinning of the frame's commands in a command buffer of its own, submits it and waits. */
static inline void recordAndRun(Gpu *gpu, VkskinContext context) {
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
}

/* A whole frame that skins one instance. */
static inline void skinOneFrame(Gpu *gpu, VkskinContext context, uint32_t slot, VkskinInstance instance, float y,
                                float z) {
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, slot));
    markerSkin(gpu, context, instance, y, z);
    recordAndRun(gpu, context);
}

static inline VkskinStats statsOf(Gpu *gpu, VkskinContext context) {
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    return stats;
}

/* The positions and previous positions of an instance, as the device wrote them: vertex v is at (v, y, z). */
static inline void checkHistory(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float previousY,
                                float z) {
    VkskinOutput output = markerOutput(gpu, context, instance);
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    const char *bytes = page.mapped;
    assert_int_equal(markerMismatches(bytes + output.positionOffset, output.vertexCount, y, z), 0);
    assert_int_equal(markerMismatches(bytes + output.previousPositionOffset, output.vertexCount, previousY, z), 0);
    gpuFreeBuffer(gpu, &page);
}

/* The same for a mesh without previous positions, whose previous positions are the current ones. */
static inline void checkPositions(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z) {
    checkHistory(gpu, context, instance, y, y, z);
}

#endif
