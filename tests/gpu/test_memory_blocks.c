/*
 * The host's memory callbacks: a block is zero at the call; a block that cannot back its buffer is refused with a named
 * error and freed; blocks are freed after their buffers. All buffers get their memory from them.
 */
#include "interposer.h"
#include "marker_scene.h"

#define MOST_BLOCKS 64
#define ATOM        4096 /* above every driver's alignment, so that a block can be off the one and not the other */

/* What is wrong with a block, or with what the library sees of the device. */
typedef enum Fault {
    NO_FAULT,
    NO_MEMORY,
    NOT_MAPPED,
    NO_SUCH_TYPE,
    FORBIDDEN_TYPE, /* buffers may have no type of memory at all */
    TOO_SMALL,
    ASKEW,
    MAPPED_ASKEW,
    NOT_VISIBLE, /* no type is visible to the host */
    OFF_AN_ATOM,
    HALF_AN_ATOM,
    HALF_AN_ATOM_COHERENT
} Fault;

/* State of this test; the wrappers of Vulkan functions have no user pointer. */
static struct {
    VkskinMemoryCallbacks memory;    /* the interposer's */
    VkskinVulkanFunctions functions; /* likewise */
    Fault fault;                     /* fault of the first block */
    struct {
        VkskinMemoryBlock given; /* not spoiled */
        VkBuffer buffer;
        bool bufferDestroyed;
    } blocks[MOST_BLOCKS];
    uint32_t count;
    uint32_t uses[3];
    VkBufferUsageFlags usages; /* usages of all buffers together */
} host;

static void spoil(VkskinMemoryBlock *block, const VkMemoryRequirements *requirements) {
    VkDeviceSize atoms = (requirements->size + ATOM - 1) / ATOM * ATOM;
    switch (host.fault) {
    case NO_MEMORY:
        block->memory = VK_NULL_HANDLE;
        break;
    case NOT_MAPPED:
        block->mapped = NULL;
        break;
    case NO_SUCH_TYPE:
        block->memoryTypeIndex = VK_MAX_MEMORY_TYPES;
        break;
    case TOO_SMALL:
        block->size = requirements->size - 1;
        break;
    case ASKEW:
        block->offset = requirements->alignment / 2;
        break;
    case MAPPED_ASKEW:
        block->mapped = (char *)block->mapped + 8;
        break;
    case OFF_AN_ATOM:
        assert_true(requirements->alignment < ATOM);
        block->offset = requirements->alignment;
        block->size = atoms;
        break;
    case HALF_AN_ATOM:
    case HALF_AN_ATOM_COHERENT:
        block->size = atoms + ATOM / 2;
        break;
    default:
        break;
    }
}

static VkResult allocate(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    assert_memory_equal(block, &(VkskinMemoryBlock){0}, sizeof *block);
    assert_true(request->buffer != VK_NULL_HANDLE && request->name != NULL);
    assert_true((request->usage & VK_BUFFER_USAGE_VERTEX_BUFFER_BIT) == 0 || request->use == VKSKIN_MEMORY_DEVICE);
    assert_true(host.count < MOST_BLOCKS);
    VkResult result = host.memory.allocate(user, request, block);
    block->userData = &host.blocks[host.count];
    host.blocks[host.count].given = *block;
    host.blocks[host.count].buffer = request->buffer;
    host.uses[request->use]++;
    host.usages |= request->usage;
    if (host.count++ == 0) {
        spoil(block, &request->requirements);
    }
    return result;
}

static void release(void *user, const VkskinMemoryBlock *block) {
    for (uint32_t i = 0; i < host.count; i++) {
        if (block->userData == &host.blocks[i]) {
            assert_true(host.blocks[i].bufferDestroyed);
            host.memory.free(user, &host.blocks[i].given);
            return;
        }
    }
    fail_msg("a block that was never given");
}

/* A driver may use a handle again: the latest buffer of it counts. */
static VKAPI_ATTR void VKAPI_CALL destroyBuffer(VkDevice device, VkBuffer buffer,
                                                const VkAllocationCallbacks *allocator) {
    for (uint32_t i = host.count; i-- > 0;) {
        if (host.blocks[i].buffer == buffer) {
            host.blocks[i].bufferDestroyed = true;
            break;
        }
    }
    host.functions.vkDestroyBuffer(device, buffer, allocator);
}

static VKAPI_ATTR void VKAPI_CALL requirementsOf(VkDevice device, VkBuffer buffer, VkMemoryRequirements *requirements) {
    host.functions.vkGetBufferMemoryRequirements(device, buffer, requirements);
    requirements->memoryTypeBits = host.fault == FORBIDDEN_TYPE ? 0 : requirements->memoryTypeBits;
}

static VKAPI_ATTR void VKAPI_CALL hideFlags(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *properties) {
    host.functions.vkGetPhysicalDeviceMemoryProperties(device, properties);
    for (uint32_t i = 0; host.fault == NOT_VISIBLE && i < properties->memoryTypeCount; i++) {
        properties->memoryTypes[i].propertyFlags &= ~(VkMemoryPropertyFlags)VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    }
}

/* Memory of the interposer's, spoiled. interposerEnd checks that all of it was freed. */
static VkskinContextDef hostDef(Gpu *gpu, Fault fault) {
    static const VkskinMemoryCallbacks callbacks = {.allocate = allocate, .free = release};
    static VkskinVulkanFunctions functions;
    interposerBegin(gpu);
    interposer.limits.nonCoherentAtomSize = ATOM;
    if (fault == OFF_AN_ATOM || fault == HALF_AN_ATOM) {
        interposerMakeIncoherent();
    }
    memset(&host, 0, sizeof host);
    host.memory = interposerMemory();
    host.functions = functions = interposerFunctions();
    host.fault = fault;
    functions.vkDestroyBuffer = destroyBuffer;
    functions.vkGetBufferMemoryRequirements = requirementsOf;
    functions.vkGetPhysicalDeviceMemoryProperties = hideFlags;
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.memory.callbacks = &callbacks;
    return def;
}

/* The first buffer of a context is of the palette ring, so it must be mapped. */
INTERPOSER_TEST(unusableBlocksAreRefused) {
    static const struct {
        Fault fault;
        const char *part;
    } cases[] = {
        {NO_MEMORY, "is null"},
        {NOT_MAPPED, "is not mapped"},
        {NO_SUCH_TYPE, "is of a type that the buffer cannot have"},
        {FORBIDDEN_TYPE, "is of a type that the buffer cannot have"},
        {TOO_SMALL, "is too small"},
        {ASKEW, "is not aligned"},
        {MAPPED_ASKEW, "is mapped at an address that is not aligned"},
        {NOT_VISIBLE, "is of a type that cannot be mapped"},
        {OFF_AN_ATOM, "is not of whole atoms"},
        {HALF_AN_ATOM, "is not of whole atoms"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VkskinContextDef def = hostDef(gpu, cases[i].fault);
        VkskinContext context = NULL;
        gpuCheckRefusal(gpu, cases[i].part, vkskinCreateContext(&def, &context), VKSKIN_ERROR_INVALID_VALUE,
                        cases[i].part);
        assert_null(context);
        assert_int_equal(host.count, 1);
        interposerEnd();
    }
}

/* Coherent memory is never flushed, so its blocks need not end at an atom. */
INTERPOSER_TEST(coherentBlocksNeedNoAtoms) {
    VkskinContextDef def = hostDef(gpu, HALF_AN_ATOM_COHERENT);
    gpuDestroyContext(gpu, gpuContext(gpu, &def));
}

static VkResult allocateNothing(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    (void)request;
    (void)user;
    (void)block;
    return VK_INCOMPLETE;
}

/* A positive VkResult is not an error of Vulkan, but there is no memory. */
INTERPOSER_TEST(memoryThatIsNoneIsRefused) {
    VkskinContextDef def = hostDef(gpu, NO_FAULT);
    const VkskinMemoryCallbacks memory = {allocateNothing, release, NULL};
    def.memory.callbacks = &memory;
    VkskinContext context;
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_VULKAN, vkskinCreateContext(&def, &context));
    assert_null(context);
}

INTERPOSER_TEST(hostMemoryBacksAll) {
    for (int memory = 0; memory < 2; memory++) {
        VkskinContextDef def = hostDef(gpu, NO_FAULT);
        def.memory.palettes = (VkskinPaletteMemory)memory;
        Scene s = makeScene(gpu, &def, 333, false);
        for (uint32_t f = 0; f < 4; f++) {
            skinOneFrame(gpu, s.context, f % 2, s.instance, (float)f, 2.0f);
            checkPositions(gpu, s.context, s.instance, (float)f, 2.0f);
        }
        assert_true(host.uses[VKSKIN_MEMORY_DEVICE] >= 2); /* meshes and output */
        assert_int_equal(host.usages & def.outputUsage, def.outputUsage);
        assert_true(host.uses[VKSKIN_MEMORY_DYNAMIC] + host.uses[VKSKIN_MEMORY_STAGING] >= 1);
        gpuDestroyContext(gpu, s.context);
        interposerEnd();
    }
}
