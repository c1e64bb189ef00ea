/* Shader modules, pipeline layouts and compute pipelines. No code is compiled. */
#include "null_calls.h"

#define SPIRV_MAGIC UINT32_C(0x07230203)

VkResult nullCreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    *module = (VkShaderModule)NULL_NO_HANDLE;
    if (!nullFails(driver, &result)) {
        if (info->codeSize < sizeof(uint32_t) || info->codeSize % sizeof(uint32_t) != 0 ||
            info->pCode[0] != SPIRV_MAGIC) {
            nullFault(driver, "vkCreateShaderModule: %zu bytes that are no SPIR-V", info->codeSize);
        }
        NullObject *object = nullMake(driver, NULL_KIND_SHADER_MODULE);
        object->shader = nullRecogniseKernel(info->pCode, info->codeSize);
        *module = (VkShaderModule)object->handle;
    }
    nullUnlock(driver);
    return result;
}

void nullDestroyShaderModule(VkDevice device, VkShaderModule module, const VkAllocationCallbacks *allocator) {
    (void)allocator;
    nullDestroy(device, NULL_KIND_SHADER_MODULE, (uint64_t)module, "vkDestroyShaderModule");
}

static uint32_t pushBytes(const VkPipelineLayoutCreateInfo *info) {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        uint32_t end = info->pPushConstantRanges[i].offset + info->pPushConstantRanges[i].size;
        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

static void checkLayout(NullDriver *driver, const VkPipelineLayoutCreateInfo *info) {
    static const char call[] = "vkCreatePipelineLayout";
    const VkPhysicalDeviceLimits *limits = &driver->settings.limits;
    uint32_t buffers = 0, texels = 0;
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        NullObject *set = nullFindUsed(driver, NULL_KIND_SET_LAYOUT, (uint64_t)info->pSetLayouts[i], call);
        buffers += set != NULL ? set->setLayout.buffers : 0;
        texels += set != NULL ? set->setLayout.texels : 0;
    }
    if (info->setLayoutCount > limits->maxBoundDescriptorSets || info->setLayoutCount > NULL_MAX_SETS) {
        nullFault(driver, "%s: %u sets, the device binds %u", call, info->setLayoutCount,
                  limits->maxBoundDescriptorSets);
    }
    if (buffers > limits->maxPerStageDescriptorStorageBuffers) {
        nullFault(driver, "%s: %u storage buffers, the device binds %u", call, buffers,
                  limits->maxPerStageDescriptorStorageBuffers);
    }
    if (texels > limits->maxPerStageDescriptorSampledImages) {
        nullFault(driver, "%s: %u texel buffers, the device binds %u", call, texels,
                  limits->maxPerStageDescriptorSampledImages);
    }
    if (pushBytes(info) > limits->maxPushConstantsSize || pushBytes(info) > NULL_MAX_PUSH_WORDS * sizeof(uint32_t)) {
        nullFault(driver, "%s: %u bytes of push constants, the device has %u", call, pushBytes(info),
                  limits->maxPushConstantsSize);
    }
}

static void takeLayout(NullDriver *driver, const VkPipelineLayoutCreateInfo *info, NullPipelineLayout *layout) {
    layout->setCount = info->setLayoutCount < NULL_MAX_SETS ? info->setLayoutCount : NULL_MAX_SETS;
    layout->pushBytes = pushBytes(info);
    for (uint32_t i = 0; i < layout->setCount; i++) {
        const NullObject *set =
            nullFind(driver, NULL_KIND_SET_LAYOUT, (uint64_t)info->pSetLayouts[i], "vkCreatePipelineLayout");
        layout->sets[i] = set != NULL ? set->setLayout : (NullDescriptorCounts){0};
    }
}

VkResult nullCreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkPipelineLayout *layout) {
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    *layout = (VkPipelineLayout)NULL_NO_HANDLE;
    if (!nullFails(driver, &result)) {
        checkLayout(driver, info);
        NullObject *object = nullMake(driver, NULL_KIND_PIPELINE_LAYOUT);
        takeLayout(driver, info, &object->pipelineLayout);
        *layout = (VkPipelineLayout)object->handle;
    }
    nullUnlock(driver);
    return result;
}

void nullDestroyPipelineLayout(VkDevice device, VkPipelineLayout layout, const VkAllocationCallbacks *allocator) {
    (void)allocator;
    nullDestroy(device, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)layout, "vkDestroyPipelineLayout");
}

static VkPipeline makePipeline(NullDriver *driver, const VkComputePipelineCreateInfo *info) {
    static const char call[] = "vkCreateComputePipelines";
    NullObject *layout = nullFindUsed(driver, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)info->layout, call);
    NullObject *shader = nullFindUsed(driver, NULL_KIND_SHADER_MODULE, (uint64_t)info->stage.module, call);
    NullObject *object = nullMake(driver, NULL_KIND_PIPELINE);
    object->pipeline.layout = layout != NULL ? layout->pipelineLayout : (NullPipelineLayout){0};
    object->pipeline.kernel = shader != NULL ? shader->shader : (NullKernel){.motion = NULL_MOTION_UNKNOWN};
    if (info->stage.pSpecializationInfo != NULL) {
        nullFault(driver, "%s: specialisation constants, of which the library's kernels have none left", call);
    }
    return (VkPipeline)object->handle;
}

VkResult nullCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                    const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
                                    VkPipeline *pipelines) {
    (void)cache;
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    bool fails = nullFails(driver, &result);
    for (uint32_t i = 0; i < count; i++) {
        /* Null is what a failed call leaves, by the specification. */
        pipelines[i] = fails ? VK_NULL_HANDLE : makePipeline(driver, &infos[i]);
    }
    nullUnlock(driver);
    return result;
}

void nullDestroyPipeline(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks *allocator) {
    (void)allocator;
    nullDestroy(device, NULL_KIND_PIPELINE, (uint64_t)pipeline, "vkDestroyPipeline");
}
