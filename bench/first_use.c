#include "first_use.h"

#include <stdlib.h>
#include <string.h>

#include "crowd_scene.h"
#include "measure.h"
#include "skinning.h"

#define ROUNDS      3
#define ALL_METHODS (((1u << VKSKIN_METHOD_COUNT) - 1) << 8)
#define ALL_PALETTE (((1u << VKSKIN_PALETTE_ENCODING_COUNT) - 1) << 8)
#define BOTH        (VKSKIN_VERTEX_PACKED_BIT | VKSKIN_VERTEX_FLOAT_BIT)
#define LINEAR      VKSKIN_METHOD_LINEAR_BLEND_BIT
#define PACKED      VKSKIN_VERTEX_PACKED_BIT

typedef enum CacheUse { CACHE_NONE, CACHE_SAME, CACHE_DATA } CacheUse;

typedef struct KernelSetRow {
    const char *name;
    bool mesh; /* VkskinPipelineDef.meshes is the scene's mesh; else the fields below */
    CacheUse cache;
    uint32_t methods, encodings, formats, features;
    bool large; /* not measured with --quick */
} KernelSetRow;

static const KernelSetRow ROWS[] = {
    {"one mesh of 1 to 4 influences (`meshes`)", true, CACHE_NONE, LINEAR, 0, 0, 0, false},
    {"the same mesh, with the `VkPipelineCache` of an earlier context", true, CACHE_SAME, LINEAR, 0, 0, 0, false},
    {"the same mesh, with the data of that cache loaded into a new one", true, CACHE_DATA, LINEAR, 0, 0, 0, false},
    {"the default def without `meshes`", false, CACHE_NONE, LINEAR, 0, PACKED, 0, false},
    {"both formats", false, CACHE_NONE, LINEAR, 0, BOTH, 0, true},
    {"exact normals and morph targets", false, CACHE_NONE, LINEAR, 0, PACKED, 3, true},
    {"all five methods", false, CACHE_NONE, ALL_METHODS, 0, PACKED, 0, true},
    {"the same with all encodings, both formats, exact normals and morph targets", false, CACHE_NONE, ALL_METHODS,
     ALL_PALETTE, BOTH, 3, true},
};

enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

typedef struct FirstUse {
    const BenchEnvironment *environment;
    CrowdScene scene;
    VkPipelineCache caches[CACHE_DATA + 1];
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instance;
    char message[ENGINE_ERROR_SIZE];
    Samples create[ROW_COUNT], frame[ROW_COUNT], ratio[ROW_COUNT];
    uint32_t kernels[ROW_COUNT];
} FirstUse;

/* ---- Counting: Vulkan's functions carry no user pointer ---- */

static uint32_t created;

static VKAPI_ATTR VkResult VKAPI_CALL countPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                     const VkComputePipelineCreateInfo *infos,
                                                     const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    created += count;
    return vkCreateComputePipelines(device, cache, count, infos, allocator, pipelines);
}

static void keepMessage(void *user, VkskinResult result, const char *message) {
    FirstUse *use = user;
    if (result < 0) {
        snprintf(use->message, sizeof use->message, "%s", message);
    }
}

static bool check(const FirstUse *use, VkskinResult result, EngineError *error) {
    return result >= 0 || engineFail(error, "%.400s (%s)", use->message, vkskinResultName(result));
}

/* ---- One measurement ---- */

static bool createContext(FirstUse *use, EngineError *error) {
    const VkskinVulkanFunctions functions = {.vkCreateComputePipelines = countPipelines};
    VkskinContextDef def = skinningDeviceDef(use->environment->device, NULL, (VkskinLogger){keepMessage, use});
    VkskinMeshDef mesh = crowdSceneMeshDef(&use->scene, VKSKIN_VERTEX_PACKED, VKSKIN_WEIGHTS_FLOAT);
    def.functions = &functions;
    def.framesInFlight = 1;
    def.memory.pageSize = 1 << 20;
    VkskinResult result = vkskinCreateContext(&def, &use->context);
    if (result >= 0) {
        result = vkskinCreateMesh(use->context, &mesh, &use->mesh);
    }
    return check(use, result < 0 ? result : vkskinCreateInstances(use->context, use->mesh, 1, &use->instance), error);
}

static bool createKernels(FirstUse *use, const KernelSetRow *row, double *milliseconds, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.cache = use->caches[row->cache];
    def.methods = row->methods;
    def.encodings = row->encodings;
    def.formats = row->formats;
    def.features = row->features;
    def.meshes = row->mesh ? &use->mesh : NULL;
    def.meshCount = row->mesh;
    created = 0;
    double begun = measureNow();
    bool good = check(use, vkskinCreatePipelines(use->context, &def), error);
    *milliseconds = measureNow() - begun;
    return good;
}

/* From vkskinBeginFrame to the end of the wait for the device. */
static bool runFrame(FirstUse *use, double *milliseconds, EngineError *error) {
    DeviceClock *clock = use->environment->clock;
    VkskinSkinCommand command = {.instance = use->instance, .method = VKSKIN_METHOD_LINEAR_BLEND};
    void *palette;
    VkCommandBuffer commandBuffer = deviceClockBegin(clock, error);
    double begun = measureNow();
    if (!commandBuffer || !check(use, vkskinBeginFrame(use->context, 0), error) ||
        !check(use,
               vkskinAllocatePalette(use->context, VKSKIN_PALETTE_MAT3X4, use->scene.shape.bones, &command.palette,
                                     &palette),
               error)) {
        return false;
    }
    memcpy(palette, crowdScenePalette(&use->scene, 0), use->scene.paletteBytes);
    bool good = check(use, vkskinSkinInstances(use->context, &command, 1, NULL), error) &&
                check(use, vkskinRecordSkinning(use->context, commandBuffer), error) &&
                deviceClockEnd(clock, NULL, error);
    *milliseconds = measureNow() - begun;
    return good;
}

/* The data of CACHE_SAME in a new cache. */
static bool loadCache(FirstUse *use, EngineError *error) {
    VkDevice device = use->environment->device->handle;
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    vkDestroyPipelineCache(device, use->caches[CACHE_DATA], NULL);
    use->caches[CACHE_DATA] = VK_NULL_HANDLE;
    VkResult result = vkGetPipelineCacheData(device, use->caches[CACHE_SAME], &info.initialDataSize, NULL);
    void *data = malloc(info.initialDataSize + 1);
    if (result == VK_SUCCESS && data) {
        result = vkGetPipelineCacheData(device, use->caches[CACHE_SAME], &info.initialDataSize, data);
        info.pInitialData = data;
    }
    if (result == VK_SUCCESS && data) {
        result = vkCreatePipelineCache(device, &info, NULL, &use->caches[CACHE_DATA]);
    }
    free(data);
    return (data && result == VK_SUCCESS) || engineFail(error, "the pipeline cache cannot be copied");
}

static bool measureRow(FirstUse *use, uint32_t r, double *reference, EngineError *error) {
    double create = 0, frame = 0;
    bool good = (ROWS[r].cache != CACHE_DATA || loadCache(use, error)) && createContext(use, error) &&
                createKernels(use, &ROWS[r], &create, error) && runFrame(use, &frame, error);
    vkskinDestroyContext(use->context);
    use->context = NULL;
    use->kernels[r] = created;
    *reference = r == 0 ? create : *reference;
    return good && samplesAdd(&use->create[r], create, error) && samplesAdd(&use->frame[r], frame, error) &&
           samplesAdd(&use->ratio[r], create / *reference, error);
}

/* ---- All ---- */

static bool measureAll(FirstUse *use, EngineError *error) {
    const bool quick = use->environment->quick;
    const CrowdShape shape = {2000, 1, 64, INFLUENCE_MIX};
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    bool good = crowdSceneCreate(&shape, (SkinMode)0, &use->scene, error);
    if (good && vkCreatePipelineCache(use->environment->device->handle, &info, NULL, &use->caches[CACHE_SAME]) < 0) {
        return engineFail(error, "no pipeline cache");
    }
    double reference = 0, warm;
    /* The first dispatch of a process starts the driver's threads, and fills the cache. */
    good =
        good && createContext(use, error) && createKernels(use, &ROWS[1], &warm, error) && runFrame(use, &warm, error);
    vkskinDestroyContext(use->context);
    use->context = NULL;
    for (uint32_t i = 0; good && i < ROW_COUNT * (quick ? 1 : ROUNDS); i++) {
        uint32_t r = i % ROW_COUNT;
        good = (quick && ROWS[r].large) || measureRow(use, r, &reference, error);
    }
    return good;
}

static void printRow(FILE *stream, FirstUse *use, uint32_t r) {
    Measured create = samplesMeasure(&use->create[r]), frame = samplesMeasure(&use->frame[r]);
    Measured ratio = samplesMeasure(&use->ratio[r]);
    if (ratio.count > 0) {
        fprintf(stream, "| %s | %u | %.0f | x%.2f (%.0f %%) | %.0f |\n", ROWS[r].name, use->kernels[r], create.median,
                ratio.median, ratio.spread, frame.median);
    }
}

bool firstUsePrint(FILE *stream, const BenchEnvironment *environment, EngineError *error) {
    FirstUse *use = engineAllocate(1, sizeof *use, error);
    if (!use) {
        return false;
    }
    use->environment = environment;
    bool good = measureAll(use, error);
    fprintf(stream, "| kernels of | kernels | create, ms | | first frame, ms |\n| --- | ---: | ---: | ---: | ---: |\n");
    for (uint32_t r = 0; r < ROW_COUNT; r++) {
        if (good) {
            printRow(stream, use, r);
        }
        samplesFree(&use->create[r]);
        samplesFree(&use->frame[r]);
        samplesFree(&use->ratio[r]);
    }
    vkskinDestroyContext(use->context);
    for (int c = 0; c <= CACHE_DATA; c++) {
        vkDestroyPipelineCache(environment->device->handle, use->caches[c], NULL);
    }
    crowdSceneDestroy(&use->scene);
    free(use);
    return good;
}
