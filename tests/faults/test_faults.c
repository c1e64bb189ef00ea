/*
 * Every call into the driver and into the host's callbacks fails once, with every error that it may return.
 *
 * A scenario is the short lifetime of a context, from its creation to its destruction, with at most one failing call.
 * The library's call that gets the failure must return and log it as documented, leave its outputs null, and succeed
 * when it is made again. Then the scenario goes on and the output is right. A lost device ends the scenario.
 */
#include "interposer.h"
#include "meshes.h"
#include "random_animation.h"
#include "vkskin/vkskin_crowd.h"

#define INSTANCES      3
#define HALF_MESH      2100 /* vertices; a page holds their source once, so what stays behind takes one page more */
#define LARGE_MESH     6000 /* vertices that need a page of their own */
#define READBACK_BYTES (12 * LARGE_MESH)
#define MORPHED        0    /* the mesh with morph targets and centres of rotation */
#define MORPHED_MESH   50   /* vertices of that mesh */
#define REPLACED_MESH  5500 /* later: mesh and output need pages of their own */
#define MANY           17   /* more than the library's tables hold at first: they grow */
#define MANY_PAGES     9

typedef enum ScenarioKind {
    SCENARIO_FRAMES,      /* Three meshes, one with morph targets and centres of rotation, their instances, three frames
                             with staged palettes, timings, destroying, creating again and replacing. Kernels do not count. */
    SCENARIO_HOST_MEMORY, /* the same in memory of the host that must be flushed */
    SCENARIO_KERNELS,     /* kernels of two methods for a mesh, and one frame with each; only their creation counts */
    SCENARIO_NAMES, /* object names. A name that cannot be set is logged; the call that made the object succeeds */
    SCENARIO_HEAP,  /* FRAMES with two methods, a context of two queue families and enough meshes and pages that
                             tables grow: only allocations from the host's heap count */
    SCENARIO_CROWD, /* crowd: made, three frames, destroyed; in memory of the host that must be flushed: all counts */
    SCENARIO_CROWD_CPU, /* the same with the CPU backend */
    SCENARIO_CPU,       /* FRAMES with the CPU backend, in memory of the host that must be flushed: all counts */
    SCENARIO_COUNT
} ScenarioKind;

typedef struct Scenario {
    Gpu *gpu;
    ScenarioKind kind;
    bool lost; /* the device is lost: no more calls are made */
    VkskinContext context;
    VkskinMesh meshes[INSTANCES];
    uint32_t vertexCounts[INSTANCES];
    VkskinInstance instances[INSTANCES];
    VkskinMethod methods[INSTANCES];
    VkCommandBuffer commandBuffer;
    GpuBuffer readback; /* positions, room for the largest mesh an instance */
    uint32_t frame;     /* 1 up */
    VkskinClipSet clipSet;
    VkskinCrowd crowd;
} Scenario;

/* Which calls count in the frames of each kind, and in the creation of kernels. */
static const struct {
    uint32_t frames, kernels;
} counted[SCENARIO_COUNT] = {
    [SCENARIO_FRAMES] = {FAULT_DRIVER, 0},
    [SCENARIO_HOST_MEMORY] = {FAULT_DRIVER, 0},
    [SCENARIO_KERNELS] = {0, FAULT_DRIVER},
    [SCENARIO_NAMES] = {FAULT_NAMES, FAULT_NAMES},
    [SCENARIO_CROWD] = {FAULT_DRIVER | FAULT_HEAP, 0},
    [SCENARIO_CROWD_CPU] = {FAULT_DRIVER | FAULT_HEAP, 0},
    [SCENARIO_HEAP] = {FAULT_HEAP, FAULT_HEAP},
    [SCENARIO_CPU] = {FAULT_DRIVER | FAULT_HEAP, FAULT_DRIVER | FAULT_HEAP},
};

static bool twoMethods(const Scenario *scenario) {
    return counted[scenario->kind].kernels != 0;
}

/* ---- One call that may fail ---- */

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

/* The call succeeded, and the failure was logged once. */
static void checkLogged(const GpuLog *log, VkskinResult result, const char *name) {
    if (result != VKSKIN_SUCCESS || log->count != 1 || log->last != expectedResult(interposer.error) ||
        strstr(log->lastText, name) == NULL) {
        fail_msg("%s: %s, logged %u times, last: '%s'", name, vkskinResultName(result), log->count, log->lastText);
    }
}

/* The tests' drivers have one memory type: with a second one the library would try that if the first is full. */
typedef VkskinResult (*StepFn)(Scenario *scenario, uint32_t which);

static void take(Scenario *scenario, StepFn step, uint32_t which) {
    Gpu *gpu = scenario->gpu;
    if (scenario->lost) {
        return;
    }
    bool firedBefore = interposer.fired;
    gpu->log.count = 0;
    VkskinResult result = step(scenario, which);
    if (firedBefore || !interposer.fired) {
        GPU_VKSKIN(gpu, result);
        return;
    }
    const char *name = faultFunctionName(interposer.met[interposer.failAt]);
    FaultFunction failed = interposer.met[interposer.failAt];
    if (failed == FAULT_SetDebugUtilsObjectNameEXT || failed == FAULT_InvalidateMappedMemoryRanges) {
        checkLogged(&gpu->log, result, name);
        return;
    }
    gpuCheckRefusal(gpu, name, result, expectedResult(interposer.error), name);
    scenario->lost = interposer.error == VK_ERROR_DEVICE_LOST;
    if (!scenario->lost) {
        GPU_VKSKIN(gpu, step(scenario, which));
    }
}

/* ---- Steps ---- */

/* What a context's def points to; it must live during the call. */
typedef struct ContextParts {
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    VkAllocationCallbacks heap;
} ContextParts;

/* No scenario uses the heap of the tests. */
static bool driversHeap;

static VkskinContextDef contextDef(Scenario *scenario, ContextParts *parts) {
    *parts = (ContextParts){interposerFunctions(), interposerMemory(), interposerHeap()};
    VkskinContextDef def = gpuContextDef(scenario->gpu);
    def.functions = &parts->functions;
    bool crowd = scenario->kind == SCENARIO_CROWD || scenario->kind == SCENARIO_CROWD_CPU;
    bool cpu = scenario->kind == SCENARIO_CPU || scenario->kind == SCENARIO_CROWD_CPU;
    def.backend = cpu ? VKSKIN_BACKEND_CPU : VKSKIN_BACKEND_COMPUTE;
    def.memory.callbacks = cpu || crowd || scenario->kind == SCENARIO_HOST_MEMORY ? &parts->memory : NULL;
    def.allocator = (cpu || crowd || scenario->kind == SCENARIO_HEAP) && !driversHeap ? &parts->heap : NULL;
    def.debugUtils = scenario->kind == SCENARIO_NAMES;
    def.memory.palettes = VKSKIN_PALETTE_MEMORY_STAGED;
    def.memory.pageSize = 64 * 1024;
    /* The smallest sizes: frames grow. */
    def.memory.firstPageSize = 64 * 1024;
    def.memory.paletteBytesPerFrame = 48;
    def.memory.initialInstances = 1;
    def.memory.initialMorphWeights = 0;
    def.memory.maxInstances = 16;
    return def;
}

/* A failed call leaves nothing over. */
static VkskinResult tryContext(const VkskinContextDef *def, VkskinContext *context) {
    uint32_t objects = interposerObjects();
    uint64_t blocks = interposer.heap.blocks;
    *context = (VkskinContext)(uintptr_t)1;
    VkskinResult result = vkskinCreateContext(def, context);
    assert_true((result < 0) == (*context == NULL));
    if (result < 0) {
        assert_int_equal(interposerObjects(), objects);
        assert_int_equal(interposer.heap.blocks, blocks);
    }
    return result;
}

static VkskinResult createContext(Scenario *scenario, uint32_t which) {
    ContextParts parts;
    VkskinContextDef def = contextDef(scenario, &parts);
    (void)which;
    return tryContext(&def, &scenario->context);
}

/* Creates and destroys a second context, for two queue families. */
static VkskinResult visitTwoFamilies(Scenario *scenario, uint32_t which) {
    ContextParts parts;
    VkskinContextDef def = contextDef(scenario, &parts);
    uint32_t objects = interposerObjects();
    VkskinContext context;
    (void)which;
    parts.functions.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies;
    def.graphicsQueueFamily = def.computeQueueFamily + 1;
    def.outputRegions = def.framesInFlight;
    VkskinResult result = tryContext(&def, &context);
    vkskinDestroyContext(context);
    assert_int_equal(interposerObjects(), objects);
    return result;
}

/* Opens and destroys a second context with two meshes, by the CPU, which needs no kernels. */
static VkskinResult visitOpen(Scenario *scenario, uint32_t which) {
    const VkskinOutputLayout layout = {
        .streamCount = 1, .strides = {16}, .passThroughCount = 1, .passThrough = {{{0, 12}, 4, 0}}};
    TestMesh *mesh = meshBuild((MeshSpec){1, .bones = 1});
    const VkskinPassThroughData colours = {mesh->weights, 0};
    ContextParts parts;
    VkskinContextDef def = contextDef(scenario, &parts);
    uint32_t objects = interposerObjects();
    uint64_t blocks = interposer.heap.blocks;
    VkskinContext context = (VkskinContext)(uintptr_t)1;
    VkskinMesh meshes[2];
    (void)which;
    def.backend = VKSKIN_BACKEND_CPU;
    mesh->def.layout = &layout;
    mesh->def.passThrough = &colours;
    const VkskinMeshDef defs[2] = {mesh->def, mesh->def};
    VkskinResult result = vkskinOpen(&def, defs, 2, GPU_LINEAR_BLEND, &context, meshes);
    meshFree(mesh);
    assert_true((result < 0) == (context == NULL));
    assert_true((result < 0) == VKSKIN_IS_NULL(meshes[0]) && (result < 0) == VKSKIN_IS_NULL(meshes[1]));
    vkskinDestroyContext(context);
    assert_int_equal(interposerObjects(), objects);
    assert_int_equal(interposer.heap.blocks, blocks);
    return result;
}

/* All kernels: the meshes have the same kind of vertices. */
static VkskinResult createPipelines(Scenario *scenario, uint32_t which) {
    VkskinPipelineDef def = kernelsOf(&scenario->meshes[which], 1);
    def.cache = scenario->gpu->cache;
    def.methods = GPU_LINEAR_BLEND | (twoMethods(scenario) ? VKSKIN_METHOD_DUAL_QUATERNION_BIT : 0);
    return vkskinCreatePipelines(scenario->context, &def);
}

/* A call that fails makes a handle null. */
static VkskinResult checkHandle(VkskinResult result, uint32_t index, uint32_t generation) {
    assert_true(result >= 0 || (index == 0 && generation == 0));
    return result;
}

static VkskinResult createMesh(Scenario *scenario, uint32_t which) {
    VkskinMesh *mesh = &scenario->meshes[which];
    bool morphed = which == MORPHED;
    const MarkerDef def = {.vertexCount = scenario->vertexCounts[which],
                           .boneCount = 1,
                           .previousPositions = which == 1,
                           .morphs = morphed,
                           .centres = morphed};
    *mesh = (VkskinMesh){7, 7};
    VkskinResult result = markerCreate(scenario->context, &def, mesh);
    return checkHandle(result, mesh->index, mesh->generation);
}

static VkskinResult createInstance(Scenario *scenario, uint32_t which) {
    VkskinInstance *instance = &scenario->instances[which];
    *instance = (VkskinInstance){7, 7};
    VkskinResult result = vkskinCreateInstances(scenario->context, scenario->meshes[which], 1, instance);
    return checkHandle(result, instance->index, instance->generation);
}

/* A call that fails changes nothing: same vertices, objects and output. */
static VkskinResult replaceMesh(Scenario *scenario, uint32_t which) {
    const MarkerDef def = {.vertexCount = REPLACED_MESH, .boneCount = 1, .morphs = which == MORPHED, .replaces = true};
    VkskinContext context = scenario->context;
    VkskinMeshInfo info;
    VkskinStats before, after;
    const VkskinOutput output = markerOutput(scenario->gpu, context, scenario->instances[which]);
    GPU_VKSKIN(scenario->gpu, vkskinGetStats(context, &before));
    VkskinResult result = markerCreate(context, &def, &scenario->meshes[which]);
    GPU_VKSKIN(scenario->gpu, vkskinGetMeshInfo(context, scenario->meshes[which], &info));
    GPU_VKSKIN(scenario->gpu, vkskinGetStats(context, &after));
    assert_int_equal(before.meshes, after.meshes);
    assert_int_equal(before.instances, after.instances);
    if (result < 0) {
        const VkskinOutput kept = markerOutput(scenario->gpu, context, scenario->instances[which]);
        assert_true(kept.buffer == output.buffer && kept.offset == output.offset);
        assert_int_equal(info.vertexCount, scenario->vertexCounts[which]);
        return result;
    }
    scenario->vertexCounts[which] = REPLACED_MESH;
    assert_int_equal(info.vertexCount, REPLACED_MESH);
    return result;
}

/* One of many, which is not skinned. */
static VkskinResult addMesh(Scenario *scenario, uint32_t which) {
    VkskinMesh mesh;
    return markerTryMesh(scenario->context, 1 + which, false, &mesh);
}

/* Creates, replaces and destroys a mesh with pass-through attributes and an instance of it. */
static VkskinResult visitPassThrough(Scenario *scenario, uint32_t which) {
    MarkerDef def = {.vertexCount = 3, .boneCount = 1, .passThrough = true};
    VkskinMesh mesh;
    VkskinInstance instance;
    (void)which;
    VkskinResult result = markerCreate(scenario->context, &def, &mesh);
    if (result >= 0) {
        result = vkskinCreateInstances(scenario->context, mesh, 1, &instance);
        if (result >= 0) {
            def.replaces = true;
            result = markerCreate(scenario->context, &def, &mesh);
            assert_int_equal(vkskinDestroyInstance(scenario->context, instance), VKSKIN_SUCCESS);
        }
        assert_int_equal(vkskinDestroyMesh(scenario->context, mesh), VKSKIN_SUCCESS);
    }
    return result;
}

static VkskinResult addInstance(Scenario *scenario, uint32_t which) {
    VkskinInstance instance;
    return vkskinCreateInstances(scenario->context, scenario->meshes[which], 1, &instance);
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
    const float morphWeights[MARKER_MORPHS] = {0.5f, 1.0f}; /* move by 0.5 along y and by 1 along z */
    bool morphed = which == MORPHED;
    float y = markOf(scenario, which) - (morphed ? 0.5f : 0.0f), z = morphed ? 2.0f : 3.0f;
    const ReferenceMatrix bone = {{{1, 0, 0, 0}, {0, 1, 0, y}, {0, 0, 1, z}}};
    VkskinSkinCommand command = {.instance = scenario->instances[which],
                                 .method = scenario->methods[which],
                                 .morphWeights = morphWeights,
                                 .morphWeightCount = morphed ? MARKER_MORPHS : 0};
    void *data = NULL;
    VkskinResult result =
        vkskinAllocatePalette(scenario->context, vkskinMethodEncoding(command.method), 1, &command.palette, &data);
    if (result < 0) {
        return result;
    }
    paletteEntry(vkskinMethodEncoding(command.method), &bone, false, data);
    return vkskinSkinInstances(scenario->context, &command, 1, NULL);
}

enum { RECORD_BEGIN, RECORD_UPLOADS, RECORD_SKINNING, RECORD_END };

/* One of the calls that record. */
static VkskinResult record(Scenario *scenario, uint32_t which) {
    switch (which) {
    case RECORD_BEGIN:
        return vkskinBeginScope(scenario->context, scenario->commandBuffer, "all");
    case RECORD_UPLOADS:
        return vkskinRecordUploads(scenario->context, scenario->commandBuffer);
    case RECORD_SKINNING:
        return vkskinRecordSkinning(scenario->context, scenario->commandBuffer);
    default:
        return vkskinEndScope(scenario->context, scenario->commandBuffer, "all");
    }
}

/* The times of the latest complete frame, with its three scopes. */
static VkskinResult getTimings(Scenario *scenario, uint32_t which) {
    VkskinTiming timings[8];
    uint32_t count = 8;
    uint64_t frame = 0;
    VkskinTimestampSupport support = VKSKIN_TIMESTAMPS_NONE;
    (void)which;
    VkskinResult result = vkskinGetTimings(scenario->context, timings, &count, &frame, &support);
    if (result >= 0 && support == VKSKIN_TIMESTAMPS_SUPPORTED) {
        assert_int_equal(frame, scenario->frame - 2);
        assert_int_equal(count,
                         scenario->kind == SCENARIO_CPU ? 1 : 3); /* the library's own scopes time what it records */
    }
    return result;
}

/* ---- Frames ---- */

static void recordReadback(Scenario *scenario, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        VkskinOutput output = markerOutput(scenario->gpu, scenario->context, scenario->instances[i]);
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

/* Skins the first `count` instances and checks the output. */
static void runFrame(Scenario *scenario, uint32_t count) {
    scenario->commandBuffer = gpuBegin(scenario->gpu);
    for (uint32_t i = 0; i < count; i++) {
        take(scenario, skin, i);
    }
    for (uint32_t call = RECORD_BEGIN; call <= RECORD_END; call++) {
        if (call != RECORD_UPLOADS || scenario->frame == 1) { /* in the other frames the skinning does it */
            take(scenario, record, call);
        }
    }
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
    interposer.counted = counted[scenario->kind].kernels;
    take(scenario, createPipelines, which);
    interposer.counted = counted[scenario->kind].frames;
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

/* The second mesh is destroyed and created again; a third is larger than a page; the first is replaced. */
static void thirdFrame(Scenario *scenario) {
    nextFrame(scenario);
    take(scenario, getTimings, 0);
    take(scenario, destroyInstance, 1);
    take(scenario, destroyMesh, 1);
    take(scenario, createMesh, 1);
    take(scenario, createInstance, 1);
    take(scenario, createMesh, 2);
    take(scenario, createInstance, 2);
    take(scenario, replaceMesh, MORPHED);
    runFrame(scenario, 3);
}

/* Adds meshes and pages until every table has grown; a frame uploads them. */
static void growTables(Scenario *scenario) {
    take(scenario, visitTwoFamilies, 0);
    take(scenario, visitOpen, 0);
    take(scenario, visitPassThrough, 0);
    nextFrame(scenario);
    for (uint32_t i = 0; i < MANY; i++) {
        take(scenario, addMesh, i);
    }
    for (uint32_t i = 0; i < MANY_PAGES; i++) {
        take(scenario, addInstance, 2);
    }
    runFrame(scenario, 3);
}

/* ---- Crowds ---- */

static VkskinResult createClipSet(Scenario *scenario, uint32_t which) {
    const RandomAnimationDef def = {.nodeCount = 1, .clipCount = 1, .maxKeys = 3, .maxDistance = 1.0f, .turn = 0.5f};
    Random random = {5 + which};
    size_t size = 0;
    void *block = newRandomAnimation(&random, &def, &size);
    VkskinResult result = vkskinCreateClipSet(scenario->context, block, size, &scenario->clipSet);
    free(block);
    return checkHandle(result, scenario->clipSet.index, scenario->clipSet.generation);
}

static VkskinResult createCrowd(Scenario *scenario, uint32_t which) {
    const uint32_t node = 0;
    const VkskinAnimationBox box = {{-1, -1, -1}, {1, 1, 1}};
    const VkskinCrowdPart part = {.mesh = scenario->meshes[which], .indexCount = 3};
    VkskinSkinDef skinDef = skinDefOf(1, 1, &node, NULL);
    VkskinSkin made = NULL;
    GPU_VKSKIN(scenario->gpu, vkskinCreateSkin(&skinDef, &made));
    VkskinCrowdModel model = vkskinDefaultCrowdModel();
    model.skin = made;
    model.parts = &part;
    model.partCount = 1;
    model.slots = 2;
    model.boxes = &box;
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    def.clipSet = scenario->clipSet;
    def.models = &model;
    def.modelCount = 1;
    def.capacity = 40;
    VkskinResult result = vkskinCreateCrowd(scenario->context, &def, &scenario->crowd, NULL);
    vkskinDestroySkin(made);
    return checkHandle(result, scenario->crowd.index, scenario->crowd.generation);
}

static VkskinResult addCharacter(Scenario *scenario, uint32_t which) {
    VkskinCharacterDef def = vkskinDefaultCharacterDef();
    VkskinCharacter character;
    def.variation = which;
    return vkskinAddCharacters(scenario->context, scenario->crowd, &def, 0, 1, &character);
}

static VkskinResult recordCrowd(Scenario *scenario, uint32_t which) {
    const VkskinCrowdView view = {.kind = VKSKIN_CROWD_COLOUR};
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    frame.tick = which;
    frame.viewCount = 1;
    frame.views = &view;
    return vkskinRecordCrowd(scenario->context, scenario->commandBuffer, scenario->crowd, &frame);
}

static void runCrowdFrame(Scenario *scenario) {
    nextFrame(scenario);
    for (uint32_t i = 0; i < 10; i++) { /* more than the first room for changes */
        take(scenario, addCharacter, i);
    }
    scenario->commandBuffer = gpuBegin(scenario->gpu);
    take(scenario, recordCrowd, scenario->frame);
    if (scenario->lost) {
        vkFreeCommandBuffers(scenario->gpu->device, scenario->gpu->pool, 1, &scenario->commandBuffer);
    } else {
        gpuSubmitAndWait(scenario->gpu, scenario->commandBuffer);
    }
}

/* The slot of the first frame is begun again by the third, which reads its counters. */
static void runCrowd(Scenario *scenario) {
    take(scenario, createMesh, 0);
    take(scenario, createClipSet, 0);
    take(scenario, createCrowd, 0);
    for (uint32_t i = 0; i < 3; i++) {
        runCrowdFrame(scenario);
    }
    if (!scenario->lost) {
        VkskinCrowdStats stats;
        GPU_VKSKIN(scenario->gpu, vkskinGetCrowdStats(scenario->context, scenario->crowd, &stats));
        /* if the counters cannot be read, they stay as they were */
        assert_true(stats.frame == 0 || (stats.frame == 1 && stats.skinned == 2 && stats.refused == 8));
        GPU_VKSKIN(scenario->gpu, vkskinDestroyCrowd(scenario->context, scenario->crowd));
        GPU_VKSKIN(scenario->gpu, vkskinDestroyClipSet(scenario->context, scenario->clipSet));
    }
}

static bool hasCrowd(ScenarioKind kind) {
    return kind == SCENARIO_CROWD || kind == SCENARIO_CROWD_CPU;
}

static void runFrames(Scenario *scenario) {
    firstFrame(scenario);
    scenario->methods[1] = twoMethods(scenario) ? VKSKIN_METHOD_DUAL_QUATERNION : VKSKIN_METHOD_LINEAR_BLEND;
    secondFrame(scenario);
    if (scenario->kind != SCENARIO_KERNELS) {
        thirdFrame(scenario);
    }
    if (scenario->kind == SCENARIO_HEAP) {
        growTables(scenario);
    }
}

/* Runs one with the fault that is set. *stats: what the context held before its end; zero for a lost device. */
static void runScenario(Gpu *gpu, ScenarioKind kind, VkskinStats *stats) {
    Scenario scenario = {.gpu = gpu, .kind = kind, .vertexCounts = {MORPHED_MESH, HALF_MESH, LARGE_MESH}};
    *stats = (VkskinStats){0};
    scenario.readback = gpuBuffer(gpu, (VkDeviceSize)INSTANCES * READBACK_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    if (kind == SCENARIO_HOST_MEMORY || kind == SCENARIO_CPU || hasCrowd(kind)) {
        interposerMakeIncoherent();
    }
    interposer.counted = counted[kind].frames;
    take(&scenario, createContext, 0);
    (hasCrowd(kind) ? runCrowd : runFrames)(&scenario);
    if (!scenario.lost) {
        GPU_VKSKIN(gpu, vkskinGetStats(scenario.context, stats));
    }
    vkskinDestroyContext(scenario.context);
    gpuFreeBuffer(gpu, &scenario.readback);
}

/* ---- Every call fails ---- */

/* Functions that cannot fail in Vulkan. */
static bool cannotFail(const char *name) {
    return strncmp(name, "Cmd", 3) == 0 || strncmp(name, "Destroy", 7) == 0 || strncmp(name, "Free", 4) == 0 ||
           strncmp(name, "Unmap", 5) == 0 || strcmp(name, "UpdateDescriptorSets") == 0 ||
           strcmp(name, "GetBufferMemoryRequirements") == 0;
}

static bool isFaultFunction(const char *name) {
    for (uint32_t function = 0; function < FAULT_FUNCTION_COUNT; function++) {
        if (strcmp(faultFunctionName((FaultFunction)function), name) == 0) {
            return true;
        }
    }
    return false;
}

/* A function that the library starts to use must not escape the tests below. */
GPU_TEST(everyFunctionIsWrapped) {
    interposerBegin(gpu);
    VkskinVulkanFunctions functions = interposerFunctions();
#define CHECK_FUNCTION(name)                                                                                           \
    if ((functions.vk##name == NULL && strncmp(#name, "Cmd", 3) != 0) ||                                               \
        cannotFail(#name) == isFaultFunction("vk" #name)) {                                                            \
        fail_msg("vk%s", #name);                                                                                       \
    }
    VKSKIN_DEVICE_FUNCTIONS(CHECK_FUNCTION)
    VKSKIN_DEBUG_FUNCTIONS(CHECK_FUNCTION)
#undef CHECK_FUNCTION
}

static void checkCensus(void) {
    interposerEnd();
    assert_int_equal(interposer.heap.blocks, 0);
}

/* The same objects as without a failure: a failed call left nothing behind. */
static void checkStats(const VkskinStats *stats, const VkskinStats *plain) {
    assert_int_equal(stats->meshes, plain->meshes);
    assert_int_equal(stats->instances, plain->instances);
    assert_int_equal(stats->meshPages, plain->meshPages);
    assert_int_equal(stats->outputPages, plain->outputPages);
    /* A refused command comes again with another palette, for which the ring may grow. Job tables may grow in other steps. */
    assert_true(stats->palettePages >= plain->palettePages);
    assert_true(stats->deviceBytes < plain->deviceBytes + 65536 && plain->deviceBytes < stats->deviceBytes + 65536);
    assert_int_equal(stats->instancesSkinned, plain->instancesSkinned);
}

/* cmocka prints the line of a failure, not the fault of the run: printPlace does. */
static int running = -1; /* the scenario */

static int printPlace(void **state) {
    if (running >= 0 && interposer.fired) {
        print_error("scenario %d, the run in which %s, call %u, returned %d\n", running,
                    faultFunctionName(interposer.met[interposer.failAt]), interposer.failAt, interposer.error);
    }
    running = -1;
    return interposerTestTeardown(state);
}

#define FAULT_TEST(name) GPU_TEST_WITH(name, printPlace)

/* flushes: of the run without a failure. A failed flush happens when its call is made again. */
static void runWithFault(Gpu *gpu, ScenarioKind kind, uint32_t call, VkResult error, const VkskinStats *plain,
                         uint32_t flushes) {
    VkskinStats stats;
    running = (int)kind;
    interposerBegin(gpu);
    interposer.failAt = call;
    interposer.error = error;
    runScenario(gpu, kind, &stats);
    assert_true(interposer.fired);
    checkCensus();
    if (error != VK_ERROR_DEVICE_LOST) {
        checkStats(&stats, plain);
        assert_true(interposer.use.flushes >= flushes);
    }
    assert_int_equal(gpu->messages.count, 0);
    running = -1;
}

static uint32_t everMet; /* functions that some scenario calls, FAULT_BIT of each */

/* The interposer lends the kernels of the first run. A driver may keep a layout as long as pipelines that were made with
 * it, so that run must not count the blocks of the heap. */
static void lendKernels(Gpu *gpu, ScenarioKind kind) {
    VkskinStats stats;
    driversHeap = true;
    interposerBegin(gpu);
    runScenario(gpu, kind, &stats);
    interposerEnd();
    driversHeap = false;
}

static void failEverywhere(Gpu *gpu, ScenarioKind kind) {
    FaultFunction met[FAULT_MAX_CALLS];
    VkskinStats plain;
    lendKernels(gpu, kind);
    interposerBegin(gpu);
    runScenario(gpu, kind, &plain);
    checkCensus();
    uint32_t calls = interposer.calls, flushes = interposer.use.flushes, failures = 0;
    memcpy(met, interposer.met, sizeof met);
    assert_true(calls > 0);
    for (uint32_t call = 0; call < calls; call++) {
        everMet |= FAULT_BIT(met[call]);
    }
    for (uint32_t call = 0; call < calls; call += gpuFaultStep(gpu)) {
        uint32_t count;
        const VkResult *errors = faultErrors(met[call], &count);
        for (uint32_t i = 0; i < count; i++, failures++) {
            runWithFault(gpu, kind, call, errors[i], &plain, flushes);
        }
    }
    print_message("scenario %d: %u calls that may fail, %u failures\n", (int)kind, calls, failures);
}

FAULT_TEST(everyCallFails) {
    for (ScenarioKind kind = 0; kind < SCENARIO_COUNT; kind++) {
        failEverywhere(gpu, kind);
    }
}

/* The interposer lends kernels. Here the driver creates them itself, and each of its first allocations fails. Some drivers
 * make fewer. */
FAULT_TEST(heapRunsOutForTheDriversKernels) {
    enum { FAILURES = 6 };
    uint32_t failures = 0;
    for (bool fired = true; fired && failures < FAILURES;) {
        VkskinContextDef def = gpuContextDef(gpu);
        VkAllocationCallbacks heap = interposerHeap();
        VkskinContext context = NULL;
        VkskinMesh mesh;
        interposerBegin(gpu);
        interposer.failAt = failures;
        def.allocator = &heap;
        GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
        GPU_VKSKIN(gpu, markerTryMesh(context, 3, false, &mesh));
        VkskinPipelineDef pipelines = kernelsOf(&mesh, 1);
        interposer.counted = FAULT_HEAP;
        VkskinResult result = vkskinCreatePipelines(context, &pipelines);
        fired = interposer.fired;
        if (fired) {
            gpuCheckRefusal(gpu, "kernels", result, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "memory");
            failures++;
        } else {
            GPU_VKSKIN(gpu, result);
        }
        vkskinDestroyContext(context);
        assert_int_equal(interposer.heap.blocks, 0);
    }
    assert_true(failures > 0);
    print_message("%u failures\n", failures);
}

/* After all others: every function was called in some scenario, and so failed on lavapipe. */
TEST(everyFunctionWasMet) {
    for (uint32_t function = 0; function < FAULT_FUNCTION_COUNT; function++) {
        if ((everMet & FAULT_BIT(function)) == 0) {
            fail_msg("no scenario calls %s", faultFunctionName((FaultFunction)function));
        }
    }
}
