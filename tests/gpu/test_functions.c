/*
 * The host boundary: missing functions, function tables and memory of the host; and debug utils: every object that the
 * library creates has a name, every pass a label.
 */

#include "scene.h"
#include "test.h"

/* ---- Functions and memory ---- */

/* ---- Missing functions ---- */

static const char *missingName; /* what the two resolvers below do not know */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL partialDeviceProcAddr(VkDevice device, const char *name) {
    return strcmp(name, missingName) == 0 ? NULL : vkGetDeviceProcAddr(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL partialInstanceProcAddr(VkInstance instance, const char *name) {
    return strcmp(name, missingName) == 0 ? NULL : vkGetInstanceProcAddr(instance, name);
}

static void expectMissing(Gpu *gpu, const char *name) {
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = (VkskinContext)(uintptr_t)1;
    missingName = name;
    def.debugUtils = true;
    def.getDeviceProcAddr = partialDeviceProcAddr;
    def.getInstanceProcAddr = partialInstanceProcAddr;
    gpu->log.count = 0;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_MISSING_FUNCTION, vkskinCreateContext(&def, &context));
    assert_null(context);
    assert_int_equal(gpu->log.count, 1);
    assert_int_equal(gpu->log.last, VKSKIN_ERROR_MISSING_FUNCTION);
    assert_non_null(strstr(gpu->log.lastText, name));
    assert_non_null(strstr(gpu->log.lastText, "ProcAddr finds none"));
}

GPU_TEST(everyMissingFunctionIsNamed) {
#define FUNCTION_NAME(name) "vk" #name,
    static const char *const names[] = {VKSKIN_INSTANCE_FUNCTIONS(FUNCTION_NAME) VKSKIN_DEVICE_FUNCTIONS(FUNCTION_NAME)
                                            VKSKIN_DEBUG_FUNCTIONS(FUNCTION_NAME)};
#undef FUNCTION_NAME
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        expectMissing(gpu, names[i]);
    }
}

/* Without debugUtils its functions are not asked for. */
GPU_TEST(debugFunctionsAreOptional) {
    VkskinContextDef def = gpuContextDef(gpu);
    missingName = "vkSetDebugUtilsObjectNameEXT";
    def.getDeviceProcAddr = partialDeviceProcAddr;
    def.getInstanceProcAddr = partialInstanceProcAddr;
    (void)gpuContext(gpu, &def);
}

/* A whole table needs no resolver. */
GPU_TEST(tableNeedsNoResolver) {
#define FUNCTION_ENTRY(name) .vk##name = vk##name,
    VkskinVulkanFunctions functions = {VKSKIN_INSTANCE_FUNCTIONS(FUNCTION_ENTRY) VKSKIN_DEVICE_FUNCTIONS(FUNCTION_ENTRY)
                                           VKSKIN_DEBUG_FUNCTIONS(FUNCTION_ENTRY)};
#undef FUNCTION_ENTRY
    VkskinContextDef def = gpuContextDef(gpu);
    def.debugUtils = true;
    def.functions = &functions;
    def.getDeviceProcAddr = NULL;
    def.getInstanceProcAddr = NULL;
    VkskinContext context = gpuContext(gpu, &def);
    gpuDestroyContext(gpu, context);
    functions.vkCmdDispatch = NULL;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_MISSING_FUNCTION, vkskinCreateContext(&def, &context));
    assert_non_null(
        strstr(gpu->log.lastText, "vkCmdDispatch is missing: functions has none, and getDeviceProcAddr is null"));
    functions.vkGetPhysicalDeviceProperties = NULL;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_MISSING_FUNCTION, vkskinCreateContext(&def, &context));
    assert_non_null(strstr(gpu->log.lastText, "and getInstanceProcAddr is null"));
}

/* ---- Memory callbacks ---- */

/* The host's own device memory: blocks inside of larger allocations, counted. */
typedef struct HostMemory {
    Gpu *gpu;
    uint32_t allocated, freed;
    uint32_t uses[3];
    VkBufferUsageFlags usages; /* of all buffers */
} HostMemory;

static VkResult hostAllocate(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    HostMemory *host = user;
    assert_true(request->buffer != VK_NULL_HANDLE && request->name != NULL);
    assert_true((request->usage & VK_BUFFER_USAGE_VERTEX_BUFFER_BIT) == 0 || request->use == VKSKIN_MEMORY_DEVICE);
    host->usages |= request->usage;
    VkMemoryPropertyFlags properties = request->use == VKSKIN_MEMORY_DEVICE
                                           ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                           : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkDeviceSize inset = request->requirements.alignment * 3;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = request->requirements.size + inset,
        .memoryTypeIndex = gpuMemoryType(host->gpu, request->requirements.memoryTypeBits, properties),
    };
    *block = (VkskinMemoryBlock){.offset = inset, .size = request->requirements.size, .userData = host};
    block->memoryTypeIndex = info.memoryTypeIndex;
    GPU_CHECK(vkAllocateMemory(host->gpu->device, &info, NULL, &block->memory));
    if (request->use != VKSKIN_MEMORY_DEVICE) {
        void *mapped;
        GPU_CHECK(vkMapMemory(host->gpu->device, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped));
        block->mapped = (char *)mapped + inset;
    }
    host->allocated++;
    host->uses[request->use]++;
    return VK_SUCCESS;
}

static void hostFree(void *user, const VkskinMemoryBlock *block) {
    HostMemory *host = user;
    assert_ptr_equal(block->userData, host);
    vkFreeMemory(host->gpu->device, block->memory, NULL);
    host->freed++;
}

static VkskinMemoryCallbacks hostCallbacks(HostMemory *host) {
    return (VkskinMemoryCallbacks){hostAllocate, hostFree, host};
}

/* A frame of one marker instance, its output checked. */
static void checkOneFrame(Gpu *gpu, VkskinContext context, uint32_t slot, VkskinInstance instance, float mark) {
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, slot));
    markerSkin(gpu, context, instance, mark, 2.0f);
    recordAndRun(gpu, context);
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    assert_int_equal(markerMismatches((char *)page.mapped + output.positionOffset, output.vertexCount, mark, 2.0f), 0);
    gpuFreeBuffer(gpu, &page);
}

GPU_TEST(hostMemoryBacksAll) {
    for (int memory = 0; memory < 2; memory++) {
        HostMemory host = {.gpu = gpu};
        VkskinMemoryCallbacks callbacks = hostCallbacks(&host);
        VkskinContextDef def = gpuContextDef(gpu);
        def.memory = &callbacks;
        def.paletteMemory = (VkskinPaletteMemory)memory;
        VkskinContext context = gpuContext(gpu, &def);
        VkskinMesh mesh = markerMesh(gpu, context, 333, false);
        VkskinInstance instance = markerInstance(gpu, context, mesh);
        for (uint32_t f = 0; f < 4; f++) {
            checkOneFrame(gpu, context, f % 2, instance, (float)f);
        }
        assert_true(host.uses[VKSKIN_MEMORY_DEVICE] >= 2); /* meshes and output */
        assert_int_equal(host.usages & def.outputUsage, def.outputUsage);
        assert_true(host.uses[VKSKIN_MEMORY_DYNAMIC] + host.uses[VKSKIN_MEMORY_STAGING] >= 1);
        gpuDestroyContext(gpu, context);
        assert_int_equal(host.allocated, host.freed);
    }
}

/* ---- Names and labels ---- */

#define MAX_OBJECTS 512

/* The wrappers below have no user pointer. */
static struct {
    uint32_t createdCount, namedCount;
    uint64_t created[MAX_OBJECTS], named[MAX_OBJECTS];
    const char *kinds[MAX_OBJECTS]; /* of the created ones */
    int depth;
    uint32_t labels;
    char texts[16][64];
} seen;

static void addCreated(const char *kind, uint64_t handle) {
    assert_true(seen.createdCount < MAX_OBJECTS);
    seen.kinds[seen.createdCount] = kind;
    seen.created[seen.createdCount++] = handle;
}

/* DEFINE_CREATE(Buffer): wrappedCreateBuffer, which notes the handle. */
#define DEFINE_CREATE(Name)                                                                                            \
    static VKAPI_ATTR VkResult VKAPI_CALL wrappedCreate##Name(                                                         \
        VkDevice device, const Vk##Name##CreateInfo *info, const VkAllocationCallbacks *allocator, Vk##Name *object) { \
        VkResult result = vkCreate##Name(device, info, allocator, object);                                             \
        addCreated(#Name, (uint64_t)*object);                                                                          \
        return result;                                                                                                 \
    }
DEFINE_CREATE(Buffer)
DEFINE_CREATE(DescriptorSetLayout)
DEFINE_CREATE(PipelineLayout)
DEFINE_CREATE(DescriptorPool)
DEFINE_CREATE(QueryPool)

static VKAPI_ATTR VkResult VKAPI_CALL wrappedCreatePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                             const VkComputePipelineCreateInfo *infos,
                                                             const VkAllocationCallbacks *allocator,
                                                             VkPipeline *pipelines) {
    VkResult result = vkCreateComputePipelines(device, cache, count, infos, allocator, pipelines);
    for (uint32_t i = 0; i < count; i++) {
        addCreated("pipeline", (uint64_t)pipelines[i]);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrappedAllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkDeviceMemory *memory) {
    VkResult result = vkAllocateMemory(device, info, allocator, memory);
    addCreated("memory", (uint64_t)*memory);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrappedSetName(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    assert_true(info->pObjectName != NULL && strncmp(info->pObjectName, "vkskin", 6) == 0);
    assert_true(seen.namedCount < MAX_OBJECTS);
    seen.named[seen.namedCount++] = info->objectHandle;
    return vkSetDebugUtilsObjectNameEXT(device, info);
}

static VKAPI_ATTR void VKAPI_CALL wrappedBeginLabel(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *label) {
    if (seen.labels < 16) {
        snprintf(seen.texts[seen.labels], sizeof seen.texts[0], "%s", label->pLabelName);
    }
    seen.labels++;
    seen.depth++;
    vkCmdBeginDebugUtilsLabelEXT(commandBuffer, label);
}

static VKAPI_ATTR void VKAPI_CALL wrappedEndLabel(VkCommandBuffer commandBuffer) {
    seen.depth--;
    vkCmdEndDebugUtilsLabelEXT(commandBuffer);
}

static bool wasNamed(uint64_t handle) {
    for (uint32_t i = 0; i < seen.namedCount; i++) {
        if (seen.named[i] == handle) {
            return true;
        }
    }
    return false;
}

static bool wasLabelled(const char *part) {
    for (uint32_t i = 0; i < seen.labels && i < 16; i++) {
        if (strstr(seen.texts[i], part) != NULL) {
            return true;
        }
    }
    return false;
}

static VkskinContext namedContext(Gpu *gpu, bool debugUtils) {
    VkskinVulkanFunctions functions = {
        .vkCreateBuffer = wrappedCreateBuffer,
        .vkCreateDescriptorSetLayout = wrappedCreateDescriptorSetLayout,
        .vkCreatePipelineLayout = wrappedCreatePipelineLayout,
        .vkCreateDescriptorPool = wrappedCreateDescriptorPool,
        .vkCreateQueryPool = wrappedCreateQueryPool,
        .vkCreateComputePipelines = wrappedCreatePipelines,
        .vkAllocateMemory = wrappedAllocateMemory,
        .vkSetDebugUtilsObjectNameEXT = wrappedSetName,
        .vkCmdBeginDebugUtilsLabelEXT = wrappedBeginLabel,
        .vkCmdEndDebugUtilsLabelEXT = wrappedEndLabel,
    };
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.debugUtils = debugUtils;
    memset(&seen, 0, sizeof seen);
    return gpuContext(gpu, &def);
}

static void liveOneFrame(Gpu *gpu, VkskinContext context) {
    VkskinMesh mesh = markerMesh(gpu, context, 10, false);
    VkskinInstance instance = markerInstance(gpu, context, mesh);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, instance, 1.0f, 1.0f);
    recordAndRun(gpu, context);
}

GPU_TEST(everythingHasAName) {
    VkskinContext context = namedContext(gpu, true);
    liveOneFrame(gpu, context);
    assert_true(seen.createdCount > 10);
    uint32_t nameless = 0;
    for (uint32_t i = 0; i < seen.createdCount; i++) {
        if (!wasNamed(seen.created[i])) {
            print_error("object %u of %u, a %s, has no name\n", i, seen.createdCount, seen.kinds[i]);
            nameless++;
        }
    }
    assert_int_equal(nameless, 0);
    assert_true(wasLabelled("skinning"));
    assert_true(wasLabelled("upload"));
    assert_int_equal(seen.depth, 0);
}

GPU_TEST(silentWithoutDebugUtils) {
    VkskinContext context = namedContext(gpu, false);
    liveOneFrame(gpu, context);
    assert_int_equal(seen.namedCount, 0);
    assert_int_equal(seen.labels, 0);
}
