/*
 * crowd_kernels.h: the pipelines of the passes of crowds. All have four sets of one storage buffer each.
 */
#ifndef VKSKIN_CROWD_KERNELS_H
#define VKSKIN_CROWD_KERNELS_H

#include "buffer.h"

typedef enum CrowdPass {
    CROWD_PASS_APPLY,
    CROWD_PASS_CULL,
    CROWD_PASS_COUNT,
    CROWD_PASS_SCAN,
    CROWD_PASS_ASSIGN,
    CROWD_PASS_SCATTER,
    CROWD_PASS_FINISH,
    CROWD_PASS_DESCRIBE,
    CROWD_PASS_POSE,
    CROWD_PASSES
} CrowdPass;

typedef struct CrowdKernels {
    VkPipelineLayout layout;
    VkPipeline pipelines[CROWD_PASSES];
} CrowdKernels;

/*
 * Does nothing if *kernels is made. On failure it is empty. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknMakeCrowdKernels(const Gpu *gpu, const Descriptors *descriptors, CrowdKernels *kernels);
void sknDestroyCrowdKernels(const Gpu *gpu, CrowdKernels *kernels);

#endif
