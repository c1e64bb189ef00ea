#include <stdio.h>

#include "case_kinds.h"
#include "gpu_program.h"

/* Far above the caches. lavapipe binds at most 128 MiB. */
#define CPU_BYTES   ((VkDeviceSize)64 << 20)
#define GPU_BYTES   ((VkDeviceSize)1 << 30)
#define GROUP_BYTES 4096  /* per workgroup */
#define ROW         32768 /* workgroups in x: every device allows 65,535 */
#define PATTERN     0x5a17b0deu
#define POISON      0xffc0deadu
#define CHECKED     ((VkDeviceSize)4096) /* bytes checked at the start and at the end */

typedef struct Push {
    uint32_t value, groupsAcross;
} Push;

typedef struct DeviceLimit {
    const DeviceLimitDef *def;
    Device *device;
    DeviceClock *clock;
    VkDeviceSize size;
    Buffer source, target, readback;
    ComputeProgram program;
    VkDescriptorSet set;
} DeviceLimit;

static VkDeviceSize sizeFor(const Device *device) {
    VkDeviceSize wanted = device->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU ? CPU_BYTES : GPU_BYTES;
    while (wanted > device->limits.maxStorageBufferRange) {
        wanted /= 2;
    }
    return wanted;
}

static bool createBuffers(DeviceLimit *limit, EngineError *error) {
    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return (!limit->def->copies ||
            bufferCreate(limit->device, limit->size, usage, BUFFER_DEVICE, "source", &limit->source, error)) &&
           bufferCreate(limit->device, limit->size, usage, BUFFER_DEVICE, "target", &limit->target, error) &&
           bufferCreateReadback(limit->device, 2 * CHECKED, "readback", &limit->readback, error);
}

static bool createProgram(DeviceLimit *limit, EngineError *error) {
    ComputeProgramDef def = {.shader = limit->def->copies ? "copy.comp" : "fill.comp",
                             .bufferCount = limit->def->copies ? 2 : 1,
                             .pushSize = sizeof(Push),
                             .sets = 1};
    BufferRange ranges[2] = {{limit->def->copies ? limit->source.handle : limit->target.handle, VK_WHOLE_SIZE},
                             {limit->target.handle, VK_WHOLE_SIZE}};
    return computeProgramCreate(limit->device, &def, &limit->program, error) &&
           programBind(limit->device, &limit->program.layout, ranges, &limit->set, error);
}

static void destroy(void *state) {
    DeviceLimit *limit = state;
    computeProgramDestroy(&limit->program);
    bufferDestroy(limit->device, &limit->readback);
    bufferDestroy(limit->device, &limit->target);
    bufferDestroy(limit->device, &limit->source);
}

static bool prepare(void *state, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    DeviceLimit *limit = state;
    limit->def = benchCase->parameters;
    limit->device = environment->device;
    limit->clock = environment->clock;
    limit->size = sizeFor(limit->device);
    return createBuffers(limit, error) && (limit->def->transfers || createProgram(limit, error)) &&
           (!limit->def->copies || deviceClockFill(limit->clock, limit->source.handle, PATTERN, error));
}

static bool poison(void *state, EngineError *error) {
    DeviceLimit *limit = state;
    return deviceClockFill(limit->clock, limit->target.handle, POISON, error);
}

static void recordKernel(const DeviceLimit *limit, VkCommandBuffer commandBuffer) {
    uint32_t groups = (uint32_t)(limit->size / GROUP_BYTES);
    Push push = {PATTERN, groups < ROW ? groups : ROW};
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, limit->program.pipeline);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, limit->program.layout.handle, 0, 1,
                            &limit->set, limit->program.layout.bufferCount, (const uint32_t[2]){0, 0});
    vkCmdPushConstants(commandBuffer, limit->program.layout.handle, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(commandBuffer, push.groupsAcross, groups / push.groupsAcross, 1);
}

static void recordTransfer(const DeviceLimit *limit, VkCommandBuffer commandBuffer) {
    VkBufferCopy region = {.size = limit->size};
    if (limit->def->copies) {
        vkCmdCopyBuffer(commandBuffer, limit->source.handle, limit->target.handle, 1, &region);
    } else {
        vkCmdFillBuffer(commandBuffer, limit->target.handle, 0, VK_WHOLE_SIZE, PATTERN);
    }
}

static bool run(void *state, RunTime *time, EngineError *error) {
    DeviceLimit *limit = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(limit->clock, error);
    if (!commandBuffer) {
        return false;
    }
    if (limit->def->transfers) {
        recordTransfer(limit, commandBuffer);
    } else {
        recordKernel(limit, commandBuffer);
    }
    return deviceClockEnd(limit->clock, time, error);
}

/* The fill kernel writes a counter into every other word: see fill.comp. */
static uint32_t expectedWord(const DeviceLimit *limit, VkDeviceSize word) {
    bool counts = !limit->def->copies && !limit->def->transfers && word % 2 == 1;
    return counts ? (uint32_t)(word / 4) : PATTERN;
}

static bool check(void *state, EngineError *error) {
    DeviceLimit *limit = state;
    VkBufferCopy regions[2] = {{0, 0, CHECKED}, {limit->size - CHECKED, CHECKED, CHECKED}};
    if (!deviceClockRead(limit->clock, limit->target.handle, regions, 2, limit->readback.handle, error)) {
        return false;
    }
    const uint32_t *words = limit->readback.mapped;
    for (VkDeviceSize i = 0; i < 2 * CHECKED / 4; i++) {
        VkDeviceSize word = i < CHECKED / 4 ? i : i + (limit->size - 2 * CHECKED) / 4;
        if (words[i] != expectedWord(limit, word)) {
            return engineFail(error, "word %llu is %08x, not %08x", (unsigned long long)word, words[i],
                              expectedWord(limit, word));
        }
    }
    return true;
}

static CaseTraffic traffic(const void *state) {
    const DeviceLimit *limit = state;
    double size = (double)limit->size;
    return (CaseTraffic){.bytesRead = limit->def->copies ? size : 0.0, .bytesWritten = size};
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const DeviceLimit *limit = state;
    snprintf(settings, CASE_SETTINGS_SIZE, "%llu MiB", (unsigned long long)(limit->size >> 20));
}

const CaseFunctions DEVICE_LIMIT = {sizeof(DeviceLimit), prepare, poison, run, check, traffic, describe, destroy};
