/* Recording. */
#include "null_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "null_calls.h"

#define MAGIC UINT32_C(0x636d6473)

VkCommandBuffer nullDriverBegin(NullDriver *driver) {
    NullCommandBuffer *commands = nullAllocate(1, sizeof *commands);
    commands->magic = MAGIC;
    commands->driver = driver;
    nullLock(driver);
    commands->next = driver->commandBuffers;
    if (commands->next != NULL) {
        commands->next->previous = commands;
    }
    driver->commandBuffers = commands;
    nullUnlock(driver);
    return (VkCommandBuffer)(void *)commands;
}

void nullDriverDrop(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    nullFreeCommands(commands);
    nullUnlock(driver);
}

void nullFreeCommands(NullCommandBuffer *commands) {
    if (commands->previous != NULL) {
        commands->previous->next = commands->next;
    } else {
        commands->driver->commandBuffers = commands->next;
    }
    if (commands->next != NULL) {
        commands->next->previous = commands->previous;
    }
    commands->magic = 0;
    free(commands->commands);
    free(commands);
}

NullCommandBuffer *nullLockCommands(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = (NullCommandBuffer *)(void *)commandBuffer;
    if (commands == NULL || commands->magic != MAGIC) {
        fprintf(stderr, "null driver: %p is no VkCommandBuffer of its own\n", (const void *)commands);
        abort();
    }
    nullLock(commands->driver);
    nullTouchWrite(&commands->touched);
    return commands;
}

static void addCommand(NullCommandBuffer *commands, const NullCommand *command) {
    if (commands->count == commands->capacity) {
        uint32_t capacity = commands->capacity == 0 ? 16 : 2 * commands->capacity;
        NullCommand *grown = nullAllocate(capacity, sizeof *grown);
        if (commands->count > 0) {
            memcpy(grown, commands->commands, commands->count * sizeof *grown);
        }
        free(commands->commands);
        commands->commands = grown;
        commands->capacity = capacity;
    }
    commands->commands[commands->count++] = *command;
}

/* ---- What commands refer to ---- */

static bool checkRange(NullDriver *driver, const NullObject *buffer, VkDeviceSize offset, VkDeviceSize size,
                       const char *call, const char *role) {
    if (size == 0 || offset > buffer->buffer.size || size > buffer->buffer.size - offset) {
        nullFault(driver, "%s: %s range of %" PRIu64 " bytes at %" PRIu64 " leaves a buffer of %" PRIu64, call, role,
                  (uint64_t)size, (uint64_t)offset, (uint64_t)buffer->buffer.size);
        return false;
    }
    return true;
}

static NullObject *findBound(NullDriver *driver, uint64_t handle, VkBufferUsageFlags usage, const char *call) {
    NullObject *buffer = nullFindUsed(driver, NULL_KIND_BUFFER, handle, call);
    if (buffer == NULL || nullFind(driver, NULL_KIND_MEMORY, buffer->buffer.memory, call) == NULL) {
        return NULL;
    }
    if ((buffer->buffer.usage & usage) != usage) {
        nullFault(driver, "%s: a buffer of usage 0x%x lacks 0x%x", call, buffer->buffer.usage, usage);
        return NULL;
    }
    return buffer;
}

bool nullCheckCopy(NullDriver *driver, const NullCommand *command, const char *call) {
    const VkBufferCopy *region = &command->copy.region;
    NullObject *source = findBound(driver, command->copy.source, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, call);
    NullObject *target = findBound(driver, command->copy.target, VK_BUFFER_USAGE_TRANSFER_DST_BIT, call);
    return source != NULL && target != NULL &&
           checkRange(driver, source, region->srcOffset, region->size, call, "the source") &&
           checkRange(driver, target, region->dstOffset, region->size, call, "the target");
}

/* Whether all that the set's layout has is written, and there. */
static bool checkSet(NullDriver *driver, uint64_t handle, const NullDescriptorCounts *layout, const char *call) {
    NullObject *object = nullFindUsed(driver, NULL_KIND_DESCRIPTOR_SET, handle, call);
    if (object == NULL) {
        return false;
    }
    const NullDescriptorSet *set = &object->set;
    if (set->counts.buffers != layout->buffers || set->counts.texels != layout->texels) {
        nullFault(driver, "%s: a set of another layout than the pipeline's", call);
        return false;
    }
    if (findBound(driver, set->buffer, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, call) == NULL) {
        return false;
    }
    if (layout->texels == 0) {
        return true;
    }
    NullObject *view = nullFindUsed(driver, NULL_KIND_BUFFER_VIEW, set->texels, call);
    return view != NULL && findBound(driver, view->view.buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, call) != NULL;
}

bool nullCheckDispatch(NullDriver *driver, const NullDispatch *dispatch, const char *call) {
    const NullObject *pipeline = nullFindUsed(driver, NULL_KIND_PIPELINE, dispatch->pipeline, call);
    if (pipeline == NULL) {
        return false;
    }
    const NullPipelineLayout *layout = &pipeline->pipeline.layout;
    for (uint32_t i = 0; i < layout->setCount; i++) {
        if (!checkSet(driver, dispatch->sets[i], &layout->sets[i], call)) {
            return false;
        }
    }
    if (dispatch->pushBytes < layout->pushBytes) {
        nullFault(driver, "%s: %u of %u bytes of push constants were given", call, dispatch->pushBytes,
                  layout->pushBytes);
        return false;
    }
    return true;
}

bool nullCheckQueries(NullDriver *driver, const NullCommand *command, const char *call) {
    NullObject *pool = nullFindUsed(driver, NULL_KIND_QUERY_POOL, command->queries.pool, call);
    if (pool == NULL) {
        return false;
    }
    uint32_t count = pool->queryPool.count;
    if (command->queries.first >= count || command->queries.count > count - command->queries.first) {
        nullFault(driver, "%s: queries %u and %u more of %u", call, command->queries.first, command->queries.count,
                  count);
        return false;
    }
    return true;
}

/* ---- Commands ---- */

void nullCmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t first, uint32_t count) {
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    NullCommand command = {.kind = NULL_COMMAND_RESET, .queries = {(uint64_t)pool, first, count}};
    if (nullCheckQueries(commands->driver, &command, "vkCmdResetQueryPool")) {
        addCommand(commands, &command);
    }
    nullUnlock(commands->driver);
}

void nullCmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits stage, VkQueryPool pool,
                           uint32_t query) {
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    NullCommand command = {.kind = NULL_COMMAND_TIMESTAMP, .queries = {(uint64_t)pool, query, 1}};
    if (stage == 0) {
        nullFault(commands->driver, "vkCmdWriteTimestamp: no stage");
    } else if (nullCheckQueries(commands->driver, &command, "vkCmdWriteTimestamp")) {
        addCommand(commands, &command);
    }
    nullUnlock(commands->driver);
}

void nullCmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, VkPipeline pipeline) {
    static const char call[] = "vkCmdBindPipeline";
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    if (point != VK_PIPELINE_BIND_POINT_COMPUTE) {
        nullFault(commands->driver, "%s: bind point %d", call, (int)point);
    } else if (nullFindUsed(commands->driver, NULL_KIND_PIPELINE, (uint64_t)pipeline, call) != NULL) {
        commands->current.pipeline = (uint64_t)pipeline;
    }
    nullUnlock(commands->driver);
}

void nullCmdBindDescriptorSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, VkPipelineLayout layout,
                               uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t dynamicCount,
                               const uint32_t *dynamicOffsets) {
    (void)dynamicOffsets;
    static const char call[] = "vkCmdBindDescriptorSets";
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    NullObject *used = nullFindUsed(driver, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)layout, call);
    uint32_t room = used != NULL ? used->pipelineLayout.setCount : 0;
    if (point != VK_PIPELINE_BIND_POINT_COMPUTE || dynamicCount != 0) {
        nullFault(driver, "%s: bind point %d, %u dynamic offsets", call, (int)point, dynamicCount);
    } else if (used != NULL && (first > room || count > room - first)) {
        nullFault(driver, "%s: sets %u and %u more of %u", call, first, count, room);
    } else {
        for (uint32_t i = 0; used != NULL && i < count; i++) {
            NullObject *set = nullFindUsed(driver, NULL_KIND_DESCRIPTOR_SET, (uint64_t)sets[i], call);
            commands->current.sets[first + i] = set != NULL ? set->handle : 0;
        }
    }
    nullUnlock(driver);
}

void nullCmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout, VkShaderStageFlags stages,
                          uint32_t offset, uint32_t size, const void *values) {
    static const char call[] = "vkCmdPushConstants";
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    NullObject *used = nullFindUsed(driver, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)layout, call);
    uint32_t room = used != NULL ? used->pipelineLayout.pushBytes : 0;
    if (stages != VK_SHADER_STAGE_COMPUTE_BIT || offset % 4 != 0 || size % 4 != 0) {
        nullFault(driver, "%s: stages 0x%x, %u bytes at %u", call, stages, size, offset);
    } else if (used != NULL && (offset > room || size > room - offset)) {
        nullFault(driver, "%s: %u bytes at %u of %u", call, size, offset, room);
    } else if (used != NULL) {
        memcpy((unsigned char *)commands->current.push + offset, values, size);
        commands->current.pushBytes = offset + size;
    }
    nullUnlock(driver);
}

void nullCmdDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    static const char call[] = "vkCmdDispatch";
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    const uint32_t *most = driver->settings.limits.maxComputeWorkGroupCount;
    if (x > most[0] || y > most[1] || z > most[2]) {
        nullFault(driver, "%s: %u x %u x %u groups, the device has %u x %u x %u", call, x, y, z, most[0], most[1],
                  most[2]);
    } else if (nullCheckDispatch(driver, &commands->current, call)) {
        NullCommand command = {.kind = NULL_COMMAND_DISPATCH, .dispatch = commands->current};
        command.dispatch.groups[0] = x;
        command.dispatch.groups[1] = y;
        command.dispatch.groups[2] = z;
        addCommand(commands, &command);
    }
    nullUnlock(driver);
}

void nullCmdCopyBuffer(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target, uint32_t count,
                       const VkBufferCopy *regions) {
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    for (uint32_t i = 0; i < count; i++) {
        NullCommand command = {.kind = NULL_COMMAND_COPY, .copy = {(uint64_t)source, (uint64_t)target, regions[i]}};
        if (nullCheckCopy(commands->driver, &command, "vkCmdCopyBuffer")) {
            addCommand(commands, &command);
        }
    }
    nullUnlock(commands->driver);
}

static void addBarrier(NullCommandBuffer *commands, const VkBufferMemoryBarrier *barrier, const char *call) {
    NullDriver *driver = commands->driver;
    NullObject *buffer = findBound(driver, (uint64_t)barrier->buffer, 0, call);
    if (buffer == NULL) {
        return;
    }
    VkDeviceSize left = barrier->offset < buffer->buffer.size ? buffer->buffer.size - barrier->offset : 0;
    VkDeviceSize size = barrier->size == VK_WHOLE_SIZE ? left : barrier->size;
    bool families = barrier->srcQueueFamilyIndex == barrier->dstQueueFamilyIndex ||
                    (barrier->srcQueueFamilyIndex < driver->settings.familyCount &&
                     barrier->dstQueueFamilyIndex < driver->settings.familyCount);
    if (!families) {
        nullFault(driver, "%s: from queue family %u to %u of %u", call, barrier->srcQueueFamilyIndex,
                  barrier->dstQueueFamilyIndex, driver->settings.familyCount);
    } else if (checkRange(driver, buffer, barrier->offset, size, call, "the barrier's")) {
        NullCommand command = {.kind = NULL_COMMAND_BARRIER, .barrierBuffer = buffer->handle};
        addCommand(commands, &command);
    }
}

void nullCmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags before, VkPipelineStageFlags after,
                            VkDependencyFlags flags, uint32_t memoryCount, const VkMemoryBarrier *memory,
                            uint32_t bufferCount, const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                            const VkImageMemoryBarrier *images) {
    static const char call[] = "vkCmdPipelineBarrier";
    (void)flags;
    (void)memoryCount;
    (void)memory;
    (void)images;
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    if (before == 0 || after == 0 || imageCount != 0) {
        nullFault(commands->driver, "%s: stages 0x%x before, 0x%x after, %u images", call, before, after, imageCount);
    }
    for (uint32_t i = 0; i < bufferCount; i++) {
        addBarrier(commands, &buffers[i], call);
    }
    nullUnlock(commands->driver);
}

void nullCmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *label) {
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    if (label->pLabelName == NULL) {
        nullFault(commands->driver, "vkCmdBeginDebugUtilsLabelEXT: no name");
    }
    commands->labels++;
    nullUnlock(commands->driver);
}

void nullCmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
    if (commands->labels == 0) {
        nullFault(commands->driver, "vkCmdEndDebugUtilsLabelEXT: no label was begun");
    } else {
        commands->labels--;
    }
    nullUnlock(commands->driver);
}
