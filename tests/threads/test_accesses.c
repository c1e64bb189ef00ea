/*
 * A host that owns the barriers, and two threads that make meshes meanwhile: what vkskinGetAccesses tells of uploads is
 * what is recorded after it, though meshes come at any time. Some frames are cancelled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>

#include "instance_of.h"
#include "stage.h"

#define LOADERS  2u
#define LOADS    60u /* meshes a loader */
#define KEPT     8u  /* of them alive at once: they lie in several pages */
#define SLOTS    2u
#define ACCESSES 64u

typedef struct Hall {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    _Atomic uint64_t loadersDone;
} Hall;

/* What the rendering thread was told of, and what it then recorded; it alone touches these. */
static struct {
    VkskinAccess accesses[ACCESSES];
    uint32_t count;
    uint32_t copies;
} told;

static VKAPI_ATTR void VKAPI_CALL lookUpCopy(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target,
                                             uint32_t count, const VkBufferCopy *regions) {
    bool known = false;
    for (uint32_t i = 0; i < told.count; i++) {
        const VkskinAccess *access = &told.accesses[i];
        known = known || (access->buffer == target && regions->dstOffset >= access->offset &&
                          regions->dstOffset + regions->size <= access->offset + access->size);
    }
    CREW_CHECK(known);
    told.copies++;
    nullDriverFunctions()->vkCmdCopyBuffer(commandBuffer, source, target, count, regions);
}

/* ---- Loading ---- */

static void load(void *argument) {
    Hall *hall = argument;
    VkskinMesh kept[KEPT] = {0};
    for (uint32_t i = 0; i < LOADS; i++) {
        VkskinMesh *mesh = &kept[i % KEPT];
        if (i >= KEPT) {
            CREW_CHECK(vkskinDestroyMesh(hall->context, *mesh) == VKSKIN_SUCCESS);
        }
        CREW_CHECK(stageMesh(hall->context, i % 3 == 0 ? 0 : STAGE_MAX_SIZE, mesh) == VKSKIN_SUCCESS);
    }
    crewAdd(&hall->loadersDone, 1);
}

/* ---- Frames ---- */

/* The number first and then as many, as is usual; nothing may have come between them. */
static void askForUploads(Hall *hall) {
    uint32_t count = 0;
    CREW_CHECK(vkskinGetAccesses(hall->context, VKSKIN_PASS_UPLOAD, NULL, &count) == VKSKIN_SUCCESS);
    sched_yield();
    told.count = count;
    CREW_CHECK(count <= ACCESSES &&
               vkskinGetAccesses(hall->context, VKSKIN_PASS_UPLOAD, told.accesses, &told.count) == VKSKIN_SUCCESS);
    sched_yield();
}

static void runFrame(Hall *hall, VkskinInstance instance, uint32_t slot, float shift, bool cancelled) {
    VkskinOutput output;
    CREW_CHECK(vkskinBeginFrame(hall->context, slot) == VKSKIN_SUCCESS);
    CREW_CHECK(stageSkin(hall->context, instance, shift) == VKSKIN_SUCCESS);
    VkCommandBuffer commandBuffer = nullDriverBegin(hall->driver);
    askForUploads(hall);
    CREW_CHECK(vkskinRecordUploads(hall->context, commandBuffer) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinRecordSkinning(hall->context, commandBuffer) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinGetOutput(hall->context, instance, &output) == VKSKIN_SUCCESS);
    if (cancelled) {
        nullDriverDrop(commandBuffer);
        CREW_CHECK(vkskinCancelFrame(hall->context) == VKSKIN_SUCCESS);
    } else {
        nullDriverRun(commandBuffer);
        CREW_CHECK(stageCheck(hall->driver, &output, shift));
    }
}

static void runFrames(void *argument) {
    Hall *hall = argument;
    VkskinMesh mesh;
    VkskinInstance instance;
    CREW_CHECK(stageMesh(hall->context, 5, &mesh) == VKSKIN_SUCCESS);
    CREW_CHECK(instanceOf(hall->context, mesh, &instance) == VKSKIN_SUCCESS);
    uint32_t submitted = 0;
    for (uint32_t frame = 0; crewRead(&hall->loadersDone) < LOADERS; frame++) {
        bool cancelled = frame % 4 == 0;
        runFrame(hall, instance, submitted % SLOTS, (float)frame, cancelled);
        submitted += !cancelled;
    }
    runFrame(hall, instance, submitted % SLOTS, 0.5f, false);
}

static void accessesHoldWhileMeshesCome(void **state) {
    static const CrewWork works[LOADERS + 1] = {load, load, runFrames};
    (void)state;
    for (int staged = 0; staged < 2; staged++) {
        Hall hall = {.driver = stageDriver(staged ? NULL_DRIVER_STAGED : NULL_DRIVER_UNIFIED, true)};
        VkskinContextDef def = stageContextDef(hall.driver, &hall.counts);
        VkskinVulkanFunctions functions = *def.functions;
        functions.vkCmdCopyBuffer = lookUpCopy;
        def.functions = &functions;
        def.barriers = VKSKIN_BARRIERS_HOST;
        hall.context = stageContext(&def, &hall.counts);
        assert_non_null(hall.context);
        told.copies = 0;
        crewRun(works, LOADERS + 1, &hall);
        assert_true(told.copies > LOADERS * KEPT);
        assert_int_equal(crewRead(&hall.counts.messages), 0);
        vkskinDestroyContext(hall.context);
        stageEnd(hall.driver, &hall.counts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(accessesHoldWhileMeshesCome)};
    return cmocka_run_group_tests_name("threads: accesses", tests, NULL, NULL);
}
