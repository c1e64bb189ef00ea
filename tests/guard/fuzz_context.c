#include "fuzz_context.h"

#include "kernel_loan.h"
#include "watch.h"

/* Pipelines are lent, so that not every context has to make its own: one module at a time is there. */
static uint32_t code;
static uint64_t lentSeed;

static VKAPI_ATTR VkResult VKAPI_CALL createModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    code = kernelLoanCode(info);
    return vkCreateShaderModule(device, info, allocator, module);
}

static VKAPI_ATTR VkResult VKAPI_CALL lendPipeline(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkComputePipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    (void)allocator;
    assert_int_equal(count, 1);
    return kernelLoan(device, cache, infos, code, pipelines);
}

static VKAPI_ATTR void VKAPI_CALL keepPipeline(VkDevice device, VkPipeline pipeline,
                                               const VkAllocationCallbacks *allocator) {
    (void)device;
    (void)pipeline;
    (void)allocator;
}

static uint32_t anyWorkgroup(Gpu *gpu, Random *random) {
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    uint32_t most = limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
                        ? limits->maxComputeWorkGroupInvocations
                        : limits->maxComputeWorkGroupSize[0];
    const uint32_t sizes[] = {32, 64, 96, 128, 256, most / 32 * 32};
    return sizes[randomBelow(random, sizeof sizes / sizeof sizes[0])];
}

static FuzzWay anyWay(Random *random) {
    FuzzWay way;
    do {
        way = (FuzzWay){(VkskinMethod)randomBelow(random, VKSKIN_METHOD_COUNT),
                        (VkskinPaletteEncoding)randomBelow(random, VKSKIN_PALETTE_ENCODING_COUNT)};
    } while (!vkskinMethodReads(way.method, way.encoding) || way.encoding == VKSKIN_PALETTE_MAT2X3);
    return way;
}

static FuzzShape anyShape(Gpu *gpu, uint64_t kernelSeed, bool simple) {
    static const uint32_t perThread[] = {1, 4, 16, 64};
    Random random = {kernelSeed};
    FuzzShape shape = {.attributes = randomBelow(&random, 3), .instancesPerThread = perThread[randomBelow(&random, 4)]};
    shape.workgroupSize = anyWorkgroup(gpu, &random);
    shape.binding = kernelSeed % 3 == 0 ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    for (uint32_t i = 0; i < FUZZ_WAYS; i++) {
        shape.ways[i] = simple && i > 0 ? shape.ways[0] : anyWay(&random);
    }
    if (simple) {
        shape.attributes = 0;
    } else {
        shape.morphs = kernelSeed % 2 == 1; /* in turn, so that a short run has all */
        shape.flat = kernelSeed % 4 >= 2;
        shape.format = (VkskinVertexFormat)randomBelow(&random, VKSKIN_VERTEX_FORMAT_COUNT);
        shape.normals = randomBelow(&random, 2) == 0 ? VKSKIN_NORMALS_CHEAP : VKSKIN_NORMALS_EXACT;
    }
    return shape;
}

void fuzzContextKernels(Gpu *gpu, const FuzzContext *context, VkskinMesh mesh) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.cache = gpu->cache;
    def.methods = 0;
    for (uint32_t i = 0; i < FUZZ_WAYS; i++) {
        def.methods |= VKSKIN_METHOD_BIT(context->shape.ways[i].method);
        def.encodings |= VKSKIN_PALETTE_BIT(context->shape.ways[i].encoding);
    }
    def.meshes = &mesh;
    def.meshCount = 1;
    def.instancesPerThread = context->shape.instancesPerThread;
    def.workgroupSize = context->shape.workgroupSize;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context->context, &def));
}

/* One in sixteen is large: palettes of more bones than 16 bits count. */
static void chooseSizes(Random *random, VkskinContextDef *def) {
    bool large = randomBelow(random, 16) == 0;
    def->pageSize = large ? 4u << 20 : (64u << 10) + 16 * randomBelow(random, 4096);
    def->paletteBytesPerFrame = large ? 70000u * 48u : 1000 + randomBelow(random, 200000);
    def->maxInstances = 1 + randomBelow(random, randomBelow(random, 4) == 0 ? FUZZ_MAX_INSTANCES : 40);
    def->framesInFlight = 1 + randomBelow(random, 3);
    def->outputRegions = 1 + randomBelow(random, def->framesInFlight);
    def->paletteMemory = randomBelow(random, 3) == 0 ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
}

static VkDeviceSize palettePageSize(const Gpu *gpu, const VkskinContextDef *def) {
    VkDeviceSize texels = gpu->properties.limits.maxTexelBufferElements * (VkDeviceSize)16;
    bool cut = def->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS && texels < def->pageSize;
    return cut ? texels : def->pageSize / 16 * 16;
}

/* As many as lie in one page. */
static VkDeviceSize mostPaletteBytes(const FuzzContext *context) {
    VkDeviceSize all = context->def.paletteBytesPerFrame / 16 * 16;
    return all < context->palettePageSize ? all : context->palettePageSize;
}

FuzzContext fuzzContextCreate(Gpu *gpu, Random *random, uint64_t kernelSeed, bool simple) {
    VkskinVulkanFunctions functions = watchFunctions();
    VkskinMemoryCallbacks memory = guardMemory();
    FuzzContext made = {.def = gpuContextDef(gpu)};
    functions.vkCreateShaderModule = createModule;
    functions.vkCreateComputePipelines = lendPipeline;
    functions.vkDestroyPipeline = keepPipeline;
    made.def.functions = &functions;
    made.def.memory = &memory;
    chooseSizes(random, &made.def);
    made.shape = anyShape(gpu, kernelSeed, simple);
    made.def.paletteBinding = made.shape.binding;
    made.palettePageSize = palettePageSize(gpu, &made.def);
    VkDeviceSize most = mostPaletteBytes(&made);
    for (uint32_t i = 0; i < FUZZ_WAYS; i++) {
        uint32_t bones = (uint32_t)(most / vkskinPaletteStride(made.shape.ways[i].encoding));
        made.maxBones = i == 0 || bones < made.maxBones ? bones : made.maxBones;
    }
    if (kernelSeed != lentSeed) {
        kernelLoanEnd();
        lentSeed = kernelSeed;
    }
    GPU_VKSKIN(gpu, vkskinCreateContext(&made.def, &made.context));
    return made;
}

void fuzzContextDestroy(FuzzContext *context) {
    vkskinDestroyContext(context->context);
    context->context = NULL;
}

void fuzzContextFinish(void) {
    kernelLoanEnd();
}
