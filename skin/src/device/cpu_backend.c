#include "cpu_backend.h"

#include <assert.h>

#include "commands.h"
#include "cpu_level.h"

static_assert(sizeof(CpuMorphWeight) == sizeof(LayoutMorphWeight), "weights are read as sknAddMorphs wrote them");

bool sknWantsCpu(const Gpu *gpu, const VkskinContextDef *def) {
    return def->backend == VKSKIN_BACKEND_CPU ||
           (def->backend == VKSKIN_BACKEND_AUTOMATIC && gpu->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU);
}

VkskinResult sknInitCpuBackend(const Gpu *gpu, const VkskinContextDef *def, CpuBackend *backend) {
    *backend = (CpuBackend){.run = def->cpu};
    backend->run.level = sknResolveCpuLevel(def->cpu.level);
    if (backend->run.level == VKSKIN_CPU_LEVEL_COUNT) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: cpu.level is %u, which this processor or this build does not have",
                         (unsigned)def->cpu.level);
    }
    backend->commands = sknHostAllocateArray(gpu->hostAllocator, def->maxInstances, sizeof *backend->commands);
    backend->jobs = sknHostAllocateArray(gpu->hostAllocator, def->maxInstances, sizeof *backend->jobs);
    backend->used = backend->commands != NULL && backend->jobs != NULL && sknInitLock(&backend->lock);
    if (!backend->used) {
        sknHostFree(gpu->hostAllocator, backend->commands);
        sknHostFree(gpu->hostAllocator, backend->jobs);
        *backend = (CpuBackend){0};
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u instances",
                         def->maxInstances);
    }
    return VKSKIN_SUCCESS;
}

void sknDestroyCpuBackend(const Gpu *gpu, CpuBackend *backend) {
    if (backend->used) {
        sknDestroyLock(&backend->lock);
        sknHostFree(gpu->hostAllocator, backend->commands);
        sknHostFree(gpu->hostAllocator, backend->jobs);
    }
    *backend = (CpuBackend){0};
}

static CpuCommand describeCommand(VkskinContext context, const Command *command) {
    const Mesh *mesh = sknMesh(context, command->key.mesh);
    const Page *page = &context->outputPages.pages[command->key.outputPage];
    unsigned char *positions = (unsigned char *)page->buffer.memory.mapped +
                               command->key.outputRegion * page->planeSize + 4 * (VkDeviceSize)command->target.vertices;
    const unsigned char *palettes = sknRingPage(&context->ring, command->key.palettePage)->host.memory.mapped;
    CpuCommand described = {
        .palette = palettes + 16 * (VkDeviceSize)command->target.palette,
        .pair = sknKernelVariant(command->key.kernel).pair,
        .positions = (float *)(void *)positions,
        .attributes = positions + sknAttributeOffset(mesh),
    };
    if (command->target.morphs != 0) {
        const uint32_t *words = (const uint32_t *)context->jobs.buffers[context->slot].memory.mapped;
        const LayoutMorphs *morphs = (const LayoutMorphs *)(const void *)(words + command->target.morphs);
        described.morphsBefore = morphs->before;
        described.morphsAfter = morphs->after;
        described.morphs = (const CpuMorphWeight *)(const void *)(morphs + 1);
    }
    return described;
}

/* With the context's lock: copies the data that the work reads. Returns the number of jobs. */
static uint32_t takeWork(VkskinContext context) {
    JobTable *table = &context->jobs;
    CpuBackend *backend = &context->cpu;
    sknCollectJobs(table);
    for (uint32_t i = 0; i < table->jobCount; i++) {
        const Job *job = &table->jobs[i];
        backend->jobs[i] = (CpuJob){
            .mesh = sknMesh(context, job->key.mesh)->cpu,
            .commands = backend->commands + job->first,
            .count = job->count,
        };
    }
    for (uint32_t i = 0; i < table->commandCount; i++) {
        const Command *command = &table->commands[i];
        context->outputPages.pages[command->key.outputPage].unflushed |= 1u << command->key.outputRegion;
        backend->commands[table->jobs[command->job].cursor++] = describeCommand(context, command);
    }
    return table->jobCount;
}

/* Flushes the written regions if the memory is not coherent. A region whose flush fails is flushed by the next call. */
static VkskinResult flushOutput(VkskinContext context) {
    VkskinResult result = VKSKIN_SUCCESS;
    PagePool *pool = &context->outputPages;
    for (uint32_t i = 0; result >= 0 && i < pool->pageCount; i++) {
        Page *page = &pool->pages[i];
        for (uint32_t region = 0; result >= 0 && page->unflushed != 0 && region < page->regions; region++) {
            if ((page->unflushed >> region & 1u) != 0) {
                result = sknFlushBuffer(&context->gpu, &page->buffer, region * page->planeSize, page->planeSize);
                page->unflushed &= ~((result >= 0 ? 1u : 0u) << region);
            }
        }
    }
    return result;
}

static VkskinResult beginWork(VkskinContext context, VkCommandBuffer commandBuffer, uint32_t *jobCount) {
    static const char call[] = "vkskinRecordSkinning";
    VkskinResult result = sknNeedFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = sknNeedOwnership(context, call);
    }
    if (result < 0) {
        return result;
    }
    *jobCount = takeWork(context);
    sknFinishCommands(context);
    context->cpu.working = true;
    return VKSKIN_SUCCESS;
}

/* Skins without the context's lock, so that other calls may add commands, create and destroy meanwhile. The next frame,
 * which frees destroyed objects, does not begin until the work is done. */
static VkskinResult doWork(VkskinContext context, VkCommandBuffer commandBuffer) {
    uint32_t jobCount = 0;
    sknLock(&context->lock);
    VkskinResult result = sknLeave(context, beginWork(context, commandBuffer, &jobCount));
    if (result < 0) {
        return result;
    }
    if (jobCount > 0) {
        sknSkinJobs(context->cpu.jobs, jobCount, &context->cpu.run);
    }
    sknLock(&context->lock);
    context->cpu.working = false;
    return sknLeave(context, flushOutput(context));
}

VkskinResult sknSkinOnCpu(VkskinContext context, VkCommandBuffer commandBuffer) {
    sknLock(&context->cpu.lock);
    VkskinResult result = doWork(context, commandBuffer);
    sknUnlock(&context->cpu.lock);
    return result;
}
