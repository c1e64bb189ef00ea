#include "api_run.h"
#include "fuzz_target.h"

#include <string.h>

/* A host that lets the library have this much at once. */
#define HOST_BYTES_MAX ((size_t)4 << 20)

/* ---- The host's memory ---- */

static void *allocateHost(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    void *memory = NULL;
    (void)user;
    (void)scope;
    FUZZ_CHECK(size > 0 && alignment > 0 && (alignment & (alignment - 1)) == 0);
    alignment = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    return size <= HOST_BYTES_MAX && posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

static void freeHost(void *user, void *memory) {
    (void)user;
    free(memory);
}

/* Vulkan wants it there; neither the library nor the null driver grows anything. */
static void *reallocateHost(void *user, void *original, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    (void)user;
    (void)original;
    (void)size;
    (void)alignment;
    (void)scope;
    return NULL;
}

static const VkAllocationCallbacks hostCallbacks = {
    .pfnAllocation = allocateHost, .pfnReallocation = reallocateHost, .pfnFree = freeHost};

static bool findType(NullDriver *driver, uint32_t bits, bool visible, uint32_t *type) {
    VkPhysicalDeviceMemoryProperties memory;
    nullDriverFunctions()->vkGetPhysicalDeviceMemoryProperties(nullDriverPhysicalDevice(driver), &memory);
    for (*type = 0; *type < memory.memoryTypeCount; (*type)++) {
        VkMemoryPropertyFlags flags = memory.memoryTypes[*type].propertyFlags;
        if ((bits >> *type & 1) && (!visible || (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))) {
            return true;
        }
    }
    return false;
}

/* What the host itself knows of a block, whatever it tells the library. */
typedef struct HostBlock {
    VkDeviceMemory memory;
    bool mapped;
} HostBlock;

static void spoil(const ApiContext *context, VkskinMemoryBlock *block) {
    switch (context->flaw) {
    case API_FLAW_NOT_MAPPED:
        block->mapped = NULL;
        break;
    case API_FLAW_NO_MEMORY:
        block->memory = VK_NULL_HANDLE;
        break;
    case API_FLAW_SMALL:
        block->size /= 2;
        break;
    case API_FLAW_UNALIGNED:
        block->offset += 1;
        break;
    case API_FLAW_SKEWED:
        block->mapped = block->mapped != NULL ? (char *)block->mapped + 8 : NULL;
        break;
    case API_FLAW_ATOMS:
        block->size += 1;
        break;
    case API_FLAW_TYPE:
        block->memoryTypeIndex = 31;
        break;
    default:
        break;
    }
}

static VkResult allocateDevice(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    ApiContext *context = user;
    VkDevice device = nullDriverDevice(context->driver);
    const VkskinVulkanFunctions *vk = nullDriverFunctions();
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = request->requirements.size};
    VkDeviceMemory memory;
    void *mapped = NULL;
    FUZZ_CHECK(request->buffer != VK_NULL_HANDLE);
    context->allocations++;
    if (context->flaw == API_FLAW_REFUSES && context->allocations % 3 == 0) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    if (!findType(context->driver, request->requirements.memoryTypeBits, request->use != VKSKIN_MEMORY_DEVICE,
                  &info.memoryTypeIndex)) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkResult result = vk->vkAllocateMemory(device, &info, NULL, &memory);
    if (result == VK_SUCCESS && request->use != VKSKIN_MEMORY_DEVICE) {
        result = vk->vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
        if (result != VK_SUCCESS) {
            vk->vkFreeMemory(device, memory, NULL);
        }
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    HostBlock *known = malloc(sizeof *known);
    FUZZ_CHECK(known != NULL);
    *known = (HostBlock){memory, mapped != NULL};
    *block = (VkskinMemoryBlock){.memory = memory,
                                 .size = request->requirements.size,
                                 .memoryTypeIndex = info.memoryTypeIndex,
                                 .mapped = mapped,
                                 .userData = known};
    spoil(context, block);
    return VK_SUCCESS;
}

static void freeDevice(void *user, const VkskinMemoryBlock *block) {
    ApiContext *context = user;
    HostBlock *known = block->userData;
    if (known->mapped) {
        nullDriverFunctions()->vkUnmapMemory(nullDriverDevice(context->driver), known->memory);
    }
    nullDriverFunctions()->vkFreeMemory(nullDriverDevice(context->driver), known->memory, NULL);
    free(known);
}

/* ---- Contexts ---- */

typedef struct HostTables {
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    VkskinTuning tuning;
} HostTables;

/* What the def points to; `tables` lives until the context is made, as the def is copied. */
static void takeTables(ApiRun *run, ApiContext *context, HostTables *tables, VkskinContextDef *def) {
    uint8_t kind = fuzzByte(&run->bytes);
    if (kind & 1) {
        def->allocator = &hostCallbacks;
    }
    if (kind & 2) {
        tables->memory = (VkskinMemoryCallbacks){allocateDevice, freeDevice, context};
        def->memory = &tables->memory;
        context->flaw = (ApiFlaw)(fuzzByte(&run->bytes) % API_FLAW_COUNT);
    }
    if ((kind & 0xc) == 0xc) {
        /* A table with a gap, which the library may or may not be able to fill. */
        uint32_t gap = fuzzCount(&run->bytes, sizeof(VkskinVulkanFunctions) / sizeof(void *) - 1);
        tables->functions = *nullDriverFunctions();
        memset((char *)&tables->functions + gap * sizeof(void *), 0, sizeof(void *));
        def->functions = &tables->functions;
        if (kind & 0x10) {
            def->getInstanceProcAddr = NULL;
            def->getDeviceProcAddr = NULL;
        }
    }
    if ((kind & 0xe0) == 0xe0) {
        def->device = VK_NULL_HANDLE;
    }
}

/* One of this device, of which a word may be anything. */
static void takeTuning(ApiRun *run, HostTables *tables, VkskinContextDef *def) {
    VkskinTuning *tuning = &tables->tuning;
    VkPhysicalDeviceProperties properties;
    uint8_t kind = fuzzByte(&run->bytes);
    nullDriverFunctions()->vkGetPhysicalDeviceProperties(nullDriverPhysicalDevice(run->driver), &properties);
    *tuning = (VkskinTuning){
        .version = vkskinVersion(),
        .vendorID = properties.vendorID,
        .deviceID = properties.deviceID,
        .driverVersion = properties.driverVersion,
        .paletteBinding = 1 + kind % 2,
        .instancesPerThread = 1 + kind % 64,
        .workgroupSize = 32u * (1 + kind / 2 % 4),
    };
    memcpy(tuning->pipelineCacheUUID, properties.pipelineCacheUUID, sizeof tuning->pipelineCacheUUID);
    if (kind >= 0x80) {
        uint32_t word = fuzzNumber(&run->bytes);
        uint32_t place = fuzzCount(&run->bytes, sizeof *tuning / sizeof word - 1);
        memcpy((char *)tuning + place * sizeof word, &word, sizeof word);
    }
    def->tuning = tuning;
}

/* What was tuned is what a context has, and can be stored and given again. */
static void checkTuning(const ApiContext *context, const VkskinContextDef *def) {
    VkskinTuning tuning;
    FUZZ_CHECK(vkskinGetTuning(context->context, &tuning) == VKSKIN_SUCCESS);
    FUZZ_CHECK(tuning.version == vkskinVersion() && tuning.instancesPerThread >= 1 && tuning.workgroupSize >= 32);
    if (def->paletteBinding != VKSKIN_PALETTE_BINDING_AUTO) {
        FUZZ_CHECK(tuning.paletteBinding == (uint32_t)def->paletteBinding);
        tuning.paletteBinding = def->tuning != NULL ? def->tuning->paletteBinding : 0;
    }
    FUZZ_CHECK(def->tuning == NULL || memcmp(&tuning, def->tuning, sizeof tuning) == 0);
}

/* The kind of def that a host is likely to have, or with any field anything. */
static void takeContextFields(ApiRun *run, HostTables *tables, VkskinContextDef *def) {
    FuzzBytes *bytes = &run->bytes;
    uint32_t fields = 0;
    fuzzTake(bytes, &fields, 2);
    def->pageSize = 65536u << (fields & 1);
    def->paletteBytesPerFrame = 4096u << (fields & 3);
    def->maxInstances = 8u << (fields & 3);
    def->framesInFlight = 1 + (fields >> 2 & 3);
    def->outputRegions = fields & 0x10 ? def->framesInFlight : 1;
    def->barriers = (VkskinBarriers)(fields >> 5 & 1);
    def->paletteMemory = (VkskinPaletteMemory)(fields >> 6 & 1);
    def->debugUtils = fields >> 7 & 1;
    def->graphicsQueueFamily = fields >> 8 & 1 ? 1 : VK_QUEUE_FAMILY_IGNORED;
    def->paletteBinding = (VkskinPaletteBinding)((fields >> 9) % 3);
    switch (fields >> 9) {
    case 0x70:
        def->pageSize = (VkDeviceSize)fuzzNumber(bytes) << (fuzzByte(bytes) & 31);
        break;
    case 0x71:
        def->paletteBytesPerFrame = (VkDeviceSize)fuzzNumber(bytes) << (fuzzByte(bytes) & 31);
        break;
    case 0x72:
        def->maxInstances = fuzzNumber(bytes);
        break;
    case 0x73:
        def->framesInFlight = fuzzNumber(bytes);
        break;
    case 0x74:
        def->outputRegions = fuzzNumber(bytes);
        break;
    case 0x75:
        def->barriers = (VkskinBarriers)fuzzNumber(bytes);
        break;
    case 0x76:
        def->paletteMemory = (VkskinPaletteMemory)fuzzNumber(bytes);
        break;
    case 0x77:
        def->computeQueueFamily = fuzzNumber(bytes);
        break;
    case 0x7c:
        def->graphicsQueueFamily = fuzzNumber(bytes);
        break;
    case 0x78:
        def->maxTimingScopes = fuzzNumber(bytes);
        break;
    case 0x79:
        def->outputUsage = fuzzNumber(bytes);
        break;
    case 0x7a:
        def->consumerStages = fuzzNumber(bytes);
        def->consumerAccess = fuzzNumber(bytes);
        break;
    case 0x7b:
        def->cookie = fuzzNumber(bytes);
        break;
    case 0x7d:
        def->paletteBinding = (VkskinPaletteBinding)fuzzNumber(bytes);
        break;
    default:
        break;
    }
    if ((fields & 3) == 1) {
        takeTuning(run, tables, def);
    }
    if (def->maxInstances > 4096 || def->paletteBytesPerFrame > 1 << 24) {
        def->allocator = &hostCallbacks; /* it refuses what malloc would give, slowly */
    }
}

void apiOpenContext(ApiRun *run, ApiContext *context) {
    HostTables tables;
    if (context->context) {
        apiDestroyContext(run, context);
    }
    *context = (ApiContext){.driver = run->driver};
    VkskinContextDef def = nullDriverContextDef(run->driver);
    def.logger = apiLogger();
    takeTables(run, context, &tables, &def);
    takeContextFields(run, &tables, &def);
    VkskinResult result = vkskinCreateContext(&def, &context->context);
    FUZZ_CHECK(apiCheck(result) == (context->context != NULL));
    if (context->context) {
        checkTuning(context, &def);
        context->framesInFlight = def.framesInFlight;
        context->slot = def.framesInFlight;
        context->commands = nullDriverBegin(run->driver);
    }
    memset(&tables, 0xa5, sizeof tables); /* what the library kept of it would not work */
}

void apiMakeContext(ApiRun *run) {
    apiOpenContext(run, &run->contexts[fuzzByte(&run->bytes) % API_CONTEXTS]);
}

void apiRunFrames(ApiContext *context, uint32_t slot) {
    uint32_t count = context->waitingCount;
    for (uint32_t i = 0; i < context->waitingCount; i++) {
        count = context->waiting[i].slot == slot ? i + 1 : count;
    }
    for (uint32_t i = 0; i < count; i++) {
        nullDriverRun(context->waiting[i].commands);
    }
    context->waitingCount -= count;
    memmove(context->waiting, context->waiting + count, context->waitingCount * sizeof context->waiting[0]);
}

void apiDestroyContext(ApiRun *run, ApiContext *context) {
    if (!context->context) {
        return;
    }
    if (fuzzByte(&run->bytes) & 1) {
        for (uint32_t i = 0; i < context->waitingCount; i++) {
            nullDriverDrop(context->waiting[i].commands);
        }
        nullDriverDrop(context->commands);
    } else {
        apiRunFrames(context, UINT32_MAX);
        nullDriverRun(context->commands);
    }
    vkskinDestroyContext(context->context);
    *context = (ApiContext){.driver = run->driver};
}

void apiEndContext(ApiRun *run) {
    apiDestroyContext(run, apiContext(run));
}

void apiMakePipelines(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    uint8_t kind = fuzzByte(&run->bytes);
    def.methods = 0x100u * (1u + kind % 3);
    def.formats = 0x100u * (1u + kind / 3 % 3);
    if (kind >= 0xe0) {
        def.methods = fuzzNumber(&run->bytes);
        def.formats = fuzzNumber(&run->bytes);
        def.instancesPerThread = fuzzNumber(&run->bytes);
        def.workgroupSize = fuzzNumber(&run->bytes);
        def.cookie -= kind == UINT8_MAX;
    }
    VkskinMesh meshes[API_MESHES];
    if (kind >= 0xc0 && kind < 0xd0) {
        def.methods = 0x100u * fuzzByte(&run->bytes);
        def.encodings = 0x100u * fuzzByte(&run->bytes);
        def.features = kind & 7;
    } else if (kind >= 0xd0 && kind < 0xdf) {
        def.methods = VKSKIN_METHOD_BIT(VKSKIN_METHOD_COUNT) - VKSKIN_METHOD_BIT(0);
        def.meshCount = kind % (API_MESHES + 1);
        def.meshes = kind == 0xde ? NULL : meshes;
        for (uint32_t i = 0; i < def.meshCount; i++) {
            apiHandle(run, run->meshes, API_MESHES, &meshes[i]);
        }
    }
    apiCheck(vkskinCreatePipelines(context->context, kind == 0xdf ? NULL : &def));
}

/* One of the driver's next calls fails. */
void apiFailSoon(ApiRun *run) {
    static const VkResult errors[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST,
                                      VK_ERROR_MEMORY_MAP_FAILED, VK_ERROR_FRAGMENTED_POOL};
    uint8_t byte = fuzzByte(&run->bytes);
    nullDriverFail(run->driver, byte >> 3, errors[(byte & 7) % 5]);
}
