/*
 * vkskinReplaceMesh: the handles of a mesh and its instances stay, their vertices are new. With kernels and with the CPU
 * backend: outputs, history, commands that are not recorded, prepared and cancelled frames, pass-through attributes, memory,
 * failures.
 */
#include "marker_scene.h"

enum { OLD = 67, NEW = 131, LARGE = 3000 };

static const VkskinBackend backends[] = {VKSKIN_BACKEND_COMPUTE, VKSKIN_BACKEND_CPU};

static VkskinResult replaceBy(const Scene *scene, MarkerDef def) {
    VkskinMesh mesh = scene->mesh;
    def.replaces = true;
    return markerCreate(scene->context, &def, &mesh);
}

/* A marker mesh of another size, in place of the scene's. */
static VkskinResult replaceWith(const Scene *scene, uint32_t vertexCount, bool exactNormals) {
    const MarkerDef def = {
        .vertexCount = vertexCount, .boneCount = 1, .previousPositions = true, .exactNormals = exactNormals};
    return replaceBy(scene, def);
}

static Scene open(Gpu *gpu, VkskinBackend backend) {
    VkskinContextDef def = smallDef(gpu, backend, 2, 2);
    def.memory.maxInstances = 2;
    return makeScene(gpu, &def, OLD, true);
}

static void checkVertices(const Scene *scene, VkskinInstance instance, uint32_t vertexCount, float y, float previous) {
    VkskinOutput output = markerOutput(scene->gpu, scene->context, instance);
    assert_int_equal(output.vertexCount, vertexCount);
    checkHistory(scene->gpu, scene->context, instance, y, previous, 5.0f);
}

static void checkNotSkinned(const Scene *scene, VkskinInstance instance) {
    VkskinOutput output;
    gpuCheckRefusal(scene->gpu, "replaced", vkskinGetOutput(scene->context, instance, &output),
                    VKSKIN_ERROR_NOT_SKINNED, "was never skinned");
}

/* Gives a command with a pose version that never changes. */
static void skin(const Scene *scene, VkskinInstance instance, float y) {
    VkskinSkinCommand command = {.instance = instance, .poseVersion = 7};
    command.palette = markerPalette(scene->gpu, scene->context, y, 5.0f);
    GPU_VKSKIN(scene->gpu, vkskinSkinInstances(scene->context, &command, 1, NULL));
}

static void handlesStay(Gpu *gpu, VkskinBackend backend) {
    Scene scene = open(gpu, backend);
    VkskinInstance second = markerInstance(gpu, scene.context, scene.mesh);
    VkskinMeshInfo info;
    skinOneFrame(gpu, scene.context, 0, scene.instance, 1.0f, 5.0f);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    GPU_VKSKIN(gpu, replaceWith(&scene, NEW, false));
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(scene.context, scene.mesh, &info));
    assert_int_equal(info.vertexCount, NEW);
    assert_int_equal(statsOf(gpu, scene.context).instances, 2);
    checkNotSkinned(&scene, scene.instance);
    skin(&scene, scene.instance, 2.0f);
    skin(&scene, second, 3.0f);
    recordAndRun(gpu, scene.context);
    checkVertices(&scene, scene.instance, NEW, 2.0f, 2.0f); /* no history */
    checkVertices(&scene, second, NEW, 3.0f, 3.0f);
    skinOneFrame(gpu, scene.context, 0, scene.instance, 4.0f, 5.0f);
    checkVertices(&scene, scene.instance, NEW, 4.0f, 2.0f);
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_MESH_IN_USE, vkskinDestroyMesh(scene.context, scene.mesh));
    GPU_VKSKIN(gpu, vkskinDestroyInstance(scene.context, scene.instance));
    GPU_VKSKIN(gpu, vkskinDestroyInstance(scene.context, second));
    GPU_VKSKIN(gpu, vkskinDestroyMesh(scene.context, scene.mesh));
    gpu->log.count = 0;
    gpuDestroyContext(gpu, scene.context);
}

/* Commands of the mesh are dropped, those of another stay. Two replacements follow each other; the first is never shown. */
static void commandsAreDropped(Gpu *gpu, VkskinBackend backend) {
    Scene scene = open(gpu, backend);
    VkskinInstance other = markerInstance(gpu, scene.context, markerMesh(gpu, scene.context, 20, true));
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    skin(&scene, scene.instance, 1.0f);
    skin(&scene, other, 2.0f);
    GPU_VKSKIN(gpu, replaceWith(&scene, LARGE, false));
    GPU_VKSKIN(gpu, replaceWith(&scene, NEW, false));
    recordAndRun(gpu, scene.context);
    assert_int_equal(statsOf(gpu, scene.context).instancesSkinned, 1);
    checkVertices(&scene, other, 20, 2.0f, 2.0f);
    checkNotSkinned(&scene, scene.instance);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    skin(&scene, scene.instance, 4.0f);
    recordAndRun(gpu, scene.context);
    checkVertices(&scene, scene.instance, NEW, 4.0f, 4.0f);
    gpuDestroyContext(gpu, scene.context);
}

/* A cancelled frame does not bring the old mesh back, and uploads the new one again. */
static void cancelledFrames(Gpu *gpu, VkskinBackend backend) {
    Scene scene = open(gpu, backend);
    skinOneFrame(gpu, scene.context, 0, scene.instance, 1.0f, 5.0f);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    GPU_VKSKIN(gpu, replaceWith(&scene, NEW, false));
    skin(&scene, scene.instance, 2.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(scene.context, commandBuffer));
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    GPU_VKSKIN(gpu, vkskinCancelFrame(scene.context));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
    checkNotSkinned(&scene, scene.instance);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    skin(&scene, scene.instance, 3.0f);
    recordAndRun(gpu, scene.context);
    checkVertices(&scene, scene.instance, NEW, 3.0f, 3.0f);
    gpuDestroyContext(gpu, scene.context);
}

/* The commands of a replaced mesh are dropped in both frames, those of others stay. */
static void preparedFrames(Gpu *gpu, VkskinBackend backend) {
    Scene scene = open(gpu, backend);
    VkskinInstance other = markerInstance(gpu, scene.context, markerMesh(gpu, scene.context, 20, true));
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    markerSkin(gpu, scene.context, scene.instance, 1.0f, 5.0f);
    markerSkin(gpu, scene.context, other, 2.0f, 5.0f);
    GPU_VKSKIN(gpu, vkskinPrepareFrame(scene.context, 1));
    skin(&scene, scene.instance, 3.0f);
    markerSkin(gpu, scene.context, other, 4.0f, 5.0f);
    GPU_VKSKIN(gpu, replaceWith(&scene, NEW, false));
    checkNotSkinned(&scene, scene.instance);
    recordAndRun(gpu, scene.context);
    assert_int_equal(statsOf(gpu, scene.context).instancesSkinned, 1);
    checkVertices(&scene, other, 20, 2.0f, 2.0f);
    skin(&scene, scene.instance, 6.0f); /* belongs to the prepared frame; the version is that of the dropped command */
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    recordAndRun(gpu, scene.context);
    assert_int_equal(statsOf(gpu, scene.context).instancesSkinned, 2);
    checkVertices(&scene, scene.instance, NEW, 6.0f, 6.0f);
    checkVertices(&scene, other, 20, 4.0f, 2.0f);
    gpuDestroyContext(gpu, scene.context);
}

/* One region, so that an output that takes the place of another lies where that lay. */
static Scene openOneRegion(Gpu *gpu, uint32_t framesInFlight) {
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, framesInFlight, 1);
    return makeScene(gpu, &def, OLD, false);
}

/* By vertices of the same size, which would fit where the old ones lie. */
static void replaceAlike(const Scene *scene) {
    GPU_VKSKIN(scene->gpu, replaceBy(scene, (MarkerDef){.vertexCount = OLD, .boneCount = 1}));
}

/* The frame that shows the old output is recorded and has not run when all is replaced twice. */
static void recordedFramesKeepTheirs(Gpu *gpu) {
    Scene scene = openOneRegion(gpu, 2);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    skin(&scene, scene.instance, 1.0f);
    GPU_VKSKIN(gpu, vkskinPrepareFrame(scene.context, 1));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(scene.context, commandBuffer));
    const VkskinOutput output = markerOutput(gpu, scene.context, scene.instance);
    replaceAlike(&scene);
    replaceAlike(&scene);
    skin(&scene, scene.instance, 3.0f);
    gpuSubmitAndWait(gpu, commandBuffer);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    recordAndRun(gpu, scene.context);
    checkPositions(gpu, scene.context, scene.instance, 3.0f, 5.0f);
    GpuBuffer page = gpuReadPage(gpu, scene.context, output.page);
    assert_int_equal(markerMismatches((const char *)page.mapped + output.positionOffset, OLD, 1.0f, 5.0f), 0);
    gpuFreeBuffer(gpu, &page);
    gpuDestroyContext(gpu, scene.context);
}

/* The frame before the two that are cancelled may still run when the second of their slots is begun again. */
static void framesBeforeCancelledOnesKeepTheirs(Gpu *gpu) {
    Scene scene = openOneRegion(gpu, 3);
    skinOneFrame(gpu, scene.context, 0, scene.instance, 1.0f, 5.0f);
    const VkskinOutput output = markerOutput(gpu, scene.context, scene.instance);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    GPU_VKSKIN(gpu, vkskinPrepareFrame(scene.context, 2));
    replaceAlike(&scene);
    GPU_VKSKIN(gpu, vkskinCancelFrame(scene.context));
    skinOneFrame(gpu, scene.context, 1, scene.instance, 2.0f, 5.0f);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 2));
    replaceAlike(&scene);
    skin(&scene, scene.instance, 3.0f);
    recordAndRun(gpu, scene.context);
    const VkskinOutput third = markerOutput(gpu, scene.context, scene.instance);
    assert_true(third.buffer != output.buffer || third.offset != output.offset);
    checkPositions(gpu, scene.context, scene.instance, 3.0f, 5.0f);
    gpuDestroyContext(gpu, scene.context);
}

/* Both frames are cancelled after the replacement. */
static void cancelledPreparedFrames(Gpu *gpu, VkskinBackend backend) {
    Scene scene = open(gpu, backend);
    skinOneFrame(gpu, scene.context, 0, scene.instance, 1.0f, 5.0f);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    skin(&scene, scene.instance, 2.0f);
    GPU_VKSKIN(gpu, vkskinPrepareFrame(scene.context, 0));
    markerSkin(gpu, scene.context, scene.instance, 3.0f, 5.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(scene.context, commandBuffer));
    GPU_VKSKIN(gpu, replaceWith(&scene, NEW, false));
    skin(&scene, scene.instance, 4.0f);
    GPU_VKSKIN(gpu, vkskinRecordUploads(scene.context, commandBuffer));
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    GPU_VKSKIN(gpu, vkskinCancelFrame(scene.context));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
    checkNotSkinned(&scene, scene.instance);
    for (uint32_t frame = 1; frame < 4; frame++) {
        skinOneFrame(gpu, scene.context, frame % 2, scene.instance, (float)frame, 5.0f);
        checkVertices(&scene, scene.instance, NEW, (float)frame, frame > 1 ? (float)(frame - 1) : 1.0f);
    }
    gpuDestroyContext(gpu, scene.context);
}

/* Old vertices and outputs are reused when their slot is begun again: memory does not grow with the replacements. */
static void memoryIsReused(Gpu *gpu, VkskinBackend backend) {
    Scene scene = open(gpu, backend);
    uint64_t bytes = 0;
    for (uint32_t frame = 0; frame < 40; frame++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, frame % 2));
        GPU_VKSKIN(gpu, replaceWith(&scene, LARGE, false));
        skin(&scene, scene.instance, (float)frame);
        recordAndRun(gpu, scene.context);
        checkVertices(&scene, scene.instance, LARGE, (float)frame, (float)frame);
        VkskinStats stats = statsOf(gpu, scene.context);
        assert_int_equal(stats.meshes, 1);
        assert_int_equal(stats.instances, 1);
        bytes = frame == 4 ? stats.deviceBytes : bytes;
        assert_true(frame <= 4 || stats.deviceBytes == bytes);
    }
    gpuDestroyContext(gpu, scene.context);
}

BACKENDS_TEST(replacedMeshes) {
    handlesStay(gpu, backend);
    commandsAreDropped(gpu, backend);
    cancelledFrames(gpu, backend);
    memoryIsReused(gpu, backend);
}

GPU_TEST(replacedWhileAFrameIsPrepared) {
    for (size_t i = 0; i < COUNT_OF(backends); i++) {
        preparedFrames(gpu, backends[i]);
        cancelledPreparedFrames(gpu, backends[i]);
    }
    recordedFramesKeepTheirs(gpu);
    framesBeforeCancelledOnesKeepTheirs(gpu);
}

/* ---- Pass-through attributes ---- */

static VkskinResult replacePassing(const Scene *scene, uint32_t vertexCount, bool passThrough) {
    const MarkerDef def = {
        .vertexCount = vertexCount, .boneCount = 1, .previousPositions = true, .passThrough = passThrough};
    return replaceBy(scene, def);
}

/* The output of a mesh with pass-through attributes, skinned by (0, y, 5). */
static void checkPassing(const Scene *scene, VkskinInstance instance, uint32_t vertexCount, float y) {
    VkskinOutput output = markerOutput(scene->gpu, scene->context, instance);
    assert_int_equal(output.vertexCount, vertexCount);
    assert_int_equal(output.positionStride, sizeof(MarkerVertex));
    GpuBuffer page = gpuReadPage(scene->gpu, scene->context, output.page);
    for (uint32_t v = 0; v < vertexCount; v++) {
        MarkerVertex vertex;
        memcpy(&vertex, (const char *)page.mapped + output.offset + v * sizeof vertex, sizeof vertex);
        assert_int_equal(vertex.tag, markerTag(v));
        assert_int_equal(vertex.other, ~markerTag(v));
        assert_true(vertex.position[0] == (float)v && vertex.position[1] == y && vertex.position[2] == 5.0f);
    }
    gpuFreeBuffer(scene->gpu, &page);
}

/* A pending fill of the old mesh is dropped, also if its instance was destroyed; those of others stay. */
static void pendingFills(Gpu *gpu, VkskinBackend backend) {
    VkskinContextDef def = smallDef(gpu, backend, 2, 2);
    Scene scene = {.gpu = gpu, .context = gpuContext(gpu, &def)};
    const MarkerDef passing = {.vertexCount = OLD, .boneCount = 1, .previousPositions = true, .passThrough = true};
    (void)markerMesh(gpu, scene.context, 3, true); /* kernels without a layout */
    scene.mesh = markerMeshOf(gpu, scene.context, &passing);
    VkskinMesh otherMesh = markerMeshOf(gpu, scene.context, &passing);
    VkskinInstance ended = markerInstance(gpu, scene.context, scene.mesh);
    scene.instance = markerInstance(gpu, scene.context, scene.mesh);
    VkskinInstance other = markerInstance(gpu, scene.context, otherMesh);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(scene.context, ended));
    ended = markerInstance(gpu, scene.context, otherMesh); /* likely where the old one was */
    GPU_VKSKIN(gpu, replacePassing(&scene, LARGE, false));
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    const VkskinInstance all[] = {scene.instance, other, ended};
    for (uint32_t i = 0; i < 3; i++) {
        markerSkin(gpu, scene.context, all[i], (float)i, 5.0f);
    }
    recordAndRun(gpu, scene.context);
    checkVertices(&scene, scene.instance, LARGE, 0.0f, 0.0f);
    checkPassing(&scene, other, OLD, 1.0f);
    checkPassing(&scene, ended, OLD, 2.0f);
    /* Back, while the fill of a further instance waits. */
    VkskinInstance late = markerInstance(gpu, scene.context, otherMesh);
    GPU_VKSKIN(gpu, replacePassing(&scene, NEW, true));
    GPU_VKSKIN(gpu, vkskinDestroyInstance(scene.context, ended));
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    markerSkin(gpu, scene.context, scene.instance, 3.0f, 5.0f);
    markerSkin(gpu, scene.context, late, 4.0f, 5.0f);
    recordAndRun(gpu, scene.context);
    checkPassing(&scene, scene.instance, NEW, 3.0f);
    checkPassing(&scene, other, OLD, 1.0f);
    checkPassing(&scene, late, OLD, 4.0f);
    gpuDestroyContext(gpu, scene.context);
}

/* The fill is recorded, then the frame is cancelled: with the old mesh, or with the new one. */
static void cancelledFills(Gpu *gpu, VkskinBackend backend, bool replacedFirst) {
    VkskinContextDef def = smallDef(gpu, backend, 2, 2);
    Scene scene = {.gpu = gpu, .context = gpuContext(gpu, &def)};
    scene.mesh = markerMeshOf(gpu, scene.context,
                              &(MarkerDef){OLD, .boneCount = 1, .previousPositions = true, .passThrough = true});
    scene.instance = markerInstance(gpu, scene.context, scene.mesh);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    if (replacedFirst) {
        GPU_VKSKIN(gpu, replacePassing(&scene, NEW, true));
    }
    markerSkin(gpu, scene.context, scene.instance, 1.0f, 5.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(scene.context, commandBuffer));
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    if (!replacedFirst) {
        GPU_VKSKIN(gpu, replacePassing(&scene, NEW, true));
    }
    GPU_VKSKIN(gpu, vkskinCancelFrame(scene.context));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
    for (uint32_t frame = 0; frame < 3; frame++) {
        skinOneFrame(gpu, scene.context, frame % 2, scene.instance, 2.0f + (float)frame, 5.0f);
        checkPassing(&scene, scene.instance, NEW, 2.0f + (float)frame);
    }
    gpuDestroyContext(gpu, scene.context);
}

BACKENDS_TEST(replacedPassThrough) {
    pendingFills(gpu, backend);
    cancelledFills(gpu, backend, false);
    cancelledFills(gpu, backend, true);
}

/* What this frame wrote and has not released yet is the old output. */
GPU_TEST(replacedBetweenSkinningAndRelease) {
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 2);
    VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies,
                                       .vkCmdPipelineBarrier = gpuKeepTransfer};
    def.functions = &functions;
    def.graphicsQueueFamily = def.computeQueueFamily + 1;
    Scene scene = makeScene(gpu, &def, OLD, true);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    skin(&scene, scene.instance, 1.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(scene.context, commandBuffer));
    const VkskinOutput output = markerOutput(gpu, scene.context, scene.instance);
    GPU_VKSKIN(gpu, replaceWith(&scene, LARGE, false));
    GPU_VKSKIN(gpu, vkskinRecordRelease(scene.context, commandBuffer));
    assert_true(gpuLastTransfer.buffer == output.buffer && gpuLastTransfer.offset == output.positionOffset);
    assert_true(gpuLastTransfer.size >= 12 * OLD && gpuLastTransfer.size < 12 * LARGE);
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    GPU_VKSKIN(gpu, vkskinCancelFrame(scene.context));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
    gpuDestroyContext(gpu, scene.context);
}

GPU_TEST(refusedReplacements) {
    Scene scene = open(gpu, VKSKIN_BACKEND_COMPUTE);
    VkskinMeshDef bad = vkskinDefaultMeshDef();
    skinOneFrame(gpu, scene.context, 0, scene.instance, 1.0f, 5.0f);
    gpuCheckRefusal(gpu, "no def", vkskinReplaceMesh(scene.context, scene.mesh, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                    "vkskinReplaceMesh: def");
    gpuCheckRefusal(gpu, "null", vkskinReplaceMesh(scene.context, VKSKIN_NULL_MESH, &bad), VKSKIN_ERROR_NULL_HANDLE,
                    "vkskinReplaceMesh: the mesh handle is null");
    gpuCheckRefusal(gpu, "bad def", vkskinReplaceMesh(scene.context, scene.mesh, &bad), VKSKIN_ERROR_NULL_ARGUMENT,
                    "positions is null");
    assert_int_equal(vkskinReplaceMesh(NULL, scene.mesh, &bad), VKSKIN_ERROR_NULL_ARGUMENT);
    checkVertices(&scene, scene.instance, OLD, 1.0f, 1.0f);
    gpuCheckRefusal(gpu, "kernels", replaceWith(&scene, NEW, true), VKSKIN_WARNING_PIPELINE_MISSING,
                    "vkskinReplaceMesh: no kernels: create with methods VKSKIN_METHOD_LINEAR_BLEND_BIT, formats "
                    "VKSKIN_VERTEX_PACKED_BIT, features VKSKIN_KERNEL_EXACT_NORMALS_BIT");
    checkNotSkinned(&scene, scene.instance);
}
