#include "kernel_loan.h"

#include <string.h>

#define MAX_KERNELS   512
#define MAX_CONSTANTS 8
#define MAX_MODULES   64

typedef struct Kernel {
    const uint32_t *code;
    uint32_t constants[MAX_CONSTANTS];
    VkPipeline pipeline;
} Kernel;

typedef struct Module {
    const uint32_t *code;
    VkShaderModule module;
} Module;

static Kernel kernels[MAX_KERNELS];
static uint32_t kernelCount;
static Module modules[MAX_MODULES];
static uint32_t moduleCount;
static VkDevice loanDevice;

VkResult kernelLoanModule(VkDevice device, const VkShaderModuleCreateInfo *info, VkShaderModule *module) {
    for (uint32_t i = 0; i < moduleCount; i++) {
        if (modules[i].code == info->pCode) {
            *module = modules[i].module;
            return VK_SUCCESS;
        }
    }
    assert_true(moduleCount < MAX_MODULES);
    VkResult result = vkCreateShaderModule(device, info, NULL, module);
    if (result == VK_SUCCESS) {
        loanDevice = device;
        modules[moduleCount++] = (Module){info->pCode, *module};
    }
    return result;
}

VkResult kernelLoan(VkDevice device, VkPipelineCache cache, const VkComputePipelineCreateInfo *info,
                    const uint32_t *code, VkPipeline *pipeline) {
    const VkSpecializationInfo *constants = info->stage.pSpecializationInfo;
    Kernel wanted = {.code = code};
    assert_true(constants->dataSize <= sizeof wanted.constants && kernelCount < MAX_KERNELS);
    memcpy(wanted.constants, constants->pData, constants->dataSize);
    for (uint32_t i = 0; i < kernelCount; i++) {
        if (kernels[i].code == code && memcmp(kernels[i].constants, wanted.constants, sizeof wanted.constants) == 0) {
            *pipeline = kernels[i].pipeline;
            return VK_SUCCESS;
        }
    }
    VkResult result = vkCreateComputePipelines(device, cache, 1, info, NULL, pipeline);
    if (result == VK_SUCCESS) {
        wanted.pipeline = *pipeline;
        loanDevice = device;
        kernels[kernelCount++] = wanted;
    }
    return result;
}

void kernelLoanEnd(void) {
    while (kernelCount > 0) {
        vkDestroyPipeline(loanDevice, kernels[--kernelCount].pipeline, NULL);
    }
    while (moduleCount > 0) {
        vkDestroyShaderModule(loanDevice, modules[--moduleCount].module, NULL);
    }
}
