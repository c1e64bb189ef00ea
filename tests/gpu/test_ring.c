/*
 * The palette ring: with the device held back, no frame reads the bones of another frame. A planted fault (one region for
 * all frames) shows that the check works.
 */

#include "frame_loop.h"
#include "meshes.h"
#include "test.h"

#define FRAMES    12
#define INSTANCES 5
#define VERTICES  67

typedef struct RingRun {
    FrameLoop loop;
    VkskinContext context;
    VkskinInstance instances[INSTANCES];
    GpuBuffer readback[FRAMES]; /* INSTANCES outputs each */
    void *palettes[INSTANCES];  /* where the frame before wrote its bones */
    bool plantFault;
} RingRun;

static float frameMark(uint64_t frame, uint32_t instance) {
    return (float)(1000 * (frame + 1) + instance);
}

/*
 * Every frame skins all instances (an instance left out would lie in a region that other frames write, which the layer
 * cannot distinguish from a hazard), but from different places of the ring: unused bones come first.
 */
static void shiftPalettes(RingRun *run, Gpu *gpu, uint64_t frame) {
    VkskinPalette unread;
    void *data;
    uint32_t bones = 1 + (uint32_t)(frame * 3 % INSTANCES);
    GPU_VKSKIN(gpu, vkskinAllocatePalette(run->context, VKSKIN_PALETTE_MAT3X4, bones, &unread, &data));
}

/* Writes the bones to the region of the frame before, too. */
static void plantFault(RingRun *run, uint64_t frame) {
    if (frame > 0) {
        for (uint32_t i = 0; i < INSTANCES; i++) {
            markerWrite(run->palettes[i], frameMark(frame, i), (float)i);
        }
    }
}

static void recordFrame(RingRun *run, Gpu *gpu) {
    VkCommandBuffer commandBuffer = frameLoopBegin(&run->loop);
    uint64_t frame = run->loop.frame;
    if (run->plantFault) {
        plantFault(run, frame);
    }
    shiftPalettes(run, gpu, frame);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinSkinCommand command = {.instance = run->instances[i]};
        GPU_VKSKIN(gpu,
                   vkskinAllocatePalette(run->context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &run->palettes[i]));
        markerWrite(run->palettes[i], frameMark(frame, i), (float)i);
        GPU_VKSKIN(gpu, vkskinSkinInstances(run->context, &command, 1));
    }
    GPU_VKSKIN(gpu, vkskinRecordSkinning(run->context, commandBuffer));
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinOutput output;
        GPU_VKSKIN(gpu, vkskinGetOutput(run->context, run->instances[i], &output));
        VkBufferCopy region = {output.positionOffset, (VkDeviceSize)i * VERTICES * 12, VERTICES * 12};
        vkCmdCopyBuffer(commandBuffer, output.buffer, run->readback[frame].buffer, 1, &region);
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
    frameLoopSubmit(&run->loop);
}

static uint32_t countMismatches(const RingRun *run) {
    uint32_t mismatches = 0;
    for (uint64_t frame = 0; frame < FRAMES; frame++) {
        for (uint32_t i = 0; i < INSTANCES; i++) {
            const char *bytes = (const char *)run->readback[frame].mapped + (size_t)i * VERTICES * 12;
            mismatches += markerMismatches(bytes, VERTICES, frameMark(frame, i), (float)i);
        }
    }
    return mismatches;
}

/* Runs all frames; returns how many vertices came from other bones than their frame's. Staged palettes are read as a
 * storage buffer, others as texels. */
static uint32_t runRing(Gpu *gpu, VkskinBackend backend, uint32_t framesInFlight, uint32_t regions,
                        VkskinPaletteMemory memory, bool fault) {
    RingRun run = {.plantFault = fault};
    VkskinContextDef def = gpuContextDef(gpu);
    def.backend = backend;
    def.paletteBinding =
        memory == VKSKIN_PALETTE_MEMORY_STAGED ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    def.framesInFlight = framesInFlight;
    def.outputRegions = regions;
    def.paletteMemory = memory;
    def.paletteBytesPerFrame = 64 * 1024;
    run.context = gpuContext(gpu, &def);
    VkskinMesh mesh = markerMesh(gpu, run.context, VERTICES, false);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        GPU_VKSKIN(gpu, instanceOf(run.context, mesh, &run.instances[i]));
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        run.readback[frame] = gpuBuffer(gpu, INSTANCES * VERTICES * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }
    run.loop = frameLoop(gpu, run.context, framesInFlight);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        recordFrame(&run, gpu);
    }
    frameLoopFinish(&run.loop);
    uint32_t mismatches = countMismatches(&run);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        gpuFreeBuffer(gpu, &run.readback[frame]);
    }
    gpuDestroyContext(gpu, run.context);
    return mismatches;
}

GPU_TEST(noFrameSeesAnothersBones) {
    for (uint32_t frames = 1; frames <= 3; frames++) {
        assert_int_equal(runRing(gpu, VKSKIN_BACKEND_COMPUTE, frames, 1, VKSKIN_PALETTE_MEMORY_AUTO, false), 0);
        assert_int_equal(runRing(gpu, VKSKIN_BACKEND_COMPUTE, frames, frames, VKSKIN_PALETTE_MEMORY_AUTO, false), 0);
    }
}

/* The CPU reads bones at once, and writes where a frame that waits for the device does not look. */
GPU_TEST(noFrameSeesAnothersOutputOfTheCpu) {
    for (uint32_t frames = 1; frames <= 3; frames++) {
        assert_int_equal(runRing(gpu, VKSKIN_BACKEND_CPU, frames, 1, VKSKIN_PALETTE_MEMORY_AUTO, false), 0);
        assert_int_equal(runRing(gpu, VKSKIN_BACKEND_CPU, frames, frames, VKSKIN_PALETTE_MEMORY_STAGED, false), 0);
    }
}

GPU_TEST(noFrameSeesAnothersBonesStaged) {
    for (uint32_t frames = 1; frames <= 3; frames++) {
        assert_int_equal(runRing(gpu, VKSKIN_BACKEND_COMPUTE, frames, frames, VKSKIN_PALETTE_MEMORY_STAGED, false), 0);
    }
}

GPU_TEST(oneRegionForAllIsFound) {
    assert_int_not_equal(runRing(gpu, VKSKIN_BACKEND_COMPUTE, 2, 1, VKSKIN_PALETTE_MEMORY_AUTO, true), 0);
    assert_int_not_equal(runRing(gpu, VKSKIN_BACKEND_COMPUTE, 3, 1, VKSKIN_PALETTE_MEMORY_STAGED, true), 0);
}
