#include "compute.h"

static void createLayouts(Gpu *gpu, Compute *compute) {
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                                  NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    GPU_CHECK(vkCreateDescriptorSetLayout(gpu->device, &set, NULL, &compute->setLayout));
    VkDescriptorSetLayout sets[COMPUTE_MAX_SETS];
    for (uint32_t i = 0; i < COMPUTE_MAX_SETS; i++) {
        sets[i] = compute->setLayout;
    }
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, compute->pushBytes};
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = compute->setCount,
                                               .pSetLayouts = sets,
                                               .pushConstantRangeCount = compute->pushBytes > 0,
                                               .pPushConstantRanges = &push};
    GPU_CHECK(vkCreatePipelineLayout(gpu->device, &layout, NULL, &compute->layout));
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, compute->setCount};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = compute->setCount,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    GPU_CHECK(vkCreateDescriptorPool(gpu->device, &pool, NULL, &compute->pool));
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = compute->pool,
                                                  .descriptorSetCount = compute->setCount,
                                                  .pSetLayouts = sets};
    GPU_CHECK(vkAllocateDescriptorSets(gpu->device, &allocate, compute->sets));
}

Compute computeCreate(Gpu *gpu, const uint32_t *words, size_t bytes, uint32_t setCount, uint32_t pushBytes) {
    Compute compute = {.setCount = setCount, .pushBytes = pushBytes};
    VkShaderModule module;
    assert_true(setCount <= COMPUTE_MAX_SETS);
    createLayouts(gpu, &compute);
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
    GPU_CHECK(vkCreateShaderModule(gpu->device, &code, NULL, &module));
    const VkComputePipelineCreateInfo pipeline = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                  .stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL,
                                                            0, VK_SHADER_STAGE_COMPUTE_BIT, module, "main", NULL},
                                                  .layout = compute.layout};
    GPU_CHECK(vkCreateComputePipelines(gpu->device, gpu->cache, 1, &pipeline, NULL, &compute.pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
    return compute;
}

void computeFree(Gpu *gpu, Compute *compute) {
    vkDestroyPipeline(gpu->device, compute->pipeline, NULL);
    vkDestroyDescriptorPool(gpu->device, compute->pool, NULL);
    vkDestroyPipelineLayout(gpu->device, compute->layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, compute->setLayout, NULL);
    *compute = (Compute){0};
}

void computeBind(Gpu *gpu, Compute *compute, const VkBuffer *buffers) {
    for (uint32_t i = 0; i < compute->setCount; i++) {
        const VkDescriptorBufferInfo buffer = {buffers[i], 0, VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = compute->sets[i],
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &buffer};
        vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    }
}

void computeRecord(const Compute *compute, VkCommandBuffer commandBuffer, const void *push, uint32_t groups) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkAccessFlags access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    gpuBarrier(commandBuffer, stage, VK_ACCESS_SHADER_WRITE_BIT, stage, access);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, compute->pipeline);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, compute->layout, 0, compute->setCount,
                            compute->sets, 0, NULL);
    if (compute->pushBytes > 0) {
        vkCmdPushConstants(commandBuffer, compute->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, compute->pushBytes, push);
    }
    vkCmdDispatch(commandBuffer, groups, 1, 1);
    gpuBarrier(commandBuffer, stage, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

void computeRun(Gpu *gpu, const Compute *compute, const void *push, uint32_t groups) {
    VkCommandBuffer commands = gpuBegin(gpu);
    computeRecord(compute, commands, push, groups);
    gpuSubmitAndWait(gpu, commands);
}
