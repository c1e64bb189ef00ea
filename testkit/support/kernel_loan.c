#include "kernel_loan.h"

#include <stdlib.h>
#include <string.h>

#define MAX_KERNELS 512

/* Constants are part of the code: a code has one pipeline. */
typedef struct Kernel {
    uint32_t *code;
    size_t bytes;
    VkShaderModule module; /* null until it is lent, and so is the pipeline */
    VkPipeline pipeline;
} Kernel;

static Kernel kernels[MAX_KERNELS];
static uint32_t kernelCount;
static VkDevice loanDevice;

uint32_t kernelLoanCode(const VkShaderModuleCreateInfo *info) {
    for (uint32_t i = 0; i < kernelCount; i++) {
        if (kernels[i].bytes == info->codeSize && memcmp(kernels[i].code, info->pCode, info->codeSize) == 0) {
            return i;
        }
    }
    assert_true(kernelCount < MAX_KERNELS);
    Kernel *kernel = &kernels[kernelCount];
    *kernel = (Kernel){.code = malloc(info->codeSize), .bytes = info->codeSize};
    assert_non_null(kernel->code);
    memcpy(kernel->code, info->pCode, info->codeSize);
    return kernelCount++;
}

VkResult kernelLoanModule(VkDevice device, const VkShaderModuleCreateInfo *info, VkShaderModule *module) {
    Kernel *kernel = &kernels[kernelLoanCode(info)];
    loanDevice = device;
    VkResult result = VK_SUCCESS;
    if (kernel->module == VK_NULL_HANDLE) {
        result = vkCreateShaderModule(device, info, NULL, &kernel->module);
    }
    *module = kernel->module;
    return result;
}

VkResult kernelLoan(VkDevice device, VkPipelineCache cache, const VkComputePipelineCreateInfo *info, uint32_t code,
                    VkPipeline *pipeline) {
    Kernel *kernel = &kernels[code];
    loanDevice = device;
    VkResult result = VK_SUCCESS;
    if (kernel->pipeline == VK_NULL_HANDLE) {
        result = vkCreateComputePipelines(device, cache, 1, info, NULL, &kernel->pipeline);
    }
    *pipeline = kernel->pipeline;
    return result;
}

void kernelLoanEnd(void) {
    while (kernelCount > 0) {
        Kernel *kernel = &kernels[--kernelCount];
        if (loanDevice != VK_NULL_HANDLE) { /* a code may have been counted and nothing lent */
            vkDestroyPipeline(loanDevice, kernel->pipeline, NULL);
            vkDestroyShaderModule(loanDevice, kernel->module, NULL);
        }
        free(kernel->code);
    }
    loanDevice = VK_NULL_HANDLE;
}
