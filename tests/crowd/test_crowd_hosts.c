/*
 * Crowds of other devices and hosts draw the same: limits and memory of other devices, slots in several buffers, and two
 * crowds of a host that records the barriers.
 */
#include "crowd_scene.h"
#include "profile.h"

#define FRAMES 5u

static const SceneDef plain = {
    .backend = VKSKIN_BACKEND_COMPUTE,
    .cast.capacity = 200,
    .cast.slots = {60, 40},
    .seed = 17,
    .cast.previousPositions = true,
};

static void compareDrawn(CrowdScene *scene, const SceneDrawn *expected, const char *what, uint32_t frame) {
    const SceneDrawn drawn = sceneDrawn(scene);
    for (uint32_t c = 0; c < SCENE_MAX_CHARACTERS; c++) {
        if (drawn.views[c] != expected->views[c] || drawn.vertices[c] != expected->vertices[c]) {
            fail_msg("%s, frame %u, character %u: views %u, expected %u, %s vertices", what, frame, c, drawn.views[c],
                     expected->views[c], drawn.vertices[c] == expected->vertices[c] ? "equal" : "other");
        }
    }
}

/* What a crowd of the driver's device draws. */
static void drawPlain(Gpu *gpu, const SceneDef *def, SceneDrawn drawn[FRAMES]) {
    CrowdScene scene = sceneMake(gpu, def);
    uint32_t skinned = 0;
    sceneAdd(&scene, def->cast.capacity * 9 / 10);
    for (uint32_t f = 0; f < FRAMES; f++) {
        sceneRun(&scene);
        drawn[f] = sceneDrawn(&scene);
        sceneChange(&scene);
        for (uint32_t c = 0; c < def->cast.capacity; c++) {
            skinned += drawn[f].vertices[c] != 0;
        }
    }
    assert_true(skinned > 20 * FRAMES);
    sceneFree(&scene);
}

/* ---- Devices ---- */

static void runProfile(Gpu *gpu, ProfileName name, const SceneDrawn *expected) {
    profileBegin(gpu, name);
    const VkskinContextDef context = profileContextDef(gpu);
    SceneDef def = plain;
    def.context = &context;
    def.functions = context.functions;
    CrowdScene scene = sceneMake(gpu, &def);
    sceneAdd(&scene, def.cast.capacity * 9 / 10);
    for (uint32_t f = 0; f < FRAMES; f++) {
        sceneRun(&scene);
        compareDrawn(&scene, &expected[f], profiles[name].name, f);
        sceneChange(&scene);
    }
    sceneFree(&scene);
    print_message("%s: %u invocations, %u sets, %u storage buffers, %u bytes of push constants\n", profiles[name].name,
                  interposer.use.invocations, interposer.use.sets, interposer.use.storageBuffers,
                  interposer.use.pushBytes);
    interposerEnd();
}

INTERPOSER_TEST(otherDevicesDrawTheSame) {
    static const ProfileName names[] = {PROFILE_LEAST_LIMITS, PROFILE_INCOHERENT, PROFILE_STAGING, PROFILE_SMALL_HEAPS,
                                        PROFILE_FEW_ALLOCATIONS};
    static SceneDrawn expected[FRAMES];
    drawPlain(gpu, &plain, expected);
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        runProfile(gpu, names[i], expected);
    }
}

/* Each draw is of one pool: its buffer, its list of the view and its records. */
static void checkDraws(CrowdScene *scene) {
    const CrowdPlan *plan = sceneInside(scene).plan;
    VkskinCrowdDraw draws[256];
    uint32_t count = COUNT_OF(draws);
    GPU_VKSKIN(scene->gpu, vkskinGetCrowdDraws(scene->context, scene->crowd, draws, &count));
    assert_int_equal(count, sknCrowdHead(plan->tables)->drawCount);
    for (uint32_t d = 0; d < count; d++) {
        uint32_t p = 0;
        while (sknCrowdPool(plan->tables, p)->records != draws[d].constants.slots) {
            p++;
            assert_true(p < plan->poolCount);
        }
        const LayoutCrowdPool *pool = sknCrowdPool(plan->tables, p);
        const InsideBuffer output = insideOutput(scene->context, scene->crowd, p);
        assert_true(draws[d].vertices == output.buffer && draws[d].verticesSize == output.size);
        assert_int_equal(draws[d].model, sknCrowdGroup(plan->tables, pool->group)->model);
        const LayoutCrowdPart *part = sknCrowdPart(plan->tables, pool, draws[d].part);
        assert_int_equal(draws[d].constants.list, part->lists + draws[d].view * pool->slots);
        assert_int_equal(part->lists == pool->lists, part->mask == 0);
        assert_int_equal(draws[d].constants.slotWords, pool->outputWords);
    }
}

/* A range so small that the slots of a model take several buffers. */
INTERPOSER_TEST(slotsInSeveralBuffersDrawTheSame) {
    static SceneDrawn expected[FRAMES];
    drawPlain(gpu, &plain, expected);
    profileBegin(gpu, PROFILE_LEAST_LIMITS);
    interposer.limits.maxStorageBufferRange = 1u << 17;
    VkskinContextDef context = profileContextDef(gpu);
    context.memory.maxInstances = 16;
    context.memory.maxMorphWeights = 16;
    context.memory.pageSize = context.memory.firstPageSize = 1u << 16;
    context.memory.paletteBytesPerFrame = 1u << 14;
    SceneDef def = plain;
    def.context = &context;
    def.functions = context.functions;
    CrowdScene scene = sceneMake(gpu, &def);
    assert_true(sceneInside(&scene).plan->poolCount >= 2 * CAST_MODELS);
    checkDraws(&scene);
    sceneAdd(&scene, def.cast.capacity * 9 / 10);
    for (uint32_t f = 0; f < FRAMES; f++) {
        sceneRun(&scene);
        compareDrawn(&scene, &expected[f], "several buffers", f);
        sceneChange(&scene);
    }
    print_message("%u pools\n", sceneInside(&scene).plan->poolCount);
    sceneFree(&scene);
    interposerEnd();
}

/* ---- Hosts that record the barriers ---- */

#define MAX_ACCESSES 64u

/* The last access of each buffer. */
typedef struct Graph {
    VkskinAccess last[MAX_ACCESSES];
    uint32_t count;
} Graph;

static VkskinAccess *lastOf(Graph *graph, const VkskinAccess *access) {
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->last[i].buffer == access->buffer) {
            return &graph->last[i];
        }
    }
    assert_true(graph->count < MAX_ACCESSES);
    graph->last[graph->count] = (VkskinAccess){.buffer = access->buffer};
    return &graph->last[graph->count++];
}

/* One barrier from what used these buffers last. */
static void use(Graph *graph, VkCommandBuffer commandBuffer, const VkskinAccess *accesses, uint32_t count) {
    VkPipelineStageFlags from = 0, to = 0;
    VkAccessFlags before = 0, after = 0;
    for (uint32_t i = 0; i < count; i++) {
        VkskinAccess *last = lastOf(graph, &accesses[i]);
        from |= last->stages;
        before |= last->access;
        to |= accesses[i].stages;
        after |= accesses[i].access;
        *last = accesses[i];
    }
    if (from != 0) {
        gpuBarrier(commandBuffer, from, before, to, after);
    }
}

static void usePass(Graph *graph, const CrowdScene *scene, VkCommandBuffer commandBuffer, VkskinPass pass) {
    VkskinAccess accesses[MAX_ACCESSES];
    uint32_t count = MAX_ACCESSES;
    GPU_VKSKIN(scene->gpu, vkskinGetAccesses(scene->context, pass, accesses, &count));
    use(graph, commandBuffer, accesses, count);
}

/* The host's reader: copies the lists and the vertices. */
static void readAll(Graph *graph, CrowdScene *scene, VkCommandBuffer commandBuffer, VkBuffer target) {
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    for (uint32_t p = 0; p <= sceneInside(scene).plan->poolCount; p++) {
        const InsideBuffer buffer =
            p == 0 ? sceneInside(scene).frame : insideOutput(scene->context, scene->crowd, p - 1);
        const VkskinAccess access = {buffer.buffer, 0, buffer.size, transfer, VK_ACCESS_TRANSFER_READ_BIT};
        const VkBufferCopy region = {0, 0, buffer.size};
        use(graph, commandBuffer, &access, 1);
        vkCmdCopyBuffer(commandBuffer, buffer.buffer, target, 1, &region);
        gpuBarrier(commandBuffer, transfer, VK_ACCESS_TRANSFER_WRITE_BIT, transfer, VK_ACCESS_TRANSFER_WRITE_BIT);
    }
}

/* A frame of two crowds. forgets: without the barriers before the crowds. */
static void runByAccesses(Graph *graph, CrowdScene scenes[2], VkBuffer target, bool forgets) {
    Gpu *gpu = scenes[0].gpu;
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scenes[0].context, scenes[0].slot));
    usePass(graph, &scenes[0], commandBuffer, VKSKIN_PASS_UPLOAD);
    GPU_VKSKIN(gpu, vkskinRecordUploads(scenes[0].context, commandBuffer));
    if (!forgets) {
        usePass(graph, &scenes[0], commandBuffer, VKSKIN_PASS_CROWDS);
    }
    for (uint32_t i = 0; i < 2; i++) {
        sceneRecord(&scenes[i], commandBuffer);
    }
    for (uint32_t i = 0; i < 2; i++) {
        readAll(graph, &scenes[i], commandBuffer, target);
        sceneGoOn(&scenes[i]);
    }
    gpuSubmitAndWait(gpu, commandBuffer);
}

static void runHost(Gpu *gpu, const SceneDrawn *expected, bool forgets) {
    GpuBuffer target = gpuBuffer(gpu, 8u << 20, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    SceneDef def = plain;
    Graph graph = {.count = 0};
    def.barriers = VKSKIN_BARRIERS_HOST;
    CrowdScene scenes[2] = {sceneMake(gpu, &def)};
    scenes[1] = sceneAnother(&scenes[0], scenes[0].random.state);
    sceneAdd(&scenes[0], def.cast.capacity * 9 / 10);
    sceneAdd(&scenes[1], def.cast.capacity * 9 / 10);
    for (uint32_t f = 0; f < FRAMES; f++) {
        runByAccesses(&graph, scenes, target.buffer, forgets && f == 2);
        for (uint32_t i = 0; i < 2; i++) {
            compareDrawn(&scenes[i], &expected[f], i == 0 ? "the first crowd" : "the second crowd", f);
            sceneChange(&scenes[i]);
        }
    }
    sceneFreeAnother(&scenes[1]);
    sceneFree(&scenes[0]);
    gpuFreeBuffer(gpu, &target);
}

GPU_TEST(twoCrowdsByTheBarriersOfTheHostDrawTheSame) {
    static SceneDrawn expected[FRAMES];
    drawPlain(gpu, &plain, expected);
    runHost(gpu, expected, false);
}

GPU_TEST(crowdsWithoutTheBarriersOfTheHostAreReported) {
    static SceneDrawn expected[FRAMES];
    drawPlain(gpu, &plain, expected);
    gpuExpectMessage(gpu, "SYNC-HAZARD");
    runHost(gpu, expected, true);
}
