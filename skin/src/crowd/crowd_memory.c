#include <string.h>

#include "crowd.h"

#define STORAGE VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
#define FILLED  (STORAGE | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

/*
 * Makes the memory of a crowd, or only counts it. After a failure the functions below still count, but make nothing more:
 * so the caller learns what the whole crowd needs.
 */
typedef struct Maker {
    VkskinContext context;
    Crowd *crowd;
    VkDeviceSize device; /* bytes of device memory so far, staging included */
    VkskinResult result; /* below 0: only count */
} Maker;

/* A buffer of device memory. total: of VkskinCrowdMemory. */
static void makeBuffer(Maker *maker, const char *name, uint64_t bytes, VkBufferUsageFlags usage, VkskinMemoryUse use,
                       uint64_t *total, Buffer *buffer) {
    *total += bytes;
    maker->device += bytes;
    if (maker->result >= 0) {
        maker->result = sknCreateBuffer(&maker->context->gpu, bytes, usage, use, name, buffer);
    }
}

/* A set that binds all of a buffer. */
static void makeSet(Maker *maker, const Buffer *buffer, uint64_t bytes, VkDescriptorSet *set) {
    const VkDeviceSize start = 0;
    if (maker->result >= 0) {
        maker->result =
            sknCreateBufferSets(&maker->context->gpu, &maker->crowd->descriptors, buffer, &start, bytes, 1, set);
    }
}

/* A buffer that the device alone uses, and its set. */
static void makeBound(Maker *maker, const char *name, uint64_t bytes, VkBufferUsageFlags usage, uint64_t *total,
                      Buffer *buffer, VkDescriptorSet *set) {
    makeBuffer(maker, name, bytes, usage, VKSKIN_MEMORY_DEVICE, total, buffer);
    makeSet(maker, buffer, bytes, set);
}

/* The same in memory that the host writes in each frame. */
static void makeInputs(Maker *maker, uint64_t bytes) {
    for (uint32_t s = 0; s < maker->context->def.framesInFlight; s++) {
        CrowdInput *input = &maker->crowd->inputs[s];
        makeBuffer(maker, "crowd changes", bytes, STORAGE, VKSKIN_MEMORY_DYNAMIC, &maker->crowd->memory.characters,
                   &input->buffer);
        if (maker->result >= 0) {
            memset(input->buffer.memory.mapped, 0, sizeof(uint32_t[CROWD_INPUT_CHANGES]));
        }
        makeSet(maker, &input->buffer, bytes, &input->set);
    }
}

static void makeTables(Maker *maker) {
    Crowd *crowd = maker->crowd;
    const uint64_t bytes = (uint64_t)crowd->plan.tableWords * sizeof *crowd->plan.tables;
    makeBound(maker, "crowd tables", bytes, FILLED, &crowd->memory.lists, &crowd->tables, &crowd->tableSet);
    makeBuffer(maker, "crowd staging", bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, VKSKIN_MEMORY_STAGING,
               &crowd->memory.lists, &crowd->staging);
    if (maker->result >= 0) {
        memcpy(crowd->staging.memory.mapped, crowd->plan.tables, (size_t)bytes);
        maker->result = sknFlushBuffer(&maker->context->gpu, &crowd->staging, 0, bytes);
    }
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

static void makeDevicePool(Maker *maker, const CrowdPoolPlan *plan, CrowdPoolMemory *pool) {
    Gpu *gpu = &maker->context->gpu;
    Crowd *crowd = maker->crowd;
    const uint64_t palettes = plan->paletteBytes + plan->scratchBytes;
    makeBound(maker, "crowd palettes", palettes, STORAGE | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
              &crowd->memory.palettes, &pool->palettes, &pool->poseSet);
    if (maker->result >= 0) {
        maker->result = viewTexels(gpu, pool, plan->paletteBytes);
    }
    if (maker->result >= 0) {
        maker->result =
            sknCreatePaletteSet(gpu, &crowd->descriptors, &pool->palettes, palettes, pool->texels, &pool->paletteSet);
    }
    makeBound(maker, "crowd vertices", plan->outputBytes, STORAGE | maker->context->def.outputUsage,
              &crowd->memory.output, &pool->output, &pool->outputSet);
}

static void makeHostPool(Maker *maker, const CrowdPoolPlan *plan, CrowdPoolMemory *pool) {
    VkskinCrowdMemory *memory = &maker->crowd->memory;
    const uint64_t palettes = plan->paletteBytes + plan->scratchBytes;
    memory->palettes += palettes;
    if (maker->result >= 0) {
        maker->result = sknCreateHostBuffer(&maker->context->gpu, palettes, "crowd palettes", &pool->palettes);
    }
    makeBuffer(maker, "crowd vertices", plan->outputBytes, STORAGE | maker->context->def.outputUsage,
               VKSKIN_MEMORY_DYNAMIC, &memory->output, &pool->output);
}

static void makePools(Maker *maker) {
    Crowd *crowd = maker->crowd;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        (sknOnCpu(maker->context) ? makeHostPool : makeDevicePool)(maker, &crowd->plan.pools[p], &crowd->pools[p]);
    }
}

/* ---- Both backends ---- */

static uint64_t inputWords(const Crowd *crowd) {
    return CROWD_INPUT_CHANGES + (uint64_t)crowd->maxChanges * CROWD_CHANGE_WORDS;
}

/* SHADER_DEVICE_ADDRESS if the host asked for addresses of outputs. */
static VkBufferUsageFlags addressUsage(VkskinContext context) {
    return context->def.outputUsage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
}

static void makeDeviceMemory(Maker *maker) {
    Crowd *crowd = maker->crowd;
    const VkBufferUsageFlags address = addressUsage(maker->context);
    VkskinCrowdMemory *memory = &crowd->memory;
    const uint64_t capacity = sknCrowdHead(crowd->plan.tables)->capacity;
    makeTables(maker);
    makeBound(maker, "crowd states", capacity * sizeof(LayoutCrowdState), FILLED | address, &memory->characters,
              &crowd->states, &crowd->stateSet);
    makeBound(maker, "crowd records", capacity * sizeof(LayoutCrowdCold), FILLED, &memory->characters, &crowd->colds,
              &crowd->coldSet);
    makeBound(maker, "crowd counters", crowd->plan.workWords * 4, FILLED, &memory->lists, &crowd->work,
              &crowd->workSet);
    makeBound(maker, "crowd lists", crowd->plan.frameWords * 4, FILLED | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | address,
              &memory->lists, &crowd->frame, &crowd->frameSet);
    makeInputs(maker, inputWords(crowd) * 4);
}

static VkskinResult allocateArrays(VkskinContext context, Crowd *crowd) {
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
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "crowd %s: no memory for %u characters",
                         crowd->name, head->capacity);
    }
    memset(cpu->states, 0, head->capacity * sizeof *cpu->states);
    return VKSKIN_SUCCESS;
}

static void makeHostMemory(Maker *maker) {
    VkskinContext context = maker->context;
    Crowd *crowd = maker->crowd;
    const CrowdPlan *plan = &crowd->plan;
    const uint64_t capacity = sknCrowdHead(plan->tables)->capacity;
    if (maker->result >= 0) {
        maker->result = allocateArrays(context, crowd);
    }
    crowd->memory.characters =
        capacity * (sizeof *crowd->cpu.states + sizeof *crowd->cpu.colds) + inputWords(crowd) * 4;
    crowd->memory.lists = (plan->workWords + 2 * plan->frameWords) * 4;
    crowd->frameStride = sknAlignUp(plan->frameWords * 4, context->gpu.limits.minStorageBufferOffsetAlignment);
    makeBuffer(maker, "crowd lists", crowd->frameStride * context->def.framesInFlight,
               STORAGE | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | addressUsage(context), VKSKIN_MEMORY_DYNAMIC,
               &crowd->memory.lists, &crowd->frame);
}

/* After the pools, whose addresses it holds. */
static void makeConstants(Maker *maker) {
    VkskinContext context = maker->context;
    Crowd *crowd = maker->crowd;
    const uint32_t count = sknCrowdHead(crowd->plan.tables)->drawCount;
    makeBuffer(maker, "crowd constants", count * sizeof(VkskinCrowdDrawConstants), STORAGE | addressUsage(context),
               VKSKIN_MEMORY_DYNAMIC, &crowd->memory.lists, &crowd->constants);
    if (maker->result < 0) {
        return;
    }
    VkskinCrowdDrawConstants *constants = crowd->constants.memory.mapped;
    for (uint32_t i = 0; i < count; i++) {
        const VkskinCrowdDraw draw = sknDescribeCrowdDraw(context, crowd, i);
        constants[i] = (VkskinCrowdDrawConstants){.constants = draw.constants, .vertices = draw.verticesAddress};
    }
    maker->result = sknFlushBuffer(&context->gpu, &crowd->constants, 0, count * sizeof *constants);
}

static void makeAll(Maker *maker) {
    maker->device = 0;
    maker->crowd->memory = (VkskinCrowdMemory){.morphs = maker->crowd->plan.morphBytes};
    (sknOnCpu(maker->context) ? makeHostMemory : makeDeviceMemory)(maker);
    makePools(maker);
    makeConstants(maker);
}

static uint64_t heapBytes(const Gpu *gpu) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < gpu->memory.memoryHeapCount; i++) {
        bytes += gpu->memory.memoryHeaps[i].size;
    }
    return bytes;
}

VkskinResult sknMakeCrowdMemory(VkskinContext context, Crowd *crowd) {
    Maker maker = {.context = context, .crowd = crowd, .result = VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY};
    makeAll(&maker); /* counts */
    const uint64_t heaps = heapBytes(&context->gpu);
    if (maker.device > heaps) {
        return sknReport(&context->gpu.logger, maker.result,
                         "crowd %s: needs %llu bytes; the memory of the device has %llu", crowd->name,
                         (unsigned long long)maker.device, (unsigned long long)heaps);
    }
    maker.result = VKSKIN_SUCCESS;
    makeAll(&maker);
    return maker.result;
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
    Buffer *const buffers[] = {&crowd->tables, &crowd->staging, &crowd->states,   &crowd->colds,
                               &crowd->work,   &crowd->frame,   &crowd->constants};
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
