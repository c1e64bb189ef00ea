/*
 * Morph weights live in their frame's table: over several record calls a frame and instances that go (frames in flight
 * are in test_ring.c). And meshes that morph targets alone move: no palette, no upload of one, no access to one.
 */
#include "marker_scene.h"

#define VERTICES 300
#define BYTES    (VERTICES * 12)

/* From a palette that moves by (0, y, 1), with these weights. */
static void skinMorphed(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y,
                        const float weights[MARKER_MORPHS]) {
    VkskinSkinCommand command = {.instance = instance,
                                 .palette = markerPalette(gpu, context, y, 1.0f),
                                 .morphWeights = weights,
                                 .morphWeightCount = MARKER_MORPHS};
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
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

/* What is recorded first stays as it is; who goes before the record takes no other's weights with him. */
GPU_TEST(recordCallsAndDestroyedInstances) {
    enum { COUNT = 4 };
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 1);
    VkskinContext context = gpuContext(gpu, &def);
    const MarkerDef marker = {VERTICES, .boneCount = 1, .morphs = true};
    VkskinMesh mesh = markerMeshOf(gpu, context, &marker);
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

/* ---- Sparse targets ---- */

#define MANY 70000u

static void checkSparse(Gpu *gpu, VkskinContext context, VkskinInstance instance, const uint32_t *moved,
                        uint32_t count) {
    VkskinOutput output = markerOutput(gpu, context, instance);
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    const float *positions = (const float *)(const void *)((const char *)page.mapped + output.positionOffset);
    for (uint32_t v = 0, next = 0; v < MANY; v++) {
        bool isMoved = next < count && moved[next] == v;
        next += isMoved;
        assert_true(positions[3 * v] == (float)v && positions[3 * v + 1] == (isMoved ? (float)(2 * next) : 0.0f));
    }
    gpuFreeBuffer(gpu, &page);
}

/* Vertices around each power of two whose number, or the number of whose block of 32, needs one bit more. */
GPU_TEST(sparseTargetsOfLargeMeshes) {
    static const uint32_t moved[] = {5, 31, 32, 255, 256, 8191, 8192, 32000, 32767, 32768, 40000, 65535, 65536, 69999};
    enum { COUNT = COUNT_OF(moved) };
    float deltas[COUNT][3] = {{0}};
    for (uint32_t i = 0; i < COUNT; i++) {
        deltas[i][1] = (float)(i + 1);
    }
    TestMesh *built = meshBuild((MeshSpec){MANY, .morphs = 1});
    built->targets[0] = (VkskinMorphTarget){.vertexCount = COUNT, .vertices = moved, .positions = deltas[0]};
    for (VkskinBackend backend = VKSKIN_BACKEND_COMPUTE; backend <= VKSKIN_BACKEND_CPU; backend++) {
        VkskinContextDef def = smallDef(gpu, backend, 2, 2);
        VkskinContext context = gpuContext(gpu, &def);
        VkskinMesh mesh;
        GPU_VKSKIN(gpu, vkskinCreateMesh(context, &built->def, &mesh));
        gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
        const float weight = 2.0f;
        VkskinSkinCommand command = {
            .instance = markerInstance(gpu, context, mesh), .morphWeights = &weight, .morphWeightCount = 1};
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
        GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
        recordAndRun(gpu, context);
        checkSparse(gpu, context, command.instance, moved, COUNT);
    }
    meshFree(built);
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
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
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
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 1);
    def.memory.palettes = VKSKIN_PALETTE_MEMORY_STAGED;
    def.barriers = VKSKIN_BARRIERS_HOST;
    VkskinContext context = gpuContext(gpu, &def);
    const MarkerDef marker = {VERTICES, .morphs = true};
    VkskinInstance instance = markerInstance(gpu, context, markerMeshOf(gpu, context, &marker));
    for (uint32_t frame = 0; frame < 3; frame++) {
        runBoneless(gpu, context, instance, frame);
    }
}
