/*
 * Two threads make and destroy meshes and instances, a third runs frames, a fourth asks for all that can be asked for.
 *
 * The loaders hand some instances to the frames, which skin each once, see that it is right and destroy it. Handles
 * cross over in relaxed atomics: the library's lock alone makes what is behind them known to the other thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <string.h>

#include "stage.h"

#define LOADERS     2u
#define LOADS       40u /* meshes a loader */
#define PER_MESH    3u  /* instances */
#define LEAST       50u /* frames */
#define OWN         4u  /* instances of the frames' own, skinned each frame */
#define SLOTS       2u
#define ASKED_TWICE 8u

/* A frame that was recorded and not run yet. */
typedef struct Frame {
    VkCommandBuffer commandBuffer;
    uint32_t count;
    VkskinOutput outputs[OWN + LOADERS];
    float shifts[OWN + LOADERS];
} Frame;

typedef struct Hall {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    _Atomic uint64_t handed[LOADERS]; /* an instance's handle, 0: none waits */
    _Atomic uint64_t loader;          /* numbers the loaders as they come */
    _Atomic uint64_t loadersDone, framesDone;
    _Atomic uint64_t skinned; /* handed instances that were seen right */
} Hall;

static uint64_t packHandle(VkskinInstance instance) {
    return (uint64_t)instance.generation << 32 | instance.index;
}

static VkskinInstance unpackHandle(uint64_t handle) {
    return (VkskinInstance){(uint32_t)handle, (uint32_t)(handle >> 32)};
}

/* ---- Loading ---- */

static void loadMesh(Hall *hall, _Atomic uint64_t *handed, uint32_t size) {
    VkskinMesh mesh;
    if (!CREW_CHECK(stageMesh(hall->context, size, &mesh) == VKSKIN_SUCCESS)) {
        return;
    }
    VkskinMeshInfo info;
    CREW_CHECK(vkskinGetMeshInfo(hall->context, mesh, &info) == VKSKIN_SUCCESS &&
               info.vertexCount == stageVertexCount(size));
    VkskinInstance instances[PER_MESH];
    for (uint32_t i = 0; i < PER_MESH; i++) {
        CREW_CHECK(instanceOf(hall->context, mesh, &instances[i]) == VKSKIN_SUCCESS);
    }
    crewWrite(handed, packHandle(instances[0]));
    for (uint32_t i = 1; i < PER_MESH; i++) {
        VkskinOutput output;
        CREW_CHECK(vkskinGetOutput(hall->context, instances[i], &output) == VKSKIN_ERROR_NOT_SKINNED);
        CREW_CHECK(vkskinDestroyInstance(hall->context, instances[i]) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyInstance(hall->context, instances[i]) == VKSKIN_ERROR_STALE_HANDLE);
    }
    VkskinResult result = VKSKIN_ERROR_MESH_IN_USE;
    while (result == VKSKIN_ERROR_MESH_IN_USE) {
        result = vkskinDestroyMesh(hall->context, mesh);
        sched_yield();
    }
    CREW_CHECK(result == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinGetMeshInfo(hall->context, mesh, &info) == VKSKIN_ERROR_STALE_HANDLE);
}

static void load(void *argument) {
    Hall *hall = argument;
    uint64_t number = atomic_fetch_add_explicit(&hall->loader, 1, memory_order_relaxed);
    for (uint32_t i = 0; i < LOADS; i++) {
        loadMesh(hall, &hall->handed[number], (7 * i + 3 * (uint32_t)number) % STAGE_MAX_SIZE);
    }
    crewAdd(&hall->loadersDone, 1);
}

/* ---- Frames ---- */

static void finishFrame(Hall *hall, Frame *frame) {
    if (frame->commandBuffer == NULL) {
        return;
    }
    nullDriverRun(frame->commandBuffer);
    for (uint32_t i = 0; i < frame->count; i++) {
        bool right = CREW_CHECK(stageCheck(hall->driver, &frame->outputs[i], frame->shifts[i]));
        crewAdd(&hall->skinned, right && i >= OWN);
    }
    *frame = (Frame){0};
}

static void skinOne(Hall *hall, Frame *frame, VkskinInstance instance, float shift) {
    if (CREW_CHECK(stageSkin(hall->context, instance, shift) == VKSKIN_SUCCESS)) {
        frame->shifts[frame->count] = shift;
        CREW_CHECK(vkskinGetOutput(hall->context, instance, &frame->outputs[frame->count]) == VKSKIN_SUCCESS);
        frame->count++;
    }
}

static void recordFrame(Hall *hall, Frame *frame, const VkskinInstance *own, uint32_t number) {
    CREW_CHECK(vkskinBeginFrame(hall->context, number % SLOTS) == VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < OWN; i++) {
        skinOne(hall, frame, own[i], (float)(number % 1000 + i));
    }
    VkskinInstance handed[LOADERS] = {0};
    for (uint32_t i = 0; i < LOADERS; i++) {
        handed[i] = unpackHandle(atomic_exchange_explicit(&hall->handed[i], 0, memory_order_relaxed));
        if (handed[i].index != 0) {
            skinOne(hall, frame, handed[i], (float)(number % 1000) + 0.5f);
        }
    }
    frame->commandBuffer = nullDriverBegin(hall->driver);
    CREW_CHECK(vkskinBeginScope(hall->context, frame->commandBuffer, "frame") == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinRecordUploads(hall->context, frame->commandBuffer) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinRecordSkinning(hall->context, frame->commandBuffer) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinEndScope(hall->context, frame->commandBuffer, "frame") == VKSKIN_SUCCESS);
    VkskinStats stats;
    CREW_CHECK(vkskinGetStats(hall->context, &stats) == VKSKIN_SUCCESS && stats.frame == number + 1 &&
               stats.instancesSkinned == frame->count);
    for (uint32_t i = 0; i < LOADERS; i++) {
        if (handed[i].index != 0) {
            CREW_CHECK(vkskinDestroyInstance(hall->context, handed[i]) == VKSKIN_SUCCESS);
        }
    }
}

static void runFrames(void *argument) {
    Hall *hall = argument;
    VkskinMesh mesh;
    VkskinInstance own[OWN];
    Frame frames[SLOTS] = {0};
    CREW_CHECK(stageMesh(hall->context, 5, &mesh) == VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < OWN; i++) {
        CREW_CHECK(instanceOf(hall->context, mesh, &own[i]) == VKSKIN_SUCCESS);
    }
    uint32_t number = 0;
    while (number < LEAST || crewRead(&hall->loadersDone) < LOADERS) {
        finishFrame(hall, &frames[number % SLOTS]);
        recordFrame(hall, &frames[number % SLOTS], own, number);
        number++;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        finishFrame(hall, &frames[(number + i) % SLOTS]);
    }
    for (uint32_t i = 0; i < OWN; i++) {
        CREW_CHECK(vkskinDestroyInstance(hall->context, own[i]) == VKSKIN_SUCCESS);
    }
    CREW_CHECK(vkskinDestroyMesh(hall->context, mesh) == VKSKIN_SUCCESS);
    crewWrite(&hall->framesDone, 1);
}

/* ---- Asking ---- */

static void askAboutFrame(VkskinContext context) {
    for (uint32_t pass = VKSKIN_PASS_UPLOAD; pass <= VKSKIN_PASS_SKINNING; pass++) {
        VkskinAccess accesses[64];
        uint32_t count = 64;
        VkskinResult result = vkskinGetAccesses(context, (VkskinPass)pass, accesses, &count);
        CREW_CHECK(result == VKSKIN_SUCCESS || result == VKSKIN_ERROR_FRAME_NOT_BEGUN);
    }
    VkskinTiming timings[ASKED_TWICE];
    uint32_t count = ASKED_TWICE;
    VkskinTimestampSupport support;
    CREW_CHECK(vkskinGetTimings(context, timings, &count, NULL, &support) == VKSKIN_SUCCESS &&
               support == VKSKIN_TIMESTAMPS_SUPPORTED);
    for (uint32_t i = 0; i < count && i < ASKED_TWICE; i++) {
        CREW_CHECK(timings[i].milliseconds >= 0.0);
    }
}

static void askAboutPages(VkskinContext context) {
    uint32_t pages = vkskinGetOutputPageCount(context);
    for (uint32_t i = 0; i < pages; i++) {
        VkskinOutputPage page;
        CREW_CHECK(vkskinGetOutputPage(context, i, &page) == VKSKIN_SUCCESS && page.size == 65536);
    }
}

static void ask(void *argument) {
    Hall *hall = argument;
    const uint32_t mostMeshes = LOADERS + 1;
    while (crewRead(&hall->framesDone) == 0) {
        VkskinStats stats;
        CREW_CHECK(vkskinGetStats(hall->context, &stats) == VKSKIN_SUCCESS);
        CREW_CHECK(stats.meshes <= mostMeshes && stats.instances <= OWN + LOADERS * PER_MESH);
        askAboutFrame(hall->context);
        askAboutPages(hall->context);
        /* Of an instance that may go at any time: each answer is right, none does harm. */
        VkskinOutput output;
        VkskinInstance instance = unpackHandle(crewRead(&hall->handed[0]));
        VkskinResult result = vkskinGetOutput(hall->context, instance, &output);
        CREW_CHECK(result == VKSKIN_SUCCESS || result == VKSKIN_ERROR_NOT_SKINNED ||
                   result == VKSKIN_ERROR_STALE_HANDLE || result == VKSKIN_ERROR_NULL_HANDLE);
        sched_yield();
    }
}

static void loadWhileFramesRun(NullDriverLayout layout, bool hostMemory) {
    static const CrewWork works[LOADERS + 2] = {load, load, runFrames, ask};
    Hall hall = {.driver = stageDriver(layout, !hostMemory)};
    StageMemory memory = {.driver = hall.driver};
    VkskinMemoryCallbacks callbacks = stageMemoryCallbacks(&memory);
    VkskinContextDef def = stageContextDef(hall.driver, &hall.counts);
    def.memory = hostMemory ? &callbacks : NULL;
    hall.context = stageContext(&def, &hall.counts);
    assert_non_null(hall.context);
    crewRun(works, LOADERS + 2, &hall);
    VkskinStats stats;
    assert_int_equal(vkskinGetStats(hall.context, &stats), VKSKIN_SUCCESS);
    assert_int_equal(stats.meshes, 0);
    assert_int_equal(stats.instances, 0);
    assert_int_equal(crewRead(&hall.skinned), LOADERS * LOADS);
    vkskinDestroyContext(hall.context);
    assert_int_equal(memory.blocks, 0);
    stageEnd(hall.driver, &hall.counts);
}

static void palettesInPlace(void **state) {
    (void)state;
    loadWhileFramesRun(NULL_DRIVER_ALL_TYPES, false);
}

static void palettesStaged(void **state) {
    (void)state;
    loadWhileFramesRun(NULL_DRIVER_STAGED, false);
}

/* Not coherent: what is written on any thread must have been flushed when the device reads it. */
static void memoryOfTheHost(void **state) {
    (void)state;
    loadWhileFramesRun(NULL_DRIVER_STAGED, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(palettesInPlace), cmocka_unit_test(palettesStaged),
                                       cmocka_unit_test(memoryOfTheHost)};
    return cmocka_run_group_tests_name("threads: loading", tests, NULL, NULL);
}
