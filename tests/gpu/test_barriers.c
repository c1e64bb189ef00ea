/*
 * Barriers: with those that the library records, the validation layer is silent, within a submission and across; a barrier
 * that the host omits is reported; a host that follows vkskinGetAccesses needs nothing else. And queue families: the
 * software drivers have one, so wrappers claim a second one and keep the barriers that name it instead of passing them on.
 */

#include "scene.h"
#include "test.h"

/* ---- One queue family ---- */

#define VERTICES     100
#define BYTES        (VERTICES * 12)
#define MAX_ACCESSES 64

typedef struct Scene {
    Gpu *gpu;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instance;
    GpuBuffer readback;
    uint32_t frame;
} Scene;

static Scene scene(Gpu *gpu, VkskinBarriers barriers, VkskinPaletteMemory memory) {
    Scene s = {.gpu = gpu};
    VkskinContextDef def = gpuContextDef(gpu);
    def.barriers = barriers;
    def.paletteMemory = memory;
    s.context = gpuContext(gpu, &def);
    s.mesh = markerMesh(gpu, s.context, VERTICES, false);
    GPU_VKSKIN(gpu, instanceOf(s.context, s.mesh, &s.instance));
    s.readback = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    return s;
}

static void sceneFree(Scene *s) {
    gpuFreeBuffer(s->gpu, &s->readback);
    gpuDestroyContext(s->gpu, s->context);
}

static void beginFrame(Scene *s) {
    GPU_VKSKIN(s->gpu, vkskinBeginFrame(s->context, s->frame % 2));
    s->frame++;
    markerSkin(s->gpu, s->context, s->instance, (float)s->frame, 3.0f);
}

static void recordRead(Scene *s, VkCommandBuffer commandBuffer) {
    VkskinOutput output;
    GPU_VKSKIN(s->gpu, vkskinGetOutput(s->context, s->instance, &output));
    gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, BYTES, s->readback.buffer);
}

static void submitOnly(Scene *s, VkCommandBuffer commandBuffer) {
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &commandBuffer,
    };
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    GPU_CHECK(vkQueueSubmit(s->gpu->queue, 1, &submit, VK_NULL_HANDLE));
}

/* ---- The library's own barriers ---- */

GPU_TEST(recordedBarriersSuffice) {
    for (int memory = 0; memory < 2; memory++) {
        Scene s = scene(gpu, VKSKIN_BARRIERS_RECORDED, (VkskinPaletteMemory)memory);
        for (uint32_t f = 0; f < 4; f++) {
            beginFrame(&s);
            VkCommandBuffer commandBuffer = gpuBegin(s.gpu);
            GPU_VKSKIN(s.gpu, vkskinRecordSkinning(s.context, commandBuffer));
            recordRead(&s, commandBuffer);
            gpuSubmitAndWait(s.gpu, commandBuffer);
            assert_int_equal(markerMismatches(s.readback.mapped, VERTICES, (float)s.frame, 3.0f), 0);
        }
        sceneFree(&s);
    }
}

/* Skinning, reading, skinning again: each a submission of its own, nothing waited for in between. */
GPU_TEST(recordedBarriersSufficeAcrossSubmissions) {
    Scene s = scene(gpu, VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkCommandBuffer commandBuffers[4];
    for (uint32_t f = 0; f < 2; f++) {
        beginFrame(&s);
        commandBuffers[2 * f] = gpuBegin(s.gpu);
        GPU_VKSKIN(s.gpu, vkskinRecordSkinning(s.context, commandBuffers[2 * f]));
        submitOnly(&s, commandBuffers[2 * f]);
        commandBuffers[2 * f + 1] = gpuBegin(s.gpu);
        if (f > 0) { /* the readback buffer is the host's own: the copy before it */
            gpuBarrier(commandBuffers[2 * f + 1], VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        }
        recordRead(&s, commandBuffers[2 * f + 1]);
        submitOnly(&s, commandBuffers[2 * f + 1]);
    }
    GPU_CHECK(vkQueueWaitIdle(s.gpu->queue));
    vkFreeCommandBuffers(s.gpu->device, s.gpu->pool, 4, commandBuffers);
    assert_int_equal(markerMismatches(s.readback.mapped, VERTICES, 2.0f, 3.0f), 0);
    sceneFree(&s);
}

/* Meshes that come while earlier frames still read their page, and kernels that write into one page in one pass. */
GPU_TEST(uploadsAndKernelsShareAPage) {
    Scene s = scene(gpu, VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkCommandBuffer commandBuffers[6];
    for (uint32_t f = 0; f < 6; f++) {
        if (f % 2 == 0) { /* the host's promise for the slot; the frame after it goes without a wait */
            GPU_CHECK(vkQueueWaitIdle(gpu->queue));
        }
        beginFrame(&s);
        VkskinInstance more = markerInstance(gpu, s.context, markerMesh(gpu, s.context, 7, false));
        markerSkin(gpu, s.context, more, 1.0f, 1.0f);
        GPU_VKSKIN(gpu, instanceOf(s.context, markerTwoBoneMesh(gpu, s.context, 9), &more));
        markerSkinTwoBones(gpu, s.context, more, 2.0f, 2.0f);
        commandBuffers[f] = gpuBegin(gpu);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffers[f]));
        submitOnly(&s, commandBuffers[f]);
    }
    GPU_CHECK(vkQueueWaitIdle(gpu->queue));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 6, commandBuffers);
    sceneFree(&s);
}

/*
 * No consumer and no palette is copied, so that only the wait before an upload orders it after the kernels of the frame
 * before, which read the same page.
 */
GPU_TEST(uploadsWaitForEarlierKernels) {
    Scene s = {.gpu = gpu};
    VkskinContextDef def = gpuContextDef(gpu);
    def.consumerStages = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT;
    def.consumerAccess = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT;
    s.context = gpuContext(gpu, &def);
    s.mesh = markerMesh(gpu, s.context, VERTICES, false);
    GPU_VKSKIN(gpu, instanceOf(s.context, s.mesh, &s.instance));
    s.readback = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    for (uint32_t f = 0; f < 2; f++) {
        beginFrame(&s);
        VkskinInstance more = markerInstance(gpu, s.context, markerMesh(gpu, s.context, 7, false));
        markerSkin(gpu, s.context, more, 1.0f, 1.0f);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
    }
    gpuSubmitAndWait(gpu, commandBuffer);
    sceneFree(&s);
}

/* One region for two frames: the kernels of the second frame wait for readers of the first one. */
GPU_TEST(skinningWaitsForEarlierReaders) {
    Scene s = scene(gpu, VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    beginFrame(&s);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
    recordRead(&s, commandBuffer);
    beginFrame(&s); /* no mesh and no palette is copied in this frame */
    GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    assert_int_equal(markerMismatches(s.readback.mapped, VERTICES, 1.0f, 3.0f), 0);
    sceneFree(&s);
}

/* Skinning recorded twice in a frame, a region a frame: the second record follows the first in one command buffer. */
GPU_TEST(skinningIsRecordedInParts) {
    for (uint32_t regions = 1; regions <= 2; regions++) {
        Scene s = {.gpu = gpu};
        VkskinContextDef def = gpuContextDef(gpu);
        def.outputRegions = regions;
        s.context = gpuContext(gpu, &def);
        s.mesh = markerMesh(gpu, s.context, VERTICES, false);
        s.readback = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        VkskinInstance other;
        GPU_VKSKIN(gpu, instanceOf(s.context, s.mesh, &s.instance));
        GPU_VKSKIN(gpu, instanceOf(s.context, s.mesh, &other));
        for (uint32_t f = 0; f < 3; f++) {
            beginFrame(&s);
            VkCommandBuffer commandBuffer = gpuBegin(gpu);
            GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
            markerSkin(gpu, s.context, other, 9.0f, 9.0f);
            GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
            recordRead(&s, commandBuffer);
            gpuSubmitAndWait(gpu, commandBuffer);
            assert_int_equal(markerMismatches(s.readback.mapped, VERTICES, (float)s.frame, 3.0f), 0);
        }
        sceneFree(&s);
    }
}

/* The scope of the barriers is what the def says, and nothing wider: a reader that it does not name is a hazard. */
GPU_TEST(unnamedConsumerIsFound) {
    Scene s = {.gpu = gpu};
    VkskinContextDef def = gpuContextDef(gpu);
    def.consumerStages = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT;
    def.consumerAccess = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT;
    s.context = gpuContext(gpu, &def);
    s.mesh = markerMesh(gpu, s.context, VERTICES, false);
    GPU_VKSKIN(gpu, instanceOf(s.context, s.mesh, &s.instance));
    s.readback = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    gpuExpectMessage(gpu, "SYNC-HAZARD-READ-AFTER-WRITE");
    beginFrame(&s);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
    recordRead(&s, commandBuffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    sceneFree(&s);
}

/* ---- Barriers of the host ---- */

/* What each buffer was used for last: all that a plain render graph has to know. */
typedef struct Graph {
    uint32_t count;
    VkskinAccess last[MAX_ACCESSES];
} Graph;

#define WRITES                                                                                                         \
    (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

/* Orders one access after the last one of its buffer, and remembers it. Reads after reads need nothing. */
static void graphUse(Graph *graph, VkCommandBuffer commandBuffer, const VkskinAccess *access) {
    for (uint32_t i = 0; i < graph->count; i++) {
        VkskinAccess *last = &graph->last[i];
        if (last->buffer != access->buffer) {
            continue;
        }
        if (((last->access | access->access) & WRITES) == 0) {
            last->stages |= access->stages;
            last->access |= access->access;
            return;
        }
        VkBufferMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
            .srcAccessMask = last->access & WRITES,
            .dstAccessMask = access->access,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .buffer = access->buffer,
            .offset = 0,
            .size = VK_WHOLE_SIZE,
        };
        vkCmdPipelineBarrier(commandBuffer, last->stages, access->stages, 0, 0, NULL, 1, &barrier, 0, NULL);
        *last = *access;
        return;
    }
    assert_true(graph->count < MAX_ACCESSES);
    graph->last[graph->count++] = *access;
}

static void graphUsePass(Graph *graph, Scene *s, VkCommandBuffer commandBuffer, VkskinPass pass) {
    VkskinAccess accesses[MAX_ACCESSES];
    uint32_t count = MAX_ACCESSES;
    GPU_VKSKIN(s->gpu, vkskinGetAccesses(s->context, pass, accesses, &count));
    for (uint32_t i = 0; i < count; i++) {
        assert_true(accesses[i].buffer != VK_NULL_HANDLE && accesses[i].stages != 0 && accesses[i].access != 0);
        graphUse(graph, commandBuffer, &accesses[i]);
    }
}

static void graphUseOutput(Graph *graph, Scene *s, VkCommandBuffer commandBuffer) {
    VkskinOutput output;
    GPU_VKSKIN(s->gpu, vkskinGetOutput(s->context, s->instance, &output));
    VkskinAccess access = {output.buffer, 0, VK_WHOLE_SIZE, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_ACCESS_TRANSFER_READ_BIT};
    graphUse(graph, commandBuffer, &access);
}

static void hostFollowsAccesses(Gpu *gpu, VkskinPaletteMemory memory, bool split) {
    Scene s = scene(gpu, VKSKIN_BARRIERS_HOST, memory);
    Graph graph = {0};
    for (uint32_t f = 0; f < 4; f++) {
        beginFrame(&s);
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        graphUsePass(&graph, &s, commandBuffer, VKSKIN_PASS_UPLOAD);
        GPU_VKSKIN(gpu, vkskinRecordUploads(s.context, commandBuffer));
        graphUsePass(&graph, &s, commandBuffer, VKSKIN_PASS_SKINNING);
        GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
        VkCommandBuffer reading = commandBuffer;
        if (split) {
            submitOnly(&s, commandBuffer);
            reading = gpuBegin(gpu);
        }
        graphUseOutput(&graph, &s, reading);
        recordRead(&s, reading);
        gpuSubmitAndWait(gpu, reading);
        if (split) {
            vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
        }
        assert_int_equal(markerMismatches(s.readback.mapped, VERTICES, (float)s.frame, 3.0f), 0);
    }
    sceneFree(&s);
}

GPU_TEST(accessesSuffice) {
    hostFollowsAccesses(gpu, VKSKIN_PALETTE_MEMORY_AUTO, false);
    hostFollowsAccesses(gpu, VKSKIN_PALETTE_MEMORY_STAGED, false);
}

GPU_TEST(accessesSufficeAcrossSubmissions) {
    hostFollowsAccesses(gpu, VKSKIN_PALETTE_MEMORY_AUTO, true);
    hostFollowsAccesses(gpu, VKSKIN_PALETTE_MEMORY_STAGED, true);
}

GPU_TEST(missingBarrierIsFound) {
    Scene s = scene(gpu, VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    gpuExpectMessage(gpu, "SYNC-HAZARD");
    beginFrame(&s);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordUploads(s.context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer));
    recordRead(&s, commandBuffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    sceneFree(&s);
}

GPU_TEST(missingBarrierIsFoundAcrossSubmissions) {
    Scene s = scene(gpu, VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    Graph graph = {0};
    beginFrame(&s);
    VkCommandBuffer skinning = gpuBegin(gpu);
    graphUsePass(&graph, &s, skinning, VKSKIN_PASS_UPLOAD);
    GPU_VKSKIN(gpu, vkskinRecordUploads(s.context, skinning));
    graphUsePass(&graph, &s, skinning, VKSKIN_PASS_SKINNING);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, skinning));
    submitOnly(&s, skinning);
    gpuExpectMessage(gpu, "SYNC-HAZARD-READ-AFTER-WRITE");
    VkCommandBuffer reading = gpuBegin(gpu);
    recordRead(&s, reading);
    gpuSubmitAndWait(gpu, reading);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &skinning);
    sceneFree(&s);
}

/* ---- vkskinGetAccesses itself ---- */

GPU_TEST(accessesAreCounted) {
    Scene s = scene(gpu, VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    VkskinAccess accesses[MAX_ACCESSES];
    uint32_t count = 0, room = 0;
    beginFrame(&s);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinGetAccesses(s.context, VKSKIN_PASS_UPLOAD, NULL, &count));
    assert_true(count >= 1); /* the mesh's upload is pending */
    GPU_VKSKIN(gpu, vkskinRecordUploads(s.context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinGetAccesses(s.context, VKSKIN_PASS_SKINNING, NULL, &count));
    assert_true(count >= 2); /* at least the mesh and the output */
    room = count - 1;
    memset(accesses, 0, sizeof accesses);
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_INCOMPLETE, vkskinGetAccesses(s.context, VKSKIN_PASS_SKINNING, accesses, &room));
    assert_int_equal(room, count - 1);
    assert_true(accesses[count - 2].buffer != VK_NULL_HANDLE);
    assert_true(accesses[count - 1].buffer == VK_NULL_HANDLE);
    gpuSubmitAndWait(gpu, commandBuffer);
    sceneFree(&s);
}

/* ---- Two queue families ---- */

#define MAX_BARRIERS 128

typedef struct Seen {
    VkPipelineStageFlags before, after;
    VkBufferMemoryBarrier barrier;
} Seen;

/* The wrappers have no user pointer. */
static uint32_t seenCount;
static Seen seen[MAX_BARRIERS];

static VKAPI_ATTR void VKAPI_CALL keepTransfers(VkCommandBuffer commandBuffer, VkPipelineStageFlags before,
                                                VkPipelineStageFlags after, VkDependencyFlags dependency,
                                                uint32_t memoryCount, const VkMemoryBarrier *memory,
                                                uint32_t bufferCount, const VkBufferMemoryBarrier *buffers,
                                                uint32_t imageCount, const VkImageMemoryBarrier *images) {
    bool transfer = false;
    for (uint32_t i = 0; i < bufferCount; i++) {
        if (buffers[i].srcQueueFamilyIndex != buffers[i].dstQueueFamilyIndex) {
            assert_true(seenCount < MAX_BARRIERS);
            seen[seenCount++] = (Seen){before, after, buffers[i]};
            transfer = true;
        }
    }
    if (!transfer) {
        vkCmdPipelineBarrier(commandBuffer, before, after, dependency, memoryCount, memory, bufferCount, buffers,
                             imageCount, images);
    }
}

static VkskinContext familyContext(Gpu *gpu, uint32_t graphicsQueueFamily) {
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies,
        .vkCmdPipelineBarrier = keepTransfers,
    };
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.graphicsQueueFamily = graphicsQueueFamily;
    def.outputRegions = def.framesInFlight;
    seenCount = 0;
    return gpuContext(gpu, &def);
}

/* Skins in this frame; records the release, then the acquire, and counts what each recorded. */
static void passOn(Gpu *gpu, VkskinContext context, VkskinInstance instance, uint32_t *released, uint32_t *acquired) {
    markerSkin(gpu, context, instance, 1.0f, 2.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    assert_int_equal(seenCount, 0);
    GPU_VKSKIN(gpu, vkskinRecordRelease(context, commandBuffer));
    *released = seenCount;
    GPU_VKSKIN(gpu, vkskinRecordAcquire(context, commandBuffer));
    *acquired = seenCount - *released;
    gpuSubmitAndWait(gpu, commandBuffer);
}

GPU_TEST(releaseAndAcquireMatch) {
    VkskinContext context = familyContext(gpu, 1);
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinInstance instance;
    uint32_t released, acquired;
    GPU_VKSKIN(gpu, instanceOf(context, markerMesh(gpu, context, 50, false), &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    passOn(gpu, context, instance, &released, &acquired);
    assert_true(released >= 1);
    assert_int_equal(released, acquired);
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    bool found = false;
    for (uint32_t i = 0; i < released; i++) {
        const Seen *release = &seen[i], *acquire = &seen[released + i];
        assert_int_equal(release->before, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        assert_int_equal(release->barrier.srcAccessMask, VK_ACCESS_SHADER_WRITE_BIT);
        assert_int_equal(acquire->before, def.consumerStages);
        assert_int_equal(acquire->after, def.consumerStages);
        assert_int_equal(acquire->barrier.dstAccessMask, def.consumerAccess);
        assert_int_equal(release->barrier.srcQueueFamilyIndex, 0);
        assert_int_equal(release->barrier.dstQueueFamilyIndex, 1);
        assert_int_equal(acquire->barrier.srcQueueFamilyIndex, 0);
        assert_int_equal(acquire->barrier.dstQueueFamilyIndex, 1);
        assert_true(release->barrier.buffer == acquire->barrier.buffer);
        assert_true(release->barrier.offset == acquire->barrier.offset);
        assert_true(release->barrier.size == acquire->barrier.size);
        found = found || release->barrier.buffer == output.buffer;
    }
    assert_true(found);
}

/* Every second of 70 instances: as many ranges as instances were skinned, more than the library records at once. */
GPU_TEST(unwrittenOutputIsNotPassedOn) {
    enum { SKINNED = 35 };
    VkskinContext context = familyContext(gpu, 1);
    VkskinMesh mesh = markerMesh(gpu, context, 50, false);
    VkskinInstance instances[2 * SKINNED];
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < 2 * SKINNED; i++) {
        GPU_VKSKIN(gpu, instanceOf(context, mesh, &instances[i]));
        if (i % 2 == 0 && i > 0) {
            markerSkin(gpu, context, instances[i], 1.0f, 1.0f);
        }
    }
    uint32_t released, acquired;
    passOn(gpu, context, instances[0], &released, &acquired);
    assert_int_equal(released, SKINNED);
    assert_int_equal(acquired, SKINNED);
    for (uint32_t i = 0; i < SKINNED; i++) {
        VkskinOutput output;
        GPU_VKSKIN(gpu, vkskinGetOutput(context, instances[2 * i], &output));
        uint32_t found = 0;
        for (uint32_t k = 0; k < released; k++) {
            found += seen[k].barrier.buffer == output.buffer && seen[k].barrier.offset <= output.positionOffset &&
                     output.positionOffset - seen[k].barrier.offset < seen[k].barrier.size;
        }
        assert_int_equal(found, 1);
    }
}

GPU_TEST(skinningAfterTheAcquireIsRefused) {
    VkskinContext context = familyContext(gpu, 1);
    VkskinInstance instance;
    GPU_VKSKIN(gpu, instanceOf(context, markerMesh(gpu, context, 5, false), &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordAcquire(context, commandBuffer));
    markerSkin(gpu, context, instance, 1.0f, 1.0f);
    gpuCheckRefusal(gpu, "skinned after", vkskinRecordSkinning(context, commandBuffer), VKSKIN_ERROR_INVALID_VALUE,
                    "vkskinRecordAcquire");
    gpuSubmitAndWait(gpu, commandBuffer);
}

GPU_TEST(nothingToPassOn) {
    VkskinContext context = familyContext(gpu, 1);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordRelease(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordAcquire(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    assert_int_equal(seenCount, 0);
}

static void oneFamilyRecordsNothing(Gpu *gpu, uint32_t graphicsQueueFamily) {
    VkskinContext context = familyContext(gpu, graphicsQueueFamily);
    VkskinInstance instance;
    uint32_t released, acquired;
    GPU_VKSKIN(gpu, instanceOf(context, markerMesh(gpu, context, 50, false), &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    passOn(gpu, context, instance, &released, &acquired);
    assert_int_equal(released, 0);
    assert_int_equal(acquired, 0);
    gpuDestroyContext(gpu, context);
}

GPU_TEST(theSameFamilyRecordsNothing) {
    oneFamilyRecordsNothing(gpu, 0);
}

/* By default the drawing is of the family that skins, whichever that is. */
GPU_TEST(noFamilyIsTheSame) {
    assert_int_equal(vkskinDefaultContextDef().graphicsQueueFamily, VK_QUEUE_FAMILY_IGNORED);
    oneFamilyRecordsNothing(gpu, VK_QUEUE_FAMILY_IGNORED);
}

GPU_TEST(secondFamilyAlone) {
    VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies};
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    def.functions = &functions;
    def.computeQueueFamily = 1;
    def.graphicsQueueFamily = VK_QUEUE_FAMILY_IGNORED; /* one family: fewer regions than frames are allowed */
    def.outputRegions = 1;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    gpuDestroyContext(gpu, context);
    def.computeQueueFamily = 2;
    gpuCheckRefusal(gpu, "a third", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE,
                    "computeQueueFamily is 2");
    def.computeQueueFamily = 1;
    def.graphicsQueueFamily = 2;
    def.outputRegions = def.framesInFlight;
    gpuCheckRefusal(gpu, "a third to draw", vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE,
                    "graphicsQueueFamily is 2");
}

/* Each half once a frame, and no skinning after it; on one family too, where both record nothing. */
GPU_TEST(halvesComeOnceAFrame) {
    for (uint32_t graphicsQueueFamily = 0; graphicsQueueFamily < 2; graphicsQueueFamily++) {
        VkskinContext context = familyContext(gpu, graphicsQueueFamily);
        VkskinMesh mesh = markerMesh(gpu, context, 5, false);
        VkskinInstance first, second;
        uint32_t released, acquired;
        GPU_VKSKIN(gpu, instanceOf(context, mesh, &first));
        GPU_VKSKIN(gpu, instanceOf(context, mesh, &second));
        for (uint32_t frame = 0; frame < 3; frame++) {
            seenCount = 0;
            GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % 2));
            passOn(gpu, context, first, &released, &acquired);
            VkCommandBuffer commandBuffer = gpuBegin(gpu);
            gpuCheckRefusal(gpu, "released twice", vkskinRecordRelease(context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordRelease: it was recorded in this frame already");
            gpuCheckRefusal(gpu, "acquired twice", vkskinRecordAcquire(context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordAcquire: it was recorded in this frame already");
            GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer)); /* of no command: nothing is lost */
            GPU_VKSKIN(gpu, instanceOf(context, mesh, &second));
            markerSkin(gpu, context, second, 3.0f, 4.0f);
            gpuCheckRefusal(gpu, "skinned after", vkskinRecordSkinning(context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordRelease");
            gpuSubmitAndWait(gpu, commandBuffer);
            assert_int_equal(seenCount, released + acquired);
            GPU_VKSKIN(gpu, vkskinDestroyInstance(context, second)); /* its command goes with it */
        }
        gpuDestroyContext(gpu, context);
    }
}
