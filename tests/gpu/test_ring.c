/*
 * Frames in flight, with the device held back: no frame reads the bones, the morph weights or the output of another
 * frame, and a cancelled frame leaves no trace. A planted fault (one region of the palette ring for all frames) shows
 * that the check works.
 */
#include "frame_loop.h"
#include "marker_scene.h"

#define FRAMES    10
#define INSTANCES 5
#define VERTICES  67
#define BYTES     (VERTICES * 12)

typedef struct Run {
    Gpu *gpu;
    FrameLoop loop;
    VkskinContext context;
    VkskinInstance instances[INSTANCES];
    GpuBuffer readback[FRAMES]; /* positions and previous positions of each instance */
    void *palettes[INSTANCES];  /* where the latest frame wrote its bones */
} Run;

static float frameMark(uint64_t frame, uint32_t instance) {
    return (float)(1000 * (frame + 1) + instance);
}

/* None in every fourth frame, one of the two in others. */
static void weightsOf(uint64_t frame, float weights[MARKER_MORPHS]) {
    weights[0] = frame % 4 == 0 || frame % 4 == 1 ? 0.0f : (float)(frame + 1);
    weights[1] = frame % 4 == 0 || frame % 4 == 2 ? 0.0f : (float)(2 * frame);
}

/*
 * Every frame skins all instances (an instance left out would lie in a region that other frames write, which the layer
 * cannot distinguish from a hazard), but from different places of the ring: unused bones come first.
 */
static void skinAll(Run *run, VkCommandBuffer commandBuffer, uint64_t marked) {
    VkskinPalette unread;
    void *data;
    float weights[MARKER_MORPHS];
    weightsOf(marked, weights);
    GPU_VKSKIN(run->gpu, vkskinAllocatePalette(run->context, VKSKIN_PALETTE_MAT3X4,
                                               1 + (uint32_t)(marked * 3 % INSTANCES), &unread, &data));
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinSkinCommand command = {
            .instance = run->instances[i], .morphWeights = weights, .morphWeightCount = MARKER_MORPHS};
        GPU_VKSKIN(run->gpu,
                   vkskinAllocatePalette(run->context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &run->palettes[i]));
        markerWrite(run->palettes[i], frameMark(marked, i), (float)i);
        GPU_VKSKIN(run->gpu, vkskinSkinInstances(run->context, &command, 1, NULL));
    }
    memset(weights, 0xff, sizeof weights); /* the call has copied them */
    GPU_VKSKIN(run->gpu, vkskinRecordSkinning(run->context, commandBuffer));
}

static void recordReadback(Run *run, VkCommandBuffer commandBuffer, VkBuffer target) {
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinOutput output = markerOutput(run->gpu, run->context, run->instances[i]);
        VkBufferCopy regions[2] = {{output.positionOffset, (VkDeviceSize)2 * i * BYTES, BYTES},
                                   {output.previousPositionOffset, (VkDeviceSize)(2 * i + 1) * BYTES, BYTES}};
        vkCmdCopyBuffer(commandBuffer, output.buffer, target, 2, regions);
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
}

/* The first frame and every third one are cancelled after they were recorded, the first of all twice. */
static uint32_t cancelledBefore(uint64_t frame) {
    return frame == 0 ? 2 : frame % 3 == 0;
}

static void runFrame(Run *run, bool cancels, bool plantFault) {
    VkCommandBuffer commandBuffer = frameLoopBegin(&run->loop);
    uint64_t frame = run->loop.frame;
    for (uint32_t i = 0; cancels && i < cancelledBefore(frame); i++) {
        skinAll(run, commandBuffer, FRAMES + frame);
        frameLoopCancel(&run->loop);
        commandBuffer = frameLoopBegin(&run->loop);
    }
    for (uint32_t i = 0; plantFault && frame > 0 && i < INSTANCES; i++) {
        markerWrite(run->palettes[i], frameMark(frame, i), (float)i);
    }
    skinAll(run, commandBuffer, frame);
    run->readback[frame] = gpuBuffer(run->gpu, (VkDeviceSize)2 * INSTANCES * BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    recordReadback(run, commandBuffer, run->readback[frame].buffer);
    frameLoopSubmit(&run->loop);
}

/* `marked`: the frame whose marks the positions must show. */
static uint32_t mismatchesOf(const void *bytes, uint64_t marked, uint32_t instance) {
    float weights[MARKER_MORPHS];
    weightsOf(marked, weights);
    return markerMismatches(bytes, VERTICES, frameMark(marked, instance) + weights[0], (float)instance + weights[1]);
}

static uint32_t countMismatches(Run *run, bool previous) {
    uint32_t mismatches = 0;
    for (uint64_t frame = 0; frame < FRAMES; frame++) {
        const char *bytes = run->readback[frame].mapped;
        for (uint32_t i = 0; i < INSTANCES; i++, bytes += (size_t)2 * BYTES) {
            mismatches += mismatchesOf(bytes, frame, i);
            mismatches += mismatchesOf(bytes + BYTES, previous && frame > 0 ? frame - 1 : frame, i);
        }
        gpuFreeBuffer(run->gpu, &run->readback[frame]);
    }
    return mismatches;
}

/*
 * Runs all frames; returns how many vertices came from other data than their frame's. history: the mesh has previous
 * positions, and some frames are cancelled. Staged palettes are read as a storage buffer, others as texels.
 */
static uint32_t runFrames(Gpu *gpu, VkskinBackend backend, uint32_t framesInFlight, uint32_t regions, bool staged,
                          bool history, bool plantFault) {
    Run run = {.gpu = gpu};
    VkskinContextDef def = smallDef(gpu, backend, framesInFlight, regions);
    def.paletteBinding = staged ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    def.memory.palettes = staged ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
    def.memory.paletteBytesPerFrame = 64 * 1024;
    def.memory.maxMorphWeights = INSTANCES * (MARKER_MORPHS + 1); /* cancelled frames take no room */
    run.context = gpuContext(gpu, &def);
    const MarkerDef marker = {VERTICES, .boneCount = 1, .previousPositions = history, .morphs = true};
    VkskinMesh mesh = markerMeshOf(gpu, run.context, &marker);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        run.instances[i] = markerInstance(gpu, run.context, mesh);
    }
    run.loop = frameLoop(gpu, run.context, framesInFlight);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        runFrame(&run, history, plantFault);
    }
    frameLoopFinish(&run.loop);
    uint32_t mismatches = countMismatches(&run, history);
    gpuDestroyContext(gpu, run.context);
    return mismatches;
}

/* The CPU reads bones at once, and writes where a frame that waits for the device does not look. */
GPU_TEST(noFrameSeesAnothersData) {
    static const VkskinBackend backends[] = {VKSKIN_BACKEND_COMPUTE, VKSKIN_BACKEND_CPU};
    for (uint32_t frames = 1; frames <= 3; frames++) {
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t regions = i / 2 % 2 == 0 ? 1 : frames;
            assert_int_equal(runFrames(gpu, backends[i % 2], frames, regions, i / 4 % 2 == 1, i / 8 == 1, false), 0);
        }
    }
}

GPU_TEST(oneRegionForAllIsFound) {
    assert_int_not_equal(runFrames(gpu, VKSKIN_BACKEND_COMPUTE, 2, 1, false, false, true), 0);
    assert_int_not_equal(runFrames(gpu, VKSKIN_BACKEND_COMPUTE, 3, 1, true, false, true), 0);
}
