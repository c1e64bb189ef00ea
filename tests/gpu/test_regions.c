/* Output regions from frame to frame: previous positions, skipped updates, reused slots. */

#include "frame_loop.h"
#include "scene.h"
#include "test.h"

#define VERTICES 130
#define BYTES    (VERTICES * 12)

/* One instance. Each frame is read back: current positions, then previous ones. */
typedef struct Watch {
    Gpu *gpu;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instance;
    FrameLoop loop;
    GpuBuffer readback;
} Watch;

static Watch watch(Gpu *gpu, VkskinBackend backend, uint32_t framesInFlight, uint32_t regions, bool previous) {
    Watch w = {.gpu = gpu};
    VkskinContextDef def = gpuContextDef(gpu);
    def.backend = backend;
    def.framesInFlight = framesInFlight;
    def.outputRegions = regions;
    def.pageSize = 1u << 20;
    w.context = gpuContext(gpu, &def);
    w.mesh = markerMesh(gpu, w.context, VERTICES, previous);
    GPU_VKSKIN(gpu, instanceOf(w.context, w.mesh, &w.instance));
    w.readback = gpuBuffer(gpu, 2 * BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    return w;
}

static void watchFree(Watch *w) {
    gpuFreeBuffer(w->gpu, &w->readback);
    gpuDestroyContext(w->gpu, w->context);
}

static void recordPositions(VkCommandBuffer commandBuffer, const VkskinOutput *output, VkBuffer target) {
    VkBufferCopy regions[2] = {
        {output->positionOffset, 0, BYTES},
        {output->previousPositionOffset, BYTES, BYTES},
    };
    vkCmdCopyBuffer(commandBuffer, output->buffer, target, 2, regions);
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
}

/* What a frame does with the instance. */
typedef enum Step {
    STEP_SKIN,
    STEP_SKIP,
    STEP_TELEPORT,
    STEP_REPLACE /* destroy it, create another, skin that */
} Step;

static void applyStep(Watch *w, Step step, float mark) {
    if (step == STEP_REPLACE) {
        GPU_VKSKIN(w->gpu, vkskinDestroyInstance(w->context, w->instance));
        GPU_VKSKIN(w->gpu, instanceOf(w->context, w->mesh, &w->instance));
    }
    if (step != STEP_SKIP) {
        VkskinSkinCommand command = {.instance = w->instance};
        command.palette = markerPalette(w->gpu, w->context, mark, 7.0f);
        command.flags = step == STEP_TELEPORT ? VKSKIN_SKIN_TELEPORT_BIT : 0;
        GPU_VKSKIN(w->gpu, vkskinSkinInstances(w->context, &command, 1));
    }
}

/* A frame in a slot, run to its end: current and previous positions must carry these marks. */
static void checkFrame(Watch *w, uint32_t slot, Step step, float mark, float current, float previous) {
    VkskinOutput output;
    GPU_VKSKIN(w->gpu, vkskinBeginFrame(w->context, slot));
    applyStep(w, step, mark);
    VkCommandBuffer commandBuffer = gpuBegin(w->gpu);
    GPU_VKSKIN(w->gpu, vkskinRecordSkinning(w->context, commandBuffer));
    GPU_VKSKIN(w->gpu, vkskinGetOutput(w->context, w->instance, &output));
    assert_int_equal(output.positionOffset % 16, 0);
    assert_int_equal(output.attributeStride, 0);
    recordPositions(commandBuffer, &output, w->readback.buffer);
    gpuSubmitAndWait(w->gpu, commandBuffer);
    assert_int_equal(markerMismatches(w->readback.mapped, VERTICES, current, 7.0f), 0);
    assert_int_equal(markerMismatches((char *)w->readback.mapped + BYTES, VERTICES, previous, 7.0f), 0);
    if (current == previous) {
        assert_int_equal(output.previousPositionOffset, output.positionOffset);
    }
}

/* step, mark, then what the frame must show. */
static const struct {
    Step step;
    float mark, current, previous;
} history[] = {
    /* The first frame shows no motion. */
    {STEP_SKIN, 1, 1, 1},
    {STEP_SKIN, 2, 2, 1},
    {STEP_SKIN, 3, 3, 2},
    /* It does not move; its history is right afterwards. */
    {STEP_SKIP, 0, 3, 3},
    {STEP_SKIP, 0, 3, 3},
    {STEP_SKIN, 4, 4, 3},
    {STEP_TELEPORT, 5, 5, 5},
    {STEP_SKIN, 6, 6, 5},
    {STEP_SKIP, 0, 6, 6},
    {STEP_TELEPORT, 7, 7, 7},
    {STEP_SKIN, 8, 8, 7},
    /* A new instance in the slot: previous positions are not those of the old one. */
    {STEP_REPLACE, 9, 9, 9},
    {STEP_SKIN, 10, 10, 9},
};

static const VkskinBackend backends[] = {VKSKIN_BACKEND_COMPUTE, VKSKIN_BACKEND_CPU};

static void keepHistory(Gpu *gpu, VkskinBackend backend) {
    for (uint32_t frames = 1; frames <= 3; frames++) {
        for (uint32_t regions = 1; regions <= frames; regions++) {
            Watch w = watch(gpu, backend, frames, regions, true);
            for (uint32_t f = 0; f < COUNT_OF(history); f++) {
                checkFrame(&w, f % frames, history[f].step, history[f].mark, history[f].current, history[f].previous);
            }
            watchFree(&w);
        }
    }
}

GPU_TEST(previousPositionsKeepHistory) {
    keepHistory(gpu, VKSKIN_BACKEND_COMPUTE);
    keepHistory(gpu, VKSKIN_BACKEND_CPU);
}

/* Without previous positions in the mesh, they equal the current ones. */
GPU_TEST(withoutPreviousPositions) {
    Watch w = watch(gpu, VKSKIN_BACKEND_COMPUTE, 2, 2, false);
    for (uint32_t f = 0; f < 5; f++) {
        checkFrame(&w, f % 2, STEP_SKIN, (float)f, (float)f, (float)f);
    }
    checkFrame(&w, 1, STEP_SKIP, 0, 4, 4);
    watchFree(&w);
}

/* As many places as regions, and one more for previous positions; each visited in turn. */
GPU_TEST(regionsRotate) {
    for (uint32_t regions = 1; regions <= 3; regions++) {
        for (int previous = 0; previous < 2; previous++) {
            Watch w = watch(gpu, VKSKIN_BACKEND_COMPUTE, 3, regions, previous != 0);
            uint32_t period = regions + (uint32_t)previous;
            VkDeviceSize offsets[12];
            for (uint32_t f = 0; f < 12; f++) {
                VkskinOutput output;
                GPU_VKSKIN(w.gpu, vkskinBeginFrame(w.context, f % 3));
                applyStep(&w, STEP_SKIN, (float)f);
                recordAndRun(w.gpu, w.context);
                GPU_VKSKIN(w.gpu, vkskinGetOutput(w.context, w.instance, &output));
                offsets[f] = output.positionOffset;
                for (uint32_t back = 1; back <= f && back < period; back++) {
                    assert_int_not_equal(offsets[f], offsets[f - back]);
                }
                if (f >= period) {
                    assert_int_equal(offsets[f], offsets[f - period]);
                }
            }
            watchFree(&w);
        }
    }
}

/*
 * A region a frame, no barrier between the frames but those that come after: with the device held back, each
 * frame's positions and the ones before are still whole when it is the device's turn.
 */
GPU_TEST(framesInFlightKeepTheirRegions) {
    enum { FRAMES = 9 };
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t frames = 2 + i / 2;
        Watch w = watch(gpu, backends[i % 2], frames, frames, true);
        GpuBuffer readbacks[FRAMES];
        w.loop = frameLoop(w.gpu, w.context, frames);
        for (uint32_t f = 0; f < FRAMES; f++) {
            VkskinOutput output;
            readbacks[f] = gpuBuffer(w.gpu, 2 * BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
            VkCommandBuffer commandBuffer = frameLoopBegin(&w.loop);
            applyStep(&w, STEP_SKIN, (float)f);
            GPU_VKSKIN(w.gpu, vkskinRecordSkinning(w.context, commandBuffer));
            GPU_VKSKIN(w.gpu, vkskinGetOutput(w.context, w.instance, &output));
            recordPositions(commandBuffer, &output, readbacks[f].buffer);
            frameLoopSubmit(&w.loop);
        }
        frameLoopFinish(&w.loop);
        for (uint32_t f = 0; f < FRAMES; f++) {
            float before = f > 0 ? (float)(f - 1) : 0.0f;
            assert_int_equal(markerMismatches(readbacks[f].mapped, VERTICES, (float)f, 7.0f), 0);
            assert_int_equal(markerMismatches((char *)readbacks[f].mapped + BYTES, VERTICES, before, 7.0f), 0);
            gpuFreeBuffer(w.gpu, &readbacks[f]);
        }
        watchFree(&w);
    }
}
