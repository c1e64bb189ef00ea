#include <string.h>

#include "crowd.h"

#define STORAGE VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
#define FILLED  (STORAGE | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

/* A buffer that the device alone uses, or on the CPU in host memory, and the set that binds all of it. */
static VkskinResult makeBuffer(VkskinContext context, Crowd *crowd, const char *name, uint64_t bytes,
                               VkBufferUsageFlags usage, uint64_t *total, Buffer *buffer, VkDescriptorSet *set) {
    Gpu *gpu = &context->gpu;
    const VkDeviceSize start = 0;
    *total += bytes;
    VkskinResult result = sknCreateBuffer(gpu, bytes, usage, VKSKIN_MEMORY_DEVICE, name, buffer);
    return result < 0 ? result : sknCreateBufferSets(gpu, &crowd->descriptors, buffer, &start, bytes, 1, set);
}

/* The same in memory that the host writes in each frame. */
static VkskinResult makeInputs(VkskinContext context, Crowd *crowd, uint64_t bytes) {
    VkskinResult result = VKSKIN_SUCCESS;
    const VkDeviceSize start = 0;
    for (uint32_t s = 0; result >= 0 && s < context->def.framesInFlight; s++) {
        CrowdInput *input = &crowd->inputs[s];
        crowd->memory.characters += bytes;
        result = sknCreateBuffer(&context->gpu, bytes, STORAGE, VKSKIN_MEMORY_DYNAMIC, "crowd changes", &input->buffer);
        if (result >= 0) {
            memset(input->buffer.memory.mapped, 0, sizeof(uint32_t[CROWD_INPUT_CHANGES]));
            result =
                sknCreateBufferSets(&context->gpu, &crowd->descriptors, &input->buffer, &start, bytes, 1, &input->set);
        }
    }
    return result;
}

static VkskinResult makeTables(VkskinContext context, Crowd *crowd) {
    const uint64_t bytes = (uint64_t)crowd->plan.tableWords * sizeof *crowd->plan.tables;
    VkskinResult result = makeBuffer(context, crowd, "crowd tables", bytes, FILLED, &crowd->memory.lists,
                                     &crowd->tables, &crowd->tableSet);
    if (result >= 0) {
        result = sknCreateBuffer(&context->gpu, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, VKSKIN_MEMORY_STAGING,
                                 "crowd staging", &crowd->staging);
    }
    if (result >= 0) {
        memcpy(crowd->staging.memory.mapped, crowd->plan.tables, (size_t)bytes);
        result = sknFlushBuffer(&context->gpu, &crowd->staging, 0, bytes);
    }
    return result;
}

/* ---- Pools ---- */

static VkskinResult viewTexels(Gpu *gpu, CrowdPoolMemory *pool, uint64_t paletteBytes) {
    const VkDeviceSize most = (VkDeviceSize)gpu->limits.maxTexelBufferElements * 16;
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = pool->palettes.handle,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .range = paletteBytes < most ? paletteBytes : most,
    };
    VkskinResult result = sknCheck(gpu, gpu->vk.vkCreateBufferView(gpu->device, &info, gpu->allocator, &pool->texels),
                                   "vkCreateBufferView");
    if (result < 0) {
        pool->texels = VK_NULL_HANDLE; /* a failed call may have written anything */
    }
    return result;
}

static VkskinResult makeDevicePool(VkskinContext context, Crowd *crowd, const CrowdPoolPlan *plan,
                                   CrowdPoolMemory *pool) {
    Gpu *gpu = &context->gpu;
    const uint64_t palettes = plan->paletteBytes + plan->scratchBytes;
    VkskinResult result =
        makeBuffer(context, crowd, "crowd palettes", palettes, STORAGE | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                   &crowd->memory.palettes, &pool->palettes, &pool->poseSet);
    if (result >= 0) {
        result = viewTexels(gpu, pool, plan->paletteBytes);
    }
    if (result >= 0) {
        result =
            sknCreatePaletteSet(gpu, &crowd->descriptors, &pool->palettes, palettes, pool->texels, &pool->paletteSet);
    }
    return result < 0
               ? result
               : makeBuffer(context, crowd, "crowd vertices", plan->outputBytes, STORAGE | context->def.outputUsage,
                            &crowd->memory.output, &pool->output, &pool->outputSet);
}

static VkskinResult makeHostPool(VkskinContext context, Crowd *crowd, const CrowdPoolPlan *plan,
                                 CrowdPoolMemory *pool) {
    const uint64_t palettes = plan->paletteBytes + plan->scratchBytes;
    crowd->memory.palettes += palettes;
    crowd->memory.output += plan->outputBytes;
    VkskinResult result = sknCreateHostBuffer(&context->gpu, palettes, "crowd palettes", &pool->palettes);
    return result < 0 ? result
                      : sknCreateBuffer(&context->gpu, plan->outputBytes, STORAGE | context->def.outputUsage,
                                        VKSKIN_MEMORY_DYNAMIC, "crowd vertices", &pool->output);
}

static VkskinResult makePools(VkskinContext context, Crowd *crowd) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t p = 0; result >= 0 && p < crowd->plan.poolCount; p++) {
        result = (sknOnCpu(context) ? makeHostPool : makeDevicePool)(context, crowd, &crowd->plan.pools[p],
                                                                     &crowd->pools[p]);
    }
    return result;
}

/* ---- Both backends ---- */

static uint64_t inputWords(const Crowd *crowd) {
    return CROWD_INPUT_CHANGES + (uint64_t)crowd->maxChanges * CROWD_CHANGE_WORDS;
}

static VkskinResult makeDeviceMemory(VkskinContext context, Crowd *crowd) {
    const uint64_t capacity = sknCrowdHead(crowd->plan.tables)->capacity;
    VkskinCrowdMemory *memory = &crowd->memory;
    VkskinResult result = makeTables(context, crowd);
    if (result >= 0) {
        result = makeBuffer(context, crowd, "crowd states", capacity * sizeof(LayoutCrowdState), FILLED,
                            &memory->characters, &crowd->states, &crowd->stateSet);
    }
    if (result >= 0) {
        result = makeBuffer(context, crowd, "crowd records", capacity * sizeof(LayoutCrowdCold), FILLED,
                            &memory->characters, &crowd->colds, &crowd->coldSet);
    }
    if (result >= 0) {
        result = makeBuffer(context, crowd, "crowd counters", crowd->plan.workWords * 4, FILLED, &memory->lists,
                            &crowd->work, &crowd->workSet);
    }
    if (result >= 0) {
        result =
            makeBuffer(context, crowd, "crowd lists", crowd->plan.frameWords * 4,
                       FILLED | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, &memory->lists, &crowd->frame, &crowd->frameSet);
    }
    return result < 0 ? result : makeInputs(context, crowd, inputWords(crowd) * 4);
}

static VkskinResult makeHostMemory(VkskinContext context, Crowd *crowd) {
    Gpu *gpu = &context->gpu;
    const LayoutCrowdHead *head = sknCrowdHead(crowd->plan.tables);
    CrowdCpu *cpu = &crowd->cpu;
    uint32_t commands = 0;
    uint32_t jobs = 0;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const uint32_t parts = crowd->models[crowd->plan.pools[p].model].partCount;
        commands += crowd->plan.pools[p].slots * parts;
        jobs += parts;
    }
    Arena *arena = &crowd->arena;
    cpu->work = sknArenaArray(arena, (size_t)crowd->plan.workWords, sizeof *cpu->work);
    cpu->frames[0] = sknArenaArray(arena, (size_t)crowd->plan.frameWords, sizeof *cpu->frames[0]);
    cpu->frames[1] = sknArenaArray(arena, (size_t)crowd->plan.frameWords, sizeof *cpu->frames[1]);
    cpu->input = sknArenaArray(arena, (size_t)inputWords(crowd), sizeof *cpu->input);
    cpu->undo.states = sknArenaArray(arena, crowd->maxChanges, sizeof *cpu->undo.states);
    cpu->undo.colds = sknArenaArray(arena, crowd->maxChanges, sizeof *cpu->undo.colds);
    cpu->undo.rings = sknArenaArray(arena, 2 * (size_t)head->modelCount, sizeof *cpu->undo.rings);
    cpu->commands = sknArenaArray(arena, commands, sizeof *cpu->commands);
    cpu->jobs = sknArenaArray(arena, jobs, sizeof *cpu->jobs);
    cpu->poses = sknArenaArray(arena, crowd->plan.poolCount, sizeof *cpu->poses);
    cpu->states = sknArenaLines(arena, head->capacity, sizeof *cpu->states);
    cpu->colds = sknArenaArray(arena, head->capacity, sizeof *cpu->colds);
    if (arena->failed) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "crowd %s: no memory for %u characters",
                         crowd->name, head->capacity);
    }
    memset(cpu->states, 0, head->capacity * sizeof *cpu->states);
    crowd->memory.characters =
        head->capacity * (uint64_t)(sizeof *cpu->states + sizeof *cpu->colds) + inputWords(crowd) * 4;
    crowd->frameStride = sknAlignUp(crowd->plan.frameWords * 4, gpu->limits.minStorageBufferOffsetAlignment);
    crowd->memory.lists =
        (crowd->plan.workWords + 2 * crowd->plan.frameWords) * 4 + crowd->frameStride * context->def.framesInFlight;
    return sknCreateBuffer(gpu, crowd->frameStride * context->def.framesInFlight,
                           STORAGE | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, VKSKIN_MEMORY_DYNAMIC, "crowd lists",
                           &crowd->frame);
}

VkskinResult sknMakeCrowdMemory(VkskinContext context, Crowd *crowd) {
    crowd->memory.morphs = crowd->plan.morphBytes;
    VkskinResult result = (sknOnCpu(context) ? makeHostMemory : makeDeviceMemory)(context, crowd);
    return result < 0 ? result : makePools(context, crowd);
}

void sknFreeCrowd(VkskinContext context, Crowd *crowd) {
    Gpu *gpu = &context->gpu;
    if (crowd == NULL) {
        return;
    }
    sknDestroySets(gpu, &crowd->descriptors);
    for (uint32_t p = 0; crowd->pools != NULL && p < crowd->plan.poolCount; p++) {
        CrowdPoolMemory *pool = &crowd->pools[p];
        if (pool->texels != VK_NULL_HANDLE) {
            gpu->vk.vkDestroyBufferView(gpu->device, pool->texels, gpu->allocator);
        }
        sknDestroyBuffer(gpu, &pool->palettes);
        sknDestroyBuffer(gpu, &pool->output);
    }
    Buffer *const buffers[] = {&crowd->tables, &crowd->staging, &crowd->states,
                               &crowd->colds,  &crowd->work,    &crowd->frame};
    for (size_t i = 0; i < SKN_COUNT(buffers); i++) {
        sknDestroyBuffer(gpu, buffers[i]);
    }
    for (uint32_t s = 0; s < VKSKIN_MAX_FRAMES_IN_FLIGHT; s++) {
        sknDestroyBuffer(gpu, &crowd->inputs[s].buffer);
    }
    for (uint32_t m = 0; crowd->skins != NULL && m < crowd->modelCount; m++) {
        vkskinDestroyPoseBatch(crowd->skins[m].batch);
    }
    sknDestroyChanges(&crowd->changes);
    sknFreeCrowdPlan(&crowd->plan);
    Arena arena = crowd->arena; /* the crowd is in it */
    sknFreeArena(&arena);
}
