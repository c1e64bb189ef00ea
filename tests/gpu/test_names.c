/* What a GPU debugger shows: every object that the library makes has a name, every pass a label. */
#include <stdio.h>
#include <string.h>

#include "scene.h"

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

static void everythingHasAName(void **state) {
    Gpu *gpu = *state;
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
    vkskinDestroyContext(context);
}

static void silentWithoutDebugUtils(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = namedContext(gpu, false);
    liveOneFrame(gpu, context);
    assert_int_equal(seen.namedCount, 0);
    assert_int_equal(seen.labels, 0);
    vkskinDestroyContext(context);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(everythingHasAName), GPU_TEST(silentWithoutDebugUtils)};
    return gpuRunTests("names and labels", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
