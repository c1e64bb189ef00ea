/* Instruments of the soak: resident memory, counted driver objects, growth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "soak_parts.h"

/* ---- Memory of the process ---- */

/* malloc keeps what is below memory in use. */
static void giveBackFreed(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

uint64_t soakMemoryResident(void) {
    char line[128] = "";
    giveBackFreed();
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return 0;
    }
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    const char *resident = read ? strchr(line, ' ') : NULL; /* the second number */
    return resident == NULL ? 0 : strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- Driver objects ---- */

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

/* Creates an array of pipelines; the ones that failed are null. */
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

/* The soak copies from every buffer. */
static VKAPI_ATTR VkResult VKAPI_CALL createReadable(VkDevice device, const VkBufferCreateInfo *def,
                                                     const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
    VkBufferCreateInfo readable = *def;
    readable.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    return countingCreateBuffer(device, &readable, allocator, buffer);
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
    functions.vkCreateBuffer = createReadable;
    return functions;
}

uint64_t soakObjectsAlive(void) {
    return atomic_load(&alive);
}

/* ---- Growth ---- */

void soakSeriesAdd(SoakSeries *series, uint32_t half, double value) {
    SoakHalf *into = &series->halves[half];
    into->count++;
    into->mean += (value - into->mean) / (double)into->count;
    into->peak = value > into->peak ? value : into->peak;
}

bool soakSeriesIsFlat(const SoakSeries *series, const SoakBound *bound, EngineError *error) {
    double first = series->halves[0].mean, second = series->halves[1].mean;
    double limit = first * (1.0 + bound->share) + bound->slack;
    bool known = series->halves[0].count > 0 && series->halves[1].count > 0;
    return !known || second <= limit ||
           engineFail(error, "%s not flat: on average %.0f in the first half, %.0f in the second", bound->what, first,
                      second);
}
