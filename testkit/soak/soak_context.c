/* The context of a soak, with random settings, and its frames in flight. */
#include <inttypes.h>
#include <stdio.h>

#include "soak_parts.h"

#define POOL_THREADS 3u

/* ---- Frames in flight ---- */

static bool check(VkResult result, const char *call, EngineError *error) {
    return engineVulkan(error, call, result);
}

static bool createGate(Device *device, VkSemaphore *gate, EngineError *error) {
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    return check(vkCreateSemaphore(device->handle, &info, NULL, gate), "vkCreateSemaphore", error);
}

static bool createSlot(Device *device, SoakSlot *slot, EngineError *error) {
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = device->family};
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (!check(vkCreateCommandPool(device->handle, &pool, NULL, &slot->pool), "vkCreateCommandPool", error)) {
        return false;
    }
    buffer.commandPool = slot->pool;
    return check(vkAllocateCommandBuffers(device->handle, &buffer, &slot->commandBuffer), "vkAllocateCommandBuffers",
                 error) &&
           check(vkCreateFence(device->handle, &fence, NULL, &slot->fence), "vkCreateFence", error) &&
           createGate(device, &slot->gate, error) &&
           bufferCreate(device, SOAK_READBACK_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "soak readback",
                        &slot->readback, error);
}

bool soakFramesCreate(Device *device, SoakFrames *frames, EngineError *error) {
    *frames = (SoakFrames){.device = device};
    bool good = true;
    for (uint32_t i = 0; good && i < SOAK_MAX_FRAMES; i++) {
        good = createSlot(device, &frames->slots[i], error);
    }
    if (!good) {
        soakFramesDestroy(frames);
    }
    return good;
}

static bool openOne(SoakFrames *frames, uint64_t submission, EngineError *error) {
    for (uint32_t i = 0; i < SOAK_MAX_FRAMES; i++) {
        if (frames->slots[i].submission == submission) {
            VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                            .semaphore = frames->slots[i].gate,
                                            .value = submission};
            return check(vkSignalSemaphore(frames->device->handle, &signal), "vkSignalSemaphore", error);
        }
    }
    return true;
}

/* Opens the gates of all submissions up to this one. */
static bool openGate(SoakFrames *frames, uint64_t submission, EngineError *error) {
    bool good = true;
    while (good && frames->opened < submission) {
        good = openOne(frames, ++frames->opened, error);
    }
    return good;
}

void soakFramesDestroy(SoakFrames *frames) {
    if (frames->device == NULL) {
        return;
    }
    VkDevice device = frames->device->handle;
    EngineError ignored; /* also of a lost device */
    if (openGate(frames, frames->submitted, &ignored)) {
        vkDeviceWaitIdle(device);
    }
    for (uint32_t i = 0; i < SOAK_MAX_FRAMES; i++) {
        bufferDestroy(frames->device, &frames->slots[i].readback);
        vkDestroyFence(device, frames->slots[i].fence, NULL);
        vkDestroySemaphore(device, frames->slots[i].gate, NULL);
        vkDestroyCommandPool(device, frames->slots[i].pool, NULL);
    }
    *frames = (SoakFrames){0};
}

bool soakFramesWait(SoakFrames *frames, uint32_t slot, EngineError *error) {
    SoakSlot *waited = &frames->slots[slot];
    VkDevice device = frames->device->handle;
    if (waited->submission == 0) {
        return true;
    }
    bool good = openGate(frames, waited->submission, error) &&
                check(vkWaitForFences(device, 1, &waited->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences", error) &&
                check(vkResetFences(device, 1, &waited->fence), "vkResetFences", error);
    waited->submission = 0;
    return good;
}

bool soakFramesRecord(SoakFrames *frames, uint32_t slot, EngineError *error) {
    const SoakSlot *recorded = &frames->slots[slot];
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    return check(vkResetCommandPool(frames->device->handle, recorded->pool, 0), "vkResetCommandPool", error) &&
           check(vkBeginCommandBuffer(recorded->commandBuffer, &info), "vkBeginCommandBuffer", error);
}

static bool submit(SoakFrames *frames, SoakSlot *slot, EngineError *error) {
    VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                  .semaphore = slot->gate,
                                  .value = frames->submitted + 1,
                                  .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = slot->commandBuffer};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = 1,
                          .pWaitSemaphoreInfos = &wait,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &commands};
    if (!check(vkQueueSubmit2(frames->device->queue, 1, &info, slot->fence), "vkQueueSubmit2", error)) {
        return false;
    }
    slot->submission = ++frames->submitted;
    return true;
}

bool soakFramesSubmit(SoakFrames *frames, uint32_t slot, uint64_t lag, EngineError *error) {
    SoakSlot *submitted = &frames->slots[slot];
    return check(vkEndCommandBuffer(submitted->commandBuffer), "vkEndCommandBuffer", error) &&
           submit(frames, submitted, error) &&
           (lag >= frames->submitted || openGate(frames, frames->submitted - lag, error));
}

/* ---- The context ---- */

static void keepMessage(void *user, VkskinResult result, const char *message) {
    SoakContext *context = user;
    (void)result;
    snprintf(context->message, sizeof context->message, "%s", message);
}

bool soakContextCheck(SoakContext *context, const char *call, VkskinResult result, EngineError *error) {
    return result >= 0 || engineFail(error, "%s: %s (%s)", call, context->message, vkskinResultName(result));
}

/* Linear blending; in three of four contexts maybe another method. */
static SoakKinds randomKinds(Random *random) {
    SoakKinds kinds = {.methods = VKSKIN_METHOD_LINEAR_BLEND_BIT};
    if (randomBelow(random, 4) > 0) {
        kinds.methods |= VKSKIN_METHOD_BIT(randomBelow(random, VKSKIN_METHOD_COUNT));
    }
    kinds.quaternions = randomBelow(random, 4) == 0;
    kinds.morphs = randomBelow(random, 3) == 0;
    kinds.vectors = randomBelow(random, 3);
    kinds.format = (VkskinVertexFormat)randomBelow(random, VKSKIN_VERTEX_FORMAT_COUNT);
    kinds.normals = randomBelow(random, 3) == 0 ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
    return kinds;
}

/* Pages and palette rings are small, so that they fill. */
static VkskinContextDef randomDef(const Device *device, Random *random, SoakContext *context) {
    static const VkDeviceSize PAGES[] = {64u << 10, 64u << 10, 128u << 10, 256u << 10, 1u << 20};
    static const VkDeviceSize RINGS[] = {16u << 10, 64u << 10, 128u << 10, 256u << 10};
    VkskinContextDef def = vkskinDefaultContextDef();
    context->framesInFlight = 1 + randomBelow(random, SOAK_MAX_FRAMES);
    context->regions = 1 + randomBelow(random, context->framesInFlight);
    context->hostBarriers = randomBelow(random, 4) == 0;
    context->kinds = randomKinds(random);
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
        return soakContextCheck(context, "vkskinCreateContext", result, error);
    }
    context->backend = stats.backend;
    context->slot = context->framesInFlight - 1; /* the first frame has slot 0 */
    return true;
}

bool soakContextKernels(SoakContext *context, VkskinMesh mesh, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = context->kinds.methods;
    for (uint32_t m = 0; m < VKSKIN_METHOD_COUNT; m++) {
        bool used = (def.methods & VKSKIN_METHOD_BIT(m)) != 0;
        def.encodings |= used ? VKSKIN_PALETTE_BIT(vkskinMethodEncoding((VkskinMethod)m)) : 0;
    }
    def.encodings |= context->kinds.quaternions ? VKSKIN_PALETTE_QUATERNION_BIT : 0;
    def.meshes = &mesh;
    def.meshCount = 1;
    VkskinResult result = vkskinCreatePipelines(context->handle, &def);
    return soakContextCheck(context, "vkskinCreatePipelines", result, error);
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

static void fullBarrier(VkCommandBuffer commandBuffer) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

bool soakContextRecord(SoakContext *context, VkCommandBuffer commandBuffer, EngineError *error) {
    if (!context->hostBarriers) {
        return soakContextCheck(context, "vkskinRecordSkinning", vkskinRecordSkinning(context->handle, commandBuffer),
                                error);
    }
    fullBarrier(commandBuffer);
    VkskinResult uploaded = vkskinRecordUploads(context->handle, commandBuffer);
    fullBarrier(commandBuffer);
    VkskinResult skinned = vkskinRecordSkinning(context->handle, commandBuffer);
    fullBarrier(commandBuffer);
    return soakContextCheck(context, "vkskinRecordUploads", uploaded, error) &&
           soakContextCheck(context, "vkskinRecordSkinning", skinned, error);
}
