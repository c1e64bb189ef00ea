/*
 * Barriers: with those that the library records, the validation layer is silent, within a submission and across; a barrier
 * that the host omits is reported; a host that follows vkskinGetAccesses needs nothing else. And queue families: the
 * software drivers have one, so wrappers claim a second one and keep the barriers that name it instead of passing them on.
 */
#include "marker_scene.h"

/* ---- One queue family ---- */

#define VERTICES     100
#define BYTES        (VERTICES * 12)
#define MAX_ACCESSES 64

/* A scene whose frames are read back: the marks of frame f are (f, 3). */
typedef struct Watch {
    Scene scene;
    GpuBuffer readback;
    uint32_t frame;
    const VkskinInstance *others; /* [otherCount]: skinned in the next frames too */
    uint32_t otherCount;
} Watch;

static Watch watchOf(Gpu *gpu, const VkskinContextDef *def) {
    return (Watch){.scene = makeScene(gpu, def, VERTICES, false),
                   .readback = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT)};
}

static Watch watch(Gpu *gpu, VkskinBarriers barriers, VkskinPaletteMemory memory) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.barriers = barriers;
    def.memory.palettes = memory;
    return watchOf(gpu, &def);
}

/* The consumers are vertex inputs alone: not the readback. */
static Watch watchVertices(Gpu *gpu) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.consumerStages = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT;
    def.consumerAccess = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT;
    return watchOf(gpu, &def);
}

static void beginFrame(Watch *w) {
    GPU_VKSKIN(w->scene.gpu, vkskinBeginFrame(w->scene.context, w->frame % 2));
    w->frame++;
    markerSkin(w->scene.gpu, w->scene.context, w->scene.instance, (float)w->frame, 3.0f);
    for (uint32_t i = 0; i < w->otherCount; i++) {
        markerSkin(w->scene.gpu, w->scene.context, w->others[i], 5.0f, 6.0f);
    }
}

static void recordSkinning(Watch *w, VkCommandBuffer commandBuffer) {
    GPU_VKSKIN(w->scene.gpu, vkskinRecordSkinning(w->scene.context, commandBuffer));
}

/* Another mesh and an instance of it, skinned in this frame. */
static void skinMore(Watch *w, uint32_t vertexCount, uint32_t bones) {
    const MarkerDef def = {vertexCount, .boneCount = bones, .passThrough = true};
    VkskinMesh mesh = markerMeshOf(w->scene.gpu, w->scene.context, &def);
    VkskinInstance instance = markerInstance(w->scene.gpu, w->scene.context, mesh);
    markerSkinBones(w->scene.gpu, w->scene.context, instance, bones, 1.0f, 1.0f);
}

static void recordRead(Watch *w, VkCommandBuffer commandBuffer) {
    VkskinOutput output = markerOutput(w->scene.gpu, w->scene.context, w->scene.instance);
    gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, BYTES, w->readback.buffer);
}

/* The latest frame that was read back. */
static void checkRead(Watch *w, uint32_t frame) {
    assert_int_equal(markerMismatches(w->readback.mapped, VERTICES, (float)frame, 3.0f), 0);
}

static void watchEnd(Watch *w) {
    gpuFreeBuffer(w->scene.gpu, &w->readback);
}

static void submitOnly(Watch *w, VkCommandBuffer commandBuffer) {
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &commandBuffer,
    };
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    GPU_CHECK(vkQueueSubmit(w->scene.gpu->queue, 1, &submit, VK_NULL_HANDLE));
}

/* ---- The library's own barriers ---- */

GPU_TEST(recordedBarriersSuffice) {
    for (int memory = 0; memory < 2; memory++) {
        Watch w = watch(gpu, VKSKIN_BARRIERS_RECORDED, (VkskinPaletteMemory)memory);
        for (uint32_t f = 0; f < 4; f++) {
            beginFrame(&w);
            VkCommandBuffer commandBuffer = gpuBegin(gpu);
            recordSkinning(&w, commandBuffer);
            recordRead(&w, commandBuffer);
            gpuSubmitAndWait(gpu, commandBuffer);
            checkRead(&w, w.frame);
        }
        watchEnd(&w);
    }
}

/* Skinning, reading, skinning again: each a submission of its own, nothing waited for in between. */
GPU_TEST(recordedBarriersSufficeAcrossSubmissions) {
    Watch w = watch(gpu, VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkCommandBuffer commandBuffers[4];
    for (uint32_t f = 0; f < 2; f++) {
        beginFrame(&w);
        commandBuffers[2 * f] = gpuBegin(gpu);
        recordSkinning(&w, commandBuffers[2 * f]);
        submitOnly(&w, commandBuffers[2 * f]);
        commandBuffers[2 * f + 1] = gpuBegin(gpu);
        if (f > 0) { /* the readback buffer is the host's own: the copy before it */
            gpuBarrier(commandBuffers[2 * f + 1], VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        }
        recordRead(&w, commandBuffers[2 * f + 1]);
        submitOnly(&w, commandBuffers[2 * f + 1]);
    }
    GPU_CHECK(vkQueueWaitIdle(gpu->queue));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 4, commandBuffers);
    checkRead(&w, 2);
    watchEnd(&w);
}

/* Meshes that come while earlier frames still read their page, and kernels that write into one page in one pass. */
GPU_TEST(uploadsAndKernelsShareAPage) {
    Watch w = watch(gpu, VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkCommandBuffer commandBuffers[6];
    for (uint32_t f = 0; f < 6; f++) {
        if (f % 2 == 0) { /* the host's promise for the slot; the frame after it goes without a wait */
            GPU_CHECK(vkQueueWaitIdle(gpu->queue));
        }
        beginFrame(&w);
        skinMore(&w, 7, 1);
        skinMore(&w, 9, 2);
        commandBuffers[f] = gpuBegin(gpu);
        recordSkinning(&w, commandBuffers[f]);
        submitOnly(&w, commandBuffers[f]);
    }
    GPU_CHECK(vkQueueWaitIdle(gpu->queue));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 6, commandBuffers);
    watchEnd(&w);
}

/*
 * No consumer and no palette is copied, so that only the wait before an upload orders it after the kernels of the frame
 * before, which read the same page.
 */
GPU_TEST(uploadsWaitForEarlierKernels) {
    Watch w = watchVertices(gpu);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    for (uint32_t f = 0; f < 2; f++) {
        beginFrame(&w);
        skinMore(&w, 7, 1);
        recordSkinning(&w, commandBuffer);
    }
    gpuSubmitAndWait(gpu, commandBuffer);
    watchEnd(&w);
}

/* One region for two frames: the kernels of the second frame wait for readers of the first one. */
GPU_TEST(skinningWaitsForEarlierReaders) {
    Watch w = watch(gpu, VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    beginFrame(&w);
    recordSkinning(&w, commandBuffer);
    recordRead(&w, commandBuffer);
    beginFrame(&w); /* no mesh and no palette is copied in this frame */
    recordSkinning(&w, commandBuffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    checkRead(&w, 1);
    watchEnd(&w);
}

/* Skinning recorded twice in a frame, a region a frame: the second record follows the first in one command buffer. */
GPU_TEST(skinningIsRecordedInParts) {
    for (uint32_t regions = 1; regions <= 2; regions++) {
        VkskinContextDef def = gpuContextDef(gpu);
        def.outputRegions = regions;
        Watch w = watchOf(gpu, &def);
        VkskinInstance other = markerInstance(gpu, w.scene.context, w.scene.mesh);
        for (uint32_t f = 0; f < 3; f++) {
            beginFrame(&w);
            VkCommandBuffer commandBuffer = gpuBegin(gpu);
            recordSkinning(&w, commandBuffer);
            markerSkin(gpu, w.scene.context, other, 9.0f, 9.0f);
            recordSkinning(&w, commandBuffer);
            recordRead(&w, commandBuffer);
            gpuSubmitAndWait(gpu, commandBuffer);
            checkRead(&w, w.frame);
        }
        watchEnd(&w);
    }
}

/* The scope of the barriers is what the def says, and nothing wider: a reader that it does not name is a hazard. */
GPU_TEST(unnamedConsumerIsFound) {
    Watch w = watchVertices(gpu);
    gpuExpectMessage(gpu, "SYNC-HAZARD-READ-AFTER-WRITE");
    beginFrame(&w);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    recordSkinning(&w, commandBuffer);
    recordRead(&w, commandBuffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    watchEnd(&w);
}

/* ---- Barriers of the host ---- */

/* The last uses of each range of a buffer: all that a plain render graph has to know. */
typedef struct Graph {
    uint32_t count;
    VkskinAccess last[MAX_ACCESSES];
} Graph;

#define WRITES                                                                                                         \
    (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

static bool overlap(const VkskinAccess *a, const VkskinAccess *b) {
    return a->buffer == b->buffer && a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

/* Exactly the bytes that both use. */
static void recordDependency(VkCommandBuffer commandBuffer, const VkskinAccess *first, const VkskinAccess *second) {
    VkDeviceSize begin = first->offset > second->offset ? first->offset : second->offset;
    VkDeviceSize firstEnd = first->offset + first->size, secondEnd = second->offset + second->size;
    VkBufferMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = first->access & WRITES,
        .dstAccessMask = second->access,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = first->buffer,
        .offset = begin,
        .size = (firstEnd < secondEnd ? firstEnd : secondEnd) - begin,
    };
    vkCmdPipelineBarrier(commandBuffer, first->stages, second->stages, 0, 0, NULL, 1, &barrier, 0, NULL);
}

/* Orders an access after the uses of its bytes, and remembers it instead of those that it covers. Reads after reads need
 * nothing. */
static void graphUse(Graph *graph, VkCommandBuffer commandBuffer, const VkskinAccess *access) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        VkskinAccess last = graph->last[i];
        bool ordered = overlap(&last, access) && ((last.access | access->access) & WRITES) != 0;
        if (ordered) {
            recordDependency(commandBuffer, &last, access);
        }
        bool covered = access->offset <= last.offset && last.offset + last.size <= access->offset + access->size;
        if (!ordered || !covered) {
            graph->last[kept++] = last;
        }
    }
    assert_true(kept < MAX_ACCESSES);
    graph->last[kept] = *access;
    graph->count = kept + 1;
}

static void graphUsePass(Graph *graph, Watch *w, VkCommandBuffer commandBuffer, VkskinPass pass) {
    VkskinAccess accesses[MAX_ACCESSES];
    uint32_t count = MAX_ACCESSES;
    GPU_VKSKIN(w->scene.gpu, vkskinGetAccesses(w->scene.context, pass, accesses, &count));
    for (uint32_t i = 0; i < count; i++) {
        assert_true(accesses[i].buffer != VK_NULL_HANDLE && accesses[i].stages != 0 && accesses[i].access != 0);
        graphUse(graph, commandBuffer, &accesses[i]);
    }
}

static void graphUseOutput(Graph *graph, Watch *w, VkCommandBuffer commandBuffer) {
    VkskinOutput output = markerOutput(w->scene.gpu, w->scene.context, w->scene.instance);
    VkskinAccess access = {output.buffer, output.positionOffset, BYTES, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_ACCESS_TRANSFER_READ_BIT};
    graphUse(graph, commandBuffer, &access);
}

/* Begins a frame and records its uploads and its skinning, with the barriers that the accesses require. */
static VkCommandBuffer recordByAccesses(Watch *w, Graph *graph) {
    beginFrame(w);
    skinMore(w, 7, 1);
    VkCommandBuffer commandBuffer = gpuBegin(w->scene.gpu);
    graphUsePass(graph, w, commandBuffer, VKSKIN_PASS_UPLOAD);
    GPU_VKSKIN(w->scene.gpu, vkskinRecordUploads(w->scene.context, commandBuffer));
    graphUsePass(graph, w, commandBuffer, VKSKIN_PASS_SKINNING);
    recordSkinning(w, commandBuffer);
    return commandBuffer;
}

/* regions: of the output, so that not all frames write the same one. Between two instances that are skinned lies one that
 * is skinned in every second frame only. */
static void hostFollowsAccesses(Gpu *gpu, uint32_t regions, VkskinPaletteMemory memory, bool split) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.barriers = VKSKIN_BARRIERS_HOST;
    def.memory.palettes = memory;
    def.outputRegions = regions;
    Watch w = watchOf(gpu, &def);
    Graph graph = {0};
    VkskinInstance others[] = {markerInstance(gpu, w.scene.context, w.scene.mesh),
                               markerInstance(gpu, w.scene.context, w.scene.mesh)};
    for (uint32_t f = 0; f < 5; f++) {
        w.others = others;
        w.otherCount = f % 2 + 1;
        VkCommandBuffer commandBuffer = recordByAccesses(&w, &graph), reading = commandBuffer;
        if (split) {
            submitOnly(&w, commandBuffer);
            reading = gpuBegin(gpu);
        }
        graphUseOutput(&graph, &w, reading);
        recordRead(&w, reading);
        gpuSubmitAndWait(gpu, reading);
        if (split) {
            vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
        }
        checkRead(&w, w.frame);
    }
    watchEnd(&w);
}

GPU_TEST(accessesSuffice) {
    for (uint32_t regions = 1; regions <= 2; regions++) {
        hostFollowsAccesses(gpu, regions, VKSKIN_PALETTE_MEMORY_AUTO, false);
        hostFollowsAccesses(gpu, regions, VKSKIN_PALETTE_MEMORY_STAGED, false);
    }
}

GPU_TEST(accessesSufficeAcrossSubmissions) {
    for (uint32_t regions = 1; regions <= 2; regions++) {
        hostFollowsAccesses(gpu, regions, VKSKIN_PALETTE_MEMORY_AUTO, true);
        hostFollowsAccesses(gpu, regions, VKSKIN_PALETTE_MEMORY_STAGED, true);
    }
}

GPU_TEST(missingBarrierIsFound) {
    Watch w = watch(gpu, VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    gpuExpectMessage(gpu, "SYNC-HAZARD");
    beginFrame(&w);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordUploads(w.scene.context, commandBuffer));
    recordSkinning(&w, commandBuffer);
    recordRead(&w, commandBuffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    watchEnd(&w);
}

GPU_TEST(missingBarrierIsFoundAcrossSubmissions) {
    Watch w = watch(gpu, VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    Graph graph = {0};
    VkCommandBuffer skinning = recordByAccesses(&w, &graph);
    submitOnly(&w, skinning);
    gpuExpectMessage(gpu, "SYNC-HAZARD-READ-AFTER-WRITE");
    VkCommandBuffer reading = gpuBegin(gpu);
    recordRead(&w, reading);
    gpuSubmitAndWait(gpu, reading);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &skinning);
    watchEnd(&w);
}

/* ---- vkskinGetAccesses itself ---- */

GPU_TEST(accessesAreCounted) {
    Watch w = watch(gpu, VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    VkskinContext context = w.scene.context;
    VkskinAccess accesses[MAX_ACCESSES] = {{0}};
    uint32_t count = 0;
    beginFrame(&w);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, NULL, &count));
    assert_true(count >= 1); /* the mesh's upload is pending */
    GPU_VKSKIN(gpu, vkskinRecordUploads(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinGetAccesses(context, VKSKIN_PASS_SKINNING, NULL, &count));
    assert_true(count >= 2); /* at least the mesh and the output */
    uint32_t room = count - 1;
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_INCOMPLETE, vkskinGetAccesses(context, VKSKIN_PASS_SKINNING, accesses, &room));
    assert_int_equal(room, count - 1);
    assert_true(accesses[count - 2].buffer != VK_NULL_HANDLE);
    assert_true(accesses[count - 1].buffer == VK_NULL_HANDLE);
    gpuSubmitAndWait(gpu, commandBuffer);
    watchEnd(&w);
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

static Scene familyScene(Gpu *gpu, uint32_t graphicsQueueFamily) {
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies,
        .vkCmdPipelineBarrier = keepTransfers,
    };
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.graphicsQueueFamily = graphicsQueueFamily;
    def.outputRegions = def.framesInFlight;
    seenCount = 0;
    return makeScene(gpu, &def, 50, false);
}

/* Skins in this frame; records the release, then the acquire, and counts what each recorded. */
static void passOn(const Scene *s, uint32_t *released, uint32_t *acquired) {
    Gpu *gpu = s->gpu;
    VkskinContext context = s->context;
    markerSkin(gpu, context, s->instance, 1.0f, 2.0f);
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
    Scene s = familyScene(gpu, 1);
    VkskinContextDef def = gpuContextDef(gpu);
    uint32_t released, acquired;
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    passOn(&s, &released, &acquired);
    assert_true(released >= 1);
    assert_int_equal(released, acquired);
    VkBuffer output = markerOutput(gpu, s.context, s.instance).buffer;
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
        found = found || release->barrier.buffer == output;
    }
    assert_true(found);
}

/* Every second of 70 instances, and the second one: the first three make one range, the others one each, more than the
 * library records at once. No range has a byte of an instance that was not skinned. */
GPU_TEST(unwrittenOutputIsNotPassedOn) {
    enum { SKINNED = 35 };
    Scene s = familyScene(gpu, 1);
    VkskinInstance instances[2 * SKINNED] = {s.instance};
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    for (uint32_t i = 1; i < 2 * SKINNED; i++) {
        instances[i] = markerInstance(gpu, s.context, s.mesh);
        if (i % 2 == 0 || i == 1) {
            markerSkin(gpu, s.context, instances[i], 1.0f, 1.0f);
        }
    }
    uint32_t released, acquired;
    passOn(&s, &released, &acquired);
    assert_int_equal(released, SKINNED - 1);
    assert_int_equal(acquired, SKINNED - 1);
    VkskinMeshInfo info;
    VkDeviceSize bytes = 0;
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(s.context, s.mesh, &info));
    for (uint32_t k = 0; k < released; k++) {
        bytes += seen[k].barrier.size;
    }
    assert_int_equal(bytes, (SKINNED + 1) * info.outputBytes);
    for (uint32_t i = 0; i < SKINNED; i++) {
        VkskinOutput output = markerOutput(gpu, s.context, instances[2 * i]);
        uint32_t found = 0;
        for (uint32_t k = 0; k < released; k++) {
            found += seen[k].barrier.buffer == output.buffer && seen[k].barrier.offset <= output.positionOffset &&
                     output.positionOffset - seen[k].barrier.offset < seen[k].barrier.size;
        }
        assert_int_equal(found, 1);
    }
}

GPU_TEST(skinningAfterTheAcquireIsRefused) {
    Scene s = familyScene(gpu, 1);
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordAcquire(s.context, commandBuffer));
    markerSkin(gpu, s.context, s.instance, 1.0f, 1.0f);
    gpuCheckRefusal(gpu, "skinned after", vkskinRecordSkinning(s.context, commandBuffer), VKSKIN_ERROR_INVALID_VALUE,
                    "vkskinRecordAcquire");
    gpuSubmitAndWait(gpu, commandBuffer);
}

GPU_TEST(nothingToPassOn) {
    VkskinContext context = familyScene(gpu, 1).context;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordRelease(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordAcquire(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    assert_int_equal(seenCount, 0);
}

/* By default the drawing is of the family that skins, whichever that is. */
GPU_TEST(theSameFamilyRecordsNothing) {
    static const uint32_t graphicsQueueFamilies[] = {0, VK_QUEUE_FAMILY_IGNORED};
    assert_int_equal(vkskinDefaultContextDef().graphicsQueueFamily, VK_QUEUE_FAMILY_IGNORED);
    for (uint32_t i = 0; i < 2; i++) {
        Scene s = familyScene(gpu, graphicsQueueFamilies[i]);
        uint32_t released, acquired;
        GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
        passOn(&s, &released, &acquired);
        assert_int_equal(released, 0);
        assert_int_equal(acquired, 0);
    }
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
        Scene s = familyScene(gpu, graphicsQueueFamily);
        uint32_t released, acquired;
        for (uint32_t frame = 0; frame < 3; frame++) {
            seenCount = 0;
            GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, frame % 2));
            passOn(&s, &released, &acquired);
            VkCommandBuffer commandBuffer = gpuBegin(gpu);
            gpuCheckRefusal(gpu, "released twice", vkskinRecordRelease(s.context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordRelease: it was recorded in this frame already");
            gpuCheckRefusal(gpu, "acquired twice", vkskinRecordAcquire(s.context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordAcquire: it was recorded in this frame already");
            GPU_VKSKIN(gpu, vkskinRecordSkinning(s.context, commandBuffer)); /* no command, so nothing is lost */
            VkskinInstance second = markerInstance(gpu, s.context, s.mesh);
            markerSkin(gpu, s.context, second, 3.0f, 4.0f);
            gpuCheckRefusal(gpu, "skinned after", vkskinRecordSkinning(s.context, commandBuffer),
                            VKSKIN_ERROR_INVALID_VALUE, "vkskinRecordRelease");
            gpuSubmitAndWait(gpu, commandBuffer);
            assert_int_equal(seenCount, released + acquired);
            GPU_VKSKIN(gpu, vkskinDestroyInstance(s.context, second)); /* the command is dropped too */
        }
    }
}
