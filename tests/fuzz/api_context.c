/* Contexts, pipelines, frames and queries of the API fuzzer. */
#include "api_run.h"

#include <string.h>

/* The maximum size of one allocation of host memory. */
#define HOST_BYTES_MAX ((size_t)4 << 20)

/* ---- The host's memory ---- */

static bool refusesHost(void *user, size_t size, size_t alignment) {
    (void)user;
    FUZZ_CHECK(size > 0 && alignment > 0 && (alignment & (alignment - 1)) == 0);
    return size > HOST_BYTES_MAX;
}

static HostMemory hostMemory = {.refuses = refusesHost};

static void spoil(ApiFlaw flaw, VkskinMemoryBlock *block) {
    char *mapped = block->mapped;
    block->size = flaw == API_FLAW_SMALL ? block->size / 2 : block->size + (flaw == API_FLAW_ATOMS);
    block->offset += flaw == API_FLAW_UNALIGNED;
    block->memory = flaw == API_FLAW_NO_MEMORY ? VK_NULL_HANDLE : block->memory;
    block->memoryTypeIndex = flaw == API_FLAW_TYPE ? 31 : block->memoryTypeIndex;
    block->mapped = flaw == API_FLAW_NOT_MAPPED                 ? NULL
                    : mapped != NULL && flaw == API_FLAW_SKEWED ? mapped + 8
                                                                : mapped;
}

static VkResult allocateDevice(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    ApiContext *context = user;
    const VkskinMemoryCallbacks own = nullDriverHostMemory(context->driver);
    FUZZ_CHECK(request->buffer != VK_NULL_HANDLE);
    context->allocations++;
    if (context->flaw == API_FLAW_REFUSES && context->allocations % 3 == 0) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkResult result = own.allocate(own.user, request, block);
    if (result == VK_SUCCESS) {
        spoil(context->flaw, block);
    }
    return result;
}

static void freeDevice(void *user, const VkskinMemoryBlock *block) {
    const VkskinMemoryCallbacks own = nullDriverHostMemory(((ApiContext *)user)->driver);
    own.free(own.user, block);
}

/* ---- Contexts ---- */

typedef struct HostTables {
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    VkAllocationCallbacks host;
    VkskinTuning tuning;
} HostTables;

/* The data that the def points to. */
static void takeTables(ApiRun *run, ApiContext *context, HostTables *tables, VkskinContextDef *def) {
    uint8_t kind = fuzzByte(&run->bytes);
    tables->host = hostMemoryCallbacks(&hostMemory);
    if (kind & 1) {
        def->allocator = &tables->host;
    }
    if (kind & 2) {
        tables->memory = (VkskinMemoryCallbacks){allocateDevice, freeDevice, context};
        def->memory.callbacks = &tables->memory;
        context->flaw = (ApiFlaw)(fuzzByte(&run->bytes) % API_FLAW_COUNT);
    }
    if ((kind & 0xc) == 0xc) {
        /* One function is missing in the table. */
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

/* A tuning of this device; one word may have any value. */
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
        .crowdPosing = 1 + kind / 8 % 2,
    };
    memcpy(tuning->pipelineCacheUUID, properties.pipelineCacheUUID, sizeof tuning->pipelineCacheUUID);
    if (kind >= 0x80) {
        uint32_t word = fuzzNumber(&run->bytes);
        uint32_t place = fuzzCount(&run->bytes, sizeof *tuning / sizeof word - 1);
        memcpy((char *)tuning + place * sizeof word, &word, sizeof word);
    }
    def->tuning = tuning;
}

/* The context reports the tuning that the def gave. */
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

static const ApiField CONTEXT_FIELDS[] = {
    {0x72, offsetof(VkskinContextDef, memory.maxInstances)},
    {0x73, offsetof(VkskinContextDef, framesInFlight)},
    {0x74, offsetof(VkskinContextDef, outputRegions)},
    {0x75, offsetof(VkskinContextDef, barriers)},
    {0x76, offsetof(VkskinContextDef, memory.palettes)},
    {0x77, offsetof(VkskinContextDef, computeQueueFamily)},
    {0x78, offsetof(VkskinContextDef, maxTimingScopes)},
    {0x79, offsetof(VkskinContextDef, outputUsage)},
    {0x7b, offsetof(VkskinContextDef, cookie)},
    {0x7c, offsetof(VkskinContextDef, graphicsQueueFamily)},
    {0x7d, offsetof(VkskinContextDef, paletteBinding)},
    {0x7e, offsetof(VkskinContextDef, memory.initialInstances)},
    {0x7f, offsetof(VkskinContextDef, memory.initialMorphWeights)},
};

/* A likely def; one field may have any value. */
static void takeContextFields(ApiRun *run, HostTables *tables, VkskinContextDef *def) {
    FuzzBytes *bytes = &run->bytes;
    uint32_t fields = 0;
    fuzzTake(bytes, &fields, 2);
    def->memory.pageSize = 65536u << (fields & 1);
    def->memory.paletteBytesPerFrame = 4096u << (fields & 3);
    def->memory.maxPaletteBytesPerFrame = fields & 0x20 ? 0 : 1u << 16;
    def->memory.initialInstances = 1u << (fields & 3);
    def->memory.maxInstances = 8u << (fields & 3);
    def->framesInFlight = 1 + (fields >> 2 & 3);
    def->outputRegions = fields & 0x10 ? def->framesInFlight : 1;
    def->barriers = (VkskinBarriers)(fields >> 5 & 1);
    def->memory.palettes = (VkskinPaletteMemory)(fields >> 6 & 1);
    def->debugUtils = fields >> 7 & 1;
    def->graphicsQueueFamily = fields >> 8 & 1 ? 1 : VK_QUEUE_FAMILY_IGNORED;
    def->paletteBinding = (VkskinPaletteBinding)((fields >> 9) % 3);
    API_SPOIL(bytes, def, CONTEXT_FIELDS, fields >> 9);
    if (fields >> 9 == 0x70 || fields >> 9 == 0x71) {
        VkDeviceSize size = (VkDeviceSize)fuzzNumber(bytes) << (fuzzByte(bytes) & 31);
        *(fields >> 9 == 0x70 ? &def->memory.pageSize : &def->memory.paletteBytesPerFrame) = size;
    } else if (fields >> 9 == 0x7a) {
        def->consumerStages = fuzzNumber(bytes);
        def->consumerAccess = fuzzNumber(bytes);
    }
    if ((fields & 3) == 1) {
        takeTuning(run, tables, def);
    }
    const bool large = def->memory.initialInstances > 4096 || def->memory.initialMorphWeights > 4096 ||
                       def->memory.maxInstances > 4096;
    if (large || def->memory.paletteBytesPerFrame > 1 << 24) {
        def->allocator = &tables->host; /* it refuses large sizes, which malloc would provide slowly */
    }
}

typedef VkskinResult OpenContext(ApiRun *run, const VkskinContextDef *def, VkskinContext *context);

static VkskinResult openAlone(ApiRun *run, const VkskinContextDef *def, VkskinContext *context) {
    (void)run;
    return vkskinCreateContext(def, context);
}

/* With meshes and kernels. Handles are null if and only if it fails. */
static VkskinResult openWithMeshes(ApiRun *run, const VkskinContextDef *def, VkskinContext *context) {
    uint8_t kind = fuzzByte(&run->bytes);
    uint32_t count = kind % (API_MESHES + 1);
    uint32_t methods = kind >= 0xf0 ? fuzzNumber(&run->bytes) : 0x100u << (kind >> 4 & 3);
    VkskinMeshDef *defs = fuzzRoom(&run->bytes, count * sizeof *defs);
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = vkskinDefaultMeshDef();
        apiTakeMesh(&run->bytes, fuzzByte(&run->bytes), &defs[i]);
    }
    VkskinResult result =
        vkskinOpen(def, kind == 0xef ? NULL : defs, count, methods, context, kind == 0xee ? NULL : run->meshes);
    for (uint32_t i = 0; i < count; i++) {
        FUZZ_CHECK(kind == 0xee || VKSKIN_IS_NULL(run->meshes[i]) == (result < 0));
    }
    return result;
}

/* It stays null if the def is refused. */
static void makeContext(ApiRun *run, OpenContext *open) {
    ApiContext *context = &run->contexts[fuzzByte(&run->bytes) % API_CONTEXTS];
    HostTables tables;
    if (context->context) {
        apiDestroyContext(run, context);
    }
    *context = (ApiContext){.driver = run->driver};
    VkskinContextDef def = nullDriverContextDef(run->driver);
    def.logger = apiLogger();
    takeTables(run, context, &tables, &def);
    takeContextFields(run, &tables, &def);
    VkskinResult result = open(run, &def, &context->context);
    FUZZ_CHECK(apiCheck(result) == (context->context != NULL));
    if (context->context) {
        checkTuning(context, &def);
        context->framesInFlight = def.framesInFlight;
        context->slot = def.framesInFlight;
        context->commands = nullDriverBegin(run->driver);
    }
    memset(&tables, 0xa5, sizeof tables); /* the library must not use it any more */
}

void apiMakeContext(ApiRun *run) {
    makeContext(run, openAlone);
}

void apiOpen(ApiRun *run) {
    makeContext(run, openWithMeshes);
}

/* Runs the waiting frames, oldest first, up to the last one of `slot`; all if none has that slot. */
static void runFrames(ApiContext *context, uint32_t slot) {
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
        runFrames(context, UINT32_MAX);
        nullDriverRun(context->commands);
    }
    vkskinDestroyContext(context->context);
    apiFreeBuffers(context);
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
        def.features = kind & 15;
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

/* Lets one of the driver's next calls fail. */
void apiFailSoon(ApiRun *run) {
    static const VkResult errors[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST,
                                      VK_ERROR_MEMORY_MAP_FAILED, VK_ERROR_FRAGMENTED_POOL};
    uint8_t byte = fuzzByte(&run->bytes);
    nullDriverFail(run->driver, byte >> 3, errors[(byte & 7) % 5]);
}

/* ---- Frames ---- */

#define COMMANDS_MAX      4u
#define MORPH_WEIGHTS_MAX 5u

/* Ends the recording frame. Its commands wait, as on a device that lags. */
static void closeFrame(ApiContext *context) {
    if (context->waitingCount == VKSKIN_MAX_FRAMES_IN_FLIGHT) {
        runFrames(context, context->waiting[0].slot);
    }
    context->waiting[context->waitingCount++] = (ApiFrame){context->slot, context->commands};
    context->commands = nullDriverBegin(context->driver);
}

/* Begins a frame in `slot` after its previous frame has run. */
static void nextFrame(ApiContext *context, uint32_t slot) {
    if (context->context) {
        closeFrame(context);
        runFrames(context, slot);
    }
    if (apiCheck(vkskinBeginFrame(context->context, slot))) {
        FUZZ_CHECK(slot < context->framesInFlight);
        context->slot = slot;
    }
}

/* Drops the recorded commands. */
static void cancelFrame(ApiContext *context) {
    if (apiCheck(vkskinCancelFrame(context->context))) {
        nullDriverDrop(context->commands);
        context->commands = nullDriverBegin(context->driver);
        context->slot = (context->slot + context->framesInFlight - 1) % context->framesInFlight;
    }
}

/* Prepares the next frame, after the last one in its slot has run. Often refused: one is prepared already. */
void apiPrepareFrame(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    uint32_t next = context->framesInFlight ? (context->slot + 1) % context->framesInFlight : 0;
    if (kind >= 0xf0) {
        next = fuzzNumber(&run->bytes);
    } else if (context->context) {
        runFrames(context, next);
    }
    apiCheck(vkskinPrepareFrame(context->context, next));
}

/* Begins a frame in the last one's slot. */
void apiRepeatFrame(ApiRun *run) {
    ApiContext *context = apiContext(run);
    nextFrame(context, fuzzByte(&run->bytes) >= 0xf0 ? fuzzNumber(&run->bytes) : context->slot);
}

void apiBeginFrame(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    if (kind >= 0xe0 && kind < 0xf0) {
        cancelFrame(context);
        return;
    }
    uint32_t next = context->framesInFlight ? (context->slot + 1) % context->framesInFlight : 0;
    nextFrame(context, kind >= 0xf0 ? fuzzNumber(&run->bytes) : next);
}

void apiTakePalette(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)(kind & 1);
    uint32_t bones = 1 + (kind >> 1 & 31);
    VkskinPalette *palette = &run->palettes[kind % API_PALETTES];
    void *data;
    if (kind >= 0xf0) {
        encoding = (VkskinPaletteEncoding)fuzzNumber(&run->bytes);
        bones = fuzzNumber(&run->bytes);
    } else if (kind >= 0xe0) {
        encoding = (VkskinPaletteEncoding)(fuzzByte(&run->bytes) % VKSKIN_PALETTE_ENCODING_COUNT);
    }
    bool taken = apiCheck(vkskinAllocatePalette(context->context, encoding, bones, palette, &data));
    FUZZ_CHECK(taken == (data != NULL) && taken == (palette->serial != 0));
    if (taken) {
        FUZZ_CHECK((uintptr_t)data % 16 == 0);
        memset(data, kind, (size_t)bones * vkskinPaletteStride(encoding));
    }
}

static void takeMorphWeights(ApiRun *run, VkskinSkinCommand *command) {
    uint8_t kind = fuzzByte(&run->bytes);
    command->morphWeightCount = kind % MORPH_WEIGHTS_MAX;
    if (kind < 0xf0) {
        command->morphWeights = fuzzFloats(&run->bytes, command->morphWeightCount);
    }
}

static const ApiField COMMAND_FIELDS[] = {
    {0x39, offsetof(VkskinSkinCommand, palette.page)},
    {0x3a, offsetof(VkskinSkinCommand, palette.offset)},
    {0x3b, offsetof(VkskinSkinCommand, palette.boneCount)},
    {0x3c, offsetof(VkskinSkinCommand, palette.encoding)},
    {0x3d, offsetof(VkskinSkinCommand, method)},
    {0x3e, offsetof(VkskinSkinCommand, flags)},
};

static void takeCommand(ApiRun *run, VkskinSkinCommand *command) {
    uint8_t kind = fuzzByte(&run->bytes);
    *command = (VkskinSkinCommand){
        .palette = run->palettes[kind % API_PALETTES], .method = (VkskinMethod)(kind >> 6 & 1), .flags = kind >> 7};
    apiHandle(run, run->instances, API_INSTANCES, &command->instance);
    API_SPOIL(&run->bytes, command, COMMAND_FIELDS, kind & 0x3f);
    command->palette.serial = (kind & 0x3f) == 0x38 ? fuzzNumber(&run->bytes) : command->palette.serial;
    if ((kind & 0x3f) == 0x36 || (kind & 0x3f) == 0x37) {
        command->method = (VkskinMethod)(fuzzByte(&run->bytes) % VKSKIN_METHOD_COUNT);
        takeMorphWeights(run, command);
    } else if ((kind & 0x3f) == 0x3f) {
        takeMorphWeights(run, command);
    }
}

void apiSkin(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint32_t count = fuzzByte(&run->bytes) % (COMMANDS_MAX + 1);
    VkskinSkinCommand *commands = fuzzRoom(&run->bytes, count * sizeof *commands);
    for (uint32_t i = 0; i < count; i++) {
        takeCommand(run, &commands[i]);
    }
    apiCheck(vkskinSkinInstances(context->context, commands, count, NULL));
}

/* Up to 8 matrices in a block of exactly their size. */
static void takeMatrices(FuzzBytes *bytes, VkskinMatrices *matrices) {
    const uint8_t kind = fuzzByte(bytes);
    const size_t words = kind & 8 ? 12 : 16, step = words + (kind >> 4 & 3);
    *matrices = (VkskinMatrices){.count = 1u + (kind & 7u), .order = (VkskinMatrixOrder)(kind >> 3 & 1)};
    matrices->stride = step > words || kind >= 0x80 ? step * sizeof(float) : 0;
    float *data = fuzzFloats(bytes, (uint32_t)(step * (matrices->count - 1) + words));
    for (uint32_t i = 0; i < matrices->count && words == 16 && kind < 0xe0; i++) {
        float *matrix = data + step * i;
        matrix[3] = matrix[7] = matrix[11] = 0.0f;
        matrix[15] = 1.0f;
    }
    matrices->data = data;
    const uint8_t flaw = fuzzByte(bytes);
    matrices->data = flaw == 0xff ? NULL : matrices->data;
    matrices->count = flaw == 0xfe ? 0 : matrices->count;
    matrices->stride = flaw == 0xfd ? 4u * (fuzzByte(bytes) & 7u) + 1 : matrices->stride;
    matrices->stride = flaw == 0xfc ? 65540 : matrices->stride;
    matrices->order = flaw == 0xfb ? (VkskinMatrixOrder)(2 + fuzzByte(bytes)) : matrices->order;
}

/* Sometimes two instances share matrices. */
void apiSkinMatrices(ApiRun *run) {
    ApiContext *context = apiContext(run);
    const uint32_t count = fuzzByte(&run->bytes) % (COMMANDS_MAX + 1);
    const VkskinMethod method = (VkskinMethod)(fuzzByte(&run->bytes) % (VKSKIN_METHOD_COUNT + 1));
    VkskinInstance *instances = fuzzRoom(&run->bytes, count * sizeof *instances);
    VkskinMatrices *matrices = fuzzRoom(&run->bytes, count * sizeof *matrices);
    for (uint32_t i = 0; i < count; i++) {
        apiHandle(run, run->instances, API_INSTANCES, &instances[i]);
        if (i > 0 && (fuzzByte(&run->bytes) & 1) != 0) {
            matrices[i] = matrices[i - 1];
        } else {
            takeMatrices(&run->bytes, &matrices[i]);
        }
    }
    apiCheck(vkskinSkinMatrices(context->context, method, instances, matrices, count));
}

void apiRecord(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    VkCommandBuffer commands = kind == UINT8_MAX ? VK_NULL_HANDLE : context->commands;
    if (kind < 0x80) {
        apiCheck(vkskinRecordSkinning(context->context, commands));
    } else if (kind < 0xc0) {
        apiCheck(vkskinRecordUploads(context->context, commands));
    } else if (kind < 0xe0) {
        apiCheck(vkskinRecordRelease(context->context, commands));
    } else {
        apiCheck(vkskinRecordAcquire(context->context, commands));
    }
}

void apiScope(ApiRun *run) {
    static const char longName[] = "-a name that is too long and is cut";
    static const char *const names[] = {"shadows", "colour", "skinning", "upload", "", NULL, longName, longName + 1};
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    const char *name = names[kind % 8];
    if (kind & 0x80) {
        apiCheck(vkskinEndScope(context->context, context->commands, name));
    } else {
        apiCheck(vkskinBeginScope(context->context, context->commands, name));
    }
}

/* ---- Queries ---- */

#define ROOM_MAX 12u

static bool isOfHost(const ApiContext *context, VkBuffer buffer) {
    bool found = false;
    for (uint32_t i = 0; i < API_BUFFERS; i++) {
        found = found || context->buffers[i] == buffer;
    }
    return found;
}

void apiOutput(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinInstance instance;
    VkskinOutput output;
    VkskinStats stats;
    VkskinOutputPage page;
    apiHandle(run, run->instances, API_INSTANCES, &instance);
    uint32_t pages = vkskinGetOutputPageCount(context->context);
    if (apiCheck(vkskinGetOutput(context->context, instance, &output))) {
        FUZZ_CHECK(output.page < pages);
        FUZZ_CHECK(vkskinGetOutputPage(context->context, output.page, &page) == VKSKIN_SUCCESS);
        FUZZ_CHECK(page.buffer == output.buffer);
        VkDeviceSize steps = output.vertexCount - 1;
        const uint32_t alignment = isOfHost(context, output.buffer) ? 4 : 16;
        FUZZ_CHECK(output.offset % alignment == 0);
        FUZZ_CHECK(output.positionOffset % 4 == 0 && output.attributeOffset % 4 == 0);
        FUZZ_CHECK(output.positionOffset + steps * output.positionStride + 8 <= page.size);
        FUZZ_CHECK(output.previousPositionOffset + steps * output.positionStride + 8 <= page.size);
        FUZZ_CHECK(output.attributeOffset + steps * output.attributeStride + 4 <= page.size);
        FUZZ_CHECK(nullDriverContents(run->driver, output.buffer) != NULL);
    }
    uint32_t any = fuzzNumber(&run->bytes);
    FUZZ_CHECK(apiCheck(vkskinGetOutputPage(context->context, any, &page)) == (any < pages));
    apiCheck(vkskinGetStats(context->context, &stats));
}

void apiAccesses(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    uint32_t room = kind % (ROOM_MAX + 1), count = room, all = 0;
    VkskinPass pass = kind >= 0xf0 ? (VkskinPass)fuzzNumber(&run->bytes) : (VkskinPass)(kind >> 7);
    bool counted = apiCheck(vkskinGetAccesses(context->context, pass, NULL, &all));
    VkskinAccess *accesses = fuzzRoom(&run->bytes, room * sizeof *accesses);
    VkskinResult result = vkskinGetAccesses(context->context, pass, accesses, &count);
    bool good = apiCheck(result);
    FUZZ_CHECK(good == counted && (!good || count == (all < room ? all : room)));
    FUZZ_CHECK(!good || (result == VKSKIN_WARNING_INCOMPLETE) == (all > room));
    for (uint32_t i = 0; good && i < count; i++) {
        FUZZ_CHECK(accesses[i].buffer != VK_NULL_HANDLE && accesses[i].size > 0 && accesses[i].stages != 0);
    }
}

void apiTimings(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    uint32_t room = kind % (ROOM_MAX + 1), count = room;
    uint64_t frame;
    VkskinTimestampSupport support;
    VkskinTiming *timings = fuzzRoom(&run->bytes, room * sizeof *timings);
    bool good = apiCheck(vkskinGetTimings(context->context, kind & 0x40 ? NULL : timings, &count,
                                          kind & 0x20 ? NULL : &frame, kind & 0x10 ? NULL : &support));
    for (uint32_t i = 0; good && !(kind & 0x40) && i < count; i++) {
        FUZZ_CHECK(memchr(timings[i].name, 0, sizeof timings[i].name) != NULL && timings[i].milliseconds >= 0.0);
    }
}

void apiVertexInput(ApiRun *run) {
    uint8_t kind = fuzzByte(&run->bytes);
    VkskinVertexFormat format =
        kind >= 0xf0 ? (VkskinVertexFormat)fuzzNumber(&run->bytes) : (VkskinVertexFormat)(kind % 3);
    VkskinVertexInput input;
    VkskinOutputLayout layout;
    apiTakeLayout(&run->bytes, &layout);
    if (apiCheck(vkskinGetVertexInput(format, kind & 2, kind & 4, kind & 8 ? &layout : NULL, fuzzNumber(&run->bytes),
                                      fuzzNumber(&run->bytes), &input))) {
        FUZZ_CHECK(input.bindingCount <= VKSKIN_MAX_OUTPUT_STREAMS);
        FUZZ_CHECK(input.attributeCount <= VKSKIN_MAX_VERTEX_ATTRIBUTES);
    }
    FUZZ_CHECK(vkskinPaletteStride((VkskinPaletteEncoding)fuzzNumber(&run->bytes)) <= 64);
}
