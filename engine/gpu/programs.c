#include "programs.h"

VkShaderModule shaderCreate(Device *device, const ShaderCode *code, EngineError *error) {
    VkShaderModule module = VK_NULL_HANDLE;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code->byteCount, .pCode = code->words};
    bool made = engineVulkan(error, code->name, vkCreateShaderModule(device->handle, &info, NULL, &module));
    return made ? module : VK_NULL_HANDLE;
}

/* ---- Layouts and descriptor sets ---- */

bool setLayoutCreate(Device *device, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                     VkDescriptorSetLayout *layout, EngineError *error) {
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
    return engineVulkan(error, "vkCreateDescriptorSetLayout",
                        vkCreateDescriptorSetLayout(device->handle, &info, NULL, layout));
}

bool pipelineLayoutCreate(Device *device, const VkDescriptorSetLayout *sets, uint32_t setCount,
                          VkPushConstantRange push, VkPipelineLayout *layout, EngineError *error) {
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = setCount,
                                       .pSetLayouts = sets,
                                       .pushConstantRangeCount = push.size > 0 ? 1 : 0,
                                       .pPushConstantRanges = &push};
    return engineVulkan(error, "vkCreatePipelineLayout", vkCreatePipelineLayout(device->handle, &info, NULL, layout));
}

bool descriptorPoolCreate(Device *device, const VkDescriptorPoolSize *sizes, uint32_t sizeCount, uint32_t setCount,
                          VkDescriptorPool *pool, EngineError *error) {
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = setCount,
                                       .poolSizeCount = sizeCount,
                                       .pPoolSizes = sizes};
    return engineVulkan(error, "vkCreateDescriptorPool", vkCreateDescriptorPool(device->handle, &info, NULL, pool));
}

bool descriptorSetAllocate(Device *device, VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet *set,
                           EngineError *error) {
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout};
    return engineVulkan(error, "vkAllocateDescriptorSets", vkAllocateDescriptorSets(device->handle, &info, set));
}

static void writeDescriptor(Device *device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                            const VkDescriptorBufferInfo *buffer, const VkDescriptorImageInfo *image) {
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pImageInfo = image,
                                  .pBufferInfo = buffer};
    vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
}

void descriptorWriteBuffer(Device *device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                           VkBuffer buffer, VkDeviceSize size) {
    writeDescriptor(device, set, binding, type, &(VkDescriptorBufferInfo){buffer, 0, size}, NULL);
}

void descriptorWriteRange(Device *device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkBuffer buffer,
                          VkDeviceSize offset, VkDeviceSize size) {
    writeDescriptor(device, set, binding, type, &(VkDescriptorBufferInfo){buffer, offset, size}, NULL);
}

void descriptorWriteImage(Device *device, VkDescriptorSet set, uint32_t binding, VkSampler sampler, VkImageView view) {
    writeDescriptor(device, set, binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, NULL,
                    &(VkDescriptorImageInfo){sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL});
}

/* ---- Graphics pipelines ---- */

static VkPipelineShaderStageCreateInfo stageOf(const GraphicsPipelineDef *def, VkShaderStageFlagBits stage) {
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .stage = stage,
                                             .module =
                                                 stage == VK_SHADER_STAGE_VERTEX_BIT ? def->vertex : def->fragment,
                                             .pName = "main",
                                             .pSpecializationInfo = def->constants};
}

static VkPipelineDepthStencilStateCreateInfo depthStencilOf(const GraphicsPipelineDef *def) {
    const VkStencilOpState stencil = {.failOp = VK_STENCIL_OP_KEEP,
                                      .passOp = def->stencilPass,
                                      .depthFailOp = VK_STENCIL_OP_KEEP,
                                      .compareOp = def->stencilCompare,
                                      .compareMask = 1,
                                      .writeMask = 1};
    return (VkPipelineDepthStencilStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                   .depthTestEnable = def->depthFormat != VK_FORMAT_UNDEFINED,
                                                   .depthWriteEnable = def->writesDepth,
                                                   .depthCompareOp = def->depthCompare,
                                                   .stencilTestEnable = def->stencilFormat != VK_FORMAT_UNDEFINED,
                                                   .front = stencil,
                                                   .back = stencil};
}

/* Without a mix of its own a pipeline blends by alpha, if it blends. */
static VkPipelineColorBlendAttachmentState mixOf(const GraphicsPipelineDef *def) {
    if (def->mix) {
        return *def->mix;
    }
    return (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf,
                                                 .blendEnable = def->blends,
                                                 .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                                 .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                 .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                 .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA};
}

bool graphicsPipelineCreate(Device *device, const GraphicsPipelineDef *def, VkPipeline *pipeline, EngineError *error) {
    VkPipelineShaderStageCreateInfo stages[2] = {stageOf(def, VK_SHADER_STAGE_VERTEX_BIT),
                                                 stageOf(def, VK_SHADER_STAGE_FRAGMENT_BIT)};
    VkPipelineVertexInputStateCreateInfo noInput = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = def->topology};
    VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .depthBiasEnable = def->slopeBias != 0.0f,
        .depthBiasSlopeFactor = def->slopeBias,
        .polygonMode = def->edges ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL,
        .lineWidth = 1.0f};
    VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = def->samples ? def->samples : VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineDepthStencilStateCreateInfo depth = depthStencilOf(def);
    const VkPipelineColorBlendAttachmentState all = mixOf(def);
    const VkPipelineColorBlendAttachmentState attachments[PIPELINE_COLOURS_MAX] = {all, all, all, all};
    VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                 .attachmentCount = def->colourCount,
                                                 .pAttachments = attachments};
    const VkDynamicState dynamicStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                            def->stencilFormat ? VK_DYNAMIC_STATE_STENCIL_REFERENCE
                                                               : VK_DYNAMIC_STATE_CULL_MODE,
                                            VK_DYNAMIC_STATE_FRONT_FACE};
    const uint32_t dynamicCount = def->choosesSides ? 4 : def->stencilFormat ? 3 : 2;
    VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                .dynamicStateCount = dynamicCount,
                                                .pDynamicStates = dynamicStates};
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = def->colourCount,
                                               .pColorAttachmentFormats = def->colourFormats,
                                               .depthAttachmentFormat = def->depthFormat,
                                               .stencilAttachmentFormat = def->stencilFormat};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = def->fragment ? 2 : 1,
                                         .pStages = stages,
                                         .pVertexInputState = def->input ? def->input : &noInput,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &viewport,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &multisample,
                                         .pDepthStencilState = &depth,
                                         .pColorBlendState = &blend,
                                         .pDynamicState = &dynamic,
                                         .layout = def->layout};
    VkResult result = vkCreateGraphicsPipelines(device->handle, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
    if (result != VK_SUCCESS) {
        *pipeline = VK_NULL_HANDLE;
        return engineFail(error, "the pipeline '%s': %s", def->name, engineVulkanResultName(result));
    }
    deviceName(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*pipeline, def->name);
    return true;
}

void viewportSet(VkCommandBuffer commandBuffer, uint32_t width, uint32_t height) {
    VkViewport viewport = {0.0f, 0.0f, (float)width, (float)height, 0.0f, 1.0f};
    VkRect2D scissor = {{0, 0}, {width, height}};
    vkCmdSetViewport(commandBuffer, 0, 1, &viewport);
    vkCmdSetScissor(commandBuffer, 0, 1, &scissor);
}

VkRenderingAttachmentInfo passAttachment(VkImageView view, VkImageLayout layout, VkAttachmentLoadOp load,
                                         VkAttachmentStoreOp store) {
    return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = view,
                                       .imageLayout = layout,
                                       .loadOp = load,
                                       .storeOp = store};
}

void passBegin(VkCommandBuffer commandBuffer, uint32_t width, uint32_t height, const VkRenderingAttachmentInfo *colour,
               const VkRenderingAttachmentInfo *depth, const VkRenderingAttachmentInfo *stencil) {
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea.extent = {width, height},
                                       .layerCount = 1,
                                       .colorAttachmentCount = colour ? 1 : 0,
                                       .pColorAttachments = colour,
                                       .pDepthAttachment = depth,
                                       .pStencilAttachment = stencil};
    vkCmdBeginRendering(commandBuffer, &rendering);
    viewportSet(commandBuffer, width, height);
}
