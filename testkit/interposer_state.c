#include "interposer_state.h"

#include <stdio.h>

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
