/* Buffers of the host for outputs. */
#include <string.h>

#include "output_spans.h"
#include "world.h"

#define POISON 0xa5
#define GAP    256u /* before, between and after the regions, at least */

static VkDeviceSize roundUp(VkDeviceSize value, VkDeviceSize multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* One region more than the context has, for meshes with previous positions. Half of the buffers have gaps. */
static VkskinOutputBufferDef randomDef(const WorldContext *context, Random *random) {
    VkskinOutputBufferDef def = vkskinDefaultOutputBufferDef();
    const VkDeviceSize alignment = context->host->device->limits.minStorageBufferOffsetAlignment;
    const VkDeviceSize gap = randomBelow(random, 2) * GAP;
    VkskinStats stats;
    worldContextCheck(context, "vkskinGetStats", vkskinGetStats(context->handle, &stats));
    def.regionCount = stats.outputRegions + 1;
    def.regionSize = randomBelow(random, 2) == 0 ? 4096 + 4 * randomBelow(random, 32768)
                                                 : WORLD_BUFFER_BYTES + 4 * randomBelow(random, 16384);
    def.bufferSize = gap;
    for (uint32_t i = def.regionCount; i-- > 0;) {
        def.offsets[i] = roundUp(def.bufferSize, alignment);
        def.bufferSize = def.offsets[i] + def.regionSize + (i > 0 ? gap + 4 * randomBelow(random, 64) : gap);
    }
    return def;
}

/* With the functions and from the memory of the host. */
static void lendMemory(const WorldHost *host, WorldBuffer *buffer, VkBufferUsageFlags usage) {
    const VkDevice device = host->device->handle;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = buffer->def.bufferSize, .usage = usage};
    worldCheckVulkan("vkCreateBuffer", host->functions.vkCreateBuffer(device, &info, NULL, &buffer->memory.handle));
    VkskinMemoryRequest request = {.buffer = buffer->memory.handle, .use = VKSKIN_MEMORY_DEVICE};
    vkGetBufferMemoryRequirements(device, buffer->memory.handle, &request.requirements);
    worldCheckVulkan("the host's memory", host->memory->allocate(host->memory->user, &request, &buffer->lent));
    worldCheckVulkan("vkBindBufferMemory",
                     vkBindBufferMemory(device, buffer->memory.handle, buffer->lent.memory, buffer->lent.offset));
}

void worldBufferAdd(WorldContext *context, Random *random, uint32_t index) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
    WorldBuffer *buffer = &context->buffers[index];
    EngineError error;
    *buffer = (WorldBuffer){.def = randomDef(context, random)};
    if (context->host->memory != NULL) {
        lendMemory(context->host, buffer, usage);
    } else if (!bufferCreate(context->host->device, buffer->def.bufferSize, usage, BUFFER_READBACK, "world output",
                             &buffer->memory, &error)) {
        worldFail("%s", error.message);
    } else {
        memset(buffer->memory.mapped, POISON, buffer->def.bufferSize);
        buffer->def.mapped = buffer->memory.mapped;
    }
    buffer->def.buffer = buffer->memory.handle;
    worldContextCheck(context, "vkskinAddOutputBuffer",
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
static void destroyBuffer(WorldContext *context, WorldBuffer *buffer) {
    const WorldHost *host = context->host;
    const unsigned char *bytes = buffer->memory.mapped;
    VkDeviceSize written = buffer->def.bufferSize;
    for (VkDeviceSize at = buffer->def.bufferSize; bytes != NULL && at-- > 0;) {
        written = bytes[at] != POISON && !isInRegion(&buffer->def, at) ? at : written;
    }
    const VkDeviceSize size = buffer->def.bufferSize;
    if (host->memory != NULL) {
        vkDestroyBuffer(host->device->handle, buffer->memory.handle, NULL);
        host->memory->free(host->memory->user, &buffer->lent);
    } else {
        bufferDestroy(host->device, &buffer->memory);
    }
    *buffer = (WorldBuffer){0};
    if (written < size) {
        worldFail("byte %llu of a buffer of the host was written, which is in no region", (unsigned long long)written);
    }
}

bool worldBufferRemove(WorldContext *context, uint32_t index, bool used) {
    WorldBuffer *buffer = &context->buffers[index];
    const VkskinResult result = vkskinRemoveOutputBuffer(context->handle, buffer->handle);
    if (result == VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE) {
        return false;
    }
    worldContextCheck(context, "vkskinRemoveOutputBuffer", result);
    if (used) {
        worldFail("vkskinRemoveOutputBuffer removed a buffer that has instances");
    }
    destroyBuffer(context, buffer);
    return true;
}

static VkDeviceSize choosePlace(Random *random, const WorldBuffer *buffer) {
    switch (randomBelow(random, 4)) {
    case 0:
        return VKSKIN_OFFSET_AUTOMATIC;
    case 1:
        return 4 * (VkDeviceSize)randomBelow(random, (uint32_t)(buffer->def.regionSize / 4));
    default:
        return buffer->next;
    }
}

bool worldBufferPlace(WorldContext *context, Random *random, VkskinInstanceDef def, const VkskinMeshInfo *info,
                      WorldPlace *place, VkskinInstance *instance) {
    WorldBuffer *buffer = &context->buffers[place->buffer];
    const VkDeviceSize end = outputEnd(info), size = buffer->def.regionSize;
    def.outputBuffer = buffer->handle;
    def.outputOffset = place->offset = choosePlace(random, buffer);
    const bool automatic = place->offset == VKSKIN_OFFSET_AUTOMATIC;
    const bool fits = end <= size && place->offset <= size - end;
    const VkskinResult result = vkskinCreateInstance(context->handle, &def, instance);
    if (!automatic) {
        buffer->next = fits ? place->offset + end : 0;
    }
    if (result == (automatic ? VKSKIN_ERROR_OUTPUT_BUFFER_FULL
                   : fits    ? VKSKIN_ERROR_OUTPUT_OVERLAP
                             : VKSKIN_ERROR_INVALID_VALUE)) {
        return false;
    }
    worldContextCheck(context, "vkskinCreateInstance in a buffer of the host", result);
    return true;
}

void worldBufferCheck(const WorldContext *context, const WorldPlace *place, const VkskinMeshInfo *info,
                      const VkskinOutput *output) {
    bool found = place->buffer == WORLD_NO_BUFFER;
    for (uint32_t b = 0; b < WORLD_MAX_BUFFERS; b++) {
        const WorldBuffer *buffer = &context->buffers[b];
        const bool inside = buffer->memory.handle != VK_NULL_HANDLE && output->buffer == buffer->memory.handle;
        if (inside != (b == place->buffer)) {
            worldFail("an output is in another buffer than its instance");
        }
        for (uint32_t i = 0; inside && i < buffer->def.regionCount; i++) {
            const VkDeviceSize start = buffer->def.offsets[i], end = start + buffer->def.regionSize;
            const bool fixed = place->offset != VKSKIN_OFFSET_AUTOMATIC;
            found = found || (fixed ? output->offset == start + place->offset
                                    : output->offset >= start && output->offset + outputEnd(info) <= end);
        }
    }
    if (!found) {
        worldFail("an output is at byte %llu of a buffer of the host, which is not its place",
                  (unsigned long long)output->offset);
    }
}

uint32_t worldBuffersCount(const WorldContext *context) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < WORLD_MAX_BUFFERS; i++) {
        count += context->buffers[i].memory.handle != VK_NULL_HANDLE;
    }
    return count;
}

void worldBuffersDestroy(WorldContext *context) {
    for (uint32_t i = 0; i < WORLD_MAX_BUFFERS; i++) {
        if (context->buffers[i].memory.handle != VK_NULL_HANDLE) {
            destroyBuffer(context, &context->buffers[i]);
        }
    }
}
