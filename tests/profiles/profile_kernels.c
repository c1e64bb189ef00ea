/* The kernels of a pretended device: what their code asks is held to its limits. */
#include <stdlib.h>
#include <string.h>

#include "kernel_loan.h"
#include "profile_shim.h"
#include "shader_facts.h"

#define MAX_MODULES 16

typedef struct ShaderModule {
    VkShaderModule handle;
    uint32_t number; /* of the code: tells kernels apart */
    uint32_t *code;
    size_t bytes;
} ShaderModule;

static ShaderModule modules[MAX_MODULES];
static uint32_t moduleCount;

static VKAPI_ATTR VkResult VKAPI_CALL createModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    VkResult result = vkCreateShaderModule(device, info, allocator, module);
    assert_true(moduleCount < MAX_MODULES);
    if (result == VK_SUCCESS) {
        uint32_t *code = malloc(info->codeSize);
        assert_non_null(code);
        memcpy(code, info->pCode, info->codeSize);
        modules[moduleCount++] = (ShaderModule){*module, kernelLoanCode(info), code, info->codeSize};
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroyModule(VkDevice device, VkShaderModule module,
                                                const VkAllocationCallbacks *allocator) {
    for (uint32_t i = 0; i < moduleCount; i++) {
        if (modules[i].handle == module) {
            free(modules[i].code);
            modules[i] = modules[--moduleCount];
            break;
        }
    }
    vkDestroyShaderModule(device, module, allocator);
}

static bool checkKernel(const ShaderModule *module) {
    const VkPhysicalDeviceLimits *limits = &profileShim.limits;
    ProfileUse *use = &profileShim.use;
    ShaderFacts facts = shaderFacts(module->code, module->bytes / sizeof *module->code);
    const uint32_t *size = facts.workgroupSize;
    uint32_t sides[3] = {0};
    bool good = true;
    if (facts.openConstants > 0) {
        profileViolation("vkCreateComputePipelines: %u constants are left open", facts.openConstants);
        good = false;
    }
    for (int i = 0; i < 3; i++) {
        good = profileWithin("a side of a workgroup", size[i], limits->maxComputeWorkGroupSize[i], &sides[i]) && good;
    }
    return profileWithin("invocations of a workgroup", size[0] * size[1] * size[2],
                         limits->maxComputeWorkGroupInvocations, &use->invocations) &&
           profileWithin("shared memory of a workgroup", facts.sharedBytes, limits->maxComputeSharedMemorySize,
                         &use->sharedBytes) &&
           profileWithin("storage buffers of a kernel", facts.storageBuffers,
                         limits->maxPerStageDescriptorStorageBuffers, &use->storageBuffers) &&
           profileWithin("descriptor sets of a kernel", facts.sets, limits->maxBoundDescriptorSets, &use->sets) && good;
}

static VKAPI_ATTR VkResult VKAPI_CALL createPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                      const VkComputePipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    VkResult result = VK_SUCCESS;
    (void)allocator;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        const ShaderModule *module = modules;
        while (module < &modules[moduleCount] && module->handle != infos[i].stage.module) {
            module++;
        }
        assert_true(module < &modules[moduleCount]);
        result = checkKernel(module) ? kernelLoan(device, cache, &infos[i], module->number, &pipelines[i])
                                     : VK_ERROR_UNKNOWN;
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroyPipeline(VkDevice device, VkPipeline pipeline,
                                                  const VkAllocationCallbacks *allocator) {
    (void)device;
    (void)pipeline; /* lent: it stays */
    (void)allocator;
}

void profileKernelFunctions(VkskinVulkanFunctions *functions) {
    functions->vkCreateShaderModule = createModule;
    functions->vkDestroyShaderModule = destroyModule;
    functions->vkCreateComputePipelines = createPipelines;
    functions->vkDestroyPipeline = destroyPipeline;
}
