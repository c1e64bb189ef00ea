/*
 * What is destroyed while frames are in flight: gone for the caller at once, its memory used again only when the
 * slot is begun again. The device is held back, so that a reuse too early would show in the output.
 */
#include <stdlib.h>

#include "frame_loop.h"
#include "scene.h"

#define VERTICES 4000
#define BYTES    (VERTICES * 12)

static VkskinContext smallContext(Gpu *gpu, uint32_t framesInFlight) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = framesInFlight;
    def.outputRegions = 1;
    def.pageSize = 1u << 20;
    return gpuContext(gpu, &def);
}

static bool overlap(const VkskinOutput *a, const VkskinOutput *b) {
    return a->page == b->page && a->positionOffset < b->positionOffset + BYTES &&
           b->positionOffset < a->positionOffset + BYTES;
}

/*
 * Frame 0 skins A, and is held. A and its mesh go; frame 1 makes another mesh and B of it. Frame 0 must still find A's
 * source, and leave B's output alone.
 */
static void destroyedInFlight(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = smallContext(gpu, 2);
    FrameLoop loop = frameLoop(gpu, context, 2);
    GpuBuffer readbacks[2];
    VkskinOutput outputs[2];
    VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false);
    VkskinInstance instance = markerInstance(gpu, context, mesh);
    for (uint32_t f = 0; f < 2; f++) {
        readbacks[f] = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
        markerSkin(gpu, context, instance, 10.0f + (float)f, 20.0f);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        outputs[f] = markerOutput(gpu, context, instance);
        gpuRecordReadback(commandBuffer, outputs[f].buffer, outputs[f].positionOffset, BYTES, readbacks[f].buffer);
        frameLoopSubmit(&loop);
        GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance));
        GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh));
        if (f == 0) { /* of the same size, so that it would fit into what is free too early */
            mesh = markerMesh(gpu, context, VERTICES, false);
            instance = markerInstance(gpu, context, mesh);
        }
    }
    assert_false(overlap(&outputs[0], &outputs[1]));
    frameLoopFinish(&loop);
    for (uint32_t f = 0; f < 2; f++) {
        assert_int_equal(markerMismatches(readbacks[f].mapped, VERTICES, 10.0f + (float)f, 20.0f), 0);
        gpuFreeBuffer(gpu, &readbacks[f]);
    }
    vkskinDestroyContext(context);
}

/* A mesh and an instance for each of many frames: pages do not grow, places come back. */
static void memoryIsUsedAgain(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = smallContext(gpu, 3);
    FrameLoop loop = frameLoop(gpu, context, 3);
    VkskinStats early = {0}, late;
    for (uint32_t f = 0; f < 60; f++) {
        VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
        VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false);
        VkskinInstance instance = markerInstance(gpu, context, mesh);
        markerSkin(gpu, context, instance, (float)f, 0.0f);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        frameLoopSubmit(&loop);
        GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance));
        GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh));
        if (f == 10) {
            GPU_VKSKIN(gpu, vkskinGetStats(context, &early));
        }
    }
    GPU_VKSKIN(gpu, vkskinGetStats(context, &late));
    assert_int_equal(late.outputPages, early.outputPages);
    assert_int_equal(late.meshPages, early.meshPages);
    assert_int_equal(late.deviceBytes, early.deviceBytes);
    assert_int_equal(late.meshes, 0);
    assert_int_equal(late.instances, 0);
    frameLoopFinish(&loop);
    vkskinDestroyContext(context);
}

/* Small instances do not settle in the page of a large one that has gone: the next large one finds it free. */
static void largePagesAreKeptForLargeInstances(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = smallContext(gpu, 1);
    VkskinMesh large = markerMesh(gpu, context, 200000, false); /* 2.4 MB of positions, in pages of 1 MiB */
    VkskinMesh small = markerMesh(gpu, context, 10, false);
    VkskinStats stats;
    for (int i = 0; i < 4; i++) {
        VkskinInstance instance = markerInstance(gpu, context, large);
        GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance)); /* free at once: no frame has begun */
        (void)markerInstance(gpu, context, small);
        GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
        assert_int_equal(stats.outputPages, 2);
    }
    vkskinDestroyContext(context);
}

/* An instance that is destroyed between vkskinSkinInstances and the record is dropped from it; the others stay. */
static void droppedBeforeTheRecord(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = smallContext(gpu, 1);
    VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false);
    VkskinInstance instances[3];
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < 3; i++) {
        instances[i] = markerInstance(gpu, context, mesh);
        markerSkin(gpu, context, instances[i], 30.0f + (float)i, 1.0f);
    }
    VkskinOutput dropped = markerOutput(gpu, context, instances[1]);
    gpuPoisonOutput(gpu, context);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instances[1]));
    recordAndRun(gpu, context);
    GpuBuffer page = gpuReadPage(gpu, context, dropped.page);
    for (uint32_t i = 0; i < 3; i += 2) {
        VkskinOutput output = markerOutput(gpu, context, instances[i]);
        const char *bytes = (const char *)page.mapped + output.positionOffset;
        assert_int_equal(markerMismatches(bytes, VERTICES, 30.0f + (float)i, 1.0f), 0);
    }
    const uint32_t *words = (const uint32_t *)((const char *)page.mapped + dropped.positionOffset);
    for (uint32_t i = 0; i < VERTICES * 3; i++) {
        assert_int_equal(words[i], GPU_POISON);
    }
    gpuFreeBuffer(gpu, &page);
    vkskinDestroyContext(context);
}

/* A mesh that is destroyed before its upload was recorded: nothing is copied to a place that is another's by then. */
static void destroyedBeforeTheUpload(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = smallContext(gpu, 1);
    for (uint32_t f = 0; f < 3; f++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
        VkskinMesh never = markerMesh(gpu, context, VERTICES, false);
        GPU_VKSKIN(gpu, vkskinDestroyMesh(context, never));
        VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, VERTICES, false));
        markerSkin(gpu, context, instance, 5.0f, (float)f);
        recordAndRun(gpu, context);
        checkPositions(gpu, context, instance, 5.0f, (float)f);
    }
    vkskinDestroyContext(context);
}

/* Contexts on one device do not know of each other, and their handles are strangers. */
static void contextsAreIndependent(void **state) {
    Gpu *gpu = *state;
    VkskinContext first = smallContext(gpu, 1), second = smallContext(gpu, 1);
    VkskinMesh mesh = markerMesh(gpu, first, 10, false);
    VkskinMeshInfo info;
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(first, mesh, &info));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_STALE_HANDLE, vkskinGetMeshInfo(second, mesh, &info));
    vkskinDestroyContext(first);
    VkskinInstance instance = markerInstance(gpu, second, markerMesh(gpu, second, 10, false));
    GPU_VKSKIN(gpu, vkskinBeginFrame(second, 0));
    markerSkin(gpu, second, instance, 1.0f, 1.0f);
    recordAndRun(gpu, second);
    vkskinDestroyContext(second);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(destroyedInFlight),      GPU_TEST(memoryIsUsedAgain),
        GPU_TEST(droppedBeforeTheRecord), GPU_TEST(destroyedBeforeTheUpload),
        GPU_TEST(contextsAreIndependent), GPU_TEST(largePagesAreKeptForLargeInstances),
    };
    return gpuRunTests("lifetime", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
