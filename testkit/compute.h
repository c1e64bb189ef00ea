/*
 * compute.h: a compute pipeline of a test. It has descriptor sets of one storage buffer each, at binding 0.
 */
#ifndef TESTKIT_COMPUTE_H
#define TESTKIT_COMPUTE_H

#include "gpu.h"

#define COMPUTE_MAX_SETS 4

typedef struct Compute {
    VkDescriptorSetLayout setLayout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet sets[COMPUTE_MAX_SETS];
    uint32_t setCount, pushBytes;
} Compute;

/* words: SPIR-V. A failure fails the test. Free it with computeFree. */
Compute computeCreate(Gpu *gpu, const uint32_t *words, size_t bytes, uint32_t setCount, uint32_t pushBytes);
void computeFree(Gpu *gpu, Compute *compute);

/* Binds whole buffers, [setCount]. The device must be idle. */
void computeBind(Gpu *gpu, Compute *compute, const VkBuffer *buffers);

/* Records a dispatch between barriers: writes of the host before it and after it are ordered. */
void computeRecord(const Compute *compute, VkCommandBuffer commandBuffer, const void *push, uint32_t groups);

/* computeRecord, submitted and waited for. */
void computeRun(Gpu *gpu, const Compute *compute, const void *push, uint32_t groups);

#endif
