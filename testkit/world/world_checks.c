/* Failures of a world, and output ranges in flight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "output_spans.h"
#include "world.h"

/* ---- Failures ---- */

static jmp_buf failed;
static EngineError *failure;

bool worldTry(void (*body)(void *user), void *user, EngineError *error) {
    failure = error;
    if (setjmp(failed) != 0) {
        return false;
    }
    body(user);
    return true;
}

_Noreturn void worldFail(const char *format, ...) {
    char line[ENGINE_ERROR_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    engineFail(failure, "%s", line);
    longjmp(failed, 1);
}

void worldCheckVulkan(const char *call, VkResult result) {
    if (result != VK_SUCCESS) {
        worldFail("%s: %s", call, engineVulkanResultName(result));
    }
}

/* ---- Output ranges ---- */

void worldRangesAdd(WorldRanges *ranges, const VkskinMeshInfo *info, const VkskinOutput *output, uint64_t freeFrame) {
    ranges->ranges[ranges->next] =
        (WorldRange){output->buffer, output->offset, output->offset + outputEnd(info), freeFrame};
    ranges->next = (ranges->next + 1) % WORLD_RANGES_MAX;
}

bool worldRangesMeet(const WorldRanges *ranges, const VkskinMeshInfo *info, const VkskinOutput *output,
                     uint64_t frame) {
    const VkDeviceSize end = output->offset + outputEnd(info);
    for (uint32_t i = 0; i < WORLD_RANGES_MAX; i++) {
        const WorldRange *range = &ranges->ranges[i];
        if (range->freeFrame > frame && range->buffer == output->buffer && output->offset < range->end &&
            range->begin < end) {
            return true;
        }
    }
    return false;
}
