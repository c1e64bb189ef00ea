/* The host boundary: functions that the device does not have, tables that the host gives, memory that runs out. */
#include <stdlib.h>
#include <string.h>

#include "marker.h"

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
}

static void everyMissingFunctionIsNamed(void **state) {
#define FUNCTION_NAME(name) "vk" #name,
    static const char *const names[] = {VKSKIN_INSTANCE_FUNCTIONS(FUNCTION_NAME) VKSKIN_DEVICE_FUNCTIONS(FUNCTION_NAME)
                                            VKSKIN_DEBUG_FUNCTIONS(FUNCTION_NAME)};
#undef FUNCTION_NAME
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        expectMissing(*state, names[i]);
    }
}

/* Without debugUtils its functions are not asked for. */
static void debugFunctionsAreOptional(void **state) {
    Gpu *gpu = *state;
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    missingName = "vkSetDebugUtilsObjectNameEXT";
    def.getDeviceProcAddr = partialDeviceProcAddr;
    def.getInstanceProcAddr = partialInstanceProcAddr;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    vkskinDestroyContext(context);
}

/* A whole table needs no resolver. */
static void tableNeedsNoResolver(void **state) {
    Gpu *gpu = *state;
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
    vkskinDestroyContext(context);
    functions.vkCmdDispatch = NULL;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_MISSING_FUNCTION, vkskinCreateContext(&def, &context));
    assert_non_null(strstr(gpu->log.lastText, "vkCmdDispatch"));
}

/* ---- Memory callbacks ---- */

/* The host's own device memory: blocks inside of larger allocations, counted. */
typedef struct HostMemory {
    Gpu *gpu;
    uint32_t allocated, freed;
    uint32_t failAfter; /* allocations that still succeed */
    uint32_t uses[3];
} HostMemory;

static VkResult hostAllocate(void *user, VkBuffer buffer, const VkMemoryRequirements *requirements, VkskinMemoryUse use,
                             VkskinMemoryBlock *block) {
    HostMemory *host = user;
    assert_true(buffer != VK_NULL_HANDLE);
    if (host->failAfter == 0) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkMemoryPropertyFlags properties = use == VKSKIN_MEMORY_DEVICE
                                           ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                           : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkDeviceSize inset = requirements->alignment * 3;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements->size + inset,
        .memoryTypeIndex = gpuMemoryType(host->gpu, requirements->memoryTypeBits, properties),
    };
    *block = (VkskinMemoryBlock){.offset = inset, .size = requirements->size, .userData = host};
    block->memoryTypeIndex = info.memoryTypeIndex;
    GPU_CHECK(vkAllocateMemory(host->gpu->device, &info, NULL, &block->memory));
    if (use != VKSKIN_MEMORY_DEVICE) {
        void *mapped;
        GPU_CHECK(vkMapMemory(host->gpu->device, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped));
        block->mapped = (char *)mapped + inset;
    }
    host->failAfter--;
    host->allocated++;
    host->uses[use]++;
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
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    assert_int_equal(markerMismatches((char *)page.mapped + output.positionOffset, output.vertexCount, mark, 2.0f), 0);
    gpuFreeBuffer(gpu, &page);
}

static void hostMemoryBacksAll(void **state) {
    Gpu *gpu = *state;
    for (int memory = 0; memory < 2; memory++) {
        HostMemory host = {.gpu = gpu, .failAfter = UINT32_MAX};
        VkskinMemoryCallbacks callbacks = hostCallbacks(&host);
        VkskinContextDef def = gpuContextDef(gpu);
        def.memory = &callbacks;
        def.paletteMemory = (VkskinPaletteMemory)memory;
        VkskinContext context = gpuContext(gpu, &def);
        VkskinMesh mesh = markerMesh(gpu, context, 333, false);
        VkskinInstance instance;
        GPU_VKSKIN(gpu, vkskinCreateInstance(context, mesh, &instance));
        for (uint32_t f = 0; f < 4; f++) {
            checkOneFrame(gpu, context, f % 2, instance, (float)f);
        }
        assert_true(host.uses[VKSKIN_MEMORY_DEVICE] >= 2); /* meshes and output */
        assert_true(host.uses[VKSKIN_MEMORY_DYNAMIC] + host.uses[VKSKIN_MEMORY_STAGING] >= 1);
        vkskinDestroyContext(context);
        assert_int_equal(host.allocated, host.freed);
    }
}

/* Creation fails cleanly at every allocation of device memory; the next attempt gets one further. */
static void hostMemoryRunsOutInCreation(void **state) {
    Gpu *gpu = *state;
    VkskinResult result = VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY;
    for (uint32_t allowed = 0; result != VKSKIN_SUCCESS; allowed++) {
        HostMemory host = {.gpu = gpu, .failAfter = allowed};
        VkskinMemoryCallbacks callbacks = hostCallbacks(&host);
        VkskinContextDef def = gpuContextDef(gpu);
        VkskinContext context = NULL;
        def.memory = &callbacks;
        result = vkskinCreateContext(&def, &context);
        if (result != VKSKIN_SUCCESS) {
            GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, result);
            assert_null(context);
        }
        vkskinDestroyContext(context);
        assert_int_equal(host.allocated, host.freed);
        assert_true(allowed < 100);
    }
}

/* A mesh that needs a page of its own. */
static VkskinResult createLargeMesh(VkskinContext context, VkskinMesh *mesh) {
    enum { VERTICES = 10000 };
    static float positions[VERTICES][3], weights[VERTICES];
    static uint8_t joints[VERTICES];
    for (int v = 0; v < VERTICES; v++) {
        weights[v] = 1.0f;
    }
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = VERTICES;
    def.boneCount = 1;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    return vkskinCreateMesh(context, &def, mesh);
}

static void hostMemoryRunsOutLater(void **state) {
    Gpu *gpu = *state;
    HostMemory host = {.gpu = gpu, .failAfter = UINT32_MAX};
    VkskinMemoryCallbacks callbacks = hostCallbacks(&host);
    VkskinContextDef def = gpuContextDef(gpu);
    def.memory = &callbacks;
    def.pageSize = 64 * 1024;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh = markerMesh(gpu, context, 50, false);
    VkskinInstance instance = {9, 9};
    VkskinMesh refused = {9, 9};
    VkskinStats stats;
    host.failAfter = 0;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, vkskinCreateInstance(context, mesh, &instance));
    assert_int_equal(instance.index, 0);
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, createLargeMesh(context, &refused));
    assert_int_equal(refused.index, 0);
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    assert_int_equal(stats.meshes, 1);
    assert_int_equal(stats.instances, 0);

    host.failAfter = UINT32_MAX; /* what failed left nothing behind: all works now */
    GPU_VKSKIN(gpu, createLargeMesh(context, &refused));
    GPU_VKSKIN(gpu, vkskinCreateInstance(context, mesh, &instance));
    checkOneFrame(gpu, context, 0, instance, 3.0f);
    vkskinDestroyContext(context);
    assert_int_equal(host.allocated, host.freed);
}

/* ---- VkAllocationCallbacks ---- */

typedef struct HostHeap {
    int64_t alive;
    uint32_t failAt; /* which allocation fails: 0 is the first; UINT32_MAX: none */
    uint32_t count;
} HostHeap;

static VKAPI_ATTR void *VKAPI_CALL heapAllocate(void *user, size_t size, size_t alignment,
                                                VkSystemAllocationScope scope) {
    HostHeap *heap = user;
    (void)scope;
    if (heap->count++ == heap->failAt) {
        return NULL;
    }
    void *memory = NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size > 0 ? size : 1) != 0) {
        return NULL;
    }
    heap->alive++;
    return memory;
}

static VKAPI_ATTR void VKAPI_CALL heapFree(void *user, void *memory) {
    HostHeap *heap = user;
    heap->alive -= memory != NULL;
    free(memory);
}

static VKAPI_ATTR void *VKAPI_CALL heapReallocate(void *user, void *original, size_t size, size_t alignment,
                                                  VkSystemAllocationScope scope) {
    /* No driver here grows memory by it; a new block of the same size rule, without the old one's length, cannot
     * be copied, so growing is refused. */
    if (original == NULL) {
        return heapAllocate(user, size, alignment, scope);
    }
    return NULL;
}

static VkAllocationCallbacks heapCallbacks(HostHeap *heap) {
    return (VkAllocationCallbacks){
        .pUserData = heap,
        .pfnAllocation = heapAllocate,
        .pfnReallocation = heapReallocate,
        .pfnFree = heapFree,
    };
}

/* What a short life of a context allocates, but for kernels; returns the first result that is not a success. */
static VkskinResult liveShortly(Gpu *gpu, const VkAllocationCallbacks *callbacks) {
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    VkskinMesh mesh;
    VkskinInstance instance;
    def.allocator = callbacks;
    VkskinResult result = vkskinCreateContext(&def, &context);
    result = result == VKSKIN_SUCCESS ? createLargeMesh(context, &mesh) : result;
    result = result == VKSKIN_SUCCESS ? vkskinCreateInstance(context, mesh, &instance) : result;
    vkskinDestroyContext(context);
    return result;
}

static void hostHeapIsGivenBack(void **state) {
    Gpu *gpu = *state;
    HostHeap heap = {.failAt = UINT32_MAX};
    VkAllocationCallbacks callbacks = heapCallbacks(&heap);
    GPU_VKSKIN(gpu, liveShortly(gpu, &callbacks));
    assert_true(heap.count > 0);
    assert_int_equal(heap.alive, 0);
}

/* Every single host allocation fails once; nothing stays behind, and nothing but that error comes back. */
static void hostHeapRunsOutAnywhere(void **state) {
    Gpu *gpu = *state;
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t failAt = 0; result != VKSKIN_SUCCESS; failAt++) {
        HostHeap heap = {.failAt = failAt};
        VkAllocationCallbacks callbacks = heapCallbacks(&heap);
        result = liveShortly(gpu, &callbacks);
        assert_int_equal(heap.alive, 0);
        if (result != VKSKIN_SUCCESS) {
            GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, result);
        }
        assert_true(failAt < 2000);
    }
}

/* The same for kernels, of which a driver takes seconds to make all: the first allocations of each fail. */
static void hostHeapRunsOutForKernels(void **state) {
    Gpu *gpu = *state;
    for (uint32_t later = 0; later < 6; later++) {
        HostHeap heap = {.failAt = UINT32_MAX};
        VkAllocationCallbacks callbacks = heapCallbacks(&heap);
        VkskinContextDef def = gpuContextDef(gpu);
        VkskinContext context = NULL;
        VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
        def.allocator = &callbacks;
        GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
        heap.failAt = heap.count + later;
        VkskinResult result = vkskinCreatePipelines(context, &pipelines);
        if (heap.count > heap.failAt) {
            GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, result);
            assert_int_equal(gpu->log.last, VKSKIN_ERROR_OUT_OF_HOST_MEMORY);
        }
        vkskinDestroyContext(context);
        assert_int_equal(heap.alive, 0);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(everyMissingFunctionIsNamed), GPU_TEST(debugFunctionsAreOptional),
        GPU_TEST(tableNeedsNoResolver),        GPU_TEST(hostMemoryBacksAll),
        GPU_TEST(hostMemoryRunsOutInCreation), GPU_TEST(hostMemoryRunsOutLater),
        GPU_TEST(hostHeapIsGivenBack),         GPU_TEST(hostHeapRunsOutAnywhere),
        GPU_TEST(hostHeapRunsOutForKernels),
    };
    return gpuRunTests("host boundary", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
