/*
 * Tuning that fails: bad defs, bad runs and every call that may fail are told by name, and nothing is left over.
 */
#include <math.h>
#include <string.h>

#include "tune_watch.h"

/* ---- Bad defs ---- */

static VkResult neverRun(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user, (void)record, (void)recordData, (void)milliseconds;
    fail_msg("a bad def is run");
    return VK_ERROR_UNKNOWN;
}

/* Tunes in vain: what is to receive the settings stays as it was. */
static VkskinResult tuneInVain(const VkskinTuneDef *def) {
    VkskinTuning tuning, before;
    memset(&tuning, 0x5c, sizeof tuning);
    before = tuning;
    VkskinResult result = vkskinTune(def, &tuning);
    assert_memory_equal(&tuning, &before, sizeof tuning);
    tuneCheckNothingIsLeft();
    return result;
}

/* Changes a right def. Tuning must be refused. */
#define REFUSED(expected, part, ...)                                                                                   \
    do {                                                                                                               \
        tuneStart(gpu, (TuneSettings){0}, neverRun, &tune);                                                            \
        __VA_ARGS__;                                                                                                   \
        gpuCheckRefusal(gpu, #__VA_ARGS__, tuneInVain(&tune.def), (expected), (part));                                 \
    } while (0)

static void badDefsAreRefused(void **state) {
    Gpu *gpu = *state;
    Tune tune;
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "vkskinTune: run is null", tune.def.run = NULL);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: instances is 0, not in 1 to 65536", tune.def.instances = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: instances is 65537, not in 1 to 65536",
            tune.def.instances = 65537);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: rounds is 0, not in 1 to 1000", tune.def.rounds = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: rounds is 1001, not in 1 to 1000", tune.def.rounds = 1001);
    REFUSED(VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinTune: the mesh's def", tune.mesh.cookie = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: the mesh has no bones, or is flat", tune.mesh.dimensions = 2);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: the mesh has no bones, or is flat", tune.mesh.boneCount = 0);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "positions", tune.mesh.positions = NULL);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "device", tune.context.device = VK_NULL_HANDLE);
}

/* Where there is no logger to be trusted, the result says all. */
static void badArgumentsAreRefused(void **state) {
    Gpu *gpu = *state;
    Tune tune;
    tuneStart(gpu, (TuneSettings){0}, neverRun, &tune);
    assert_int_equal(vkskinTune(&tune.def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(tuneInVain(NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(tuneInVain(&(VkskinTuneDef){0}), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    tune.context.cookie = 0;
    assert_int_equal(tuneInVain(&tune.def), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    tune.def.context = NULL;
    assert_int_equal(tuneInVain(&tune.def), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(gpu->log.count, 0);
}

/* ---- Bad runs ---- */

static uint32_t goodRuns; /* before the one that is bad */

static VkResult runThenFail(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user;
    tuneRecordAndRun(record, recordData);
    *milliseconds = 1.0;
    return tuneWatch.runs++ < goodRuns ? VK_SUCCESS : VK_ERROR_DEVICE_LOST;
}

static VkResult runThenNoTime(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    static const double times[] = {0.0, -1.0, (double)NAN};
    (void)user;
    tuneRecordAndRun(record, recordData);
    *milliseconds = tuneWatch.runs < goodRuns ? 1.0 : times[goodRuns % 3];
    tuneWatch.runs++;
    return VK_SUCCESS;
}

static VkResult runThenForget(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user;
    if (tuneWatch.runs++ < goodRuns) {
        tuneRecordAndRun(record, recordData);
    }
    *milliseconds = 1.0;
    return VK_SUCCESS;
}

/* The second recording is a frame of its own, and its commands work like the first one's. */
static VkResult runThenTwice(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user;
    tuneRecordAndRun(record, recordData);
    if (tuneWatch.runs++ == goodRuns) {
        tuneRecordAndRun(record, recordData);
    }
    *milliseconds = 1.0;
    return VK_SUCCESS;
}

static void badRunsAreTold(void **state) {
    static const struct {
        const char *label;
        VkskinRunFn run;
        VkskinResult expected;
        const char *part;
    } cases[] = {
        {"fails", runThenFail, VKSKIN_ERROR_DEVICE_LOST, "VkskinTuneDef.run"},
        {"no time", runThenNoTime, VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: run returned a time of "},
        {"does not record", runThenForget, VKSKIN_ERROR_INVALID_VALUE,
         "vkskinTune: run called record 0 times, not once"},
        {"records twice", runThenTwice, VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: run called record 2 times, not once"},
    };
    Gpu *gpu = *state;
    Tune tune;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* The first of all; a challenger's first; the champion's and the challenger's that count. */
        for (goodRuns = 0; goodRuns < 4; goodRuns++) {
            tuneStart(gpu, (TuneSettings){0}, cases[i].run, &tune);
            gpuCheckRefusal(gpu, cases[i].label, tuneInVain(&tune.def), cases[i].expected, cases[i].part);
            assert_int_equal(tuneWatch.runs, goodRuns + 1);
        }
    }
}

/* The mesh that is taken where the host has none, too, is skinned and gone. */
static void ownMeshIsSkinned(void **state) {
    Gpu *gpu = *state;
    Tune tune;
    tuneStart(gpu, (TuneSettings){0}, runThenFail, &tune);
    tune.def.mesh = NULL;
    tune.def.instances = 8;
    goodRuns = 0;
    gpuCheckRefusal(gpu, "own mesh", tuneInVain(&tune.def), VKSKIN_ERROR_DEVICE_LOST, "VkskinTuneDef.run");
    assert_int_equal(tuneWatch.runs, 1);
    assert_true(tuneWatch.groups > 0);
}

/* ---- Faults ---- */

static VkResult runUnsubmitted(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user;
    VkCommandBuffer commandBuffer = gpuBegin(tuneWatch.gpu);
    record(recordData, commandBuffer);
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    vkFreeCommandBuffers(tuneWatch.gpu->device, tuneWatch.gpu->pool, 1, &commandBuffer);
    *milliseconds = 1.0;
    return VK_SUCCESS;
}

static void startSmallTune(Gpu *gpu, Tune *tune) {
    tuneStart(gpu, (TuneSettings){0}, runUnsubmitted, tune);
    tune->mesh = tuneMeshDef(3, 1);
    tune->def.instances = 2;
    tune->def.rounds = 1;
}

static void startFaultyTune(Gpu *gpu, const VkAllocationCallbacks *heap, uint32_t failAt, Tune *tune) {
    startSmallTune(gpu, tune);
    tune->context.allocator = heap;
    interposer.failAt = failAt;
    interposer.error = VK_ERROR_OUT_OF_HOST_MEMORY;
    interposer.counted = FAULT_DRIVER | FAULT_HEAP;
}

/*
 * Trials are made alike: the first, and the second beside it up to its kernels, stand for all.
 * Kernels are lent from a tuning without the heap: SwiftShader's hold on to the memory of the layout they were made with.
 */
static void everyCallFails(void **state) {
    enum { CONTEXTS = 1 };
    Gpu *gpu = *state;
    const VkAllocationCallbacks heap = interposerHeap();
    Tune tune;
    VkskinTuning tuning;
    startSmallTune(gpu, &tune);
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    startFaultyTune(gpu, &heap, FAULT_NEVER, &tune);
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    tuneCheckNothingIsLeft();
    uint32_t failures = 0;
    for (;; failures++) {
        startFaultyTune(gpu, &heap, failures, &tune);
        VkskinResult result = tuneInVain(&tune.def);
        gpuCheckRefusal(gpu, faultFunctionName(interposer.met[failures]), result, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                        faultFunctionName(interposer.met[failures]));
        assert_true(interposer.fired);
        if (tuneWatch.kernelSets > CONTEXTS) {
            break;
        }
    }
    print_message("%u failures\n", failures);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(badDefsAreRefused), GPU_TEST(badArgumentsAreRefused),
                                       GPU_TEST(badRunsAreTold), GPU_TEST(ownMeshIsSkinned), GPU_TEST(everyCallFails)};
    return gpuRunTests("bad tunes", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
