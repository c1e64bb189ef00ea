/*
 * What is promised of the host's memory callbacks: a block comes all zero, one that cannot back its buffer is refused
 * by name and given back, and blocks are freed after their buffers.
 */
#include <string.h>

#include "gpu.h"

#define MOST_BLOCKS 64

typedef void (*Spoil)(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements);

/* Of this test; the wrappers of Vulkan functions have no user pointer. */
static struct {
    Gpu *gpu;
    Spoil spoil; /* what happens to the next block, or null */
    bool noType; /* buffers may have no type of memory at all */
    struct {
        VkBuffer buffer;
        VkDeviceMemory memory;
        bool bufferDestroyed, freed;
    } blocks[MOST_BLOCKS];
    uint32_t count;
} host;

static VkResult allocate(void *user, VkBuffer buffer, const VkMemoryRequirements *requirements, VkskinMemoryUse use,
                         VkskinMemoryBlock *block) {
    (void)user;
    assert_memory_equal(block, &(VkskinMemoryBlock){0}, sizeof *block);
    assert_true(host.count < MOST_BLOCKS);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements->size,
        .memoryTypeIndex = gpuMemoryType(host.gpu, UINT32_MAX, VK_MEMORY_PROPERTY_HOST_COHERENT_BIT),
    };
    block->memoryTypeIndex = info.memoryTypeIndex;
    block->size = requirements->size;
    block->userData = &host.blocks[host.count];
    GPU_CHECK(vkAllocateMemory(host.gpu->device, &info, NULL, &block->memory));
    host.blocks[host.count].buffer = buffer;
    host.blocks[host.count].memory = block->memory;
    host.count++;
    if (use != VKSKIN_MEMORY_DEVICE) {
        GPU_CHECK(vkMapMemory(host.gpu->device, block->memory, 0, VK_WHOLE_SIZE, 0, &block->mapped));
    }
    if (host.spoil != NULL) {
        host.spoil(block, requirements);
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

static VkskinResult create(Gpu *gpu, Spoil spoil, bool noType, VkskinContext *context) {
    static const VkskinVulkanFunctions functions = {
        .vkDestroyBuffer = destroyBuffer,
        .vkGetBufferMemoryRequirements = requirementsOf,
    };
    static const VkskinMemoryCallbacks callbacks = {.allocate = allocate, .free = release};
    memset(&host, 0, sizeof host);
    host.gpu = gpu;
    host.spoil = spoil;
    host.noType = noType;
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

/* The first buffer of a context is of the palette ring, so it must be mapped. */
static void unusableBlocksAreRefused(void **state) {
    Gpu *gpu = *state;
    static const struct {
        const char *name;
        Spoil spoil;
        bool noType;
        const char *part;
    } cases[] = {
        {"null", withoutMemory, false, "is null"},      {"not mapped", withoutMapping, false, "is not mapped"},
        {"no such type", ofNoType, false, "type"},      {"a type that may not be", NULL, true, "type"},
        {"too small", tooSmall, false, "is too small"}, {"askew", askew, false, "is not aligned"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        VkskinContext context = NULL;
        VkskinResult result = create(gpu, cases[i].spoil, cases[i].noType, &context);
        gpuCheckRefusal(gpu, cases[i].name, result, VKSKIN_ERROR_INVALID_VALUE, cases[i].part);
        assert_null(context);
        assert_int_equal(host.count, 1);
        checkAllFreed();
    }
}

static void blocksOutliveTheirBuffers(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = NULL;
    GPU_VKSKIN(gpu, create(gpu, NULL, false, &context));
    vkskinDestroyContext(context);
    checkAllFreed();
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(unusableBlocksAreRefused), GPU_TEST(blocksOutliveTheirBuffers)};
    return gpuRunTests("memory blocks", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
