#include "cpu_backend.h"

#include <assert.h>
#include <string.h>

#include "cpu_level.h"

static_assert(sizeof(CpuMorphWeight) == sizeof(LayoutMorphWeight), "weights are read as sknPutMorphs wrote them");

bool sknWantsCpu(const Gpu *gpu, const VkskinContextDef *def) {
    return def->backend == VKSKIN_BACKEND_CPU ||
           (def->backend == VKSKIN_BACKEND_AUTOMATIC && gpu->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
            def->paletteStages == 0);
}

static uint32_t growTo(uint32_t capacity, uint32_t needed) {
    return needed > 2 * capacity ? needed : 2 * capacity;
}

static bool isBusy(const CpuBackend *backend, const CpuWork *work) {
    return backend->working && backend->busy.commands == work->commands;
}

VkskinResult sknInitCpuBackend(const Gpu *gpu, const VkskinContextDef *def, CpuBackend *backend) {
    *backend = (CpuBackend){.run = def->cpu};
    backend->run.level = sknResolveCpuLevel(def->cpu.level);
    if (backend->run.level == VKSKIN_CPU_LEVEL_COUNT) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: cpu.level is %u, which this processor or this build does not have",
                         (unsigned)def->cpu.level);
    }
    VkskinResult result =
        sknReserveCpuWork(gpu, backend, def->memory.initialInstances, def->memory.initialMorphWeights);
    if (result >= 0 && !sknInitLock(&backend->lock)) {
        sknFreeArena(&backend->next.arena);
        result = sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a lock");
    }
    backend->used = result >= 0;
    return result;
}

void sknDestroyCpuBackend(CpuBackend *backend) {
    if (backend->used) {
        sknDestroyLock(&backend->lock);
        sknFreeArena(&backend->next.arena);
    }
    *backend = (CpuBackend){0};
}

/* Work in progress keeps its arrays: doWork frees them. */
VkskinResult sknReserveCpuWork(const Gpu *gpu, CpuBackend *backend, uint32_t commands, uint32_t morphs) {
    CpuWork *old = &backend->next;
    if (commands <= old->capacity && morphs <= old->morphCapacity) {
        return VKSKIN_SUCCESS;
    }
    CpuWork grown = {
        .arena = sknMakeArena(gpu->hostAllocator),
        .capacity = commands > old->capacity ? growTo(old->capacity, commands) : old->capacity,
        .morphCapacity = morphs > old->morphCapacity ? growTo(old->morphCapacity, morphs) : old->morphCapacity,
    };
    grown.commands = sknArenaArray(&grown.arena, grown.capacity, sizeof *grown.commands);
    grown.jobs = sknArenaArray(&grown.arena, grown.capacity, sizeof *grown.jobs);
    grown.morphs = sknArenaArray(&grown.arena, grown.morphCapacity, sizeof *grown.morphs);
    if (grown.arena.failed) {
        sknFreeArena(&grown.arena);
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u commands", commands);
    }
    if (!isBusy(backend, old)) {
        sknFreeArena(&old->arena);
    }
    *old = grown;
    return VKSKIN_SUCCESS;
}

static CpuCommand describeCommand(VkskinContext context, const CpuWork *work, const Commands *commands,
                                  const Command *command) {
    const Mesh *mesh = sknMesh(context, command->key.mesh);
    const Page *page = &context->outputPages.pages[command->key.outputPage];
    unsigned char *output = (unsigned char *)page->buffer.memory.mapped + page->planes[command->key.outputRegion] +
                            4 * (VkDeviceSize)command->target.vertices;
    const unsigned char *palettes = sknRecordedPage(context, command->key.palettePage)->host.memory.mapped;
    CpuCommand described = {
        .palette = palettes + 16 * (VkDeviceSize)command->target.palette,
        .pair = sknKernelVariant(command->key.kernel).pair,
    };
    for (uint32_t s = 0; s < mesh->info.layout.streamCount; s++) {
        described.streams[s] = output + mesh->info.streamOffsets[s];
    }
    if (command->target.morphs != 0) {
        const CpuMorphWeight *head = work->morphs + (sknMorphsOf(commands, command) - commands->morphs);
        LayoutMorphs counts;
        memcpy(&counts, head, sizeof counts);
        described.morphsBefore = counts.before;
        described.morphsAfter = counts.after;
        described.morphs = head + 1;
    }
    return described;
}

/* With the context's lock: copies the data that the work reads. Returns the number of jobs. */
static uint32_t takeWork(VkskinContext context) {
    JobTable *table = &context->jobs;
    const CpuWork *work = &context->cpu.next;
    const Commands commands = sknUnrecorded(&context->recording->commands);
    sknCollectJobs(table, &commands);
    if (commands.morphCount > 0) {
        memcpy(work->morphs, commands.morphs, commands.morphCount * sizeof *work->morphs);
    }
    for (uint32_t i = 0; i < table->jobCount; i++) {
        const Job *job = &table->jobs[i];
        work->jobs[i] = (CpuJob){
            .mesh = sknMesh(context, job->key.mesh)->cpu,
            .commands = work->commands + job->first,
            .count = job->count,
        };
    }
    Job *job = NULL;
    for (uint32_t i = 0; i < commands.count; i++) {
        const Command *command = &commands.commands[i];
        job = sknJobOf(table, &commands, i, job);
        context->outputPages.pages[command->key.outputPage].unflushed |= 1u << command->key.outputRegion;
        work->commands[job->cursor++] = describeCommand(context, work, &commands, command);
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
                result = sknFlushBuffer(&context->gpu, &page->buffer, page->planes[region], page->planeSize);
                page->unflushed &= ~((result >= 0 ? 1u : 0u) << region);
            }
        }
    }
    return result;
}

uint32_t sknBeginCpuWork(VkskinContext context) {
    const uint32_t jobCount = takeWork(context);
    context->cpu.busy = context->cpu.next;
    context->cpu.working = true;
    return jobCount;
}

/* Frees the arrays if others have taken their place. */
VkskinResult sknEndCpuWork(VkskinContext context) {
    CpuBackend *backend = &context->cpu;
    if (!isBusy(backend, &backend->next)) {
        sknFreeArena(&backend->busy.arena);
    }
    backend->working = false;
    return flushOutput(context);
}
