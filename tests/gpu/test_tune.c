/*
 * Tuning: with made-up times the fastest settings are found; the result of real times is accepted; bad defs, bad runs and
 * every failing call have a named error and leave nothing over. The interposer counts objects and reuses kernels.
 */
#include <time.h>

#include "interposer.h"

/* ---- What is tuned, and what the driver sees of it ---- */

/* With these counts each pair of settings has a different number of workgroups. */
#define TUNE_VERTICES  997u
#define TUNE_INSTANCES 33u
#define TUNE_ROUNDS    3u

/* Bytes of the largest palette page that texels can view: the palettes of one trial, not of two. */
#define TUNE_TEXEL_PAGE 2048u
#define TUNE_MOST_SETS  64u

/* The settings on trial, as the driver sees them. */
typedef struct TuneSettings {
    VkskinPaletteBinding binding;
    uint32_t instancesPerThread;
    uint32_t workgroupSize;
    uint32_t posing; /* VkskinCrowdPosing */
} TuneSettings;

/* Global, because Vulkan's functions carry no user pointer. */
typedef struct TuneWatch {
    Gpu *gpu;
    TuneSettings wanted;
    uint32_t kernelSets;                       /* made so far */
    uint32_t skinningSets;                     /* kernelSets without the two that pose, which come last */
    uint32_t runs, runsSince;                  /* in total; since the last kernels */
    VkDescriptorSet texelSets[TUNE_MOST_SETS]; /* with a view of palettes */
    uint32_t texelSetCount;
    uint32_t skinningCalls; /* counted calls up to the last run that skins */
    bool texels;            /* by the last recording */
    uint32_t groups;
    PFN_vkCreateComputePipelines makeKernels; /* the interposer's */
} TuneWatch;

static TuneWatch tuneWatch;

typedef void (*TuneRecordFn)(void *recordData, VkCommandBuffer commandBuffer);

/* A def and what it points to. */
typedef struct Tune {
    VkskinVulkanFunctions functions;
    VkskinContextDef context;
    VkskinMeshDef mesh;
    VkskinTuneDef def;
} Tune;

#define PALETTE_SET 2u /* the kernels' descriptor set of palettes */

/* ---- Calls into the driver ---- */

static VKAPI_ATTR VkResult VKAPI_CALL seeKernels(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                 const VkComputePipelineCreateInfo *infos,
                                                 const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    tuneWatch.kernelSets++;
    tuneWatch.runsSince = 0;
    return tuneWatch.makeKernels(device, cache, count, infos, allocator, pipelines);
}

static void forgetSet(VkDescriptorSet set) {
    for (uint32_t i = 0; i < tuneWatch.texelSetCount; i++) {
        if (tuneWatch.texelSets[i] == set) {
            tuneWatch.texelSets[i--] = tuneWatch.texelSets[--tuneWatch.texelSetCount];
        }
    }
}

/* The page length identifies sets of palettes read as texels: it is the largest that a view may have. Handles are
 * reused. */
static VKAPI_ATTR void VKAPI_CALL seeSets(VkDevice device, uint32_t count, const VkWriteDescriptorSet *writes,
                                          uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    for (uint32_t i = 0; i < count; i++) {
        if (writes[i].descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
            forgetSet(writes[i].dstSet);
            if (writes[i].pBufferInfo->range == TUNE_TEXEL_PAGE) {
                assert_true(tuneWatch.texelSetCount < TUNE_MOST_SETS);
                tuneWatch.texelSets[tuneWatch.texelSetCount++] = writes[i].dstSet;
            }
        }
    }
    vkUpdateDescriptorSets(device, count, writes, copyCount, copies);
}

static VKAPI_ATTR void VKAPI_CALL seeBinding(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                             VkPipelineLayout layout, uint32_t first, uint32_t count,
                                             const VkDescriptorSet *sets, uint32_t offsetCount,
                                             const uint32_t *offsets) {
    tuneWatch.texels = false;
    for (uint32_t i = 0; i < tuneWatch.texelSetCount; i++) {
        tuneWatch.texels = tuneWatch.texels || sets[PALETTE_SET] == tuneWatch.texelSets[i];
    }
    vkCmdBindDescriptorSets(commandBuffer, point, layout, first, count, sets, offsetCount, offsets);
}

static VKAPI_ATTR void VKAPI_CALL seeDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    tuneWatch.groups += x * y * z;
    vkCmdDispatch(commandBuffer, x, y, z);
}

/* Starts to record the driver's calls. */
static VkskinVulkanFunctions startWatch(Gpu *gpu, TuneSettings wanted) {
    interposerBegin(gpu);
    VkskinVulkanFunctions functions = interposerFunctions();
    tuneWatch = (TuneWatch){.gpu = gpu, .wanted = wanted, .makeKernels = functions.vkCreateComputePipelines};
    functions.vkCreateComputePipelines = seeKernels;
    functions.vkUpdateDescriptorSets = seeSets;
    functions.vkCmdBindDescriptorSets = seeBinding;
    functions.vkCmdDispatch = seeDispatch;
    return functions;
}

static void tuneCheckNothingIsLeft(void) {
    interposerEnd();
    assert_int_equal(interposer.heap.blocks, 0);
}

/* ---- The tuning ---- */

static VkskinMeshDef tuneMeshDef(uint32_t vertexCount, uint32_t boneCount) {
    static float positions[TUNE_VERTICES][3], weights[TUNE_VERTICES];
    static uint16_t joints[TUNE_VERTICES];
    assert_true(vertexCount <= TUNE_VERTICES);
    for (uint32_t v = 0; v < TUNE_VERTICES; v++) {
        positions[v][0] = (float)v;
        weights[v] = 1.0f;
    }
    return meshDefOf(vertexCount, boneCount, 1, positions[0], joints, weights);
}

static void tuneStart(Gpu *gpu, TuneSettings wanted, VkskinRunFn run, Tune *tune) {
    *tune = (Tune){.functions = startWatch(gpu, wanted), .mesh = tuneMeshDef(TUNE_VERTICES, 1)};
    tune->context = gpuContextDef(gpu);
    tune->context.functions = &tune->functions;
    /* A view has room for the palettes of one trial, not of the two for which a context has pages. */
    interposer.limits.maxTexelBufferElements = TUNE_TEXEL_PAGE / 16;
    tune->context.memory.pageSize = 65536;
    tune->def = vkskinDefaultTuneDef();
    tune->def.context = &tune->context;
    tune->def.mesh = &tune->mesh;
    tune->def.instances = TUNE_INSTANCES;
    tune->def.rounds = TUNE_ROUNDS;
    tune->def.run = run;
    tune->def.runUser = tune;
}

static void tuneRecordAndRun(TuneRecordFn record, void *recordData) {
    tuneWatch.groups = 0;
    VkCommandBuffer commandBuffer = gpuBegin(tuneWatch.gpu);
    record(recordData, commandBuffer);
    gpuSubmitAndWait(tuneWatch.gpu, commandBuffer);
}

/* ---- Good tunings ---- */

#define COUNTED_ROUND 1u /* round of TUNE_ROUNDS in which the wanted setting is fast */

static const uint32_t perThread[] = {1, 4, 8, 16, 32};
static const uint32_t workgroups[] = {32, 64, 128, 256};

/* The settings of a context that gets these; null: the device's default settings. */
static VkskinTuning settled(Gpu *gpu, const VkskinTuning *given) {
    VkskinTuning tuning;
    VkskinContextDef def = gpuContextDef(gpu);
    def.tuning = given;
    GPU_VKSKIN(gpu, vkskinGetTuning(gpuContext(gpu, &def), &tuning));
    return tuning;
}

static void checkAccepted(Gpu *gpu, const VkskinTuning *tuning) {
    VkskinTuning back = settled(gpu, tuning);
    assert_memory_equal(&back, tuning, sizeof back);
}

/* ---- Made-up times ---- */

/* A thread skins a vertex of so many instances, and groups are full but the last. */
static TuneSettings settingsSeen(void) {
    for (size_t k = 0; k < COUNT_OF(perThread); k++) {
        for (size_t w = 0; w < COUNT_OF(workgroups); w++) {
            uint32_t threads = (TUNE_INSTANCES + perThread[k] - 1) / perThread[k] * TUNE_VERTICES;
            if ((threads + workgroups[w] - 1) / workgroups[w] == tuneWatch.groups) {
                VkskinPaletteBinding binding =
                    tuneWatch.texels ? VKSKIN_PALETTE_BINDING_TEXELS : VKSKIN_PALETTE_BINDING_STORAGE;
                return (TuneSettings){binding, perThread[k], workgroups[w], 0};
            }
        }
    }
    fail_msg("%u groups: of no settings that are tried", tuneWatch.groups);
    return (TuneSettings){VKSKIN_PALETTE_BINDING_AUTO, 0, 0, 0};
}

/* Duration of a pose run: the first run of each kernel, which does not count, is the fastest. */
static double madeUpPoseTime(void) {
    const uint32_t seen = tuneWatch.groups == TUNE_INSTANCES ? VKSKIN_CROWD_POSING_GROUP : VKSKIN_CROWD_POSING_THREAD;
    const uint32_t met = seen == tuneWatch.wanted.posing;
    assert_true(tuneWatch.groups == TUNE_INSTANCES || tuneWatch.groups == 1);
    if (tuneWatch.runsSince < 2) {
        return 0.003 - 0.001 * (1 - met);
    }
    return (tuneWatch.runsSince - 2) / 2 == COUNTED_ROUND ? 4.0 - met : 10.0 + met;
}

/*
 * The more of the wanted settings, the faster, but only in one round and only by its fastest time: before and after,
 * they are the slower. The first run with kernels, which does not count, is the fastest of all.
 */
static double madeUpTime(void) {
    if (tuneWatch.kernelSets > tuneWatch.skinningSets) {
        return madeUpPoseTime();
    }
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
    VkskinTuning tuning, expected = settled(gpu, NULL);
    uint32_t most = mostInvocations(&gpu->properties.limits);
    expected.paletteBinding = wanted.binding;
    expected.instancesPerThread = wanted.instancesPerThread;
    expected.workgroupSize = wanted.workgroupSize <= most ? wanted.workgroupSize : expected.workgroupSize;
    expected.crowdPosing = wanted.posing;
    tuneStart(gpu, wanted, runMadeUp, &tune);
    tuneWatch.skinningSets = settingsTried(most);
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    assert_memory_equal(&tuning, &expected, sizeof tuning);
    assert_int_equal(tuneWatch.kernelSets, tuneWatch.skinningSets + 2);
    assert_int_equal(tuneWatch.runs, 1 + (tuneWatch.skinningSets - 1) * (1 + 2 * TUNE_ROUNDS) + 2 * (1 + TUNE_ROUNDS));
    tuneCheckNothingIsLeft();
    checkAccepted(gpu, &tuning);
}

GPU_TEST(fastestIsFound) {
    static const TuneSettings wanted[] = {
        {VKSKIN_PALETTE_BINDING_STORAGE, 1, 32, VKSKIN_CROWD_POSING_GROUP},
        {VKSKIN_PALETTE_BINDING_TEXELS, 16, 256, VKSKIN_CROWD_POSING_THREAD},
        {VKSKIN_PALETTE_BINDING_TEXELS, 4, 64, VKSKIN_CROWD_POSING_GROUP},
    };
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        checkFound(gpu, wanted[i]);
    }
}

/* Fields of the host's context def that tuning ignores. */
GPU_TEST(hostsOwnFieldsDoNotMatter) {
    const TuneSettings wanted = {VKSKIN_PALETTE_BINDING_STORAGE, 1, 32, VKSKIN_CROWD_POSING_GROUP};
    const VkskinTuning stale = {0};
    VkskinTuning tuning;
    Tune tune;
    tuneStart(gpu, wanted, runMadeUp, &tune);
    tune.context.backend = VKSKIN_BACKEND_CPU;
    tune.context.paletteBinding = VKSKIN_PALETTE_BINDING_TEXELS;
    tune.context.barriers = VKSKIN_BARRIERS_HOST;
    tune.context.framesInFlight = tune.context.outputRegions = 3;
    tune.context.memory.maxInstances = 1;
    tune.context.memory.paletteBytesPerFrame = 64;
    tune.context.tuning = &stale;
    tuneWatch.skinningSets = settingsTried(mostInvocations(&gpu->properties.limits));
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    assert_int_equal(tuning.paletteBinding, wanted.binding);
    assert_int_equal(tuning.instancesPerThread, wanted.instancesPerThread);
    assert_int_equal(tuning.workgroupSize, wanted.workgroupSize);
    assert_int_equal(tuning.crowdPosing, wanted.posing);
    tuneCheckNothingIsLeft();
}

/* ---- Limits of a device ---- */

#define FEW_BONES (TUNE_TEXEL_PAGE / 48) /* as many as fit */

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
    interposer.limits.maxComputeWorkGroupInvocations = 128;
    tune.mesh = tuneMeshDef(3, boneCount);
    tune.def.instances = 1;
    tune.def.rounds = 1;
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    assert_int_equal(tuning.paletteBinding, texels ? VKSKIN_PALETTE_BINDING_TEXELS : VKSKIN_PALETTE_BINDING_STORAGE);
    assert_int_equal(tuneWatch.kernelSets, settingsTried(128) - !texels + 2);
    tuneCheckNothingIsLeft();
}

GPU_TEST(limitsAreKept) {
    checkPalette(gpu, FEW_BONES, true);
    checkPalette(gpu, FEW_BONES + 1, false);
}

/* ---- Real times ---- */

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

GPU_TEST(resultIsAccepted) {
    Tune tune;
    VkskinTuning tuning;
    tuneStart(gpu, (TuneSettings){0}, runByTheClock, &tune);
    tune.def.instances = 8;
    tune.def.rounds = 1;
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    tuneCheckNothingIsLeft();
    checkAccepted(gpu, &tuning);
}

/* ---- Bad defs ---- */

static VkResult neverRun(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    (void)user, (void)record, (void)recordData, (void)milliseconds;
    fail_msg("a bad def is run");
    return VK_ERROR_UNKNOWN;
}

/* A tuning that fails: *tuning is unchanged. */
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

GPU_TEST(badDefsAreRefused) {
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

/* Without a valid logger only the result names the error. */
GPU_TEST(badArgumentsAreRefused) {
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

/* What run does in the end, and the result that is expected. */
typedef struct BadRun {
    const char *label;
    VkResult result;
    uint32_t records; /* recordings; a second one is a frame of its own, and its commands work like the first one's */
    bool noTime;
    VkskinResult expected;
    const char *part;
} BadRun;

static const BadRun badRuns[] = {
    {"fails", VK_ERROR_DEVICE_LOST, 1, false, VKSKIN_ERROR_DEVICE_LOST, "VkskinTuneDef.run"},
    {"no time", VK_SUCCESS, 1, true, VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: run returned a time of "},
    {"does not record", VK_SUCCESS, 0, false, VKSKIN_ERROR_INVALID_VALUE,
     "vkskinTune: run called record 0 times, not once"},
    {"records twice", VK_SUCCESS, 2, false, VKSKIN_ERROR_INVALID_VALUE,
     "vkskinTune: run called record 2 times, not once"},
};

static const BadRun *badRun;
static uint32_t goodRuns; /* before the one that is bad */

static VkResult runThenBadly(void *user, TuneRecordFn record, void *recordData, double *milliseconds) {
    static const double times[] = {0.0, -1.0, (double)NAN};
    (void)user;
    bool good = tuneWatch.runs++ < goodRuns;
    for (uint32_t i = 0; i < (good ? 1 : badRun->records); i++) {
        tuneRecordAndRun(record, recordData);
    }
    *milliseconds = good || !badRun->noTime ? 1.0 : times[goodRuns % 3];
    return good ? VK_SUCCESS : badRun->result;
}

GPU_TEST(badRunsAreTold) {
    Tune tune;
    for (size_t i = 0; i < COUNT_OF(badRuns); i++) {
        badRun = &badRuns[i];
        /* The first of all; a challenger's first; the champion's and the challenger's that count. */
        for (goodRuns = 0; goodRuns < 4; goodRuns++) {
            tuneStart(gpu, (TuneSettings){0}, runThenBadly, &tune);
            gpuCheckRefusal(gpu, badRun->label, tuneInVain(&tune.def), badRun->expected, badRun->part);
            assert_int_equal(tuneWatch.runs, goodRuns + 1);
        }
    }
}

/* The mesh that is taken where the host has none, too, is skinned and gone. */
GPU_TEST(ownMeshIsSkinned) {
    Tune tune;
    badRun = &badRuns[0];
    goodRuns = 0;
    tuneStart(gpu, (TuneSettings){0}, runThenBadly, &tune);
    tune.def.mesh = NULL;
    tune.def.instances = 8;
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
    if (tuneWatch.kernelSets <= tuneWatch.skinningSets) {
        tuneWatch.skinningCalls = interposer.calls;
    }
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
static void failAt(Gpu *gpu, const VkAllocationCallbacks *heap, uint32_t call) {
    Tune tune;
    startFaultyTune(gpu, heap, call, &tune);
    VkskinResult result = tuneInVain(&tune.def);
    gpuCheckRefusal(gpu, faultFunctionName(interposer.met[call]), result, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                    faultFunctionName(interposer.met[call]));
    assert_true(interposer.fired);
}

/* Calls for trials are alike, and each needs a tuning of its own: every third, and every ninth for poses, is tested. */
#define TRIAL_STEP 3u
#define POSE_STEP  9u

GPU_TEST(everyCallFails) {
    enum { CONTEXTS = 1 };
    const VkAllocationCallbacks heap = interposerHeap();
    Tune tune;
    VkskinTuning tuning;
    startSmallTune(gpu, &tune);
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    startFaultyTune(gpu, &heap, FAULT_NEVER, &tune);
    tuneWatch.skinningSets = settingsTried(mostInvocations(&gpu->properties.limits));
    GPU_VKSKIN(gpu, vkskinTune(&tune.def, &tuning));
    const uint32_t skinningCalls = tuneWatch.skinningCalls, calls = interposer.calls, step = gpuFaultStep(gpu);
    tuneCheckNothingIsLeft();
    uint32_t failed = 0;
    do {
        failAt(gpu, &heap, failed);
        failed += TRIAL_STEP * step;
    } while (tuneWatch.kernelSets <= CONTEXTS);
    assert_true(calls > skinningCalls + 20);
    for (uint32_t call = skinningCalls; call < calls; call += POSE_STEP * step) {
        failAt(gpu, &heap, call);
    }
}
