/*
 * Two threads make kernels, the same ones among them, and one for its meshes alone, while others load and run frames
 * with what there is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>

#include "stage.h"

#define ROUNDS 20u
#define LOADS  50u
#define MESHES 10u

/* Kernels of all methods: positions, normals or tangents of two formats, by five classes of influences, with morphs and
 * without; and those for no bones, solid and flat. */
#define KERNELS (VKSKIN_METHOD_COUNT * 5u * 5u * 2u + (5u + 1u) * 2u)

typedef struct Forge {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    _Atomic uint64_t refused; /* commands that came before their kernels, meshes that went before them */
} Forge;

static void makePipelines(void *argument) {
    Forge *forge = argument;
    for (uint32_t variant = 0; variant < VKSKIN_METHOD_COUNT * VKSKIN_VERTEX_FORMAT_COUNT; variant++) {
        VkskinPipelineDef def = vkskinDefaultPipelineDef();
        def.methods = VKSKIN_METHOD_BIT(variant % VKSKIN_METHOD_COUNT);
        def.formats = VKSKIN_VERTEX_FORMAT_BIT(variant / VKSKIN_METHOD_COUNT);
        def.features = VKSKIN_KERNEL_MORPHS_BIT;
        CREW_CHECK(vkskinCreatePipelines(forge->context, &def) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinCreatePipelines(forge->context, &def) == VKSKIN_SUCCESS);
    }
}

/* For meshes that come and go; one that has gone is refused. */
static void makeForMeshes(void *argument) {
    Forge *forge = argument;
    for (uint32_t i = 0; i < MESHES; i++) {
        VkskinMesh mesh;
        CREW_CHECK(stageMesh(forge->context, i % STAGE_MAX_SIZE, &mesh) == VKSKIN_SUCCESS);
        VkskinPipelineDef def = vkskinDefaultPipelineDef();
        def.methods = VKSKIN_METHOD_BIT(i % VKSKIN_METHOD_COUNT);
        def.meshes = &mesh;
        def.meshCount = 1;
        CREW_CHECK(vkskinCreatePipelines(forge->context, &def) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyMesh(forge->context, mesh) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinCreatePipelines(forge->context, &def) == VKSKIN_ERROR_STALE_HANDLE);
        crewAdd(&forge->refused, 1);
    }
}

static void load(void *argument) {
    Forge *forge = argument;
    for (uint32_t i = 0; i < LOADS; i++) {
        VkskinMesh mesh;
        VkskinInstance instance;
        CREW_CHECK(stageMesh(forge->context, i % STAGE_MAX_SIZE, &mesh) == VKSKIN_SUCCESS);
        CREW_CHECK(instanceOf(forge->context, mesh, &instance) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyInstance(forge->context, instance) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyMesh(forge->context, mesh) == VKSKIN_SUCCESS);
    }
}

/* Begins frames until there is a kernel for the command; then the output is right. */
static void runFrames(void *argument) {
    Forge *forge = argument;
    VkskinMesh mesh;
    VkskinInstance instance;
    CREW_CHECK(stageMesh(forge->context, 3, &mesh) == VKSKIN_SUCCESS);
    CREW_CHECK(instanceOf(forge->context, mesh, &instance) == VKSKIN_SUCCESS);
    for (uint32_t frame = 0, done = 0; done < LOADS; frame++) {
        CREW_CHECK(vkskinBeginFrame(forge->context, frame % 2) == VKSKIN_SUCCESS);
        VkskinResult result = stageSkin(forge->context, instance, (float)frame);
        CREW_CHECK(result == VKSKIN_SUCCESS || (done == 0 && result == VKSKIN_ERROR_PIPELINE_MISSING));
        crewAdd(&forge->refused, result == VKSKIN_ERROR_PIPELINE_MISSING);
        VkCommandBuffer commandBuffer = nullDriverBegin(forge->driver);
        CREW_CHECK(vkskinRecordSkinning(forge->context, commandBuffer) == VKSKIN_SUCCESS);
        nullDriverRun(commandBuffer);
        if (result == VKSKIN_SUCCESS) {
            VkskinOutput output;
            CREW_CHECK(vkskinGetOutput(forge->context, instance, &output) == VKSKIN_SUCCESS);
            CREW_CHECK(stageCheck(forge->driver, &output, (float)frame));
            done++;
        } else {
            sched_yield();
        }
    }
}

static void pipelinesWhileOthersLoad(void **state) {
    static const CrewWork works[] = {makePipelines, load, runFrames, makePipelines, makeForMeshes};
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        Forge forge = {.driver = stageDriver(NULL_DRIVER_STAGED, true)};
        VkskinContextDef def = stageContextDef(forge.driver, &forge.counts);
        assert_int_equal(vkskinCreateContext(&def, &forge.context), VKSKIN_SUCCESS);
        crewRun(works, sizeof works / sizeof works[0], &forge);
        VkskinStats stats;
        assert_int_equal(vkskinGetStats(forge.context, &stats), VKSKIN_SUCCESS);
        /* Each once, whoever made it. */
        assert_int_equal(nullDriverAliveOf(forge.driver, VK_OBJECT_TYPE_PIPELINE), KERNELS);
        assert_int_equal(nullDriverAliveOf(forge.driver, VK_OBJECT_TYPE_SHADER_MODULE), 0);
        assert_int_equal(crewRead(&forge.counts.messages), crewRead(&forge.refused));
        vkskinDestroyContext(forge.context);
        stageEnd(forge.driver, &forge.counts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pipelinesWhileOthersLoad)};
    return cmocka_run_group_tests_name("threads: pipelines", tests, NULL, NULL);
}
