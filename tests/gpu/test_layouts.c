/*
 * Pass-through attributes: each region of each instance has them from its first frame on, after cancelled frames too;
 * skinning keeps them; two queue families copy them again.
 */
#include "marker_scene.h"

#define VERTICES 37u

static VkskinMesh passingMesh(Gpu *gpu, VkskinContext context, bool previousPositions) {
    return markerMeshOf(
        gpu, context,
        &(MarkerDef){VERTICES, .boneCount = 1, .previousPositions = previousPositions, .passThrough = true});
}

static void beginFrame(Gpu *gpu, VkskinContext context) {
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, (uint32_t)stats.frame % 2));
}

static void checkVertex(const MarkerVertex *vertex, uint32_t v) {
    assert_int_equal(vertex->tag, markerTag(v));
    assert_int_equal(vertex->other, ~markerTag(v));
    assert_int_equal(vertex->gap, 0);
}

/* The instance was skinned by (0, y, z) in this frame. */
static void checkOutput(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z) {
    VkskinOutput output = markerOutput(gpu, context, instance);
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    assert_int_equal(output.positionStride, sizeof(MarkerVertex));
    assert_int_equal(output.positionOffset, output.offset + 4);
    for (uint32_t v = 0; v < VERTICES; v++) {
        MarkerVertex vertex;
        memcpy(&vertex, (const char *)page.mapped + output.offset + v * sizeof vertex, sizeof vertex);
        checkVertex(&vertex, v);
        assert_true(vertex.position[0] == (float)v && vertex.position[1] == y && vertex.position[2] == z);
    }
    gpuFreeBuffer(gpu, &page);
}

static VkskinContext contextOf(Gpu *gpu, VkskinBackend backend, uint32_t regions) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.backend = backend;
    def.outputRegions = regions;
    return gpuContext(gpu, &def);
}

static void skinFrames(Gpu *gpu, VkskinContext context, bool previousPositions) {
    VkskinMesh mesh = passingMesh(gpu, context, previousPositions);
    VkskinInstance instances[3];
    for (uint32_t i = 0; i < 3; i++) {
        instances[i] = markerInstance(gpu, context, mesh);
    }
    for (uint32_t f = 0; f < 4; f++) {
        beginFrame(gpu, context);
        for (uint32_t i = 0; i < 3; i++) {
            markerSkin(gpu, context, instances[i], (float)f, (float)i);
        }
        recordAndRun(gpu, context);
        for (uint32_t i = 0; i < 3; i++) {
            checkOutput(gpu, context, instances[i], (float)f, (float)i);
        }
    }
}

GPU_TEST(everyRegionHasThem) {
    for (uint32_t i = 0; i < 8; i++) {
        VkskinContext context = contextOf(gpu, i & 1 ? VKSKIN_BACKEND_CPU : VKSKIN_BACKEND_COMPUTE, 1 + (i >> 1 & 1));
        skinFrames(gpu, context, i >> 2 & 1);
        gpuDestroyContext(gpu, context);
    }
}

GPU_TEST(cancelledFramesCopyThemAgain) {
    VkskinContext context = contextOf(gpu, VKSKIN_BACKEND_COMPUTE, 1);
    VkskinMesh mesh = passingMesh(gpu, context, false);
    VkskinInstance kept = markerInstance(gpu, context, mesh), lost = markerInstance(gpu, context, mesh);
    beginFrame(gpu, context);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordUploads(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, lost));
    GPU_VKSKIN(gpu, vkskinCancelFrame(context));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, kept, 1.0f, 2.0f);
    recordAndRun(gpu, context);
    checkOutput(gpu, context, kept, 1.0f, 2.0f);
}

/* The copies of a destroyed instance are dropped, or its memory waits until they have run. */
GPU_TEST(destroyedInstances) {
    VkskinContext context = contextOf(gpu, VKSKIN_BACKEND_COMPUTE, 1);
    VkskinMesh mesh = passingMesh(gpu, context, false);
    VkskinInstance early = markerInstance(gpu, context, mesh), late = markerInstance(gpu, context, mesh);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, early));
    beginFrame(gpu, context);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordUploads(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, late));
    VkskinInstance next = markerInstance(gpu, context, mesh);
    markerSkin(gpu, context, next, 3.0f, 4.0f);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    checkOutput(gpu, context, next, 3.0f, 4.0f);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, next));
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh));
    for (uint32_t f = 0; f < 3; f++) {
        beginFrame(gpu, context);
    }
}

/* A vertex of a host: bytes that skinning does not know before, between and after its attributes. */
typedef struct HostVertex {
    uint8_t joints[4];
    float position[3];
    float uv[2];
    float normal[3];
    uint32_t colour;
    float tangent[4], weights[2];
    uint32_t extra[40]; /* more than a pass-through attribute of a few floats */
} HostVertex;

static void fillHostVertices(HostVertex vertices[VERTICES]) {
    for (uint32_t v = 0; v < VERTICES; v++) {
        memset(&vertices[v], (int)v + 1, sizeof vertices[v]);
        const HostVertex known = {.joints = {0, 1}, .position = {(float)v, 1, 2}, .weights = {0.5f, 0.5f}};
        memcpy(vertices[v].joints, known.joints, sizeof known.joints);
        memcpy(vertices[v].position, known.position, sizeof known.position);
        memcpy(vertices[v].weights, known.weights, sizeof known.weights);
        memcpy(vertices[v].normal, (const float[3]){0, 1, 0}, 12);
        memcpy(vertices[v].tangent, (const float[4]){0, 0, 1, -1}, 16);
    }
}

/* The output is the input, moved: all other bytes are the same. */
GPU_TEST(interleavedVerticesKeepTheirLayout) {
    static HostVertex vertices[VERTICES];
    static const float bones[2][16] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 0, 0, 1},
                                       {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 8, 0, 1}};
    fillHostVertices(vertices);
    for (uint32_t i = 0; i < 2; i++) {
        VkskinContext context = contextOf(gpu, i == 0 ? VKSKIN_BACKEND_COMPUTE : VKSKIN_BACKEND_CPU, 1);
        const VkskinMatrices matrices = {.data = bones[0], .count = 2};
        VkskinMesh mesh;
        VkskinInstance instance;
        VkskinOutput output;
        VkskinMeshDef def = meshDefOf(VERTICES, 2, 2, vertices->position, vertices->joints, vertices->weights);
        def.vertices = vertices;
        def.vertexStride = sizeof *vertices;
        def.normals = vertices->normal;
        def.tangents = vertices->tangent;
        def.jointFormat = VKSKIN_JOINTS_U8;
        GPU_VKSKIN(gpu, vkskinCreateMesh(context, &def, &mesh));
        VkskinPipelineDef kernels = kernelsOf(&mesh, 1);
        GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &kernels));
        GPU_VKSKIN(gpu, vkskinCreateInstances(context, mesh, 1, &instance));
        beginFrame(gpu, context);
        GPU_VKSKIN(gpu, vkskinSkinMatrices(context, VKSKIN_METHOD_LINEAR_BLEND, &instance, &matrices, 1));
        recordAndRun(gpu, context);
        GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
        GpuBuffer page = gpuReadPage(gpu, context, output.page);
        for (uint32_t v = 0; v < VERTICES; v++) {
            HostVertex expected = vertices[v];
            expected.position[0] += 2.0f;
            expected.position[1] += 4.0f;
            assert_memory_equal((const char *)page.mapped + output.offset + v * sizeof expected, &expected,
                                sizeof expected);
        }
        gpuFreeBuffer(gpu, &page);
        gpuDestroyContext(gpu, context);
    }
}

static bool lists(const VkskinAccess *accesses, uint32_t count, VkBuffer buffer, VkAccessFlags access) {
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].buffer == buffer && (accesses[i].access & access) == access) {
            return true;
        }
    }
    return false;
}

GPU_TEST(hostsOrderTheCopies) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.barriers = VKSKIN_BARRIERS_HOST;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh = passingMesh(gpu, context, false);
    VkskinInstance first = markerInstance(gpu, context, mesh);
    VkskinAccess accesses[8];
    VkskinOutputPage page;
    uint32_t count = 8;
    beginFrame(gpu, context);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinGetOutputPage(context, 0, &page));
    GPU_VKSKIN(gpu, vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, accesses, &count));
    assert_int_equal(count, 2); /* the mesh page and the output page */
    assert_true(lists(accesses, count, page.buffer, VK_ACCESS_TRANSFER_WRITE_BIT));
    VkskinInstance second = markerInstance(gpu, context, mesh); /* after the list: it waits */
    GPU_VKSKIN(gpu, vkskinRecordUploads(context, commandBuffer));
    markerSkin(gpu, context, first, 0.0f, 0.0f);
    markerSkin(gpu, context, second, 0.0f, 0.0f);
    gpuCheckRefusal(gpu, "second", vkskinRecordSkinning(context, commandBuffer), VKSKIN_ERROR_UPLOADS_PENDING,
                    "vkskinRecordUploads");
    gpuSubmitAndWait(gpu, commandBuffer);
}

/* The wrapper has no user pointer. */
static uint32_t copyCount;

static VKAPI_ATTR void VKAPI_CALL countCopies(VkCommandBuffer commandBuffer, VkBuffer from, VkBuffer to, uint32_t count,
                                              const VkBufferCopy *copies) {
    copyCount++;
    vkCmdCopyBuffer(commandBuffer, from, to, count, copies);
}

/* The content of a region is lost when its ownership returns. */
GPU_TEST(twoFamiliesCopyAgain) {
    VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies,
                                       .vkCmdCopyBuffer = countCopies};
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.graphicsQueueFamily = def.computeQueueFamily + 1;
    def.outputRegions = def.framesInFlight;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh = passingMesh(gpu, context, false);
    VkskinInstance instance = markerInstance(gpu, context, mesh);
    for (uint32_t f = 0; f < 3; f++) {
        beginFrame(gpu, context);
        markerSkin(gpu, context, instance, (float)f, 1.0f);
        VkskinAccess accesses[8];
        VkskinOutputPage page;
        uint32_t count = 8;
        GPU_VKSKIN(gpu, vkskinGetOutputPage(context, 0, &page));
        GPU_VKSKIN(gpu, vkskinGetAccesses(context, VKSKIN_PASS_SKINNING, accesses, &count));
        assert_true(lists(accesses, count, page.buffer, VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT));
        copyCount = 0;
        recordAndRun(gpu, context);
        assert_int_equal(copyCount, f == 0 ? 2 : 1); /* the mesh in the first frame */
        checkOutput(gpu, context, instance, (float)f, 1.0f);
    }
}

GPU_TEST(vertexInputOfPassThrough) {
    const VkskinOutputLayout layout = {
        .streamCount = 2,
        .strides = {16, 12},
        .passThroughCount = 3,
        .passThrough = {{{1, 4}, 8, VK_FORMAT_R32G32_SFLOAT}, {{0, 12}, 4, 0}, {{1, 0}, 4, VK_FORMAT_R8G8B8A8_UNORM}}};
    VkskinVertexInput input;
    GPU_VKSKIN(gpu, vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, false, false, &layout, 0, 0, &input));
    assert_int_equal(input.attributeCount, 3); /* the one without a format takes no location */
    assert_int_equal(input.attributes[1].format, VK_FORMAT_R32G32_SFLOAT);
    assert_int_equal(input.attributes[1].binding, 1);
    assert_int_equal(input.attributes[1].offset, 4);
    assert_int_equal(input.attributes[2].location, 2);
    assert_int_equal(input.attributes[2].format, VK_FORMAT_R8G8B8A8_UNORM);
}
