/*
 * interposer.h: a layer between the library and the driver, passed to the library as the host's function table.
 *
 * It always does two things. It keeps a census of the objects that are created through it. It creates each shader
 * module and pipeline once per process and lends it from then on: a driver needs half a second for the kernels of one
 * context, and tests create many contexts.
 *
 * A test switches on what it needs after interposerBegin:
 *   faults  the call number `failAt` returns `error` and does not reach the driver
 *   device  the library sees other limits, memory types, heaps and timestamps; a call that exceeds them is recorded as
 *           a violation and does not reach the driver
 * Memory of a type that is not coherent is mapped as a copy. Only flushed ranges reach the device, so a write without a
 * flush is lost.
 *
 * The state is global, because Vulkan's functions carry no user pointer. Not thread-safe.
 */
#ifndef TESTKIT_INTERPOSER_H
#define TESTKIT_INTERPOSER_H

#include "gpu.h"
#include "host_memory.h"

/* ---- Faults ---- */

/* The functions that may fail, as X(name without vk). The host's own callbacks follow them in the enumeration. */
#define FAULT_FUNCTIONS(X)                                                                                             \
    X(AllocateMemory)                                                                                                  \
    X(MapMemory)                                                                                                       \
    X(FlushMappedMemoryRanges)                                                                                         \
    X(InvalidateMappedMemoryRanges)                                                                                    \
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
#define FAULT_MAX_CALLS  2048
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

    VkDeviceSize bindingBytes; /* maximum bytes of one descriptor */
    uint32_t sets, storageBuffers, texelBuffers, pushBytes;
    uint32_t texels; /* maximum texels of one view */
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
    HostMemory heap;                    /* memory of interposerHeap */
    InterposerUse use;
    GpuTexts violations;
} Interposer;

extern Interposer interposer;

/* Forgets everything: the device is the driver's, no call is counted, no call fails. */
void interposerBegin(Gpu *gpu);

/* Fails the running test if there were violations or an object is left. The test's end does the same. */
void interposerEnd(void);

/* Objects, mappings and blocks of host memory that are alive. */
uint32_t interposerObjects(void);

/* Objects and device memory that are alive and have no name. */
uint32_t interposerNameless(void);

/* Frees the host memory's arenas and empties the census; returns what interposerObjects returned before. */
uint32_t interposerForget(void);

/* No memory type is coherent from here on: what is written must be flushed. */
void interposerMakeIncoherent(void);

/* A test that fails, and prints why, if there are violations or an object is left once its contexts are destroyed. */
int interposerTestTeardown(void **state);
#define INTERPOSER_TEST(name) GPU_TEST_WITH(name, interposerTestTeardown)

/* Every function that may fail, creates, destroys or is limited; all other entries are null. */
VkskinVulkanFunctions interposerFunctions(void);

/* Sets only the entries that lend shader modules and pipelines. */
void interposerLendKernels(VkskinVulkanFunctions *functions);

/* Host memory that is counted: interposer.heap. */
VkAllocationCallbacks interposerHeap(void);

/* Device memory of the host: blocks side by side in a few mapped allocations, of the least coherent type. */
VkskinMemoryCallbacks interposerMemory(void);

/* Destroys what was lent; nothing may use it. Happens by itself before the device is destroyed. */
void interposerFreeKernels(void);

/* ---- For the interposer's own files, and for checks of kernels ---- */

/* Counts a call; true if it is the one that fails. */
bool interposerFails(FaultFunction function);

/* Records a violation. */
void interposerViolation(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Keeps the maximum of a limited value in *seen; records a violation and returns false if it exceeds the limit. */
bool interposerWithin(const char *what, uint32_t value, uint32_t limit, uint32_t *seen);

/* What a failed call leaves in its outputs; the specification calls them undefined. */
#define INTERPOSER_POISON UINT64_C(0x5ca1ab1e0badf00d)

/* interposer_memory.c: the entries of the table, what of them is alive, and emptying it. */
void interposerMemoryFunctions(VkskinVulkanFunctions *functions);
uint32_t interposerMemoryObjects(void);
void interposerMemoryNamed(uint64_t handle);
uint32_t interposerMemoryNameless(void);
void interposerMemoryForget(void);

#endif
