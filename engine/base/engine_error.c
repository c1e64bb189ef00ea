#include "engine_error.h"

#include <stdarg.h>
#include <stdio.h>

#include <vulkan/vulkan_core.h>

bool engineFail(EngineError *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return false;
}

const char *engineVulkanResultName(int result) {
    static const struct {
        int result;
        const char *name;
    } names[] = {
#define ENGINE_RESULT_NAME(name) {name, #name}
        ENGINE_RESULT_NAME(VK_SUCCESS),
        ENGINE_RESULT_NAME(VK_NOT_READY),
        ENGINE_RESULT_NAME(VK_TIMEOUT),
        ENGINE_RESULT_NAME(VK_INCOMPLETE),
        ENGINE_RESULT_NAME(VK_ERROR_OUT_OF_HOST_MEMORY),
        ENGINE_RESULT_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY),
        ENGINE_RESULT_NAME(VK_ERROR_INITIALIZATION_FAILED),
        ENGINE_RESULT_NAME(VK_ERROR_DEVICE_LOST),
        ENGINE_RESULT_NAME(VK_ERROR_MEMORY_MAP_FAILED),
        ENGINE_RESULT_NAME(VK_ERROR_LAYER_NOT_PRESENT),
        ENGINE_RESULT_NAME(VK_ERROR_EXTENSION_NOT_PRESENT),
        ENGINE_RESULT_NAME(VK_ERROR_FEATURE_NOT_PRESENT),
        ENGINE_RESULT_NAME(VK_ERROR_INCOMPATIBLE_DRIVER),
        ENGINE_RESULT_NAME(VK_ERROR_TOO_MANY_OBJECTS),
        ENGINE_RESULT_NAME(VK_ERROR_FORMAT_NOT_SUPPORTED),
        ENGINE_RESULT_NAME(VK_ERROR_FRAGMENTED_POOL),
        ENGINE_RESULT_NAME(VK_ERROR_OUT_OF_POOL_MEMORY),
        ENGINE_RESULT_NAME(VK_ERROR_SURFACE_LOST_KHR),
        ENGINE_RESULT_NAME(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR),
        ENGINE_RESULT_NAME(VK_SUBOPTIMAL_KHR),
        ENGINE_RESULT_NAME(VK_ERROR_OUT_OF_DATE_KHR),
        ENGINE_RESULT_NAME(VK_ERROR_INVALID_SHADER_NV),
        ENGINE_RESULT_NAME(VK_ERROR_UNKNOWN),
#undef ENGINE_RESULT_NAME
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].result == result) {
            return names[i].name;
        }
    }
    static _Thread_local char unnamed[32];
    snprintf(unnamed, sizeof(unnamed), "VkResult %d", result);
    return unnamed;
}

bool engineFailVulkan(EngineError *error, const char *what, int result) {
    return engineFail(error, "%s: %s", what, engineVulkanResultName(result));
}
