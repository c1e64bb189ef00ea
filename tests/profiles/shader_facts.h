/*
 * shader_facts.h: what a compute shader asks of a device, read from its SPIR-V.
 *
 * Knows the instructions that the library's kernels are made of; anything else where a size is declared fails the
 * running test.
 */
#ifndef TESTS_SHADER_FACTS_H
#define TESTS_SHADER_FACTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ShaderFacts {
    uint32_t workgroupSize[3];
    uint32_t sharedBytes;    /* of variables in workgroup storage */
    uint32_t storageBuffers; /* variables */
    uint32_t sets;           /* the highest descriptor set that a variable is in, and one */
    uint32_t openConstants;  /* to be specialised; sizes are by what they are until then */
} ShaderFacts;

/* code: `words` words of a valid module with one entry point. */
ShaderFacts shaderFacts(const uint32_t *code, size_t words);

#endif
