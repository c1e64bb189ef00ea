/*
 * Objects destroyed while frames are in flight: the handle is stale at once, the memory is reused when the slot is begun
 * again. And cancelled frames: vkskinCancelFrame restores the state before them. The device is held back, so that memory
 * reused too early would show in the output.
 */

#include "frame_loop.h"
#include "scene.h"
#include "test.h"

/* ---- Cancelled frames ---- */

#define VERTICES 4000
#define BYTES    (VERTICES * 12)

static VkskinContext makeContext(Gpu *gpu, uint32_t framesInFlight, uint32_t outputRegions, bool staged) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = framesInFlight;
    def.outputRegions = outputRegions;
    def.pageSize = 1u << 20;
    def.paletteMemory = staged ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
    return gpuContext(gpu, &def);
}

/* Copies of a submitted frame's positions and previous positions. */
typedef struct Seen {
    GpuBuffer positions, previous;
} Seen;

static Seen recordSeen(Gpu *gpu, VkCommandBuffer commandBuffer, const VkskinOutput *output) {
    Seen seen = {gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                 gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT)};
    gpuRecordReadback(commandBuffer, output->buffer, output->positionOffset, BYTES, seen.positions.buffer);
    gpuRecordReadback(commandBuffer, output->buffer, output->previousPositionOffset, BYTES, seen.previous.buffer);
    return seen;
}

static void checkSeen(Gpu *gpu, Seen *seen, float mark, float markBefore) {
    assert_int_equal(markerMismatches(seen->positions.mapped, VERTICES, mark, 1.0f), 0);
    assert_int_equal(markerMismatches(seen->previous.mapped, VERTICES, markBefore, 1.0f), 0);
    gpuFreeBuffer(gpu, &seen->positions);
    gpuFreeBuffer(gpu, &seen->previous);
}

/* The first frame and every third one are cancelled after they were recorded, the first of all twice. */
static bool isCancelled(uint32_t frame, uint32_t attempt) {
    return frame % 3 == 0 && attempt < (frame == 0 ? 2u : 1u);
}

/*
 * The mesh is uploaded by a cancelled frame at first, so its copy must come again; a cancelled update must leave no
 * trace, neither in the positions nor in the previous ones.
 */
static void checkHistory(Gpu *gpu, uint32_t framesInFlight, uint32_t regions, bool staged) {
    enum { FRAMES = 8 };
    VkskinContext context = makeContext(gpu, framesInFlight, regions, staged);
    FrameLoop loop = frameLoop(gpu, context, framesInFlight);
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, VERTICES, true));
    Seen seen[FRAMES];
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
        for (uint32_t attempt = 0; isCancelled(frame, attempt); attempt++) {
            markerSkin(gpu, context, instance, -7.0f, 1.0f);
            GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
            frameLoopCancel(&loop);
            commandBuffer = frameLoopBegin(&loop);
        }
        markerSkin(gpu, context, instance, (float)frame, 1.0f);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        VkskinOutput output = markerOutput(gpu, context, instance);
        seen[frame] = recordSeen(gpu, commandBuffer, &output);
        frameLoopSubmit(&loop);
    }
    frameLoopFinish(&loop);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        checkSeen(gpu, &seen[frame], (float)frame, frame > 0 ? (float)(frame - 1) : 0.0f);
    }
    gpuDestroyContext(gpu, context);
}

GPU_TEST(cancelledUpdatesLeaveNoTrace) {
    for (uint32_t frames = 1; frames <= 3; frames++) {
        checkHistory(gpu, frames, 1, frames == 2);
        checkHistory(gpu, frames, frames, frames == 3);
    }
}

static bool overlap(const VkskinOutput *a, const VkskinOutput *b) {
    return a->page == b->page && a->positionOffset < b->positionOffset + BYTES &&
           b->positionOffset < a->positionOffset + BYTES;
}

/*
 * The frame in flight skins an instance that is destroyed with its mesh in the cancelled frame after it, or right after
 * that. What the slot's next frame makes must take the place of neither.
 */
static void checkDestroyed(Gpu *gpu, bool afterwards) {
    VkskinContext context = makeContext(gpu, 2, 1, false);
    FrameLoop loop = frameLoop(gpu, context, 2);
    VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false);
    VkskinInstance instance = markerInstance(gpu, context, mesh);
    Seen seen[2];
    VkskinOutput outputs[2];
    for (uint32_t frame = 0; frame < 2; frame++) {
        VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
        if (frame == 1) {
            for (int cancelled = 0; cancelled < 2; cancelled++) { /* the second one finds nothing to keep longer */
                if (cancelled == 0 && !afterwards) {
                    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance));
                    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh));
                }
                frameLoopCancel(&loop);
                if (cancelled == 0 && afterwards) {
                    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance));
                    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh));
                }
                commandBuffer = frameLoopBegin(&loop);
            }
            mesh = markerMesh(gpu, context, VERTICES, false);
            instance = markerInstance(gpu, context, mesh);
        }
        markerSkin(gpu, context, instance, 10.0f + (float)frame, 1.0f);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        outputs[frame] = markerOutput(gpu, context, instance);
        seen[frame] = recordSeen(gpu, commandBuffer, &outputs[frame]);
        frameLoopSubmit(&loop);
    }
    assert_false(overlap(&outputs[0], &outputs[1]));
    frameLoopFinish(&loop);
    for (uint32_t frame = 0; frame < 2; frame++) {
        checkSeen(gpu, &seen[frame], 10.0f + (float)frame, 10.0f + (float)frame);
    }
    gpuDestroyContext(gpu, context);
}

GPU_TEST(destroyedInACancelledFrame) {
    checkDestroyed(gpu, false);
    checkDestroyed(gpu, true);
}

/* Meshes and instances come and go, in cancelled frames too: their places come back, nothing grows. */
GPU_TEST(memoryIsUsedAgain) {
    for (uint32_t framesInFlight = 1; framesInFlight <= 3; framesInFlight++) {
        VkskinContext context = makeContext(gpu, framesInFlight, 1, false);
        VkskinStats early = {0}, late;
        for (uint32_t frame = 0; frame < 60; frame++) {
            GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame / 2 % framesInFlight));
            VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false);
            VkskinInstance instance = markerInstance(gpu, context, mesh);
            markerSkin(gpu, context, instance, 1.0f, 1.0f);
            VkCommandBuffer commandBuffer = gpuBegin(gpu);
            GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
            GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance));
            GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh));
            if (frame % 2 == 0) {
                vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
                GPU_VKSKIN(gpu, vkskinCancelFrame(context));
            } else {
                gpuSubmitAndWait(gpu, commandBuffer);
            }
            GPU_VKSKIN(gpu, vkskinGetStats(context, frame < 20 ? &early : &late));
        }
        assert_int_equal(late.outputPages, early.outputPages);
        assert_int_equal(late.meshPages, early.meshPages);
        assert_int_equal(late.deviceBytes, early.deviceBytes);
        assert_int_equal(late.frame, 60);
        gpuDestroyContext(gpu, context);
    }
}

GPU_TEST(noFrameIsBegunAfterwards) {
    VkskinContext context = makeContext(gpu, 3, 1, false);
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, 3, false));
    gpu->log.count = 0;
    VkskinResult early = vkskinCancelFrame(context);
    gpuCheckRefusal(gpu, "before the first frame", early, VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinCancelFrame");
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1));
    VkskinSkinCommand command = {.instance = instance, .palette = markerPalette(gpu, context, 1.0f, 1.0f)};
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
    GPU_VKSKIN(gpu, vkskinCancelFrame(context));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinCancelFrame(context));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinSkinInstances(context, &command, 1));
    VkskinOutput output;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instance, &output));
    VkskinStats stats = statsOf(gpu, context);
    assert_int_equal(stats.paletteBytes, 0);
    assert_int_equal(stats.frame, 1);

    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_ORDER, vkskinBeginFrame(context, 2));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1)); /* and no warning of commands that were dropped */
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_PALETTE_STALE, vkskinSkinInstances(context, &command, 1));
    assert_int_equal(vkskinCancelFrame(NULL), VKSKIN_ERROR_NULL_ARGUMENT);
}

/* ---- Destroyed objects ---- */

/*
 * Frame 0 skins A, and is held. A and its mesh go; frame 1 makes another mesh and B of it. Frame 0 must still find A's
 * source, and leave B's output alone.
 */
GPU_TEST(destroyedInFlight) {
    VkskinContext context = makeContext(gpu, 2, 1, false);
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
}

/* A mesh and an instance for each of many frames: pages do not grow, places come back. */
GPU_TEST(destroyedMemoryIsUsedAgain) {
    VkskinContext context = makeContext(gpu, 3, 1, false);
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
}

/* Small instances do not settle in the page of a large one that has gone: the next large one finds it free. */
GPU_TEST(largePagesAreKeptForLargeInstances) {
    VkskinContext context = makeContext(gpu, 1, 1, false);
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
}

/* An instance that is destroyed between vkskinSkinInstances and the record is dropped from it; the others stay. */
GPU_TEST(droppedBeforeTheRecord) {
    VkskinContext context = makeContext(gpu, 1, 1, false);
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
}

/* A mesh that is destroyed before its upload was recorded: nothing is copied to a place that is another's by then. */
GPU_TEST(destroyedBeforeTheUpload) {
    VkskinContext context = makeContext(gpu, 1, 1, false);
    for (uint32_t f = 0; f < 3; f++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
        VkskinMesh never = markerMesh(gpu, context, VERTICES, false);
        GPU_VKSKIN(gpu, vkskinDestroyMesh(context, never));
        VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, VERTICES, false));
        markerSkin(gpu, context, instance, 5.0f, (float)f);
        recordAndRun(gpu, context);
        checkPositions(gpu, context, instance, 5.0f, (float)f);
    }
}

/* Contexts on one device are independent and refuse each other's handles. */
GPU_TEST(contextsAreIndependent) {
    VkskinContext first = makeContext(gpu, 1, 1, false), second = makeContext(gpu, 1, 1, false);
    VkskinMesh mesh = markerMesh(gpu, first, 10, false);
    VkskinMeshInfo info;
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(first, mesh, &info));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_STALE_HANDLE, vkskinGetMeshInfo(second, mesh, &info));
    gpuDestroyContext(gpu, first);
    VkskinInstance instance = markerInstance(gpu, second, markerMesh(gpu, second, 10, false));
    GPU_VKSKIN(gpu, vkskinBeginFrame(second, 0));
    markerSkin(gpu, second, instance, 1.0f, 1.0f);
    recordAndRun(gpu, second);
}
