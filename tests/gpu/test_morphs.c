/*
 * Morph weights live in their frame's table: over frames in flight, cancelled frames, several record calls a frame and
 * instances that go. And meshes that morph targets alone move: no palette, no upload of one, no access to one.
 */

#include "frame_loop.h"
#include "meshes.h"
#include "test.h"

#define VERTICES 300
#define BYTES    (VERTICES * 12)

static VkskinContextDef smallDef(Gpu *gpu) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.pageSize = 1u << 20;
    def.maxInstances = 16;
    return def;
}

/* From a palette that moves by (0, y, 1), with these weights. */
static void skinMorphed(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y,
                        const float weights[MARKER_MORPHS]) {
    VkskinSkinCommand command = {.instance = instance,
                                 .palette = markerPalette(gpu, context, y, 1.0f),
                                 .morphWeights = weights,
                                 .morphWeightCount = MARKER_MORPHS};
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
}

static GpuBuffer recordRead(Gpu *gpu, VkskinContext context, VkCommandBuffer commandBuffer, VkskinInstance instance) {
    GpuBuffer read = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkskinOutput output = markerOutput(gpu, context, instance);
    gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, BYTES, read.buffer);
    return read;
}

static void checkRead(Gpu *gpu, GpuBuffer *read, float y, float z) {
    assert_int_equal(markerMismatches(read->mapped, VERTICES, y, z), 0);
    gpuFreeBuffer(gpu, read);
}

/* The weights of frame f: none in every fourth, one of the two in others. */
static void weightsOf(uint32_t frame, float weights[MARKER_MORPHS]) {
    weights[0] = frame % 4 == 0 || frame % 4 == 1 ? 0.0f : (float)(frame + 1);
    weights[1] = frame % 4 == 0 || frame % 4 == 2 ? 0.0f : (float)(2 * frame);
}

/*
 * The device is held back, so a table written too early would show. Every second frame is recorded and cancelled once
 * before: its weights leave no trace, and take no room of the frame that comes in its place.
 */
GPU_TEST(framesKeepTheirWeights) {
    enum { FRAMES = 9 };
    VkskinContextDef def = smallDef(gpu);
    def.framesInFlight = 3;
    def.maxMorphWeights = MARKER_MORPHS + 1;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinInstance instance = markerInstance(gpu, context, markerMorphMesh(gpu, context, VERTICES, true));
    FrameLoop loop = frameLoop(gpu, context, def.framesInFlight);
    GpuBuffer reads[FRAMES];
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        static const float other[MARKER_MORPHS] = {1000.0f, -1000.0f};
        float weights[MARKER_MORPHS];
        VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
        if (frame % 2 == 1) {
            skinMorphed(gpu, context, instance, -5.0f, other);
            GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
            frameLoopCancel(&loop);
            commandBuffer = frameLoopBegin(&loop);
        }
        weightsOf(frame, weights);
        skinMorphed(gpu, context, instance, (float)frame, weights);
        memset(weights, 0xff, sizeof weights); /* the call has copied them */
        GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        reads[frame] = recordRead(gpu, context, commandBuffer, instance);
        frameLoopSubmit(&loop);
    }
    frameLoopFinish(&loop);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        float weights[MARKER_MORPHS];
        weightsOf(frame, weights);
        checkRead(gpu, &reads[frame], (float)frame + weights[0], 1.0f + weights[1]);
    }
}

/* What is recorded first stays as it is; who goes before the record takes no other's weights with him. */
GPU_TEST(recordCallsAndDestroyedInstances) {
    enum { COUNT = 4 };
    VkskinContextDef def = smallDef(gpu);
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh = markerMorphMesh(gpu, context, VERTICES, true);
    VkskinInstance instances[COUNT];
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    for (uint32_t i = 0; i < COUNT; i++) {
        const float weights[MARKER_MORPHS] = {(float)(10 + i), (float)(20 + i)};
        instances[i] = markerInstance(gpu, context, mesh);
        skinMorphed(gpu, context, instances[i], (float)(100 * i), weights);
        if (i == 0) {
            GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        }
    }
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instances[1]));
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    GpuBuffer reads[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i != 1) {
            reads[i] = recordRead(gpu, context, commandBuffer, instances[i]);
        }
    }
    gpuSubmitAndWait(gpu, commandBuffer);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i != 1) {
            checkRead(gpu, &reads[i], (float)(100 * i + 10 + i), (float)(1 + 20 + i));
        }
    }
}

/* ---- Without bones ---- */

static bool isAccessed(const VkskinAccess *accesses, uint32_t count, VkBuffer buffer) {
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].buffer == buffer) {
            return true;
        }
    }
    return false;
}

/* Reads a mesh page and writes an output page, and nothing else. */
static void checkAccesses(Gpu *gpu, VkskinContext context, VkskinInstance instance) {
    VkskinAccess accesses[8];
    uint32_t count = 8;
    GPU_VKSKIN(gpu, vkskinGetAccesses(context, VKSKIN_PASS_SKINNING, accesses, &count));
    assert_int_equal(count, 2);
    assert_true(isAccessed(accesses, count, markerOutput(gpu, context, instance).buffer));
    count = 8;
    GPU_VKSKIN(gpu, vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, accesses, &count));
    assert_int_equal(count, 0);
}

static void runBoneless(Gpu *gpu, VkskinContext context, VkskinInstance instance, uint32_t frame) {
    const float weights[MARKER_MORPHS] = {(float)(frame + 1), 7.0f};
    VkskinSkinCommand command = {.instance = instance, .morphWeights = weights, .morphWeightCount = MARKER_MORPHS};
    command.method = VKSKIN_METHOD_DUAL_QUATERNION; /* does not count */
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % 2));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
    if (frame == 0) { /* the mesh waits, no palette does */
        gpuCheckRefusal(gpu, "mesh waits", vkskinRecordSkinning(context, commandBuffer), VKSKIN_ERROR_UPLOADS_PENDING,
                        "vkskinRecordUploads");
        GPU_VKSKIN(gpu, vkskinRecordUploads(context, commandBuffer));
    } else {
        checkAccesses(gpu, context, instance);
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
               VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
               VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    GpuBuffer read = recordRead(gpu, context, commandBuffer, instance);
    gpuSubmitAndWait(gpu, commandBuffer);
    checkRead(gpu, &read, weights[0], weights[1]);
}

GPU_TEST(meshesWithoutBonesNeedNoPalette) {
    VkskinContextDef def = smallDef(gpu);
    def.paletteMemory = VKSKIN_PALETTE_MEMORY_STAGED;
    def.barriers = VKSKIN_BARRIERS_HOST;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinInstance instance = markerInstance(gpu, context, markerMorphMesh(gpu, context, VERTICES, false));
    for (uint32_t frame = 0; frame < 3; frame++) {
        runBoneless(gpu, context, instance, frame);
    }
}
