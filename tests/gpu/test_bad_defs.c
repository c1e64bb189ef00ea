/*
 * Bad defs of contexts and kernels. Each has its exact diagnostic: the result and one logged message. Nothing changes.
 * Meshes are in test_bad_meshes.c, calls in test_bad_calls.c.
 */
#include "interposer.h"
#include "meshes.h"

/* ---- Context defs ---- */

static VKAPI_ATTR void VKAPI_CALL neverNotified(void *user, size_t size, VkInternalAllocationType type,
                                                VkSystemAllocationScope scope) {
    (void)user, (void)size, (void)type, (void)scope;
}

/* All callbacks but one. Such callbacks are refused before anything is made. */
static const VkAllocationCallbacks *spoiledCallbacks(int missing) {
    static VkAllocationCallbacks callbacks;
    const VkAllocationCallbacks heap = interposerHeap();
    callbacks = (VkAllocationCallbacks){
        .pfnAllocation = missing == 0 ? NULL : heap.pfnAllocation,
        .pfnReallocation = missing == 1 ? NULL : heap.pfnReallocation,
        .pfnFree = missing == 2 ? NULL : heap.pfnFree,
        .pfnInternalAllocation = missing == 4 ? NULL : neverNotified,
        .pfnInternalFree = missing == 3 ? NULL : neverNotified,
    };
    return &callbacks;
}

/* Changes a right def. The creation of its context must be refused. */
#define REFUSED(expected, part, ...)                                                                                   \
    do {                                                                                                               \
        VkskinContext context = (VkskinContext)(uintptr_t)1;                                                           \
        VkskinContextDef def = gpuContextDef(gpu);                                                                     \
        __VA_ARGS__;                                                                                                   \
        gpuCheckRefusal(gpu, #__VA_ARGS__, vkskinCreateContext(&def, &context), (expected), (part));                   \
        assert_null(context);                                                                                          \
    } while (0)

GPU_TEST(contextDefs) {
    interposerBegin(gpu);
    interposer.counted = FAULT_HEAP;
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "instance", def.instance = VK_NULL_HANDLE);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "physicalDevice", def.physicalDevice = VK_NULL_HANDLE);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "device", def.device = VK_NULL_HANDLE);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "framesInFlight", def.framesInFlight = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "framesInFlight", def.framesInFlight = VKSKIN_MAX_FRAMES_IN_FLIGHT + 1);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "outputRegions is 0, not in 1 to framesInFlight (2)", def.outputRegions = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "outputRegions is 3, not in 1 to framesInFlight (2)",
            def.outputRegions = def.framesInFlight + 1);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "barriers", def.barriers = (VkskinBarriers)7);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "memory.palettes", def.memory.palettes = (VkskinPaletteMemory)7);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "memory.pageSize is 65535, not in 65536 to", def.memory.pageSize = 65535);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "paletteBytesPerFrame", def.memory.paletteBytesPerFrame = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "paletteBytesPerFrame", def.memory.paletteBytesPerFrame = (1ull << 40) + 1);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "two queue families", def.graphicsQueueFamily = def.computeQueueFamily + 1,
            def.outputRegions = 1);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE,
            "paletteStages is 0x8: stages of the host cannot read palettes if there are two",
            def.graphicsQueueFamily = def.computeQueueFamily + 1, def.outputRegions = def.framesInFlight,
            def.paletteStages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE,
            "paletteStages is 0x8: stages of the host cannot read palettes of the CPU backend",
            def.backend = VKSKIN_BACKEND_CPU, def.paletteStages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "maxPaletteBytesPerFrame",
            def.memory.maxPaletteBytesPerFrame = (1ull << 40) + 1);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "firstPageSize", def.memory.firstPageSize = 65535);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "initialInstances", def.memory.initialInstances = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "initialInstances", def.memory.initialInstances = 16777217);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "initialMorphWeights", def.memory.initialMorphWeights = 16777217);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "maxInstances", def.memory.maxInstances = 16777217);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "maxMorphWeights", def.memory.maxMorphWeights = 16777217);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "maxTimingScopes", def.maxTimingScopes = 65);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "consumerStages is 0: name the stages", def.consumerStages = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "computeQueueFamily is 64",
            def.computeQueueFamily = def.graphicsQueueFamily = 64);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "computeQueueFamily is 4294967295",
            def.computeQueueFamily = def.graphicsQueueFamily = VK_QUEUE_FAMILY_IGNORED);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "graphicsQueueFamily is 64", def.graphicsQueueFamily = 64,
            def.outputRegions = def.framesInFlight);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "graphicsQueueFamily is 4294967294",
            def.graphicsQueueFamily = VK_QUEUE_FAMILY_EXTERNAL, def.outputRegions = def.framesInFlight);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "pfnAllocation", def.allocator = spoiledCallbacks(0));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "pfnReallocation", def.allocator = spoiledCallbacks(1));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "pfnFree", def.allocator = spoiledCallbacks(2));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "pfnInternalFree", def.allocator = spoiledCallbacks(3));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "pfnInternalAllocation", def.allocator = spoiledCallbacks(4));
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    assert_int_equal(vkskinCreateContext(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    def.cookie = 0; /* no field of such a def is valid, not even its logger */
    assert_int_equal(vkskinCreateContext(&def, &context), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    assert_int_equal(vkskinCreateContext(NULL, &context), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(gpu->log.count, 0);
    assert_int_equal(interposer.calls, 0); /* no memory was asked of incomplete callbacks */
    vkskinDestroyContext(NULL);
}

/* A device with limits below the def is refused at creation, with a named error. */
static VKAPI_ATTR void VKAPI_CALL tinyLimits(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits.maxStorageBufferRange = 1u << 16;
}

static VKAPI_ATTR void VKAPI_CALL oldDevice(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->apiVersion = VK_API_VERSION_1_0;
}

static VKAPI_ATTR void VKAPI_CALL cannotCompute(VkPhysicalDevice device, uint32_t *count,
                                                VkQueueFamilyProperties *families) {
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
    for (uint32_t i = 0; families != NULL && i < *count; i++) {
        families[i].queueFlags &= ~(VkQueueFlags)VK_QUEUE_COMPUTE_BIT;
    }
}

GPU_TEST(devices) {
    const struct {
        const char *part;
        VkskinVulkanFunctions functions;
    } cases[] = {
        {"1.1", {.vkGetPhysicalDeviceProperties = oldDevice}},
        {"computeQueueFamily", {.vkGetPhysicalDeviceQueueFamilyProperties = cannotCompute}},
        {"1048576 instances", {.vkGetPhysicalDeviceProperties = tinyLimits}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VkskinContextDef def = gpuContextDef(gpu);
        VkskinContext context = NULL;
        def.functions = &cases[i].functions;
        def.memory.maxInstances = 1u << 20;
        gpuCheckRefusal(gpu, cases[i].part, vkskinCreateContext(&def, &context), VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                        cases[i].part);
    }
}

/* ---- Pipeline defs ---- */

GPU_TEST(pipelineDefs) {
    enum { LINEAR = VKSKIN_METHOD_LINEAR_BLEND_BIT, PACKED = VKSKIN_VERTEX_PACKED_BIT };
    static const struct {
        const char *label;
        uint32_t methods, encodings, formats, features, perThread, workgroup;
        const char *part;
    } cases[] = {
        {"unknown method", 0x2000, 0, PACKED, 0, 0, 64,
         "methods is 0x2000; combine VKSKIN_METHOD_..._BIT values: 0x2000 is unknown"},
        {"a method, not its bit", VKSKIN_METHOD_DUAL_QUATERNION, 0, PACKED, 0, 0, 64,
         "methods is 0x1; combine VKSKIN_METHOD_..._BIT values: 0x1 is unknown"},
        {"a shifted method", 1u << VKSKIN_METHOD_DUAL_QUATERNION, 0, PACKED, 0, 0, 64, "methods is 0x2;"},
        {"no method", 0, 0, PACKED, 0, 0, 64, "methods is 0; combine VKSKIN_METHOD_..._BIT values"},
        {"unknown encoding", LINEAR, 0x8000, PACKED, 0, 0, 64,
         "encodings is 0x8000; combine VKSKIN_PALETTE_..._BIT values: 0x8000 is unknown"},
        {"an encoding, not its bit", LINEAR, VKSKIN_PALETTE_MAT2X3, PACKED, 0, 0, 64,
         "encodings is 0x6; combine VKSKIN_PALETTE_..._BIT values: 0x6 is unknown"},
        {"no method reads it", VKSKIN_METHOD_DUAL_QUATERNION_BIT, VKSKIN_PALETTE_MAT3X4_BIT, PACKED, 0, 0, 64,
         "none of methods 0x200 reads any of encodings 0x100"},
        {"unknown format", LINEAR, 0, 0x800, 0, 0, 64,
         "formats is 0x800; combine VKSKIN_VERTEX_..._BIT values: 0x800 is unknown"},
        {"a format, not its bit", LINEAR, 0, VKSKIN_VERTEX_FLOAT, 0, 0, 64,
         "formats is 0x1; combine VKSKIN_VERTEX_..._BIT values: 0x1 is unknown"},
        {"no format", LINEAR, 0, 0, 0, 0, 64, "formats is 0; combine VKSKIN_VERTEX_..._BIT values"},
        {"unknown feature", LINEAR, 0, PACKED, 16, 0, 64,
         "features is 0x10; combine VKSKIN_KERNEL_..._BIT values: 0x10 is unknown"},
        {"many a thread", LINEAR, 0, PACKED, 0, 65, 64, "instancesPerThread"},
        {"odd group", LINEAR, 0, PACKED, 0, 0, 65, "workgroupSize"},
        {"less than a group", LINEAR, 0, PACKED, 0, 0, 16, "workgroupSize"},
        {"huge group", LINEAR, 0, PACKED, 0, 0, 1u << 20, "workgroupSize"},
    };
    VkskinContext context = gpuContext(gpu, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
        pipelines.methods = cases[i].methods;
        pipelines.encodings = cases[i].encodings;
        pipelines.formats = cases[i].formats;
        pipelines.features = cases[i].features;
        pipelines.instancesPerThread = cases[i].perThread;
        pipelines.workgroupSize = cases[i].workgroup;
        gpuCheckRefusal(gpu, cases[i].label, vkskinCreatePipelines(context, &pipelines), VKSKIN_ERROR_INVALID_VALUE,
                        cases[i].part);
    }
    VkskinPipelineDef zero = {0};
    gpuCheckRefusal(gpu, "no cookie", vkskinCreatePipelines(context, &zero), VKSKIN_ERROR_DEF_NOT_INITIALISED,
                    "vkskinDefaultPipelineDef");
    gpuCheckRefusal(gpu, "no def", vkskinCreatePipelines(context, NULL), VKSKIN_ERROR_NULL_ARGUMENT, "def");
    assert_int_equal(vkskinCreatePipelines(NULL, &zero), VKSKIN_ERROR_NULL_ARGUMENT);
}

/* Invalid meshes in the def: no kernels are created, not even for the valid meshes before them. */
GPU_TEST(pipelineMeshes) {
    VkskinContext context = gpuContext(gpu, NULL);
    VkskinMesh meshes[2] = {{0, 0}, {0, 0}};
    GPU_VKSKIN(gpu, markerTryMesh(context, 3, false, &meshes[0]));
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    pipelines.meshCount = 2;
    gpuCheckRefusal(gpu, "no meshes", vkskinCreatePipelines(context, &pipelines), VKSKIN_ERROR_NULL_ARGUMENT,
                    "meshes is null");
    pipelines.meshes = meshes;
    gpuCheckRefusal(gpu, "null mesh", vkskinCreatePipelines(context, &pipelines), VKSKIN_ERROR_NULL_HANDLE,
                    "vkskinCreatePipelines: mesh 1 of the def: the mesh handle is null");
    meshes[1] = (VkskinMesh){meshes[0].index, meshes[0].generation + 1};
    gpuCheckRefusal(gpu, "stale mesh", vkskinCreatePipelines(context, &pipelines), VKSKIN_ERROR_STALE_HANDLE,
                    "vkskinCreatePipelines: mesh 1 of the def: the mesh handle");
    VkskinInstance instance = markerInstance(gpu, context, meshes[0]);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkskinSkinCommand command = {.instance = instance, .palette = markerPalette(gpu, context, 1.0f, 1.0f)};
    gpuCheckRefusal(gpu, "no kernels", vkskinSkinInstances(context, &command, 1, NULL), VKSKIN_ERROR_PIPELINE_MISSING,
                    "methods VKSKIN_METHOD_LINEAR_BLEND_BIT, formats VKSKIN_VERTEX_PACKED_BIT");
    meshes[1] = meshes[0];
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &pipelines));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
}

/* The first call that succeeds settles the sizes; 0 asks for none. A value that is no method reads matrices. */
GPU_TEST(kernelsAreAddedTo) {
    VkskinContext context = gpuContext(gpu, NULL);
    VkskinPipelineDef more = vkskinDefaultPipelineDef();
    assert_int_equal(more.workgroupSize, 0);
    assert_int_equal(more.instancesPerThread, 0);
    VkskinMesh mesh;
    GPU_VKSKIN(gpu, markerTryMesh(context, 3, false, &mesh));
    more.cache = gpu->cache;
    more.meshes = &mesh;
    more.meshCount = 1;
    more.methods = VKSKIN_METHOD_BIT(VKSKIN_METHOD_COUNT);
    more.workgroupSize = 32;
    gpuCheckRefusal(gpu, "no such method", vkskinCreatePipelines(context, &more), VKSKIN_ERROR_INVALID_VALUE,
                    "methods");
    more.methods = VKSKIN_METHOD_LINEAR_BLEND_BIT;
    more.workgroupSize = 64;
    more.instancesPerThread = 2;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &more)); /* the failed call has settled nothing */
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &more));
    more.workgroupSize = 32;
    gpuCheckRefusal(gpu, "another group", vkskinCreatePipelines(context, &more), VKSKIN_ERROR_INVALID_VALUE,
                    "workgroupSize is 32, the kernels that exist have 64");
    more.workgroupSize = 0;
    more.instancesPerThread = 3;
    gpuCheckRefusal(gpu, "another number", vkskinCreatePipelines(context, &more), VKSKIN_ERROR_INVALID_VALUE,
                    "instancesPerThread is 3, the kernels that exist have 2");
    more.instancesPerThread = 0;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &more));
    assert_int_equal(vkskinMethodEncoding(VKSKIN_METHOD_COUNT), VKSKIN_PALETTE_MAT3X4);
    VkskinInstance instance = markerInstance(gpu, context, mesh);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, instance, 1.0f, 1.0f);
}
