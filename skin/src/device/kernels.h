/*
 * kernels.h: the compute pipelines, one for each variant that was asked for.
 */
#ifndef VKSKIN_KERNELS_H
#define VKSKIN_KERNELS_H

#include "buffer.h"
#include "kernel_variants.h"
#include "tuning.h"

typedef struct Kernels {
    VkPipelineLayout layout;
    VkPipeline pipelines[KERNEL_COUNT]; /* by sknKernelIndex */
    bool made;                          /* some are: the settings hold for all */
    KernelSettings settings;
} Kernels;

/* On failure nothing is left over. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitKernels(Gpu *gpu, const Descriptors *descriptors, KernelSettings settings, Kernels *kernels);
void sknDestroyKernels(Gpu *gpu, Kernels *kernels);

/* Looks at the def, save its meshes. See vkskinCreatePipelines. */
VkskinResult sknCheckPipelineDef(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def);

/* *made: `before` and the wanted kernels besides. On failure the new ones are gone. */
VkskinResult sknMakeKernels(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def,
                            const KernelSet *wanted, Kernels *made);

#endif
