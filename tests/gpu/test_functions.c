/*
 * The host boundary: missing functions and function tables of the host; and debug utils: every object that the
 * library creates has a name, every pass a label.
 */
#include "interposer.h"
#include "marker_scene.h"

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

static char askedNames[3][40];
static uint32_t askedCount;

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL withoutAddresses(VkDevice device, const char *name) {
    if (strstr(name, "BufferDeviceAddress") != NULL) {
        assert_true(askedCount < 3);
        snprintf(askedNames[askedCount++], sizeof askedNames[0], "%s", name);
        return NULL;
    }
    return vkGetDeviceProcAddr(device, name);
}

/* Only outputs with device addresses need their function, which has three names. */
GPU_TEST(addressFunctionIsOptional) {
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context;
    def.getDeviceProcAddr = withoutAddresses;
    askedCount = 0;
    (void)gpuContext(gpu, &def);
    assert_int_equal(askedCount, 0);
    def.outputUsage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_MISSING_FUNCTION, vkskinCreateContext(&def, &context));
    assert_non_null(strstr(gpu->log.lastText, "vkGetBufferDeviceAddress is missing"));
    assert_int_equal(askedCount, 3);
    assert_string_equal(askedNames[0], "vkGetBufferDeviceAddress");
    assert_string_equal(askedNames[1], "vkGetBufferDeviceAddressKHR");
    assert_string_equal(askedNames[2], "vkGetBufferDeviceAddressEXT");
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

/* Without getDeviceProcAddr the other resolver finds it; if it does not, the message names both. */
GPU_TEST(deviceResolverIsOptional) {
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context;
    def.getDeviceProcAddr = NULL;
    def.debugUtils = true;
    gpuDestroyContext(gpu, gpuContext(gpu, &def));
    missingName = "vkGetDeviceProcAddr";
    def.getInstanceProcAddr = partialInstanceProcAddr;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_MISSING_FUNCTION, vkskinCreateContext(&def, &context));
    assert_non_null(strstr(gpu->log.lastText, "getDeviceProcAddr is null"));
}

/* ---- Names and labels ---- */

/* The labels; the wrappers below have no user pointer. */
static struct {
    int depth;
    uint32_t labels, skinning, uploads;
} seen;

static VKAPI_ATTR void VKAPI_CALL beginLabel(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *label) {
    seen.skinning += strstr(label->pLabelName, "skinning") != NULL;
    seen.uploads += strstr(label->pLabelName, "upload") != NULL;
    seen.labels++;
    seen.depth++;
    vkCmdBeginDebugUtilsLabelEXT(commandBuffer, label);
}

static VKAPI_ATTR void VKAPI_CALL endLabel(VkCommandBuffer commandBuffer) {
    seen.depth--;
    vkCmdEndDebugUtilsLabelEXT(commandBuffer);
}

/* A context and its first frame. The interposer counts its calls that give names. */
static void liveOneFrame(Gpu *gpu, bool debugUtils) {
    interposerBegin(gpu);
    interposer.counted = FAULT_NAMES;
    VkskinVulkanFunctions functions = interposerFunctions();
    functions.vkCmdBeginDebugUtilsLabelEXT = beginLabel;
    functions.vkCmdEndDebugUtilsLabelEXT = endLabel;
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.debugUtils = debugUtils;
    memset(&seen, 0, sizeof seen);
    Scene s = makeScene(gpu, &def, 10, false);
    skinOneFrame(gpu, s.context, 0, s.instance, 1.0f, 1.0f);
}

INTERPOSER_TEST(everythingHasAName) {
    liveOneFrame(gpu, true);
    assert_true(interposerObjects() > 10);
    assert_int_equal(interposerNameless(), 0);
    assert_true(seen.skinning > 0 && seen.uploads > 0);
    assert_int_equal(seen.depth, 0);
}

INTERPOSER_TEST(silentWithoutDebugUtils) {
    liveOneFrame(gpu, false);
    assert_int_equal(interposer.calls, 0);
    assert_int_equal(seen.labels, 0);
}
