/*
 * interposer_state.h: what the parts of the interposer share: its state, faults and violations. Tests include
 * interposer.h.
 */
#ifndef TESTKIT_INTERPOSER_STATE_H
#define TESTKIT_INTERPOSER_STATE_H

#include "gpu.h"
#include "host_memory.h"

/* ---- Faults ---- */

/* The functions that may fail, as X(name without vk). The host's own callbacks follow them in the enumeration. */
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
        FAULT_HOST_ALLOCATE, /* device memory, through VkskinMemoryCallbacks */
    FAULT_HEAP_ALLOCATE,     /* host memory, through VkAllocationCallbacks: the library's and the driver's */
    FAULT_FUNCTION_COUNT
} FaultFunction;

/* Sets of functions, one bit each. */
#define FAULT_BIT(function) (1u << (function))
#define FAULT_NAMES         FAULT_BIT(FAULT_SetDebugUtilsObjectNameEXT)
#define FAULT_HEAP          FAULT_BIT(FAULT_HEAP_ALLOCATE)
#define FAULT_DRIVER        (FAULT_BIT(FAULT_FUNCTION_COUNT) - 1u - FAULT_NAMES - FAULT_HEAP)

#define FAULT_NEVER      UINT32_MAX
#define FAULT_MAX_CALLS  1024
#define FAULT_MAX_ERRORS 8

/* The function's name in the library's messages. */
const char *faultFunctionName(FaultFunction function);

/* The errors that a function may return: [*count], in no order. */
const VkResult *faultErrors(FaultFunction function, uint32_t *count);

/* ---- The layer ---- */

/* What the library used. A value that a limit bounds is the maximum so far. */
typedef struct InterposerUse {
    uint32_t allocations, mostAllocations; /* alive now; maximum alive at once */
    uint32_t refusedAllocations;           /* the heap was full, or there were too many */
    VkDeviceSize heapBytes[VK_MAX_MEMORY_HEAPS];
    uint32_t typeAllocations[VK_MAX_MEMORY_TYPES]; /* made so far */
    uint32_t flushes;                              /* ranges, successful ones */

    VkDeviceSize bindingBytes; /* of one descriptor */
    uint32_t sets, storageBuffers, texelBuffers, pushBytes;
    uint32_t texels; /* of one view */
    uint32_t invocations, groups;
    uint32_t copies, dispatches, timestamps; /* recorded */
} InterposerUse;

typedef struct Interposer {
    Gpu *gpu;

    /* Faults: set by the test. */
    uint32_t failAt;  /* number of the counted call that fails, from 0; FAULT_NEVER: none */
    VkResult error;   /* what it returns */
    uint32_t counted; /* functions whose calls are counted, FAULT_BIT of each */

    /* The device as the library sees it: set by the test, by default the driver's. */
    const char *deviceName;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    bool ownTypes; /* the memory types are not the driver's: its one mappable type is behind all of them */
    bool noTimestamps;
    bool (*checkKernel)(const uint32_t *code, size_t words); /* false: the kernel exceeds the limits; or null */

    /* What happened. */
    uint32_t calls;                     /* counted */
    bool fired;                         /* the fault happened */
    FaultFunction met[FAULT_MAX_CALLS]; /* the function of each counted call */
    HostMemory heap;                    /* of interposerHeap */
    InterposerUse use;
    GpuTexts violations;
} Interposer;

extern Interposer interposer;

/* Counts a call; true if it is the one that fails. */
bool interposerFails(FaultFunction function);

/* Records a violation. */
void interposerViolation(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Keeps the maximum of a limited value in *seen; records a violation and returns false if it exceeds the limit. */
bool interposerWithin(const char *what, uint32_t value, uint32_t limit, uint32_t *seen);

/* What a failed call leaves in its outputs; the specification calls them undefined. */
#define INTERPOSER_POISON UINT64_C(0x5ca1ab1e0badf00d)

#endif
