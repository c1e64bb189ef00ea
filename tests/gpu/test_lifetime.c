/*
 * Objects destroyed while frames are in flight: the handle is stale at once, the memory is reused when the slot is begun
 * again. And frames that do not go as planned: commands never recorded, cancelled frames, instances updated now and then,
 * meshes that arrive while earlier frames run, memory that cannot be flushed. The device is held back where memory reused
 * too early would show in the output.
 */
#include "frame_loop.h"
#include "interposer.h"
#include "marker_scene.h"

#define VERTICES 4000
#define BYTES    (VERTICES * 12)

static VkskinContext makeContext(Gpu *gpu, uint32_t framesInFlight) {
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, framesInFlight, 1);
    return gpuContext(gpu, &def);
}

static void destroyBoth(Gpu *gpu, VkskinContext context, VkskinInstance instance, VkskinMesh mesh) {
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance));
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh));
}

/* ---- Destroyed objects ---- */

static bool overlap(const VkskinOutput *a, const VkskinOutput *b) {
    return a->page == b->page && a->positionOffset < b->positionOffset + BYTES &&
           b->positionOffset < a->positionOffset + BYTES;
}

typedef enum When { AFTER_THE_FRAME, IN_A_CANCELLED_FRAME, AFTER_A_CANCELLED_FRAME, WHEN_COUNT } When;

/*
 * The frame in flight skins an instance that is destroyed with its mesh right after it, or in a cancelled frame, or right
 * after that. What the slot's next frame makes, of the same size, must take the place of neither: frame 0 must still find
 * its source, and leave the other output alone.
 */
static void checkDestroyed(Gpu *gpu, When when) {
    VkskinContext context = makeContext(gpu, 2);
    FrameLoop loop = frameLoop(gpu, context, 2);
    VkskinMesh mesh = markerMesh(gpu, context, VERTICES, false);
    VkskinInstance instance = markerInstance(gpu, context, mesh);
    GpuBuffer readbacks[2];
    VkskinOutput outputs[2];
    for (uint32_t frame = 0; frame < 2; frame++) {
        VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
        for (int cancelled = 0; frame == 1 && when != AFTER_THE_FRAME && cancelled < 2; cancelled++) {
            if (cancelled == 0 && when == IN_A_CANCELLED_FRAME) {
                destroyBoth(gpu, context, instance, mesh);
            }
            frameLoopCancel(&loop); /* the second one finds nothing to keep longer */
            if (cancelled == 0 && when == AFTER_A_CANCELLED_FRAME) {
                destroyBoth(gpu, context, instance, mesh);
            }
            commandBuffer = frameLoopBegin(&loop);
        }
        if (frame == 1) {
            mesh = markerMesh(gpu, context, VERTICES, false);
            instance = markerInstance(gpu, context, mesh);
        }
        markerSkin(gpu, context, instance, 10.0f + (float)frame, 1.0f);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        outputs[frame] = markerOutput(gpu, context, instance);
        readbacks[frame] = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        gpuRecordReadback(commandBuffer, outputs[frame].buffer, outputs[frame].positionOffset, BYTES,
                          readbacks[frame].buffer);
        frameLoopSubmit(&loop);
        if (when == AFTER_THE_FRAME) {
            destroyBoth(gpu, context, instance, mesh);
        }
    }
    assert_false(overlap(&outputs[0], &outputs[1]));
    frameLoopFinish(&loop);
    for (uint32_t frame = 0; frame < 2; frame++) {
        assert_int_equal(markerMismatches(readbacks[frame].mapped, VERTICES, 10.0f + (float)frame, 1.0f), 0);
        gpuFreeBuffer(gpu, &readbacks[frame]);
    }
}

GPU_TEST(destroyedInFlight) {
    for (int when = 0; when < WHEN_COUNT; when++) {
        checkDestroyed(gpu, (When)when);
    }
}

/* Small instances do not settle in the page of a large one that has gone: the next large one finds it free. */
GPU_TEST(largePagesAreKeptForLargeInstances) {
    VkskinContext context = makeContext(gpu, 1);
    VkskinMesh large = markerMesh(gpu, context, 200000, false); /* 2.4 MB of positions, in pages of 1 MiB */
    VkskinMesh small = markerMesh(gpu, context, 10, false);
    for (int i = 0; i < 4; i++) {
        VkskinInstance instance = markerInstance(gpu, context, large);
        GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance)); /* free at once: no frame has begun */
        (void)markerInstance(gpu, context, small);
        assert_int_equal(statsOf(gpu, context).outputPages, 2);
    }
}

/* Instances that are destroyed between vkskinSkinInstances and the record are dropped from it; the other stays. The order
 * of destruction is that which moves a command to another place in the table. */
BACKENDS_TEST(droppedBeforeTheRecord) {
    VkskinContextDef def = smallDef(gpu, backend, 1, 1);
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh meshes[3];
    VkskinInstance instances[3];
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < 3; i++) {
        meshes[i] = markerMesh(gpu, context, VERTICES, false);
        instances[i] = markerInstance(gpu, context, meshes[i]);
        markerSkin(gpu, context, instances[i], 30.0f + (float)i, 1.0f);
    }
    const VkskinOutput dropped[] = {markerOutput(gpu, context, instances[0]), markerOutput(gpu, context, instances[2])};
    gpuPoisonOutput(gpu, context);
    destroyBoth(gpu, context, instances[0], meshes[0]);
    destroyBoth(gpu, context, instances[2], meshes[2]);
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instances[1], 31.0f, 1.0f);
    assert_int_equal(statsOf(gpu, context).instancesSkinned, 1);
    assert_int_equal(statsOf(gpu, context).verticesSkinned, VERTICES);
    for (uint32_t d = 0; d < 2; d++) {
        GpuBuffer page = gpuReadPage(gpu, context, dropped[d].page);
        const uint32_t *words = (const uint32_t *)((const char *)page.mapped + dropped[d].positionOffset);
        for (uint32_t i = 0; i < VERTICES * 3; i++) {
            assert_int_equal(words[i], GPU_POISON);
        }
        gpuFreeBuffer(gpu, &page);
    }
}

/* A mesh that is destroyed before its upload was recorded: nothing is copied to a place that is another's by then. */
GPU_TEST(destroyedBeforeTheUpload) {
    VkskinContext context = makeContext(gpu, 1);
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

/* Contexts on one device are independent and refuse each other's handles, also those of a destroyed context. */
GPU_TEST(contextsAreIndependent) {
    for (int i = 0; i < 2; i++) {
        Scene first = makeScene(gpu, NULL, 10, false), second = makeScene(gpu, NULL, 10, false);
        VkskinMeshInfo info;
        VkskinOutput output;
        GPU_VKSKIN(gpu, vkskinGetMeshInfo(first.context, first.mesh, &info));
        GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_STALE_HANDLE, vkskinGetMeshInfo(second.context, first.mesh, &info));
        gpuDestroyContext(gpu, first.context);
        GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_STALE_HANDLE, vkskinGetOutput(second.context, first.instance, &output));
        Scene third = makeScene(gpu, NULL, 10, false); /* perhaps at the address of the first */
        GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_STALE_HANDLE, vkskinGetOutput(third.context, first.instance, &output));
        skinOneFrame(gpu, second.context, 0, second.instance, 1.0f, 1.0f);
        checkPositions(gpu, second.context, second.instance, 1.0f, 1.0f);
    }
}

/* ---- Cancelled frames and commands that are not recorded ---- */

GPU_TEST(noFrameIsBegunAfterwards) {
    VkskinContext context = makeContext(gpu, 3);
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, 3, false));
    gpuCheckRefusal(gpu, "before the first frame", vkskinCancelFrame(context), VKSKIN_ERROR_FRAME_NOT_BEGUN,
                    "vkskinCancelFrame");
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1));
    VkskinSkinCommand command = {.instance = instance, .palette = markerPalette(gpu, context, 1.0f, 1.0f)};
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
    GPU_VKSKIN(gpu, vkskinCancelFrame(context));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinCancelFrame(context));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinSkinInstances(context, &command, 1, NULL));
    VkskinOutput output;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instance, &output));
    assert_int_equal(statsOf(gpu, context).paletteBytes, 0);
    assert_int_equal(statsOf(gpu, context).frame, 1);

    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_ORDER, vkskinBeginFrame(context, 2));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1)); /* and no warning of commands that were dropped */
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_PALETTE_STALE, vkskinSkinInstances(context, &command, 1, NULL));
    assert_int_equal(vkskinCancelFrame(NULL), VKSKIN_ERROR_NULL_ARGUMENT);
}

BACKENDS_TEST(commandsNotRecordedAreTakenBack) {
    VkskinContextDef def = smallDef(gpu, backend, 1, 1);
    Scene s = makeScene(gpu, &def, VERTICES, true);
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    markerSkin(gpu, s.context, s.instance, 1, 2);
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(s.context, 0));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(s.context, s.instance, &output));

    markerSkin(gpu, s.context, s.instance, 1, 2);
    recordAndRun(gpu, s.context);
    VkskinOutput shown = markerOutput(gpu, s.context, s.instance);
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    markerSkin(gpu, s.context, s.instance, 3, 2);
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(s.context, 0));
    recordAndRun(gpu, s.context);
    assert_int_equal(statsOf(gpu, s.context).instancesSkinned, 0);
    assert_int_equal(markerOutput(gpu, s.context, s.instance).positionOffset, shown.positionOffset);
    checkPositions(gpu, s.context, s.instance, 1, 2);

    /* The history continues from the shown output, not from the dropped one. */
    skinOneFrame(gpu, s.context, 0, s.instance, 5, 2);
    output = markerOutput(gpu, s.context, s.instance);
    assert_int_equal(output.previousPositionOffset, shown.positionOffset);
    assert_int_not_equal(output.positionOffset, shown.positionOffset);
    checkHistory(gpu, s.context, s.instance, 5, 1, 2);
}

/* ---- Frames in flight ---- */

static void checkUpdates(Gpu *gpu, uint32_t framesInFlight, bool previousPositions, uint32_t seed) {
    enum { FRAMES = 50 };
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, framesInFlight, framesInFlight);
    Scene s = makeScene(gpu, &def, 67, previousPositions);
    VkskinOutput reads[FRAMES];
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, frame % framesInFlight));
        seed = seed * 1664525u + 1013904223u;
        bool update = frame == 0 || (seed >> 16) % 4 == 0;
        if (update) {
            markerSkin(gpu, s.context, s.instance, 1, 2);
        }
        recordAndRun(gpu, s.context);
        reads[frame] = markerOutput(gpu, s.context, s.instance);
        for (uint32_t back = 1; update && back < framesInFlight && back <= frame; back++) {
            assert_int_not_equal(reads[frame].positionOffset, reads[frame - back].positionOffset);
            assert_int_not_equal(reads[frame].positionOffset, reads[frame - back].previousPositionOffset);
        }
    }
    gpuDestroyContext(gpu, s.context);
}

/* No update may write memory that a frame in flight reads, whatever the order of updates. */
GPU_TEST(raggedUpdatesKeepOffFramesInFlight) {
    for (uint32_t frames = 1; frames <= 4; frames++) {
        for (uint32_t seed = 0; seed < 2; seed++) {
            checkUpdates(gpu, frames, false, seed);
            checkUpdates(gpu, frames, true, seed + 100);
        }
    }
}

/* With the default consumers, which include no transfer, the layer must report no hazard between copies and skinning. */
GPU_TEST(meshesArriveWhileFramesRun) {
    for (int staged = 0; staged < 2; staged++) {
        VkskinContextDef plain = vkskinDefaultContextDef(), def = gpuContextDef(gpu);
        def.consumerStages = plain.consumerStages;
        def.consumerAccess = plain.consumerAccess;
        def.memory.palettes = staged ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
        VkskinContext context = gpuContext(gpu, &def);
        FrameLoop loop = frameLoop(gpu, context, def.framesInFlight);
        for (uint32_t frame = 0; frame < 6; frame++) {
            VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
            for (uint32_t call = 0; call < 2; call++) {
                VkskinMesh mesh = markerMesh(gpu, context, 67, false);
                markerSkin(gpu, context, markerInstance(gpu, context, mesh), 1, 2);
                GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
            }
            frameLoopSubmit(&loop);
        }
        frameLoopFinish(&loop);
    }
}

/* ---- Flushes ---- */

INTERPOSER_TEST(failedFlushesMayBeTriedAgain) {
    interposerBegin(gpu);
    interposerMakeIncoherent();
    VkskinVulkanFunctions functions = interposerFunctions();
    VkskinMemoryCallbacks memory = interposerMemory(); /* flushing more than the table is a violation */
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.memory.callbacks = &memory;
    def.framesInFlight = 1;
    def.memory.maxInstances = 1; /* the table has room for one: leftovers of a failed call would overrun it */
    def.memory.paletteBytesPerFrame = 48;
    Scene s = makeScene(gpu, &def, 67, false);
    interposer.counted = FAULT_BIT(FAULT_FlushMappedMemoryRanges);
    interposer.error = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t frame = 0; frame < 3; frame++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
        markerSkin(gpu, s.context, s.instance, 1, 2);
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        /* Two flushes: the palette and the table. The mesh's staging memory was flushed at its creation. */
        for (uint32_t attempt = 0; attempt < 40; attempt++) {
            interposer.calls = 0;
            interposer.failAt = attempt % 2;
            GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, vkskinRecordSkinning(s.context, commandBuffer));
        }
        interposer.calls = 0;
        interposer.failAt = FAULT_NEVER;
        GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
        assert_int_equal(interposer.calls, 2);
        gpuSubmitAndWait(gpu, commandBuffer);
    }
    checkPositions(gpu, s.context, s.instance, 1, 2);
}
