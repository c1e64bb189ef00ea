#include "kernels.h"

#include "cookie.h"
#include "names.h"

#define MOST_INSTANCES_PER_THREAD 64u
#define DEFAULT_WORKGROUP_SIZE    64u /* every device takes 128 */

VkskinPipelineDef vkskinDefaultPipelineDef(void) {
    return (VkskinPipelineDef){
        .cookie = VKSKIN_COOKIE_PIPELINE,
        .methods = 1u << VKSKIN_METHOD_LINEAR_BLEND,
        .formats = 1u << VKSKIN_VERTEX_PACKED,
    };
}

VkskinResult sknInitKernels(Gpu *gpu, const Descriptors *descriptors, Kernels *kernels) {
    *kernels = (Kernels){0};
    VkDescriptorSetLayout sets[LAYOUT_SET_COUNT];
    for (uint32_t i = 0; i < LAYOUT_SET_COUNT; i++) {
        sets[i] = descriptors->layout;
    }
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(LayoutDispatch)};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = LAYOUT_SET_COUNT,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreatePipelineLayout(gpu->device, &info, gpu->allocator, &kernels->layout),
                 "vkCreatePipelineLayout");
    if (result < 0) {
        kernels->layout = VK_NULL_HANDLE; /* what a failed call wrote there is no handle */
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_PIPELINE_LAYOUT, (uint64_t)kernels->layout, "vkskin kernels");
    return VKSKIN_SUCCESS;
}

/* Those that `before` does not have. */
static void destroyPipelines(const Gpu *gpu, const Kernels *before, const Kernels *kernels) {
    for (uint32_t i = 0; i < KERNEL_COUNT; i++) {
        if (kernels->pipelines[i] != before->pipelines[i]) {
            gpu->vk.vkDestroyPipeline(gpu->device, kernels->pipelines[i], gpu->allocator);
        }
    }
}

void sknDestroyKernels(Gpu *gpu, Kernels *kernels) {
    destroyPipelines(gpu, &(Kernels){0}, kernels);
    if (kernels->layout != VK_NULL_HANDLE) {
        gpu->vk.vkDestroyPipelineLayout(gpu->device, kernels->layout, gpu->allocator);
    }
    *kernels = (Kernels){0};
}

/* A dispatch has one size: what was chosen for the first kernels holds for all. */
static VkskinResult checkSame(const Gpu *gpu, const char *field, uint32_t asked, uint32_t chosen) {
    if (asked != 0 && chosen != 0 && asked != chosen) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: %s is %u, the kernels that exist have %u", field, asked, chosen);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkSizes(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def) {
    if (def->instancesPerThread > MOST_INSTANCES_PER_THREAD) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: instancesPerThread is %u, not in 0 to %u", def->instancesPerThread,
                         MOST_INSTANCES_PER_THREAD);
    }
    const VkPhysicalDeviceLimits *limits = &gpu->limits;
    uint32_t most = limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
                        ? limits->maxComputeWorkGroupInvocations
                        : limits->maxComputeWorkGroupSize[0];
    if (def->workgroupSize % 32 != 0 || def->workgroupSize > most) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: workgroupSize is %u, not a multiple of 32 up to %u",
                         def->workgroupSize, most);
    }
    VkskinResult result = checkSame(gpu, "workgroupSize", def->workgroupSize, before->workgroupSize);
    if (result < 0) {
        return result;
    }
    return checkSame(gpu, "instancesPerThread", def->instancesPerThread, before->instancesPerThread);
}

static VkskinResult refuseBits(const Gpu *gpu, const char *field, uint32_t value, const char *type, uint32_t count) {
    return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                     "vkskinCreatePipelines: %s is 0x%x, not a set of bits 1u << %s (0x1 to 0x%x)", field, value, type,
                     (1u << count) - 1);
}

/* What counts where no meshes are given. */
static VkskinResult checkKinds(const Gpu *gpu, const VkskinPipelineDef *def) {
    if (def->formats == 0 || def->formats >> VKSKIN_VERTEX_FORMAT_COUNT != 0) {
        return refuseBits(gpu, "formats", def->formats, "VkskinVertexFormat", VKSKIN_VERTEX_FORMAT_COUNT);
    }
    if ((def->features & ~(uint32_t)(VKSKIN_KERNEL_EXACT_NORMALS_BIT | VKSKIN_KERNEL_MORPHS_BIT)) != 0) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: features is 0x%x, not a set of VkskinKernelFeatureBits",
                         def->features);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckPipelineDef(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def) {
    if (def->cookie != VKSKIN_COOKIE_PIPELINE) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "vkskinCreatePipelines: the def was not made by vkskinDefaultPipelineDef");
    }
    if (def->methods == 0 || def->methods >> VKSKIN_METHOD_COUNT != 0) {
        return refuseBits(gpu, "methods", def->methods, "VkskinMethod", VKSKIN_METHOD_COUNT);
    }
    if (def->encodings >> VKSKIN_PALETTE_ENCODING_COUNT != 0) {
        return refuseBits(gpu, "encodings", def->encodings, "VkskinPaletteEncoding", VKSKIN_PALETTE_ENCODING_COUNT);
    }
    if (!sknAsksForPairs(def)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: none of methods 0x%x reads any of encodings 0x%x", def->methods,
                         def->encodings);
    }
    if (def->meshCount > 0 && def->meshes == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinCreatePipelines: meshes is null");
    }
    VkskinResult result = def->meshCount == 0 ? checkKinds(gpu, def) : VKSKIN_SUCCESS;
    return result < 0 ? result : checkSizes(gpu, before, def);
}

static VkskinResult makeKernel(const Gpu *gpu, const Kernels *kernels, VkShaderModule module, VkPipelineCache cache,
                               KernelVariant variant, VkPipeline *pipeline) {
    const uint32_t values[LAYOUT_CONSTANT_COUNT] = {
        [LAYOUT_CONSTANT_WORKGROUP_SIZE] = kernels->workgroupSize,
        [LAYOUT_CONSTANT_INFLUENCES] = variant.influences,
        [LAYOUT_CONSTANT_FORMAT] = (uint32_t)variant.format,
        [LAYOUT_CONSTANT_ATTRIBUTES] = (uint32_t)variant.attributes,
        [LAYOUT_CONSTANT_INSTANCES_PER_THREAD] = kernels->instancesPerThread,
        [LAYOUT_CONSTANT_EXACT_NORMALS] = (uint32_t)variant.normals,
    };
    VkSpecializationMapEntry entries[LAYOUT_CONSTANT_COUNT];
    for (uint32_t i = 0; i < LAYOUT_CONSTANT_COUNT; i++) {
        entries[i] = (VkSpecializationMapEntry){i, i * (uint32_t)sizeof(uint32_t), sizeof(uint32_t)};
    }
    VkSpecializationInfo constants = {LAYOUT_CONSTANT_COUNT, entries, sizeof values, values};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = kernels->layout,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreateComputePipelines(gpu->device, cache, 1, &info, gpu->allocator, pipeline),
                 "vkCreateComputePipelines");
    if (result < 0) {
        *pipeline = VK_NULL_HANDLE;
        return result;
    }
    static const char *const attributes[] = {"positions", "normals", "tangents"};
    const MethodPair *pair = &sknMethodPairs[variant.pair];
    sknNameObject(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*pipeline, "vkskin %s of %s, %s %s%s%s, %s%u influences",
                  sknMethodName(pair->method), sknEncodingName(pair->encoding), sknFormatName(variant.format),
                  attributes[variant.attributes], variant.normals == VKSKIN_NORMALS_EXACT ? " exact" : "",
                  variant.morphs ? ", morphs" : "", variant.influences == LAYOUT_MANY ? "from " : "",
                  variant.influences);
    return VKSKIN_SUCCESS;
}

/* Kernels of a pair follow one another. */
#define KERNELS_PER_PAIR (KERNEL_COUNT / METHOD_PAIRS)

/* The next one at or after `index` that is wanted of this code and missing; the pair's end where there is none. */
static uint32_t nextMissing(const Kernels *kernels, const KernelSet *wanted, uint32_t pair, uint32_t code,
                            uint32_t index) {
    uint32_t end = (pair + 1) * KERNELS_PER_PAIR;
    while (index < end && (!wanted->has[index] || kernels->pipelines[index] != VK_NULL_HANDLE ||
                           sknVariantCode(sknKernelVariant(index)) != code)) {
        index++;
    }
    return index;
}

static VkskinResult makeModule(const Gpu *gpu, uint32_t pair, uint32_t code, VkShaderModule *module) {
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sknKernelCodes[pair][code].bytes,
        .pCode = sknKernelCodes[pair][code].words,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreateShaderModule(gpu->device, &info, gpu->allocator, module), "vkCreateShaderModule");
    if (result >= 0) {
        sknNameObject(gpu, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)*module, "vkskin %s of %s",
                      sknMethodName(sknMethodPairs[pair].method), sknEncodingName(sknMethodPairs[pair].encoding));
    }
    return result;
}

/* The kernels of one code that are wanted and missing. */
static VkskinResult makeCode(const Gpu *gpu, Kernels *kernels, VkPipelineCache cache, const KernelSet *wanted,
                             uint32_t pair, uint32_t code) {
    uint32_t end = (pair + 1) * KERNELS_PER_PAIR;
    uint32_t index = nextMissing(kernels, wanted, pair, code, pair * KERNELS_PER_PAIR);
    if (index == end) {
        return VKSKIN_SUCCESS;
    }
    VkShaderModule module = VK_NULL_HANDLE;
    VkskinResult result = makeModule(gpu, pair, code, &module);
    if (result < 0) {
        return result;
    }
    while (result >= 0 && index < end) {
        result = makeKernel(gpu, kernels, module, cache, sknKernelVariant(index), &kernels->pipelines[index]);
        index = nextMissing(kernels, wanted, pair, code, index + 1);
    }
    gpu->vk.vkDestroyShaderModule(gpu->device, module, gpu->allocator);
    return result;
}

/* A CPU runs few threads and gains from each source vertex read once; a GPU wants more threads in flight. */
static uint32_t defaultInstancesPerThread(const Gpu *gpu) {
    return gpu->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? 16 : 4;
}

VkskinResult sknMakeKernels(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def,
                            const KernelSet *wanted, Kernels *made) {
    *made = *before;
    if (made->workgroupSize == 0) {
        made->workgroupSize = def->workgroupSize != 0 ? def->workgroupSize : DEFAULT_WORKGROUP_SIZE;
        made->instancesPerThread =
            def->instancesPerThread != 0 ? def->instancesPerThread : defaultInstancesPerThread(gpu);
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < METHOD_PAIRS * KERNEL_CODES; i++) {
        result = makeCode(gpu, made, def->cache, wanted, i / KERNEL_CODES, i % KERNEL_CODES);
    }
    if (result < 0) {
        destroyPipelines(gpu, before, made);
    }
    return result;
}
