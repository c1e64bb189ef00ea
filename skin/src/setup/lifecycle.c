#include "lifecycle.h"

#include <time.h>

#include "cookie.h"
#include "cpu_backend.h"
#include "crowd.h"
#include "frame.h"

#define MIN_PAGE_SIZE     ((VkDeviceSize)64 << 10)
#define MAX_INSTANCES     ((uint32_t)1 << 24)
#define MAX_MORPH_WEIGHTS ((uint32_t)1 << 24)
#define MAX_BYTES         ((VkDeviceSize)1 << 40)

VkskinContextDef vkskinDefaultContextDef(void) {
    return (VkskinContextDef){
        .cookie = VKSKIN_COOKIE_CONTEXT,
        .graphicsQueueFamily = VK_QUEUE_FAMILY_IGNORED,
        .framesInFlight = 2,
        .outputRegions = 1,
        .memory = {.firstPageSize = (VkDeviceSize)1 << 20,
                   .pageSize = (VkDeviceSize)32 << 20,
                   .paletteBytesPerFrame = (VkDeviceSize)256 << 10,
                   .maxPaletteBytesPerFrame = (VkDeviceSize)1 << 30,
                   .initialInstances = 256,
                   .maxInstances = 1 << 20,
                   .initialMorphWeights = 1024,
                   .maxMorphWeights = 1 << 20},
        .paletteAccess = VK_ACCESS_SHADER_READ_BIT,
        .outputUsage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
        .consumerStages = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
        .consumerAccess = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT,
        .maxTimingScopes = 8,
    };
}

static uint32_t drawingFamilyOf(const VkskinContextDef *def) {
    return def->graphicsQueueFamily == VK_QUEUE_FAMILY_IGNORED ? def->computeQueueFamily : def->graphicsQueueFamily;
}

/* The driver calls these three without a check for null. */
static bool isIncomplete(const VkAllocationCallbacks *allocator) {
    return allocator != NULL && (!allocator->pfnAllocation || !allocator->pfnReallocation || !allocator->pfnFree);
}

static bool hasUnpairedCallback(const VkAllocationCallbacks *allocator) {
    return allocator != NULL && (allocator->pfnInternalAllocation == NULL) != (allocator->pfnInternalFree == NULL);
}

static VkskinResult checkPointers(const Subject *subject, const VkskinContextDef *def) {
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT;
    const VkskinMemoryCallbacks *memory = def->memory.callbacks;
    const Rule rules[] = {
        {def->instance == VK_NULL_HANDLE, null, "instance is null"},
        {def->physicalDevice == VK_NULL_HANDLE, null, "physicalDevice is null"},
        {def->device == VK_NULL_HANDLE, null, "device is null"},
        {memory != NULL && (!memory->allocate || !memory->free), null, "memory.callbacks: allocate or free is null"},
        {isIncomplete(def->allocator), null, "allocator: pfnAllocation, pfnReallocation or pfnFree is null"},
        {hasUnpairedCallback(def->allocator), null,
         "allocator: pfnInternalAllocation or pfnInternalFree alone is null"},
    };
    return sknCheckRules(subject, rules, SKN_COUNT(rules));
}

static VkskinResult checkNumbers(const Subject *subject, const VkskinContextDef *def) {
    const VkskinMemoryDef *memory = &def->memory;
    const Range ranges[] = {
        {"framesInFlight", def->framesInFlight, 1, VKSKIN_MAX_FRAMES_IN_FLIGHT},
        {"barriers", (uint32_t)def->barriers, 0, VKSKIN_BARRIERS_HOST},
        {"memory.palettes", (uint32_t)memory->palettes, 0, VKSKIN_PALETTE_MEMORY_STAGED},
        {"backend", (uint32_t)def->backend, 0, VKSKIN_BACKEND_AUTOMATIC},
        {"cpu.level", (uint32_t)def->cpu.level, 0, VKSKIN_CPU_LEVEL_COUNT - 1},
        {"paletteBinding", (uint32_t)def->paletteBinding, 0, VKSKIN_PALETTE_BINDING_TEXELS},
        {"memory.firstPageSize", memory->firstPageSize, MIN_PAGE_SIZE, MAX_BYTES},
        {"memory.pageSize", memory->pageSize, MIN_PAGE_SIZE, MAX_BYTES},
        {"memory.paletteBytesPerFrame", memory->paletteBytesPerFrame, 48, MAX_BYTES},
        {"memory.maxPaletteBytesPerFrame", memory->maxPaletteBytesPerFrame, 0, MAX_BYTES},
        {"memory.initialInstances", memory->initialInstances, 1, MAX_INSTANCES},
        {"memory.maxInstances", memory->maxInstances, 0, MAX_INSTANCES},
        {"maxTimingScopes", def->maxTimingScopes, 0, MAX_SCOPES},
        {"memory.initialMorphWeights", memory->initialMorphWeights, 0, MAX_MORPH_WEIGHTS},
        {"memory.maxMorphWeights", memory->maxMorphWeights, 0, MAX_MORPH_WEIGHTS},
    };
    VkskinResult result = sknCheckRanges(subject, ranges, SKN_COUNT(ranges));
    if (result < 0) {
        return result;
    }
    if (def->outputRegions == 0 || def->outputRegions > def->framesInFlight) {
        return sknReport(&def->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: outputRegions is %u, not in 1 to framesInFlight (%u)",
                         def->outputRegions, def->framesInFlight);
    }
    if (def->consumerStages == 0) {
        return sknReport(&def->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: consumerStages is 0: name the stages that read the output");
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckContextDef(const VkskinContextDef *def) {
    const Subject subject = {&def->logger, "vkskinCreateContext", ""};
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_CONTEXT);
#ifndef NDEBUG
    if (result < 0) { /* the logger of the def is not used: an uninitialised def holds anything */
        vkskinLogToStderr(NULL, result, "vkskinCreateContext: the def was not made by vkskinDefaultContextDef");
    }
#endif
    if (result >= 0) {
        result = checkPointers(&subject, def);
    }
    return result < 0 ? result : checkNumbers(&subject, def);
}

static VkskinResult checkFamilies(const Gpu *gpu, const VkskinContextDef *def) {
    bool compute = !sknWantsCpu(gpu, def); /* else no queue family skins */
    if (compute && def->computeQueueFamily != drawingFamilyOf(def) && def->outputRegions < def->framesInFlight) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: two queue families need as many outputRegions as framesInFlight (%u)",
                         def->framesInFlight);
    }
    if (def->paletteStages != 0 && (!compute || def->computeQueueFamily != drawingFamilyOf(def))) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: paletteStages is 0x%x: stages of the host cannot read palettes %s",
                         (unsigned)def->paletteStages,
                         compute ? "if there are two queue families" : "of the CPU backend");
    }
    VkQueueFamilyProperties skinning, drawing;
    if (!sknFindQueueFamily(gpu, def->computeQueueFamily, &skinning)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: computeQueueFamily is %u, the device has no such family",
                         def->computeQueueFamily);
    }
    if (!sknFindQueueFamily(gpu, drawingFamilyOf(def), &drawing)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreateContext: graphicsQueueFamily is %u, the device has no such family",
                         def->graphicsQueueFamily);
    }
    if (compute && (skinning.queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                         "vkskinCreateContext: computeQueueFamily is %u, which cannot compute",
                         def->computeQueueFamily);
    }
    return VKSKIN_SUCCESS;
}

/* A maximum of 0 means that the initial number is the maximum. */
static void settle(uint32_t *initial, uint32_t *most) {
    *most = *most > 0 ? *most : *initial;
    *initial = *initial < *most ? *initial : *most;
}

/* Fits the def to the device's limits, or refuses it. */
static VkskinResult fitDevice(VkskinContext context) {
    VkDeviceSize range = context->gpu.limits.maxStorageBufferRange;
    VkskinMemoryDef *memory = &context->def.memory;
    memory->pageSize = memory->pageSize < range ? memory->pageSize : range;
    VkDeviceSize table = sknTableBytes(memory->maxInstances, memory->maxMorphWeights);
    if (!sknOnCpu(context) && table > range) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                         "vkskinCreateContext: %u instances and %u morph weights take a job table of %llu bytes, the "
                         "device binds %llu",
                         memory->maxInstances, memory->maxMorphWeights, (unsigned long long)table,
                         (unsigned long long)range);
    }
    return VKSKIN_SUCCESS;
}

/* Differs for contexts at the same address, so that each refuses the other's handles. The time matters if the library
 * was unloaded in between, which resets the count. */
static uint32_t firstGeneration(const void *context) {
    static _Atomic uint32_t made;
    uint64_t seed = (uint64_t)(uintptr_t)context ^ (uint64_t)time(NULL) << 30 ^ made++;
    return (uint32_t)((seed * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

static void initTables(VkskinContext context) {
    const VkskinContextDef *def = &context->def;
    context->meshPages = (PagePool){
        .name = "meshes",
        .usage =
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
        .nextPageSize = def->memory.firstPageSize,
        .pageSize = def->memory.pageSize,
    };
    context->outputPages = (PagePool){
        .name = "skinned vertices",
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | def->outputUsage,
        .memory = sknOnCpu(context) ? VKSKIN_MEMORY_DYNAMIC : VKSKIN_MEMORY_DEVICE,
        .nextPageSize = def->memory.firstPageSize,
        .pageSize = def->memory.pageSize,
    };
    uint32_t generation = firstGeneration(context);
    sknInitHandles(&context->meshes, "mesh", sizeof(Mesh), generation);
    sknInitHandles(&context->instances, "instance", sizeof(Instance), generation);
    sknInitHandles(&context->outputBuffers, "output buffer", sizeof(OutputBuffer), generation);
    sknInitHandles(&context->clipSets, "clip set", sizeof(ClipSetItem), generation);
    sknInitHandles(&context->crowds, "crowd", sizeof(CrowdItem), generation);
    context->crowdCalls = &sknCrowdCalls;
    for (uint32_t i = 0; i < VKSKIN_MAX_FRAMES_IN_FLIGHT; i++) {
        context->slots[i] = (FrameSlot){.retiredMeshes = NO_INDEX,
                                        .retiredInstances = NO_INDEX,
                                        .retiredClipSets = NO_INDEX,
                                        .retiredCrowds = NO_INDEX};
    }
}

/*
 * One region per frame in flight, so that no frame in flight reads the region that is written; and no ownership transfer.
 * At least two: a cancelled frame has written, and the output before it must still exist.
 */
static VkskinResult useCpu(VkskinContext context) {
    uint32_t frames = context->def.framesInFlight;
    context->def.outputRegions = frames > 2 ? frames : 2;
    context->def.graphicsQueueFamily = context->def.computeQueueFamily;
    return sknInitCpuBackend(&context->gpu, &context->def, &context->cpu);
}

static PaletteHome paletteHome(const struct VkskinContext_T *context) {
    const Gpu *gpu = &context->gpu;
    if (sknOnCpu(context)) {
        return PALETTES_ON_HOST;
    }
    bool staged = context->def.memory.palettes == VKSKIN_PALETTE_MEMORY_STAGED ||
                  (gpu->memoryCallbacks.allocate == NULL && !sknHasDynamicDeviceMemory(gpu));
    return staged ? PALETTES_STAGED : PALETTES_MAPPED;
}

/* The CPU backend needs no texel view, so its pages have no such limit. */
static PaletteRingDef ringDef(const struct VkskinContext_T *context, const KernelSettings *settings) {
    const VkskinContextDef *def = &context->def;
    VkDeviceSize texels = sknMaxTexelBytes(&context->gpu);
    VkDeviceSize most = context->gpu.limits.maxStorageBufferRange;
    most = settings->texels && !sknOnCpu(context) && texels < most ? texels : most;
    return (PaletteRingDef){
        .slots = def->framesInFlight,
        .home = paletteHome(context),
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | def->paletteUsage,
        .bytesPerSlot = def->memory.paletteBytesPerFrame,
        .maxBytesPerSlot = def->memory.maxPaletteBytesPerFrame,
        .pageSize = most < def->memory.pageSize ? most : def->memory.pageSize,
        .maxPageSize = most,
    };
}

static JobTableDef jobTableDef(const struct VkskinContext_T *context) {
    const VkskinContextDef *def = &context->def;
    return (JobTableDef){
        .slots = def->framesInFlight,
        .onHost = sknOnCpu(context),
        .commands = def->memory.initialInstances,
        .maxCommands = def->memory.maxInstances,
        .morphs = def->memory.initialMorphWeights,
        .maxMorphs = def->memory.maxMorphWeights,
    };
}

/* The second frame's commands get memory when it is prepared. */
static VkskinResult initFrames(VkskinContext context) {
    const VkskinContextDef *def = &context->def;
    context->recording = context->preparing = &context->frames[0];
    if (!sknGrowCommands(context->gpu.hostAllocator, &context->frames[0].commands, def->memory.initialInstances,
                         def->memory.initialMorphWeights)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u commands",
                         def->memory.initialInstances);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult initContext(VkskinContext context) {
    Gpu *gpu = &context->gpu;
    const VkskinContextDef *def = &context->def;
    KernelSettings settings;
    settle(&context->def.memory.initialInstances, &context->def.memory.maxInstances);
    settle(&context->def.memory.initialMorphWeights, &context->def.memory.maxMorphWeights);
    VkskinResult result = sknChooseSettings(gpu, def, &settings);
    if (result >= 0 && sknWantsCpu(gpu, def)) {
        result = useCpu(context);
    }
    if (result >= 0) {
        result = fitDevice(context);
    }
    initTables(context);
    if (result >= 0) {
        result = initFrames(context);
    }
    if (result >= 0) {
        result = sknInitDescriptors(gpu, &context->descriptors);
    }
    if (result >= 0) {
        result = sknInitKernels(gpu, &context->descriptors, settings, &context->kernels);
    }
    if (result >= 0) {
        const PaletteRingDef ring = ringDef(context, &settings);
        result = sknInitRing(gpu, &context->descriptors, &context->ring, &ring);
    }
    if (result >= 0) {
        const JobTableDef jobs = jobTableDef(context);
        result = sknInitJobs(gpu, &context->descriptors, &context->jobs, &jobs);
    }
    if (result >= 0) {
        result =
            sknInitScopes(gpu, &context->scopes, def->computeQueueFamily, def->framesInFlight, def->maxTimingScopes);
    }
    return result;
}

/* On failure no lock is left. */
static bool initLocks(VkskinContext context) {
    Lock *const locks[] = {&context->making, &context->recordLock};
    uint32_t made = 0;
    if (!sknInitSharedLock(&context->lock)) {
        return false;
    }
    while (made < SKN_COUNT(locks) && sknInitLock(locks[made])) {
        made++;
    }
    if (made == SKN_COUNT(locks)) {
        return true;
    }
    while (made-- > 0) {
        sknDestroyLock(locks[made]);
    }
    sknDestroySharedLock(&context->lock);
    return false;
}

static void destroyLocks(VkskinContext context) {
    sknDestroyLock(&context->recordLock);
    sknDestroyLock(&context->making);
    sknDestroySharedLock(&context->lock);
}

/* Allocates a context with its locks, all else zero; null if that fails. */
static VkskinContext allocateContext(const Gpu *gpu) {
    VkskinContext made = sknHostAllocateArray(gpu->hostAllocator, 1, sizeof *made);
    if (made != NULL && !initLocks(made)) {
        sknHostFree(gpu->hostAllocator, made);
        return NULL;
    }
    return made;
}

VkskinResult vkskinCreateContext(const VkskinContextDef *def, VkskinContext *context) {
    if (context != NULL) {
        *context = NULL;
    }
    if (def == NULL || context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknCheckContextDef(def);
    if (result < 0) {
        return result;
    }
    /* This Gpu allocates the context through the def's callbacks, and then moves into it. */
    Gpu gpu;
    result = sknInitGpu(&gpu, def);
    if (result >= 0) {
        result = checkFamilies(&gpu, def);
    }
    if (result < 0) {
        return result;
    }
    VkskinContext made = allocateContext(&gpu);
    if (made == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "vkskinCreateContext: no memory for the context");
    }
    sknMoveGpu(&made->gpu, &gpu);
    made->def = *def;
    made->def.graphicsQueueFamily = drawingFamilyOf(def);
    made->def.functions = NULL;
    made->def.allocator = NULL;
    made->def.memory.callbacks = NULL;
    result = initContext(made);
    made->def.tuning = NULL;
    if (result < 0) {
        vkskinDestroyContext(made);
        return result;
    }
    *context = made;
    return VKSKIN_SUCCESS;
}

void vkskinDestroyContext(VkskinContext context) {
    if (context == NULL) {
        return;
    }
    Gpu *gpu = &context->gpu;
    for (uint32_t i = 0; i < VKSKIN_MAX_FRAMES_IN_FLIGHT; i++) {
        sknFreeRetired(context, &context->slots[i]);
    }
    sknDestroyCrowds(context);
    sknDestroyScopes(gpu, &context->scopes);
    sknDestroyCpuBackend(&context->cpu);
    sknDestroyJobs(gpu, &context->jobs);
    sknFreeCommands(gpu->hostAllocator, &context->frames[0].commands);
    sknFreeCommands(gpu->hostAllocator, &context->frames[1].commands);
    sknDestroyUploads(gpu, &context->uploads);
    sknHostFree(gpu->hostAllocator, context->fills.instances);
    sknDestroyRing(gpu, &context->ring);
    sknDestroyPool(gpu, &context->outputPages);
    sknDestroyPool(gpu, &context->meshPages);
    if (context->crowdKernels != NULL) {
        sknDestroyCrowdKernels(gpu, context->crowdKernels);
        sknHostFree(gpu->hostAllocator, context->crowdKernels);
    }
    sknDestroyKernels(gpu, &context->kernels);
    sknDestroyDescriptors(gpu, &context->descriptors);
    sknDestroyHandles(&context->instances, gpu->hostAllocator);
    sknDestroyHandles(&context->outputBuffers, gpu->hostAllocator);
    for (uint32_t i = 0; i < context->meshes.capacity; i++) {
        sknForgetMesh(gpu, sknMesh(context, i));
    }
    sknDestroyHandles(&context->meshes, gpu->hostAllocator);
    sknHostFree(gpu->hostAllocator, context->written);
    destroyLocks(context);
    /* The allocator's struct is in the memory that is freed last, so copy it first. */
    Gpu last;
    sknMoveGpu(&last, gpu);
    sknHostFree(last.hostAllocator, context);
}

/* ---- Context, meshes and kernels in one call ---- */

static VkskinResult createMeshes(VkskinContext context, const VkskinMeshDef *defs, uint32_t count, VkskinMesh *meshes) {
    VkskinResult warning = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        VkskinResult result = vkskinCreateMesh(context, &defs[i], &meshes[i]);
        if (result < 0) {
            return result;
        }
        warning = result > warning ? result : warning;
    }
    return warning;
}

static VkskinResult createKernels(VkskinContext context, const VkskinMesh *meshes, uint32_t count, uint32_t methods) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = methods;
    def.meshes = meshes;
    def.meshCount = count;
    return vkskinCreatePipelines(context, &def);
}

static VkskinResult fill(VkskinContext context, const VkskinMeshDef *meshDefs, uint32_t count, uint32_t methods,
                         VkskinMesh *meshes) {
    VkskinResult result = VKSKIN_SUCCESS;
    if (count > 0) {
        result = sknNeedArgument(context, "vkskinOpen", "meshDefs", meshDefs);
    }
    if (count > 0 && result >= 0) {
        result = sknNeedArgument(context, "vkskinOpen", "meshes", meshes);
    }
    if (result >= 0) {
        result = createMeshes(context, meshDefs, count, meshes);
    }
    VkskinResult kernels = result >= 0 ? createKernels(context, meshes, count, methods) : result;
    return kernels < 0 ? kernels : result;
}

VkskinResult vkskinOpen(const VkskinContextDef *contextDef, const VkskinMeshDef *meshDefs, uint32_t meshCount,
                        uint32_t methods, VkskinContext *context, VkskinMesh *meshes) {
    for (uint32_t i = 0; meshes != NULL && i < meshCount; i++) {
        meshes[i] = VKSKIN_NULL_MESH;
    }
    VkskinResult result = vkskinCreateContext(contextDef, context);
    if (result < 0) {
        return result;
    }
    result = fill(*context, meshDefs, meshCount, methods, meshes);
    if (result < 0) {
        vkskinDestroyContext(*context);
        *context = NULL;
        for (uint32_t i = 0; meshes != NULL && i < meshCount; i++) {
            meshes[i] = VKSKIN_NULL_MESH;
        }
    }
    return result;
}
