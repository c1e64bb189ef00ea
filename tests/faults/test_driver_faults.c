/*
 * Every call into the driver and into the host's callbacks fails once, in every way that it may, in lives of a context
 * that come to all of them.
 */
#include <string.h>

#include "marker.h"
#include "scenario.h"

/* What does not fail in Vulkan, and so goes past the shim. */
static bool cannotFail(const char *name) {
    return strncmp(name, "Cmd", 3) == 0 || strcmp(name, "UpdateDescriptorSets") == 0 ||
           strcmp(name, "GetBufferMemoryRequirements") == 0;
}

/* A function that the library starts to use must not escape the tests below. */
static void shimKnowsEveryFunction(void **state) {
    VkskinVulkanFunctions functions = faultShimFunctions(*state);
#define CHECK_FUNCTION(name)                                                                                           \
    if ((functions.vk##name == NULL) != cannotFail(#name)) {                                                           \
        fail_msg("vk%s", #name);                                                                                       \
    }
    VKSKIN_DEVICE_FUNCTIONS(CHECK_FUNCTION)
    VKSKIN_DEBUG_FUNCTIONS(CHECK_FUNCTION)
#undef CHECK_FUNCTION
}

static void checkCensus(void) {
    assert_int_equal(faultShim.aliveCount, 0);
    assert_int_equal(faultShim.strangers, 0);
    assert_int_equal(faultShim.heapAlive, 0);
}

/* The same objects as without a failure: what a failed call had made already did not stay beside them. */
static void checkStats(const VkskinStats *stats, const VkskinStats *plain) {
    assert_int_equal(stats->meshes, plain->meshes);
    assert_int_equal(stats->instances, plain->instances);
    assert_int_equal(stats->meshPages, plain->meshPages);
    assert_int_equal(stats->palettePages, plain->palettePages);
    assert_int_equal(stats->outputPages, plain->outputPages);
    assert_int_equal(stats->deviceBytes, plain->deviceBytes);
    assert_int_equal(stats->instancesSkinned, plain->instancesSkinned);
}

/* cmocka tells the line of a failure, not where the run stood: what is set here is told by tellWhere. */
static bool running;

static int tellWhere(void **state) {
    if (running && faultShim.fired) {
        print_error("the run in which %s, call %u, returned %d\n", faultFunctionName(faultShim.met[faultShim.failAt]),
                    faultShim.failAt, faultShim.error);
    }
    running = false;
    return gpuTestTeardown(state);
}

/* flushes: those of the run without a failure. What failed is flushed when its call is made again. */
static void runWithFault(Gpu *gpu, ScenarioKind kind, uint32_t call, VkResult error, const VkskinStats *plain,
                         uint32_t flushes) {
    VkskinStats stats;
    running = true;
    faultShimReset(call, error);
    scenarioRun(gpu, kind, &stats);
    assert_true(faultShim.fired);
    checkCensus();
    if (error != VK_ERROR_DEVICE_LOST) {
        checkStats(&stats, plain);
        assert_true(faultShim.flushes >= flushes);
    }
    assert_int_equal(gpu->messages.count, 0);
    running = false;
}

static uint32_t everMet; /* functions that some scenario calls, by FAULT_BIT */

static void failEverywhere(Gpu *gpu, ScenarioKind kind) {
    FaultFunction met[FAULT_MAX_CALLS];
    VkskinStats plain;
    faultShimReset(FAULT_NEVER, VK_SUCCESS);
    scenarioRun(gpu, kind, &plain);
    checkCensus();
    uint32_t calls = faultShim.calls, flushes = faultShim.flushes, failures = 0;
    memcpy(met, faultShim.met, sizeof met);
    assert_true(calls > 0);
    for (uint32_t call = 0; call < calls; call++) {
        uint32_t count;
        const VkResult *errors = faultErrors(met[call], &count);
        everMet |= FAULT_BIT(met[call]);
        for (uint32_t i = 0; i < count; i++, failures++) {
            runWithFault(gpu, kind, call, errors[i], &plain, flushes);
        }
    }
    print_message("%u calls that may fail, %u failures\n", calls, failures);
}

static void everyCallFails(void **state) {
    failEverywhere(*state, SCENARIO_FRAMES);
}

static void everyCallFailsInHostMemory(void **state) {
    failEverywhere(*state, SCENARIO_HOST_MEMORY);
}

static void everyKernelFails(void **state) {
    failEverywhere(*state, SCENARIO_KERNELS);
}

static void everyNameFails(void **state) {
    failEverywhere(*state, SCENARIO_NAMES);
}

static void everyHeapAllocationFails(void **state) {
    failEverywhere(*state, SCENARIO_HEAP);
}

static void everyCallFailsOnTheCpu(void **state) {
    failEverywhere(*state, SCENARIO_CPU);
}

/* A driver takes seconds to make all kernels, and the shim lends them: here the driver makes them itself, and each of
 * its first allocations for it fails. Some make fewer. */
static void heapRunsOutForTheDriversKernels(void **state) {
    enum { FAILURES = 6 };
    Gpu *gpu = *state;
    uint32_t failures = 0;
    for (bool fired = true; fired && failures < FAILURES;) {
        VkskinContextDef def = gpuContextDef(gpu);
        VkAllocationCallbacks heap = faultShimHeap();
        VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
        VkskinContext context = NULL;
        VkskinMesh mesh;
        faultShimReset(failures, VK_ERROR_OUT_OF_HOST_MEMORY);
        def.allocator = &heap;
        GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
        GPU_VKSKIN(gpu, markerTryMesh(context, 3, false, &mesh));
        pipelines.meshes = &mesh;
        pipelines.meshCount = 1;
        faultShim.counted = FAULT_HEAP;
        VkskinResult result = vkskinCreatePipelines(context, &pipelines);
        fired = faultShim.fired;
        if (fired) {
            gpuCheckRefusal(gpu, "kernels", result, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "memory");
            failures++;
        } else {
            GPU_VKSKIN(gpu, result);
        }
        vkskinDestroyContext(context);
        assert_int_equal(faultShim.heapAlive, 0);
    }
    assert_true(failures > 0);
    print_message("%u failures\n", failures);
}

/* After all others: what no scenario comes to has not been seen to fail. */
static void everyFunctionWasMet(void **state) {
    (void)state;
    for (uint32_t function = 0; function < FAULT_FUNCTION_COUNT; function++) {
        if ((everMet & FAULT_BIT(function)) == 0) {
            fail_msg("no scenario calls %s", faultFunctionName((FaultFunction)function));
        }
    }
}

#define FAULT_TEST(function) cmocka_unit_test_setup_teardown(function, gpuTestSetup, tellWhere)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(shimKnowsEveryFunction),
        FAULT_TEST(everyCallFails),
        FAULT_TEST(everyCallFailsInHostMemory),
        FAULT_TEST(everyKernelFails),
        FAULT_TEST(everyNameFails),
        FAULT_TEST(everyHeapAllocationFails),
        FAULT_TEST(everyCallFailsOnTheCpu),
        FAULT_TEST(heapRunsOutForTheDriversKernels),
        cmocka_unit_test(everyFunctionWasMet),
    };
    return gpuRunTests("driver faults", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
