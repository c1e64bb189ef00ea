/*
 * crowd_kernels.h: the pipelines of the passes of crowds. All have four sets of one storage buffer each.
 */
#ifndef VKSKIN_CROWD_KERNELS_H
#define VKSKIN_CROWD_KERNELS_H

#include "kernels.h"

typedef enum CrowdPass {
    CROWD_PASS_APPLY,
    CROWD_PASS_CULL,
    CROWD_PASS_COUNT,
    CROWD_PASS_GRANT,
    CROWD_PASS_RANK,
    CROWD_PASS_DECIDE,
    CROWD_PASS_SCAN,
    CROWD_PASS_ASSIGN,
    CROWD_PASS_SCATTER,
    CROWD_PASS_FINISH,
    CROWD_PASS_DESCRIBE,
    CROWD_PASS_PARTS,
    CROWD_PASSES
} CrowdPass;

typedef struct CrowdKernels {
    VkPipelineLayout layout;
    VkPipeline pipelines[CROWD_PASSES];
    VkPipeline poses[VKSKIN_PALETTE_ENCODING_COUNT]; /* the pose pass, by encoding */
} CrowdKernels;

/*
 * All but the pose pass. Does nothing if they are made. On failure *kernels is empty. Errors: OUT_OF_HOST_MEMORY,
 * OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknMakeCrowdKernels(const Gpu *gpu, const Descriptors *descriptors, CrowdKernels *kernels);

/* The pose pass for an encoding. Does nothing if it is made. The same errors, and KERNEL_CODE. */
VkskinResult sknMakePoseKernel(const Gpu *gpu, const Descriptors *descriptors, const KernelSettings *settings,
                               VkskinPaletteEncoding encoding, CrowdKernels *kernels);

/* The slots that a workgroup of the pose pass poses. posing: VkskinCrowdPosing. */
uint32_t sknPoseSlots(uint32_t posing);

void sknDestroyCrowdKernels(const Gpu *gpu, CrowdKernels *kernels);

#endif
