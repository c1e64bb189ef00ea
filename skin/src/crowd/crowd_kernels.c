#include "crowd_kernels.h"

#include "crowd/crowd_layout.h"
#include "names.h"

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
static const uint32_t grantCode[] =
#include "crowd/crowd_grant.comp.inc"
    ;
static const uint32_t rankCode[] =
#include "crowd/crowd_rank.comp.inc"
    ;
static const uint32_t decideCode[] =
#include "crowd/crowd_decide.comp.inc"
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
static const uint32_t partsCode[] =
#include "crowd/crowd_parts.comp.inc"
    ;
static const uint32_t poseCode[] =
#include "crowd/crowd_pose.comp.inc"
    ;

static const struct {
    KernelCode code;
    const char *name;
} passes[CROWD_PASSES] = {
    [CROWD_PASS_APPLY] = {{applyCode, sizeof applyCode}, "apply"},
    [CROWD_PASS_CULL] = {{cullCode, sizeof cullCode}, "cull"},
    [CROWD_PASS_COUNT] = {{countCode, sizeof countCode}, "count"},
    [CROWD_PASS_GRANT] = {{grantCode, sizeof grantCode}, "grant"},
    [CROWD_PASS_RANK] = {{rankCode, sizeof rankCode}, "rank"},
    [CROWD_PASS_DECIDE] = {{decideCode, sizeof decideCode}, "decide"},
    [CROWD_PASS_SCAN] = {{scanCode, sizeof scanCode}, "scan"},
    [CROWD_PASS_ASSIGN] = {{assignCode, sizeof assignCode}, "assign"},
    [CROWD_PASS_SCATTER] = {{scatterCode, sizeof scatterCode}, "scatter"},
    [CROWD_PASS_FINISH] = {{finishCode, sizeof finishCode}, "finish"},
    [CROWD_PASS_DESCRIBE] = {{describeCode, sizeof describeCode}, "describe"},
    [CROWD_PASS_PARTS] = {{partsCode, sizeof partsCode}, "parts"},
};

static VkskinResult makeLayout(const Gpu *gpu, const Descriptors *descriptors, CrowdKernels *kernels) {
    if (kernels->layout != VK_NULL_HANDLE) {
        return VKSKIN_SUCCESS;
    }
    VkDescriptorSetLayout sets[CROWD_SETS];
    for (uint32_t i = 0; i < CROWD_SETS; i++) {
        sets[i] = descriptors->layout;
    }
    const uint32_t pushes[] = {sizeof(LayoutCrowdPush), sizeof(LayoutCrowdPosePush)};
    return sknMakeKernelLayout(gpu, sets, CROWD_SETS, pushes[0] > pushes[1] ? pushes[0] : pushes[1], "crowd kernels",
                               &kernels->layout);
}

static VkskinResult makePass(const Gpu *gpu, uint32_t pass, CrowdKernels *kernels) {
    const KernelMaking making = {.code = passes[pass].code, .layout = kernels->layout};
    VkskinResult result = sknCompileKernel(gpu, &making, &kernels->pipelines[pass]);
    if (result >= 0) {
        sknNameObject(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)kernels->pipelines[pass], "vkskin crowd %s",
                      passes[pass].name);
    }
    return result;
}

static VkskinResult makePasses(const Gpu *gpu, const Descriptors *descriptors, CrowdKernels *kernels) {
    VkskinResult result = makeLayout(gpu, descriptors, kernels);
    for (uint32_t pass = 0; result >= 0 && pass < CROWD_PASSES; pass++) {
        result = makePass(gpu, pass, kernels);
    }
    if (result < 0) {
        sknDestroyCrowdKernels(gpu, kernels);
    }
    return result;
}

VkskinResult sknMakeCrowdKernels(const Gpu *gpu, const Descriptors *descriptors, CrowdKernels *kernels) {
    return kernels->pipelines[0] != VK_NULL_HANDLE ? VKSKIN_SUCCESS : makePasses(gpu, descriptors, kernels);
}

uint32_t sknPoseSlots(uint32_t posing) {
    return posing == VKSKIN_CROWD_POSING_THREAD ? CROWD_GROUP : 1;
}

static VkskinResult compilePose(const Gpu *gpu, const KernelSettings *settings, VkskinPaletteEncoding encoding,
                                CrowdKernels *kernels) {
    VkPipeline *pipeline = &kernels->poses[encoding];
    const uint32_t values[CROWD_POSE_CONSTANT_COUNT] = {
        [CROWD_POSE_CONSTANT_ENCODING] = (uint32_t)encoding,
        [CROWD_POSE_CONSTANT_POSING] = settings->crowdPosing,
    };
    const KernelMaking making = {
        .code = {poseCode, sizeof poseCode},
        .layout = kernels->layout,
        .values = values,
        .valueCount = CROWD_POSE_CONSTANT_COUNT,
        .plainConstants = settings->plainConstants,
    };
    VkskinResult result = sknCompileKernel(gpu, &making, pipeline);
    if (result >= 0) {
        sknNameObject(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*pipeline, "vkskin crowd pose, %s",
                      sknEncodingName(encoding));
    }
    return result;
}

VkskinResult sknMakePoseKernel(const Gpu *gpu, const Descriptors *descriptors, const KernelSettings *settings,
                               VkskinPaletteEncoding encoding, CrowdKernels *kernels) {
    if (kernels->poses[encoding] != VK_NULL_HANDLE) {
        return VKSKIN_SUCCESS;
    }
    VkskinResult result = makeLayout(gpu, descriptors, kernels);
    return result < 0 ? result : compilePose(gpu, settings, encoding, kernels);
}

static void destroyPipelines(const Gpu *gpu, const VkPipeline *pipelines, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (pipelines[i] != VK_NULL_HANDLE) {
            gpu->vk.vkDestroyPipeline(gpu->device, pipelines[i], gpu->allocator);
        }
    }
}

void sknDestroyCrowdKernels(const Gpu *gpu, CrowdKernels *kernels) {
    destroyPipelines(gpu, kernels->pipelines, CROWD_PASSES);
    destroyPipelines(gpu, kernels->poses, VKSKIN_PALETTE_ENCODING_COUNT);
    if (kernels->layout != VK_NULL_HANDLE) {
        gpu->vk.vkDestroyPipelineLayout(gpu->device, kernels->layout, gpu->allocator);
    }
    *kernels = (CrowdKernels){0};
}
