/*
 * Several threads share one frame's work: each takes palettes, writes them and gives commands; one records.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "stage.h"

#define WORKERS    3u
#define PER_WORKER 20u /* instances */
#define FRAMES     100u

typedef struct Share {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    VkskinInstance instances[WORKERS][PER_WORKER];
    VkCommandBuffer commandBuffers[WORKERS]; /* each worker's own, with a timing scope in it */
    _Atomic uint64_t worker;                 /* numbers the workers as they come */
    pthread_barrier_t begun, given; /* as a host joins its jobs: the only order between the threads in a frame */
} Share;

static float shiftOf(uint32_t frame, uint32_t worker, uint32_t i) {
    return (float)((frame * WORKERS + worker) * PER_WORKER + i);
}

static void giveCommands(void *argument) {
    Share *share = argument;
    uint32_t worker = (uint32_t)atomic_fetch_add_explicit(&share->worker, 1, memory_order_relaxed);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        pthread_barrier_wait(&share->begun);
        VkCommandBuffer commandBuffer = nullDriverBegin(share->driver);
        CREW_CHECK(vkskinBeginScope(share->context, commandBuffer, "worker") == VKSKIN_SUCCESS);
        for (uint32_t i = 0; i < PER_WORKER; i++) {
            VkskinInstance instance = share->instances[worker][i];
            CREW_CHECK(stageSkin(share->context, instance, shiftOf(frame, worker, i)) == VKSKIN_SUCCESS);
            VkskinOutput output;
            CREW_CHECK(vkskinGetOutput(share->context, instance, &output) == VKSKIN_SUCCESS);
        }
        CREW_CHECK(vkskinEndScope(share->context, commandBuffer, "worker") == VKSKIN_SUCCESS);
        share->commandBuffers[worker] = commandBuffer;
        pthread_barrier_wait(&share->given);
    }
}

static void checkFrame(Share *share, uint32_t frame) {
    for (uint32_t worker = 0; worker < WORKERS; worker++) {
        for (uint32_t i = 0; i < PER_WORKER; i++) {
            VkskinOutput output;
            CREW_CHECK(vkskinGetOutput(share->context, share->instances[worker][i], &output) == VKSKIN_SUCCESS);
            CREW_CHECK(stageCheck(share->driver, &output, shiftOf(frame, worker, i)));
        }
    }
}

/* The first scope resets the frame's queries: its commands run first. */
static VkCommandBuffer beginScopes(Share *share) {
    VkCommandBuffer commandBuffer = nullDriverBegin(share->driver);
    CREW_CHECK(vkskinBeginScope(share->context, commandBuffer, "frame") == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinEndScope(share->context, commandBuffer, "frame") == VKSKIN_SUCCESS);
    return commandBuffer;
}

/* Two frames after: the frame's own scope, the workers', and the library's. The clock steps by a nanosecond. */
static void checkTimings(Share *share, uint32_t frame) {
    VkskinTiming timings[8];
    uint32_t count = 8;
    uint64_t known = 0;
    CREW_CHECK(vkskinGetTimings(share->context, timings, &count, &known, NULL) == VKSKIN_SUCCESS);
    CREW_CHECK(known == (frame < 2 ? 0 : frame - 1));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t scopes = strcmp(timings[i].name, "worker") == 0 ? WORKERS : 1;
        CREW_CHECK(fabs(timings[i].milliseconds - 1e-6 * scopes) < 1e-9);
    }
}

static void recordFrames(void *argument) {
    Share *share = argument;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        CREW_CHECK(vkskinBeginFrame(share->context, frame % 2) == VKSKIN_SUCCESS);
        VkCommandBuffer first = beginScopes(share);
        pthread_barrier_wait(&share->begun);
        checkTimings(share, frame);
        pthread_barrier_wait(&share->given);
        VkCommandBuffer commandBuffer = nullDriverBegin(share->driver);
        CREW_CHECK(vkskinRecordSkinning(share->context, commandBuffer) == VKSKIN_SUCCESS);
        VkskinStats stats;
        CREW_CHECK(vkskinGetStats(share->context, &stats) == VKSKIN_SUCCESS);
        CREW_CHECK(stats.instancesSkinned == WORKERS * PER_WORKER);
        CREW_CHECK(stats.paletteBytes == (uint64_t)WORKERS * PER_WORKER * STAGE_BONES * 48);
        nullDriverRun(first);
        for (uint32_t i = 0; i < WORKERS; i++) {
            nullDriverRun(share->commandBuffers[i]);
        }
        nullDriverRun(commandBuffer);
        checkFrame(share, frame);
    }
}

static void shareFrames(NullDriverLayout layout) {
    static const CrewWork works[WORKERS + 1] = {giveCommands, giveCommands, giveCommands, recordFrames};
    Share share = {.driver = stageDriver(layout, true)};
    VkskinContextDef def = stageContextDef(share.driver, &share.counts);
    share.context = stageContext(&def, &share.counts);
    assert_non_null(share.context);
    assert_int_equal(pthread_barrier_init(&share.begun, NULL, WORKERS + 1), 0);
    assert_int_equal(pthread_barrier_init(&share.given, NULL, WORKERS + 1), 0);
    for (uint32_t worker = 0; worker < WORKERS; worker++) {
        VkskinMesh mesh;
        assert_int_equal(stageMesh(share.context, worker, &mesh), VKSKIN_SUCCESS);
        for (uint32_t i = 0; i < PER_WORKER; i++) {
            assert_int_equal(instanceOf(share.context, mesh, &share.instances[worker][i]), VKSKIN_SUCCESS);
        }
    }
    crewRun(works, WORKERS + 1, &share);
    pthread_barrier_destroy(&share.begun);
    pthread_barrier_destroy(&share.given);
    vkskinDestroyContext(share.context);
    stageEnd(share.driver, &share.counts);
}

static void palettesInPlace(void **state) {
    (void)state;
    shareFrames(NULL_DRIVER_ALL_TYPES);
}

static void palettesStaged(void **state) {
    (void)state;
    shareFrames(NULL_DRIVER_STAGED);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(palettesInPlace), cmocka_unit_test(palettesStaged)};
    return cmocka_run_group_tests_name("threads: palettes", tests, NULL, NULL);
}
