/*
 * kernels.h: the compute pipelines, one for each method, format, set of attributes and influence count.
 */
#ifndef VKSKIN_KERNELS_H
#define VKSKIN_KERNELS_H

#include "descriptors.h"
#include "vertex_pack.h"

typedef enum KernelAttributes {
    KERNEL_POSITIONS = 0,
    KERNEL_NORMALS = 1,
    KERNEL_TANGENTS = 2, /* and normals */
    KERNEL_ATTRIBUTES_COUNT = 3
} KernelAttributes;

#define KERNEL_COUNT                                                                                                   \
    (VKSKIN_METHOD_COUNT * VKSKIN_VERTEX_FORMAT_COUNT * KERNEL_ATTRIBUTES_COUNT * MAX_KERNEL_INFLUENCES)

typedef struct Kernels {
    VkPipelineLayout layout;
    VkPipeline pipelines[KERNEL_COUNT];
    uint32_t workgroupSize; /* 0 until the first are made */
    uint32_t instancesPerThread;
} Kernels;

/* On failure nothing is left over. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitKernels(Gpu *gpu, const Descriptors *descriptors, Kernels *kernels);
void sknDestroyKernels(Gpu *gpu, Kernels *kernels);

/* *made: `before` and the kernels of the def besides. On failure the new ones are gone. See vkskinCreatePipelines. */
VkskinResult sknMakeKernels(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def, Kernels *made);

/* The place of a kernel in `pipelines`; influences 1 to 4. */
uint32_t sknKernelIndex(VkskinMethod method, VkskinVertexFormat format, KernelAttributes attributes,
                        uint32_t influences);

#endif
