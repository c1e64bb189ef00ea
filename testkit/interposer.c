#include "interposer.h"

#define MAX_OBJECTS 4096
#define MAX_KERNELS 512

Interposer interposer;

void interposerViolation(const char *format, ...) {
    GpuTexts *texts = &interposer.violations;
    va_list arguments;
    va_start(arguments, format);
    if (texts->count < GPU_MAX_TEXTS) {
        vsnprintf(texts->texts[texts->count], GPU_TEXT_SIZE, format, arguments);
    }
    va_end(arguments);
    texts->count++;
}

bool interposerWithin(const char *what, uint32_t value, uint32_t limit, uint32_t *seen) {
    *seen = value > *seen ? value : *seen;
    if (value > limit) {
        interposerViolation("%s: %u, at most %u", what, value, limit);
    }
    return value <= limit;
}

/* ---- Faults ---- */

bool interposerFails(FaultFunction function) {
    if ((interposer.counted & FAULT_BIT(function)) == 0) {
        return false;
    }
    assert_true(interposer.calls < FAULT_MAX_CALLS);
    interposer.met[interposer.calls] = function;
    bool now = interposer.calls++ == interposer.failAt;
    interposer.fired = interposer.fired || now;
    return now;
}

const char *faultFunctionName(FaultFunction function) {
#define FUNCTION_NAME(name) [FAULT_##name] = "vk" #name,
    static const char *const names[FAULT_FUNCTION_COUNT] = {
        FAULT_FUNCTIONS(FUNCTION_NAME)[FAULT_HOST_ALLOCATE] = "VkskinMemoryCallbacks.allocate",
        [FAULT_HEAP_ALLOCATE] = "memory", /* the message says what it is for */
    };
#undef FUNCTION_NAME
    return names[function];
}

/* Every function may run out of both kinds of memory and return the unknown error. Drivers also lose the device in
 * calls for which the specification does not list it, and the library documents it for each. */
#define COMMON_ERRORS VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST, VK_ERROR_UNKNOWN

const VkResult *faultErrors(FaultFunction function, uint32_t *count) {
    static const VkResult errors[FAULT_FUNCTION_COUNT][FAULT_MAX_ERRORS] = {
        [FAULT_AllocateMemory] = {COMMON_ERRORS, VK_ERROR_TOO_MANY_OBJECTS, VK_ERROR_INVALID_EXTERNAL_HANDLE,
                                  VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS},
        [FAULT_MapMemory] = {COMMON_ERRORS, VK_ERROR_MEMORY_MAP_FAILED},
        [FAULT_FlushMappedMemoryRanges] = {COMMON_ERRORS},
        [FAULT_InvalidateMappedMemoryRanges] = {COMMON_ERRORS},
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

/* ---- Census ---- */

typedef struct Object {
    uint64_t handle;
    VkDeviceSize size;                     /* bytes of a buffer */
    uint32_t storageBuffers, texelBuffers; /* descriptors of a set layout */
    bool named;
} Object;

static Object objects[MAX_OBJECTS];
static uint32_t objectCount;

static Object *addObject(uint64_t handle) {
    assert_true(objectCount < MAX_OBJECTS);
    objects[objectCount] = (Object){.handle = handle};
    return &objects[objectCount++];
}

static const Object *findObject(uint64_t handle, const char *what) {
    static const Object none;
    for (uint32_t i = 0; i < objectCount; i++) {
        if (objects[i].handle == handle) {
            return &objects[i];
        }
    }
    interposerViolation("%s that was never created, or is destroyed", what);
    return &none;
}

/* False for null, and for a handle that was never created here: neither may reach the driver. */
static bool removeObject(uint64_t handle, const char *what) {
    if (handle == 0) {
        return false;
    }
    const Object *object = findObject(handle, what);
    if (object->handle != handle) {
        return false;
    }
    objects[object - objects] = objects[--objectCount];
    return true;
}

uint32_t interposerObjects(void) {
    return objectCount + interposerMemoryObjects();
}

uint32_t interposerNameless(void) {
    uint32_t nameless = interposerMemoryNameless();
    for (uint32_t i = 0; i < objectCount; i++) {
        nameless += !objects[i].named;
    }
    return nameless;
}

/* ---- Device ---- */

static VKAPI_ATTR void VKAPI_CALL getProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits = interposer.limits;
}

static VKAPI_ATTR void VKAPI_CALL getMemoryProperties(VkPhysicalDevice device,
                                                      VkPhysicalDeviceMemoryProperties *properties) {
    (void)device;
    *properties = interposer.memory;
}

static VKAPI_ATTR void VKAPI_CALL getFamilies(VkPhysicalDevice device, uint32_t *count,
                                              VkQueueFamilyProperties *families) {
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
    for (uint32_t i = 0; interposer.noTimestamps && families != NULL && i < *count; i++) {
        families[i].timestampValidBits = 0;
    }
}

/* ---- Objects ---- */

static bool isAllowed(const void *info) {
    (void)info;
    return true;
}

static void noteNothing(const void *info, Object *object) {
    (void)info;
    (void)object;
}

static void noteBuffer(const VkBufferCreateInfo *info, Object *buffer) {
    buffer->size = info->size;
}

/* Texels of 16 bytes. */
static bool checkView(const VkBufferViewCreateInfo *info) {
    const VkPhysicalDeviceLimits *limits = &interposer.limits;
    VkDeviceSize size = findObject((uint64_t)info->buffer, "vkCreateBufferView: a buffer")->size;
    VkDeviceSize range = info->range == VK_WHOLE_SIZE ? size - info->offset : info->range;
    assert_int_equal(info->format, VK_FORMAT_R32G32B32A32_SFLOAT);
    bool good = interposerWithin("texels of a view", (uint32_t)(range / 16), limits->maxTexelBufferElements,
                                 &interposer.use.texels);
    if (range % 16 != 0 || info->offset % limits->minTexelBufferOffsetAlignment != 0 || info->offset + range > size) {
        interposerViolation("vkCreateBufferView: %llu bytes from %llu of a buffer of %llu", (unsigned long long)range,
                            (unsigned long long)info->offset, (unsigned long long)size);
        good = false;
    }
    return good;
}

static void noteSetLayout(const VkDescriptorSetLayoutCreateInfo *info, Object *layout) {
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        VkDescriptorType type = info->pBindings[i].descriptorType;
        uint32_t count = info->pBindings[i].descriptorCount;
        bool storage = type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
        layout->storageBuffers += storage ? count : 0;
        layout->texelBuffers += type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ? count : 0;
    }
}

static bool checkPipelineLayout(const VkPipelineLayoutCreateInfo *info) {
    const VkPhysicalDeviceLimits *limits = &interposer.limits;
    InterposerUse *use = &interposer.use;
    uint32_t storageBuffers = 0, texelBuffers = 0;
    bool good = interposerWithin("descriptor sets of a layout", info->setLayoutCount, limits->maxBoundDescriptorSets,
                                 &use->sets);
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        const Object *set = findObject((uint64_t)info->pSetLayouts[i], "vkCreatePipelineLayout: a set layout");
        storageBuffers += set->storageBuffers;
        texelBuffers += set->texelBuffers;
    }
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        uint32_t end = info->pPushConstantRanges[i].offset + info->pPushConstantRanges[i].size;
        good &= interposerWithin("push constants of a layout", end, limits->maxPushConstantsSize, &use->pushBytes);
    }
    good &= interposerWithin("storage buffers of a stage", storageBuffers, limits->maxPerStageDescriptorStorageBuffers,
                             &use->storageBuffers);
    good &= interposerWithin("texel buffers of a stage", texelBuffers, limits->maxPerStageDescriptorSampledImages,
                             &use->texelBuffers);
    return good;
}

/* The library must not even create a pool for a queue without timestamps. */
static bool checkQueryPool(const VkQueryPoolCreateInfo *info) {
    (void)info;
    if (interposer.noTimestamps) {
        interposerViolation("vkCreateQueryPool: the queue has no timestamps");
    }
    return !interposer.noTimestamps;
}

/* ---- Kernels ---- */

/* Constants are part of the code, and every layout that the library makes is defined alike: one code has one pipeline,
 * which serves all contexts. */
typedef struct Kernel {
    uint32_t *code;
    size_t bytes;
    VkShaderModule module;
    VkPipeline pipeline; /* null until it is lent */
} Kernel;

static Kernel kernels[MAX_KERNELS];
static uint32_t kernelCount;

static VkResult lendModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                           const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    (void)allocator;
    for (uint32_t i = 0; i < kernelCount; i++) {
        if (kernels[i].bytes == info->codeSize && memcmp(kernels[i].code, info->pCode, info->codeSize) == 0) {
            *module = kernels[i].module;
            return VK_SUCCESS;
        }
    }
    VkResult result = vkCreateShaderModule(device, info, NULL, module);
    if (result == VK_SUCCESS) {
        assert_true(kernelCount < MAX_KERNELS);
        Kernel *kernel = &kernels[kernelCount++];
        *kernel = (Kernel){.code = malloc(info->codeSize), .bytes = info->codeSize, .module = *module};
        assert_non_null(kernel->code);
        memcpy(kernel->code, info->pCode, info->codeSize);
    }
    return result;
}

/* ---- Creating and destroying ---- */

#define WRAP_CREATE(name, create, isGood, make, note)                                                                  \
    static VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice device, const Vk##name##CreateInfo *info,                    \
                                                 const VkAllocationCallbacks *allocator, Vk##name *object) {           \
        if (interposerFails(FAULT_Create##name)) {                                                                     \
            *object = (Vk##name)INTERPOSER_POISON;                                                                     \
            return interposer.error;                                                                                   \
        }                                                                                                              \
        VkResult result = isGood(info) ? make(device, info, allocator, object) : VK_ERROR_UNKNOWN;                     \
        if (result == VK_SUCCESS) {                                                                                    \
            note(info, addObject((uint64_t)*object));                                                                  \
        }                                                                                                              \
        return result;                                                                                                 \
    }

/* A lent object stays. */
#define WRAP_DESTROY(name, lent)                                                                                       \
    static VKAPI_ATTR void VKAPI_CALL destroy##name(VkDevice device, Vk##name object,                                  \
                                                    const VkAllocationCallbacks *allocator) {                          \
        if (removeObject((uint64_t)object, "vkDestroy" #name ": an object") && !(lent)) {                              \
            vkDestroy##name(device, object, allocator);                                                                \
        }                                                                                                              \
    }

WRAP_CREATE(Buffer, createBuffer, isAllowed, vkCreateBuffer, noteBuffer)
WRAP_CREATE(BufferView, createBufferView, checkView, vkCreateBufferView, noteNothing)
WRAP_CREATE(DescriptorSetLayout, createDescriptorSetLayout, isAllowed, vkCreateDescriptorSetLayout, noteSetLayout)
WRAP_CREATE(PipelineLayout, createPipelineLayout, checkPipelineLayout, vkCreatePipelineLayout, noteNothing)
WRAP_CREATE(DescriptorPool, createDescriptorPool, isAllowed, vkCreateDescriptorPool, noteNothing)
WRAP_CREATE(QueryPool, createQueryPool, checkQueryPool, vkCreateQueryPool, noteNothing)
WRAP_CREATE(ShaderModule, createShaderModule, isAllowed, lendModule, noteNothing)
WRAP_DESTROY(Buffer, false)
WRAP_DESTROY(BufferView, false)
WRAP_DESTROY(DescriptorSetLayout, false)
WRAP_DESTROY(PipelineLayout, false)
WRAP_DESTROY(DescriptorPool, false)
WRAP_DESTROY(QueryPool, false)
WRAP_DESTROY(ShaderModule, true)
WRAP_DESTROY(Pipeline, true)

static VKAPI_ATTR VkResult VKAPI_CALL allocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *info,
                                                             VkDescriptorSet *sets) {
    if (interposerFails(FAULT_AllocateDescriptorSets)) {
        memset(sets, 0, info->descriptorSetCount * sizeof *sets); /* the specification: null after a failure */
        return interposer.error;
    }
    return vkAllocateDescriptorSets(device, info, sets);
}

static bool checkBinding(const VkDescriptorBufferInfo *info) {
    const VkPhysicalDeviceLimits *limits = &interposer.limits;
    VkDeviceSize size = findObject((uint64_t)info->buffer, "vkUpdateDescriptorSets: a buffer")->size;
    VkDeviceSize range = info->range == VK_WHOLE_SIZE ? size - info->offset : info->range;
    const char *wrong = range > limits->maxStorageBufferRange                         ? "binds too much"
                        : info->offset % limits->minStorageBufferOffsetAlignment != 0 ? "is not aligned"
                        : info->offset + range > size                                 ? "binds past the end"
                                                                                      : NULL;
    if (wrong != NULL) {
        interposerViolation("vkUpdateDescriptorSets: %llu bytes from %llu of a buffer of %llu: %s",
                            (unsigned long long)range, (unsigned long long)info->offset, (unsigned long long)size,
                            wrong);
    }
    interposer.use.bindingBytes = range > interposer.use.bindingBytes ? range : interposer.use.bindingBytes;
    return wrong == NULL;
}

static VKAPI_ATTR void VKAPI_CALL updateDescriptorSets(VkDevice device, uint32_t count,
                                                       const VkWriteDescriptorSet *writes, uint32_t copyCount,
                                                       const VkCopyDescriptorSet *copies) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(writes[i].descriptorCount, 1);
        bool texels = writes[i].descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER; /* checkView checked it */
        if (texels || checkBinding(writes[i].pBufferInfo)) {
            vkUpdateDescriptorSets(device, 1, &writes[i], 0, NULL);
        }
    }
    vkUpdateDescriptorSets(device, 0, NULL, copyCount, copies);
}

static VKAPI_ATTR VkResult VKAPI_CALL getQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first,
                                                          uint32_t count, size_t size, void *data, VkDeviceSize stride,
                                                          VkQueryResultFlags flags) {
    if (interposerFails(FAULT_GetQueryPoolResults)) {
        memset(data, 0x5c, size);
        return interposer.error;
    }
    return vkGetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
}

static VKAPI_ATTR VkResult VKAPI_CALL nameObject(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    if (interposerFails(FAULT_SetDebugUtilsObjectNameEXT)) {
        return interposer.error;
    }
    assert_true(info->pObjectName != NULL && strncmp(info->pObjectName, "vkskin", 6) == 0);
    interposerMemoryNamed(info->objectHandle);
    for (uint32_t i = 0; i < objectCount; i++) {
        objects[i].named = objects[i].named || objects[i].handle == info->objectHandle;
    }
    return vkSetDebugUtilsObjectNameEXT(device, info);
}

/* ---- Pipelines, which are lent ---- */

static VkResult lendPipeline(VkDevice device, VkPipelineCache cache, const VkComputePipelineCreateInfo *info,
                             VkPipeline *pipeline) {
    Kernel *kernel = kernels;
    while (kernel < &kernels[kernelCount] && kernel->module != info->stage.module) {
        kernel++;
    }
    assert_true(kernel < &kernels[kernelCount]);
    if (interposer.checkKernel != NULL && !interposer.checkKernel(kernel->code, kernel->bytes / sizeof *kernel->code)) {
        return VK_ERROR_UNKNOWN;
    }
    VkResult result = VK_SUCCESS;
    if (kernel->pipeline == VK_NULL_HANDLE) {
        result = vkCreateComputePipelines(device, cache, 1, info, NULL, &kernel->pipeline);
    }
    *pipeline = kernel->pipeline;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL createComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                             const VkComputePipelineCreateInfo *infos,
                                                             const VkAllocationCallbacks *allocator,
                                                             VkPipeline *pipelines) {
    (void)allocator;
    if (interposerFails(FAULT_CreateComputePipelines)) {
        memset(pipelines, 0, count * sizeof *pipelines); /* the specification: null after a failure */
        return interposer.error;
    }
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        result = lendPipeline(device, cache, &infos[i], &pipelines[i]);
        if (result == VK_SUCCESS) {
            addObject((uint64_t)pipelines[i]);
        }
    }
    return result;
}

void interposerLendKernels(VkskinVulkanFunctions *functions) {
    functions->vkCreateShaderModule = createShaderModule;
    functions->vkDestroyShaderModule = destroyShaderModule;
    functions->vkCreateComputePipelines = createComputePipelines;
    functions->vkDestroyPipeline = destroyPipeline;
}

void interposerFreeKernels(void) {
    while (kernelCount > 0) {
        Kernel *kernel = &kernels[--kernelCount];
        vkDestroyPipeline(interposer.gpu->device, kernel->pipeline, NULL);
        vkDestroyShaderModule(interposer.gpu->device, kernel->module, NULL);
        free(kernel->code);
    }
}

/* ---- Commands ---- */

static VKAPI_ATTR void VKAPI_CALL writeTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits stage,
                                                 VkQueryPool pool, uint32_t query) {
    if (interposer.noTimestamps) {
        interposerViolation("vkCmdWriteTimestamp: the queue has no timestamps");
        return;
    }
    interposer.use.timestamps++;
    vkCmdWriteTimestamp(commandBuffer, stage, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL bindDescriptorSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                                     VkPipelineLayout layout, uint32_t first, uint32_t count,
                                                     const VkDescriptorSet *sets, uint32_t offsetCount,
                                                     const uint32_t *offsets) {
    if (interposerWithin("bound descriptor sets", first + count, interposer.limits.maxBoundDescriptorSets,
                         &interposer.use.sets)) {
        vkCmdBindDescriptorSets(commandBuffer, point, layout, first, count, sets, offsetCount, offsets);
    }
}

static VKAPI_ATTR void VKAPI_CALL pushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                const void *values) {
    if (interposerWithin("push constants", offset + size, interposer.limits.maxPushConstantsSize,
                         &interposer.use.pushBytes)) {
        vkCmdPushConstants(commandBuffer, layout, stages, offset, size, values);
    }
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t *limits = interposer.limits.maxComputeWorkGroupCount;
    uint32_t *seen = &interposer.use.groups;
    if (interposerWithin("groups of a dispatch", x, limits[0], seen) &&
        interposerWithin("groups of a dispatch", y, limits[1], seen) &&
        interposerWithin("groups of a dispatch", z, limits[2], seen)) {
        interposer.use.dispatches++;
        vkCmdDispatch(commandBuffer, x, y, z);
    }
}

/* The arguments are the device's: only their place is checked. */
static VKAPI_ATTR void VKAPI_CALL dispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                   VkDeviceSize offset) {
    VkDeviceSize size = findObject((uint64_t)buffer, "vkCmdDispatchIndirect: the arguments")->size;
    if (offset % 4 != 0 || offset + sizeof(VkDispatchIndirectCommand) > size) {
        interposerViolation("vkCmdDispatchIndirect: arguments at %llu of %llu", (unsigned long long)offset,
                            (unsigned long long)size);
        return;
    }
    interposer.use.dispatches++;
    vkCmdDispatchIndirect(commandBuffer, buffer, offset);
}

static VKAPI_ATTR void VKAPI_CALL copyBuffer(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target,
                                             uint32_t count, const VkBufferCopy *regions) {
    VkDeviceSize from = findObject((uint64_t)source, "vkCmdCopyBuffer: a source")->size;
    VkDeviceSize to = findObject((uint64_t)target, "vkCmdCopyBuffer: a target")->size;
    for (uint32_t i = 0; i < count; i++) {
        if (regions[i].srcOffset + regions[i].size > from || regions[i].dstOffset + regions[i].size > to) {
            interposerViolation("vkCmdCopyBuffer: %llu bytes from %llu of %llu to %llu of %llu",
                                (unsigned long long)regions[i].size, (unsigned long long)regions[i].srcOffset,
                                (unsigned long long)from, (unsigned long long)regions[i].dstOffset,
                                (unsigned long long)to);
            return;
        }
    }
    interposer.use.copies++;
    vkCmdCopyBuffer(commandBuffer, source, target, count, regions);
}

/* ---- The layer ---- */

VkskinVulkanFunctions interposerFunctions(void) {
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceProperties = getProperties,
        .vkGetPhysicalDeviceMemoryProperties = getMemoryProperties,
        .vkGetPhysicalDeviceQueueFamilyProperties = getFamilies,
        .vkCreateBuffer = createBuffer,
        .vkDestroyBuffer = destroyBuffer,
        .vkCreateBufferView = createBufferView,
        .vkDestroyBufferView = destroyBufferView,
        .vkCreateDescriptorSetLayout = createDescriptorSetLayout,
        .vkDestroyDescriptorSetLayout = destroyDescriptorSetLayout,
        .vkCreatePipelineLayout = createPipelineLayout,
        .vkDestroyPipelineLayout = destroyPipelineLayout,
        .vkCreateDescriptorPool = createDescriptorPool,
        .vkDestroyDescriptorPool = destroyDescriptorPool,
        .vkAllocateDescriptorSets = allocateDescriptorSets,
        .vkUpdateDescriptorSets = updateDescriptorSets,
        .vkCreateQueryPool = createQueryPool,
        .vkDestroyQueryPool = destroyQueryPool,
        .vkGetQueryPoolResults = getQueryPoolResults,
        .vkSetDebugUtilsObjectNameEXT = nameObject,
        .vkCmdWriteTimestamp = writeTimestamp,
        .vkCmdBindDescriptorSets = bindDescriptorSets,
        .vkCmdPushConstants = pushConstants,
        .vkCmdDispatch = dispatch,
        .vkCmdDispatchIndirect = dispatchIndirect,
        .vkCmdCopyBuffer = copyBuffer,
    };
    interposerLendKernels(&functions);
    interposerMemoryFunctions(&functions);
    return functions;
}

uint32_t interposerForget(void) {
    uint32_t left = interposerObjects();
    interposerMemoryForget();
    objectCount = 0;
    return left;
}

static bool refuseHeap(void *user, size_t size, size_t alignment) {
    (void)user;
    (void)size;
    (void)alignment;
    return interposerFails(FAULT_HEAP_ALLOCATE);
}

VkAllocationCallbacks interposerHeap(void) {
    return hostMemoryCallbacks(&interposer.heap);
}

void interposerBegin(Gpu *gpu) {
    if (interposer.gpu != NULL) {
        (void)interposerForget(); /* what a failed test left */
    }
    interposer = (Interposer){.gpu = gpu,
                              .failAt = FAULT_NEVER,
                              .deviceName = "the driver's device",
                              .limits = gpu->properties.limits,
                              .memory = gpu->memory,
                              .heap.refuses = refuseHeap};
    gpu->finish = interposerFreeKernels;
}

void interposerEnd(void) {
    uint32_t left = interposerForget();
    assert_int_equal(interposer.violations.count, 0); /* the teardown prints them */
    assert_int_equal(left, 0);
}

void interposerMakeIncoherent(void) {
    for (uint32_t i = 0; i < interposer.memory.memoryTypeCount; i++) {
        interposer.memory.memoryTypes[i].propertyFlags &= ~(VkMemoryPropertyFlags)VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    }
}

int interposerTestTeardown(void **state) {
    int failed = gpuTestTeardown(state); /* destroys the contexts */
    uint32_t violations = interposer.violations.count, left = interposerForget();
    for (uint32_t i = 0; i < violations && i < GPU_MAX_TEXTS; i++) {
        print_error("%s: %s\n", interposer.deviceName, interposer.violations.texts[i]);
    }
    if (left > 0) {
        print_error("%s: %u objects are left\n", interposer.deviceName, left);
    }
    interposer.violations.count = 0;
    return failed != 0 || violations + left > 0 ? -1 : 0;
}
