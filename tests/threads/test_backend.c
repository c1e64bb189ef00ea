/*
 * The CPU backend: two threads record in one frame, each with threads lent to it, while two others make and destroy
 * meshes and instances.
 *
 * Each recorder skins characters of its own, and records whatever was given so far, the other one's too; a third record
 * after both takes the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>

#include "stage.h"

#define RECORDERS 2u
#define LOADERS   2u
#define OWN       12u /* characters of a recorder */
#define FRAMES    12u
#define LENT      3u

typedef struct Hall {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    VkskinInstance instances[RECORDERS][OWN];
    uint32_t frame;
    _Atomic uint64_t recorder; /* numbers the recorders as they come */
    _Atomic uint64_t recorded; /* how many have */
    _Atomic uint64_t loads;
} Hall;

/* ---- Threads lent ---- */

typedef struct Loan {
    _Atomic uint64_t members;
    uint32_t count;
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
} Loan;

static _Atomic uint64_t tasksLent;

static void runShare(void *argument) {
    Loan *loan = argument;
    uint32_t own = (uint32_t)atomic_fetch_add_explicit(&loan->members, 1, memory_order_relaxed);
    for (uint32_t i = own; i < loan->count; i += LENT) {
        loan->task(loan->taskData, i);
        crewAdd(&tasksLent, 1);
    }
}

static void lend(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    static const CrewWork works[LENT] = {runShare, runShare, runShare};
    (void)user;
    Loan loan = {.count = count, .task = task, .taskData = taskData};
    crewRun(works, LENT, &loan);
}

/* ---- One frame ---- */

static float shiftOf(const Hall *hall, uint32_t recorder, uint32_t i) {
    return (float)(100 * hall->frame + OWN * recorder + i);
}

static void recordNow(Hall *hall) {
    VkCommandBuffer commandBuffer = nullDriverBegin(hall->driver);
    CREW_CHECK(vkskinRecordSkinning(hall->context, commandBuffer) == VKSKIN_SUCCESS);
    nullDriverRun(commandBuffer);
}

static void record(void *argument) {
    Hall *hall = argument;
    uint32_t own = (uint32_t)atomic_fetch_add_explicit(&hall->recorder, 1, memory_order_relaxed);
    for (uint32_t i = 0; i < OWN; i++) {
        CREW_CHECK(stageSkin(hall->context, hall->instances[own][i], shiftOf(hall, own, i)) == VKSKIN_SUCCESS);
        if (i % 4 == 3) {
            recordNow(hall);
        }
    }
    crewAdd(&hall->recorded, 1);
}

/* For as long as the others record. */
static void load(void *argument) {
    Hall *hall = argument;
    for (uint32_t size = 0; crewRead(&hall->recorded) < RECORDERS; size++) {
        VkskinMesh mesh;
        VkskinInstance instance;
        if (!CREW_CHECK(stageMesh(hall->context, size % STAGE_MAX_SIZE, &mesh) == VKSKIN_SUCCESS)) {
            return;
        }
        CREW_CHECK(instanceOf(hall->context, mesh, &instance) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyInstance(hall->context, instance) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyMesh(hall->context, mesh) == VKSKIN_SUCCESS);
        crewAdd(&hall->loads, 1);
        sched_yield();
    }
}

static void checkFrame(Hall *hall) {
    VkskinStats stats;
    assert_int_equal(vkskinGetStats(hall->context, &stats), VKSKIN_SUCCESS);
    assert_int_equal(stats.instancesSkinned, RECORDERS * OWN);
    for (uint32_t recorder = 0; recorder < RECORDERS; recorder++) {
        for (uint32_t i = 0; i < OWN; i++) {
            VkskinOutput output;
            assert_int_equal(vkskinGetOutput(hall->context, hall->instances[recorder][i], &output), VKSKIN_SUCCESS);
            assert_true(stageCheck(hall->driver, &output, shiftOf(hall, recorder, i)));
        }
    }
}

/* ---- The run ---- */

static void makeCharacters(Hall *hall) {
    VkskinMesh mesh;
    for (uint32_t i = 0; i < RECORDERS * OWN; i++) {
        if (i % 6 == 0) {
            assert_int_equal(stageMesh(hall->context, i % 12 == 0 ? STAGE_MAX_SIZE : 5, &mesh), VKSKIN_SUCCESS);
        }
        assert_int_equal(instanceOf(hall->context, mesh, &hall->instances[i / OWN][i % OWN]), VKSKIN_SUCCESS);
    }
}

static void runHall(bool coherent) {
    static const CrewWork works[RECORDERS + LOADERS] = {record, record, load, load};
    Hall hall = {.driver = stageDriver(NULL_DRIVER_STAGED, coherent)};
    StageMemory memory = {.driver = hall.driver};
    VkskinMemoryCallbacks callbacks = stageMemoryCallbacks(&memory);
    VkskinContextDef def = stageContextDef(hall.driver, &hall.counts);
    def.backend = VKSKIN_BACKEND_CPU;
    def.cpu.parallel = lend;
    def.memory = &callbacks;
    hall.context = stageContext(&def, &hall.counts);
    assert_non_null(hall.context);
    makeCharacters(&hall);
    crewWrite(&tasksLent, 0);
    for (hall.frame = 1; hall.frame <= FRAMES; hall.frame++) {
        assert_int_equal(vkskinBeginFrame(hall.context, hall.frame % def.framesInFlight), VKSKIN_SUCCESS);
        crewWrite(&hall.recorder, 0);
        crewWrite(&hall.recorded, 0);
        crewRun(works, RECORDERS + LOADERS, &hall);
        recordNow(&hall);
        checkFrame(&hall);
    }
    assert_true(crewRead(&tasksLent) > 0 && crewRead(&hall.loads) > 0);
    assert_int_equal(crewRead(&hall.counts.messages), 0);
    vkskinDestroyContext(hall.context);
    assert_int_equal(memory.blocks, 0);
    stageEnd(hall.driver, &hall.counts);
}

static void frameIsRecordedByTwo(void **state) {
    (void)state;
    runHall(true);
}

static void frameIsRecordedByTwoAndFlushed(void **state) {
    (void)state;
    runHall(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(frameIsRecordedByTwo),
                                       cmocka_unit_test(frameIsRecordedByTwoAndFlushed)};
    return cmocka_run_group_tests_name("threads: CPU backend", tests, NULL, NULL);
}
