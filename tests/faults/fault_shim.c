#include "fault_shim.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_loan.h"

/* What a failed call leaves in its outputs, which the specification calls undefined. */
#define POISON UINT64_C(0x5ca1ab1e0badf00d)

FaultShim faultShim;

void faultShimReset(uint32_t failAt, VkResult error) {
    faultShim = (FaultShim){.failAt = failAt, .error = error};
}

/* Counts a call; true where it is the one that fails. */
static bool fails(FaultFunction function) {
    if ((faultShim.counted & FAULT_BIT(function)) == 0) {
        return false;
    }
    assert_true(faultShim.calls < FAULT_MAX_CALLS);
    faultShim.met[faultShim.calls] = function;
    bool now = faultShim.calls++ == faultShim.failAt;
    faultShim.fired = faultShim.fired || now;
    return now;
}

/* ---- Census ---- */

static void born(uint64_t handle) {
    assert_true(faultShim.aliveCount < FAULT_MAX_ALIVE);
    faultShim.alive[faultShim.aliveCount++] = handle;
}

/* False for null and for a stranger, neither of which the driver shall see. */
static bool dies(uint64_t handle) {
    for (uint32_t i = 0; i < faultShim.aliveCount; i++) {
        if (faultShim.alive[i] == handle) {
            faultShim.alive[i] = faultShim.alive[--faultShim.aliveCount];
            return true;
        }
    }
    faultShim.strangers += handle != 0;
    return false;
}

/* A mapping is counted apart from its memory. */
static uint64_t mappingOf(VkDeviceMemory memory) {
    return ~(uint64_t)memory;
}

/* ---- Objects ---- */

#define WRAP_OBJECT(name, create)                                                                                      \
    static VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice device, const Vk##name##CreateInfo *info,                    \
                                                 const VkAllocationCallbacks *allocator, Vk##name *object) {           \
        if (fails(FAULT_Create##name)) {                                                                               \
            *object = (Vk##name)POISON;                                                                                \
            return faultShim.error;                                                                                    \
        }                                                                                                              \
        VkResult result = vkCreate##name(device, info, allocator, object);                                             \
        if (result == VK_SUCCESS) {                                                                                    \
            born((uint64_t)*object);                                                                                   \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    static VKAPI_ATTR void VKAPI_CALL destroy##name(VkDevice device, Vk##name object,                                  \
                                                    const VkAllocationCallbacks *allocator) {                          \
        if (dies((uint64_t)object)) {                                                                                  \
            vkDestroy##name(device, object, allocator);                                                                \
        }                                                                                                              \
    }

WRAP_OBJECT(Buffer, createBuffer)
WRAP_OBJECT(BufferView, createBufferView)
WRAP_OBJECT(DescriptorSetLayout, createDescriptorSetLayout)
WRAP_OBJECT(PipelineLayout, createPipelineLayout)
WRAP_OBJECT(DescriptorPool, createDescriptorPool)
WRAP_OBJECT(QueryPool, createQueryPool)

static uint32_t lastCode; /* of the shader module made last: kernels are made of that one */

static VKAPI_ATTR VkResult VKAPI_CALL createShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                         const VkAllocationCallbacks *allocator,
                                                         VkShaderModule *module) {
    (void)allocator;
    lastCode = kernelLoanCode(info);
    if (fails(FAULT_CreateShaderModule)) {
        *module = (VkShaderModule)POISON;
        return faultShim.error;
    }
    VkResult result = kernelLoanModule(device, info, module);
    if (result == VK_SUCCESS) {
        born((uint64_t)*module);
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroyShaderModule(VkDevice device, VkShaderModule module,
                                                      const VkAllocationCallbacks *allocator) {
    (void)device;
    (void)allocator;
    (void)dies((uint64_t)module); /* lent: it stays */
}

static VKAPI_ATTR VkResult VKAPI_CALL createComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                             const VkComputePipelineCreateInfo *infos,
                                                             const VkAllocationCallbacks *allocator,
                                                             VkPipeline *pipelines) {
    (void)allocator;
    if (fails(FAULT_CreateComputePipelines)) {
        memset(pipelines, 0, count * sizeof *pipelines); /* these are null after a failure, the specification says */
        return faultShim.error;
    }
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        result = kernelLoan(device, cache, &infos[i], lastCode, &pipelines[i]);
        if (result == VK_SUCCESS) {
            born((uint64_t)pipelines[i]);
        }
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroyPipeline(VkDevice device, VkPipeline pipeline,
                                                  const VkAllocationCallbacks *allocator) {
    (void)device;
    (void)allocator;
    (void)dies((uint64_t)pipeline); /* lent: it stays */
}

static VKAPI_ATTR VkResult VKAPI_CALL allocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *info,
                                                             VkDescriptorSet *sets) {
    if (fails(FAULT_AllocateDescriptorSets)) {
        memset(sets, 0, info->descriptorSetCount * sizeof *sets); /* null likewise */
        return faultShim.error;
    }
    return vkAllocateDescriptorSets(device, info, sets);
}

static VKAPI_ATTR VkResult VKAPI_CALL getQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first,
                                                          uint32_t count, size_t size, void *data, VkDeviceSize stride,
                                                          VkQueryResultFlags flags) {
    if (fails(FAULT_GetQueryPoolResults)) {
        memset(data, 0x5c, size);
        return faultShim.error;
    }
    return vkGetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
}

static VKAPI_ATTR VkResult VKAPI_CALL nameObject(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    return fails(FAULT_SetDebugUtilsObjectNameEXT) ? faultShim.error : vkSetDebugUtilsObjectNameEXT(device, info);
}

/* ---- Memory ---- */

static VKAPI_ATTR VkResult VKAPI_CALL allocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                     const VkAllocationCallbacks *allocator, VkDeviceMemory *memory) {
    if (fails(FAULT_AllocateMemory)) {
        *memory = (VkDeviceMemory)POISON;
        return faultShim.error;
    }
    VkResult result = vkAllocateMemory(device, info, allocator, memory);
    if (result == VK_SUCCESS) {
        born((uint64_t)*memory);
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL freeMemory(VkDevice device, VkDeviceMemory memory,
                                             const VkAllocationCallbacks *allocator) {
    if (dies((uint64_t)memory)) {
        vkFreeMemory(device, memory, allocator);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL mapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                                VkDeviceSize size, VkMemoryMapFlags flags, void **data) {
    if (fails(FAULT_MapMemory)) {
        *data = (void *)(uintptr_t)POISON;
        return faultShim.error;
    }
    VkResult result = vkMapMemory(device, memory, offset, size, flags, data);
    if (result == VK_SUCCESS) {
        born(mappingOf(memory));
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL unmapMemory(VkDevice device, VkDeviceMemory memory) {
    if (dies(mappingOf(memory))) {
        vkUnmapMemory(device, memory);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL bindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                                       VkDeviceSize offset) {
    return fails(FAULT_BindBufferMemory) ? faultShim.error : vkBindBufferMemory(device, buffer, memory, offset);
}

static VKAPI_ATTR VkResult VKAPI_CALL flushMappedMemoryRanges(VkDevice device, uint32_t count,
                                                              const VkMappedMemoryRange *ranges) {
    if (fails(FAULT_FlushMappedMemoryRanges)) {
        return faultShim.error;
    }
    faultShim.flushes++;
    return vkFlushMappedMemoryRanges(device, count, ranges);
}

static VKAPI_ATTR void VKAPI_CALL getMemoryProperties(VkPhysicalDevice device,
                                                      VkPhysicalDeviceMemoryProperties *properties) {
    vkGetPhysicalDeviceMemoryProperties(device, properties);
    for (uint32_t i = 0; faultShim.incoherent && i < properties->memoryTypeCount; i++) {
        properties->memoryTypes[i].propertyFlags &= ~(VkMemoryPropertyFlags)VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    }
}

VkskinVulkanFunctions faultShimFunctions(Gpu *gpu) {
    gpu->finish = kernelLoanEnd;
    return (VkskinVulkanFunctions){
        .vkGetPhysicalDeviceMemoryProperties = getMemoryProperties,
        .vkAllocateMemory = allocateMemory,
        .vkFreeMemory = freeMemory,
        .vkMapMemory = mapMemory,
        .vkUnmapMemory = unmapMemory,
        .vkFlushMappedMemoryRanges = flushMappedMemoryRanges,
        .vkCreateBuffer = createBuffer,
        .vkDestroyBuffer = destroyBuffer,
        .vkBindBufferMemory = bindBufferMemory,
        .vkCreateBufferView = createBufferView,
        .vkDestroyBufferView = destroyBufferView,
        .vkCreateShaderModule = createShaderModule,
        .vkDestroyShaderModule = destroyShaderModule,
        .vkCreateDescriptorSetLayout = createDescriptorSetLayout,
        .vkDestroyDescriptorSetLayout = destroyDescriptorSetLayout,
        .vkCreatePipelineLayout = createPipelineLayout,
        .vkDestroyPipelineLayout = destroyPipelineLayout,
        .vkCreateComputePipelines = createComputePipelines,
        .vkDestroyPipeline = destroyPipeline,
        .vkCreateDescriptorPool = createDescriptorPool,
        .vkDestroyDescriptorPool = destroyDescriptorPool,
        .vkAllocateDescriptorSets = allocateDescriptorSets,
        .vkCreateQueryPool = createQueryPool,
        .vkDestroyQueryPool = destroyQueryPool,
        .vkGetQueryPoolResults = getQueryPoolResults,
        .vkSetDebugUtilsObjectNameEXT = nameObject,
    };
}

/* ---- The host's memory ---- */

static VkResult hostAllocate(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    Gpu *gpu = user;
    if (fails(FAULT_HOST_ALLOCATE)) {
        memset(block, 0x5c, sizeof *block);
        return faultShim.error;
    }
    VkDeviceSize atom = gpu->properties.limits.nonCoherentAtomSize;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = (request->requirements.size + atom - 1) / atom * atom,
        .memoryTypeIndex = gpuMemoryType(gpu, request->requirements.memoryTypeBits,
                                         request->use == VKSKIN_MEMORY_DEVICE ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                                                              : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT),
    };
    *block = (VkskinMemoryBlock){.size = info.allocationSize, .memoryTypeIndex = info.memoryTypeIndex};
    GPU_CHECK(vkAllocateMemory(gpu->device, &info, NULL, &block->memory));
    if (request->use != VKSKIN_MEMORY_DEVICE) {
        GPU_CHECK(vkMapMemory(gpu->device, block->memory, 0, VK_WHOLE_SIZE, 0, &block->mapped));
    }
    born((uint64_t)block->memory);
    return VK_SUCCESS;
}

static void hostFree(void *user, const VkskinMemoryBlock *block) {
    Gpu *gpu = user;
    if (dies((uint64_t)block->memory)) {
        vkFreeMemory(gpu->device, block->memory, NULL);
    }
}

VkskinMemoryCallbacks faultShimMemory(Gpu *gpu) {
    return (VkskinMemoryCallbacks){hostAllocate, hostFree, gpu};
}

/* ---- The host's heap ---- */

static VKAPI_ATTR void *VKAPI_CALL heapAllocate(void *user, size_t size, size_t alignment,
                                                VkSystemAllocationScope scope) {
    void *memory = NULL;
    size_t least = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    (void)user;
    (void)scope;
    if (fails(FAULT_HEAP_ALLOCATE) || posix_memalign(&memory, least, size > 0 ? size : 1) != 0) {
        return NULL;
    }
    faultShim.heapAlive++;
    return memory;
}

static VKAPI_ATTR void VKAPI_CALL heapFree(void *user, void *memory) {
    (void)user;
    faultShim.heapAlive -= memory != NULL;
    free(memory);
}

static VKAPI_ATTR void *VKAPI_CALL heapReallocate(void *user, void *original, size_t size, size_t alignment,
                                                  VkSystemAllocationScope scope) {
    if (size == 0) {
        heapFree(user, original);
        return NULL;
    }
    void *memory = heapAllocate(user, size, alignment, scope);
    if (memory != NULL && original != NULL) {
        size_t old = malloc_usable_size(original);
        memcpy(memory, original, old < size ? old : size);
        heapFree(user, original);
    }
    return memory;
}

VkAllocationCallbacks faultShimHeap(void) {
    return (VkAllocationCallbacks){
        .pfnAllocation = heapAllocate,
        .pfnReallocation = heapReallocate,
        .pfnFree = heapFree,
    };
}

/* ---- Names and errors ---- */

const char *faultFunctionName(FaultFunction function) {
#define FUNCTION_NAME(name) [FAULT_##name] = "vk" #name,
    static const char *const names[FAULT_FUNCTION_COUNT] = {
        FAULT_FUNCTIONS(FUNCTION_NAME)[FAULT_HOST_ALLOCATE] = "VkskinMemoryCallbacks.allocate",
        [FAULT_HEAP_ALLOCATE] = "memory", /* of the library's or of a function's: the message says what for */
    };
#undef FUNCTION_NAME
    return names[function];
}

/* Both kinds of memory run out, and all may return the unknown error. Drivers lose the device in calls that the
 * specification does not name, and the library documents it for each. */
#define COMMON_ERRORS VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST, VK_ERROR_UNKNOWN

const VkResult *faultErrors(FaultFunction function, uint32_t *count) {
    static const VkResult errors[FAULT_FUNCTION_COUNT][FAULT_MAX_ERRORS] = {
        [FAULT_AllocateMemory] = {COMMON_ERRORS, VK_ERROR_TOO_MANY_OBJECTS, VK_ERROR_INVALID_EXTERNAL_HANDLE,
                                  VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS},
        [FAULT_MapMemory] = {COMMON_ERRORS, VK_ERROR_MEMORY_MAP_FAILED},
        [FAULT_FlushMappedMemoryRanges] = {COMMON_ERRORS},
        [FAULT_CreateBuffer] = {COMMON_ERRORS, VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS},
        [FAULT_BindBufferMemory] = {COMMON_ERRORS, VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS},
        [FAULT_CreateBufferView] = {COMMON_ERRORS, VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS},
        [FAULT_CreateShaderModule] = {COMMON_ERRORS, VK_ERROR_INVALID_SHADER_NV},
        [FAULT_CreateDescriptorSetLayout] = {COMMON_ERRORS},
        [FAULT_CreatePipelineLayout] = {COMMON_ERRORS},
        [FAULT_CreateComputePipelines] = {COMMON_ERRORS, VK_ERROR_INVALID_SHADER_NV},
        [FAULT_CreateDescriptorPool] = {COMMON_ERRORS, VK_ERROR_FRAGMENTATION},
        [FAULT_AllocateDescriptorSets] = {COMMON_ERRORS, VK_ERROR_FRAGMENTED_POOL, VK_ERROR_OUT_OF_POOL_MEMORY},
        [FAULT_CreateQueryPool] = {COMMON_ERRORS},
        [FAULT_GetQueryPoolResults] = {COMMON_ERRORS},
        [FAULT_SetDebugUtilsObjectNameEXT] = {COMMON_ERRORS},
        [FAULT_HOST_ALLOCATE] = {COMMON_ERRORS, VK_ERROR_FRAGMENTATION, VK_ERROR_TOO_MANY_OBJECTS,
                                 VK_ERROR_MEMORY_MAP_FAILED},
        [FAULT_HEAP_ALLOCATE] = {VK_ERROR_OUT_OF_HOST_MEMORY},
    };
    *count = 0;
    while (*count < FAULT_MAX_ERRORS && errors[function][*count] != VK_SUCCESS) {
        (*count)++;
    }
    return errors[function];
}
