#include "probe.h"

static const uint32_t words[] =
#include "probe.comp.inc"
    ;

typedef struct Probe {
    VkDescriptorSetLayout setLayout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} Probe;

static void createLayouts(Gpu *gpu, Probe *probe) {
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    VkDescriptorSetLayoutCreateInfo setInfo = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 2 * sizeof(uint32_t)};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &probe->setLayout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    GPU_CHECK(vkCreateDescriptorSetLayout(gpu->device, &setInfo, NULL, &probe->setLayout));
    GPU_CHECK(vkCreatePipelineLayout(gpu->device, &info, NULL, &probe->layout));
}

static void createPipeline(Gpu *gpu, Probe *probe) {
    VkShaderModuleCreateInfo moduleInfo = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof words,
        .pCode = words,
    };
    VkShaderModule module;
    GPU_CHECK(vkCreateShaderModule(gpu->device, &moduleInfo, NULL, &module));
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = probe->layout,
    };
    GPU_CHECK(vkCreateComputePipelines(gpu->device, gpu->cache, 1, &info, NULL, &probe->pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
}

static void createSet(Gpu *gpu, Probe *probe) {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo poolInfo = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    GPU_CHECK(vkCreateDescriptorPool(gpu->device, &poolInfo, NULL, &probe->pool));
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = probe->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &probe->setLayout,
    };
    GPU_CHECK(vkAllocateDescriptorSets(gpu->device, &info, &probe->set));
}

static void bindRange(Gpu *gpu, const VkskinVulkanFunctions *functions, const Probe *probe, VkBuffer buffer,
                      VkDeviceSize range) {
    VkDescriptorBufferInfo info = {buffer, 0, range};
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = probe->set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &info,
    };
    PFN_vkUpdateDescriptorSets update = functions != NULL ? functions->vkUpdateDescriptorSets : vkUpdateDescriptorSets;
    update(gpu->device, 1, &write, 0, NULL);
}

void probeCopyWord(Gpu *gpu, const VkskinVulkanFunctions *functions, VkBuffer buffer, VkDeviceSize range, uint32_t from,
                   uint32_t to) {
    const uint32_t push[2] = {from, to};
    Probe probe;
    createLayouts(gpu, &probe);
    createPipeline(gpu, &probe);
    createSet(gpu, &probe);
    bindRange(gpu, functions, &probe, buffer, range);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, probe.pipeline);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, probe.layout, 0, 1, &probe.set, 0, NULL);
    vkCmdPushConstants(commandBuffer, probe.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, push);
    vkCmdDispatch(commandBuffer, 1, 1, 1);
    gpuSubmitAndWait(gpu, commandBuffer);
    vkDestroyDescriptorPool(gpu->device, probe.pool, NULL);
    vkDestroyPipeline(gpu->device, probe.pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, probe.layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, probe.setLayout, NULL);
}
