/*
 * The host boundary: missing functions and function tables of the host; and debug utils: every object that the
 * library creates has a name, every pass a label.
 */

#include "scene.h"
#include "test.h"

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

static void liveOneFrame(Gpu *gpu, bool debugUtils) {
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
    Scene s = makeScene(gpu, &def, 10, false);
    skinOneFrame(gpu, s.context, 0, s.instance, 1.0f, 1.0f);
}

GPU_TEST(everythingHasAName) {
    liveOneFrame(gpu, true);
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
    liveOneFrame(gpu, false);
    assert_int_equal(seen.namedCount, 0);
    assert_int_equal(seen.labels, 0);
}
