/* The context of a world, with random settings. */
#include <inttypes.h>
#include <stdio.h>

#include "count_of.h"
#include "world.h"

#define POOL_THREADS 3u

static void keepMessage(void *user, VkskinResult result, const char *message) {
    WorldContext *context = user;
    (void)result;
    snprintf(context->message, sizeof context->message, "%s", message);
}

void worldContextCheck(const WorldContext *context, const char *call, VkskinResult result) {
    if (result < 0) {
        worldFail("%s: %s (%s)", call, context->message, vkskinResultName(result));
    }
}

/* ---- Kinds ---- */

/* One that flat meshes cannot have. */
static WorldWay randomWay(Random *random) {
    WorldWay way;
    do {
        way = (WorldWay){(VkskinMethod)randomBelow(random, VKSKIN_METHOD_COUNT),
                         (VkskinPaletteEncoding)randomBelow(random, VKSKIN_PALETTE_ENCODING_COUNT)};
    } while (!vkskinMethodReads(way.method, way.encoding) || way.encoding == VKSKIN_PALETTE_MAT2X3);
    return way;
}

static uint32_t randomWorkgroup(Random *random, const VkPhysicalDeviceLimits *limits) {
    const uint32_t most = limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
                              ? limits->maxComputeWorkGroupInvocations
                              : limits->maxComputeWorkGroupSize[0];
    const uint32_t sizes[] = {0, 32, 64, 96, 128, 256, most / 32 * 32};
    return sizes[randomBelow(random, COUNT_OF(sizes))];
}

static WorldKinds randomKinds(const WorldHost *host, Random *random) {
    static const uint32_t perThread[] = {0, 1, 4, 16, 64};
    WorldKinds kinds = {.ways[0] = {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4}};
    kinds.ways[0] = randomBelow(random, 2) == 0 ? randomWay(random) : kinds.ways[0];
    kinds.ways[1] = randomBelow(random, 3) > 0 && !host->simple ? randomWay(random) : kinds.ways[0];
    if (host->dense || randomBelow(random, 4) == 0) { /* more kernels to compile */
        kinds.instancesPerThread = perThread[randomBelow(random, COUNT_OF(perThread))];
        kinds.workgroupSize = randomWorkgroup(random, &host->device->limits);
    }
    kinds.binding = randomBelow(random, 2) == 0 ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    if (!host->simple) {
        kinds.flat = randomBelow(random, 4) == 0;
        kinds.morphs = randomBelow(random, 3) == 0;
        kinds.vectors = randomBelow(random, 3);
        kinds.format = (VkskinVertexFormat)randomBelow(random, VKSKIN_VERTEX_FORMAT_COUNT);
        kinds.normals = randomBelow(random, 3) == 0 ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
    }
    return kinds;
}

/* Shared kinds change in turn, so that a short run has each. */
static WorldKinds chooseKinds(const WorldHost *host, Random *random) {
    Random shared = {host->kindsSeed};
    WorldKinds kinds = randomKinds(host, host->kindsSeed != 0 ? &shared : random);
    if (host->kindsSeed != 0 && !host->simple) {
        kinds.morphs = host->kindsSeed % 2 == 1;
        kinds.flat = host->kindsSeed % 4 >= 2;
        kinds.binding = host->kindsSeed % 3 == 0 ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    }
    return kinds;
}

/* ---- Sizes ---- */

/*
 * Validation reports a hazard between instances that write different parts of one region, unless skinning waits for the
 * frame before: see outputRegions in vkskin.h.
 */
static void chooseFrames(const WorldHost *host, Random *random, bool first, WorldContext *context) {
    context->framesInFlight = 1 + randomBelow(random, WORLD_MAX_FRAMES);
    context->framesInFlight += first && context->framesInFlight == 1;
    bool waits = host->validated && context->framesInFlight > 1;
    context->regions = 1 + randomBelow(random, context->framesInFlight - (waits ? 1 : 0));
}

/* Pages and palette rings are small, so that they fill. Dense worlds have odd sizes, and one in sixteen has palettes of more
 * bones than 16 bits can index. */
static void chooseSizes(const WorldHost *host, Random *random, bool first, VkskinContextDef *def) {
    static const VkDeviceSize PAGES[] = {64u << 10, 64u << 10, 128u << 10, 256u << 10, 1u << 20};
    static const VkDeviceSize RINGS[] = {16u << 10, 64u << 10, 128u << 10, 256u << 10};
    const uint32_t ring = randomBelow(random, COUNT_OF(RINGS));
    def->memory.pageSize = PAGES[randomBelow(random, COUNT_OF(PAGES))];
    def->memory.paletteBytesPerFrame = RINGS[first ? 0 : ring];
    def->memory.maxPaletteBytesPerFrame = 0;
    if (host->dense) {
        const bool large = randomBelow(random, 16) == 0;
        def->memory.pageSize = large ? 4u << 20 : (64u << 10) + 16 * randomBelow(random, 4096);
        def->memory.paletteBytesPerFrame = large ? 70000u * 48u : 1000 + randomBelow(random, 200000);
    } else if (ring % 2 == 1 && !first) { /* every frame may grow */
        def->memory.firstPageSize = PAGES[0];
        def->memory.paletteBytesPerFrame = 48;
        def->memory.maxPaletteBytesPerFrame = RINGS[COUNT_OF(RINGS) - 1];
        def->memory.initialInstances = 1;
        def->memory.initialMorphWeights = 0;
    }
}

/* The largest palette has one page; a page of texels may be smaller than asked. */
static void measureRing(const VkskinContextDef *def, WorldContext *context) {
    const VkDeviceSize texels = context->host->device->limits.maxTexelBufferElements * (VkDeviceSize)16;
    const bool cut = def->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS && texels < def->memory.pageSize;
    const VkDeviceSize page = cut ? texels : def->memory.pageSize / 16 * 16;
    const bool grows = def->memory.maxPaletteBytesPerFrame > 0;
    VkDeviceSize most = (grows ? def->memory.firstPageSize : def->memory.paletteBytesPerFrame) / 16 * 16;
    context->ring = (WorldRing){.fixed = !grows, .pageSize = page, .size = def->memory.paletteBytesPerFrame};
    most = most < page ? most : page;
    context->maxBones = (uint32_t)(most / vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4));
    for (uint32_t i = 0; i < WORLD_WAYS; i++) {
        const uint32_t bones = (uint32_t)(most / vkskinPaletteStride(context->kinds.ways[i].encoding));
        context->maxBones = bones < context->maxBones ? bones : context->maxBones;
    }
}

/* first: no copies of palettes, whose barriers would order frames too. */
static VkskinContextDef randomDef(const WorldHost *host, Random *random, bool first, WorldContext *context) {
    const Device *device = host->device;
    VkskinContextDef def = vkskinDefaultContextDef();
    chooseFrames(host, random, first, context);
    context->hostBarriers = randomBelow(random, 4) == 0 && !first;
    context->kinds = chooseKinds(host, random);
    context->maxInstances = randomBelow(random, 4) > 0 ? 48 : 1 + randomBelow(random, WORLD_MAX_INSTANCES);
    def.instance = device->instance;
    def.physicalDevice = device->physical;
    def.device = device->handle;
    def.getInstanceProcAddr = vkGetInstanceProcAddr;
    def.getDeviceProcAddr = vkGetDeviceProcAddr;
    def.logger = (VkskinLogger){keepMessage, context};
    def.debugUtils = device->debugUtils;
    def.computeQueueFamily = device->family;
    def.framesInFlight = context->framesInFlight;
    def.outputRegions = context->regions;
    def.barriers = context->hostBarriers ? VKSKIN_BARRIERS_HOST : VKSKIN_BARRIERS_RECORDED;
    def.memory.palettes =
        randomBelow(random, 2) == 0 || first ? VKSKIN_PALETTE_MEMORY_AUTO : VKSKIN_PALETTE_MEMORY_STAGED;
    def.paletteBinding = context->kinds.binding;
    chooseSizes(host, random, first, &def);
    def.memory.maxInstances = context->maxInstances;
    def.maxTimingScopes = randomBelow(random, 2) * 8;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    def.consumerStages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess |= VK_ACCESS_TRANSFER_READ_BIT;
    return def;
}

/* ---- The context ---- */

void worldContextCreate(const WorldHost *host, Random *random, bool first, WorldContext *context) {
    *context = (WorldContext){.host = host};
    VkskinContextDef def = randomDef(host, random, first, context);
    const VkAllocationCallbacks allocator =
        host->counted != NULL ? hostMemoryCallbacks(host->counted) : (VkAllocationCallbacks){0};
    def.allocator = host->counted != NULL ? &allocator : NULL;
    def.functions = &host->functions;
    def.memory.callbacks = host->memory;
    def.backend = host->backend;
    measureRing(&def, context);
    if (host->backend != VKSKIN_BACKEND_COMPUTE) {
        parallelBegin(&context->pool, POOL_THREADS);
        def.cpu = (VkskinCpuRun){.parallel = parallelRun, .parallelUser = &context->pool};
    }
    VkskinStats stats = {0};
    VkskinResult result = vkskinCreateContext(&def, &context->handle);
    if (result >= 0) {
        result = vkskinGetStats(context->handle, &stats);
    }
    if (result < 0) {
        vkskinDestroyContext(context->handle);
        context->handle = NULL;
        parallelEnd(&context->pool);
    }
    worldContextCheck(context, "vkskinCreateContext", result);
    context->backend = stats.backend;
    context->slot = context->framesInFlight - 1; /* the first frame has slot 0 */
}

void worldContextKernels(WorldContext *context, VkskinMesh mesh) {
    const WorldKinds *kinds = &context->kinds;
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = 0;
    for (uint32_t i = 0; i < WORLD_WAYS; i++) {
        def.methods |= VKSKIN_METHOD_BIT(kinds->ways[i].method);
        def.encodings |= VKSKIN_PALETTE_BIT(kinds->ways[i].encoding);
    }
    def.meshes = &mesh;
    def.meshCount = 1;
    def.cache = context->host->cache;
    def.instancesPerThread = kinds->instancesPerThread;
    def.workgroupSize = kinds->workgroupSize;
    worldContextCheck(context, "vkskinCreatePipelines", vkskinCreatePipelines(context->handle, &def));
}

static void checkLeft(const WorldHost *host) {
    const uint64_t bytes = host->counted != NULL ? atomic_load(&host->counted->bytes) : 0;
    const uint64_t blocks = host->counted != NULL ? atomic_load(&host->counted->blocks) : 0;
    const uint64_t objects = host->objectsAlive != NULL ? host->objectsAlive() : 0;
    if (bytes > 0 || blocks > 0) {
        worldFail("a destroyed context left %" PRIu64 " bytes of host memory in %" PRIu64 " blocks", bytes, blocks);
    }
    if (objects > 0) {
        worldFail("a destroyed context left %" PRIu64 " objects of the driver", objects);
    }
}

void worldContextDestroy(WorldContext *context) {
    vkskinDestroyContext(context->handle);
    context->handle = NULL;
    parallelEnd(&context->pool);
    worldBuffersDestroy(context);
    checkLeft(context->host);
}

void worldContextBarrier(const WorldContext *context, VkCommandBuffer commandBuffer) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    if (context->hostBarriers) {
        vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                             1, &barrier, 0, NULL, 0, NULL);
    }
}

void worldContextUploads(const WorldContext *context, VkCommandBuffer commandBuffer) {
    if (context->hostBarriers) {
        worldContextBarrier(context, commandBuffer);
        worldContextCheck(context, "vkskinRecordUploads", vkskinRecordUploads(context->handle, commandBuffer));
        worldContextBarrier(context, commandBuffer);
    }
}
