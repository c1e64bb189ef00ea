/*
 * Bad defs, each with its exact diagnostic: the result, one message of the logger's that names the result and says
 * what is wrong, nothing changed. Calls are in test_bad_calls.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "marker.h"

/* ---- Context defs ---- */

/* Never called: such callbacks are refused before anything is made. */
static VKAPI_ATTR void *VKAPI_CALL neverAllocate(void *user, size_t size, size_t alignment,
                                                 VkSystemAllocationScope scope) {
    (void)user, (void)size, (void)alignment, (void)scope;
    fail_msg("memory was asked of callbacks that are not complete");
    return NULL;
}

static VKAPI_ATTR void *VKAPI_CALL neverReallocate(void *user, void *memory, size_t size, size_t alignment,
                                                   VkSystemAllocationScope scope) {
    (void)memory;
    return neverAllocate(user, size, alignment, scope);
}

static VKAPI_ATTR void VKAPI_CALL freeNothing(void *user, void *memory) {
    (void)user;
    assert_null(memory);
}

static VKAPI_ATTR void VKAPI_CALL neverNotified(void *user, size_t size, VkInternalAllocationType type,
                                                VkSystemAllocationScope scope) {
    (void)user, (void)size, (void)type, (void)scope;
}

/* All callbacks but one. */
static const VkAllocationCallbacks *spoiledCallbacks(int missing) {
    static VkAllocationCallbacks callbacks;
    callbacks = (VkAllocationCallbacks){
        .pfnAllocation = missing == 0 ? NULL : neverAllocate,
        .pfnReallocation = missing == 1 ? NULL : neverReallocate,
        .pfnFree = missing == 2 ? NULL : freeNothing,
        .pfnInternalAllocation = missing == 4 ? NULL : neverNotified,
        .pfnInternalFree = missing == 3 ? NULL : neverNotified,
    };
    return &callbacks;
}

#define CHANGE(name, statement)                                                                                        \
    static void name(VkskinContextDef *def) {                                                                          \
        statement;                                                                                                     \
    }
CHANGE(noInstance, def->instance = VK_NULL_HANDLE)
CHANGE(noPhysicalDevice, def->physicalDevice = VK_NULL_HANDLE)
CHANGE(noDevice, def->device = VK_NULL_HANDLE)
CHANGE(noFrames, def->framesInFlight = 0)
CHANGE(manyFrames, def->framesInFlight = VKSKIN_MAX_FRAMES_IN_FLIGHT + 1)
CHANGE(noRegions, def->outputRegions = 0)
CHANGE(manyRegions, def->outputRegions = def->framesInFlight + 1)
CHANGE(unknownBarriers, def->barriers = (VkskinBarriers)7)
CHANGE(unknownPaletteMemory, def->paletteMemory = (VkskinPaletteMemory)7)
CHANGE(smallPage, def->pageSize = 65535)
CHANGE(noPalette, def->paletteBytesPerFrame = 0)
CHANGE(manyPalettes, def->paletteBytesPerFrame = (1ull << 40) + 1)
CHANGE(familiesShareRegions, (def->drawingFamily = def->skinningFamily + 1, def->outputRegions = 1))
CHANGE(noInstances, def->maxInstances = 0)
CHANGE(manyInstances, def->maxInstances = 16777217)
CHANGE(manyScopes, def->maxTimingScopes = 65)
CHANGE(noConsumerStages, def->consumerStages = 0)
CHANGE(skinningFamilyMissing, def->skinningFamily = def->drawingFamily = 64)
CHANGE(skinningFamilyIgnored, def->skinningFamily = def->drawingFamily = VK_QUEUE_FAMILY_IGNORED)
CHANGE(drawingFamilyMissing, (def->drawingFamily = 64, def->outputRegions = def->framesInFlight))
CHANGE(drawingFamilyExternal, (def->drawingFamily = VK_QUEUE_FAMILY_EXTERNAL, def->outputRegions = def->framesInFlight))
CHANGE(noAllocation, def->allocator = spoiledCallbacks(0))
CHANGE(noReallocation, def->allocator = spoiledCallbacks(1))
CHANGE(noFree, def->allocator = spoiledCallbacks(2))
CHANGE(noInternalFree, def->allocator = spoiledCallbacks(3))
CHANGE(noInternalAllocation, def->allocator = spoiledCallbacks(4))
#undef CHANGE

static const struct {
    const char *label;
    void (*change)(VkskinContextDef *def);
    VkskinResult expected;
    const char *part;
} contextCases[] = {
    {"no instance", noInstance, VKSKIN_ERROR_NULL_ARGUMENT, "instance"},
    {"no physical device", noPhysicalDevice, VKSKIN_ERROR_NULL_ARGUMENT, "physicalDevice"},
    {"no device", noDevice, VKSKIN_ERROR_NULL_ARGUMENT, "device"},
    {"no frames", noFrames, VKSKIN_ERROR_INVALID_VALUE, "framesInFlight"},
    {"many frames", manyFrames, VKSKIN_ERROR_INVALID_VALUE, "framesInFlight"},
    {"no regions", noRegions, VKSKIN_ERROR_INVALID_VALUE, "outputRegions is 0, not in 1 to framesInFlight (2)"},
    {"many regions", manyRegions, VKSKIN_ERROR_INVALID_VALUE, "outputRegions is 3, not in 1 to framesInFlight (2)"},
    {"unknown barriers", unknownBarriers, VKSKIN_ERROR_INVALID_VALUE, "barriers"},
    {"unknown palette memory", unknownPaletteMemory, VKSKIN_ERROR_INVALID_VALUE, "paletteMemory"},
    {"small page", smallPage, VKSKIN_ERROR_INVALID_VALUE, "pageSize is 65535, below 65536"},
    {"no palette", noPalette, VKSKIN_ERROR_INVALID_VALUE, "paletteBytesPerFrame"},
    {"many palettes", manyPalettes, VKSKIN_ERROR_INVALID_VALUE, "paletteBytesPerFrame"},
    {"families share regions", familiesShareRegions, VKSKIN_ERROR_INVALID_VALUE, "two queue families"},
    {"no instances", noInstances, VKSKIN_ERROR_INVALID_VALUE, "maxInstances"},
    {"many instances", manyInstances, VKSKIN_ERROR_INVALID_VALUE, "maxInstances"},
    {"many scopes", manyScopes, VKSKIN_ERROR_INVALID_VALUE, "maxTimingScopes"},
    {"no consumer stages", noConsumerStages, VKSKIN_ERROR_INVALID_VALUE, "consumerStages is 0: name the stages"},
    {"skinning family missing", skinningFamilyMissing, VKSKIN_ERROR_INVALID_VALUE, "skinningFamily is 64"},
    {"skinning family ignored", skinningFamilyIgnored, VKSKIN_ERROR_INVALID_VALUE, "skinningFamily is 4294967295"},
    {"drawing family missing", drawingFamilyMissing, VKSKIN_ERROR_INVALID_VALUE, "drawingFamily is 64"},
    {"drawing family external", drawingFamilyExternal, VKSKIN_ERROR_INVALID_VALUE, "drawingFamily is 4294967294"},
    {"no allocation", noAllocation, VKSKIN_ERROR_NULL_ARGUMENT, "pfnAllocation"},
    {"no reallocation", noReallocation, VKSKIN_ERROR_NULL_ARGUMENT, "pfnReallocation"},
    {"no free", noFree, VKSKIN_ERROR_NULL_ARGUMENT, "pfnFree"},
    {"no internal free", noInternalFree, VKSKIN_ERROR_NULL_ARGUMENT, "pfnInternalFree"},
    {"no internal allocation", noInternalAllocation, VKSKIN_ERROR_NULL_ARGUMENT, "pfnInternalAllocation"},
};

static void contextDefs(void **state) {
    Gpu *gpu = *state;
    for (size_t i = 0; i < sizeof contextCases / sizeof contextCases[0]; i++) {
        VkskinContext context = (VkskinContext)(uintptr_t)1;
        VkskinContextDef def = gpuContextDef(gpu);
        contextCases[i].change(&def);
        VkskinResult result = vkskinCreateContext(&def, &context);
        gpuCheckRefusal(gpu, contextCases[i].label, result, contextCases[i].expected, contextCases[i].part);
        assert_null(context);
    }
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    assert_int_equal(vkskinCreateContext(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    def.cookie = 0; /* no field of such a def is to be trusted, its logger neither */
    assert_int_equal(vkskinCreateContext(&def, &context), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    assert_int_equal(vkskinCreateContext(NULL, &context), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(gpu->log.count, 0);
    vkskinDestroyContext(NULL);
}

/* A device that binds less than the def asks for is refused by name, not met by a driver's error later. */
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

static void devices(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceProperties = oldDevice};
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    def.functions = &functions;
    gpuCheckRefusal(gpu, "Vulkan 1.0", vkskinCreateContext(&def, &context), VKSKIN_ERROR_UNSUPPORTED_DEVICE, "1.1");
    functions = (VkskinVulkanFunctions){.vkGetPhysicalDeviceQueueFamilyProperties = cannotCompute};
    gpuCheckRefusal(gpu, "no compute", vkskinCreateContext(&def, &context), VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                    "skinningFamily");
    functions = (VkskinVulkanFunctions){.vkGetPhysicalDeviceProperties = tinyLimits};
    def.maxInstances = 1u << 20;
    gpuCheckRefusal(gpu, "tiny limits", vkskinCreateContext(&def, &context), VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                    "1048576 instances");
}

/* ---- Pipeline defs ---- */

static void pipelineDefs(void **state) {
    Gpu *gpu = *state;
    static const struct {
        const char *label;
        uint32_t methods, formats, perThread, workgroup;
        const char *part;
    } cases[] = {
        {"unknown method", 8, 1, 0, 64, "methods is 0x8, not a set of bits 1u << VkskinMethod (0x1 to 0x3)"},
        {"no method", 0, 1, 0, 64, "methods is 0x0"},
        {"unknown format", 1, 8, 0, 64, "formats is 0x8, not a set of bits 1u << VkskinVertexFormat (0x1 to 0x3)"},
        {"no format", 1, 0, 0, 64, "formats is 0x0"},
        {"many a thread", 1, 1, 65, 64, "instancesPerThread"},
        {"odd group", 1, 1, 0, 65, "workgroupSize"},
        {"less than a group", 1, 1, 0, 16, "workgroupSize"},
        {"huge group", 1, 1, 0, 1u << 20, "workgroupSize"},
    };
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
        pipelines.methods = cases[i].methods;
        pipelines.formats = cases[i].formats;
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
    vkskinDestroyContext(context);
}

/* ---- Mesh defs ---- */

#define VERTICES 5

/* A right mesh of five vertices, two influences each, that a case spoils. */
typedef struct MeshInput {
    VkskinMeshDef def;
    float positions[VERTICES][3], normals[VERTICES][3], tangents[VERTICES][4], weights[VERTICES][2];
    uint16_t joints[VERTICES][2];
} MeshInput;

static void rightMesh(MeshInput *input) {
    memset(input, 0, sizeof *input);
    for (int v = 0; v < VERTICES; v++) {
        input->normals[v][2] = 1.0f;
        input->tangents[v][0] = 1.0f;
        input->tangents[v][3] = 1.0f;
        input->weights[v][0] = 0.75f;
        input->weights[v][1] = 0.25f;
        input->joints[v][1] = 2;
    }
    VkskinMeshDef *def = &input->def;
    *def = vkskinDefaultMeshDef();
    def->name = "spoiled";
    def->vertexCount = VERTICES;
    def->boneCount = 3;
    def->positions = input->positions[0];
    def->normals = input->normals[0];
    def->tangents = input->tangents[0];
    def->influencesPerVertex = 2;
    def->jointFormat = VKSKIN_JOINTS_U16;
    def->joints = input->joints;
    def->weights = input->weights[0];
}

#define SPOIL(name, statement)                                                                                         \
    static void name(MeshInput *in) {                                                                                  \
        statement;                                                                                                     \
    }
SPOIL(jointOut, in->joints[3][1] = 3)
SPOIL(jointFarOut, in->joints[3][0] = 65535)
SPOIL(weightNan, in->weights[3][0] = NAN)
SPOIL(weightInfinite, in->weights[3][1] = INFINITY)
SPOIL(weightNegative, in->weights[3][1] = -0.25f)
SPOIL(weightsZero, in->weights[3][0] = in->weights[3][1] = 0.0f)
SPOIL(positionNan, in->positions[3][1] = NAN)
SPOIL(normalInfinite, in->normals[3][1] = INFINITY)
SPOIL(tangentNan, in->tangents[3][2] = NAN)
SPOIL(handednessNan, in->tangents[3][3] = NAN)
SPOIL(meshNoCookie, in->def.cookie = 0)
SPOIL(meshNoPositions, in->def.positions = NULL)
SPOIL(meshNoJoints, in->def.joints = NULL)
SPOIL(meshNoWeights, in->def.weights = NULL)
SPOIL(tangentsAlone, in->def.normals = NULL)
SPOIL(noVertices, in->def.vertexCount = 0)
SPOIL(noBones, in->def.boneCount = 0)
SPOIL(manyBones, in->def.boneCount = 65537)
SPOIL(noInfluences, in->def.influencesPerVertex = 0)
SPOIL(manyInfluences, in->def.influencesPerVertex = 256)
SPOIL(keepNone, in->def.maxInfluences = 0)
SPOIL(keepFive, in->def.maxInfluences = 5)
SPOIL(unknownJoints, in->def.jointFormat = (VkskinJointFormat)3)
SPOIL(unknownFormat, in->def.format = VKSKIN_VERTEX_FORMAT_COUNT)
SPOIL(shortPositionStride, in->def.positionStride = 8)
SPOIL(shortNormalStride, in->def.normalStride = 8)
SPOIL(shortTangentStride, in->def.tangentStride = 12)
SPOIL(shortJointStride, in->def.jointStride = 2)
SPOIL(shortWeightStride, in->def.weightStride = 4)
SPOIL(longPositionStride, in->def.positionStride = 65540)
SPOIL(longNormalStride, in->def.normalStride = 65540)
SPOIL(longTangentStride, in->def.tangentStride = 65540)
SPOIL(longJointStride, in->def.jointStride = 65537)
SPOIL(longWeightStride, in->def.weightStride = 65540)
SPOIL(wrappedStride, in->def.positionStride = (size_t)-12)
SPOIL(wrappedCount, in->def.vertexCount = UINT32_MAX)
#undef SPOIL

static const struct {
    const char *label;
    void (*spoil)(MeshInput *input);
    VkskinResult expected;
    const char *part;
} meshCases[] = {
    {"joint out of range", jointOut, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "vertex 3"},
    {"joint far out", jointFarOut, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "65535"},
    {"weight NaN", weightNan, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "vertex 3"},
    {"weight infinite", weightInfinite, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "vertex 3"},
    {"weight negative", weightNegative, VKSKIN_ERROR_WEIGHT_NEGATIVE, "vertex 3"},
    {"weights zero", weightsZero, VKSKIN_ERROR_WEIGHT_ZERO, "vertex 3"},
    {"position NaN", positionNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"normal infinite", normalInfinite, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"tangent NaN", tangentNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"handedness NaN", handednessNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"no cookie", meshNoCookie, VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinDefaultMeshDef"},
    {"no positions", meshNoPositions, VKSKIN_ERROR_NULL_ARGUMENT, "positions"},
    {"no joints", meshNoJoints, VKSKIN_ERROR_NULL_ARGUMENT, "joints"},
    {"no weights", meshNoWeights, VKSKIN_ERROR_NULL_ARGUMENT, "weights"},
    {"tangents alone", tangentsAlone, VKSKIN_ERROR_NULL_ARGUMENT, "normals"},
    {"no vertices", noVertices, VKSKIN_ERROR_INVALID_VALUE, "vertexCount"},
    {"no bones", noBones, VKSKIN_ERROR_INVALID_VALUE, "boneCount"},
    {"many bones", manyBones, VKSKIN_ERROR_INVALID_VALUE, "boneCount"},
    {"no influences", noInfluences, VKSKIN_ERROR_INVALID_VALUE, "influencesPerVertex"},
    {"many influences", manyInfluences, VKSKIN_ERROR_INVALID_VALUE, "influencesPerVertex"},
    {"keep none", keepNone, VKSKIN_ERROR_INVALID_VALUE, "maxInfluences"},
    {"keep five", keepFive, VKSKIN_ERROR_INVALID_VALUE, "maxInfluences"},
    {"unknown joints", unknownJoints, VKSKIN_ERROR_INVALID_VALUE, "jointFormat"},
    {"unknown format", unknownFormat, VKSKIN_ERROR_INVALID_VALUE, "format"},
    {"short position stride", shortPositionStride, VKSKIN_ERROR_INVALID_VALUE, "positionStride"},
    {"short normal stride", shortNormalStride, VKSKIN_ERROR_INVALID_VALUE, "normalStride"},
    {"short tangent stride", shortTangentStride, VKSKIN_ERROR_INVALID_VALUE, "tangentStride"},
    {"short joint stride", shortJointStride, VKSKIN_ERROR_INVALID_VALUE, "jointStride"},
    {"short weight stride", shortWeightStride, VKSKIN_ERROR_INVALID_VALUE, "weightStride"},
    {"long position stride", longPositionStride, VKSKIN_ERROR_INVALID_VALUE, "positionStride"},
    {"long normal stride", longNormalStride, VKSKIN_ERROR_INVALID_VALUE, "normalStride"},
    {"long tangent stride", longTangentStride, VKSKIN_ERROR_INVALID_VALUE, "tangentStride"},
    {"long joint stride", longJointStride, VKSKIN_ERROR_INVALID_VALUE, "jointStride"},
    {"long weight stride", longWeightStride, VKSKIN_ERROR_INVALID_VALUE, "weightStride"},
    {"wrapped stride", wrappedStride, VKSKIN_ERROR_INVALID_VALUE, "positionStride"},
    {"wrapped count", wrappedCount, VKSKIN_ERROR_MESH_TOO_LARGE, "4294967295 vertices"},
};

static void meshDefs(void **state) {
    Gpu *gpu = *state;
    static MeshInput input;
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    VkskinMesh mesh;
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    for (size_t i = 0; i < sizeof meshCases / sizeof meshCases[0]; i++) {
        rightMesh(&input);
        meshCases[i].spoil(&input);
        mesh = (VkskinMesh){9, 9};
        VkskinResult result = vkskinCreateMesh(context, &input.def, &mesh);
        gpuCheckRefusal(gpu, meshCases[i].label, result, meshCases[i].expected, meshCases[i].part);
        assert_true(mesh.index == 0 && mesh.generation == 0);
    }
    rightMesh(&input);
    gpuCheckRefusal(gpu, "no handle", vkskinCreateMesh(context, &input.def, NULL), VKSKIN_ERROR_NULL_ARGUMENT, "mesh");
    gpuCheckRefusal(gpu, "no def", vkskinCreateMesh(context, NULL, &mesh), VKSKIN_ERROR_NULL_ARGUMENT, "def");
    assert_int_equal(vkskinCreateMesh(NULL, &input.def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT);
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    assert_int_equal(stats.meshes, 0);
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &input.def, &mesh));
    input.def.vertexCount = 1;
    input.def.positionStride = input.def.normalStride = input.def.tangentStride = 65536;
    input.def.jointStride = input.def.weightStride = 65536;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &input.def, &mesh));
    vkskinDestroyContext(context);
}

/* Repairs that are documented: told, counted, and the mesh is made. */
static void meshRepairs(void **state) {
    Gpu *gpu = *state;
    static MeshInput input;
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    VkskinMesh mesh;
    VkskinMeshInfo info;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    rightMesh(&input);
    input.weights[1][0] = 1.5f; /* sums to 1.75 */
    gpuCheckRefusal(gpu, "not normalised", vkskinCreateMesh(context, &input.def, &mesh),
                    VKSKIN_WARNING_WEIGHTS_NORMALISED, "1 of 5 vertices");
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    assert_int_equal(info.normalisedVertices, 1);
    assert_int_equal(info.influences, 2);

    rightMesh(&input);
    input.def.maxInfluences = 1;
    gpuCheckRefusal(gpu, "trimmed", vkskinCreateMesh(context, &input.def, &mesh), VKSKIN_WARNING_INFLUENCES_TRIMMED,
                    "5 of 5 vertices");
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    assert_int_equal(info.trimmedVertices, VERTICES);
    assert_true(fabsf(info.trimmedWeight - 0.25f) < 1e-6f);
    assert_int_equal(info.influences, 1);

    rightMesh(&input);
    input.def.maxInfluences = 1;
    input.weights[1][0] = 1.5f; /* both: each is told, the second is returned */
    assert_int_equal(vkskinCreateMesh(context, &input.def, &mesh), VKSKIN_WARNING_INFLUENCES_TRIMMED);
    assert_int_equal(gpu->log.count, 2);

    rightMesh(&input);
    input.weights[2][1] = 0.0f; /* unused: the joint is not looked at */
    input.weights[2][0] = 1.0f;
    input.joints[2][1] = 65535;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &input.def, &mesh));
    vkskinDestroyContext(context);
}

/* More than the device can bind. The arrays are never read: the sizes are refused first. */
static VKAPI_ATTR void VKAPI_CALL smallLimits(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits.maxStorageBufferRange = 1u << 20;
}

static void meshTooLarge(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceProperties = smallLimits};
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    uint32_t count = 100000;
    float *values = calloc(count, 3 * sizeof *values);
    uint8_t *joints = calloc(count, 1);
    assert_true(values != NULL && joints != NULL);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = 1.0f;
    }
    def.functions = &functions;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    VkskinMeshDef mesh = vkskinDefaultMeshDef();
    VkskinMesh handle;
    mesh.vertexCount = count;
    mesh.boneCount = 1;
    mesh.positions = values;
    mesh.influencesPerVertex = 1;
    mesh.jointFormat = VKSKIN_JOINTS_U8;
    mesh.joints = joints;
    mesh.weights = values;
    gpuCheckRefusal(gpu, "too large", vkskinCreateMesh(context, &mesh, &handle), VKSKIN_ERROR_MESH_TOO_LARGE, "100000");
    vkskinDestroyContext(context);
    free(values);
    free(joints);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(contextDefs), GPU_TEST(devices),     GPU_TEST(pipelineDefs),
        GPU_TEST(meshDefs),    GPU_TEST(meshRepairs), GPU_TEST(meshTooLarge),
    };
    return gpuRunTests("bad defs", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
