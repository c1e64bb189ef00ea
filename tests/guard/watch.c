#include "watch.h"

#include <string.h>

#define MAX_COPIES 1024

typedef struct NotedCopy {
    VkBuffer source, target;
    VkBufferCopy region;
} NotedCopy;

static NotedCopy copies[MAX_COPIES];
static uint32_t copyCount;
static uint64_t watchedBytes;

static bool isOutput(const GuardBuffer *buffer) {
    return (buffer->usage & VK_BUFFER_USAGE_VERTEX_BUFFER_BIT) != 0;
}

static void fill(unsigned char *bytes, size_t size, uint32_t word) {
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(bytes + i, &word, sizeof word);
    }
}

/* ---- Copies ---- */

static VKAPI_ATTR void VKAPI_CALL noteCopy(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target,
                                           uint32_t regionCount, const VkBufferCopy *regions) {
    for (uint32_t i = 0; i < regionCount; i++) {
        assert_true(copyCount < MAX_COPIES);
        assert_true(regions[i].srcOffset + regions[i].size <= guardFind(source)->size);
        assert_true(regions[i].dstOffset + regions[i].size <= guardFind(target)->size);
        copies[copyCount++] = (NotedCopy){source, target, regions[i]};
    }
    vkCmdCopyBuffer(commandBuffer, source, target, regionCount, regions);
}

VkskinVulkanFunctions watchFunctions(void) {
    VkskinVulkanFunctions functions = guardFunctions();
    functions.vkCmdCopyBuffer = noteCopy;
    return functions;
}

static void expectCopies(void) {
    for (uint32_t i = 0; i < copyCount; i++) {
        const NotedCopy *copy = &copies[i];
        memcpy(guardFind(copy->target)->expected + copy->region.dstOffset,
               guardFind(copy->source)->bytes + copy->region.srcOffset, copy->region.size);
    }
    copyCount = 0;
}

/* ---- Before ---- */

void watchSpoilInputs(void) {
    uint32_t count;
    const GuardBuffer *buffers = guardBuffers(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (buffers[i].use == VKSKIN_MEMORY_DYNAMIC) {
            fill(buffers[i].bytes, buffers[i].size, GUARD_POISON);
        }
    }
}

void watchArm(void) {
    uint32_t count;
    const GuardBuffer *buffers = guardBuffers(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (isOutput(&buffers[i])) {
            fill(buffers[i].bytes, buffers[i].size, GPU_POISON);
        }
        memcpy(buffers[i].expected, buffers[i].bytes, buffers[i].size);
    }
    expectCopies();
}

/* ---- After ---- */

void watchTake(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size, bool whole) {
    const GuardBuffer *buffer = guardFind(handle);
    assert_true(isOutput(buffer) && offset % 4 == 0 && size % 4 == 0 && offset + size <= buffer->size);
    uint32_t *words = (uint32_t *)(void *)(buffer->bytes + offset);
    for (VkDeviceSize i = 0; i < size / 4; i++) {
        if (whole && words[i] == GPU_POISON) {
            fail_msg("the word at byte %llu of an output buffer was not written", (unsigned long long)(offset + 4 * i));
        }
        words[i] = GPU_POISON;
    }
}

static void checkBytes(const GuardBuffer *buffer) {
    watchedBytes += buffer->size;
    if (memcmp(buffer->bytes, buffer->expected, buffer->size) == 0) {
        return;
    }
    VkDeviceSize at = 0;
    while (buffer->bytes[at] == buffer->expected[at]) {
        at++;
    }
    fail_msg("byte %llu of a %s buffer of %llu bytes changed and belongs to nobody", (unsigned long long)at,
             guardBufferKind(buffer), (unsigned long long)buffer->size);
}

/* What is left of the pages around the buffer. */
static void checkRest(const GuardBuffer *buffer, const unsigned char *bytes, size_t size) {
    const uint32_t word = GUARD_POISON;
    const unsigned char *poison = (const unsigned char *)&word;
    watchedBytes += size;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != poison[(size_t)(bytes + i - buffer->room) % sizeof word]) {
            fail_msg("byte %lld, outside of a %s buffer of %llu bytes, changed", (long long)(bytes + i - buffer->bytes),
                     guardBufferKind(buffer), (unsigned long long)buffer->size);
        }
    }
}

void watchCheck(void) {
    uint32_t count;
    const GuardBuffer *buffers = guardBuffers(&count);
    for (uint32_t i = 0; i < count; i++) {
        const GuardBuffer *buffer = &buffers[i];
        const unsigned char *end = buffer->bytes + buffer->size;
        checkBytes(buffer);
        checkRest(buffer, buffer->room, (size_t)(buffer->bytes - buffer->room));
        checkRest(buffer, end, (size_t)(buffer->room + buffer->roomSize - end));
    }
}

uint64_t watchBytes(void) {
    return watchedBytes;
}
