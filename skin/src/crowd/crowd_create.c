#include <string.h>

#include "crowd.h"
#include "crowd_def.h"

/* ---- Memory ---- */

#define STORAGE VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
#define FILLED  (STORAGE | VK_BUFFER_USAGE_TRANSFER_DST_BIT)
#define READ    (FILLED | VK_BUFFER_USAGE_TRANSFER_SRC_BIT)

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

/* SHADER_DEVICE_ADDRESS if the host asked for addresses of outputs. */
static VkBufferUsageFlags addressUsage(VkskinContext context) {
    return context->def.outputUsage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
}

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
        makeBuffer(maker, "crowd changes", bytes, FILLED, VKSKIN_MEMORY_DYNAMIC, &maker->crowd->memory.characters,
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
        pool->texels = VK_NULL_HANDLE; /* after a failure the value is undefined */
    }
    return result;
}

static void makeDevicePool(Maker *maker, const CrowdPoolPlan *plan, CrowdPoolMemory *pool) {
    Gpu *gpu = &maker->context->gpu;
    Crowd *crowd = maker->crowd;
    const uint64_t palettes = plan->paletteBytes + plan->scratchBytes;
    makeBound(maker, "crowd palettes", palettes,
              STORAGE | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | addressUsage(maker->context),
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
    return sknAnswersAt(crowd) / 4 + (uint64_t)crowd->queries.most * CROWD_ANSWER_WORDS;
}

static void makeDeviceMemory(Maker *maker) {
    Crowd *crowd = maker->crowd;
    const VkBufferUsageFlags address = addressUsage(maker->context);
    VkskinCrowdMemory *memory = &crowd->memory;
    const uint64_t capacity = sknCrowdHead(crowd->plan.tables)->capacity;
    makeTables(maker);
    makeBound(maker, "crowd states", capacity * sizeof(LayoutCrowdState), READ | address, &memory->characters,
              &crowd->states, &crowd->stateSet);
    makeBound(maker, "crowd records", capacity * sizeof(LayoutCrowdCold), READ, &memory->characters, &crowd->colds,
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
        const uint32_t parts = crowd->groups[crowd->plan.pools[p].group].partCount;
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
    cpu->undo.rings = sknArenaArray(arena, 2 * (size_t)head->groupCount, sizeof *cpu->undo.rings);
    cpu->commands = sknArenaArray(arena, commands, sizeof *cpu->commands);
    cpu->jobs = sknArenaArray(arena, jobs, sizeof *cpu->jobs);
    cpu->poses = sknArenaArray(arena, crowd->plan.poolCount, sizeof *cpu->poses);
    cpu->order = sknArenaArray(arena, head->slotCount, sizeof *cpu->order);
    cpu->clipEnds = sknArenaArray(arena, 2 * (size_t)head->clipCount + 1, sizeof *cpu->clipEnds);
    atomic_init(&cpu->windows, 0);
    cpu->fewPoses = sknArenaArray(arena, CROWD_FEW_SLOTS, sizeof *cpu->fewPoses);
    cpu->fewSlots = sknArenaArray(arena, CROWD_FEW_SLOTS, sizeof *cpu->fewSlots);
    cpu->copies = sknArenaArray(arena, head->slotCount, sizeof *cpu->copies);
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

/* Buffers and sets of a planned crowd. On failure the caller frees the crowd. With the lock. */
static VkskinResult makeCrowdMemory(VkskinContext context, Crowd *crowd) {
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
    for (uint32_t m = 0; crowd->skins != NULL && m < crowd->groupCount; m++) {
        vkskinDestroyPoseBatch(crowd->skins[m].batch);
    }
    sknDestroyChanges(&crowd->changes);
    sknFreeCrowdPlan(&crowd->plan);
    Arena arena = crowd->arena; /* the crowd is in it */
    sknFreeArena(&arena);
}

/* ---- Creating ---- */

static const char createCall[] = "vkskinCreateCrowd";

VkskinResult sknFindCrowd(VkskinContext context, const char *name, VkskinCrowd handle, Crowd **crowd) {
    uint32_t index = NO_INDEX;
    VkskinResult result =
        sknHandleFind(&context->crowds, &context->gpu.logger, name, handle.index, handle.generation, &index);
    *crowd = result < 0 ? NULL : sknCrowd(context, index);
    return result;
}

VkskinResult sknEnterCrowd(VkskinContext context, const char *call, VkskinCrowd handle, const char *name,
                           const void *pointer, Crowd **crowd) {
    VkskinResult result = sknEnterWith(context, call, name, pointer);
    if (result < 0) {
        return result;
    }
    result = sknFindCrowd(context, call, handle, crowd);
    return result < 0 ? sknLeave(context, result) : result;
}

/* The crowd is in its own arena. Null if there is no memory. */
static Crowd *allocateCrowd(VkskinContext context, const VkskinCrowdDef *def) {
    Arena arena = sknMakeArena(context->gpu.hostAllocator);
    Crowd *crowd = sknArenaArray(&arena, 1, sizeof *crowd);
    if (crowd == NULL) {
        return NULL;
    }
    crowd->arena = arena;
    crowd->modelCount = def->modelCount;
    crowd->groupCount = def->modelCount;
    for (uint32_t m = 0; m < def->modelCount; m++) {
        crowd->groupCount += def->models[m].levelCount;
    }
    crowd->ticksPerSecond = def->ticksPerSecond;
    crowd->maxViews = def->maxViews;
    crowd->maxChanges = def->maxChanges < def->capacity ? def->maxChanges : def->capacity;
    crowd->descriptors = sknOwnDescriptors(&context->descriptors);
    snprintf(crowd->name, sizeof crowd->name, "%s", def->name != NULL ? def->name : "(no name)");
    crowd->groups = sknArenaArray(&crowd->arena, crowd->groupCount, sizeof *crowd->groups);
    crowd->skins = sknArenaArray(&crowd->arena, crowd->groupCount, sizeof *crowd->skins);
    const uint32_t queries = def->maxQueries < def->capacity ? def->maxQueries : def->capacity;
    if (!sknMakeCrowdQueries(&crowd->arena, queries, sknOnCpu(context), context->def.framesInFlight, &crowd->queries)) {
        sknFreeCrowd(context, crowd);
        return NULL;
    }
    return crowd;
}

static CrowdNeeds needsOf(VkskinContext context, const VkskinCrowdDef *def, const Crowd *crowd, const ClipSet *clips,
                          const CrowdGroup *groups) {
    const KernelSettings *settings = &context->kernels.settings;
    const uint64_t range = context->gpu.limits.maxStorageBufferRange;
    const uint64_t texels = (uint64_t)context->gpu.limits.maxTexelBufferElements * 16;
    return (CrowdNeeds){
        .groups = groups,
        .groupCount = crowd->groupCount,
        .capacity = def->capacity,
        .clipCount = clips->data.clipCount,
        .nodes = sknCrowdNodes(&clips->data),
        .scratchWords = sknCrowdScratchWords(clips->data.nodeCount),
        .paletteSlots = sknOnCpu(context) && !crowd->masks ? CROWD_WINDOW_SLOTS : UINT32_MAX,
        .copies = crowd->copies,
        .range = range,
        .paletteRange = settings->texels && !sknOnCpu(context) && texels < range ? texels : range,
        .groupSize = settings->workgroupSize,
        .groupInstances = settings->instancesPerThread,
        .poseSlots = sknPoseSlots(settings->crowdPosing),
        .views = def->maxViews,
    };
}

/* Without the lock: what takes long. */
static VkskinResult planCrowd(VkskinContext context, const CrowdLevels *levels, Crowd *crowd, const ClipSet *clips,
                              CrowdGroup *groups) {
    const Host host = sknHostOf(&context->gpu);
    VkskinResult result = sknPrepareCrowdGroups(context, levels, crowd, clips, groups);
    if (result >= 0) {
        const CrowdNeeds needs = needsOf(context, &levels->def, crowd, clips, groups);
        result = sknPlanCrowd(&host, crowd->name, &needs, &crowd->plan);
    }
    if (result >= 0) {
        crowd->pools = sknArenaArray(&crowd->arena, crowd->plan.poolCount, sizeof *crowd->pools);
        if (crowd->pools == NULL) {
            result = sknReport(&host.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for %u pools", createCall,
                               crowd->plan.poolCount);
        }
    }
    return result;
}

/* Takes a handle, and memory for the changes of characters. Not logged. */
static VkskinResult takeHandle(VkskinContext context, Crowd *crowd, VkskinCrowd *handle) {
    const uint32_t index = sknHandleTake(&context->crowds, context->gpu.hostAllocator);
    if (index == NO_INDEX) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    CrowdItem *item = sknHandleItem(&context->crowds, index);
    const uint32_t seed = (item->header.generation + index) * 2654435761u;
    VkskinResult result =
        sknInitChanges(context->gpu.hostAllocator, sknCrowdHead(crowd->plan.tables)->capacity, seed, &crowd->changes);
    if (result < 0) {
        sknHandleRetire(&context->crowds, index);
        sknHandleRecycle(&context->crowds, index);
        return result;
    }
    item->crowd = crowd;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): vkskinCreateCrowd checked it in another file */
    *handle = (VkskinCrowd){index + 1, item->header.generation};
    return VKSKIN_SUCCESS;
}

/* With the lock. */
static VkskinResult addCrowd(VkskinContext context, Crowd *crowd, VkskinCrowd *handle) {
    VkskinResult result = makeCrowdMemory(context, crowd);
    if (result < 0) {
        return result;
    }
    result = takeHandle(context, crowd, handle);
    if (result < 0) {
        return sknReport(&context->gpu.logger, result, "%s: no memory for crowd %s", createCall, crowd->name);
    }
    crowd->memory.host += sknChangesBytes(&crowd->changes);
    for (uint32_t g = 0; g < crowd->groupCount; g++) {
        crowd->memory.host += sknCrowdPoserBytes(&crowd->skins[g]);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult makeKernels(VkskinContext context, const VkskinCrowdDef *def, const CrowdLevels *levels) {
    VkskinResult result = sknMakePartKernels(context, levels);
    if (result < 0 || sknOnCpu(context)) {
        return result;
    }
    sknLock(&context->making);
    if (context->crowdKernels == NULL) {
        context->crowdKernels = sknHostAllocateArray(context->gpu.hostAllocator, 1, sizeof *context->crowdKernels);
    }
    if (context->crowdKernels == NULL) {
        result =
            sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for kernels", createCall);
    } else {
        result = sknMakeCrowdKernels(&context->gpu, &context->descriptors, context->crowdKernels);
    }
    for (uint32_t m = 0; result >= 0 && m < def->modelCount; m++) {
        result = sknMakePoseKernel(&context->gpu, &context->descriptors, &context->kernels.settings,
                                   def->models[m].encoding, context->crowdKernels);
    }
    sknUnlock(&context->making);
    return result;
}

/* The objects that the crowd needs are held while it is made. */
static VkskinResult makeCrowd(VkskinContext context, const VkskinCrowdDef *def, Crowd *crowd, VkskinCrowd *handle) {
    CrowdGroup groups[CROWD_GROUPS] = {0};
    CrowdLevels levels;
    sknListCrowdLevels(def, &levels);
    sknLockAlone(&context->lock);
    VkskinResult result = sknHoldCrowdObjects(context, &levels, crowd, groups);
    const ClipSet *clips = result < 0 ? NULL : sknClipSet(context, crowd->clipSet);
    sknUnlockAlone(&context->lock);
    if (result < 0) {
        return result;
    }
    result = makeKernels(context, def, &levels);
    if (result >= 0) {
        result = planCrowd(context, &levels, crowd, clips, groups);
    }
    sknLockAlone(&context->lock);
    if (result >= 0) {
        result = addCrowd(context, crowd, handle);
    }
    if (result < 0) {
        sknReleaseCrowdObjects(context, crowd);
    }
    return sknLeave(context, result);
}

VkskinResult vkskinCreateCrowd(VkskinContext context, const VkskinCrowdDef *def, VkskinCrowd *crowd,
                               VkskinCrowdMemory *memory) {
    if (crowd != NULL) {
        *crowd = VKSKIN_NULL_CROWD;
    }
    if (memory != NULL) {
        *memory = (VkskinCrowdMemory){0};
    }
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknNeedArgument(context, createCall, "def", def);
    if (result >= 0) {
        result = sknNeedArgument(context, createCall, "crowd", crowd);
    }
    if (result >= 0) {
        result = sknCheckCrowdDef(context, def);
    }
    if (result < 0) {
        return result;
    }
    Crowd *made = allocateCrowd(context, def);
    if (made == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory", createCall);
    }
    result = makeCrowd(context, def, made, crowd);
    if (memory != NULL) {
        *memory = made->memory;
    }
    if (result < 0) {
        sknLockAlone(&context->lock);
        sknFreeCrowd(context, made);
        sknUnlockAlone(&context->lock);
    }
    return result;
}

/* ---- Clip sets ---- */

static VkskinResult makeDeviceSet(VkskinContext context, ClipSet *set) {
    Gpu *gpu = &context->gpu;
    const VkDeviceSize bytes = (VkDeviceSize)set->data.wordCount * sizeof *set->data.words;
    if (bytes > gpu->limits.maxStorageBufferRange) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                         "vkskinCreateClipSet: the clip set takes %llu bytes, the device binds %llu",
                         (unsigned long long)bytes, (unsigned long long)gpu->limits.maxStorageBufferRange);
    }
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkskinResult result = sknCreateBuffer(gpu, bytes, usage, VKSKIN_MEMORY_DEVICE, "clip set", &set->device);
    if (result >= 0) {
        result = sknCreateBuffer(gpu, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, VKSKIN_MEMORY_STAGING,
                                 "clip set staging", &set->staging);
    }
    if (result >= 0) {
        memcpy(set->staging.memory.mapped, set->data.words, (size_t)bytes);
        result = sknFlushBuffer(gpu, &set->staging, 0, bytes);
    }
    if (result >= 0) {
        const VkDeviceSize start = 0;
        result = sknCreateBufferSets(gpu, &set->descriptors, &set->device, &start, bytes, 1, &set->set);
    }
    return result;
}

void sknDropClipSet(VkskinContext context, ClipSet *set) {
    if (set != NULL) {
        sknDestroySets(&context->gpu, &set->descriptors);
        sknDestroyBuffer(&context->gpu, &set->device);
        sknDestroyBuffer(&context->gpu, &set->staging);
        sknFreeClipSet(&set->data);
        sknHostFree(context->gpu.hostAllocator, set);
    }
}

/* With the lock: reserves what the device needs, and the handle. */
static VkskinResult addSet(VkskinContext context, ClipSet *set, VkskinClipSet *handle) {
    VkskinResult result = sknOnCpu(context) ? VKSKIN_SUCCESS : makeDeviceSet(context, set);
    if (result < 0) {
        return result;
    }
    const uint32_t index = sknHandleTake(&context->clipSets, context->gpu.hostAllocator);
    if (index == NO_INDEX) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "vkskinCreateClipSet: no memory for its handle");
    }
    ClipSetItem *item = sknHandleItem(&context->clipSets, index);
    item->set = set;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): checked in another file */
    *handle = (VkskinClipSet){index + 1, item->header.generation};
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreateClipSet(VkskinContext context, const void *block, size_t size, VkskinClipSet *clipSet) {
    static const char call[] = "vkskinCreateClipSet";
    if (clipSet != NULL) {
        *clipSet = VKSKIN_NULL_CLIP_SET;
    }
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknNeedArgument(context, call, "block", block);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "clipSet", clipSet);
    }
    if (result < 0) {
        return result;
    }
    ClipSet *set = sknHostAllocateArray(context->gpu.hostAllocator, 1, sizeof *set);
    if (set == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory", call);
    }
    const Host host = sknHostOf(&context->gpu);
    set->descriptors = sknOwnDescriptors(&context->descriptors);
    result = sknMakeClipSet(&host, block, size, &set->data);
    sknLockAlone(&context->lock);
    if (result >= 0) {
        result = addSet(context, set, clipSet);
    }
    if (result < 0) {
        sknDropClipSet(context, set);
    }
    return sknLeave(context, result);
}

static VkskinResult destroySet(VkskinContext context, VkskinClipSet handle) {
    static const char call[] = "vkskinDestroyClipSet";
    uint32_t index = NO_INDEX;
    VkskinResult result =
        sknHandleFind(&context->clipSets, &context->gpu.logger, call, handle.index, handle.generation, &index);
    if (result < 0) {
        return result;
    }
    const uint32_t crowds = sknClipSet(context, index)->crowds;
    if (crowds > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_CLIP_SET_IN_USE, "%s: clip set (%u, %u) has %u crowds",
                         call, handle.index, handle.generation, crowds);
    }
    sknHandleRetire(&context->clipSets, index);
    FrameSlot *slot = &context->slots[context->preparing->slot];
    HandleHeader *header = sknHandleItem(&context->clipSets, index);
    header->next = slot->retiredClipSets;
    slot->retiredClipSets = index;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinDestroyClipSet(VkskinContext context, VkskinClipSet clipSet) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroySet(context, clipSet));
}
