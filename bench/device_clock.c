#include "device_clock.h"

#include <time.h>

#include <string.h>

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
    VkResult result = VK_SUCCESS;
    if (clock->timestamps) {
        result = vkCreateQueryPool(clock->device->handle, &times, NULL, &clock->queries);
    }
    if (result == VK_SUCCESS && clock->device->pipelineStatistics) {
        result = vkCreateQueryPool(clock->device->handle, &statistics, NULL, &clock->statistics);
    }
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateQueryPool", result);
}

static bool createCommands(DeviceClock *clock, EngineError *error) {
    VkDevice device = clock->device->handle;
    VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = clock->device->family};
    VkResult result = vkCreateCommandPool(device, &poolInfo, NULL, &clock->pool);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkCreateCommandPool", result);
    }
    VkCommandBufferAllocateInfo bufferInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = clock->pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    result = vkAllocateCommandBuffers(device, &bufferInfo, &clock->commandBuffer);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkAllocateCommandBuffers", result);
    }
    VkFenceCreateInfo fenceInfo = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result = vkCreateFence(device, &fenceInfo, NULL, &clock->fence);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateFence", result);
}

bool deviceClockCreate(Device *device, DeviceClock *clock, EngineError *error) {
    *clock = (DeviceClock){.device = device};
    clock->timestamps = device->info.timestampsTrusted && device->info.type != VK_PHYSICAL_DEVICE_TYPE_CPU;
    bool made = createCommands(clock, error) && createQueries(clock, error);
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

/* Makes all earlier writes of host and device visible to the commands that follow. */
static void waitForAll(VkCommandBuffer commandBuffer) {
    VkMemoryBarrier2 all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                            .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                            .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                            .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                            .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &all};
    vkCmdPipelineBarrier2(commandBuffer, &dependency);
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
    VkResult result = vkResetCommandPool(clock->device->handle, clock->pool, 0);
    if (result != VK_SUCCESS) {
        engineFailVulkan(error, "vkResetCommandPool", result);
        return VK_NULL_HANDLE;
    }
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    result = vkBeginCommandBuffer(clock->commandBuffer, &info);
    if (result != VK_SUCCESS) {
        engineFailVulkan(error, "vkBeginCommandBuffer", result);
        return VK_NULL_HANDLE;
    }
    waitForAll(clock->commandBuffer);
    beginQueries(clock);
    return clock->commandBuffer;
}

static bool submitAndWait(DeviceClock *clock, RunTime *time, EngineError *error) {
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = clock->commandBuffer};
    VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &commands};
    VkResult result = vkResetFences(clock->device->handle, 1, &clock->fence);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkResetFences", result);
    }
    double start = measureNow(), startCpu = processNow();
    result = vkQueueSubmit2(clock->device->queue, 1, &submit, clock->fence);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkQueueSubmit2", result);
    }
    result = vkWaitForFences(clock->device->handle, 1, &clock->fence, VK_TRUE, UINT64_MAX);
    time->work = measureNow() - start;
    time->cpu = processNow() - startCpu;
    return result == VK_SUCCESS || engineFailVulkan(error, "vkWaitForFences", result);
}

static bool readTimestamps(const DeviceClock *clock, double *milliseconds, EngineError *error) {
    uint64_t ticks[2];
    VkResult result = vkGetQueryPoolResults(clock->device->handle, clock->queries, 0, 2, sizeof ticks, ticks,
                                            sizeof ticks[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkGetQueryPoolResults", result);
    }
    *milliseconds = (double)(ticks[1] - ticks[0]) * (double)clock->device->limits.timestampPeriod * 1e-6;
    return true;
}

static bool readStatistics(DeviceClock *clock, EngineError *error) {
    uint64_t counts[2];
    VkResult result = vkGetQueryPoolResults(clock->device->handle, clock->statistics, 0, 1, sizeof counts, counts,
                                            sizeof counts, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    clock->invocations = (Invocations){counts[0], counts[1]};
    return result == VK_SUCCESS || engineFailVulkan(error, "vkGetQueryPoolResults", result);
}

bool deviceClockEnd(DeviceClock *clock, RunTime *time, EngineError *error) {
    RunTime unwanted;
    time = time ? time : &unwanted;
    endQueries(clock);
    VkResult result = vkEndCommandBuffer(clock->commandBuffer);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkEndCommandBuffer", result);
    }
    return submitAndWait(clock, time, error) && (!clock->timestamps || readTimestamps(clock, &time->work, error)) &&
           (!isCounted(clock) || readStatistics(clock, error));
}

const char *deviceClockName(const DeviceClock *clock) {
    return clock->timestamps ? "timestamps" : "wall";
}
