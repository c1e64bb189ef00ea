/*
 * Contexts on one device, each used by a thread of its own from its making to its end: they share nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stage.h"

#define LIVES     10u
#define FRAMES    8u
#define INSTANCES 6u

typedef struct Device {
    NullDriver *driver;
    StageCounts counts;
} Device;

static void runFrame(const Device *device, VkskinContext context, const VkskinInstance *instances, uint32_t frame) {
    CREW_CHECK(vkskinBeginFrame(context, frame % 2) == VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        CREW_CHECK(stageSkin(context, instances[i], (float)(10 * frame + i)) == VKSKIN_SUCCESS);
    }
    VkCommandBuffer commandBuffer = nullDriverBegin(device->driver);
    CREW_CHECK(vkskinRecordSkinning(context, commandBuffer) == VKSKIN_SUCCESS);
    nullDriverRun(commandBuffer);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinOutput output;
        CREW_CHECK(vkskinGetOutput(context, instances[i], &output) == VKSKIN_SUCCESS);
        CREW_CHECK(stageCheck(device->driver, &output, (float)(10 * frame + i)));
    }
}

static void live(void *argument) {
    Device *device = argument;
    for (uint32_t life = 0; life < LIVES; life++) {
        VkskinContextDef def = stageContextDef(device->driver, &device->counts);
        VkskinContext context = stageContext(&def, &device->counts);
        if (context == NULL) {
            return;
        }
        VkskinMesh mesh;
        VkskinInstance instances[INSTANCES];
        CREW_CHECK(stageMesh(context, life % STAGE_MAX_SIZE, &mesh) == VKSKIN_SUCCESS);
        for (uint32_t i = 0; i < INSTANCES; i++) {
            CREW_CHECK(instanceOf(context, mesh, &instances[i]) == VKSKIN_SUCCESS);
        }
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            runFrame(device, context, instances, frame);
        }
        vkskinDestroyContext(context);
    }
}

static void contextsShareADevice(void **state) {
    static const CrewWork works[] = {live, live, live};
    (void)state;
    Device device = {.driver = stageDriver(NULL_DRIVER_UNIFIED, true)};
    crewRun(works, sizeof works / sizeof works[0], &device);
    assert_int_equal(crewRead(&device.counts.messages), 0);
    stageEnd(device.driver, &device.counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contextsShareADevice)};
    return cmocka_run_group_tests_name("threads: contexts", tests, NULL, NULL);
}
