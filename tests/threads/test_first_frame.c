/*
 * Three threads load a level at once, with no frame to take the uploads off their hands; the first frame then uploads
 * and skins all of it.
 *
 * All three are between reserving a mesh's room and handing it over at once, each time: there the library flushes what
 * it wrote, outside its lock, and the flush waits here until everybody has come.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>

#include "stage.h"

#define ROUNDS  4u
#define LOADERS 3u
#define LOADS   40u /* meshes a loader, an instance each */

typedef struct Level {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    _Atomic uint64_t loader; /* numbers the loaders as they come */
    VkskinInstance instances[LOADERS][LOADS];
} Level;

static _Atomic uint64_t met;
static _Thread_local uint64_t ownMeetings; /* of a loader; 0 for the test's own thread, which waits for nobody */

static void meet(void) {
    if (ownMeetings > 0) {
        crewAdd(&met, 1);
        while (crewRead(&met) < LOADERS * ownMeetings) {
            sched_yield();
        }
        ownMeetings++;
    }
}

static VkResult VKAPI_CALL flushTogether(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges) {
    meet();
    return nullDriverFunctions()->vkFlushMappedMemoryRanges(device, count, ranges);
}

static void load(void *argument) {
    Level *level = argument;
    ownMeetings = 1;
    uint64_t number = atomic_fetch_add_explicit(&level->loader, 1, memory_order_relaxed);
    for (uint32_t i = 0; i < LOADS; i++) {
        VkskinMesh mesh;
        CREW_CHECK(stageMesh(level->context, i % STAGE_MAX_SIZE, &mesh) == VKSKIN_SUCCESS);
        meet();
        CREW_CHECK(instanceOf(level->context, mesh, &level->instances[number][i]) == VKSKIN_SUCCESS);
    }
}

static float shiftOf(uint32_t loader, uint32_t i) {
    return (float)(loader * LOADS + i);
}

static void runFirstFrame(Level *level) {
    assert_int_equal(vkskinBeginFrame(level->context, 0), VKSKIN_SUCCESS);
    for (uint32_t loader = 0; loader < LOADERS; loader++) {
        for (uint32_t i = 0; i < LOADS; i++) {
            VkskinInstance instance = level->instances[loader][i];
            assert_int_equal(stageSkin(level->context, instance, shiftOf(loader, i)), VKSKIN_SUCCESS);
        }
    }
    VkCommandBuffer commandBuffer = nullDriverBegin(level->driver);
    assert_int_equal(vkskinRecordSkinning(level->context, commandBuffer), VKSKIN_SUCCESS);
    nullDriverRun(commandBuffer);
    assert_true(nullDriverCopies(level->driver) >= LOADERS * LOADS);
    for (uint32_t loader = 0; loader < LOADERS; loader++) {
        for (uint32_t i = 0; i < LOADS; i++) {
            VkskinOutput output;
            assert_int_equal(vkskinGetOutput(level->context, level->instances[loader][i], &output), VKSKIN_SUCCESS);
            assert_true(stageCheck(level->driver, &output, shiftOf(loader, i)));
        }
    }
}

static void levelIsLoadedByAll(void **state) {
    static const CrewWork works[LOADERS] = {load, load, load};
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        Level level = {.driver = stageDriver(NULL_DRIVER_STAGED, false)};
        StageMemory memory = {.driver = level.driver};
        VkskinMemoryCallbacks callbacks = stageMemoryCallbacks(&memory);
        VkskinVulkanFunctions functions = *nullDriverFunctions();
        functions.vkFlushMappedMemoryRanges = flushTogether;
        VkskinContextDef def = stageContextDef(level.driver, &level.counts);
        def.functions = &functions;
        def.memory = &callbacks;
        crewWrite(&met, 0);
        level.context = stageContext(&def, &level.counts);
        assert_non_null(level.context);
        crewRun(works, LOADERS, &level);
        runFirstFrame(&level);
        assert_int_equal(crewRead(&level.counts.messages), 0);
        vkskinDestroyContext(level.context);
        stageEnd(level.driver, &level.counts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(levelIsLoadedByAll)};
    return cmocka_run_group_tests_name("threads: first frame", tests, NULL, NULL);
}
