/*
 * kernels.h: the compute pipelines, one for each variant that was asked for.
 */
#ifndef VKSKIN_KERNELS_H
#define VKSKIN_KERNELS_H

#include "descriptors.h"
#include "kernel_variants.h"

typedef struct Kernels {
    VkPipelineLayout layout;
    VkPipeline pipelines[KERNEL_COUNT]; /* by sknKernelIndex */
    uint32_t workgroupSize;             /* 0 until the first are made */
    uint32_t instancesPerThread;
} Kernels;

/* On failure nothing is left over. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitKernels(Gpu *gpu, const Descriptors *descriptors, Kernels *kernels);
void sknDestroyKernels(Gpu *gpu, Kernels *kernels);

/* Looks at the def, save its meshes. See vkskinCreatePipelines. */
VkskinResult sknCheckPipelineDef(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def);

/* *made: `before` and the wanted kernels besides. On failure the new ones are gone. */
VkskinResult sknMakeKernels(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def,
                            const KernelSet *wanted, Kernels *made);

#endif
