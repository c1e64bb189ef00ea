#include "probe.h"

static const uint32_t words[] =
#include "probe.comp.inc"
    ;

typedef struct Probe {
    VkDescriptorSetLayout setLayout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkBufferView texels;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} Probe;

static void createLayouts(Gpu *gpu, Probe *probe) {
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    VkDescriptorSetLayoutCreateInfo setInfo = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 * sizeof(uint32_t)};
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
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1},
    };
    VkDescriptorPoolCreateInfo poolInfo = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
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

static void createView(Gpu *gpu, const VkskinVulkanFunctions *functions, Probe *probe, VkBuffer buffer,
                       VkDeviceSize range) {
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .range = range,
    };
    PFN_vkCreateBufferView create = functions != NULL ? functions->vkCreateBufferView : vkCreateBufferView;
    GPU_CHECK(create(gpu->device, &info, NULL, &probe->texels));
}

static void bindRange(Gpu *gpu, const VkskinVulkanFunctions *functions, const Probe *probe, VkBuffer buffer,
                      VkDeviceSize range) {
    VkDescriptorBufferInfo info = {buffer, 0, range};
    VkWriteDescriptorSet writes[2] = {
        {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &info},
        {.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .pTexelBufferView = &probe->texels},
    };
    for (uint32_t i = 0; i < 2; i++) {
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstSet = probe->set;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
    }
    PFN_vkUpdateDescriptorSets update = functions != NULL ? functions->vkUpdateDescriptorSets : vkUpdateDescriptorSets;
    update(gpu->device, 2, writes, 0, NULL);
}

void probeCopyWord(Gpu *gpu, const VkskinVulkanFunctions *functions, VkBuffer buffer, VkDeviceSize range,
                   ProbeStep step) {
    const uint32_t push[4] = {step.from, step.to, step.byTexels, step.byTexels ? step.from : 0};
    Probe probe;
    createLayouts(gpu, &probe);
    createPipeline(gpu, &probe);
    createSet(gpu, &probe);
    createView(gpu, functions, &probe, buffer, range);
    bindRange(gpu, functions, &probe, buffer, range);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, probe.pipeline);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, probe.layout, 0, 1, &probe.set, 0, NULL);
    vkCmdPushConstants(commandBuffer, probe.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, push);
    vkCmdDispatch(commandBuffer, 1, 1, 1);
    gpuSubmitAndWait(gpu, commandBuffer);
    vkDestroyDescriptorPool(gpu->device, probe.pool, NULL);
    vkDestroyBufferView(gpu->device, probe.texels, NULL);
    vkDestroyPipeline(gpu->device, probe.pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, probe.layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, probe.setLayout, NULL);
}
