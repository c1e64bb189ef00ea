#include "conform.h"

#include <stdlib.h>
#include <string.h>

#include "meshes.h"
#include "output_spans.h"

#define FRAMES    2u
#define PAGE_SIZE ((VkDeviceSize)5 << 20) /* a palette of 70,000 bones fits */

static VkskinContext shared; /* kept from call to call */
static ConformSettings sharedSettings;
static uint32_t sharedFrame; /* the slot that begins next */

static void destroyShared(void) {
    vkskinDestroyContext(shared);
    shared = NULL;
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
        def.pageSize = PAGE_SIZE;
        def.paletteBytesPerFrame = 5 * PAGE_SIZE;
        def.framesInFlight = FRAMES;
        GPU_VKSKIN(gpu, vkskinCreateContext(&def, &shared));
        gpu->finish = destroyShared;
    }
    return shared;
}

/* ---- A run ---- */

typedef struct Run {
    VkskinMesh mesh;
    VkskinMeshInfo info;
    uint32_t count;            /* of skinned instances */
    VkskinInstance *instances; /* [2 count + 1]: the odd ones are skinned */
    VkskinPalette *palettes;   /* [count] */
    VkskinOutput *outputs;     /* [count] */
    ReadVertex *vertices;      /* [count][vertexCount] */
} Run;

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
    run->vertices = newZeros((size_t)count * run->info.vertexCount, sizeof *run->vertices);
    for (uint32_t i = 0; i < 2 * count + 1; i++) {
        GPU_VKSKIN(gpu, instanceOf(context, run->mesh, &run->instances[i]));
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
}

static void makeKernels(Gpu *gpu, VkskinContext context, const Run *run, const ConformInstance *instances) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    uint32_t most = gpu->properties.limits.maxComputeWorkGroupInvocations;
    def.workgroupSize = sharedSettings.workgroupSize < most ? sharedSettings.workgroupSize : most;
    def.instancesPerThread = sharedSettings.instancesPerThread;
    def.cache = gpu->cache;
    def.meshes = &run->mesh;
    def.meshCount = 1;
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
    GPU_VKSKIN(gpu, vkskinGetOutput(context, command.instance, &run->outputs[index]));
}

static void takeOutput(const GpuBuffer *copy, const VkskinOutput *output, const VkskinMeshInfo *info) {
    OutputSpan spans[MAX_OUTPUT_SPANS];
    uint32_t count = outputSpans(info, spans);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < info->vertexCount; v++) {
            gpuTakeWritten(copy, output->offset + spans[i].offset + (VkDeviceSize)v * spans[i].stride, spans[i].bytes);
        }
    }
}

/* Reads the vertices of a page; checks that nothing else in it was written. */
static void readPage(const Run *run, uint32_t page, const GpuBuffer *copy) {
    VkDeviceSize vertexCount = run->info.vertexCount;
    for (uint32_t i = 0; i < run->count; i++) {
        const VkskinOutput *output = &run->outputs[i];
        if (output->page != page) {
            continue;
        }
        for (uint32_t v = 0; v < vertexCount; v++) {
            run->vertices[i * vertexCount + v] = readVertex(copy->mapped, 0, output, &run->info, v);
        }
        takeOutput(copy, output, &run->info);
    }
    gpuCheckPoison(copy, page);
}

ReadVertex *newConformOutput(Gpu *gpu, const ConformSettings *settings, const VkskinMeshDef *def,
                             const ConformInstance *instances, uint32_t count, VkskinMeshInfo *info) {
    const ConformSettings none = {0};
    VkskinContext context = sharedContext(gpu, settings != NULL ? settings : &none);
    Run run = {.count = 0};
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, sharedFrame));
    sharedFrame = (sharedFrame + 1) % FRAMES;
    createRun(gpu, context, def, count, &run);
    makeKernels(gpu, context, &run, instances);
    gpuPoisonOutput(gpu, context);
    for (uint32_t i = 0; i < count; i++) {
        skinInstance(gpu, context, &run, instances, i);
    }
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    for (uint32_t page = 0; page < vkskinGetOutputPageCount(context); page++) {
        GpuBuffer copy = gpuReadPage(gpu, context, page);
        readPage(&run, page, &copy);
        gpuFreeBuffer(gpu, &copy);
    }
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
