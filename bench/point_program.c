#include "point_program.h"

#include "bench_shaders.h"
#include "buffer_set.h"

#define WIDTH  128
#define FORMAT VK_FORMAT_R32G32B32A32_SFLOAT

/* ---- Images ---- */

static void useImage(VkCommandBuffer commandBuffer, const Image *image, VkImageLayout from, VkImageLayout to) {
    ImageBarrier barrier = {.image = image->handle,
                            .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                            .oldLayout = from,
                            .newLayout = to,
                            .srcStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                            .srcAccess = VK_ACCESS_2_MEMORY_WRITE_BIT,
                            .dstStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                            .dstAccess = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    imageBarrier(commandBuffer, &barrier);
}

static bool createImages(PointProgram *program, EngineError *error) {
    ImageDef def = {.width = program->width,
                    .height = program->height,
                    .format = FORMAT,
                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                    .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                    .name = "points"};
    bool made = true;
    for (uint32_t i = 0; made && i < POINT_IMAGES; i++) {
        made = imageCreate(program->device, &def, &program->images[i], error);
    }
    VkCommandBuffer commandBuffer = made ? immediateBegin(program->device, error) : VK_NULL_HANDLE;
    for (uint32_t i = 0; commandBuffer && i < POINT_IMAGES; i++) {
        useImage(commandBuffer, &program->images[i], VK_IMAGE_LAYOUT_UNDEFINED,
                 VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    }
    return commandBuffer && immediateEnd(program->device, commandBuffer, error);
}

/* ---- Layouts ---- */

static bool createLayouts(PointProgram *program, EngineError *error) {
    VkDescriptorSetLayoutBinding bindings[POINT_BUFFERS];
    for (uint32_t i = 0; i < POINT_BUFFERS; i++) {
        bindings[i] =
            (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL};
    }
    VkDescriptorSetLayoutCreateInfo setInfo = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = POINT_BUFFERS,
                                               .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(program->device->handle, &setInfo, NULL, &program->setLayout);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkCreateDescriptorSetLayout", result);
    }
    VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 2 * sizeof(uint32_t)};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &program->setLayout,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
    result = vkCreatePipelineLayout(program->device->handle, &info, NULL, &program->layout);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreatePipelineLayout", result);
}

static bool createPool(PointProgram *program, uint32_t sets, EngineError *error) {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * POINT_BUFFERS};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = sets,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkResult result = vkCreateDescriptorPool(program->device->handle, &info, NULL, &program->pool);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateDescriptorPool", result);
}

/* ---- Pipelines ---- */

static bool createModule(Device *device, const char *name, VkShaderModule *module, EngineError *error) {
    BenchShader shader = benchShader(name);
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader.size, .pCode = shader.code};
    VkResult result = vkCreateShaderModule(device->handle, &info, NULL, module);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateShaderModule", result);
}

/* constants: whether it is the probe, and the bones. */
static bool createPipeline(const PointProgram *program, const PointProgramDef *def, const VkShaderModule modules[2],
                           const uint32_t constants[2], VkPipeline *pipeline, EngineError *error) {
    VkSpecializationMapEntry entries[2] = {{0, 0, sizeof(uint32_t)}, {1, sizeof(uint32_t), sizeof(uint32_t)}};
    VkSpecializationInfo specialization = {2, entries, 2 * sizeof(uint32_t), constants};
    VkPipelineShaderStageCreateInfo stages[2] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                  .module = modules[0],
                                                  .pName = "main",
                                                  .pSpecializationInfo = &specialization},
                                                 {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                  .module = modules[1],
                                                  .pName = "main"}};
    VkPipelineVertexInputStateCreateInfo pulls = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    VkViewport viewport = {0.0f, 0.0f, (float)program->width, (float)program->height, 0.0f, 1.0f};
    VkRect2D scissor = {{0, 0}, {program->width, program->height}};
    VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .viewportCount = 1,
                                              .pViewports = &viewport,
                                              .scissorCount = 1,
                                              .pScissors = &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState whole = {.colorWriteMask = 0xf};
    VkPipelineColorBlendAttachmentState wholes[POINT_IMAGES] = {whole, whole, whole};
    VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                 .attachmentCount = POINT_IMAGES,
                                                 .pAttachments = wholes};
    VkFormat formats[POINT_IMAGES] = {FORMAT, FORMAT, FORMAT};
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = POINT_IMAGES,
                                               .pColorAttachmentFormats = formats};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = 2,
                                         .pStages = stages,
                                         .pVertexInputState = def->input ? def->input : &pulls,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &view,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pColorBlendState = &blend,
                                         .layout = program->layout};
    VkResult result = vkCreateGraphicsPipelines(program->device->handle, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateGraphicsPipelines", result);
}

static bool createPipelines(PointProgram *program, const PointProgramDef *def, EngineError *error) {
    VkShaderModule modules[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    bool made = createModule(program->device, def->vertexShader, &modules[0], error) &&
                createModule(program->device, "drawn.frag", &modules[1], error) &&
                createPipeline(program, def, modules, (const uint32_t[2]){0, def->bones}, &program->timed, error) &&
                createPipeline(program, def, modules, (const uint32_t[2]){1, def->bones}, &program->probe, error);
    vkDestroyShaderModule(program->device->handle, modules[0], NULL);
    vkDestroyShaderModule(program->device->handle, modules[1], NULL);
    return made;
}

/* ---- The program ---- */

bool pointProgramCreate(Device *device, const PointProgramDef *def, PointProgram *program, EngineError *error) {
    *program = (PointProgram){.device = device, .width = WIDTH, .height = (def->vertices + WIDTH - 1) / WIDTH};
    bool made = createImages(program, error) && createLayouts(program, error) &&
                createPool(program, def->sets, error) && createPipelines(program, def, error);
    if (!made) {
        pointProgramDestroy(program);
    }
    return made;
}

void pointProgramDestroy(PointProgram *program) {
    if (!program->device) {
        return;
    }
    VkDevice device = program->device->handle;
    vkDestroyDescriptorPool(device, program->pool, NULL);
    vkDestroyPipeline(device, program->probe, NULL);
    vkDestroyPipeline(device, program->timed, NULL);
    vkDestroyPipelineLayout(device, program->layout, NULL);
    vkDestroyDescriptorSetLayout(device, program->setLayout, NULL);
    for (uint32_t i = 0; i < POINT_IMAGES; i++) {
        imageDestroy(program->device, &program->images[i]);
    }
    *program = (PointProgram){0};
}

bool pointProgramBindings(PointProgram *program, const VkBuffer buffers[POINT_BUFFERS], VkDescriptorSet *set,
                          EngineError *error) {
    VkDescriptorBufferInfo ranges[POINT_BUFFERS];
    for (uint32_t i = 0; i < POINT_BUFFERS; i++) {
        ranges[i] = (VkDescriptorBufferInfo){buffers[i], 0, VK_WHOLE_SIZE};
    }
    BufferSetDef def = {program->pool, program->setLayout, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, ranges, POINT_BUFFERS};
    return bufferSetMake(program->device, &def, set, error);
}

/* ---- Drawing ---- */

void pointProgramBegin(const PointProgram *program, VkCommandBuffer commandBuffer, bool probe, float nothing) {
    VkRenderingAttachmentInfo attachments[POINT_IMAGES];
    for (uint32_t i = 0; i < POINT_IMAGES; i++) {
        useImage(commandBuffer, &program->images[i], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                 VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        attachments[i] =
            (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = program->images[i].view,
                                        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                        .loadOp = probe ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                        .clearValue = {.color = {.float32 = {nothing, nothing, nothing, nothing}}}};
    }
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {program->width, program->height}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = POINT_IMAGES,
                                 .pColorAttachments = attachments};
    uint32_t size[2] = {program->width, program->height};
    vkCmdBeginRendering(commandBuffer, &rendering);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, probe ? program->probe : program->timed);
    vkCmdPushConstants(commandBuffer, program->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof size, size);
}

void pointProgramEnd(VkCommandBuffer commandBuffer) {
    vkCmdEndRendering(commandBuffer);
}

void pointProgramRead(const PointProgram *program, VkCommandBuffer commandBuffer, const Buffer *target) {
    VkDeviceSize size = (VkDeviceSize)program->width * program->height * 4 * sizeof(float);
    for (uint32_t i = 0; i < POINT_IMAGES; i++) {
        VkBufferImageCopy region = {.bufferOffset = i * size,
                                    .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {program->width, program->height, 1}};
        const Image *image = &program->images[i];
        useImage(commandBuffer, image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        vkCmdCopyImageToBuffer(commandBuffer, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target->handle, 1,
                               &region);
        useImage(commandBuffer, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    }
    copyToHostBarrier(commandBuffer);
}
