/*
 * null_compiler.h: a null driver whose kernels a real Vulkan device compiles.
 *
 * Shader modules, layouts and pipelines belong to the device. Everything else, such as memory, belongs to the null driver.
 * So the library creates its kernels on a device that has no memory and no queue, such as that of RADV_FORCE_FAMILY.
 * Nothing runs.
 *
 * A process has at most one, because Vulkan's functions carry no user pointer. Use it on one thread.
 */
#ifndef TESTKIT_NULL_COMPILER_H
#define TESTKIT_NULL_COMPILER_H

#include "null_driver.h"

typedef struct NullCompilerDef {
    VkPhysicalDevice physicalDevice;
    VkDevice device; /* with VK_KHR_pipeline_executable_properties and its feature */
    PFN_vkGetInstanceProcAddr getInstanceProcAddr;
    PFN_vkGetDeviceProcAddr getDeviceProcAddr;
    VkInstance instance;
    /* Called for each pipeline that the library names. The name is valid during the call, the pipeline until the context
     * is destroyed. */
    void (*compiled)(void *user, const char *name, VkPipeline pipeline);
    void *user;
} NullCompilerDef;

/* A null driver with the limits and the identity of the device. nullDriverDestroy destroys it. */
NullDriver *nullCompilerCreate(const NullCompilerDef *def);

/* As nullDriverContextDef, with the functions that compile. */
VkskinContextDef nullCompilerContextDef(NullDriver *driver);

/* vkCreateComputePipelines and vkCreateGraphicsPipelines of the device. The pipelines keep their statistics and their
 * assembly. `device` is ignored. */
VKAPI_ATTR VkResult VKAPI_CALL nullCompileCompute(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                  const VkComputePipelineCreateInfo *infos,
                                                  const VkAllocationCallbacks *allocator, VkPipeline *pipelines);
VKAPI_ATTR VkResult VKAPI_CALL nullCompileGraphics(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkGraphicsPipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *allocator, VkPipeline *pipelines);

#endif
