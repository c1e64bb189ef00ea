#include "soak_objects.h"

#include <stdatomic.h>

/* Create function, its info, destroy function, type. */
#define COUNTED(X)                                                                                                     \
    X(AllocateMemory, MemoryAllocateInfo, FreeMemory, DeviceMemory)                                                    \
    X(CreateBuffer, BufferCreateInfo, DestroyBuffer, Buffer)                                                           \
    X(CreateBufferView, BufferViewCreateInfo, DestroyBufferView, BufferView)                                           \
    X(CreateShaderModule, ShaderModuleCreateInfo, DestroyShaderModule, ShaderModule)                                   \
    X(CreateDescriptorSetLayout, DescriptorSetLayoutCreateInfo, DestroyDescriptorSetLayout, DescriptorSetLayout)       \
    X(CreatePipelineLayout, PipelineLayoutCreateInfo, DestroyPipelineLayout, PipelineLayout)                           \
    X(CreateDescriptorPool, DescriptorPoolCreateInfo, DestroyDescriptorPool, DescriptorPool)                           \
    X(CreateQueryPool, QueryPoolCreateInfo, DestroyQueryPool, QueryPool)

static atomic_uint_fast64_t alive;

static void countDestroyed(bool object) {
    if (object) {
        atomic_fetch_sub(&alive, 1);
    }
}

#define COUNTING_PAIR(create, info, destroy, type)                                                                     \
    static VKAPI_ATTR VkResult VKAPI_CALL counting##create(VkDevice device, const Vk##info *def,                       \
                                                           const VkAllocationCallbacks *allocator, Vk##type *object) { \
        VkResult result = vk##create(device, def, allocator, object);                                                  \
        if (result == VK_SUCCESS) {                                                                                    \
            atomic_fetch_add(&alive, 1);                                                                               \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    static VKAPI_ATTR void VKAPI_CALL counting##destroy(VkDevice device, Vk##type object,                              \
                                                        const VkAllocationCallbacks *allocator) {                      \
        countDestroyed(object != VK_NULL_HANDLE);                                                                      \
        vk##destroy(device, object, allocator);                                                                        \
    }
COUNTED(COUNTING_PAIR)

/* Pipelines come in arrays; those that failed are null. */
static VKAPI_ATTR VkResult VKAPI_CALL countingCreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                                     uint32_t count,
                                                                     const VkComputePipelineCreateInfo *defs,
                                                                     const VkAllocationCallbacks *allocator,
                                                                     VkPipeline *pipelines) {
    VkResult result = vkCreateComputePipelines(device, cache, count, defs, allocator, pipelines);
    for (uint32_t i = 0; i < count; i++) {
        if (pipelines[i] != VK_NULL_HANDLE) {
            atomic_fetch_add(&alive, 1);
        }
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL countingDestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                          const VkAllocationCallbacks *allocator) {
    countDestroyed(pipeline != VK_NULL_HANDLE);
    vkDestroyPipeline(device, pipeline, allocator);
}

VkskinVulkanFunctions soakObjectsFunctions(void) {
    VkskinVulkanFunctions functions = {
        .vkCreateComputePipelines = countingCreateComputePipelines,
        .vkDestroyPipeline = countingDestroyPipeline,
    };
#define COUNTING_ENTRY(create, info, destroy, type)                                                                    \
    functions.vk##create = counting##create;                                                                           \
    functions.vk##destroy = counting##destroy;
    COUNTED(COUNTING_ENTRY)
    return functions;
}

uint64_t soakObjectsAlive(void) {
    return atomic_load(&alive);
}
