/* The null driver: recording and running commands. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "null_state.h"

#define MAGIC UINT32_C(0x636d6473)

/* The driver is locked; nullUnlock when done. An invalid handle aborts the process. */
static NullCommandBuffer *lockCommands(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = (NullCommandBuffer *)(void *)commandBuffer;
    if (commands == NULL || commands->magic != MAGIC) {
        fprintf(stderr, "null driver: %p is not a VkCommandBuffer of the null driver\n", (const void *)commands);
        abort();
    }
    nullLock(commands->driver);
    nullTouchWrite(&commands->touched);
    return commands;
}

VkCommandBuffer nullDriverBegin(NullDriver *driver) {
    NullCommandBuffer *commands = nullAllocate(1, sizeof *commands);
    commands->magic = MAGIC;
    commands->driver = driver;
    nullLock(driver);
    commands->next = driver->commandBuffers;
    driver->commandBuffers = commands;
    nullUnlock(driver);
    return (VkCommandBuffer)(void *)commands;
}

void nullDriverDrop(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    nullFreeCommands(commands);
    nullUnlock(driver);
}

/* ---- Checks of what commands refer to, when they are recorded and again when they run ---- */

static bool checkRange(NullDriver *driver, const NullObject *buffer, VkDeviceSize offset, VkDeviceSize size,
                       const char *call, const char *role) {
    if (!nullIsWithin(offset, size, buffer->buffer.size)) {
        nullFault(driver, "%s: %s range of %" PRIu64 " bytes at %" PRIu64 " leaves a buffer of %" PRIu64, call, role,
                  (uint64_t)size, (uint64_t)offset, (uint64_t)buffer->buffer.size);
        return false;
    }
    return true;
}

static NullObject *findBound(NullDriver *driver, uint64_t handle, const char *call) {
    NullObject *buffer = nullFindUsed(driver, NULL_KIND_BUFFER, handle, call);
    bool bound = buffer != NULL && nullFind(driver, NULL_KIND_MEMORY, buffer->buffer.memory, call) != NULL;
    return bound ? buffer : NULL;
}

static bool checkCopy(NullDriver *driver, const NullCommand *command, const char *call) {
    const VkBufferCopy *region = &command->copy.region;
    NullObject *source = findBound(driver, command->copy.source, call);
    NullObject *target = findBound(driver, command->copy.target, call);
    return source != NULL && target != NULL &&
           checkRange(driver, source, region->srcOffset, region->size, call, "the source") &&
           checkRange(driver, target, region->dstOffset, region->size, call, "the target");
}

/* Whether every descriptor of the set is written and refers to existing objects. */
static bool checkSet(NullDriver *driver, uint64_t handle, const char *call) {
    NullObject *object = nullFindUsed(driver, NULL_KIND_DESCRIPTOR_SET, handle, call);
    if (object == NULL || findBound(driver, object->set.buffer, call) == NULL) {
        return false;
    }
    if (object->set.counts.texels == 0) {
        return true;
    }
    NullObject *view = nullFindUsed(driver, NULL_KIND_BUFFER_VIEW, object->set.texels, call);
    return view != NULL && findBound(driver, view->view.buffer, call) != NULL;
}

static bool checkDispatch(NullDriver *driver, const NullCommand *command, const char *call) {
    const NullDispatch *dispatch = &command->dispatch;
    const NullObject *pipeline = nullFindUsed(driver, NULL_KIND_PIPELINE, dispatch->pipeline, call);
    if (pipeline == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < pipeline->setCount; i++) {
        if (!checkSet(driver, dispatch->sets[i], call)) {
            return false;
        }
    }
    const NullObject *arguments = dispatch->indirect != 0 ? findBound(driver, dispatch->indirect, call) : NULL;
    return dispatch->indirect == 0 ||
           (arguments != NULL && checkRange(driver, arguments, dispatch->argumentsAt, sizeof(VkDispatchIndirectCommand),
                                            call, "the arguments'"));
}

static bool checkFill(NullDriver *driver, const NullCommand *command, const char *call) {
    return findBound(driver, command->fill.target, call) != NULL;
}

static bool checkQueries(NullDriver *driver, const NullCommand *command, const char *call) {
    NullObject *pool = nullFindUsed(driver, NULL_KIND_QUERY_POOL, command->queries.pool, call);
    if (pool == NULL) {
        return false;
    }
    uint32_t count = pool->queryPool.count;
    if (!nullIsWithin(command->queries.first, command->queries.count, count)) {
        nullFault(driver, "%s: queries %u and %u more of %u", call, command->queries.first, command->queries.count,
                  count);
        return false;
    }
    return true;
}

static bool checkBarrier(NullDriver *driver, const NullCommand *command, const char *call) {
    return nullFindUsed(driver, NULL_KIND_BUFFER, command->barrierBuffer, call) != NULL;
}

/* The check of each kind of command, and the function that it checks. */
static const struct {
    const char *call, *running;
    bool (*check)(NullDriver *driver, const NullCommand *command, const char *call);
} checks[] = {
    [NULL_COMMAND_COPY] = {"vkCmdCopyBuffer", "running vkCmdCopyBuffer", checkCopy},
    [NULL_COMMAND_FILL] = {"vkCmdFillBuffer", "running vkCmdFillBuffer", checkFill},
    [NULL_COMMAND_DISPATCH] = {"vkCmdDispatch", "running vkCmdDispatch", checkDispatch},
    [NULL_COMMAND_RESET] = {"vkCmdResetQueryPool", "running vkCmdResetQueryPool", checkQueries},
    [NULL_COMMAND_TIMESTAMP] = {"vkCmdWriteTimestamp", "running vkCmdWriteTimestamp", checkQueries},
    [NULL_COMMAND_BARRIER] = {"vkCmdPipelineBarrier", "running vkCmdPipelineBarrier", checkBarrier},
};

/* ---- Recording ---- */

/* Adds the command if it passes its check. */
static void addCommand(NullCommandBuffer *commands, const NullCommand *command) {
    if (!checks[command->kind].check(commands->driver, command, checks[command->kind].call)) {
        return;
    }
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

void nullCmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t first, uint32_t count) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    addCommand(commands, &(NullCommand){.kind = NULL_COMMAND_RESET, .queries = {(uint64_t)pool, first, count}});
    nullUnlock(commands->driver);
}

void nullCmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits stage, VkQueryPool pool,
                           uint32_t query) {
    (void)stage;
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    addCommand(commands, &(NullCommand){.kind = NULL_COMMAND_TIMESTAMP, .queries = {(uint64_t)pool, query, 1}});
    nullUnlock(commands->driver);
}

void nullCmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, VkPipeline pipeline) {
    (void)point;
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    NullObject *used = nullFindUsed(commands->driver, NULL_KIND_PIPELINE, (uint64_t)pipeline, "vkCmdBindPipeline");
    commands->current.pipeline = used != NULL ? used->handle : 0;
    nullUnlock(commands->driver);
}

void nullCmdBindDescriptorSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, VkPipelineLayout layout,
                               uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t dynamicCount,
                               const uint32_t *dynamicOffsets) {
    (void)point;
    (void)dynamicCount;
    (void)dynamicOffsets;
    static const char call[] = "vkCmdBindDescriptorSets";
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    NullObject *used = nullFindUsed(driver, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)layout, call);
    uint32_t room = used != NULL ? used->setCount : 0;
    if (used != NULL && (first > room || count > room - first)) {
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
    (void)stages;
    static const char call[] = "vkCmdPushConstants";
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    (void)nullFindUsed(driver, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)layout, call);
    if (!nullIsWithin(offset, size, sizeof commands->current.pushed)) {
        nullFault(driver, "%s: %u bytes at %u", call, size, offset);
    } else {
        memcpy(commands->current.pushed + offset, values, size);
        commands->current.pushBytes = offset + size;
    }
    nullUnlock(driver);
}

void nullCmdDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    const uint32_t *maximum = commands->driver->settings.limits.maxComputeWorkGroupCount;
    if (x > maximum[0] || y > maximum[1] || z > maximum[2]) {
        nullFault(commands->driver, "vkCmdDispatch: %u x %u x %u groups, the device has %u x %u x %u", x, y, z,
                  maximum[0], maximum[1], maximum[2]);
    } else {
        NullCommand command = {.kind = NULL_COMMAND_DISPATCH, .dispatch = commands->current};
        command.dispatch.groups = (uint64_t)x * y * z;
        addCommand(commands, &command);
    }
    nullUnlock(commands->driver);
}

void nullCmdDispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    if (offset % 4 != 0) {
        nullFault(commands->driver, "vkCmdDispatchIndirect: the offset %" PRIu64 " is not a multiple of 4",
                  (uint64_t)offset);
    }
    NullCommand command = {.kind = NULL_COMMAND_DISPATCH, .dispatch = commands->current};
    command.dispatch.indirect = (uint64_t)buffer;
    command.dispatch.argumentsAt = offset;
    addCommand(commands, &command);
    nullUnlock(commands->driver);
}

/* Only of whole buffers, which is all that the library does. */
void nullCmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer target, VkDeviceSize offset, VkDeviceSize size,
                       uint32_t data) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    if (offset != 0 || size != VK_WHOLE_SIZE) {
        nullFault(commands->driver, "vkCmdFillBuffer: a part of a buffer");
    }
    addCommand(commands, &(NullCommand){.kind = NULL_COMMAND_FILL, .fill = {(uint64_t)target, data}});
    nullUnlock(commands->driver);
}

void nullCmdCopyBuffer(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target, uint32_t count,
                       const VkBufferCopy *regions) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    for (uint32_t i = 0; i < count; i++) {
        addCommand(commands,
                   &(NullCommand){.kind = NULL_COMMAND_COPY, .copy = {(uint64_t)source, (uint64_t)target, regions[i]}});
    }
    nullUnlock(commands->driver);
}

static void addBarrier(NullCommandBuffer *commands, const VkBufferMemoryBarrier *barrier) {
    static const char call[] = "vkCmdPipelineBarrier";
    NullDriver *driver = commands->driver;
    NullObject *buffer = findBound(driver, (uint64_t)barrier->buffer, call);
    if (buffer == NULL) {
        return;
    }
    VkDeviceSize left = barrier->offset < buffer->buffer.size ? buffer->buffer.size - barrier->offset : 0;
    VkDeviceSize size = barrier->size == VK_WHOLE_SIZE ? left : barrier->size;
    if (checkRange(driver, buffer, barrier->offset, size, call, "the barrier's")) {
        addCommand(commands, &(NullCommand){.kind = NULL_COMMAND_BARRIER, .barrierBuffer = buffer->handle});
    }
}

void nullCmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags before, VkPipelineStageFlags after,
                            VkDependencyFlags flags, uint32_t memoryCount, const VkMemoryBarrier *memory,
                            uint32_t bufferCount, const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                            const VkImageMemoryBarrier *images) {
    (void)before;
    (void)after;
    (void)flags;
    (void)memoryCount;
    (void)memory;
    (void)imageCount;
    (void)images;
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    for (uint32_t i = 0; i < bufferCount; i++) {
        addBarrier(commands, &buffers[i]);
    }
    nullUnlock(commands->driver);
}

void nullCmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *label) {
    (void)label;
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    commands->labels++;
    nullUnlock(commands->driver);
}

void nullCmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    if (commands->labels == 0) {
        nullFault(commands->driver, "vkCmdEndDebugUtilsLabelEXT: no label was begun");
    } else {
        commands->labels--;
    }
    nullUnlock(commands->driver);
}

/* ---- Running a dispatch ---- */

/* The ranges that are bound to a dispatch's sets, by set. */
typedef struct Bound {
    NullDriver *driver;
    uint32_t *words[LAYOUT_SET_COUNT];
    uint64_t counts[LAYOUT_SET_COUNT];
    LayoutDispatch push;
    bool failed; /* after the first fault the dispatch does nothing more */
} Bound;

static void failDispatch(Bound *bound, const char *what) {
    nullFault(bound->driver, "running vkCmdDispatch: %s", what);
    bound->failed = true;
}

/* Words of a set, touched as a device would read them. Null after a fault, which is a range beyond the bound one. */
static uint32_t *wordsAt(Bound *bound, uint32_t set, uint64_t first, uint64_t count) {
    static const char *const names[LAYOUT_SET_COUNT] = {"table", "mesh", "palette", "output"};
    if (!bound->failed && (first > bound->counts[set] || count > bound->counts[set] - first)) {
        nullFault(bound->driver,
                  "running vkCmdDispatch: %" PRIu64 " words at %" PRIu64 " of the %s page, where %" PRIu64 " are bound",
                  count, first, names[set], bound->counts[set]);
        bound->failed = true;
    }
    if (bound->failed) {
        return NULL;
    }
    nullTouchWords(bound->words[set] + first, set == LAYOUT_SET_OUTPUT ? 0 : count);
    return bound->words[set] + first;
}

static float floatOf(uint32_t word) {
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static Bound bindSets(NullDriver *driver, const NullDispatch *dispatch) {
    static const char call[] = "running vkCmdDispatch";
    Bound bound = {.driver = driver, .push = dispatch->push};
    for (uint32_t i = 0; i < LAYOUT_SET_COUNT; i++) {
        const NullDescriptorSet *set = &nullFind(driver, NULL_KIND_DESCRIPTOR_SET, dispatch->sets[i], call)->set;
        VkDeviceSize size = set->size;
        if (set->counts.texels > 0) { /* the same palettes once more, as texels */
            const NullBufferView *view = &nullFind(driver, NULL_KIND_BUFFER_VIEW, set->texels, call)->view;
            size = view->size < size ? view->size : size;
        }
        bound.words[i] = (uint32_t *)(void *)(nullBufferBytes(driver, set->buffer) + set->offset);
        bound.counts[i] = size / sizeof(uint32_t);
    }
    return bound;
}

/* A mesh class and its streams, which the library stores one after the other from positions to weights. */
static const LayoutClass *checkClass(Bound *bound, uint32_t at) {
    const LayoutClass *vertices = (const LayoutClass *)wordsAt(bound, LAYOUT_SET_MESH, at, LAYOUT_CLASS_WORDS);
    if (vertices == NULL) {
        return NULL;
    }
    uint64_t count = vertices->vertexCount;
    uint64_t positions = 2 * count; /* the minimum: flat meshes */
    uint64_t streams = vertices->weights - (uint64_t)vertices->positions;
    (void)wordsAt(bound, LAYOUT_SET_MESH, vertices->order, vertices->order != 0 ? count : 0);
    (void)wordsAt(bound, LAYOUT_SET_MESH, vertices->positions, streams > positions ? streams : positions);
    return vertices;
}

/* The sum of an instance's morph weights. */
static float checkMorphs(Bound *bound, uint32_t at) {
    float sum = 0.0f;
    const LayoutMorphs *head = (const LayoutMorphs *)wordsAt(bound, LAYOUT_SET_TABLE, at, LAYOUT_MORPH_WEIGHT_WORDS);
    uint64_t count = head != NULL ? (uint64_t)head->before + head->after : 0;
    const uint32_t *weights =
        wordsAt(bound, LAYOUT_SET_TABLE, (uint64_t)at + LAYOUT_MORPH_WEIGHT_WORDS, count * LAYOUT_MORPH_WEIGHT_WORDS);
    for (uint64_t i = 0; !bound->failed && i < count; i++, weights += LAYOUT_MORPH_WEIGHT_WORDS) {
        const LayoutMorph *morph = (const LayoutMorph *)wordsAt(bound, LAYOUT_SET_MESH, weights[0], LAYOUT_MORPH_WORDS);
        (void)wordsAt(bound, LAYOUT_SET_MESH, morph != NULL ? morph->blocks : 0,
                      morph != NULL ? 2 * (uint64_t)morph->blockCount : 0);
        sum += floatOf(weights[1]);
    }
    return sum;
}

/* Moves the vertices of a solid mesh by the translation of the palette's first matrix and by `lift` along z. */
static void translate(Bound *bound, const LayoutClass *vertices, const LayoutInstance *instance, float lift) {
    const uint32_t *matrix = wordsAt(bound, LAYOUT_SET_PALETTE, UINT64_C(4) * instance->palette, 12);
    const uint32_t *positions =
        wordsAt(bound, LAYOUT_SET_MESH, vertices->positions, UINT64_C(3) * vertices->vertexCount);
    for (uint32_t i = 0; !bound->failed && i < vertices->vertexCount; i++) {
        uint32_t place =
            vertices->order != 0 ? bound->words[LAYOUT_SET_MESH][vertices->order + i] : vertices->firstOutput + i;
        uint32_t *target = wordsAt(bound, LAYOUT_SET_OUTPUT, instance->vertices + UINT64_C(3) * place, 3);
        for (uint32_t k = 0; target != NULL && k < 3; k++) {
            float moved = floatOf(positions[3 * i + k]) + floatOf(matrix[4 * k + 3]);
            moved += k == 2 ? lift : 0.0f;
            memcpy(&target[k], &moved, sizeof moved);
        }
    }
}

static void runInstance(Bound *bound, const LayoutClass *vertices, const LayoutInstance *instance) {
    bool bones = vertices->weights > vertices->joints;
    float lift = instance->morphs != 0 ? checkMorphs(bound, instance->morphs) : 0.0f;
    (void)wordsAt(bound, LAYOUT_SET_PALETTE, UINT64_C(4) * instance->palette, bones ? 4 : 0);
    (void)wordsAt(bound, LAYOUT_SET_OUTPUT, instance->vertices + UINT64_C(2) * vertices->firstOutput,
                  UINT64_C(2) * vertices->vertexCount);
    if (bound->driver->settings.translates) {
        translate(bound, vertices, instance, lift);
    }
}

static void runJob(Bound *bound, const LayoutJob *job) {
    const LayoutClass *vertices = checkClass(bound, job->vertexClass);
    if (!bound->failed && (job->instanceCount == 0 || vertices->vertexCount == 0)) {
        failDispatch(bound, "a job of no instances or no vertices");
    }
    const LayoutInstance *instances = (const LayoutInstance *)wordsAt(
        bound, LAYOUT_SET_TABLE, bound->push.instances + (uint64_t)LAYOUT_INSTANCE_WORDS * job->firstInstance,
        (uint64_t)LAYOUT_INSTANCE_WORDS * job->instanceCount);
    for (uint32_t i = 0; !bound->failed && i < job->instanceCount; i++) {
        runInstance(bound, vertices, &instances[i]);
    }
}

static void runDispatch(NullDriver *driver, const NullCommand *command) {
    static const char call[] = "running vkCmdDispatch";
    const NullDispatch *dispatch = &command->dispatch;
    uint32_t setCount = nullFind(driver, NULL_KIND_PIPELINE, dispatch->pipeline, call)->setCount;
    if (setCount == CROWD_SETS &&
        (dispatch->pushBytes == sizeof(LayoutCrowdPush) || dispatch->pushBytes == sizeof(LayoutCrowdPosePush))) {
        return; /* passes of crowds compute nothing here */
    }
    if (dispatch->indirect != 0) {
        VkDispatchIndirectCommand arguments;
        memcpy(&arguments, nullBufferBytes(driver, dispatch->indirect) + dispatch->argumentsAt, sizeof arguments);
        if (arguments.x == 0 || arguments.y == 0 || arguments.z == 0) {
            return;
        }
    }
    if (setCount != LAYOUT_SET_COUNT || dispatch->pushBytes != sizeof dispatch->push) {
        nullFault(driver, "%s: %u sets and %u bytes of push constants", call, setCount, dispatch->pushBytes);
        return;
    }
    Bound bound = bindSets(driver, dispatch);
    if (dispatch->indirect == 0 && dispatch->groups < bound.push.groupCount) {
        nullFault(driver, "%s: %" PRIu64 " groups of %u that have work", call, dispatch->groups, bound.push.groupCount);
    }
    const LayoutJob *jobs = (const LayoutJob *)wordsAt(&bound, LAYOUT_SET_TABLE, bound.push.jobs,
                                                       (uint64_t)LAYOUT_JOB_WORDS * bound.push.jobCount);
    for (uint32_t i = 0; !bound.failed && i < bound.push.jobCount; i++) {
        if (jobs[i].firstGroup >= bound.push.groupCount || (i > 0 && jobs[i].firstGroup <= jobs[i - 1].firstGroup)) {
            failDispatch(&bound, "a job whose groups are not in order");
        } else {
            runJob(&bound, &jobs[i]);
        }
    }
}

/* ---- Running the others ---- */

static void runCopy(NullDriver *driver, const NullCommand *command) {
    const VkBufferCopy *region = &command->copy.region;
    const unsigned char *source = nullBufferBytes(driver, command->copy.source);
    unsigned char *target = nullBufferBytes(driver, command->copy.target);
    memmove(target + region->dstOffset, source + region->srcOffset, region->size);
    driver->copies++;
}

static void runFill(NullDriver *driver, const NullCommand *command) {
    uint32_t *words = (uint32_t *)(void *)nullBufferBytes(driver, command->fill.target);
    const NullObject *buffer = nullFind(driver, NULL_KIND_BUFFER, command->fill.target, "running vkCmdFillBuffer");
    for (VkDeviceSize i = 0; i < buffer->buffer.size / sizeof *words; i++) {
        words[i] = command->fill.data;
    }
}

static void runQueries(NullDriver *driver, const NullCommand *command) {
    NullObject *pool = nullFind(driver, NULL_KIND_QUERY_POOL, command->queries.pool, checks[command->kind].running);
    NullQuery *queries = &pool->queryPool.queries[command->queries.first];
    for (uint32_t i = 0; i < command->queries.count; i++) {
        if (command->kind == NULL_COMMAND_RESET) {
            queries[i] = (NullQuery){.reset = true};
            continue;
        }
        if (!queries[i].reset) {
            nullFault(driver, "running vkCmdWriteTimestamp: query %u was not reset", command->queries.first);
        }
        queries[i] = (NullQuery){.available = true, .ticks = ++driver->ticks};
    }
}

static void runBarrier(NullDriver *driver, const NullCommand *command) {
    (void)driver;
    (void)command;
}

static void runCommand(NullDriver *driver, const NullCommand *command) {
    static void (*const run[])(NullDriver * driver, const NullCommand *command) = {
        [NULL_COMMAND_COPY] = runCopy,     [NULL_COMMAND_FILL] = runFill,         [NULL_COMMAND_DISPATCH] = runDispatch,
        [NULL_COMMAND_RESET] = runQueries, [NULL_COMMAND_TIMESTAMP] = runQueries, [NULL_COMMAND_BARRIER] = runBarrier,
    };
    if (checks[command->kind].check(driver, command, checks[command->kind].running)) {
        run[command->kind](driver, command);
    }
}

void nullDriverRun(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = lockCommands(commandBuffer);
    NullDriver *driver = commands->driver;
    for (uint32_t i = 0; i < commands->count; i++) {
        runCommand(driver, &commands->commands[i]);
    }
    if (commands->labels > 0) {
        nullFault(driver, "a command buffer ends with %u labels open", commands->labels);
    }
    nullFreeCommands(commands);
    nullUnlock(driver);
}
