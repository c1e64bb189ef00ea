/*
 * async.c: skinning on a compute queue in parallel with drawing. If the device has a compute-only family, the output's
 * ownership is released there and acquired by the drawing queue. Otherwise the same code runs on one queue. A timeline
 * semaphore orders skinning and drawing. The output has one region per frame in flight, so skinning does not wait for
 * drawing. Device memory comes from the host; here from a bump allocator.
 */
#include "host.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 5, USES = 3 };

/* ---- Device memory: one block per use, filled from the front, freed at the end ---- */

static const VkDeviceSize blockSize = 16 << 20;

typedef struct Block {
    VkDeviceMemory memory; /* null until the first allocation */
    VkDeviceSize used;
    uint32_t type;
    char *mapped; /* null if the memory is not host-visible */
} Block;

typedef struct Arena {
    VkPhysicalDeviceMemoryProperties properties;
    VkDevice device;
    Block blocks[USES]; /* indexed by VkskinMemoryUse */
    uint32_t pieces;    /* allocated and not yet freed */
} Arena;

/* Finds the first allowed type that suits the use. Coherent memory, so that nonCoherentAtomSize has no effect. */
static uint32_t findType(const Arena *arena, uint32_t allowed, VkskinMemoryUse use, VkMemoryPropertyFlags *flags) {
    const VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags wishes[USES][2] = {{local, 0}, {local | visible, visible}, {visible, visible}};
    for (uint32_t i = 0; i < 2 * arena->properties.memoryTypeCount; i++) {
        uint32_t type = i % arena->properties.memoryTypeCount;
        VkMemoryPropertyFlags wish = wishes[use][i / arena->properties.memoryTypeCount];
        *flags = arena->properties.memoryTypes[type].propertyFlags;
        if ((allowed >> type & 1) != 0 && (*flags & wish) == wish) {
            return type;
        }
    }
    hostFail("async: no memory type for use %d", (int)use);
}

static VkResult openBlock(Arena *arena, Block *block, uint32_t allowed, VkskinMemoryUse use) {
    VkMemoryPropertyFlags flags;
    block->type = findType(arena, allowed, use, &flags);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = blockSize, .memoryTypeIndex = block->type};
    VkResult result = vkAllocateMemory(arena->device, &info, NULL, &block->memory);
    void *mapped = NULL;
    if (result == VK_SUCCESS && (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0) {
        result = vkMapMemory(arena->device, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    }
    block->mapped = mapped;
    return result;
}

static VkResult allocatePiece(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *piece) {
    Arena *arena = user;
    const VkMemoryRequirements *needs = &request->requirements;
    Block *block = &arena->blocks[request->use];
    VkResult result =
        block->memory != VK_NULL_HANDLE ? VK_SUCCESS : openBlock(arena, block, needs->memoryTypeBits, request->use);
    VkDeviceSize offset = (block->used + needs->alignment - 1) / needs->alignment * needs->alignment;
    if (result == VK_SUCCESS && (offset + needs->size > blockSize || (needs->memoryTypeBits >> block->type & 1) == 0)) {
        result = VK_ERROR_OUT_OF_DEVICE_MEMORY; /* larger hosts would open another block */
    }
    if (result == VK_SUCCESS) {
        block->used = offset + needs->size;
        arena->pieces++;
        *piece = (VkskinMemoryBlock){.memory = block->memory, .offset = offset, .size = needs->size};
        piece->memoryTypeIndex = block->type;
        piece->mapped = block->mapped != NULL ? block->mapped + offset : NULL;
    }
    return result;
}

static void freePiece(void *user, const VkskinMemoryBlock *piece) {
    (void)piece;
    ((Arena *)user)->pieces--;
}

static void destroyArena(Arena *arena) {
    if (arena->pieces != 0) {
        hostFail("async: %u pieces of device memory were not freed", (unsigned)arena->pieces);
    }
    for (int use = 0; use < USES; use++) {
        vkFreeMemory(arena->device, arena->blocks[use].memory, NULL);
    }
}

/* ---- Skinning on one queue, drawing on the other ---- */

static VkskinContext createContext(const Host *host, Arena *arena, VkskinInstance *instance) {
    VkskinMemoryCallbacks memory = {.allocate = allocatePiece, .free = freePiece, .user = arena};
    VkskinContextDef def = hostContextDef(host);
    def.computeQueueFamily = host->computeFamily;
    def.graphicsQueueFamily = host->family;
    def.framesInFlight = HOST_IN_FLIGHT;
    def.outputRegions = HOST_IN_FLIGHT;
    def.memory.callbacks = &memory;
    def.memory.pageSize = 1 << 20;
    def.memory.paletteBytesPerFrame = 1 << 16;
    def.outputUsage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT; /* this example reads back instead of drawing */
    def.consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess = VK_ACCESS_TRANSFER_READ_BIT;
    return hostOpenTriangle(&def, instance);
}

/* The bone moves the triangle along y by the frame number. */
static void recordSkinning(VkskinContext context, VkskinInstance instance, const HostFrames *frames,
                           VkCommandBuffer commands) {
    const float bone[3][4] = {{1, 0, 0, 0}, {0, 1, 0, (float)frames->frame}, {0, 0, 1, 0}};
    VkskinSkinCommand command = {.instance = instance, .method = VKSKIN_METHOD_LINEAR_BLEND};
    void *palette;
    HOST_SKIN(vkskinBeginFrame(context, frames->slot));
    HOST_SKIN(vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &palette));
    memcpy(palette, bone, sizeof bone);
    HOST_SKIN(vkskinSkinInstances(context, &command, 1, NULL));
    HOST_SKIN(vkskinRecordSkinning(context, commands));
    HOST_SKIN(vkskinRecordRelease(context, commands)); /* release and acquire record nothing if there is one family */
}

static void recordDrawing(VkskinContext context, VkskinInstance instance, const HostFrames *frames) {
    VkskinOutput output;
    HOST_SKIN(vkskinRecordAcquire(context, frames->commands));
    HOST_SKIN(vkskinGetOutput(context, instance, &output));
    hostRecordReadback(frames, &output);
}

static void check(unsigned frame, const void *bytes) {
    const float(*skinned)[3] = bytes;
    const float expected[3] = {1, (float)frame, 0}; /* (1, 0, 0), moved */
    hostCheckPosition("vertex 1", frame, skinned[1], expected);
}

static VkSemaphore createTimeline(const Host *host) {
    VkSemaphoreTypeCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                          .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &timeline};
    VkSemaphore made;
    HOST_VK(vkCreateSemaphore(host->device, &info, NULL, &made));
    return made;
}

int main(void) {
    const VkPhysicalDeviceTimelineSemaphoreFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, .timelineSemaphore = VK_TRUE};
    Host host;
    hostOpen(&host, "async", &features);
    Arena arena = {.device = host.device};
    vkGetPhysicalDeviceMemoryProperties(host.physicalDevice, &arena.properties);
    VkskinInstance instance;
    VkskinContext context = createContext(&host, &arena, &instance);
    printf("skinning on queue family %u, drawing on %u%s\n", (unsigned)host.computeFamily, (unsigned)host.family,
           host.computeFamily == host.family ? ": the device has no other, so nothing changes hands" : "");

    VkSemaphore skinned = createTimeline(&host); /* value: number of skinned frames */
    HostSlot computes[HOST_IN_FLIGHT] = {hostSlotCreate(&host, host.computeFamily),
                                         hostSlotCreate(&host, host.computeFamily)};
    HostFrames frames = hostFramesCreate(&host, FRAMES, HOST_TRIANGLE_SIZE, check);
    while (hostFramesNext(&frames)) {
        const HostSlot *compute = &computes[frames.slot];
        hostSlotBegin(&host, compute);
        recordSkinning(context, instance, &frames, compute->commands);
        hostSlotSubmit(&host, compute, host.computeQueue, (HostTimeline){.signal = skinned, .value = frames.frame + 1});
        recordDrawing(context, instance, &frames);
        hostFramesSubmit(&frames, (HostTimeline){.wait = skinned, .value = frames.frame + 1});
    }
    /* All fences are signalled, but lavapipe 22.3 accesses a semaphore once more after the fence. */
    HOST_VK(vkDeviceWaitIdle(host.device));
    vkskinDestroyContext(context);
    destroyArena(&arena);
    vkDestroySemaphore(host.device, skinned, NULL);
    for (int i = 0; i < HOST_IN_FLIGHT; i++) {
        hostSlotDestroy(&host, &computes[i]);
    }
    hostFramesDestroy(&frames);
    return hostClose(&host);
}
