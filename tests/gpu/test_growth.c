/*
 * Memory that grows, with the device held back: frames whose record calls need more room than the frame began with. Every
 * frame checks the output of all instances, so an older page, descriptor or table must still serve the frames in flight.
 */
#include "frame_loop.h"
#include "marker_scene.h"

#define FRAMES   6
#define VERTICES 100
#define BYTES    (VERTICES * 12)
#define MOST     (4u << FRAMES)

typedef struct Run {
    Gpu *gpu;
    FrameLoop loop;
    VkskinContext context;
    VkskinMesh mesh;
    uint32_t count; /* instances */
    VkskinInstance instances[MOST];
    VkskinPalette palettes[MOST];
    void *data[MOST];
    GpuBuffer readback[FRAMES];
} Run;

/* The smallest sizes: every frame grows in every way. */
static VkskinContextDef tinyDef(Gpu *gpu, VkskinBackend backend, bool staged) {
    VkskinContextDef def = smallDef(gpu, backend, 2, 2);
    def.memory.firstPageSize = 64 * 1024;
    def.memory.paletteBytesPerFrame = 48;
    def.memory.initialInstances = 1;
    def.memory.initialMorphWeights = 0;
    def.memory.palettes = staged ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
    return def;
}

static float markOf(uint64_t frame, uint32_t instance) {
    return (float)(10000 * (frame + 1) + instance);
}

/* Allocates the palettes of instances `first` to `end` - 1, skins them and records. Each third one has a morph weight. */
static void skinSome(Run *run, VkCommandBuffer commandBuffer, uint32_t first, uint32_t end) {
    static const float weight = 4.0f; /* weight of the first target, along y */
    VkskinSkinCommand commands[MOST] = {0};
    GPU_VKSKIN(run->gpu, vkskinAllocatePalettes(run->context, VKSKIN_PALETTE_MAT3X4, NULL, 1, end - first,
                                                run->palettes + first, run->data + first));
    for (uint32_t i = first; i < end; i++) {
        const bool morphed = i % 3 == 0;
        markerWrite(run->data[i], markOf(run->loop.frame, i) - (morphed ? weight : 0.0f), (float)i);
        commands[i - first] = (VkskinSkinCommand){.instance = run->instances[i],
                                                  .palette = run->palettes[i],
                                                  .morphWeights = &weight,
                                                  .morphWeightCount = morphed};
    }
    GPU_VKSKIN(run->gpu, vkskinSkinInstances(run->context, commands, end - first, NULL));
    GPU_VKSKIN(run->gpu, vkskinRecordSkinning(run->context, commandBuffer));
}

static void recordReadback(Run *run, VkCommandBuffer commandBuffer, GpuBuffer *target) {
    *target = gpuBuffer(run->gpu, (VkDeviceSize)run->count * BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t i = 0; i < run->count; i++) {
        const VkskinOutput output = markerOutput(run->gpu, run->context, run->instances[i]);
        const VkBufferCopy region = {output.positionOffset, (VkDeviceSize)i * BYTES, BYTES};
        vkCmdCopyBuffer(commandBuffer, output.buffer, target->buffer, 1, &region);
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
}

/* A few instances are recorded first, then all others, which need more room than is left. */
static void runFrame(Run *run) {
    VkCommandBuffer commandBuffer = frameLoopBegin(&run->loop);
    const uint64_t frame = run->loop.frame;
    while (run->count < 4u << frame) {
        run->instances[run->count++] = markerInstance(run->gpu, run->context, run->mesh);
    }
    skinSome(run, commandBuffer, 0, 3);
    skinSome(run, commandBuffer, 3, run->count);
    recordReadback(run, commandBuffer, &run->readback[frame]);
    frameLoopSubmit(&run->loop);
}

static uint32_t countMismatches(Run *run) {
    uint32_t mismatches = 0;
    for (uint64_t frame = 0; frame < FRAMES; frame++) {
        const char *bytes = run->readback[frame].mapped;
        for (uint32_t i = 0; i < 4u << frame; i++, bytes += BYTES) {
            mismatches += markerMismatches(bytes, VERTICES, markOf(frame, i), (float)i);
        }
        gpuFreeBuffer(run->gpu, &run->readback[frame]);
    }
    return mismatches;
}

static void checkCrowd(Gpu *gpu, VkskinBackend backend, bool staged) {
    static Run run;
    run = (Run){.gpu = gpu};
    const VkskinContextDef def = tinyDef(gpu, backend, staged);
    const MarkerDef marker = {VERTICES, .boneCount = 1, .morphs = true};
    run.context = gpuContext(gpu, &def);
    run.mesh = markerMeshOf(gpu, run.context, &marker);
    run.loop = frameLoop(gpu, run.context, def.framesInFlight);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        runFrame(&run);
    }
    frameLoopFinish(&run.loop);
    assert_int_equal(countMismatches(&run), 0);
    const VkskinStats stats = statsOf(gpu, run.context);
    assert_true(stats.palettePages > 4);
    assert_true(stats.outputPages > 1);
    gpuDestroyContext(gpu, run.context);
}

GPU_TEST(crowdGrowsEveryFrame) {
    checkCrowd(gpu, VKSKIN_BACKEND_COMPUTE, false);
    checkCrowd(gpu, VKSKIN_BACKEND_COMPUTE, true);
    checkCrowd(gpu, VKSKIN_BACKEND_CPU, false);
}
