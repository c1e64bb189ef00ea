#include "gpu_program.h"

#include <string.h>

#include "crowd_check.h"
#include "shader_table.inc"

static BenchShader shaderFind(const char *name) {
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++) {
        if (strcmp(TABLE[i].name, name) == 0) {
            return TABLE[i];
        }
    }
    return (BenchShader){.name = name};
}

static bool createModule(Device *device, const char *name, VkShaderModule *module, EngineError *error) {
    BenchShader shader = shaderFind(name);
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader.size, .pCode = shader.code};
    VkResult result = vkCreateShaderModule(device->handle, &info, NULL, module);
    return engineVulkan(error, "vkCreateShaderModule", result);
}

/* ---- Layouts: one descriptor set of buffers, and push constants ---- */

static bool createSetLayout(Device *device, VkShaderStageFlags stage, ProgramLayout *layout, EngineError *error) {
    VkDescriptorSetLayoutBinding bindings[PROGRAM_BUFFERS_MAX];
    for (uint32_t i = 0; i < layout->bufferCount; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, layout->type, 1, stage, NULL};
    }
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = layout->bufferCount,
                                            .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(device->handle, &info, NULL, &layout->sets);
    return engineVulkan(error, "vkCreateDescriptorSetLayout", result);
}

static bool createPipelineLayout(Device *device, VkShaderStageFlags stage, uint32_t pushSize, ProgramLayout *layout,
                                 EngineError *error) {
    VkPushConstantRange range = {stage, 0, pushSize};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &layout->sets,
                                       .pushConstantRangeCount = pushSize ? 1 : 0,
                                       .pPushConstantRanges = &range};
    VkResult result = vkCreatePipelineLayout(device->handle, &info, NULL, &layout->handle);
    return engineVulkan(error, "vkCreatePipelineLayout", result);
}

static bool createPool(Device *device, uint32_t sets, ProgramLayout *layout, EngineError *error) {
    VkDescriptorPoolSize size = {layout->type, sets * layout->bufferCount};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = sets,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkResult result = vkCreateDescriptorPool(device->handle, &info, NULL, &layout->pool);
    return engineVulkan(error, "vkCreateDescriptorPool", result);
}

static bool layoutCreate(Device *device, VkShaderStageFlags stage, uint32_t pushSize, uint32_t sets,
                         ProgramLayout *layout, EngineError *error) {
    return createSetLayout(device, stage, layout, error) &&
           createPipelineLayout(device, stage, pushSize, layout, error) && createPool(device, sets, layout, error);
}

static void layoutDestroy(Device *device, ProgramLayout *layout) {
    vkDestroyDescriptorPool(device->handle, layout->pool, NULL);
    vkDestroyPipelineLayout(device->handle, layout->handle, NULL);
    vkDestroyDescriptorSetLayout(device->handle, layout->sets, NULL);
}

bool programBind(Device *device, const ProgramLayout *layout, const BufferRange *ranges, VkDescriptorSet *set,
                 EngineError *error) {
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = layout->pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout->sets};
    VkResult result = vkAllocateDescriptorSets(device->handle, &info, set);
    if (result != VK_SUCCESS) {
        return engineVulkan(error, "vkAllocateDescriptorSets", result);
    }
    VkDescriptorBufferInfo buffers[PROGRAM_BUFFERS_MAX];
    VkWriteDescriptorSet writes[PROGRAM_BUFFERS_MAX];
    for (uint32_t i = 0; i < layout->bufferCount; i++) {
        buffers[i] = (VkDescriptorBufferInfo){ranges[i].buffer, 0, ranges[i].size};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = *set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = layout->type,
                                           .pBufferInfo = &buffers[i]};
    }
    vkUpdateDescriptorSets(device->handle, layout->bufferCount, writes, 0, NULL);
    return true;
}

/* ---- Compute programs ---- */

static bool createComputePipeline(ComputeProgram *program, const char *shader, EngineError *error) {
    VkShaderModule module;
    if (!createModule(program->device, shader, &module, error)) {
        return false;
    }
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module,
                                                  .pName = "main"},
                                        .layout = program->layout.handle};
    VkResult result =
        vkCreateComputePipelines(program->device->handle, VK_NULL_HANDLE, 1, &info, NULL, &program->pipeline);
    vkDestroyShaderModule(program->device->handle, module, NULL);
    return engineVulkan(error, "vkCreateComputePipelines", result);
}

bool computeProgramCreate(Device *device, const ComputeProgramDef *def, ComputeProgram *program, EngineError *error) {
    *program = (ComputeProgram){
        .device = device,
        .layout = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, .bufferCount = def->bufferCount}};
    bool made = layoutCreate(device, VK_SHADER_STAGE_COMPUTE_BIT, def->pushSize, def->sets, &program->layout, error) &&
                createComputePipeline(program, def->shader, error);
    if (!made) {
        computeProgramDestroy(program);
    }
    return made;
}

void computeProgramDestroy(ComputeProgram *program) {
    if (program->device) {
        vkDestroyPipeline(program->device->handle, program->pipeline, NULL);
        layoutDestroy(program->device, &program->layout);
    }
    *program = (ComputeProgram){0};
}

/* ---- Point programs ---- */

#define WIDTH  128
#define FORMAT VK_FORMAT_R32G32B32A32_SFLOAT

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

/* constants: 1 for the probe, then the number of bones. */
static bool createPointPipeline(const PointProgram *program, const PointProgramDef *def,
                                const VkShaderModule modules[2], const uint32_t constants[2], VkPipeline *pipeline,
                                EngineError *error) {
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
                                         .layout = program->layout.handle};
    VkResult result = vkCreateGraphicsPipelines(program->device->handle, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
    return engineVulkan(error, "vkCreateGraphicsPipelines", result);
}

static bool createPipelines(PointProgram *program, const PointProgramDef *def, EngineError *error) {
    VkShaderModule modules[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    bool made =
        createModule(program->device, def->vertexShader, &modules[0], error) &&
        createModule(program->device, "drawn.frag", &modules[1], error) &&
        createPointPipeline(program, def, modules, (const uint32_t[2]){0, def->bones}, &program->timed, error) &&
        createPointPipeline(program, def, modules, (const uint32_t[2]){1, def->bones}, &program->probe, error);
    vkDestroyShaderModule(program->device->handle, modules[0], NULL);
    vkDestroyShaderModule(program->device->handle, modules[1], NULL);
    return made;
}

bool pointProgramCreate(Device *device, const PointProgramDef *def, PointProgram *program, EngineError *error) {
    *program = (PointProgram){.device = device,
                              .width = WIDTH,
                              .height = (def->vertices + WIDTH - 1) / WIDTH,
                              .layout = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .bufferCount = POINT_BUFFERS}};
    bool made =
        createImages(program, error) &&
        layoutCreate(device, VK_SHADER_STAGE_VERTEX_BIT, 2 * sizeof(uint32_t), def->sets, &program->layout, error) &&
        createPipelines(program, def, error);
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
    vkDestroyPipeline(device, program->probe, NULL);
    vkDestroyPipeline(device, program->timed, NULL);
    layoutDestroy(program->device, &program->layout);
    for (uint32_t i = 0; i < POINT_IMAGES; i++) {
        imageDestroy(program->device, &program->images[i]);
    }
    *program = (PointProgram){0};
}

void pointProgramBegin(const PointProgram *program, VkCommandBuffer commandBuffer, bool probe, float clear) {
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
                                        .clearValue = {.color = {.float32 = {clear, clear, clear, clear}}}};
    }
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {program->width, program->height}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = POINT_IMAGES,
                                 .pColorAttachments = attachments};
    uint32_t size[2] = {program->width, program->height};
    vkCmdBeginRendering(commandBuffer, &rendering);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, probe ? program->probe : program->timed);
    vkCmdPushConstants(commandBuffer, program->layout.handle, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof size, size);
}

void pointProgramEnd(VkCommandBuffer commandBuffer) {
    vkCmdEndRendering(commandBuffer);
}

static void pointProgramRead(const PointProgram *program, VkCommandBuffer commandBuffer, const Buffer *target) {
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

/* ---- The probe ---- */

#define NOTHING (-12345.0f) /* the clear value: no vertex was drawn here */

static VkDeviceSize imageFloats(const DrawnProbe *probe) {
    return (VkDeviceSize)probe->program->width * probe->program->height * 4;
}

bool drawnProbeCreate(DrawnProbe *probe, EngineError *error) {
    return bufferCreate(probe->clock->device, imageFloats(probe) * POINT_IMAGES * sizeof(float),
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "readback", &probe->readback, error);
}

void drawnProbeDestroy(DrawnProbe *probe) {
    if (probe->clock) {
        bufferDestroy(probe->clock->device, &probe->readback);
    }
}

static bool fetch(void *user, uint32_t instance, EngineError *error) {
    DrawnProbe *probe = user;
    VkCommandBuffer commandBuffer = deviceClockBegin(probe->clock, error);
    if (!commandBuffer) {
        return false;
    }
    pointProgramBegin(probe->program, commandBuffer, true, NOTHING);
    probe->draw(probe->user, commandBuffer, instance);
    pointProgramEnd(commandBuffer);
    pointProgramRead(probe->program, commandBuffer, &probe->readback);
    return deviceClockEnd(probe->clock, NULL, error);
}

/* The pixel of a vertex in an image. */
static const float *pixelOf(const DrawnProbe *probe, uint32_t image, uint32_t vertex) {
    const float *floats = probe->readback.mapped;
    return floats + image * imageFloats(probe) + (size_t)vertex * 4;
}

static ReadVertex readOutput(const void *user, uint32_t vertex) {
    ReadVertex read;
    for (int i = 0; i < 3; i++) {
        read.position[i] = pixelOf(user, 0, vertex)[i];
        read.normal[i] = pixelOf(user, 1, vertex)[i];
        read.tangent[i] = pixelOf(user, 2, vertex)[i];
    }
    read.tangent[3] = pixelOf(user, 2, vertex)[3];
    return read;
}

static bool isPoison(const void *user, uint32_t vertex) {
    return pixelOf(user, 0, vertex)[3] == NOTHING;
}

bool drawnProbeCheck(DrawnProbe *probe, const CrowdScene *scene, EngineError *error) {
    CrowdOutput output = {
        .format = probe->format, .fetch = fetch, .read = readOutput, .isPoison = isPoison, .user = probe};
    return crowdCheck(scene, &output, error);
}
