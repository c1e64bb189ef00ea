#include "scenario.h"

#include <math.h>
#include <string.h>

#include "marker.h"
#include "random.h"

#define INSTANCES      3
#define MORPHS         2
#define HALF_MESH      2100 /* vertices of which a page holds the source once: what is left behind takes a page more */
#define LARGE_MESH     6000 /* vertices that need a page of their own */
#define READBACK_BYTES (12 * LARGE_MESH)
#define MORPHED        0  /* which mesh has morph targets and centres */
#define MORPHED_MESH   50 /* its vertices */
#define MANY           17 /* more than the library's tables hold at first: they grow */
#define MANY_PAGES     9

typedef struct Scenario {
    Gpu *gpu;
    ScenarioKind kind;
    bool lost; /* the device is: nothing more is asked of the context */
    VkskinContext context;
    VkskinMesh meshes[INSTANCES];
    uint32_t vertexCounts[INSTANCES];
    VkskinInstance instances[INSTANCES];
    VkskinMethod methods[INSTANCES];
    VkCommandBuffer commandBuffer;
    GpuBuffer readback; /* positions, room for the largest mesh an instance */
    uint32_t frame;     /* 1 up */
} Scenario;

/* What counts as a call in the frames of each kind, and in the making of kernels. */
static const struct {
    uint32_t frames, kernels;
} counted[SCENARIO_COUNT] = {
    [SCENARIO_FRAMES] = {FAULT_DRIVER, 0},      [SCENARIO_HOST_MEMORY] = {FAULT_DRIVER, 0},
    [SCENARIO_KERNELS] = {0, FAULT_DRIVER},     [SCENARIO_NAMES] = {FAULT_NAMES, FAULT_NAMES},
    [SCENARIO_HEAP] = {FAULT_HEAP, FAULT_HEAP}, [SCENARIO_CPU] = {FAULT_DRIVER | FAULT_HEAP, FAULT_DRIVER | FAULT_HEAP},
};

static bool twoMethods(const Scenario *scenario) {
    return counted[scenario->kind].kernels != 0;
}

/* ---- One call, which may fail ---- */

static VkskinResult expectedResult(VkResult error) {
    switch (error) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        return VKSKIN_ERROR_DEVICE_LOST;
    default:
        return VKSKIN_ERROR_VULKAN;
    }
}

/* The work is done, and what failed beside it is told once. */
static void checkTold(const GpuLog *log, VkskinResult result, const char *name) {
    if (result != VKSKIN_SUCCESS || log->count != 1 || log->last != expectedResult(faultShim.error) ||
        strstr(log->lastText, name) == NULL) {
        fail_msg("%s: %s, told %u times, last: '%s'", name, vkskinResultName(result), log->count, log->lastText);
    }
}

/* The drivers of the tests have one memory type: with a second the library would try that where the first is full. */
typedef VkskinResult (*StepFn)(Scenario *scenario, uint32_t which);

static void take(Scenario *scenario, StepFn step, uint32_t which) {
    Gpu *gpu = scenario->gpu;
    if (scenario->lost) {
        return;
    }
    bool firedBefore = faultShim.fired;
    gpu->log.count = 0;
    VkskinResult result = step(scenario, which);
    if (firedBefore || !faultShim.fired) {
        GPU_VKSKIN(gpu, result);
        return;
    }
    const char *name = faultFunctionName(faultShim.met[faultShim.failAt]);
    if (faultShim.met[faultShim.failAt] == FAULT_SetDebugUtilsObjectNameEXT) {
        checkTold(&gpu->log, result, name);
        return;
    }
    gpuCheckRefusal(gpu, name, result, expectedResult(faultShim.error), name);
    scenario->lost = faultShim.error == VK_ERROR_DEVICE_LOST;
    if (!scenario->lost) {
        GPU_VKSKIN(gpu, step(scenario, which));
    }
}

/* ---- Steps ---- */

/* What a context's def points to, which lives for the call. */
typedef struct ContextParts {
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    VkAllocationCallbacks heap;
} ContextParts;

static VkskinContextDef contextDef(Scenario *scenario, ContextParts *parts) {
    *parts = (ContextParts){faultShimFunctions(scenario->gpu), faultShimMemory(scenario->gpu), faultShimHeap()};
    VkskinContextDef def = gpuContextDef(scenario->gpu);
    def.functions = &parts->functions;
    bool cpu = scenario->kind == SCENARIO_CPU;
    def.backend = cpu ? VKSKIN_BACKEND_CPU : VKSKIN_BACKEND_COMPUTE;
    def.memory = cpu || scenario->kind == SCENARIO_HOST_MEMORY ? &parts->memory : NULL;
    def.allocator = cpu || scenario->kind == SCENARIO_HEAP ? &parts->heap : NULL;
    def.debugUtils = scenario->kind == SCENARIO_NAMES;
    def.paletteMemory = VKSKIN_PALETTE_MEMORY_STAGED;
    def.pageSize = 64 * 1024;
    def.paletteBytesPerFrame = 64 * 1024;
    def.maxInstances = 16;
    return def;
}

static VkskinResult createContext(Scenario *scenario, uint32_t which) {
    ContextParts parts;
    VkskinContextDef def = contextDef(scenario, &parts);
    uint32_t objects = faultShim.aliveCount;
    int64_t pieces = faultShim.heapAlive;
    (void)which;
    scenario->context = (VkskinContext)(uintptr_t)1;
    VkskinResult result = vkskinCreateContext(&def, &scenario->context);
    if (result < 0) {
        assert_null(scenario->context);
        assert_int_equal(faultShim.aliveCount, objects); /* nothing is left over */
        assert_int_equal(faultShim.heapAlive, pieces);
    }
    return result;
}

/* A context beside the other, for two queue families, which comes and goes. */
static VkskinResult visitTwoFamilies(Scenario *scenario, uint32_t which) {
    ContextParts parts;
    VkskinContextDef def = contextDef(scenario, &parts);
    uint32_t objects = faultShim.aliveCount;
    int64_t pieces = faultShim.heapAlive;
    VkskinContext context = (VkskinContext)(uintptr_t)1;
    (void)which;
    parts.functions.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies;
    def.graphicsQueueFamily = def.computeQueueFamily + 1;
    def.outputRegions = def.framesInFlight;
    VkskinResult result = vkskinCreateContext(&def, &context);
    assert_true((result < 0) == (context == NULL));
    vkskinDestroyContext(context);
    assert_int_equal(faultShim.aliveCount, objects);
    assert_int_equal(faultShim.heapAlive, pieces);
    return result;
}

/* All kernels that there are, as all meshes have vertices alike. */
static VkskinResult createPipelines(Scenario *scenario, uint32_t which) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.cache = scenario->gpu->cache;
    def.methods = GPU_LINEAR_BLEND | (twoMethods(scenario) ? VKSKIN_METHOD_DUAL_QUATERNION_BIT : 0);
    def.meshes = &scenario->meshes[which];
    def.meshCount = 1;
    return vkskinCreatePipelines(scenario->context, &def);
}

/* A marker mesh, two targets of which each move every vertex by 1 along z, before the bones and after. */
static VkskinResult createMorphedMesh(VkskinContext context, VkskinMesh *mesh) {
    static const uint32_t triangle[3] = {0, 1, 2};
    static float positions[MORPHED_MESH][3], weights[MORPHED_MESH], deltas[MORPHED_MESH][3];
    static uint8_t joints[MORPHED_MESH];
    unsigned char centres[32 + 12 * MORPHED_MESH];
    for (uint32_t v = 0; v < MORPHED_MESH; v++) {
        positions[v][0] = (float)v;
        weights[v] = 1.0f;
        deltas[v][2] = 1.0f;
    }
    const VkskinMorphTarget targets[MORPHS] = {
        {.vertexCount = MORPHED_MESH, .positions = deltas[0]},
        {.vertexCount = MORPHED_MESH, .positions = deltas[0], .afterSkinning = true},
    };
    VkskinSurfaceDef surface = vkskinDefaultSurfaceDef();
    surface.vertexCount = MORPHED_MESH;
    surface.boneCount = 1;
    surface.positions = positions[0];
    surface.influencesPerVertex = 1;
    surface.jointFormat = VKSKIN_JOINTS_U8;
    surface.joints = joints;
    surface.weights = weights;
    surface.indexCount = 3;
    surface.indices = triangle;
    assert_int_equal(vkskinComputeCentres(&surface, centres, sizeof centres), VKSKIN_SUCCESS);
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = MORPHED_MESH;
    def.boneCount = 1;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    def.morphTargets = targets;
    def.morphTargetCount = MORPHS;
    def.centres = centres;
    def.centresSize = sizeof centres;
    return vkskinCreateMesh(context, &def, mesh);
}

static VkskinResult createMesh(Scenario *scenario, uint32_t which) {
    scenario->meshes[which] = (VkskinMesh){7, 7};
    VkskinResult result = which == MORPHED ? createMorphedMesh(scenario->context, &scenario->meshes[which])
                                           : markerTryMesh(scenario->context, scenario->vertexCounts[which], which == 1,
                                                           &scenario->meshes[which]);
    if (result < 0) {
        assert_int_equal(scenario->meshes[which].index, 0);
        assert_int_equal(scenario->meshes[which].generation, 0);
    }
    return result;
}

static VkskinResult createInstance(Scenario *scenario, uint32_t which) {
    scenario->instances[which] = (VkskinInstance){7, 7};
    VkskinResult result = instanceOf(scenario->context, scenario->meshes[which], &scenario->instances[which]);
    if (result < 0) {
        assert_int_equal(scenario->instances[which].index, 0);
        assert_int_equal(scenario->instances[which].generation, 0);
    }
    return result;
}

/* One of many, which nobody skins. */
static VkskinResult addMesh(Scenario *scenario, uint32_t which) {
    VkskinMesh mesh;
    return markerTryMesh(scenario->context, 1 + which, false, &mesh);
}

static VkskinResult addInstance(Scenario *scenario, uint32_t which) {
    VkskinInstance instance;
    return instanceOf(scenario->context, scenario->meshes[which], &instance);
}

static VkskinResult destroyInstance(Scenario *scenario, uint32_t which) {
    return vkskinDestroyInstance(scenario->context, scenario->instances[which]);
}

static VkskinResult destroyMesh(Scenario *scenario, uint32_t which) {
    return vkskinDestroyMesh(scenario->context, scenario->meshes[which]);
}

static VkskinResult beginFrame(Scenario *scenario, uint32_t slot) {
    return vkskinBeginFrame(scenario->context, slot);
}

static float markOf(const Scenario *scenario, uint32_t which) {
    return (float)(100 * scenario->frame + which);
}

static VkskinResult skin(Scenario *scenario, uint32_t which) {
    static const float noRotation[4] = {0, 0, 0, 1};
    const float morphWeights[MORPHS] = {0.5f, 1.0f};
    const float translation[3] = {0, markOf(scenario, which), which == MORPHED ? 1.5f : 3.0f};
    VkskinSkinCommand command = {.instance = scenario->instances[which],
                                 .method = scenario->methods[which],
                                 .morphWeights = morphWeights,
                                 .morphWeightCount = which == MORPHED ? MORPHS : 0};
    void *data = NULL;
    VkskinResult result =
        vkskinAllocatePalette(scenario->context, vkskinMethodEncoding(command.method), 1, &command.palette, &data);
    if (result < 0) {
        return result;
    }
    if (command.method == VKSKIN_METHOD_DUAL_QUATERNION) {
        dualQuaternionEntry(noRotation, translation, data);
    } else {
        markerWrite(data, translation[1], translation[2]);
    }
    return vkskinSkinInstances(scenario->context, &command, 1);
}

static VkskinResult beginScope(Scenario *scenario, uint32_t which) {
    (void)which;
    return vkskinBeginScope(scenario->context, scenario->commandBuffer, "all");
}

static VkskinResult endScope(Scenario *scenario, uint32_t which) {
    (void)which;
    return vkskinEndScope(scenario->context, scenario->commandBuffer, "all");
}

static VkskinResult recordUploads(Scenario *scenario, uint32_t which) {
    (void)which;
    return vkskinRecordUploads(scenario->context, scenario->commandBuffer);
}

static VkskinResult recordSkinning(Scenario *scenario, uint32_t which) {
    (void)which;
    return vkskinRecordSkinning(scenario->context, scenario->commandBuffer);
}

/* The frame that has just become known, with its three scopes. */
static VkskinResult getTimings(Scenario *scenario, uint32_t which) {
    VkskinTiming timings[8];
    uint32_t count = 8;
    uint64_t frame = 0;
    VkskinTimestampSupport support = VKSKIN_TIMESTAMPS_NONE;
    (void)which;
    VkskinResult result = vkskinGetTimings(scenario->context, timings, &count, &frame, &support);
    if (result >= 0 && support == VKSKIN_TIMESTAMPS_SUPPORTED) {
        assert_int_equal(frame, scenario->frame - 2);
        assert_int_equal(count, scenario->kind == SCENARIO_CPU ? 1 : 3); /* the library's own are of what it records */
    }
    return result;
}

/* ---- Frames ---- */

static void recordReadback(Scenario *scenario, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        VkskinOutput output;
        GPU_VKSKIN(scenario->gpu, vkskinGetOutput(scenario->context, scenario->instances[i], &output));
        assert_int_equal(output.vertexCount, scenario->vertexCounts[i]);
        VkBufferCopy region = {output.positionOffset, i * (VkDeviceSize)READBACK_BYTES, 12u * output.vertexCount};
        vkCmdCopyBuffer(scenario->commandBuffer, output.buffer, scenario->readback.buffer, 1, &region);
    }
    gpuBarrier(scenario->commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
               VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static void checkOutput(const Scenario *scenario, uint32_t which) {
    const float *positions =
        (const float *)(const void *)((const char *)scenario->readback.mapped + which * (size_t)READBACK_BYTES);
    uint32_t wrong = 0;
    for (uint32_t v = 0; v < scenario->vertexCounts[which]; v++) {
        const float *p = &positions[3 * (size_t)v];
        /* Dual quaternions are normalised, not always exactly. */
        wrong += !(fabsf(p[0] - (float)v) < 1e-2f && fabsf(p[1] - markOf(scenario, which)) < 1e-2f &&
                   fabsf(p[2] - 3.0f) < 1e-2f);
    }
    assert_int_equal(wrong, 0);
}

/* Skins the first `count` instances, and looks at what came out. */
static void runFrame(Scenario *scenario, uint32_t count) {
    scenario->commandBuffer = gpuBegin(scenario->gpu);
    for (uint32_t i = 0; i < count; i++) {
        take(scenario, skin, i);
    }
    take(scenario, beginScope, 0);
    if (scenario->frame == 1) {
        take(scenario, recordUploads, 0); /* in the other frames it comes with the skinning */
    }
    take(scenario, recordSkinning, 0);
    take(scenario, endScope, 0);
    if (scenario->lost) {
        vkFreeCommandBuffers(scenario->gpu->device, scenario->gpu->pool, 1, &scenario->commandBuffer);
        return;
    }
    recordReadback(scenario, count);
    gpuSubmitAndWait(scenario->gpu, scenario->commandBuffer);
    for (uint32_t i = 0; i < count; i++) {
        checkOutput(scenario, i);
    }
}

static void nextFrame(Scenario *scenario) {
    scenario->frame++;
    take(scenario, beginFrame, (scenario->frame - 1) % 2);
}

static void makeKernels(Scenario *scenario, uint32_t which) {
    faultShim.counted = counted[scenario->kind].kernels;
    take(scenario, createPipelines, which);
    faultShim.counted = counted[scenario->kind].frames;
}

static void firstFrame(Scenario *scenario) {
    take(scenario, createMesh, 0);
    makeKernels(scenario, 0);
    take(scenario, createInstance, 0);
    nextFrame(scenario);
    runFrame(scenario, 1);
}

static void secondFrame(Scenario *scenario) {
    take(scenario, createMesh, 1);
    take(scenario, createInstance, 1);
    nextFrame(scenario);
    runFrame(scenario, 2);
}

/* The second mesh goes and comes back; a third is larger than a page. */
static void thirdFrame(Scenario *scenario) {
    nextFrame(scenario);
    take(scenario, getTimings, 0);
    take(scenario, destroyInstance, 1);
    take(scenario, destroyMesh, 1);
    take(scenario, createMesh, 1);
    take(scenario, createInstance, 1);
    take(scenario, createMesh, 2);
    take(scenario, createInstance, 2);
    runFrame(scenario, 3);
}

/* Meshes and pages until every table of them has grown; their uploads go with a frame. */
static void growTables(Scenario *scenario) {
    take(scenario, visitTwoFamilies, 0);
    nextFrame(scenario);
    for (uint32_t i = 0; i < MANY; i++) {
        take(scenario, addMesh, i);
    }
    for (uint32_t i = 0; i < MANY_PAGES; i++) {
        take(scenario, addInstance, 2);
    }
    runFrame(scenario, 3);
}

void scenarioRun(Gpu *gpu, ScenarioKind kind, VkskinStats *stats) {
    Scenario scenario = {.gpu = gpu, .kind = kind, .vertexCounts = {MORPHED_MESH, HALF_MESH, LARGE_MESH}};
    *stats = (VkskinStats){0};
    scenario.readback = gpuBuffer(gpu, (VkDeviceSize)INSTANCES * READBACK_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    faultShim.incoherent = kind == SCENARIO_HOST_MEMORY || kind == SCENARIO_CPU;
    faultShim.counted = counted[kind].frames;
    take(&scenario, createContext, 0);
    firstFrame(&scenario);
    scenario.methods[1] = twoMethods(&scenario) ? VKSKIN_METHOD_DUAL_QUATERNION : VKSKIN_METHOD_LINEAR_BLEND;
    secondFrame(&scenario);
    if (kind != SCENARIO_KERNELS) {
        thirdFrame(&scenario);
    }
    if (kind == SCENARIO_HEAP) {
        growTables(&scenario);
    }
    if (!scenario.lost) {
        GPU_VKSKIN(gpu, vkskinGetStats(scenario.context, stats));
    }
    vkskinDestroyContext(scenario.context);
    gpuFreeBuffer(gpu, &scenario.readback);
}
