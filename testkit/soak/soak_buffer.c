/* Buffers of the host for outputs. */
#include <string.h>

#include "output_spans.h"
#include "soak_parts.h"

#define POISON 0xa5
#define GAP    256u /* before, between and after the regions, at least */

static VkDeviceSize roundUp(VkDeviceSize value, VkDeviceSize multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* One region more than the context has, for meshes with previous positions. */
static VkskinOutputBufferDef randomDef(const SoakContext *context, Random *random) {
    VkskinOutputBufferDef def = vkskinDefaultOutputBufferDef();
    VkPhysicalDeviceProperties properties;
    VkskinStats stats;
    vkGetPhysicalDeviceProperties(context->device->physical, &properties);
    const VkDeviceSize alignment = properties.limits.minStorageBufferOffsetAlignment;
    soakContextCheck(context, "vkskinGetStats", vkskinGetStats(context->handle, &stats));
    def.regionCount = stats.outputRegions + 1;
    def.regionSize = SOAK_BUFFER_BYTES + 4 * randomBelow(random, 16384);
    for (uint32_t i = def.regionCount; i-- > 0;) {
        def.offsets[i] = roundUp(def.bufferSize + GAP + 4 * randomBelow(random, 64), alignment);
        def.bufferSize = def.offsets[i] + def.regionSize;
    }
    def.bufferSize += GAP;
    return def;
}

void soakBufferAdd(SoakContext *context, Random *random, uint32_t index) {
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    SoakBuffer *buffer = &context->buffers[index];
    EngineError error;
    *buffer = (SoakBuffer){.def = randomDef(context, random)};
    if (!bufferCreate(context->device, buffer->def.bufferSize, usage, BUFFER_READBACK, "soak output", &buffer->memory,
                      &error)) {
        soakFail("%s", error.message);
    }
    memset(buffer->memory.mapped, POISON, buffer->def.bufferSize);
    buffer->def.buffer = buffer->memory.handle;
    buffer->def.mapped = buffer->memory.mapped;
    soakContextCheck(context, "vkskinAddOutputBuffer",
                     vkskinAddOutputBuffer(context->handle, &buffer->def, &buffer->handle));
}

static bool isInRegion(const VkskinOutputBufferDef *def, VkDeviceSize at) {
    for (uint32_t i = 0; i < def->regionCount; i++) {
        if (at >= def->offsets[i] && at < def->offsets[i] + def->regionSize) {
            return true;
        }
    }
    return false;
}

/* The device no longer uses the buffer. */
static void destroyBuffer(SoakContext *context, SoakBuffer *buffer) {
    const unsigned char *bytes = buffer->memory.mapped;
    VkDeviceSize written = buffer->def.bufferSize;
    for (VkDeviceSize at = buffer->def.bufferSize; bytes != NULL && at-- > 0;) {
        written = bytes[at] != POISON && !isInRegion(&buffer->def, at) ? at : written;
    }
    const VkDeviceSize size = buffer->def.bufferSize;
    bufferDestroy(context->device, &buffer->memory);
    *buffer = (SoakBuffer){0};
    if (written < size) {
        soakFail("byte %llu of a buffer of the host was written, which is in no region", (unsigned long long)written);
    }
}

bool soakBufferRemove(SoakContext *context, uint32_t index, bool used) {
    SoakBuffer *buffer = &context->buffers[index];
    const VkskinResult result = vkskinRemoveOutputBuffer(context->handle, buffer->handle);
    if (result == VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE) {
        return false;
    }
    soakContextCheck(context, "vkskinRemoveOutputBuffer", result);
    if (used) {
        soakFail("vkskinRemoveOutputBuffer removed a buffer that has instances");
    }
    destroyBuffer(context, buffer);
    return true;
}

bool soakBufferPlace(SoakContext *context, Random *random, VkskinInstanceDef def, const VkskinMeshInfo *info,
                     SoakPlace *place, VkskinInstance *instance) {
    SoakBuffer *buffer = &context->buffers[place->buffer];
    const VkDeviceSize end = outputEnd(info);
    place->offset = VKSKIN_OFFSET_AUTOMATIC;
    if (end <= buffer->def.regionSize && randomBelow(random, 2) == 0) {
        place->offset = buffer->next <= buffer->def.regionSize - end ? buffer->next : 4 * (end % 3);
        buffer->next = place->offset + end;
    }
    def.outputBuffer = buffer->handle;
    def.outputOffset = place->offset;
    const VkskinResult result = vkskinCreateInstance(context->handle, &def, instance);
    const bool automatic = place->offset == VKSKIN_OFFSET_AUTOMATIC;
    if (result == (automatic ? VKSKIN_ERROR_OUTPUT_BUFFER_FULL : VKSKIN_ERROR_OUTPUT_OVERLAP)) {
        return false;
    }
    soakContextCheck(context, "vkskinCreateInstance in a buffer of the host", result);
    return true;
}

void soakBufferCheck(const SoakContext *context, const SoakPlace *place, const VkskinMeshInfo *info,
                     const VkskinOutput *output) {
    bool found = place->buffer == SOAK_NO_BUFFER;
    for (uint32_t b = 0; b < SOAK_MAX_BUFFERS; b++) {
        const SoakBuffer *buffer = &context->buffers[b];
        const bool inside = buffer->memory.handle != VK_NULL_HANDLE && output->buffer == buffer->memory.handle;
        if (inside != (b == place->buffer)) {
            soakFail("an output is in another buffer than its instance");
        }
        for (uint32_t i = 0; inside && i < buffer->def.regionCount; i++) {
            const VkDeviceSize start = buffer->def.offsets[i], end = start + buffer->def.regionSize;
            const bool fixed = place->offset != VKSKIN_OFFSET_AUTOMATIC;
            found = found || (fixed ? output->offset == start + place->offset
                                    : output->offset >= start && output->offset + outputEnd(info) <= end);
        }
    }
    if (!found) {
        soakFail("an output is at byte %llu of a buffer of the host, which is not its place",
                 (unsigned long long)output->offset);
    }
}

uint32_t soakBuffersCount(const SoakContext *context) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SOAK_MAX_BUFFERS; i++) {
        count += context->buffers[i].memory.handle != VK_NULL_HANDLE;
    }
    return count;
}

void soakBuffersDestroy(SoakContext *context) {
    for (uint32_t i = 0; i < SOAK_MAX_BUFFERS; i++) {
        if (context->buffers[i].memory.handle != VK_NULL_HANDLE) {
            destroyBuffer(context, &context->buffers[i]);
        }
    }
}
