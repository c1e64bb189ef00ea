/*
 * Meshes, instances, output pages and kernels are made and destroyed on several threads, while others run frames.
 */
#include "stage.h"

/* Keeps or numbers the threads of a scenario as they start. */
static Counter started;

/* ---- loading: two threads load, one runs frames, one queries ----
 *
 * The loaders hand some instances to the frames, which skin each of them once, check the output and destroy it. Handles
 * are passed in relaxed atomics: only the library's lock makes their objects visible to the other thread. */

#define LOADERS    2u
#define LOADS      40u /* meshes per loader */
#define PER_MESH   3u  /* instances */
#define MIN_FRAMES 50u
#define OWN        4u /* instances that the frames' thread skins in each frame */

/* A frame that was recorded and has not run yet. */
typedef struct Frame {
    VkCommandBuffer commandBuffer;
    uint32_t count;
    VkskinOutput outputs[OWN + LOADERS];
    float shifts[OWN + LOADERS];
} Frame;

typedef struct Hall {
    Stage stage;
    Counter handed[LOADERS]; /* an instance's handle; 0: none */
    Counter loadersDone, framesDone;
    Counter skinned; /* handed instances with right output */
} Hall;

static uint64_t packHandle(VkskinInstance instance) {
    return (uint64_t)instance.generation << 32 | instance.index;
}

static VkskinInstance unpackHandle(uint64_t handle) {
    return (VkskinInstance){(uint32_t)handle, (uint32_t)(handle >> 32)};
}

static void loadMesh(VkskinContext context, Counter *handed, uint32_t size) {
    VkskinMeshInfo info;
    VkskinInstance instances[PER_MESH];
    VkskinMesh mesh = stageInstances(context, size, instances, PER_MESH);
    CHECK(vkskinGetMeshInfo(context, mesh, &info) == VKSKIN_SUCCESS && info.vertexCount == stageVertexCount(size));
    counterWrite(handed, packHandle(instances[0]));
    for (uint32_t i = 1; i < PER_MESH; i++) {
        VkskinOutput output;
        CHECK(vkskinGetOutput(context, instances[i], &output) == VKSKIN_ERROR_NOT_SKINNED);
        CHECK_GOOD(vkskinDestroyInstance(context, instances[i]));
        CHECK(vkskinDestroyInstance(context, instances[i]) == VKSKIN_ERROR_STALE_HANDLE);
    }
    VkskinResult result = VKSKIN_ERROR_MESH_IN_USE;
    while (result == VKSKIN_ERROR_MESH_IN_USE) {
        result = vkskinDestroyMesh(context, mesh);
        sched_yield();
    }
    CHECK(result == VKSKIN_SUCCESS);
    CHECK(vkskinGetMeshInfo(context, mesh, &info) == VKSKIN_ERROR_STALE_HANDLE);
}

static void load(void *argument) {
    Hall *hall = argument;
    uint64_t number = counterAdd(&started, 1);
    for (uint32_t i = 0; i < LOADS; i++) {
        loadMesh(hall->stage.context, &hall->handed[number], (7 * i + 3 * (uint32_t)number) % STAGE_MAX_SIZE);
    }
    counterAdd(&hall->loadersDone, 1);
}

static void finishFrame(Hall *hall, Frame *frame) {
    if (frame->commandBuffer == NULL) {
        return;
    }
    nullDriverRun(frame->commandBuffer);
    for (uint32_t i = 0; i < frame->count; i++) {
        bool right = CHECK(stageIsRight(hall->stage.driver, &frame->outputs[i], frame->shifts[i]));
        counterAdd(&hall->skinned, right && i >= OWN);
    }
    *frame = (Frame){0};
}

static void skinOne(VkskinContext context, Frame *frame, VkskinInstance instance, float shift) {
    if (CHECK_GOOD(stageSkin(context, instance, shift))) {
        frame->shifts[frame->count] = shift;
        CHECK_GOOD(vkskinGetOutput(context, instance, &frame->outputs[frame->count]));
        frame->count++;
    }
}

static void recordFrame(Hall *hall, Frame *frame, const VkskinInstance *own, uint32_t number) {
    VkskinContext context = hall->stage.context;
    CHECK_GOOD(vkskinBeginFrame(context, number % STAGE_SLOTS));
    for (uint32_t i = 0; i < OWN; i++) {
        skinOne(context, frame, own[i], (float)(number % 1000 + i));
    }
    VkskinInstance handed[LOADERS] = {0};
    for (uint32_t i = 0; i < LOADERS; i++) {
        handed[i] = unpackHandle(atomic_exchange_explicit(&hall->handed[i], 0, memory_order_relaxed));
        if (!VKSKIN_IS_NULL(handed[i])) {
            skinOne(context, frame, handed[i], (float)(number % 1000) + 0.5f);
        }
    }
    frame->commandBuffer = nullDriverBegin(hall->stage.driver);
    CHECK_GOOD(vkskinBeginScope(context, frame->commandBuffer, "frame"));
    CHECK_GOOD(vkskinRecordUploads(context, frame->commandBuffer));
    CHECK_GOOD(vkskinRecordSkinning(context, frame->commandBuffer));
    CHECK_GOOD(vkskinEndScope(context, frame->commandBuffer, "frame"));
    VkskinStats stats;
    CHECK(vkskinGetStats(context, &stats) == VKSKIN_SUCCESS && stats.frame == number + 1 &&
          stats.instancesSkinned == frame->count);
    for (uint32_t i = 0; i < LOADERS; i++) {
        if (!VKSKIN_IS_NULL(handed[i])) {
            CHECK_GOOD(vkskinDestroyInstance(context, handed[i]));
        }
    }
}

static void runFrames(void *argument) {
    Hall *hall = argument;
    VkskinInstance own[OWN];
    Frame frames[STAGE_SLOTS] = {0};
    VkskinMesh mesh = stageInstances(hall->stage.context, 5, own, OWN);
    uint32_t number = 0;
    while (number < MIN_FRAMES || counterRead(&hall->loadersDone) < LOADERS) {
        finishFrame(hall, &frames[number % STAGE_SLOTS]);
        recordFrame(hall, &frames[number % STAGE_SLOTS], own, number);
        number++;
    }
    for (uint32_t i = 0; i < STAGE_SLOTS; i++) {
        finishFrame(hall, &frames[(number + i) % STAGE_SLOTS]);
    }
    for (uint32_t i = 0; i < OWN; i++) {
        CHECK_GOOD(vkskinDestroyInstance(hall->stage.context, own[i]));
    }
    CHECK_GOOD(vkskinDestroyMesh(hall->stage.context, mesh));
    counterWrite(&hall->framesDone, 1);
}

static void queryFrame(VkskinContext context) {
    for (uint32_t pass = VKSKIN_PASS_UPLOAD; pass <= VKSKIN_PASS_SKINNING; pass++) {
        VkskinAccess accesses[64];
        uint32_t count = 64;
        VkskinResult result = vkskinGetAccesses(context, (VkskinPass)pass, accesses, &count);
        CHECK(result == VKSKIN_SUCCESS || result == VKSKIN_ERROR_FRAME_NOT_BEGUN);
    }
    VkskinTiming timings[8];
    uint32_t count = 8;
    VkskinTimestampSupport support;
    CHECK(vkskinGetTimings(context, timings, &count, NULL, &support) == VKSKIN_SUCCESS &&
          support == VKSKIN_TIMESTAMPS_SUPPORTED);
    for (uint32_t i = 0; i < count && i < 8; i++) {
        CHECK(timings[i].milliseconds >= 0.0);
    }
    uint32_t pages = vkskinGetOutputPageCount(context);
    for (uint32_t i = 0; i < pages; i++) {
        VkskinOutputPage page;
        CHECK(vkskinGetOutputPage(context, i, &page) == VKSKIN_SUCCESS && page.size == 65536);
    }
}

static void query(void *argument) {
    Hall *hall = argument;
    VkskinContext context = hall->stage.context;
    while (counterRead(&hall->framesDone) == 0) {
        VkskinStats stats;
        CHECK_GOOD(vkskinGetStats(context, &stats));
        CHECK(stats.meshes <= LOADERS + 1 && stats.instances <= OWN + LOADERS * PER_MESH);
        queryFrame(context);
        /* The instance may be destroyed at any time: each of these answers is right. */
        VkskinOutput output;
        VkskinInstance instance = unpackHandle(counterRead(&hall->handed[0]));
        VkskinResult result = vkskinGetOutput(context, instance, &output);
        CHECK(result == VKSKIN_SUCCESS || result == VKSKIN_ERROR_NOT_SKINNED || result == VKSKIN_ERROR_STALE_HANDLE ||
              result == VKSKIN_ERROR_NULL_HANDLE);
        sched_yield();
    }
}

static void loadWhileFramesRun(NullDriverLayout layout, bool hostMemory) {
    static const ThreadWork works[LOADERS + 2] = {load, load, runFrames, query};
    Hall hall = {.skinned = 0};
    stageOpen(&hall.stage, layout, !hostMemory);
    VkskinMemoryCallbacks callbacks = nullDriverHostMemory(hall.stage.driver);
    VkskinContextDef def = stageContextDef(&hall.stage);
    def.memory.callbacks = hostMemory ? &callbacks : NULL;
    stageCreate(&hall.stage, &def);
    counterWrite(&started, 0);
    runThreads(works, LOADERS + 2, &hall);
    VkskinStats stats;
    assert_int_equal(vkskinGetStats(hall.stage.context, &stats), VKSKIN_SUCCESS);
    assert_int_equal(stats.meshes, 0);
    assert_int_equal(stats.instances, 0);
    assert_int_equal(counterRead(&hall.skinned), LOADERS * LOADS);
    stageClose(&hall.stage, counterRead(&hall.stage.messages));
}

TEST(loadingWithPalettesInPlace) {
    loadWhileFramesRun(NULL_DRIVER_ALL_TYPES, false);
}

TEST(loadingWithStagedPalettes) {
    loadWhileFramesRun(NULL_DRIVER_STAGED, false);
}

/* Not coherent: every thread's writes must have been flushed when the device reads them. */
TEST(loadingIntoHostsMemory) {
    loadWhileFramesRun(NULL_DRIVER_STAGED, true);
}

/* ---- accesses: the host owns the barriers, while two threads make meshes ----
 *
 * vkskinGetAccesses lists exactly the uploads that the next record records. Some frames are cancelled. */

#define ACCESS_LOADS 60u
#define KEPT         8u /* meshes that exist at the same time: they need several pages */
#define MAX_ACCESSES 64u

typedef struct Door {
    Stage stage;
    Counter loadersDone;
} Door;

/* Used only by the frames' thread. */
static struct {
    VkskinAccess accesses[MAX_ACCESSES];
    uint32_t count;
    uint32_t copies;
} listed;

static VKAPI_ATTR void VKAPI_CALL findCopy(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target,
                                           uint32_t count, const VkBufferCopy *regions) {
    bool known = false;
    for (uint32_t i = 0; i < listed.count; i++) {
        const VkskinAccess *access = &listed.accesses[i];
        known = known || (access->buffer == target && regions->dstOffset >= access->offset &&
                          regions->dstOffset + regions->size <= access->offset + access->size);
    }
    CHECK(known);
    listed.copies++;
    nullDriverFunctions()->vkCmdCopyBuffer(commandBuffer, source, target, count, regions);
}

static void loadPages(void *argument) {
    Door *door = argument;
    VkskinMesh kept[KEPT] = {0};
    for (uint32_t i = 0; i < ACCESS_LOADS; i++) {
        VkskinMesh *mesh = &kept[i % KEPT];
        if (i >= KEPT) {
            CHECK_GOOD(vkskinDestroyMesh(door->stage.context, *mesh));
        }
        CHECK_GOOD(stageMesh(door->stage.context, i % 3 == 0 ? 0 : STAGE_MAX_SIZE, mesh));
    }
    counterAdd(&door->loadersDone, 1);
}

/* First the number, then as many accesses: no mesh may have been added in between. */
static void listUploads(VkskinContext context) {
    uint32_t count = 0;
    CHECK_GOOD(vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, NULL, &count));
    sched_yield();
    listed.count = count;
    CHECK(count <= MAX_ACCESSES &&
          vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, listed.accesses, &listed.count) == VKSKIN_SUCCESS);
    sched_yield();
}

static void runListedFrame(const Stage *stage, VkskinInstance instance, uint32_t slot, float shift, bool cancelled) {
    CHECK_GOOD(vkskinBeginFrame(stage->context, slot));
    CHECK_GOOD(stageSkin(stage->context, instance, shift));
    VkCommandBuffer commandBuffer = nullDriverBegin(stage->driver);
    listUploads(stage->context);
    CHECK_GOOD(vkskinRecordUploads(stage->context, commandBuffer));
    CHECK_GOOD(vkskinRecordSkinning(stage->context, commandBuffer));
    if (cancelled) {
        nullDriverDrop(commandBuffer);
        CHECK_GOOD(vkskinCancelFrame(stage->context));
    } else {
        nullDriverRun(commandBuffer);
        stageCheckInstance(stage->driver, stage->context, instance, shift);
    }
}

static void runListedFrames(void *argument) {
    Door *door = argument;
    VkskinInstance instance;
    stageInstances(door->stage.context, 5, &instance, 1);
    uint32_t submitted = 0;
    for (uint32_t frame = 0; counterRead(&door->loadersDone) < LOADERS; frame++) {
        bool cancelled = frame % 4 == 0;
        runListedFrame(&door->stage, instance, submitted % STAGE_SLOTS, (float)frame, cancelled);
        submitted += !cancelled;
    }
    runListedFrame(&door->stage, instance, submitted % STAGE_SLOTS, 0.5f, false);
}

TEST(accessesHoldWhileMeshesAreAdded) {
    static const ThreadWork works[LOADERS + 1] = {loadPages, loadPages, runListedFrames};
    (void)state;
    for (int staged = 0; staged < 2; staged++) {
        Door door = {.loadersDone = 0};
        stageOpen(&door.stage, staged ? NULL_DRIVER_STAGED : NULL_DRIVER_UNIFIED, true);
        door.stage.functions.vkCmdCopyBuffer = findCopy;
        VkskinContextDef def = stageContextDef(&door.stage);
        def.barriers = VKSKIN_BARRIERS_HOST;
        stageCreate(&door.stage, &def);
        listed.copies = 0;
        runThreads(works, LOADERS + 1, &door);
        assert_true(listed.copies > LOADERS * KEPT);
        stageClose(&door.stage, 0);
    }
}

/* ---- first_frame: three threads load a level without frames; the first frame uploads and skins all of it ----
 *
 * All threads are between reserving and handing over a mesh at the same time: there the library flushes without its
 * lock, and the flush waits here for the other threads. */

#define LEVEL_ROUNDS  4u
#define LEVEL_LOADERS 3u
#define LEVEL_LOADS   40u /* meshes per loader, an instance each */

typedef struct Level {
    Stage stage;
    VkskinInstance instances[LEVEL_LOADERS][LEVEL_LOADS];
} Level;

static Counter arrived;
static _Thread_local uint64_t
    meetings; /* meetings of a loader, from 1; 0 on the test's own thread, which does not wait */

static void meet(void) {
    if (meetings > 0) {
        counterAdd(&arrived, 1);
        while (counterRead(&arrived) < LEVEL_LOADERS * meetings) {
            sched_yield();
        }
        meetings++;
    }
}

static VkResult VKAPI_CALL flushTogether(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges) {
    meet();
    return nullDriverFunctions()->vkFlushMappedMemoryRanges(device, count, ranges);
}

static void loadLevel(void *argument) {
    Level *level = argument;
    meetings = 1;
    uint64_t number = counterAdd(&started, 1);
    for (uint32_t i = 0; i < LEVEL_LOADS; i++) {
        VkskinMesh mesh;
        CHECK_GOOD(stageMesh(level->stage.context, i % STAGE_MAX_SIZE, &mesh));
        meet();
        CHECK_GOOD(vkskinCreateInstances(level->stage.context, mesh, 1, &level->instances[number][i]));
    }
}

TEST(levelIsLoadedByAll) {
    static const ThreadWork works[LEVEL_LOADERS] = {loadLevel, loadLevel, loadLevel};
    (void)state;
    for (uint32_t round = 0; round < LEVEL_ROUNDS; round++) {
        Level level;
        stageOpen(&level.stage, NULL_DRIVER_STAGED, false);
        level.stage.functions.vkFlushMappedMemoryRanges = flushTogether;
        VkskinMemoryCallbacks callbacks = nullDriverHostMemory(level.stage.driver);
        VkskinContextDef def = stageContextDef(&level.stage);
        def.memory.callbacks = &callbacks;
        counterWrite(&arrived, 0);
        counterWrite(&started, 0);
        stageCreate(&level.stage, &def);
        runThreads(works, LEVEL_LOADERS, &level);
        const uint32_t count = LEVEL_LOADERS * LEVEL_LOADS;
        const VkskinInstance *instances = level.instances[0];
        assert_int_equal(vkskinBeginFrame(level.stage.context, 0), VKSKIN_SUCCESS);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_GOOD(stageSkin(level.stage.context, instances[i], (float)i));
        }
        stageRecordAndRun(&level.stage);
        assert_true(nullDriverCopies(level.stage.driver) >= count);
        for (uint32_t i = 0; i < count; i++) {
            stageCheckInstance(level.stage.driver, level.stage.context, instances[i], (float)i);
        }
        stageClose(&level.stage, 0);
    }
}

/* ---- pages: one thread makes instances until their output needs many pages; two others query the pages ---- */

#define PAGES 40u

typedef struct Growth {
    Stage stage;
    VkskinMesh mesh;
} Growth;

static void makeInstances(void *argument) {
    Growth *growth = argument;
    VkskinInstance instance;
    bool good = true;
    while (good && vkskinGetOutputPageCount(growth->stage.context) < PAGES) {
        good = CHECK_GOOD(vkskinCreateInstances(growth->stage.context, growth->mesh, 1, &instance));
    }
}

/* Only these calls report new pages. Pages stay. */
static void queryPages(void *argument) {
    Growth *growth = argument;
    VkskinContext context = growth->stage.context;
    VkskinOutputPage pages[PAGES] = {0};
    for (uint32_t seen = 0; seen < PAGES && counterRead(&growth->stage.messages) == 0; sched_yield()) {
        if (vkskinGetOutputPageCount(context) > seen) {
            CHECK_GOOD(vkskinGetOutputPage(context, seen, &pages[seen]));
            CHECK(pages[seen].buffer != VK_NULL_HANDLE && pages[seen].size == 65536);
            seen++;
        }
    }
    for (uint32_t i = 0; i < PAGES; i++) {
        VkskinOutputPage again;
        CHECK_GOOD(vkskinGetOutputPage(context, i, &again));
        CHECK(again.buffer == pages[i].buffer);
    }
}

static void countPages(void *argument) {
    Growth *growth = argument;
    for (uint32_t seen = 0; seen < PAGES && counterRead(&growth->stage.messages) == 0; sched_yield()) {
        uint32_t count = vkskinGetOutputPageCount(growth->stage.context);
        CHECK(count >= seen && count <= PAGES);
        seen = count;
    }
}

TEST(pagesAreAddedWhileOthersQuery) {
    static const ThreadWork works[] = {makeInstances, queryPages, countPages};
    (void)state;
    Growth growth;
    stageOpen(&growth.stage, NULL_DRIVER_UNIFIED, true);
    VkskinContextDef def = stageContextDef(&growth.stage);
    stageCreate(&growth.stage, &def);
    assert_int_equal(stageMesh(growth.stage.context, STAGE_MAX_SIZE, &growth.mesh), VKSKIN_SUCCESS);
    runThreads(works, 3, &growth);
    stageClose(&growth.stage, 0);
}

/* ---- pipelines: three threads make kernels, the same ones too, while others load and run frames ---- */

#define PIPELINE_ROUNDS 20u
#define PIPELINE_LOADS  50u
#define PIPELINE_MESHES 10u

/* The kernels of all methods: positions, and normals or tangents in each format; five classes of influences; with morph
 * targets and without. And the kernels without bones, solid and flat. */
#define OUTPUTS (1u + 2u * VKSKIN_VERTEX_FORMAT_COUNT)
#define KERNELS (VKSKIN_METHOD_COUNT * OUTPUTS * 5u * 2u + (OUTPUTS + 1u) * 2u)

typedef struct Forge {
    Stage stage;
    Counter refused; /* commands before their kernel exists, pipelines for destroyed meshes */
} Forge;

static void makePipelines(void *argument) {
    Forge *forge = argument;
    for (uint32_t variant = 0; variant < VKSKIN_METHOD_COUNT * VKSKIN_VERTEX_FORMAT_COUNT; variant++) {
        VkskinPipelineDef def = vkskinDefaultPipelineDef();
        def.methods = VKSKIN_METHOD_BIT(variant % VKSKIN_METHOD_COUNT);
        def.formats = VKSKIN_VERTEX_FORMAT_BIT(variant / VKSKIN_METHOD_COUNT);
        def.features = VKSKIN_KERNEL_MORPHS_BIT;
        CHECK_GOOD(vkskinCreatePipelines(forge->stage.context, &def));
        CHECK_GOOD(vkskinCreatePipelines(forge->stage.context, &def));
    }
}

static void makePipelinesForMeshes(void *argument) {
    Forge *forge = argument;
    for (uint32_t i = 0; i < PIPELINE_MESHES; i++) {
        VkskinMesh mesh;
        CHECK_GOOD(stageMesh(forge->stage.context, i % STAGE_MAX_SIZE, &mesh));
        VkskinPipelineDef def = kernelsOf(&mesh, 1);
        def.methods = VKSKIN_METHOD_BIT(i % VKSKIN_METHOD_COUNT);
        CHECK_GOOD(vkskinCreatePipelines(forge->stage.context, &def));
        CHECK_GOOD(vkskinDestroyMesh(forge->stage.context, mesh));
        CHECK(vkskinCreatePipelines(forge->stage.context, &def) == VKSKIN_ERROR_STALE_HANDLE);
        counterAdd(&forge->refused, 1);
    }
}

static void loadRepeatedly(void *argument) {
    Forge *forge = argument;
    for (uint32_t i = 0; i < PIPELINE_LOADS; i++) {
        stageLoadAndDestroy(forge->stage.context, i % STAGE_MAX_SIZE);
    }
}

/* Runs frames until the command's kernel exists, then some more with output. */
static void runFramesWithKernel(void *argument) {
    Forge *forge = argument;
    Stage *stage = &forge->stage;
    VkskinInstance instance;
    stageInstances(stage->context, 3, &instance, 1);
    for (uint32_t frame = 0, done = 0; done < PIPELINE_LOADS; frame++) {
        CHECK_GOOD(vkskinBeginFrame(stage->context, frame % STAGE_SLOTS));
        VkskinResult result = stageSkin(stage->context, instance, (float)frame);
        CHECK(result == VKSKIN_SUCCESS || (done == 0 && result == VKSKIN_ERROR_PIPELINE_MISSING));
        counterAdd(&forge->refused, result == VKSKIN_ERROR_PIPELINE_MISSING);
        stageRecordAndRun(stage);
        if (result == VKSKIN_SUCCESS) {
            stageCheckInstance(stage->driver, stage->context, instance, (float)frame);
            done++;
        } else {
            sched_yield();
        }
    }
}

TEST(pipelinesAreMadeWhileOthersLoad) {
    static const ThreadWork works[] = {makePipelines, loadRepeatedly, runFramesWithKernel, makePipelines,
                                       makePipelinesForMeshes};
    (void)state;
    for (uint32_t round = 0; round < PIPELINE_ROUNDS; round++) {
        Forge forge = {.refused = 0};
        stageOpen(&forge.stage, NULL_DRIVER_STAGED, true);
        VkskinContextDef def = stageContextDef(&forge.stage);
        assert_int_equal(vkskinCreateContext(&def, &forge.stage.context), VKSKIN_SUCCESS);
        runThreads(works, COUNT_OF(works), &forge);
        /* Each kernel exists once, whichever thread made it. */
        assert_int_equal(nullDriverAliveOf(forge.stage.driver, VK_OBJECT_TYPE_PIPELINE), KERNELS);
        assert_int_equal(nullDriverAliveOf(forge.stage.driver, VK_OBJECT_TYPE_SHADER_MODULE), 0);
        stageClose(&forge.stage, counterRead(&forge.refused));
    }
}
