#include "conform.h"

#include "meshes.h"
#include "output_spans.h"

#define FRAMES    2u
#define PAGE_SIZE ((VkDeviceSize)5 << 20) /* room for a palette of 70,000 bones */

static VkskinContext shared; /* kept from call to call */
static ConformSettings sharedSettings;
static uint32_t sharedFrame; /* the slot that begins next */

/* ---- The buffer of the host ---- */

#define HOST_GAP    4096u /* before, between and after the regions: these bytes must stay as they are */
#define HOST_SHARE  ((VkDeviceSize)4 << 20) /* bytes of a region for one slot */
#define HOST_REGION (FRAMES * HOST_SHARE)

/* The GPU of the shared context; made for the first run that needs it. */
static Gpu *hostGpu;
static GpuBuffer hostMemory;
static VkskinOutputBufferDef hostDef;
static VkskinOutputBuffer hostBuffer;

/* The regions are in descending order. */
static void makeHostBuffer(Gpu *gpu, VkskinContext context) {
    if (hostMemory.buffer != VK_NULL_HANDLE) {
        return;
    }
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    const uint32_t regions = stats.outputRegions;
    hostGpu = gpu;
    hostMemory = gpuBuffer(gpu, regions * (HOST_GAP + HOST_REGION) + HOST_GAP,
                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                               VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    hostDef = vkskinDefaultOutputBufferDef();
    hostDef.buffer = hostMemory.buffer;
    hostDef.bufferSize = hostMemory.size;
    hostDef.regionCount = regions;
    hostDef.regionSize = HOST_REGION;
    hostDef.mapped = hostMemory.mapped;
    for (uint32_t i = 0; i < regions; i++) {
        hostDef.offsets[i] = (regions - 1 - i) * (HOST_GAP + HOST_REGION) + HOST_GAP;
    }
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(context, &hostDef, &hostBuffer));
}

static bool isInHostBuffer(const VkskinOutput *output) {
    return hostMemory.buffer != VK_NULL_HANDLE && output->buffer == hostMemory.buffer;
}

static bool isAtPlace(const VkskinOutput *output, VkDeviceSize place) {
    bool found = false;
    for (uint32_t i = 0; i < hostDef.regionCount; i++) {
        found = found || output->offset == hostDef.offsets[i] + place;
    }
    return found;
}

static void destroyShared(void) {
    vkskinDestroyContext(shared);
    shared = NULL;
    if (hostMemory.buffer != VK_NULL_HANDLE) {
        gpuFreeBuffer(hostGpu, &hostMemory);
    }
}

static bool isShared(const ConformSettings *settings) {
    return shared != NULL && sharedSettings.backend == settings->backend &&
           sharedSettings.binding == settings->binding &&
           sharedSettings.instancesPerThread == settings->instancesPerThread &&
           sharedSettings.workgroupSize == settings->workgroupSize &&
           sharedSettings.driverConstants == settings->driverConstants;
}

/* The library chooses by the type of the device. */
static VKAPI_ATTR void VKAPI_CALL otherProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

static VkskinContext sharedContext(Gpu *gpu, const ConformSettings *settings) {
    if (!isShared(settings)) {
        destroyShared();
        sharedSettings = *settings;
        sharedFrame = 0;
        VkskinContextDef def = gpuContextDef(gpu);
        const VkskinVulkanFunctions other = {.vkGetPhysicalDeviceProperties = otherProperties};
        def.functions = settings->driverConstants ? &other : NULL;
        def.backend = settings->backend;
        def.paletteBinding = settings->binding;
        def.memory.pageSize = PAGE_SIZE;
        def.memory.paletteBytesPerFrame = 5 * PAGE_SIZE;
        def.framesInFlight = FRAMES;
        GPU_VKSKIN(gpu, vkskinCreateContext(&def, &shared));
        gpu->finish = destroyShared;
    }
    return shared;
}

/* ---- A run ---- */

typedef struct Run {
    bool hostOutput;
    VkskinMesh mesh;
    VkskinMeshInfo info;
    uint32_t count;            /* number of skinned instances */
    VkskinInstance *instances; /* [2 count + 1]: the odd ones are skinned */
    VkskinPalette *palettes;   /* [count] */
    VkskinOutput *outputs;     /* [count] */
    VkDeviceSize *places;      /* [count]: in the region of the host's buffer */
    ReadVertex *vertices;      /* [count][vertexCount] */
    uint32_t *image;           /* [outputBytes / 4]: of a new instance; poison where nothing is written */
} Run;

/* Each slot has its share of the region: a frame in flight may use the outputs of the run before. */
static void placeInstances(Gpu *gpu, VkskinContext context, uint32_t slot, Run *run) {
    makeHostBuffer(gpu, context);
    VkDeviceSize place = slot * HOST_SHARE + 4;
    for (uint32_t i = 0; i < run->count; i++) {
        VkskinInstanceDef def = vkskinDefaultInstanceDef();
        def.mesh = run->mesh;
        def.outputBuffer = hostBuffer;
        def.outputOffset = run->places[i] = place;
        place += outputEnd(&run->info) + (VkDeviceSize)4 * (i % 4);
        assert_true(place <= (slot + 1) * HOST_SHARE);
        GPU_VKSKIN(gpu, vkskinCreateInstance(context, &def, &run->instances[2 * i + 1]));
    }
}

static void createRun(Gpu *gpu, VkskinContext context, const VkskinMeshDef *def, uint32_t count, Run *run) {
    VkskinResult result = vkskinCreateMesh(context, def, &run->mesh);
    if (result < 0) {
        GPU_VKSKIN(gpu, result);
    }
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, run->mesh, &run->info));
    run->count = count;
    run->instances = newZeros(2 * (size_t)count + 1, sizeof *run->instances);
    run->palettes = newZeros(count, sizeof *run->palettes);
    run->outputs = newZeros(count, sizeof *run->outputs);
    run->places = newZeros(count, sizeof *run->places);
    run->vertices = newZeros((size_t)count * run->info.vertexCount, sizeof *run->vertices);
    run->image = newZeros(1, run->info.outputBytes);
    for (uint32_t i = 0; i < 2 * count + 1; i++) {
        if (i % 2 == 0 || !run->hostOutput) {
            GPU_VKSKIN(gpu, vkskinCreateInstances(context, run->mesh, 1, &run->instances[i]));
        }
    }
}

static void freeRun(Gpu *gpu, VkskinContext context, Run *run) {
    for (uint32_t i = 0; i < 2 * run->count + 1; i++) {
        GPU_VKSKIN(gpu, vkskinDestroyInstance(context, run->instances[i]));
    }
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, run->mesh));
    free(run->instances);
    free(run->palettes);
    free(run->outputs);
    free(run->places);
    free(run->image);
}

static void makeKernels(Gpu *gpu, VkskinContext context, const Run *run, const ConformInstance *instances) {
    uint32_t most = gpu->properties.limits.maxComputeWorkGroupInvocations;
    VkskinPipelineDef def = kernelsOf(&run->mesh, 1);
    def.workgroupSize = sharedSettings.workgroupSize < most ? sharedSettings.workgroupSize : most;
    def.instancesPerThread = sharedSettings.instancesPerThread;
    def.cache = gpu->cache;
    for (uint32_t i = 0; i < run->count; i++) {
        def.methods |= VKSKIN_METHOD_BIT(instances[i].method);
        def.encodings |= VKSKIN_PALETTE_BIT(instances[i].encoding);
    }
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &def));
}

static void writePalette(Gpu *gpu, VkskinContext context, const Run *run, const ConformInstance *instances,
                         uint32_t index) {
    const ConformInstance *instance = &instances[index];
    for (uint32_t i = 0; i < index; i++) {
        if (instances[i].palette == instance->palette && instances[i].encoding == instance->encoding) {
            run->palettes[index] = run->palettes[i];
            return;
        }
    }
    void *data;
    uint32_t bones = run->info.boneCount;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, instance->encoding, bones, &run->palettes[index], &data));
    memcpy(data, instance->palette, (size_t)bones * vkskinPaletteStride(instance->encoding));
}

static void skinInstance(Gpu *gpu, VkskinContext context, const Run *run, const ConformInstance *instances,
                         uint32_t index) {
    const ConformInstance *instance = &instances[index];
    if (run->info.boneCount > 0) {
        writePalette(gpu, context, run, instances, index);
    }
    VkskinSkinCommand command = {.instance = run->instances[2 * index + 1],
                                 .palette = run->palettes[index],
                                 .method = instance->method,
                                 .morphWeights = instance->morphWeights,
                                 .morphWeightCount = instance->morphWeightCount};
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
    const VkskinOutput *output = &run->outputs[index];
    GPU_VKSKIN(gpu, vkskinGetOutput(context, command.instance, &run->outputs[index]));
    assert_true(isInHostBuffer(output) == run->hostOutput);
    assert_true(!run->hostOutput || isAtPlace(output, run->places[index]));
}

/* What skinning wrote must not be poison; it becomes what a new instance has there. */
static void takeOutput(const GpuBuffer *copy, const Run *run, const VkskinOutput *output) {
    OutputSpan spans[MAX_OUTPUT_SPANS];
    uint32_t count = outputSpans(&run->info, spans);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < run->info.vertexCount; v++) {
            VkDeviceSize at = spans[i].offset + (VkDeviceSize)v * spans[i].stride;
            gpuTakeWritten(copy, output->offset + at, spans[i].bytes);
            memcpy((char *)copy->mapped + output->offset + at, run->image + at / 4, spans[i].bytes);
        }
    }
}

/* The CPU backend copies pass-through attributes when the instance is created, so before the poison. */
static void fillImage(const Run *run) {
    VkskinMeshInfo info = run->info;
    info.layout.passThroughCount = sharedSettings.backend == VKSKIN_BACKEND_CPU ? 0 : info.layout.passThroughCount;
    passThroughImage(&info, GPU_POISON, run->image);
}

static size_t firstFilled(const Run *run) {
    size_t words = (size_t)run->info.outputBytes / 4, first = 0;
    while (first < words && run->image[first] == GPU_POISON) {
        first++;
    }
    return first;
}

/* Replaces the pass-through attributes of all instances, skinned or not, by poison. Returns the number of instances. */
static uint32_t takeFills(const Run *run, const GpuBuffer *copy) {
    size_t first = firstFilled(run), size = (size_t)run->info.outputBytes / 4;
    uint32_t *words = copy->mapped, found = 0;
    for (size_t i = 0; i + size <= copy->size / 4; i++) {
        if (first < size && words[i + first] != GPU_POISON) {
            for (size_t w = 0; w < size; w++) {
                bool filled = run->image[w] != GPU_POISON;
                if (filled && words[i + w] != run->image[w]) {
                    fail_msg("word %zu of a new instance is 0x%08x, not 0x%08x", w, words[i + w], run->image[w]);
                }
                words[i + w] = filled ? GPU_POISON : words[i + w];
            }
            found++;
        }
    }
    return found;
}

/* Reads the vertices of a page; checks that nothing else in it was written. Returns the instances that were filled. */
static uint32_t readPage(const Run *run, uint32_t page, const GpuBuffer *copy) {
    VkDeviceSize vertexCount = run->info.vertexCount;
    for (uint32_t i = 0; i < run->count; i++) {
        const VkskinOutput *output = &run->outputs[i];
        if (output->page != page) {
            continue;
        }
        for (uint32_t v = 0; v < vertexCount; v++) {
            run->vertices[i * vertexCount + v] = readVertex(copy->mapped, 0, output, &run->info, v);
        }
        takeOutput(copy, run, output);
    }
    uint32_t filled = takeFills(run, copy);
    gpuCheckPoison(copy, page);
    return filled;
}

ReadVertex *newConformOutput(Gpu *gpu, const ConformSettings *settings, const VkskinMeshDef *def,
                             const ConformInstance *instances, uint32_t count, VkskinMeshInfo *info) {
    const ConformSettings none = {0};
    VkskinContext context = sharedContext(gpu, settings != NULL ? settings : &none);
    Run run = {.hostOutput = settings != NULL && settings->hostOutput};
    const uint32_t slot = sharedFrame;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, slot));
    sharedFrame = (sharedFrame + 1) % FRAMES;
    createRun(gpu, context, def, count, &run);
    if (run.hostOutput) {
        placeInstances(gpu, context, slot, &run);
    }
    fillImage(&run);
    makeKernels(gpu, context, &run, instances);
    gpuPoisonOutput(gpu, context);
    for (uint32_t i = 0; i < count; i++) {
        skinInstance(gpu, context, &run, instances, i);
    }
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    uint32_t filled = 0;
    for (uint32_t page = 0; page < vkskinGetOutputPageCount(context); page++) {
        GpuBuffer copy = gpuReadPage(gpu, context, page);
        filled += readPage(&run, page, &copy);
        gpuFreeBuffer(gpu, &copy);
    }
    assert_int_equal(filled, firstFilled(&run) < run.info.outputBytes / 4 ? 2 * count + 1 : 0);
    *info = run.info;
    freeRun(gpu, context, &run);
    return run.vertices;
}

/* ---- Comparing ---- */

void conformCompare(const ReferenceVertex *expected, const ReadVertex *vertices, const VkskinMeshInfo *info,
                    ConformWorst *worst) {
    double diagonal = referenceDiagonal(expected, info->vertexCount);
    for (uint32_t v = 0; v < info->vertexCount; v++) {
        VertexError error = vertexError(&expected[v], &vertices[v], diagonal, info);
        worst->compared++;
        worst->leftOut += error.leftOut;
        vertexErrorKeepWorst(&worst->error, &error);
    }
}

void conformCheckWorst(const char *label, const ConformWorst *worst, VkskinVertexFormat format) {
    const VertexError *error = &worst->error;
    print_message("%s: position %.2g of the diagonal, normal %.3f, tangent %.3f degrees; %u of %u left out\n", label,
                  error->position, error->normal, error->tangent, worst->leftOut, worst->compared);
    assert_true(worst->compared > 0);
    assert_true(vertexErrorIsGood(error, format));
    assert_true((double)worst->leftOut <= 0.01 * worst->compared);
}
