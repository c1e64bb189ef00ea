/*
 * compute_program.h: a compute pipeline over storage buffers of one descriptor set, with push constants. The buffers are
 * bound at dynamic offsets: vkCmdBindDescriptorSets takes one for each.
 */
#ifndef BENCH_COMPUTE_PROGRAM_H
#define BENCH_COMPUTE_PROGRAM_H

#include "buffer_set.h"

#define COMPUTE_BUFFERS_MAX BUFFER_SET_MAX

typedef struct ComputeProgram {
    Device *device;
    uint32_t bufferCount;
    VkDescriptorSetLayout setLayout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
} ComputeProgram;

typedef struct ComputeProgramDef {
    const uint32_t *code; /* SPIR-V */
    size_t codeSize;      /* bytes */
    uint32_t bufferCount; /* bindings 0 up, 1 to COMPUTE_BUFFERS_MAX */
    uint32_t pushSize;    /* bytes of push constants, 0 for none */
    uint32_t sets;        /* that computeProgramBindings is called for */
} ComputeProgramDef;

/* On failure *program is zero. */
bool computeProgramCreate(Device *device, const ComputeProgramDef *def, ComputeProgram *program, EngineError *error);

/* Its sets go with it. A zero one is allowed. */
void computeProgramDestroy(ComputeProgram *program);

/* A range of a buffer, to which the dynamic offset is added. */
typedef struct ComputeRange {
    const Buffer *buffer;
    VkDeviceSize size; /* VK_WHOLE_SIZE: all; offsets are 0 then */
} ComputeRange;

/* A set with these ranges, [bufferCount]. */
bool computeProgramBindings(ComputeProgram *program, const ComputeRange *ranges, VkDescriptorSet *set,
                            EngineError *error);

#endif
