/*
 * shader_facts.h: what a compute shader asks of a device, read from its SPIR-V.
 *
 * Knows the instructions that the library's kernels are made of; anything else where a size is declared fails the
 * running test.
 */
#ifndef TESTS_SHADER_FACTS_H
#define TESTS_SHADER_FACTS_H

#include <vulkan/vulkan_core.h>

typedef struct ShaderFacts {
    uint32_t workgroupSize[3];
    uint32_t sharedBytes;    /* of variables in workgroup storage */
    uint32_t storageBuffers; /* variables */
    uint32_t sets;           /* the highest descriptor set that a variable is in, and one */
} ShaderFacts;

/* code: `words` words of a valid module with one entry point. constants: as given to the pipeline. */
ShaderFacts shaderFacts(const uint32_t *code, size_t words, const VkSpecializationInfo *constants);

#endif
