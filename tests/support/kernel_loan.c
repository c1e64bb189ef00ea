#include "kernel_loan.h"

#include <string.h>

#define MAX_KERNELS   128
#define MAX_CONSTANTS 8

typedef struct Kernel {
    size_t codeSize;
    uint32_t constants[MAX_CONSTANTS];
    VkPipeline pipeline;
} Kernel;

static Kernel kernels[MAX_KERNELS];
static uint32_t kernelCount;
static VkDevice kernelDevice;

VkResult kernelLoan(VkDevice device, VkPipelineCache cache, const VkComputePipelineCreateInfo *info, size_t codeSize,
                    VkPipeline *pipeline) {
    const VkSpecializationInfo *constants = info->stage.pSpecializationInfo;
    Kernel wanted = {.codeSize = codeSize};
    assert_true(constants->dataSize <= sizeof wanted.constants && kernelCount < MAX_KERNELS);
    memcpy(wanted.constants, constants->pData, constants->dataSize);
    for (uint32_t i = 0; i < kernelCount; i++) {
        if (kernels[i].codeSize == wanted.codeSize &&
            memcmp(kernels[i].constants, wanted.constants, sizeof wanted.constants) == 0) {
            *pipeline = kernels[i].pipeline;
            return VK_SUCCESS;
        }
    }
    VkResult result = vkCreateComputePipelines(device, cache, 1, info, NULL, pipeline);
    if (result == VK_SUCCESS) {
        wanted.pipeline = *pipeline;
        kernelDevice = device;
        kernels[kernelCount++] = wanted;
    }
    return result;
}

void kernelLoanEnd(void) {
    while (kernelCount > 0) {
        vkDestroyPipeline(kernelDevice, kernels[--kernelCount].pipeline, NULL);
    }
}
