#include "soak_context.h"

#include <inttypes.h>
#include <stdio.h>

#include "soak_frames.h"
#include "soak_objects.h"

#define POOL_THREADS 3u

static void keepMessage(void *user, VkskinResult result, const char *message) {
    SoakContext *context = user;
    (void)result;
    snprintf(context->message, sizeof context->message, "%s", message);
}

bool soakContextFail(SoakContext *context, const char *call, VkskinResult result, EngineError *error) {
    return engineFail(error, "%s: %s (%s)", call, context->message, vkskinResultName(result));
}

/* Linear blending, and in three contexts of four another method. */
static SoakWays randomWays(Random *random) {
    SoakWays ways = {.methods = VKSKIN_METHOD_LINEAR_BLEND_BIT};
    if (randomBelow(random, 4) > 0) {
        ways.methods |= VKSKIN_METHOD_BIT(randomBelow(random, VKSKIN_METHOD_COUNT));
    }
    ways.quaternions = randomBelow(random, 4) == 0;
    ways.morphs = randomBelow(random, 3) == 0;
    ways.vectors = randomBelow(random, 3);
    ways.format = (VkskinVertexFormat)randomBelow(random, VKSKIN_VERTEX_FORMAT_COUNT);
    ways.normals = randomBelow(random, 3) == 0 ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
    return ways;
}

/* Small pages and rings, so that they fill. */
static VkskinContextDef randomDef(const Device *device, Random *random, SoakContext *context) {
    static const VkDeviceSize PAGES[] = {64u << 10, 64u << 10, 128u << 10, 256u << 10, 1u << 20};
    static const VkDeviceSize RINGS[] = {16u << 10, 64u << 10, 128u << 10, 256u << 10};
    VkskinContextDef def = vkskinDefaultContextDef();
    context->framesInFlight = 1 + randomBelow(random, SOAK_MAX_FRAMES);
    context->regions = 1 + randomBelow(random, context->framesInFlight);
    context->hostBarriers = randomBelow(random, 4) == 0;
    context->ways = randomWays(random);
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
    def.paletteMemory = randomBelow(random, 2) == 0 ? VKSKIN_PALETTE_MEMORY_AUTO : VKSKIN_PALETTE_MEMORY_STAGED;
    def.paletteBinding = randomBelow(random, 2) == 0 ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    def.pageSize = PAGES[randomBelow(random, sizeof PAGES / sizeof PAGES[0])];
    def.paletteBytesPerFrame = RINGS[randomBelow(random, sizeof RINGS / sizeof RINGS[0])];
    def.maxInstances = SOAK_MAX_INSTANCES;
    def.maxTimingScopes = randomBelow(random, 2) * 8;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    def.consumerStages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess |= VK_ACCESS_TRANSFER_READ_BIT;
    return def;
}

bool soakContextCreate(Device *device, Random *random, VkskinBackend backend, SoakMemory *memory, SoakContext *context,
                       EngineError *error) {
    VkAllocationCallbacks allocator = soakMemoryCallbacks(memory);
    VkskinVulkanFunctions functions = soakObjectsFunctions();
    *context = (SoakContext){.memory = memory};
    VkskinContextDef def = randomDef(device, random, context);
    def.allocator = &allocator;
    def.functions = &functions;
    def.backend = backend;
    if (backend != VKSKIN_BACKEND_COMPUTE) {
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
        return soakContextFail(context, "vkskinCreateContext", result, error);
    }
    context->backend = stats.backend;
    context->slot = context->framesInFlight - 1; /* the first frame takes slot 0 */
    return true;
}

bool soakContextKernels(SoakContext *context, VkskinMesh mesh, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = context->ways.methods;
    for (uint32_t m = 0; m < VKSKIN_METHOD_COUNT; m++) {
        bool used = (def.methods & VKSKIN_METHOD_BIT(m)) != 0;
        def.encodings |= used ? VKSKIN_PALETTE_BIT(vkskinMethodEncoding((VkskinMethod)m)) : 0;
    }
    def.encodings |= context->ways.quaternions ? VKSKIN_PALETTE_QUATERNION_BIT : 0;
    def.meshes = &mesh;
    def.meshCount = 1;
    VkskinResult result = vkskinCreatePipelines(context->handle, &def);
    return result >= 0 || soakContextFail(context, "vkskinCreatePipelines", result, error);
}

bool soakContextDestroy(SoakContext *context, EngineError *error) {
    vkskinDestroyContext(context->handle);
    context->handle = NULL;
    parallelEnd(&context->pool);
    uint64_t bytes = atomic_load(&context->memory->bytes), blocks = atomic_load(&context->memory->blocks);
    uint64_t objects = soakObjectsAlive();
    if (bytes > 0 || blocks > 0) {
        return engineFail(error, "a destroyed context left %" PRIu64 " bytes of host memory in %" PRIu64 " blocks",
                          bytes, blocks);
    }
    return objects == 0 || engineFail(error, "a destroyed context left %" PRIu64 " objects of the driver", objects);
}

/* ---- Recording ---- */

static void fullBarrier(VkCommandBuffer commandBuffer) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

bool soakContextRecord(SoakContext *context, VkCommandBuffer commandBuffer, EngineError *error) {
    if (context->hostBarriers) {
        fullBarrier(commandBuffer);
        VkskinResult uploaded = vkskinRecordUploads(context->handle, commandBuffer);
        if (uploaded < 0) {
            return soakContextFail(context, "vkskinRecordUploads", uploaded, error);
        }
        fullBarrier(commandBuffer);
    }
    VkskinResult result = vkskinRecordSkinning(context->handle, commandBuffer);
    if (result < 0) {
        return soakContextFail(context, "vkskinRecordSkinning", result, error);
    }
    if (context->hostBarriers) {
        fullBarrier(commandBuffer);
    }
    return true;
}
