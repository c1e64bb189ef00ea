/*
 * Tuning: with times that are made up for what is seen to run, the fastest settings come out; what comes out of real
 * times is accepted.
 */
#include <math.h>
#include <time.h>

#include "tune_watch.h"

#define COUNTED_ROUND 1u /* of TUNE_ROUNDS: in which what is wanted is fast */

static const uint32_t perThread[] = {1, 4, 8, 16, 32};
static const uint32_t workgroups[] = {32, 64, 128, 256};

/* As the device is tuned where nobody tunes it. */
static VkskinTuning untuned(Gpu *gpu) {
    VkskinTuning tuning;
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = gpuContext(gpu, &def);
    GPU_VKSKIN(gpu, vkskinGetTuning(context, &tuning));
    vkskinDestroyContext(context);
    return tuning;
}

static void checkAccepted(Gpu *gpu, const VkskinTuning *tuning) {
    VkskinTuning back;
    VkskinContextDef def = gpuContextDef(gpu);
    def.tuning = tuning;
    VkskinContext context = gpuContext(gpu, &def);
    GPU_VKSKIN(gpu, vkskinGetTuning(context, &back));
    assert_memory_equal(&back, tuning, sizeof back);
    vkskinDestroyContext(context);
}

/* ---- Made-up times ---- */

/* A thread skins a vertex of so many instances, and groups are full but the last. */
static TuneSettings settingsSeen(void) {
    for (size_t k = 0; k < sizeof perThread / sizeof perThread[0]; k++) {
        for (size_t w = 0; w < sizeof workgroups / sizeof workgroups[0]; w++) {
            uint32_t threads = (TUNE_INSTANCES + perThread[k] - 1) / perThread[k] * TUNE_VERTICES;
            if ((threads + workgroups[w] - 1) / workgroups[w] == tuneWatch.groups) {
                VkskinPaletteBinding binding =
                    tuneWatch.texels ? VKSKIN_PALETTE_BINDING_TEXELS : VKSKIN_PALETTE_BINDING_STORAGE;
                return (TuneSettings){binding, perThread[k], workgroups[w]};
            }
        }
    }
    fail_msg("%u groups: of no settings that are tried", tuneWatch.groups);
    return (TuneSettings){VKSKIN_PALETTE_BINDING_AUTO, 0, 0};
}

/*
 * The more of the wanted settings, the faster, but only in one round and only by its fastest time: before and after,
 * they are the slower. The first run with kernels, which does not count, is the fastest of all.
 */
static double madeUpTime(void) {
    TuneSettings seen = settingsSeen();
    uint32_t met = (seen.binding == tuneWatch.wanted.binding) +
                   (seen.instancesPerThread == tuneWatch.wanted.instancesPerThread) +
                   (seen.workgroupSize == tuneWatch.wanted.workgroupSize);
    if (tuneWatch.runsSince == 0) {
        return 0.001;
    }
    uint32_t round = (tuneWatch.runsSince - 1) / 2;
    return round == COUNTED_ROUND ? 4.0 - met : 10.0 + met;
}

static VkResult runMadeUp(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    assert_ptr_equal(((Tune *)user)->def.runUser, user);
    tuneRecordAndRun(record, recordData);
    *milliseconds = madeUpTime();
    tuneWatch.runs++;
    tuneWatch.runsSince++;
    return VK_SUCCESS;
}

static uint32_t mostInvocations(const VkPhysicalDeviceLimits *limits) {
    return limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
               ? limits->maxComputeWorkGroupInvocations
               : limits->maxComputeWorkGroupSize[0];
}

/* The storage binding, the texels, five values, and those sizes but 64 that the device has. */
static uint32_t settingsTried(uint32_t mostInGroup) {
    return 2 + 5 + (mostInGroup >= 32) + (mostInGroup >= 128) + (mostInGroup >= 256);
}

static void checkFound(Gpu *gpu, TuneSettings wanted) {
    Tune tune;
    VkskinTuning tuning, expected = untuned(gpu);
    uint32_t most = mostInvocations(&gpu->properties.limits);
    expected.paletteBinding = wanted.binding;
    expected.instancesPerThread = wanted.instancesPerThread;
    expected.workgroupSize = wanted.workgroupSize <= most ? wanted.workgroupSize : expected.workgroupSize;
    tuneStart(gpu, wanted, runMadeUp, &tune);
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    assert_memory_equal(&tuning, &expected, sizeof tuning);
    assert_int_equal(tuneWatch.kernelSets, settingsTried(most));
    assert_int_equal(tuneWatch.runs, 1 + (tuneWatch.kernelSets - 1) * (1 + 2 * TUNE_ROUNDS));
    tuneCheckNothingIsLeft();
    checkAccepted(gpu, &tuning);
}

static void fastestIsFound(void **state) {
    static const TuneSettings wanted[] = {
        {VKSKIN_PALETTE_BINDING_STORAGE, 1, 32},
        {VKSKIN_PALETTE_BINDING_TEXELS, 16, 256},
        {VKSKIN_PALETTE_BINDING_TEXELS, 4, 64},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        checkFound(*state, wanted[i]);
    }
}

/* What a host's own contexts are made of, and tuning is not. */
static void hostsOwnFieldsDoNotMatter(void **state) {
    Gpu *gpu = *state;
    const TuneSettings wanted = {VKSKIN_PALETTE_BINDING_STORAGE, 1, 32};
    const VkskinTuning stale = {0};
    VkskinTuning tuning;
    Tune tune;
    tuneStart(gpu, wanted, runMadeUp, &tune);
    tune.context.backend = VKSKIN_BACKEND_CPU;
    tune.context.paletteBinding = VKSKIN_PALETTE_BINDING_TEXELS;
    tune.context.barriers = VKSKIN_BARRIERS_HOST;
    tune.context.framesInFlight = tune.context.outputRegions = 3;
    tune.context.maxInstances = 1;
    tune.context.paletteBytesPerFrame = 64;
    tune.context.tuning = &stale;
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    assert_int_equal(tuning.paletteBinding, wanted.binding);
    assert_int_equal(tuning.instancesPerThread, wanted.instancesPerThread);
    assert_int_equal(tuning.workgroupSize, wanted.workgroupSize);
    tuneCheckNothingIsLeft();
}

/* ---- Limits of a device ---- */

#define FEW_BONES (TUNE_TEXEL_PAGE / 48) /* as many as fit */

static VKAPI_ATTR void VKAPI_CALL leastLimits(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits.maxTexelBufferElements = TUNE_TEXEL_PAGE / 16;
    properties->limits.maxComputeWorkGroupInvocations = 128;
}

static VkResult runForTexels(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user;
    tuneRecordAndRun(record, recordData);
    *milliseconds = tuneWatch.texels ? 1.0 : 2.0;
    return VK_SUCCESS;
}

static void checkPalette(Gpu *gpu, uint32_t boneCount, bool texels) {
    Tune tune;
    VkskinTuning tuning;
    tuneStart(gpu, (TuneSettings){0}, runForTexels, &tune);
    tune.functions.vkGetPhysicalDeviceProperties = leastLimits;
    tune.mesh = tuneMeshDef(3, boneCount);
    tune.def.instances = 1;
    tune.def.rounds = 1;
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    assert_int_equal(tuning.paletteBinding, texels ? VKSKIN_PALETTE_BINDING_TEXELS : VKSKIN_PALETTE_BINDING_STORAGE);
    assert_int_equal(tuneWatch.kernelSets, settingsTried(128) - !texels);
    tuneCheckNothingIsLeft();
}

static void limitsAreKept(void **state) {
    checkPalette(*state, FEW_BONES, true);
    checkPalette(*state, FEW_BONES + 1, false);
}

/* ---- In earnest ---- */

static double now(void) {
    struct timespec time;
    assert_int_equal(timespec_get(&time, TIME_UTC), TIME_UTC);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static VkResult runByTheClock(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user;
    double start = now();
    tuneRecordAndRun(record, recordData);
    *milliseconds = fmax(now() - start, 1e-3); /* that clock may be set back */
    return VK_SUCCESS;
}

static void resultIsAccepted(void **state) {
    Gpu *gpu = *state;
    Tune tune;
    VkskinTuning tuning;
    tuneStart(gpu, (TuneSettings){0}, runByTheClock, &tune);
    tune.def.instances = 8;
    tune.def.rounds = 1;
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    tuneCheckNothingIsLeft();
    checkAccepted(gpu, &tuning);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(fastestIsFound), GPU_TEST(hostsOwnFieldsDoNotMatter),
                                       GPU_TEST(limitsAreKept), GPU_TEST(resultIsAccepted)};
    return gpuRunTests("tune", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
