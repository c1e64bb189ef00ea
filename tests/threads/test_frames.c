/*
 * Several threads work on the same frames: they write palettes, give commands, record, and transfer ownership.
 */
#include "stage.h"

#include <pthread.h>

static Counter started; /* numbers the threads of a scenario as they start */

/* ---- palettes: threads write palettes and give commands of the same frame; one records ---- */

#define WORKERS        3u
#define PER_WORKER     20u /* instances */
#define PALETTE_FRAMES 100u

typedef struct Share {
    Stage stage;
    VkskinInstance instances[WORKERS][PER_WORKER];
    VkCommandBuffer commandBuffers[WORKERS]; /* command buffer of each worker, with a timing scope */
    pthread_barrier_t begun, given; /* as a host joins its jobs: the only order between the threads in a frame */
} Share;

static float shareShift(uint32_t frame, uint32_t worker, uint32_t i) {
    return (float)((frame * WORKERS + worker) * PER_WORKER + i);
}

static void giveCommands(void *argument) {
    Share *share = argument;
    VkskinContext context = share->stage.context;
    uint32_t worker = (uint32_t)counterAdd(&started, 1);
    for (uint32_t frame = 0; frame < PALETTE_FRAMES; frame++) {
        pthread_barrier_wait(&share->begun);
        VkCommandBuffer commandBuffer = nullDriverBegin(share->stage.driver);
        CHECK_GOOD(vkskinBeginScope(context, commandBuffer, "worker"));
        for (uint32_t i = 0; i < PER_WORKER; i++) {
            VkskinOutput output;
            CHECK_GOOD(stageSkin(context, share->instances[worker][i], shareShift(frame, worker, i)));
            CHECK_GOOD(vkskinGetOutput(context, share->instances[worker][i], &output));
        }
        CHECK_GOOD(vkskinEndScope(context, commandBuffer, "worker"));
        share->commandBuffers[worker] = commandBuffer;
        pthread_barrier_wait(&share->given);
    }
}

/* The first scope resets the frame's queries: its commands must run first. */
static VkCommandBuffer beginScopes(const Stage *stage) {
    VkCommandBuffer commandBuffer = nullDriverBegin(stage->driver);
    CHECK_GOOD(vkskinBeginScope(stage->context, commandBuffer, "frame"));
    CHECK_GOOD(vkskinEndScope(stage->context, commandBuffer, "frame"));
    return commandBuffer;
}

/* Timings of two frames before: scopes of the frame, the workers and the library. The clock ticks in nanoseconds. */
static void checkTimings(VkskinContext context, uint32_t frame) {
    VkskinTiming timings[8];
    uint32_t count = 8;
    uint64_t known = 0;
    CHECK_GOOD(vkskinGetTimings(context, timings, &count, &known, NULL));
    CHECK(known == (frame < 2 ? 0 : frame - 1));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t scopes = strcmp(timings[i].name, "worker") == 0 ? WORKERS : 1;
        CHECK(fabs(timings[i].milliseconds - 1e-6 * scopes) < 1e-9);
    }
}

static void recordFrames(void *argument) {
    Share *share = argument;
    Stage *stage = &share->stage;
    for (uint32_t frame = 0; frame < PALETTE_FRAMES; frame++) {
        CHECK_GOOD(vkskinBeginFrame(stage->context, frame % STAGE_SLOTS));
        nullDriverRun(beginScopes(stage));
        pthread_barrier_wait(&share->begun);
        checkTimings(stage->context, frame);
        pthread_barrier_wait(&share->given);
        for (uint32_t i = 0; i < WORKERS; i++) {
            nullDriverRun(share->commandBuffers[i]);
        }
        stageRecordAndRun(stage);
        VkskinStats stats;
        CHECK_GOOD(vkskinGetStats(stage->context, &stats));
        CHECK(stats.instancesSkinned == WORKERS * PER_WORKER);
        CHECK(stats.paletteBytes == (uint64_t)WORKERS * PER_WORKER * STAGE_BONES * 48);
        for (uint32_t i = 0; i < WORKERS * PER_WORKER; i++) {
            uint32_t worker = i / PER_WORKER, own = i % PER_WORKER;
            stageCheckInstance(stage->driver, stage->context, share->instances[worker][own],
                               shareShift(frame, worker, own));
        }
    }
}

static void shareFrames(NullDriverLayout layout) {
    static const ThreadWork works[WORKERS + 1] = {giveCommands, giveCommands, giveCommands, recordFrames};
    Share share;
    stageOpen(&share.stage, layout, true);
    VkskinContextDef def = stageContextDef(&share.stage);
    stageCreate(&share.stage, &def);
    assert_int_equal(pthread_barrier_init(&share.begun, NULL, WORKERS + 1), 0);
    assert_int_equal(pthread_barrier_init(&share.given, NULL, WORKERS + 1), 0);
    for (uint32_t worker = 0; worker < WORKERS; worker++) {
        stageInstances(share.stage.context, worker, share.instances[worker], PER_WORKER);
    }
    counterWrite(&started, 0);
    runThreads(works, WORKERS + 1, &share);
    pthread_barrier_destroy(&share.begun);
    pthread_barrier_destroy(&share.given);
    stageClose(&share.stage, 0);
}

TEST(palettesInPlace) {
    shareFrames(NULL_DRIVER_ALL_TYPES);
}

TEST(palettesStaged) {
    shareFrames(NULL_DRIVER_STAGED);
}

/* ---- families: skinning and drawing on two queue families ----
 *
 * One thread records the release while another records the acquire and a third loads. Both halves of the ownership
 * transfer must have the same ranges. */

#define FAMILY_FRAMES    150u
#define FAMILY_INSTANCES 24u

/* The buffer barriers of one thread's record calls. */
typedef struct Transfers {
    uint32_t count;
    VkBufferMemoryBarrier barriers[FAMILY_INSTANCES];
} Transfers;

static _Thread_local Transfers transfers;

static void VKAPI_CALL keepBarriers(VkCommandBuffer commandBuffer, VkPipelineStageFlags before,
                                    VkPipelineStageFlags after, VkDependencyFlags flags, uint32_t memoryCount,
                                    const VkMemoryBarrier *memory, uint32_t bufferCount,
                                    const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                    const VkImageMemoryBarrier *images) {
    for (uint32_t i = 0; i < bufferCount && transfers.count < FAMILY_INSTANCES; i++) {
        transfers.barriers[transfers.count++] = buffers[i];
    }
    nullDriverFunctions()->vkCmdPipelineBarrier(commandBuffer, before, after, flags, memoryCount, memory, bufferCount,
                                                buffers, imageCount, images);
}

typedef struct Queues {
    Stage stage;
    VkskinInstance instances[FAMILY_INSTANCES];
    Transfers released, acquired;
    pthread_barrier_t skinned, passed; /* the host's order: the transfers of a frame lie between the two */
    Counter done;
} Queues;

static void checkTransfers(const Queues *queues) {
    CHECK(queues->released.count > 0 && queues->released.count == queues->acquired.count);
    for (uint32_t i = 0; i < queues->released.count; i++) {
        const VkBufferMemoryBarrier *release = &queues->released.barriers[i];
        const VkBufferMemoryBarrier *acquire = &queues->acquired.barriers[i];
        CHECK(release->buffer == acquire->buffer && release->offset == acquire->offset &&
              release->size == acquire->size);
        CHECK(release->srcQueueFamilyIndex == 1 && release->dstQueueFamilyIndex == 0);
        CHECK(acquire->srcQueueFamilyIndex == 1 && acquire->dstQueueFamilyIndex == 0);
    }
}

static void skinAndRelease(void *argument) {
    Queues *queues = argument;
    VkskinContext context = queues->stage.context;
    for (uint32_t frame = 0; frame < FAMILY_FRAMES; frame++) {
        CHECK_GOOD(vkskinBeginFrame(context, frame % STAGE_SLOTS));
        /* Other instances in each frame, so that the output consists of several ranges. */
        for (uint32_t i = frame % 3; i < FAMILY_INSTANCES; i += 1 + frame % 3) {
            CHECK_GOOD(stageSkin(context, queues->instances[i], (float)frame));
        }
        VkCommandBuffer commandBuffer = nullDriverBegin(queues->stage.driver);
        CHECK_GOOD(vkskinRecordSkinning(context, commandBuffer));
        transfers = (Transfers){0};
        pthread_barrier_wait(&queues->skinned);
        CHECK_GOOD(vkskinRecordRelease(context, commandBuffer));
        queues->released = transfers;
        pthread_barrier_wait(&queues->passed);
        checkTransfers(queues);
        nullDriverRun(commandBuffer);
    }
    counterWrite(&queues->done, 1);
}

static void acquire(void *argument) {
    Queues *queues = argument;
    for (uint32_t frame = 0; frame < FAMILY_FRAMES; frame++) {
        VkCommandBuffer commandBuffer = nullDriverBegin(queues->stage.driver);
        transfers = (Transfers){0};
        pthread_barrier_wait(&queues->skinned);
        CHECK_GOOD(vkskinRecordAcquire(queues->stage.context, commandBuffer));
        queues->acquired = transfers;
        pthread_barrier_wait(&queues->passed);
        nullDriverRun(commandBuffer);
    }
}

static void loadUntilDone(void *argument) {
    Queues *queues = argument;
    for (uint32_t i = 0; counterRead(&queues->done) == 0; i++) {
        stageLoadAndDestroy(queues->stage.context, i % STAGE_MAX_SIZE);
    }
}

TEST(familiesRecordAtOnce) {
    static const ThreadWork works[] = {skinAndRelease, acquire, loadUntilDone};
    (void)state;
    Queues queues = {.done = 0};
    stageOpen(&queues.stage, NULL_DRIVER_ALL_TYPES, true);
    queues.stage.functions.vkCmdPipelineBarrier = keepBarriers;
    VkskinContextDef def = stageContextDef(&queues.stage);
    def.computeQueueFamily = 1;
    def.graphicsQueueFamily = 0;
    def.outputRegions = 2;
    stageCreate(&queues.stage, &def);
    stageInstances(queues.stage.context, 2, queues.instances, FAMILY_INSTANCES);
    assert_int_equal(pthread_barrier_init(&queues.skinned, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&queues.passed, NULL, 2), 0);
    runThreads(works, 3, &queues);
    pthread_barrier_destroy(&queues.skinned);
    pthread_barrier_destroy(&queues.passed);
    stageClose(&queues.stage, 0);
}

/* ---- contexts: on the same device, each used by one thread from its creation to its end ---- */

#define LIVES             10u
#define CONTEXT_FRAMES    8u
#define CONTEXT_INSTANCES 6u

static void useContexts(void *argument) {
    Stage *device = argument;
    for (uint32_t life = 0; life < LIVES; life++) {
        VkskinContextDef def = stageContextDef(device);
        Stage own = {.driver = device->driver, .context = stageContext(device, &def)};
        VkskinInstance instances[CONTEXT_INSTANCES];
        if (own.context == NULL) {
            return;
        }
        stageInstances(own.context, life % STAGE_MAX_SIZE, instances, CONTEXT_INSTANCES);
        for (uint32_t frame = 0; frame < CONTEXT_FRAMES; frame++) {
            CHECK_GOOD(vkskinBeginFrame(own.context, frame % STAGE_SLOTS));
            for (uint32_t i = 0; i < CONTEXT_INSTANCES; i++) {
                CHECK_GOOD(stageSkin(own.context, instances[i], (float)(10 * frame + i)));
            }
            stageRecordAndRun(&own);
            for (uint32_t i = 0; i < CONTEXT_INSTANCES; i++) {
                stageCheckInstance(own.driver, own.context, instances[i], (float)(10 * frame + i));
            }
        }
        vkskinDestroyContext(own.context);
    }
}

TEST(contextsShareADevice) {
    static const ThreadWork works[] = {useContexts, useContexts, useContexts};
    (void)state;
    Stage device;
    stageOpen(&device, NULL_DRIVER_UNIFIED, true);
    runThreads(works, 3, &device);
    stageClose(&device, 0);
}

/* ---- backend: the CPU backend, with two recording threads in a frame ----
 *
 * Each recorder skins its own instances on lent threads and records what was given so far, by either of the two. A
 * third record takes the rest. Two other threads make and destroy meshes and instances. */

#define RECORDERS      2u
#define OWN            12u /* instances of a recorder */
#define BACKEND_FRAMES 12u

typedef struct Backend {
    Stage stage;
    VkskinInstance instances[RECORDERS * OWN];
    uint32_t frame;
    Counter recorded; /* number of recorders that have finished */
    Counter loads;
} Backend;

static float backendShift(const Backend *backend, uint32_t i) {
    return (float)(100 * backend->frame + i);
}

static void record(void *argument) {
    Backend *backend = argument;
    uint32_t first = OWN * (uint32_t)counterAdd(&started, 1);
    for (uint32_t i = first; i < first + OWN; i++) {
        CHECK_GOOD(stageSkin(backend->stage.context, backend->instances[i], backendShift(backend, i)));
        if (i % 4 == 3) {
            stageRecordAndRun(&backend->stage);
        }
    }
    counterAdd(&backend->recorded, 1);
}

static void loadWhileRecording(void *argument) {
    Backend *backend = argument;
    for (uint32_t size = 0; counterRead(&backend->recorded) < RECORDERS; size++) {
        stageLoadAndDestroy(backend->stage.context, size % STAGE_MAX_SIZE);
        counterAdd(&backend->loads, 1);
        sched_yield();
    }
}

static void runBackendFrame(Backend *backend) {
    static const ThreadWork works[RECORDERS + 2] = {record, record, loadWhileRecording, loadWhileRecording};
    Stage *stage = &backend->stage;
    VkskinStats stats;
    assert_int_equal(vkskinBeginFrame(stage->context, backend->frame % STAGE_SLOTS), VKSKIN_SUCCESS);
    counterWrite(&started, 0);
    counterWrite(&backend->recorded, 0);
    runThreads(works, RECORDERS + 2, backend);
    stageRecordAndRun(stage);
    assert_int_equal(vkskinGetStats(stage->context, &stats), VKSKIN_SUCCESS);
    assert_int_equal(stats.instancesSkinned, RECORDERS * OWN);
    for (uint32_t i = 0; i < RECORDERS * OWN; i++) {
        stageCheckInstance(stage->driver, stage->context, backend->instances[i], backendShift(backend, i));
    }
}

static void runBackend(bool coherent) {
    Backend backend = {.frame = 0};
    Counter tasks = 0;
    stageOpen(&backend.stage, NULL_DRIVER_STAGED, coherent);
    VkskinMemoryCallbacks callbacks = nullDriverHostMemory(backend.stage.driver);
    VkskinContextDef def = stageContextDef(&backend.stage);
    def.backend = VKSKIN_BACKEND_CPU;
    def.cpu.parallel = lendThreads;
    def.cpu.parallelUser = &tasks;
    def.memory.callbacks = &callbacks;
    stageCreate(&backend.stage, &def);
    for (uint32_t i = 0; i < RECORDERS * OWN; i += 6) {
        stageInstances(backend.stage.context, i % 12 == 0 ? STAGE_MAX_SIZE : 5, &backend.instances[i], 6);
    }
    for (backend.frame = 1; backend.frame <= BACKEND_FRAMES; backend.frame++) {
        runBackendFrame(&backend);
    }
    assert_true(counterRead(&tasks) > 0 && counterRead(&backend.loads) > 0);
    stageClose(&backend.stage, 0);
}

TEST(backendOfTwoThreads) {
    runBackend(true);
}

TEST(backendOfTwoThreadsThatFlush) {
    runBackend(false);
}

/* ---- backend, interrupted: another thread uses the context between the start of the work and its tasks ---- */

typedef struct Interrupted {
    Stage stage;
    VkskinMesh mesh;
    VkskinInstance instance;
} Interrupted;

/* Destroys what is being skinned. The next frame would free it, and let new objects and palettes take its memory. */
static void interrupt(void *argument) {
    Interrupted *interrupted = argument;
    VkskinContext context = interrupted->stage.context;
    VkskinInstance other;
    CHECK_GOOD(vkskinDestroyInstance(context, interrupted->instance));
    CHECK_GOOD(vkskinDestroyMesh(context, interrupted->mesh));
    CHECK(vkskinCancelFrame(context) == VKSKIN_ERROR_FRAME_ORDER);
    CHECK(vkskinBeginFrame(context, 0) == VKSKIN_ERROR_FRAME_ORDER);
    stageInstances(context, STAGE_MAX_SIZE, &other, 1);
    CHECK_GOOD(stageSkin(context, other, 7.0f));
}

static void interruptFirst(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    static const ThreadWork works[] = {interrupt};
    runThreads(works, 1, user);
    lendThreads(NULL, count, task, taskData);
}

TEST(backendInterrupted) {
    Interrupted interrupted = {.mesh = {0}};
    Stage *stage = &interrupted.stage;
    VkskinOutput output;
    (void)state;
    stageOpen(stage, NULL_DRIVER_STAGED, true);
    VkskinContextDef def = stageContextDef(stage);
    def.backend = VKSKIN_BACKEND_CPU;
    def.framesInFlight = 1;
    def.cpu.parallel = interruptFirst;
    def.cpu.parallelUser = &interrupted;
    stageCreate(stage, &def);
    interrupted.mesh = stageInstances(stage->context, STAGE_MAX_SIZE, &interrupted.instance, 1);
    CHECK_GOOD(vkskinBeginFrame(stage->context, 0));
    CHECK_GOOD(stageSkin(stage->context, interrupted.instance, 5.0f));
    CHECK_GOOD(vkskinGetOutput(stage->context, interrupted.instance, &output));
    stageRecordAndRun(stage);
    CHECK(stageIsRight(stage->driver, &output, 5.0f));
    CHECK(vkskinBeginFrame(stage->context, 0) == VKSKIN_WARNING_COMMANDS_DROPPED); /* the one of `interrupt` */
    stageClose(stage, 3);
}
