/*
 * fault_shim.h: a layer between the library and the driver, given as the host's function table.
 *
 * It counts the calls that may fail, lets one of them fail without asking the driver, and keeps a census of what
 * was made and destroyed through it. There is one, as Vulkan's functions carry nothing of the host's.
 */
#ifndef TESTS_FAULT_SHIM_H
#define TESTS_FAULT_SHIM_H

#include "gpu.h"

/* The functions that may fail, as X(name without vk); after them the host's own callbacks. */
#define FAULT_FUNCTIONS(X)                                                                                             \
    X(AllocateMemory)                                                                                                  \
    X(MapMemory)                                                                                                       \
    X(FlushMappedMemoryRanges)                                                                                         \
    X(CreateBuffer)                                                                                                    \
    X(BindBufferMemory)                                                                                                \
    X(CreateBufferView)                                                                                                \
    X(CreateShaderModule)                                                                                              \
    X(CreateDescriptorSetLayout)                                                                                       \
    X(CreatePipelineLayout)                                                                                            \
    X(CreateComputePipelines)                                                                                          \
    X(CreateDescriptorPool)                                                                                            \
    X(AllocateDescriptorSets)                                                                                          \
    X(CreateQueryPool)                                                                                                 \
    X(GetQueryPoolResults)                                                                                             \
    X(SetDebugUtilsObjectNameEXT)

typedef enum FaultFunction {
#define FAULT_FUNCTION_VALUE(name) FAULT_##name,
    FAULT_FUNCTIONS(FAULT_FUNCTION_VALUE)
#undef FAULT_FUNCTION_VALUE
        FAULT_HOST_ALLOCATE, /* device memory, by VkskinMemoryCallbacks */
    FAULT_HEAP_ALLOCATE,     /* host memory, by VkAllocationCallbacks: the library's own and the driver's for it */
    FAULT_FUNCTION_COUNT
} FaultFunction;

/* Sets of functions, a bit for each. */
#define FAULT_BIT(function) (1u << (function))
#define FAULT_NAMES         FAULT_BIT(FAULT_SetDebugUtilsObjectNameEXT)
#define FAULT_HEAP          FAULT_BIT(FAULT_HEAP_ALLOCATE)
#define FAULT_DRIVER        (FAULT_BIT(FAULT_FUNCTION_COUNT) - 1u - FAULT_NAMES - FAULT_HEAP)

#define FAULT_NEVER      UINT32_MAX
#define FAULT_MAX_CALLS  1024
#define FAULT_MAX_ERRORS 8
#define FAULT_MAX_ALIVE  256

typedef struct FaultShim {
    uint32_t failAt;  /* which counted call fails, 0 up; FAULT_NEVER: none */
    VkResult error;   /* what it returns */
    uint32_t counted; /* which functions' calls count, by FAULT_BIT; the others go through */
    bool incoherent;  /* tells of no memory as coherent: what is written must be flushed */

    uint32_t calls;   /* counted */
    uint32_t flushes; /* that succeeded */
    bool fired;
    FaultFunction met[FAULT_MAX_CALLS]; /* by count */

    uint64_t alive[FAULT_MAX_ALIVE]; /* handles; mapped memory twice */
    uint32_t aliveCount;
    int64_t heapAlive;  /* pieces of host memory */
    uint32_t strangers; /* destroyed or unmapped, but never made: the handle of a call that failed */
} FaultShim;

extern FaultShim faultShim;

/* Forgets all, and lets call `failAt` fail with `error` from here on. Nothing is counted yet. */
void faultShimReset(uint32_t failAt, VkResult error);

/* Every fallible or destroying function wrapped, all else null. Pipelines are kept until the device goes. */
VkskinVulkanFunctions faultShimFunctions(Gpu *gpu);

/* Device memory of the host's own; its allocate is a fallible call too. */
VkskinMemoryCallbacks faultShimMemory(Gpu *gpu);

/* Host memory; its allocation is a fallible call too. */
VkAllocationCallbacks faultShimHeap(void);

/* How the library calls the function in its messages. */
const char *faultFunctionName(FaultFunction function);

/* The errors that a function may return: [*count], in no order. */
const VkResult *faultErrors(FaultFunction function, uint32_t *count);

#endif
