/*
 * A frame is prepared by one thread while another records the one before it; several threads give commands of one frame in
 * bulk; a mesh is replaced under them. Every frame must show what it shows on one thread.
 */
#include "stage.h"

#include <pthread.h>
#include <time.h>

/* ---- overlap: one thread prepares, one records, one loads ---- */

#define FRAMES    200u
#define INSTANCES 24u

typedef struct Overlap {
    Stage stage;
    VkskinInstance instances[INSTANCES];
    pthread_barrier_t begun; /* the frame is begun: the next one may be prepared while this one is recorded */
    pthread_barrier_t ended; /* the frame is recorded and has run, the next one is prepared */
    Counter done;
} Overlap;

/* Every instance rests in some frames, so that updates of different ages are read while others are added. */
static bool isSkinned(uint32_t frame, uint32_t i) {
    return frame == 0 || (frame + i) % 3 != 0;
}

static float shiftOf(uint32_t frame, uint32_t i) {
    while (!isSkinned(frame, i)) {
        frame--;
    }
    return (float)(frame * INSTANCES + i);
}

static void giveCommands(Overlap *overlap, uint32_t frame) {
    for (uint32_t i = 0; i < INSTANCES; i++) {
        if (isSkinned(frame, i)) {
            CHECK_GOOD(stageSkin(overlap->stage.context, overlap->instances[i], shiftOf(frame, i)));
        }
    }
}

static void prepareFrames(void *argument) {
    Overlap *overlap = argument;
    for (uint32_t frame = 1; frame <= FRAMES; frame++) {
        pthread_barrier_wait(&overlap->begun);
        CHECK_GOOD(vkskinPrepareFrame(overlap->stage.context, frame % STAGE_SLOTS));
        giveCommands(overlap, frame);
        pthread_barrier_wait(&overlap->ended);
    }
}

static void checkFrame(Overlap *overlap, uint32_t frame) {
    Stage *stage = &overlap->stage;
    VkskinOutput outputs[INSTANCES];
    CHECK_GOOD(vkskinGetOutputs(stage->context, overlap->instances, INSTANCES, outputs));
    for (uint32_t i = 0; i < INSTANCES; i++) {
        CHECK(stageIsRight(stage->driver, &outputs[i], shiftOf(frame, i)));
        stageCheckInstance(stage->driver, stage->context, overlap->instances[i], shiftOf(frame, i));
    }
}

static void recordFrames(void *argument) {
    Overlap *overlap = argument;
    Stage *stage = &overlap->stage;
    CHECK_GOOD(vkskinBeginFrame(stage->context, 0));
    giveCommands(overlap, 0);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        pthread_barrier_wait(&overlap->begun);
        stageRecordAndRun(stage);
        checkFrame(overlap, frame);
        pthread_barrier_wait(&overlap->ended);
        CHECK_GOOD(vkskinBeginFrame(stage->context, (frame + 1) % STAGE_SLOTS));
    }
    counterWrite(&overlap->done, 1);
    stageRecordAndRun(stage);
}

/* Objects come and go: memory of both frames and of the tables is used again. */
static void loadObjects(void *argument) {
    Overlap *overlap = argument;
    for (uint32_t i = 0; counterRead(&overlap->done) == 0; i++) {
        stageLoadAndDestroy(overlap->stage.context, i % 4);
    }
}

static void runOverlap(VkskinBackend backend, NullDriverLayout layout) {
    static const ThreadWork works[] = {prepareFrames, recordFrames, loadObjects};
    Overlap overlap = {.done = 0};
    stageOpen(&overlap.stage, layout, true);
    VkskinContextDef def = stageContextDef(&overlap.stage);
    def.backend = backend;
    stageCreate(&overlap.stage, &def);
    stageInstances(overlap.stage.context, 2, overlap.instances, INSTANCES);
    assert_int_equal(pthread_barrier_init(&overlap.begun, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&overlap.ended, NULL, 2), 0);
    runThreads(works, 3, &overlap);
    pthread_barrier_destroy(&overlap.begun);
    pthread_barrier_destroy(&overlap.ended);
    stageClose(&overlap.stage, 0);
}

TEST(overlapWithKernels) {
    runOverlap(VKSKIN_BACKEND_COMPUTE, NULL_DRIVER_ALL_TYPES);
}

TEST(overlapStaged) {
    runOverlap(VKSKIN_BACKEND_COMPUTE, NULL_DRIVER_STAGED);
}

TEST(overlapOnTheCpu) {
    runOverlap(VKSKIN_BACKEND_CPU, NULL_DRIVER_ALL_TYPES);
}

/* ---- bulk: threads give commands of one frame; all of them also name the instances of the others ---- */

#define WORKERS     3u
#define BULK_FRAMES 60u

typedef struct Bulk {
    Stage stage;
    VkskinInstance instances[INSTANCES];
    Counter started, taken, refused;
    pthread_barrier_t begun, given;
} Bulk;

/* Each instance is taken from one thread alone, whichever comes first. */
static void giveAll(Bulk *bulk) {
    VkskinSkinCommand commands[INSTANCES] = {0};
    VkskinResult results[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++) {
        void *data = NULL;
        CHECK_GOOD(vkskinAllocatePalette(bulk->stage.context, VKSKIN_PALETTE_MAT3X4, STAGE_BONES, &commands[i].palette,
                                         &data));
        commands[i].instance = bulk->instances[i];
    }
    VkskinResult result = vkskinSkinInstances(bulk->stage.context, commands, INSTANCES, results);
    CHECK(result == VKSKIN_SUCCESS || result == VKSKIN_WARNING_COMMANDS_REFUSED);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        CHECK(results[i] == VKSKIN_SUCCESS || results[i] == VKSKIN_ERROR_ALREADY_SKINNED);
        counterAdd(results[i] == VKSKIN_SUCCESS ? &bulk->taken : &bulk->refused, 1);
    }
    /* All or none: one of them was taken already. */
    CHECK(vkskinSkinInstances(bulk->stage.context, commands, INSTANCES, NULL) == VKSKIN_ERROR_ALREADY_SKINNED);
}

static void giveBulk(void *argument) {
    Bulk *bulk = argument;
    for (uint32_t frame = 0; frame < BULK_FRAMES; frame++) {
        pthread_barrier_wait(&bulk->begun);
        giveAll(bulk);
        pthread_barrier_wait(&bulk->given);
    }
}

/* Records so many times while the commands of a frame are given, and once after that. A command that comes meanwhile is
 * recorded by one of these calls. */
static VkCommandBuffer recordFrame(Bulk *bulk, uint32_t frame, uint32_t meanwhile) {
    Stage *stage = &bulk->stage;
    CHECK_GOOD(vkskinBeginFrame(stage->context, frame % STAGE_SLOTS));
    VkCommandBuffer commands = nullDriverBegin(stage->driver);
    pthread_barrier_wait(&bulk->begun);
    for (uint32_t i = 0; i < meanwhile; i++) {
        CHECK_GOOD(vkskinRecordSkinning(stage->context, commands));
    }
    pthread_barrier_wait(&bulk->given);
    CHECK_GOOD(vkskinRecordSkinning(stage->context, commands));
    return commands;
}

static void recordBulk(void *argument) {
    Bulk *bulk = argument;
    for (uint32_t frame = 0; frame < BULK_FRAMES; frame++) {
        nullDriverDrop(recordFrame(bulk, frame, 0)); /* the palettes were not written */
        VkskinStats stats;
        CHECK_GOOD(vkskinGetStats(bulk->stage.context, &stats));
        CHECK(stats.instancesSkinned == INSTANCES);
    }
}

static void giveOwn(void *argument) {
    Bulk *bulk = argument;
    uint32_t worker = (uint32_t)counterAdd(&bulk->started, 1);
    for (uint32_t frame = 0; frame < BULK_FRAMES; frame++) {
        pthread_barrier_wait(&bulk->begun);
        for (uint32_t i = worker; i < INSTANCES; i += WORKERS) {
            CHECK_GOOD(stageSkin(bulk->stage.context, bulk->instances[i], (float)(frame * INSTANCES + i)));
        }
        pthread_barrier_wait(&bulk->given);
    }
}

static void recordMeanwhile(void *argument) {
    Bulk *bulk = argument;
    for (uint32_t frame = 0; frame < BULK_FRAMES; frame++) {
        nullDriverRun(recordFrame(bulk, frame, 4));
        for (uint32_t i = 0; i < INSTANCES; i++) {
            stageCheckInstance(bulk->stage.driver, bulk->stage.context, bulk->instances[i],
                               (float)(frame * INSTANCES + i));
        }
    }
}

static void runBulk(Bulk *bulk, ThreadWork give, ThreadWork record) {
    const ThreadWork works[WORKERS + 1] = {give, give, give, record};
    *bulk = (Bulk){.started = 0};
    stageOpen(&bulk->stage, NULL_DRIVER_ALL_TYPES, true);
    VkskinContextDef def = stageContextDef(&bulk->stage);
    stageCreate(&bulk->stage, &def);
    stageInstances(bulk->stage.context, 0, bulk->instances, INSTANCES);
    assert_int_equal(pthread_barrier_init(&bulk->begun, NULL, WORKERS + 1), 0);
    assert_int_equal(pthread_barrier_init(&bulk->given, NULL, WORKERS + 1), 0);
    runThreads(works, WORKERS + 1, bulk);
    pthread_barrier_destroy(&bulk->begun);
    pthread_barrier_destroy(&bulk->given);
}

TEST(bulkCommandsAreRecordedMeanwhile) {
    Bulk bulk;
    runBulk(&bulk, giveOwn, recordMeanwhile);
    stageClose(&bulk.stage, 0);
}

TEST(bulkCommandsAreTakenOnce) {
    Bulk bulk;
    runBulk(&bulk, giveBulk, recordBulk);
    assert_int_equal(counterRead(&bulk.taken), INSTANCES * BULK_FRAMES);
    assert_int_equal(counterRead(&bulk.refused), (WORKERS - 1) * INSTANCES * BULK_FRAMES);
    vkskinDestroyContext(bulk.stage.context);
    nullDriverDestroy(bulk.stage.driver); /* the mesh's upload was dropped */
    assert_int_equal(failedChecks(), 0);
}

/* ---- replaced: a mesh is replaced while a call that has checked a command of its instance waits for more room ---- */

#define REPLACED_FRAMES 20u
#define MORE_BONES      40u

typedef struct Replacing {
    Stage stage;
    VkskinMesh mesh;
    VkskinInstance instance;
    pthread_barrier_t begun, given;
    Counter made; /* frames whose new mesh exists but has not taken the place of the old one */
} Replacing;

/* Holds up both threads: the replacement until the command is being checked, and the check, with the lock shared, until
 * the replacement waits for the lock. It then gets it before the other call, which wants it alone to make room. */
static void holdUp(void *user, VkskinResult result, const char *message) {
    (void)message;
    if (result == VKSKIN_WARNING_WEIGHTS_NORMALISED) {
        counterAdd(&((Replacing *)user)->made, 1);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    } else if (result == VKSKIN_ERROR_NULL_HANDLE) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

static VkskinResult replaceBones(Replacing *replacing, uint32_t bones) {
    TestMesh *mesh = meshBuild((MeshSpec){MORE_BONES, .bones = bones});
    for (uint32_t i = 0; i < MORE_BONES; i++) {
        mesh->weights[i] = 0.5f; /* which is logged */
    }
    const VkskinResult result = vkskinReplaceMesh(replacing->stage.context, replacing->mesh, &mesh->def);
    meshFree(mesh);
    return result;
}

static void replaceMeshes(void *argument) {
    Replacing *replacing = argument;
    for (uint32_t frame = 0; frame < REPLACED_FRAMES; frame++) {
        pthread_barrier_wait(&replacing->begun);
        CHECK(replaceBones(replacing, frame % 2 == 0 ? MORE_BONES : STAGE_BONES) >= 0);
        pthread_barrier_wait(&replacing->given);
    }
}

/* In every second frame the command's palette suits only the old mesh: it is refused or dropped. */
static void skinReplaced(void *argument) {
    Replacing *replacing = argument;
    VkskinContext context = replacing->stage.context;
    for (uint32_t frame = 0; frame < REPLACED_FRAMES; frame++) {
        CHECK_GOOD(vkskinBeginFrame(context, frame % STAGE_SLOTS));
        pthread_barrier_wait(&replacing->begun);
        while (counterRead(&replacing->made) <= frame) {
            sched_yield();
        }
        VkskinSkinCommand commands[2] = {{.flags = 0}, {.instance = replacing->instance}};
        VkskinResult results[2];
        void *data = NULL;
        CHECK_GOOD(vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, STAGE_BONES, &commands[1].palette, &data));
        memset(data, 0, (size_t)48 * STAGE_BONES);
        CHECK(vkskinSkinInstances(context, commands, 2, results) == VKSKIN_WARNING_COMMANDS_REFUSED);
        pthread_barrier_wait(&replacing->given);
        stageRecordAndRun(&replacing->stage);
        VkskinStats stats;
        CHECK_GOOD(vkskinGetStats(context, &stats));
        CHECK(frame % 2 != 0 || stats.instancesSkinned == 0);
    }
}

TEST(replacedWhileItsCommandsAreGiven) {
    static const ThreadWork works[] = {replaceMeshes, skinReplaced};
    Replacing replacing = {.made = 0};
    stageOpen(&replacing.stage, NULL_DRIVER_ALL_TYPES, true);
    VkskinContextDef def = stageContextDef(&replacing.stage);
    def.logger = (VkskinLogger){holdUp, &replacing};
    stageCreate(&replacing.stage, &def);
    replacing.mesh = stageInstances(replacing.stage.context, 0, &replacing.instance, 1);
    assert_int_equal(pthread_barrier_init(&replacing.begun, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&replacing.given, NULL, 2), 0);
    runThreads(works, 2, &replacing);
    pthread_barrier_destroy(&replacing.begun);
    pthread_barrier_destroy(&replacing.given);
    stageClose(&replacing.stage, 0);
}
