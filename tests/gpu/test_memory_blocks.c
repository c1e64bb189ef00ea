/*
 * The contract of the host's memory callbacks: a block is zero at the call; a block that cannot back its buffer is refused
 * with a named error and freed; blocks are freed after their buffers.
 */

#include "gpu.h"
#include "test.h"

#define MOST_BLOCKS 64
#define ATOM        4096 /* above every driver's alignment, so that a block can be off the one and not the other */

typedef void (*Spoil)(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements);

/* Of this test; the wrappers of Vulkan functions have no user pointer. */
static struct {
    Gpu *gpu;
    Spoil spoil;                  /* changes the next block; or null */
    bool noType;                  /* buffers may have no type of memory at all */
    VkMemoryPropertyFlags hidden; /* flags removed from all memory types */
    struct {
        VkBuffer buffer;
        VkDeviceMemory memory;
        bool bufferDestroyed, freed;
    } blocks[MOST_BLOCKS];
    uint32_t count;
} host;

static VkResult allocate(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    (void)user;
    assert_memory_equal(block, &(VkskinMemoryBlock){0}, sizeof *block);
    assert_true(host.count < MOST_BLOCKS);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = request->requirements.size,
        .memoryTypeIndex = gpuMemoryType(host.gpu, UINT32_MAX, VK_MEMORY_PROPERTY_HOST_COHERENT_BIT),
    };
    block->memoryTypeIndex = info.memoryTypeIndex;
    block->size = request->requirements.size;
    block->userData = &host.blocks[host.count];
    GPU_CHECK(vkAllocateMemory(host.gpu->device, &info, NULL, &block->memory));
    host.blocks[host.count].buffer = request->buffer;
    host.blocks[host.count].memory = block->memory;
    host.count++;
    if (request->use != VKSKIN_MEMORY_DEVICE) {
        GPU_CHECK(vkMapMemory(host.gpu->device, block->memory, 0, VK_WHOLE_SIZE, 0, &block->mapped));
    }
    if (host.spoil != NULL) {
        host.spoil(block, &request->requirements);
        host.spoil = NULL;
    }
    return VK_SUCCESS;
}

static void release(void *user, const VkskinMemoryBlock *block) {
    (void)user;
    for (uint32_t i = 0; i < host.count; i++) {
        if (block->userData == &host.blocks[i]) {
            assert_true(host.blocks[i].bufferDestroyed);
            assert_false(host.blocks[i].freed);
            host.blocks[i].freed = true;
            vkFreeMemory(host.gpu->device, host.blocks[i].memory, NULL);
            return;
        }
    }
    fail_msg("a block that was never given");
}

static VKAPI_ATTR void VKAPI_CALL destroyBuffer(VkDevice device, VkBuffer buffer,
                                                const VkAllocationCallbacks *allocator) {
    for (uint32_t i = 0; i < host.count; i++) {
        /* A driver may use a handle again. */
        if (host.blocks[i].buffer == buffer && !host.blocks[i].freed) {
            host.blocks[i].bufferDestroyed = true;
        }
    }
    vkDestroyBuffer(device, buffer, allocator);
}

static VKAPI_ATTR void VKAPI_CALL requirementsOf(VkDevice device, VkBuffer buffer, VkMemoryRequirements *requirements) {
    vkGetBufferMemoryRequirements(device, buffer, requirements);
    requirements->memoryTypeBits = host.noType ? 0 : requirements->memoryTypeBits;
}

static VKAPI_ATTR void VKAPI_CALL hideFlags(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *properties) {
    vkGetPhysicalDeviceMemoryProperties(device, properties);
    for (uint32_t i = 0; i < properties->memoryTypeCount; i++) {
        properties->memoryTypes[i].propertyFlags &= ~host.hidden;
    }
}

static VKAPI_ATTR void VKAPI_CALL largeAtoms(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits.nonCoherentAtomSize = ATOM;
}

static VkskinResult create(Gpu *gpu, Spoil spoil, bool noType, VkMemoryPropertyFlags hidden, VkskinContext *context) {
    static const VkskinVulkanFunctions functions = {
        .vkDestroyBuffer = destroyBuffer,
        .vkGetBufferMemoryRequirements = requirementsOf,
        .vkGetPhysicalDeviceMemoryProperties = hideFlags,
        .vkGetPhysicalDeviceProperties = largeAtoms,
    };
    static const VkskinMemoryCallbacks callbacks = {.allocate = allocate, .free = release};
    memset(&host, 0, sizeof host);
    host.gpu = gpu;
    host.spoil = spoil;
    host.noType = noType;
    host.hidden = hidden;
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.memory = &callbacks;
    return vkskinCreateContext(&def, context);
}

static void checkAllFreed(void) {
    assert_true(host.count > 0);
    for (uint32_t i = 0; i < host.count; i++) {
        assert_true(host.blocks[i].freed);
    }
}

static void withoutMemory(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    (void)requirements;
    block->memory = VK_NULL_HANDLE;
}

static void withoutMapping(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    (void)requirements;
    block->mapped = NULL;
}

static void ofNoType(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    (void)requirements;
    block->memoryTypeIndex = VK_MAX_MEMORY_TYPES;
}

static void tooSmall(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    block->size = requirements->size - 1;
}

static void askew(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    block->offset = requirements->alignment / 2;
}

static void mappedAskew(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    (void)requirements;
    block->mapped = (char *)block->mapped + 8;
}

static void offAnAtom(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    assert_true(requirements->alignment < ATOM);
    block->offset = requirements->alignment;
    block->size = (requirements->size + ATOM - 1) / ATOM * ATOM;
}

static void halfAnAtom(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    block->size = (requirements->size + ATOM - 1) / ATOM * ATOM + ATOM / 2;
}

/* The first buffer of a context is of the palette ring, so it must be mapped. */
GPU_TEST(unusableBlocksAreRefused) {
    static const struct {
        const char *name;
        Spoil spoil;
        bool noType;
        VkMemoryPropertyFlags hidden;
        const char *part;
    } cases[] = {
        {"null", withoutMemory, false, 0, "is null"},
        {"not mapped", withoutMapping, false, 0, "is not mapped"},
        {"no such type", ofNoType, false, 0, "is of a type that the buffer cannot have"},
        {"a type that may not be", NULL, true, 0, "is of a type that the buffer cannot have"},
        {"too small", tooSmall, false, 0, "is too small"},
        {"askew", askew, false, 0, "is not aligned"},
        {"mapped askew", mappedAskew, false, 0, "is mapped at an address that is not aligned"},
        {"a type not mapped", NULL, false, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, "is of a type that cannot be mapped"},
        {"off an atom", offAnAtom, false, VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, "is not of whole atoms"},
        {"half an atom", halfAnAtom, false, VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, "is not of whole atoms"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VkskinContext context = NULL;
        VkskinResult result = create(gpu, cases[i].spoil, cases[i].noType, cases[i].hidden, &context);
        gpuCheckRefusal(gpu, cases[i].name, result, VKSKIN_ERROR_INVALID_VALUE, cases[i].part);
        assert_null(context);
        assert_int_equal(host.count, 1);
        checkAllFreed();
    }
}

/* Coherent memory is never flushed, so its blocks need not end at an atom. */
GPU_TEST(coherentBlocksNeedNoAtoms) {
    VkskinContext context = NULL;
    GPU_VKSKIN(gpu, create(gpu, halfAnAtom, false, 0, &context));
    gpuDestroyContext(gpu, context);
    checkAllFreed();
}

GPU_TEST(blocksOutliveTheirBuffers) {
    VkskinContext context = NULL;
    GPU_VKSKIN(gpu, create(gpu, NULL, false, 0, &context));
    gpuDestroyContext(gpu, context);
    checkAllFreed();
}
