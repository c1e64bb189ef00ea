/*
 * Frames that do not go as planned: commands never recorded, instances updated now and then, meshes that arrive while
 * earlier frames run, memory that cannot be flushed, handles that outlive their context.
 */

#include "frame_loop.h"
#include "scene.h"
#include "test.h"

#define VERTICES 67
#define BYTES    (VERTICES * 12)

static VkskinContext makeContext(Gpu *gpu, uint32_t framesInFlight, uint32_t outputRegions) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = framesInFlight;
    def.outputRegions = outputRegions;
    def.pageSize = 1u << 20;
    return gpuContext(gpu, &def);
}

static VkskinInstance makeInstance(Gpu *gpu, VkskinContext context, bool previousPositions) {
    VkskinInstance instance;
    VkskinMesh mesh = markerMesh(gpu, context, VERTICES, previousPositions);
    GPU_VKSKIN(gpu, instanceOf(context, mesh, &instance));
    return instance;
}

GPU_TEST(commandsNotRecordedAreTakenBack) {
    VkskinContext context = makeContext(gpu, 1, 1);
    VkskinInstance instance = makeInstance(gpu, context, true);
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, instance, 1, 2);
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(context, 0));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instance, &output));

    markerSkin(gpu, context, instance, 1, 2);
    recordAndRun(gpu, context);
    VkskinOutput shown;
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &shown));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, instance, 3, 4);
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    assert_int_equal(output.positionOffset, shown.positionOffset);

    /* The history continues from the shown output, not from the dropped one. */
    markerSkin(gpu, context, instance, 5, 6);
    recordAndRun(gpu, context);
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    assert_int_equal(output.previousPositionOffset, shown.positionOffset);
    assert_int_not_equal(output.positionOffset, shown.positionOffset);
}

/* The offsets that a frame reads. */
typedef struct Reads {
    VkDeviceSize current, previous;
} Reads;

static void checkUpdates(Gpu *gpu, uint32_t framesInFlight, bool previousPositions, uint32_t seed) {
    enum { FRAMES = 50 };
    VkskinContext context = makeContext(gpu, framesInFlight, framesInFlight);
    VkskinInstance instance = makeInstance(gpu, context, previousPositions);
    Reads reads[FRAMES] = {0};
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % framesInFlight));
        seed = seed * 1664525u + 1013904223u;
        bool update = frame == 0 || (seed >> 16) % 4 == 0;
        if (update) {
            markerSkin(gpu, context, instance, 1, 2);
        }
        recordAndRun(gpu, context);
        VkskinOutput output;
        GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
        reads[frame] = (Reads){output.positionOffset, output.previousPositionOffset};
        for (uint32_t back = 1; update && back < framesInFlight && back <= frame; back++) {
            assert_int_not_equal(output.positionOffset, reads[frame - back].current);
            assert_int_not_equal(output.positionOffset, reads[frame - back].previous);
        }
    }
    gpuDestroyContext(gpu, context);
}

/* No update may write memory that a frame in flight reads, whatever the order of updates. */
GPU_TEST(raggedUpdatesKeepOffFramesInFlight) {
    for (uint32_t frames = 1; frames <= 4; frames++) {
        for (uint32_t seed = 0; seed < 2; seed++) {
            checkUpdates(gpu, frames, false, seed);
            checkUpdates(gpu, frames, true, seed + 100);
        }
    }
}

/* With the default consumers, which include no transfer, the layer must report no hazard between copies and skinning. */
GPU_TEST(meshesArriveWhileFramesRun) {
    for (int staged = 0; staged < 2; staged++) {
        VkskinContextDef def = vkskinDefaultContextDef();
        VkskinContextDef own = gpuContextDef(gpu);
        own.consumerStages = def.consumerStages;
        own.consumerAccess = def.consumerAccess;
        own.paletteMemory = staged ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
        VkskinContext context = gpuContext(gpu, &own);
        FrameLoop loop = frameLoop(gpu, context, own.framesInFlight);
        for (uint32_t frame = 0; frame < 6; frame++) {
            VkCommandBuffer commandBuffer = frameLoopBegin(&loop);
            for (uint32_t call = 0; call < 2; call++) {
                markerSkin(gpu, context, makeInstance(gpu, context, false), 1, 2);
                GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
            }
            frameLoopSubmit(&loop);
        }
        frameLoopFinish(&loop);
        gpuDestroyContext(gpu, context);
    }
}

static Gpu *flushGpu;
static uint32_t flushes;
static uint32_t failingFlush; /* the number of the flush that fails; 0: none */

#define GUARD_BYTES 4096
#define GUARD       0xa5

static void VKAPI_CALL propertiesWithoutCoherence(VkPhysicalDevice device,
                                                  VkPhysicalDeviceMemoryProperties *properties) {
    vkGetPhysicalDeviceMemoryProperties(device, properties);
    for (uint32_t i = 0; i < properties->memoryTypeCount; i++) {
        properties->memoryTypes[i].propertyFlags &= ~(VkMemoryPropertyFlags)VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    }
}

static VkResult VKAPI_CALL flushOrFail(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges) {
    (void)device;
    (void)count;
    assert_int_equal(ranges->offset % flushGpu->properties.limits.nonCoherentAtomSize, 0);
    assert_int_equal(ranges->size % flushGpu->properties.limits.nonCoherentAtomSize, 0);
    flushes++;
    return flushes == failingFlush ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

static VkResult allocateMapped(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    (void)user;
    VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = gpuMemoryType(flushGpu, request->requirements.memoryTypeBits, wanted);
    VkDeviceSize atom = flushGpu->properties.limits.nonCoherentAtomSize;
    VkDeviceSize size = (request->requirements.size + atom - 1) / atom * atom;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = size + GUARD_BYTES,
        .memoryTypeIndex = type,
    };
    *block = (VkskinMemoryBlock){.size = size, .memoryTypeIndex = type};
    VkResult result = vkAllocateMemory(flushGpu->device, &info, NULL, &block->memory);
    if (result != VK_SUCCESS) {
        return result;
    }
    result = vkMapMemory(flushGpu->device, block->memory, 0, VK_WHOLE_SIZE, 0, &block->mapped);
    if (result == VK_SUCCESS) {
        memset((unsigned char *)block->mapped + block->size, GUARD, GUARD_BYTES);
    }
    return result;
}

static void freeMapped(void *user, const VkskinMemoryBlock *block) {
    (void)user;
    const unsigned char *guard = (const unsigned char *)block->mapped + block->size;
    for (uint32_t i = 0; i < GUARD_BYTES; i++) {
        assert_int_equal(guard[i], GUARD);
    }
    vkFreeMemory(flushGpu->device, block->memory, NULL);
}

/* The memory is coherent, but the library gets properties that say it is not. */
GPU_TEST(failedFlushesMayBeTriedAgain) {
    flushGpu = gpu;
    failingFlush = 0;
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceMemoryProperties = propertiesWithoutCoherence,
        .vkFlushMappedMemoryRanges = flushOrFail,
    };
    VkskinMemoryCallbacks memory = {allocateMapped, freeMapped, NULL};
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.memory = &memory;
    def.framesInFlight = 1;
    def.maxInstances = 1; /* the table has room for one: leftovers of a failed call would overrun it */
    def.paletteBytesPerFrame = 48;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinInstance instance = makeInstance(gpu, context, false);
    for (uint32_t frame = 0; frame < 3; frame++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
        markerSkin(gpu, context, instance, 1, 2);
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        /* Two flushes: the palette and the table. The mesh's staging memory was flushed at its creation. */
        for (int attempt = 0; attempt < 40; attempt++) {
            flushes = 0;
            failingFlush = 1 + (uint32_t)attempt % 2;
            GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, vkskinRecordSkinning(context, commandBuffer));
        }
        flushes = 0;
        failingFlush = 0;
        GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
        assert_int_equal(flushes, 2);
        gpuSubmitAndWait(gpu, commandBuffer);
    }
    checkPositions(gpu, context, instance, 1, 2);
}

static VkResult allocateNothing(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    (void)request;
    (void)user;
    (void)block;
    return VK_INCOMPLETE;
}

/* A positive VkResult is not an error of Vulkan, but there is no memory. */
GPU_TEST(memoryThatIsNoneIsRefused) {
    VkskinMemoryCallbacks memory = {allocateNothing, freeMapped, NULL};
    VkskinContextDef def = gpuContextDef(gpu);
    def.memory = &memory;
    VkskinContext context;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_VULKAN, vkskinCreateContext(&def, &context));
    assert_null(context);
}

GPU_TEST(handlesOfAnotherContextAreStale) {
    for (int i = 0; i < 2; i++) {
        VkskinContext context = makeContext(gpu, 1, 1);
        VkskinInstance instance = makeInstance(gpu, context, false);
        gpuDestroyContext(gpu, context);
        VkskinContext next = makeContext(gpu, 1, 1);
        (void)makeInstance(gpu, next, false);
        VkskinOutput output;
        GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_STALE_HANDLE, vkskinGetOutput(next, instance, &output));
        gpuDestroyContext(gpu, next);
    }
}
