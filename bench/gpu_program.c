#include "gpu_program.h"

#include <stdlib.h>
#include <string.h>

#include "crowd_check.h"
#include "shader_table.inc"

/* Null on failure. */
static VkShaderModule createModule(Device *device, const char *name, EngineError *error) {
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++) {
        if (strcmp(TABLE[i].name, name) == 0) {
            return shaderCreate(device, &TABLE[i], error);
        }
    }
    engineFail(error, "there is no shader '%s'", name);
    return VK_NULL_HANDLE;
}

/* ---- Layouts: one descriptor set of buffers, and push constants ---- */

static bool layoutCreate(Device *device, VkShaderStageFlags stage, uint32_t pushSize, uint32_t sets,
                         ProgramLayout *layout, EngineError *error) {
    VkDescriptorSetLayoutBinding bindings[PROGRAM_BUFFERS_MAX];
    for (uint32_t i = 0; i < layout->bufferCount; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, layout->type, 1, stage, NULL};
    }
    const VkDescriptorPoolSize size = {layout->type, sets * layout->bufferCount};
    const VkPushConstantRange push = {stage, 0, pushSize};
    return setLayoutCreate(device, bindings, layout->bufferCount, &layout->sets, error) &&
           pipelineLayoutCreate(device, &layout->sets, 1, push, &layout->handle, error) &&
           descriptorPoolCreate(device, &size, 1, sets, &layout->pool, error);
}

static void layoutDestroy(Device *device, ProgramLayout *layout) {
    vkDestroyDescriptorPool(device->handle, layout->pool, NULL);
    vkDestroyPipelineLayout(device->handle, layout->handle, NULL);
    vkDestroyDescriptorSetLayout(device->handle, layout->sets, NULL);
}

bool programBind(Device *device, const ProgramLayout *layout, const BufferRange *ranges, VkDescriptorSet *set,
                 EngineError *error) {
    bool made = descriptorSetAllocate(device, layout->pool, layout->sets, set, error);
    for (uint32_t i = 0; made && i < layout->bufferCount; i++) {
        descriptorWriteBuffer(device, *set, i, layout->type, ranges[i].buffer, ranges[i].size);
    }
    return made;
}

/* ---- Compute programs ---- */

static bool createComputePipeline(ComputeProgram *program, const char *shader, EngineError *error) {
    VkShaderModule module = createModule(program->device, shader, error);
    if (!module) {
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

/* Passes do not overlap: each waits for all commands before it. */
static void useImage(VkCommandBuffer commandBuffer, const Image *image, ImageUse from, ImageUse to) {
    const VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    memoryBarrier(commandBuffer, all, 0, all, 0);
    imageBarrier(commandBuffer, image->handle, from, to);
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
        useImage(commandBuffer, &program->images[i], IMAGE_UNUSED, IMAGE_COLOUR);
    }
    return commandBuffer && immediateEnd(program->device, commandBuffer, error);
}

static bool createPipelines(PointProgram *program, const PointProgramDef *def, const VkShaderModule modules[2],
                            EngineError *error) {
    const VkFormat formats[POINT_IMAGES] = {FORMAT, FORMAT, FORMAT};
    const VkSpecializationMapEntry entries[2] = {{0, 0, sizeof(uint32_t)}, {1, sizeof(uint32_t), sizeof(uint32_t)}};
    uint32_t constants[2] = {0, def->bones}; /* 1 for the probe, then the number of bones */
    const VkSpecializationInfo specialization = {2, entries, sizeof constants, constants};
    GraphicsPipelineDef pipeline = {.name = "timed points",
                                    .vertex = modules[0],
                                    .fragment = modules[1],
                                    .constants = &specialization,
                                    .input = def->input,
                                    .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                    .colourFormats = formats,
                                    .colourCount = POINT_IMAGES,
                                    .layout = program->layout.handle};
    if (!graphicsPipelineCreate(program->device, &pipeline, &program->timed, error)) {
        return false;
    }
    pipeline.name = "probed points";
    constants[0] = 1;
    return graphicsPipelineCreate(program->device, &pipeline, &program->probe, error);
}

static bool createShaders(PointProgram *program, const PointProgramDef *def, EngineError *error) {
    VkShaderModule modules[2] = {createModule(program->device, def->vertexShader, error)};
    modules[1] = modules[0] ? createModule(program->device, "drawn.frag", error) : VK_NULL_HANDLE;
    bool made = modules[1] && createPipelines(program, def, modules, error);
    vkDestroyShaderModule(program->device->handle, modules[0], NULL);
    vkDestroyShaderModule(program->device->handle, modules[1], NULL);
    return made;
}

static size_t pixelsOf(const PointProgram *program) {
    return (size_t)program->width * program->height;
}

bool pointProgramCompile(Device *device, const PointProgramDef *def, PointProgram *program, EngineError *error) {
    *program = (PointProgram){.device = device,
                              .width = WIDTH,
                              .height = (def->vertices + WIDTH - 1) / WIDTH,
                              .layout = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .bufferCount = POINT_BUFFERS}};
    return layoutCreate(device, VK_SHADER_STAGE_VERTEX_BIT, 2 * sizeof(uint32_t), def->sets, &program->layout, error) &&
           createShaders(program, def, error);
}

bool pointProgramCreate(DeviceClock *clock, const PointProgramDef *def, PointProgram *program, EngineError *error) {
    const VkDeviceSize imageBytes = 4 * sizeof(float);
    if (!pointProgramCompile(clock->device, def, program, error)) {
        return false;
    }
    program->clock = clock;
    program->vertices = engineAllocate(pixelsOf(program), POINT_FLOATS * sizeof(float), error);
    return program->vertices && createImages(program, error) &&
           bufferCreateReadback(program->device, pixelsOf(program) * POINT_IMAGES * imageBytes, "readback",
                                &program->readback, error);
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
    bufferDestroy(program->device, &program->readback);
    free(program->vertices);
    *program = (PointProgram){0};
}

#define NOTHING (-12345.0f) /* the clear value: no vertex was drawn here */

void pointProgramBegin(const PointProgram *program, VkCommandBuffer commandBuffer, bool probe) {
    VkRenderingAttachmentInfo attachments[POINT_IMAGES];
    for (uint32_t i = 0; i < POINT_IMAGES; i++) {
        useImage(commandBuffer, &program->images[i], IMAGE_COLOUR, IMAGE_COLOUR);
        attachments[i] =
            (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = program->images[i].view,
                                        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                        .loadOp = probe ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                        .clearValue = {.color = {.float32 = {NOTHING, NOTHING, NOTHING, NOTHING}}}};
    }
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {program->width, program->height}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = POINT_IMAGES,
                                 .pColorAttachments = attachments};
    uint32_t size[2] = {program->width, program->height};
    vkCmdBeginRendering(commandBuffer, &rendering);
    viewportSet(commandBuffer, program->width, program->height);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, probe ? program->probe : program->timed);
    vkCmdPushConstants(commandBuffer, program->layout.handle, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof size, size);
}

/* ---- Checking point programs ---- */

static void readImages(const PointProgram *program, VkCommandBuffer commandBuffer) {
    for (uint32_t i = 0; i < POINT_IMAGES; i++) {
        VkBufferImageCopy region = {.bufferOffset = i * pixelsOf(program) * 4 * sizeof(float),
                                    .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {program->width, program->height, 1}};
        const Image *image = &program->images[i];
        useImage(commandBuffer, image, IMAGE_COLOUR, IMAGE_COPY_SOURCE);
        vkCmdCopyImageToBuffer(commandBuffer, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                               program->readback.handle, 1, &region);
        useImage(commandBuffer, image, IMAGE_COPY_SOURCE, IMAGE_COLOUR);
    }
    copyToHostBarrier(commandBuffer);
}

/* Gathers each vertex from the images. Pixels without a vertex become poison. */
static void gatherVertices(const PointProgram *program) {
    const uint32_t poison = CROWD_POISON;
    const size_t pixels = pixelsOf(program);
    for (size_t v = 0; v < pixels; v++) {
        const float *position = (const float *)program->readback.mapped + 4 * v;
        const float *normal = position + 4 * pixels, *tangent = normal + 4 * pixels;
        float *vertex = &program->vertices[POINT_FLOATS * v];
        memcpy(vertex, position, 3 * sizeof(float));
        memcpy(vertex + 3, normal, 3 * sizeof(float));
        memcpy(vertex + 6, tangent, 4 * sizeof(float));
        for (int i = 0; i < POINT_FLOATS && position[3] == NOTHING; i++) {
            memcpy(&vertex[i], &poison, sizeof poison);
        }
    }
}

typedef struct PointCheck {
    PointProgram *program;
    PointDrawFn draw;
    void *user; /* passed to `draw` */
} PointCheck;

static const char *fetch(void *user, uint32_t instance, VkskinOutput *layout, EngineError *error) {
    const PointCheck *check = user;
    VkCommandBuffer commandBuffer = deviceClockBegin(check->program->clock, error);
    if (!commandBuffer) {
        return NULL;
    }
    pointProgramBegin(check->program, commandBuffer, true);
    check->draw(check->user, commandBuffer, instance);
    vkCmdEndRendering(commandBuffer);
    readImages(check->program, commandBuffer);
    if (!deviceClockEnd(check->program->clock, NULL, error)) {
        return NULL;
    }
    gatherVertices(check->program);
    const uint32_t stride = POINT_FLOATS * sizeof(float);
    *layout = (VkskinOutput){.attributeOffset = 3 * sizeof(float), .positionStride = stride, .attributeStride = stride};
    return (const char *)check->program->vertices;
}

bool pointProgramCheck(PointProgram *program, const CrowdScene *scene, VkskinVertexFormat precision, PointDrawFn draw,
                       void *user, EngineError *error) {
    PointCheck check = {program, draw, user};
    CrowdOutput output = {.format = VKSKIN_VERTEX_FLOAT, .precision = precision, .fetch = fetch, .user = &check};
    return crowdCheck(scene, &output, error);
}
