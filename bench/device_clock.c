#include "device_clock.h"

#include <time.h>

#include "commands.h"
#include "measure.h"

double processNow(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static bool createQueries(DeviceClock *clock, EngineError *error) {
    VkQueryPoolCreateInfo times = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
    VkQueryPoolCreateInfo statistics = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                        .queryCount = 1,
                                        .pipelineStatistics =
                                            VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                                            VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT};
    VkDevice device = clock->device->handle;
    return (!clock->timestamps ||
            engineVulkan(error, "vkCreateQueryPool", vkCreateQueryPool(device, &times, NULL, &clock->queries))) &&
           (!clock->device->pipelineStatistics ||
            engineVulkan(error, "vkCreateQueryPool", vkCreateQueryPool(device, &statistics, NULL, &clock->statistics)));
}

bool deviceClockCreate(Device *device, DeviceClock *clock, EngineError *error) {
    *clock = (DeviceClock){.device = device};
    clock->timestamps = device->info.timestampsTrusted && device->info.type != VK_PHYSICAL_DEVICE_TYPE_CPU;
    bool made = commandsCreate(device, 1, &clock->pool, &clock->commandBuffer, error) &&
                fenceCreate(device, false, &clock->fence, error) && createQueries(clock, error);
    if (!made) {
        deviceClockDestroy(clock);
    }
    return made;
}

void deviceClockDestroy(DeviceClock *clock) {
    if (clock->device) {
        vkDestroyQueryPool(clock->device->handle, clock->statistics, NULL);
        vkDestroyQueryPool(clock->device->handle, clock->queries, NULL);
        vkDestroyFence(clock->device->handle, clock->fence, NULL);
        vkDestroyCommandPool(clock->device->handle, clock->pool, NULL);
    }
    *clock = (DeviceClock){0};
}

static bool isCounted(const DeviceClock *clock) {
    return clock->counts && clock->statistics;
}

static void beginQueries(const DeviceClock *clock) {
    if (isCounted(clock)) {
        vkCmdResetQueryPool(clock->commandBuffer, clock->statistics, 0, 1);
        vkCmdBeginQuery(clock->commandBuffer, clock->statistics, 0, 0);
    }
    if (clock->timestamps) {
        vkCmdResetQueryPool(clock->commandBuffer, clock->queries, 0, 2);
        vkCmdWriteTimestamp2(clock->commandBuffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, clock->queries, 0);
    }
}

static void endQueries(const DeviceClock *clock) {
    if (clock->timestamps) {
        vkCmdWriteTimestamp2(clock->commandBuffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, clock->queries, 1);
    }
    if (isCounted(clock)) {
        vkCmdEndQuery(clock->commandBuffer, clock->statistics, 0);
    }
}

VkCommandBuffer deviceClockBegin(DeviceClock *clock, EngineError *error) {
    if (!engineVulkan(error, "vkResetCommandPool", vkResetCommandPool(clock->device->handle, clock->pool, 0)) ||
        !commandsBegin(clock->commandBuffer, error)) {
        return VK_NULL_HANDLE;
    }
    /* All earlier writes of host and device are visible to the commands that follow. */
    memoryBarrier(clock->commandBuffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                  VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
    beginQueries(clock);
    return clock->commandBuffer;
}

static bool submitAndWait(DeviceClock *clock, RunTime *time, EngineError *error) {
    double start = measureNow(), startCpu = processNow();
    bool done = commandsSubmit(clock->device, clock->commandBuffer, NULL, clock->fence, error) &&
                fenceWait(clock->device, clock->fence, error);
    time->work = measureNow() - start;
    time->cpu = processNow() - startCpu;
    return done;
}

/* results: [2]: both timestamps, or both counts of statistics. */
static bool readQueries(const DeviceClock *clock, VkQueryPool pool, uint32_t count, uint64_t results[2],
                        EngineError *error) {
    const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
    return engineVulkan(error, "vkGetQueryPoolResults",
                        vkGetQueryPoolResults(clock->device->handle, pool, 0, count, 2 * sizeof *results, results,
                                              2 / count * sizeof *results, flags));
}

bool deviceClockEnd(DeviceClock *clock, RunTime *time, EngineError *error) {
    RunTime unwanted;
    uint64_t ticks[2] = {0}, counts[2] = {0};
    time = time ? time : &unwanted;
    endQueries(clock);
    if (!commandsEnd(clock->commandBuffer, error) || !submitAndWait(clock, time, error) ||
        (clock->timestamps && !readQueries(clock, clock->queries, 2, ticks, error)) ||
        (isCounted(clock) && !readQueries(clock, clock->statistics, 1, counts, error))) {
        return false;
    }
    if (clock->timestamps) {
        time->work = (double)(ticks[1] - ticks[0]) * (double)clock->device->limits.timestampPeriod * 1e-6;
    }
    if (isCounted(clock)) {
        clock->invocations = (Invocations){counts[0], counts[1]};
    }
    return true;
}

bool deviceClockFill(DeviceClock *clock, VkBuffer buffer, uint32_t word, EngineError *error) {
    VkCommandBuffer commandBuffer = deviceClockBegin(clock, error);
    if (!commandBuffer) {
        return false;
    }
    vkCmdFillBuffer(commandBuffer, buffer, 0, VK_WHOLE_SIZE, word);
    return deviceClockEnd(clock, NULL, error);
}

bool deviceClockRead(DeviceClock *clock, VkBuffer source, const VkBufferCopy *regions, uint32_t count, VkBuffer target,
                     EngineError *error) {
    VkCommandBuffer commandBuffer = deviceClockBegin(clock, error);
    if (!commandBuffer) {
        return false;
    }
    vkCmdCopyBuffer(commandBuffer, source, target, count, regions);
    copyToHostBarrier(commandBuffer);
    return deviceClockEnd(clock, NULL, error);
}

const char *deviceClockName(const DeviceClock *clock) {
    return clock->timestamps ? "timestamps" : "wall";
}
