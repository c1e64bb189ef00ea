/*
 * Barriers: what the library records keeps the validation layer silent, within a submission and across; what a host
 * leaves out makes it speak; a host that follows vkskinGetAccesses to the letter needs nothing else.
 */
#include <string.h>

#include "scene.h"

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
    vkskinDestroyContext(s->context);
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

static void recordedBarriersSuffice(void **state) {
    for (int memory = 0; memory < 2; memory++) {
        Scene s = scene(*state, VKSKIN_BARRIERS_RECORDED, (VkskinPaletteMemory)memory);
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
static void recordedBarriersSufficeAcrossSubmissions(void **state) {
    Scene s = scene(*state, VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
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
static void uploadsAndKernelsShareAPage(void **state) {
    Gpu *gpu = *state;
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

/* Skinning recorded twice in a frame, a region a frame: the second record follows the first in one command buffer. */
static void skinningIsRecordedInParts(void **state) {
    Gpu *gpu = *state;
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
static void unnamedConsumerIsFound(void **state) {
    Gpu *gpu = *state;
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

static void accessesSuffice(void **state) {
    hostFollowsAccesses(*state, VKSKIN_PALETTE_MEMORY_AUTO, false);
    hostFollowsAccesses(*state, VKSKIN_PALETTE_MEMORY_STAGED, false);
}

static void accessesSufficeAcrossSubmissions(void **state) {
    hostFollowsAccesses(*state, VKSKIN_PALETTE_MEMORY_AUTO, true);
    hostFollowsAccesses(*state, VKSKIN_PALETTE_MEMORY_STAGED, true);
}

static void missingBarrierIsFound(void **state) {
    Gpu *gpu = *state;
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

static void missingBarrierIsFoundAcrossSubmissions(void **state) {
    Gpu *gpu = *state;
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

static void accessesAreCounted(void **state) {
    Gpu *gpu = *state;
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

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(recordedBarriersSuffice),
        GPU_TEST(recordedBarriersSufficeAcrossSubmissions),
        GPU_TEST(uploadsAndKernelsShareAPage),
        GPU_TEST(skinningIsRecordedInParts),
        GPU_TEST(unnamedConsumerIsFound),
        GPU_TEST(accessesSuffice),
        GPU_TEST(accessesSufficeAcrossSubmissions),
        GPU_TEST(missingBarrierIsFound),
        GPU_TEST(missingBarrierIsFoundAcrossSubmissions),
        GPU_TEST(accessesAreCounted),
    };
    return gpuRunTests("barriers", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
