#include "reorder.h"

#include <string.h>

#define MAX_COMMANDS 512
#define MAX_SETS     4
#define MAX_PUSH     128

typedef enum Kind { DISPATCH, DISPATCH_INDIRECT, COPY, FILL, BARRIER } Kind;

/* What dispatches use. */
typedef struct State {
    VkPipeline pipeline;
    VkPipelineLayout layout; /* layout of the sets and the push constants */
    VkDescriptorSet sets[MAX_SETS];
    uint32_t setCount, pushSize;
    unsigned char push[MAX_PUSH];
} State;

typedef struct Command {
    Kind kind;
    bool done;
    VkPipelineStageFlags stages, to; /* barrier: source and destination stages */
    VkAccessFlags writes, uses;      /* barrier: source and destination access */
    State state;
    uint32_t groups[3];
    VkBuffer source, target; /* indirect: source */
    VkDeviceSize offset, size;
    VkBufferCopy region;
    uint32_t data;
} Command;

static struct {
    State state;
    Command commands[MAX_COMMANDS];
    uint32_t count;
    uint32_t barrier, leftOut; /* barriers of the frame so far; the one that is left out */
} stream;

static Command *keep(Kind kind, VkPipelineStageFlags stages, VkAccessFlags writes, VkAccessFlags uses) {
    assert_true(stream.count < MAX_COMMANDS);
    Command *command = &stream.commands[stream.count++];
    *command = (Command){.kind = kind, .stages = stages, .writes = writes, .uses = uses, .state = stream.state};
    return command;
}

/* ---- Keeping back ---- */

static VKAPI_ATTR void VKAPI_CALL bindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                               VkPipeline pipeline) {
    (void)commandBuffer;
    assert_int_equal(point, VK_PIPELINE_BIND_POINT_COMPUTE);
    stream.state.pipeline = pipeline;
}

static VKAPI_ATTR void VKAPI_CALL bindSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                           VkPipelineLayout layout, uint32_t first, uint32_t count,
                                           const VkDescriptorSet *sets, uint32_t dynamicCount,
                                           const uint32_t *dynamicOffsets) {
    (void)commandBuffer;
    (void)dynamicOffsets;
    assert_true(point == VK_PIPELINE_BIND_POINT_COMPUTE && first == 0 && count <= MAX_SETS && dynamicCount == 0);
    stream.state.layout = layout;
    stream.state.setCount = count;
    memcpy(stream.state.sets, sets, count * sizeof *sets);
}

static VKAPI_ATTR void VKAPI_CALL pushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                const void *values) {
    (void)commandBuffer;
    (void)stages;
    assert_true(offset == 0 && size <= MAX_PUSH && layout == stream.state.layout);
    stream.state.pushSize = size;
    memcpy(stream.state.push, values, size);
}

static Command *keepDispatch(Kind kind) {
    return keep(kind, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT);
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    (void)commandBuffer;
    const uint32_t groups[3] = {x, y, z};
    memcpy(keepDispatch(DISPATCH)->groups, groups, sizeof groups);
}

static VKAPI_ATTR void VKAPI_CALL dispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                   VkDeviceSize offset) {
    (void)commandBuffer;
    Command *command = keepDispatch(DISPATCH_INDIRECT);
    command->source = buffer;
    command->offset = offset;
}

static Command *keepTransfer(Kind kind) {
    return keep(kind, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

static VKAPI_ATTR void VKAPI_CALL copy(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target, uint32_t count,
                                       const VkBufferCopy *regions) {
    (void)commandBuffer;
    for (uint32_t i = 0; i < count; i++) {
        Command *command = keepTransfer(COPY);
        command->source = source;
        command->target = target;
        command->region = regions[i];
    }
}

static VKAPI_ATTR void VKAPI_CALL fill(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                       VkDeviceSize size, uint32_t data) {
    (void)commandBuffer;
    Command *command = keepTransfer(FILL);
    command->target = buffer;
    command->offset = offset;
    command->size = size;
    command->data = data;
}

static VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags from,
                                          VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t memoryCount,
                                          const VkMemoryBarrier *memory, uint32_t bufferCount,
                                          const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                          const VkImageMemoryBarrier *images) {
    (void)commandBuffer;
    (void)flags;
    (void)buffers;
    (void)images;
    assert_true(memoryCount == 1 && bufferCount == 0 && imageCount == 0);
    if (stream.barrier++ != stream.leftOut) {
        keep(BARRIER, from, memory->srcAccessMask, memory->dstAccessMask)->to = to;
    }
}

void reorderFunctions(VkskinVulkanFunctions *functions) {
    functions->vkCmdBindPipeline = bindPipeline;
    functions->vkCmdBindDescriptorSets = bindSets;
    functions->vkCmdPushConstants = pushConstants;
    functions->vkCmdDispatch = dispatch;
    functions->vkCmdDispatchIndirect = dispatchIndirect;
    functions->vkCmdCopyBuffer = copy;
    functions->vkCmdFillBuffer = fill;
    functions->vkCmdPipelineBarrier = barrier;
}

uint32_t reorderFrame(uint32_t leftOut) {
    const uint32_t barriers = stream.barrier;
    stream.barrier = 0;
    stream.leftOut = leftOut;
    return barriers;
}

void reorderCopy(VkBuffer source, VkDeviceSize size, VkBuffer target) {
    const VkBufferCopy region = {0, 0, size};
    copy(VK_NULL_HANDLE, source, target, 1, &region);
    Command *command = &stream.commands[stream.count - 1];
    command->stages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT; /* barriers between the library's copies do not order it */
    command->writes = 0;                                   /* no writes of the library to wait for */
    command->uses = VK_ACCESS_SHADER_READ_BIT;
}

/* ---- Order ---- */

/* Whether a barrier between two commands makes the second one wait for the first one and see what it wrote. */
static bool orders(const Command *first, const Command *between, const Command *second) {
    return between->kind == BARRIER && (first->stages & between->stages) != 0 && (second->stages & between->to) != 0 &&
           (first->writes == 0 || ((first->writes & between->writes) != 0 && (second->uses & between->uses) != 0));
}

static bool waits(uint32_t first, uint32_t second) {
    for (uint32_t b = first + 1; b < second; b++) {
        if (orders(&stream.commands[first], &stream.commands[b], &stream.commands[second])) {
            return true;
        }
    }
    return false;
}

static bool isReady(uint32_t index) {
    if (stream.commands[index].done || stream.commands[index].kind == BARRIER) {
        return false;
    }
    for (uint32_t i = 0; i < index; i++) {
        const Command *before = &stream.commands[i];
        if (!before->done && before->kind != BARRIER && waits(i, index)) {
            return false;
        }
    }
    return true;
}

/* ---- Recording ---- */

static void emitDispatch(VkCommandBuffer commandBuffer, const Command *command) {
    const State *state = &command->state;
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, state->pipeline);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, state->layout, 0, state->setCount,
                            state->sets, 0, NULL);
    vkCmdPushConstants(commandBuffer, state->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, state->pushSize, state->push);
    if (command->kind == DISPATCH) {
        vkCmdDispatch(commandBuffer, command->groups[0], command->groups[1], command->groups[2]);
    } else {
        vkCmdDispatchIndirect(commandBuffer, command->source, command->offset);
    }
}

static void emit(VkCommandBuffer commandBuffer, Command *command) {
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    switch (command->kind) {
    case COPY:
        vkCmdCopyBuffer(commandBuffer, command->source, command->target, 1, &command->region);
        break;
    case FILL:
        vkCmdFillBuffer(commandBuffer, command->target, command->offset, command->size, command->data);
        break;
    default:
        emitDispatch(commandBuffer, command);
        break;
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all);
    command->done = true;
}

void reorderRun(VkCommandBuffer commandBuffer, bool inOrder) {
    for (uint32_t i = 0; inOrder && i < stream.count; i++) {
        if (stream.commands[i].kind != BARRIER) {
            emit(commandBuffer, &stream.commands[i]);
        }
    }
    for (uint32_t i = stream.count; !inOrder && i > 0;) {
        if (isReady(i - 1)) {
            emit(commandBuffer, &stream.commands[i - 1]);
            i = stream.count;
        } else {
            i--;
        }
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
    stream.count = 0;
}
