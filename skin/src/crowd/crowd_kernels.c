#include "crowd_kernels.h"

#include "crowd/crowd_layout.h"

/* The build compiles shaders/crowd/NAME.comp. */
static const uint32_t applyCode[] =
#include "crowd/crowd_apply.comp.inc"
    ;
static const uint32_t cullCode[] =
#include "crowd/crowd_cull.comp.inc"
    ;
static const uint32_t countCode[] =
#include "crowd/crowd_count.comp.inc"
    ;
static const uint32_t scanCode[] =
#include "crowd/crowd_scan.comp.inc"
    ;
static const uint32_t assignCode[] =
#include "crowd/crowd_assign.comp.inc"
    ;
static const uint32_t scatterCode[] =
#include "crowd/crowd_scatter.comp.inc"
    ;
static const uint32_t finishCode[] =
#include "crowd/crowd_finish.comp.inc"
    ;
static const uint32_t describeCode[] =
#include "crowd/crowd_describe.comp.inc"
    ;
static const uint32_t poseCode[] =
#include "crowd/crowd_pose.comp.inc"
    ;

static const struct {
    const uint32_t *words;
    size_t bytes;
    const char *name;
} passes[CROWD_PASSES] = {
    [CROWD_PASS_APPLY] = {applyCode, sizeof applyCode, "apply"},
    [CROWD_PASS_CULL] = {cullCode, sizeof cullCode, "cull"},
    [CROWD_PASS_COUNT] = {countCode, sizeof countCode, "count"},
    [CROWD_PASS_SCAN] = {scanCode, sizeof scanCode, "scan"},
    [CROWD_PASS_ASSIGN] = {assignCode, sizeof assignCode, "assign"},
    [CROWD_PASS_SCATTER] = {scatterCode, sizeof scatterCode, "scatter"},
    [CROWD_PASS_FINISH] = {finishCode, sizeof finishCode, "finish"},
    [CROWD_PASS_DESCRIBE] = {describeCode, sizeof describeCode, "describe"},
    [CROWD_PASS_POSE] = {poseCode, sizeof poseCode, "pose"},
};

static VkskinResult makeLayout(const Gpu *gpu, const Descriptors *descriptors, CrowdKernels *kernels) {
    VkDescriptorSetLayout sets[CROWD_SETS];
    for (uint32_t i = 0; i < CROWD_SETS; i++) {
        sets[i] = descriptors->layout;
    }
    const uint32_t pushes[] = {sizeof(LayoutCrowdPush), sizeof(LayoutCrowdPosePush)};
    return sknMakeKernelLayout(gpu, sets, CROWD_SETS, pushes[0] > pushes[1] ? pushes[0] : pushes[1], "crowd kernels",
                               &kernels->layout);
}

static VkskinResult makePipeline(const Gpu *gpu, uint32_t pass, VkShaderModule module, CrowdKernels *kernels) {
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = kernels->layout,
    };
    VkPipeline *pipeline = &kernels->pipelines[pass];
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, gpu->allocator, pipeline),
                 "vkCreateComputePipelines");
    if (result < 0) {
        *pipeline = VK_NULL_HANDLE;
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*pipeline, "vkskin crowd %s", passes[pass].name);
    return VKSKIN_SUCCESS;
}

static VkskinResult makePass(const Gpu *gpu, uint32_t pass, CrowdKernels *kernels) {
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = passes[pass].bytes,
        .pCode = passes[pass].words,
    };
    VkShaderModule module = VK_NULL_HANDLE;
    VkskinResult result = sknCheck(gpu, gpu->vk.vkCreateShaderModule(gpu->device, &info, gpu->allocator, &module),
                                   "vkCreateShaderModule");
    if (result >= 0) {
        result = makePipeline(gpu, pass, module, kernels);
        gpu->vk.vkDestroyShaderModule(gpu->device, module, gpu->allocator);
    }
    return result;
}

VkskinResult sknMakeCrowdKernels(const Gpu *gpu, const Descriptors *descriptors, CrowdKernels *kernels) {
    if (kernels->layout != VK_NULL_HANDLE) {
        return VKSKIN_SUCCESS;
    }
    VkskinResult result = makeLayout(gpu, descriptors, kernels);
    for (uint32_t pass = 0; result >= 0 && pass < CROWD_PASSES; pass++) {
        result = makePass(gpu, pass, kernels);
    }
    if (result < 0) {
        sknDestroyCrowdKernels(gpu, kernels);
    }
    return result;
}

void sknDestroyCrowdKernels(const Gpu *gpu, CrowdKernels *kernels) {
    for (uint32_t pass = 0; pass < CROWD_PASSES; pass++) {
        if (kernels->pipelines[pass] != VK_NULL_HANDLE) {
            gpu->vk.vkDestroyPipeline(gpu->device, kernels->pipelines[pass], gpu->allocator);
        }
    }
    if (kernels->layout != VK_NULL_HANDLE) {
        gpu->vk.vkDestroyPipelineLayout(gpu->device, kernels->layout, gpu->allocator);
    }
    *kernels = (CrowdKernels){0};
}
