#include "engine_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <vkskin/vkskin_base.h>
#include <vulkan/vulkan_core.h>

#include "count_of.h"

/* Controls a terminal, ends a line or reorders text. */
static bool isHidden(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x01, 0x1f},     /* C0 controls; the final zero is not part of a text */
        {0x7f, 0x9f},     /* delete, C1 controls */
        {0x61c, 0x61c},   /* Arabic letter mark */
        {0x200e, 0x200f}, /* left-to-right and right-to-left mark */
        {0x2028, 0x202e}, /* line and paragraph separator; embeddings and overrides */
        {0x2066, 0x2069}, /* isolates */
    };
    for (size_t i = 0; i < COUNT_OF(hidden); i++) {
        if (code >= hidden[i].first && code <= hidden[i].last) {
            return true;
        }
    }
    return false;
}

size_t utf8Code(const char *text, uint32_t *code) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length */
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = bytes[0] < 0x80             ? 1
                    : (bytes[0] & 0xe0) == 0xc0 ? 2
                    : (bytes[0] & 0xf0) == 0xe0 ? 3
                    : (bytes[0] & 0xf8) == 0xf0 ? 4
                                                : 0;
    *code = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (bytes[i] & 0x3fu);
    }
    const bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < smallest[length] || surrogate || *code > 0x10ffff ? 0 : length;
}

size_t utf8Length(const char *text) {
    uint32_t code;
    const size_t length = utf8Code(text, &code);
    return isHidden(code) ? 0 : length;
}

void utf8Mend(char *text) {
    while (*text) {
        size_t length = utf8Length(text);
        if (length == 0) {
            *text = '?';
            length = 1;
        }
        text += length;
    }
}

bool engineFail(EngineError *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->unsupported = false;
    utf8Mend(error->message);
    return false;
}

bool engineFailAt(EngineError *error, const char *where) {
    const EngineError reason = *error;
    engineFail(error, "%s: %s", where, reason.message);
    error->unsupported = reason.unsupported;
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
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (names[i].result == result) {
            return names[i].name;
        }
    }
    static _Thread_local char unnamed[32];
    snprintf(unnamed, sizeof(unnamed), "VkResult %d", result);
    return unnamed;
}

bool engineVulkan(EngineError *error, const char *call, int result) {
    return result == VK_SUCCESS || engineFail(error, "%s: %s", call, engineVulkanResultName(result));
}

bool engineVkskin(EngineError *error, const char *what, int result, const char *message) {
    const char *name = vkskinResultName((VkskinResult)result);
    if (message[0] == '\0') {
        engineFail(error, "%s: %s", what, name);
    } else {
        engineFail(error, "%s: %.400s (%s)", what, message, name);
    }
    error->unsupported = result != VKSKIN_ERROR_OUT_OF_HOST_MEMORY && result != VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY &&
                         result != VKSKIN_ERROR_VULKAN && result != VKSKIN_ERROR_DEVICE_LOST;
    return false;
}

void *engineAllocate(size_t count, size_t size, EngineError *error) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory) {
        engineFail(error, "out of memory");
    }
    return memory;
}
