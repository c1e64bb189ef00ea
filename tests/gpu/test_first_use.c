/*
 * The first use of kernels: which are compiled, and that the host's pipeline cache is used for each of them, also with
 * data of an earlier device.
 */
#include "marker_scene.h"

/* ---- The kernels that a def makes ---- */

static struct {
    VkPipelineCache expected;
    uint32_t pipelines, wrongCaches;
    PFN_vkCreateComputePipelines create; /* function of the device under test */
} seen;

static VKAPI_ATTR VkResult VKAPI_CALL seePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkComputePipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    seen.pipelines += count;
    seen.wrongCaches += cache != seen.expected;
    return seen.create(device, cache, count, infos, allocator, pipelines);
}

/* vkskinCreatePipelines makes `expected` kernels, each with the cache. */
static void makeKernels(Gpu *gpu, VkskinContext context, const VkskinMesh *mesh, VkPipelineCache cache,
                        uint32_t expected) {
    VkskinPipelineDef def = kernelsOf(mesh, mesh != NULL);
    def.cache = seen.expected = cache;
    seen.pipelines = 0;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &def));
    assert_int_equal(seen.pipelines, expected);
    assert_int_equal(seen.wrongCaches, 0);
}

static VkskinContextDef watchedDef(Gpu *gpu, VkDevice device, VkskinVulkanFunctions *functions) {
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 1);
    memset(functions, 0, sizeof *functions);
    memset(&seen, 0, sizeof seen);
    functions->vkCreateComputePipelines = seePipelines;
    seen.create = (PFN_vkCreateComputePipelines)vkGetDeviceProcAddr(device, "vkCreateComputePipelines");
    def.device = device;
    def.functions = functions;
    return def;
}

/* Two vertices with one influence and one with two; positions alone. */
static VkskinMeshDef smallMeshDef(void) {
    static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint8_t joints[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    static const float weights[3][2] = {{1, 0}, {1, 0}, {.5f, .5f}};
    VkskinMeshDef def = meshDefOf(3, 2, 2, positions[0], joints, weights[0]);
    def.jointFormat = VKSKIN_JOINTS_U8;
    return def;
}

static VkskinMesh smallMesh(Gpu *gpu, VkskinContext context) {
    VkskinMeshDef def = smallMeshDef();
    VkskinMesh mesh;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &def, &mesh));
    return mesh;
}

/* The call of the README. */
GPU_TEST(openMakesTheKernelsOfTheMeshes) {
    VkskinVulkanFunctions functions;
    VkskinContextDef def = watchedDef(gpu, gpu->device, &functions);
    VkskinMeshDef mesh = smallMeshDef();
    VkskinContext context;
    VkskinMesh made;
    GPU_VKSKIN(gpu, vkskinOpen(&def, &mesh, 1, VKSKIN_METHOD_LINEAR_BLEND_BIT, &context, &made));
    assert_int_equal(seen.pipelines, 2);
    vkskinDestroyContext(context);
}

/* Nothing but vkskinCreatePipelines compiles, and with a mesh it compiles what the mesh needs. */
GPU_TEST(onlyTheKernelsOfTheMesh) {
    VkskinVulkanFunctions functions;
    VkskinContextDef def = watchedDef(gpu, gpu->device, &functions);
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh = smallMesh(gpu, context);
    assert_int_equal(seen.pipelines, 0);
    makeKernels(gpu, context, &mesh, gpu->cache, 2);
    makeKernels(gpu, context, &mesh, gpu->cache, 0);
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, 10, false)); /* one influence */
    skinOneFrame(gpu, context, 0, instance, 1.0f, 1.0f);
    assert_int_equal(seen.pipelines, 0);
    makeKernels(gpu, context, NULL, gpu->cache, 3 * 5 - 2); /* no kernel twice */
}

/* ---- Cache data of an earlier device ---- */

typedef struct SecondDevice {
    VkDevice device;
    PFN_vkCreatePipelineCache createCache;
    PFN_vkGetPipelineCacheData getData;
    PFN_vkDestroyPipelineCache destroyCache;
    PFN_vkDestroyDevice destroy;
} SecondDevice;

static SecondDevice openDevice(Gpu *gpu) {
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = gpu->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    SecondDevice made;
    GPU_CHECK(vkCreateDevice(gpu->physicalDevice, &info, NULL, &made.device));
    made.createCache = (PFN_vkCreatePipelineCache)vkGetDeviceProcAddr(made.device, "vkCreatePipelineCache");
    made.getData = (PFN_vkGetPipelineCacheData)vkGetDeviceProcAddr(made.device, "vkGetPipelineCacheData");
    made.destroyCache = (PFN_vkDestroyPipelineCache)vkGetDeviceProcAddr(made.device, "vkDestroyPipelineCache");
    made.destroy = (PFN_vkDestroyDevice)vkGetDeviceProcAddr(made.device, "vkDestroyDevice");
    return made;
}

typedef struct CacheData {
    size_t size;
    unsigned char bytes[4u << 20];
} CacheData;

/* A device of its own makes the kernels of the mesh with a cache that starts with the data, and then in another context
 * with the same cache. *data receives the cache's data. */
static void runDevice(Gpu *gpu, CacheData *data) {
    SecondDevice device = openDevice(gpu);
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                      .initialDataSize = data->size,
                                      .pInitialData = data->bytes};
    VkPipelineCache cache;
    GPU_CHECK(device.createCache(device.device, &info, NULL, &cache));
    for (int round = 0; round < 2; round++) {
        VkskinVulkanFunctions functions;
        VkskinContextDef def = watchedDef(gpu, device.device, &functions);
        VkskinContext context = gpuContext(gpu, &def);
        VkskinMesh mesh = smallMesh(gpu, context);
        makeKernels(gpu, context, &mesh, cache, 2);
        gpuDestroyContext(gpu, context);
    }
    GPU_CHECK(device.getData(device.device, cache, &data->size, NULL));
    assert_true(data->size <= sizeof data->bytes);
    GPU_CHECK(device.getData(device.device, cache, &data->size, data->bytes));
    device.destroyCache(device.device, cache, NULL);
    device.destroy(device.device, NULL);
}

/* The header that the specification demands: the driver accepts the data again. */
static void checkHeader(const Gpu *gpu, const CacheData *data) {
    VkPipelineCacheHeaderVersionOne header;
    assert_true(data->size >= sizeof header);
    memcpy(&header, data->bytes, sizeof header);
    assert_int_equal(header.headerVersion, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
    assert_int_equal(header.vendorID, gpu->properties.vendorID);
    assert_int_equal(header.deviceID, gpu->properties.deviceID);
    assert_memory_equal(header.pipelineCacheUUID, gpu->properties.pipelineCacheUUID, VK_UUID_SIZE);
}

/* Times are no part of this test: neither driver stores code in the cache's data (docs/performance.md). */
GPU_TEST(cacheDataServesANewDevice) {
    static CacheData data;
    data.size = 0;
    runDevice(gpu, &data);
    checkHeader(gpu, &data);
    runDevice(gpu, &data);
    checkHeader(gpu, &data);
}
