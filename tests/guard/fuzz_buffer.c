#include "fuzz.h"
#include "guard_pages.h"
#include "output_spans.h"

/* One region more than the context has, for meshes with previous positions. */
static void placeRegions(Gpu *gpu, const FuzzContext *context, Random *random, VkskinOutputBufferDef *def) {
    const VkDeviceSize alignment = gpu->properties.limits.minStorageBufferOffsetAlignment;
    const uint32_t count = context->def.outputRegions + 1;
    def->regionCount = count;
    def->regionSize = 4096 + 4 * randomBelow(random, 32768);
    for (uint32_t i = count; i-- > 0;) {
        def->offsets[i] = (def->bufferSize + alignment - 1) / alignment * alignment;
        def->bufferSize = def->offsets[i] + def->regionSize;
        def->bufferSize += i > 0 ? 4 * randomBelow(random, 64) : 0;
    }
}

void fuzzBufferCreate(Gpu *gpu, const FuzzContext *context, Random *random, FuzzBuffer *buffer) {
    const VkskinVulkanFunctions functions = guardFunctions();
    *buffer = (FuzzBuffer){.def = vkskinDefaultOutputBufferDef()};
    placeRegions(gpu, context, random, &buffer->def);
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer->def.bufferSize,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
    };
    GPU_CHECK(functions.vkCreateBuffer(gpu->device, &info, NULL, &buffer->buffer));
    VkskinMemoryRequest request = {.buffer = buffer->buffer, .use = VKSKIN_MEMORY_DEVICE};
    vkGetBufferMemoryRequirements(gpu->device, buffer->buffer, &request.requirements);
    GPU_CHECK(guardMemory().allocate(NULL, &request, &buffer->block));
    GPU_CHECK(vkBindBufferMemory(gpu->device, buffer->buffer, buffer->block.memory, buffer->block.offset));
    buffer->def.buffer = buffer->buffer;
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(context->context, &buffer->def, &buffer->handle));
}

void fuzzBufferFree(Gpu *gpu, FuzzBuffer *buffer) {
    vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
    guardMemory().free(NULL, &buffer->block);
    *buffer = (FuzzBuffer){0};
}

static VkDeviceSize choosePlace(Random *random, const FuzzBuffer *buffer) {
    switch (randomBelow(random, 4)) {
    case 0:
        return VKSKIN_OFFSET_AUTOMATIC;
    case 1:
        return 4 * (VkDeviceSize)randomBelow(random, (uint32_t)(buffer->def.regionSize / 4));
    default:
        return buffer->next;
    }
}

bool fuzzBufferPlace(Gpu *gpu, VkskinContext context, Random *random, FuzzBuffer *buffer, const FuzzMesh *mesh,
                     VkskinInstance *instance, VkDeviceSize *place) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = mesh->handle;
    def.outputBuffer = buffer->handle;
    def.outputOffset = *place = choosePlace(random, buffer);
    const VkDeviceSize end = outputEnd(&mesh->info);
    const bool fits = end <= buffer->def.regionSize && *place <= buffer->def.regionSize - end;
    const VkskinResult result = vkskinCreateInstance(context, &def, instance);
    if (*place == VKSKIN_OFFSET_AUTOMATIC && result == VKSKIN_ERROR_OUTPUT_BUFFER_FULL) {
        return false;
    }
    if (*place != VKSKIN_OFFSET_AUTOMATIC) {
        buffer->next = fits ? *place + end : 0;
        if (result == (fits ? VKSKIN_ERROR_OUTPUT_OVERLAP : VKSKIN_ERROR_INVALID_VALUE)) {
            return false;
        }
    }
    GPU_VKSKIN(gpu, result);
    return true;
}

void fuzzBufferCheck(const FuzzBuffer *buffer, const VkskinMeshInfo *info, const VkskinOutput *output,
                     VkDeviceSize place) {
    assert_true(output->buffer == buffer->buffer);
    bool found = false;
    for (uint32_t i = 0; i < buffer->def.regionCount; i++) {
        const VkDeviceSize start = buffer->def.offsets[i], end = start + buffer->def.regionSize;
        const bool inside = output->offset >= start && output->offset + outputEnd(info) <= end;
        found = found || (inside && (place == VKSKIN_OFFSET_AUTOMATIC || output->offset == start + place));
    }
    if (!found) {
        fail_msg("an output is at byte %llu of a buffer of the host, which is not its place",
                 (unsigned long long)output->offset);
    }
}
