/* The context of a soak, with random settings, and its frames in flight. */
#include <inttypes.h>
#include <stdio.h>

#include "count_of.h"
#include "soak_parts.h"

#define POOL_THREADS 3u

/* ---- Frames in flight ---- */

static void createSlot(Device *device, SoakSlot *slot) {
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = device->family};
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo gate = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    EngineError error;
    soakCheckVulkan("vkCreateCommandPool", vkCreateCommandPool(device->handle, &pool, NULL, &slot->pool));
    buffer.commandPool = slot->pool;
    soakCheckVulkan("vkAllocateCommandBuffers",
                    vkAllocateCommandBuffers(device->handle, &buffer, &slot->commandBuffer));
    soakCheckVulkan("vkCreateFence", vkCreateFence(device->handle, &fence, NULL, &slot->fence));
    soakCheckVulkan("vkCreateSemaphore", vkCreateSemaphore(device->handle, &gate, NULL, &slot->gate));
    if (!bufferCreate(device, SOAK_READBACK_BYTES + SOAK_CROWD_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK,
                      "soak readback", &slot->readback, &error)) {
        soakFail("%s", error.message);
    }
}

void soakFramesCreate(Device *device, SoakFrames *frames) {
    *frames = (SoakFrames){.device = device};
    for (uint32_t i = 0; i < SOAK_MAX_FRAMES; i++) {
        createSlot(device, &frames->slots[i]);
    }
}

/* Opens the gates of all submissions up to this one. */
static VkResult openGates(SoakFrames *frames, uint64_t submission) {
    VkResult result = VK_SUCCESS;
    while (result == VK_SUCCESS && frames->opened < submission) {
        frames->opened++;
        for (uint32_t i = 0; result == VK_SUCCESS && i < SOAK_MAX_FRAMES; i++) {
            VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                            .semaphore = frames->slots[i].gate,
                                            .value = frames->opened};
            if (frames->slots[i].submission == frames->opened) {
                result = vkSignalSemaphore(frames->device->handle, &signal);
            }
        }
    }
    return result;
}

void soakFramesDestroy(SoakFrames *frames) {
    if (frames->device == NULL) {
        return;
    }
    VkDevice device = frames->device->handle;
    if (openGates(frames, frames->submitted) == VK_SUCCESS) { /* not if the device is lost */
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

void soakFramesWait(SoakFrames *frames, uint32_t slot) {
    SoakSlot *waited = &frames->slots[slot];
    VkDevice device = frames->device->handle;
    if (waited->submission > 0) {
        soakCheckVulkan("vkSignalSemaphore", openGates(frames, waited->submission));
        soakCheckVulkan("vkWaitForFences", vkWaitForFences(device, 1, &waited->fence, VK_TRUE, UINT64_MAX));
        soakCheckVulkan("vkResetFences", vkResetFences(device, 1, &waited->fence));
        waited->submission = 0;
    }
}

void soakFramesRecord(SoakFrames *frames, uint32_t slot) {
    const SoakSlot *recorded = &frames->slots[slot];
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    soakCheckVulkan("vkResetCommandPool", vkResetCommandPool(frames->device->handle, recorded->pool, 0));
    soakCheckVulkan("vkBeginCommandBuffer", vkBeginCommandBuffer(recorded->commandBuffer, &info));
}

void soakFramesSubmit(SoakFrames *frames, uint32_t slot, uint64_t lag) {
    SoakSlot *submitted = &frames->slots[slot];
    VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                  .semaphore = submitted->gate,
                                  .value = frames->submitted + 1,
                                  .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = submitted->commandBuffer};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = 1,
                          .pWaitSemaphoreInfos = &wait,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &commands};
    soakCheckVulkan("vkEndCommandBuffer", vkEndCommandBuffer(submitted->commandBuffer));
    soakCheckVulkan("vkQueueSubmit2", vkQueueSubmit2(frames->device->queue, 1, &info, submitted->fence));
    submitted->submission = ++frames->submitted;
    if (lag < frames->submitted) {
        soakCheckVulkan("vkSignalSemaphore", openGates(frames, frames->submitted - lag));
    }
}

/* ---- The context ---- */

static void keepMessage(void *user, VkskinResult result, const char *message) {
    SoakContext *context = user;
    (void)result;
    snprintf(context->message, sizeof context->message, "%s", message);
}

void soakContextCheck(const SoakContext *context, const char *call, VkskinResult result) {
    if (result < 0) {
        soakFail("%s: %s (%s)", call, context->message, vkskinResultName(result));
    }
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

/*
 * Validation reports a hazard between instances that write different parts of one region, unless skinning waits for the
 * frame before: see outputRegions in vkskin.h.
 */
static void chooseFrames(Random *random, const SoakDef *soak, bool first, SoakContext *context) {
    context->framesInFlight = 1 + randomBelow(random, SOAK_MAX_FRAMES);
    context->framesInFlight += first && context->framesInFlight == 1;
    bool waits = soak->validated && context->framesInFlight > 1;
    context->regions = 1 + randomBelow(random, context->framesInFlight - (waits ? 1 : 0));
}

/* Pages and palette rings are small, so that they fill. first: of the soak; it has several frames in flight, barriers of
 * the library, a ring that fills, and no copies of palettes, whose barriers would order frames too. */
static VkskinContextDef randomDef(const Device *device, Random *random, const SoakDef *soak, bool first,
                                  SoakContext *context) {
    static const VkDeviceSize PAGES[] = {64u << 10, 64u << 10, 128u << 10, 256u << 10, 1u << 20};
    static const VkDeviceSize RINGS[] = {16u << 10, 64u << 10, 128u << 10, 256u << 10};
    VkskinContextDef def = vkskinDefaultContextDef();
    chooseFrames(random, soak, first, context);
    context->hostBarriers = randomBelow(random, 4) == 0 && !first;
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
    def.paletteMemory =
        randomBelow(random, 2) == 0 || first ? VKSKIN_PALETTE_MEMORY_AUTO : VKSKIN_PALETTE_MEMORY_STAGED;
    def.paletteBinding = randomBelow(random, 2) == 0 ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    def.pageSize = PAGES[randomBelow(random, COUNT_OF(PAGES))];
    uint32_t ring = randomBelow(random, COUNT_OF(RINGS));
    def.paletteBytesPerFrame = RINGS[first ? 0 : ring];
    def.maxPaletteBytesPerFrame = 0;
    def.maxInstances = SOAK_MAX_INSTANCES;
    if (ring % 2 == 1 && !first) { /* every frame may grow */
        def.firstPageSize = PAGES[0];
        def.paletteBytesPerFrame = 48;
        def.maxPaletteBytesPerFrame = RINGS[COUNT_OF(RINGS) - 1];
        def.initialInstances = 1;
        def.initialMorphWeights = 0;
    }
    def.maxTimingScopes = randomBelow(random, 2) * 8;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    def.consumerStages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess |= VK_ACCESS_TRANSFER_READ_BIT;
    return def;
}

void soakContextCreate(Device *device, Random *random, const SoakDef *soak, bool first, HostMemory *memory,
                       SoakContext *context) {
    VkAllocationCallbacks allocator = hostMemoryCallbacks(memory);
    VkskinVulkanFunctions functions = soakObjectsFunctions();
    *context = (SoakContext){.device = device, .memory = memory};
    VkskinContextDef def = randomDef(device, random, soak, first, context);
    def.allocator = &allocator;
    def.functions = &functions;
    def.backend = soak->backend;
    if (soak->backend != VKSKIN_BACKEND_COMPUTE) {
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
    soakContextCheck(context, "vkskinCreateContext", result);
    context->backend = stats.backend;
    context->slot = context->framesInFlight - 1; /* the first frame has slot 0 */
}

void soakContextKernels(SoakContext *context, VkskinMesh mesh) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = context->kinds.methods;
    for (uint32_t m = 0; m < VKSKIN_METHOD_COUNT; m++) {
        bool used = (def.methods & VKSKIN_METHOD_BIT(m)) != 0;
        def.encodings |= used ? VKSKIN_PALETTE_BIT(vkskinMethodEncoding((VkskinMethod)m)) : 0;
    }
    def.encodings |= context->kinds.quaternions ? VKSKIN_PALETTE_QUATERNION_BIT : 0;
    def.meshes = &mesh;
    def.meshCount = 1;
    soakContextCheck(context, "vkskinCreatePipelines", vkskinCreatePipelines(context->handle, &def));
}

void soakContextDestroy(SoakContext *context) {
    vkskinDestroyContext(context->handle);
    context->handle = NULL;
    parallelEnd(&context->pool);
    soakBuffersDestroy(context);
    uint64_t bytes = atomic_load(&context->memory->bytes), blocks = atomic_load(&context->memory->blocks);
    uint64_t objects = soakObjectsAlive();
    if (bytes > 0 || blocks > 0) {
        soakFail("a destroyed context left %" PRIu64 " bytes of host memory in %" PRIu64 " blocks", bytes, blocks);
    }
    if (objects > 0) {
        soakFail("a destroyed context left %" PRIu64 " objects of the driver", objects);
    }
}

void soakContextBarrier(const SoakContext *context, VkCommandBuffer commandBuffer) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    if (context->hostBarriers) {
        vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                             1, &barrier, 0, NULL, 0, NULL);
    }
}

void soakContextUploads(const SoakContext *context, VkCommandBuffer commandBuffer) {
    if (context->hostBarriers) {
        soakContextBarrier(context, commandBuffer);
        soakContextCheck(context, "vkskinRecordUploads", vkskinRecordUploads(context->handle, commandBuffer));
        soakContextBarrier(context, commandBuffer);
    }
}

void soakContextRecord(SoakContext *context, VkCommandBuffer commandBuffer) {
    soakContextUploads(context, commandBuffer);
    soakContextCheck(context, "vkskinRecordSkinning", vkskinRecordSkinning(context->handle, commandBuffer));
    soakContextBarrier(context, commandBuffer);
}
