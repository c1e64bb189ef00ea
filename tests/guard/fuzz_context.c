#include "fuzz_context.h"

#include "kernel_loan.h"
#include "watch.h"

/* Pipelines are lent, so that not every context has to make its own: one module at a time is there. */
static const uint32_t *code;
static uint64_t lentSeed;

static VKAPI_ATTR VkResult VKAPI_CALL createModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    code = info->pCode;
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

static void createKernels(Gpu *gpu, FuzzContext *made, uint64_t kernelSeed, bool simple) {
    static const uint32_t perThread[] = {1, 4, 16, 64};
    static const uint32_t masks[] = {1, 2, 3};
    Random random = {kernelSeed};
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    if (kernelSeed != lentSeed) {
        kernelLoanEnd();
        lentSeed = kernelSeed;
    }
    def.cache = gpu->cache;
    def.methods = masks[randomBelow(&random, simple ? 2 : 3)];
    def.formats = simple ? 1u << VKSKIN_VERTEX_PACKED : masks[randomBelow(&random, 3)];
    def.instancesPerThread = perThread[randomBelow(&random, 4)];
    def.workgroupSize = anyWorkgroup(gpu, &random);
    made->methods = def.methods;
    made->formats = def.formats;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(made->context, &def));
}

/* One in sixteen is large: palettes of as many bones as a mesh may have. */
static void chooseSizes(Random *random, VkskinContextDef *def) {
    bool large = randomBelow(random, 16) == 0;
    def->pageSize = large ? 4u << 20 : (64u << 10) + 16 * randomBelow(random, 4096);
    def->paletteBytesPerFrame = large ? 65536u * 48u : 1000 + randomBelow(random, 200000);
    def->maxInstances = 1 + randomBelow(random, randomBelow(random, 4) == 0 ? FUZZ_MAX_INSTANCES : 40);
    def->framesInFlight = 1 + randomBelow(random, 3);
    def->outputRegions = 1 + randomBelow(random, def->framesInFlight);
    def->paletteMemory = randomBelow(random, 3) == 0 ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
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
    VkDeviceSize most =
        made.def.paletteBytesPerFrame < made.def.pageSize ? made.def.paletteBytesPerFrame : made.def.pageSize;
    made.maxBones = (uint32_t)(most / vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4));
    GPU_VKSKIN(gpu, vkskinCreateContext(&made.def, &made.context));
    createKernels(gpu, &made, kernelSeed, simple);
    return made;
}

void fuzzContextDestroy(FuzzContext *context) {
    vkskinDestroyContext(context->context);
    context->context = NULL;
}

void fuzzContextFinish(void) {
    kernelLoanEnd();
}
