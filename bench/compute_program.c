#include "compute_program.h"

static bool createLayouts(ComputeProgram *program, const ComputeProgramDef *def, EngineError *error) {
    VkDescriptorSetLayoutBinding bindings[COMPUTE_BUFFERS_MAX];
    for (uint32_t i = 0; i < def->bufferCount; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    }
    VkDescriptorSetLayoutCreateInfo setInfo = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = def->bufferCount,
                                               .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(program->device->handle, &setInfo, NULL, &program->setLayout);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkCreateDescriptorSetLayout", result);
    }
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, def->pushSize};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &program->setLayout,
                                       .pushConstantRangeCount = def->pushSize ? 1 : 0,
                                       .pPushConstantRanges = &range};
    result = vkCreatePipelineLayout(program->device->handle, &info, NULL, &program->layout);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreatePipelineLayout", result);
}

static bool createPipeline(ComputeProgram *program, const ComputeProgramDef *def, EngineError *error) {
    VkShaderModule module;
    VkShaderModuleCreateInfo moduleInfo = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = def->codeSize, .pCode = def->code};
    VkResult result = vkCreateShaderModule(program->device->handle, &moduleInfo, NULL, &module);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkCreateShaderModule", result);
    }
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module,
                                                  .pName = "main"},
                                        .layout = program->layout};
    result = vkCreateComputePipelines(program->device->handle, VK_NULL_HANDLE, 1, &info, NULL, &program->pipeline);
    vkDestroyShaderModule(program->device->handle, module, NULL);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateComputePipelines", result);
}

static bool createPool(ComputeProgram *program, const ComputeProgramDef *def, EngineError *error) {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, def->sets * def->bufferCount};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = def->sets,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkResult result = vkCreateDescriptorPool(program->device->handle, &info, NULL, &program->pool);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateDescriptorPool", result);
}

bool computeProgramCreate(Device *device, const ComputeProgramDef *def, ComputeProgram *program, EngineError *error) {
    *program = (ComputeProgram){.device = device, .bufferCount = def->bufferCount};
    bool made =
        createLayouts(program, def, error) && createPipeline(program, def, error) && createPool(program, def, error);
    if (!made) {
        computeProgramDestroy(program);
    }
    return made;
}

void computeProgramDestroy(ComputeProgram *program) {
    if (program->device) {
        VkDevice device = program->device->handle;
        vkDestroyDescriptorPool(device, program->pool, NULL);
        vkDestroyPipeline(device, program->pipeline, NULL);
        vkDestroyPipelineLayout(device, program->layout, NULL);
        vkDestroyDescriptorSetLayout(device, program->setLayout, NULL);
    }
    *program = (ComputeProgram){0};
}

bool computeProgramBindings(ComputeProgram *program, const ComputeRange *ranges, VkDescriptorSet *set,
                            EngineError *error) {
    VkDescriptorBufferInfo infos[COMPUTE_BUFFERS_MAX];
    for (uint32_t i = 0; i < program->bufferCount; i++) {
        infos[i] = (VkDescriptorBufferInfo){ranges[i].buffer->handle, 0, ranges[i].size};
    }
    BufferSetDef def = {program->pool, program->setLayout, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, infos,
                        program->bufferCount};
    return bufferSetMake(program->device, &def, set, error);
}
