/* Running what was recorded. */
#include "null_kernel.h"

#include <string.h>

static void runCopy(NullDriver *driver, const NullCommand *command) {
    if (!nullCheckCopy(driver, command, "running vkCmdCopyBuffer")) {
        return;
    }
    const VkBufferCopy *region = &command->copy.region;
    const unsigned char *source = nullBufferBytes(driver, command->copy.source);
    unsigned char *target = nullBufferBytes(driver, command->copy.target);
    memmove(target + region->dstOffset, source + region->srcOffset, region->size);
    driver->copies++;
}

static void runDispatch(NullDriver *driver, const NullDispatch *dispatch) {
    if (nullCheckDispatch(driver, dispatch, "running vkCmdDispatch")) {
        nullRunKernel(driver, dispatch);
        driver->dispatches++;
    }
}

static void runQueries(NullDriver *driver, const NullCommand *command, const char *call) {
    if (!nullCheckQueries(driver, command, call)) {
        return;
    }
    NullQueryPool *pool = &nullFind(driver, NULL_KIND_QUERY_POOL, command->queries.pool, call)->queryPool;
    NullQuery *queries = &pool->queries[command->queries.first];
    if (command->kind == NULL_COMMAND_RESET) {
        for (uint32_t i = 0; i < command->queries.count; i++) {
            queries[i] = (NullQuery){.reset = true};
        }
        return;
    }
    if (!queries->reset) {
        nullFault(driver, "%s: query %u was not reset", call, command->queries.first);
    }
    *queries = (NullQuery){.available = true, .ticks = ++driver->ticks};
}

static void runCommand(NullDriver *driver, const NullCommand *command) {
    switch (command->kind) {
    case NULL_COMMAND_COPY:
        runCopy(driver, command);
        break;
    case NULL_COMMAND_DISPATCH:
        runDispatch(driver, &command->dispatch);
        break;
    case NULL_COMMAND_RESET:
        runQueries(driver, command, "running vkCmdResetQueryPool");
        break;
    case NULL_COMMAND_TIMESTAMP:
        runQueries(driver, command, "running vkCmdWriteTimestamp");
        break;
    case NULL_COMMAND_BARRIER:
        (void)nullFindUsed(driver, NULL_KIND_BUFFER, command->barrierBuffer, "running vkCmdPipelineBarrier");
        break;
    }
}

void nullDriverRun(VkCommandBuffer commandBuffer) {
    NullCommandBuffer *commands = nullLockCommands(commandBuffer);
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

uint64_t nullDriverDispatches(NullDriver *driver) {
    nullLock(driver);
    uint64_t dispatches = driver->dispatches;
    nullUnlock(driver);
    return dispatches;
}

uint64_t nullDriverCopies(NullDriver *driver) {
    nullLock(driver);
    uint64_t copies = driver->copies;
    nullUnlock(driver);
    return copies;
}
