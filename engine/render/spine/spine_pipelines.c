#include "spine_pipelines.h"

#include "count_of.h"
#include "spine_list.h"

/* ---- Layouts ---- */

static bool createLayouts(Device *device, bool inPasses, SpinePipelines *pipelines, EngineError *error) {
    const VkDescriptorSetLayoutBinding frame[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
    };
    const VkDescriptorSetLayoutBinding vertices = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT,
                                                   NULL};
    const VkDescriptorSetLayoutBinding picture[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    };
    VkDescriptorSetLayout *layouts = pipelines->setLayouts;
    return setLayoutCreate(device, frame, inPasses ? 3 : 2, &layouts[RASTER_SET_SPINE_FRAME], error) &&
           setLayoutCreate(device, &vertices, 1, &layouts[RASTER_SET_SPINE_VERTICES], error) &&
           setLayoutCreate(device, picture, COUNT_OF(picture), &layouts[RASTER_SET_SPINE_PICTURE], error) &&
           pipelineLayoutCreate(device, layouts, RASTER_SET_SPINE_COUNT,
                                (VkPushConstantRange){DRAW_PUSH_STAGES, 0, sizeof(SpinePush)}, &pipelines->layout,
                                error);
}

/* ---- Pipelines ---- */

#define MIX(source, target, sourceAlpha, targetAlpha)                                                                  \
    {                                                                                                                  \
        .blendEnable = VK_TRUE, .srcColorBlendFactor = VK_BLEND_FACTOR_##source,                                       \
        .dstColorBlendFactor = VK_BLEND_FACTOR_##target, .srcAlphaBlendFactor = VK_BLEND_FACTOR_##sourceAlpha,         \
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_##targetAlpha, .colorWriteMask = 0xf                                    \
    }

/* Blending of premultiplied colours. Multiply keeps the target's alpha: where there is no colour, it gives none. */
static const VkPipelineColorBlendAttachmentState MIXES[SPINE_PIPELINE_COUNT] = {
    [SPINE_BLEND_NORMAL] = MIX(ONE, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA),
    [SPINE_BLEND_ADDITIVE] = MIX(ONE, ONE, ONE, ONE),
    [SPINE_BLEND_MULTIPLY] = MIX(DST_COLOR, ONE_MINUS_SRC_ALPHA, ZERO, ONE),
    [SPINE_BLEND_SCREEN] = MIX(ONE, ONE_MINUS_SRC_COLOR, ONE, ONE_MINUS_SRC_ALPHA),
    [SPINE_PIPELINE_CLIP] = {.colorWriteMask = 0},
    [SPINE_PIPELINE_WIREFRAME] = {.colorWriteMask = 0xf},
    [SPINE_PIPELINE_JOINTS] = {.colorWriteMask = 0xf},
};

static const VkVertexInputAttributeDescription jointAttributes[] = {
    {0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(SpineJointVertex, position)},
    {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(SpineJointVertex, corner)},
};
static const VkVertexInputBindingDescription jointBinding = {0, sizeof(SpineJointVertex), VK_VERTEX_INPUT_RATE_VERTEX};
static const VkPipelineVertexInputStateCreateInfo jointInput = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    .vertexBindingDescriptionCount = 1,
    .pVertexBindingDescriptions = &jointBinding,
    .vertexAttributeDescriptionCount = COUNT_OF(jointAttributes),
    .pVertexAttributeDescriptions = jointAttributes,
};

enum { SHADER_SLOTS, SHADER_PAGES, SHADER_JOINTS, SHADER_PLAIN, SHADER_COUNT };

static const char *const NAMES[SPINE_PIPELINE_COUNT] = {"2D model, normal", "2D model, additive", "2D model, multiply",
                                                        "2D model, screen", "2D model, clipping", "2D model, wireframe",
                                                        "2D model, joints"};

static bool createPipeline(Device *device, uint32_t index, VkFormat colourFormat, VkFormat stencilFormat,
                           const VkShaderModule shaders[SHADER_COUNT], SpinePipelines *pipelines, EngineError *error) {
    const bool clips = index == SPINE_PIPELINE_CLIP, joints = index == SPINE_PIPELINE_JOINTS;
    const bool lines = index == SPINE_PIPELINE_WIREFRAME;
    const GraphicsPipelineDef def = {
        .name = NAMES[index],
        .vertex = shaders[joints ? SHADER_JOINTS : SHADER_SLOTS],
        .fragment = shaders[joints || lines ? SHADER_PLAIN : SHADER_PAGES],
        .input = joints ? &jointInput : NULL,
        .topology = lines ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .samples = targetSamples(device),
        .colourFormats = &colourFormat,
        .colourCount = 1,
        .mix = &MIXES[index],
        .stencilFormat = stencilFormat,
        .stencilPass = clips ? VK_STENCIL_OP_INVERT : VK_STENCIL_OP_KEEP,
        .stencilCompare = clips ? VK_COMPARE_OP_ALWAYS : VK_COMPARE_OP_EQUAL,
        .layout = pipelines->layout,
    };
    return graphicsPipelineCreate(device, &def, &pipelines->pipelines[index], error);
}

bool spinePipelinesCreate(Device *device, bool inPasses, VkFormat colourFormat, VkFormat stencilFormat,
                          SpinePipelines *pipelines, EngineError *error) {
    const char *const names[SHADER_COUNT] = {inPasses ? "spine_uniform.vert" : "spine.vert", "spine.frag",
                                             "spine_joints.vert", "spine_plain.frag"};
    VkShaderModule shaders[SHADER_COUNT] = {VK_NULL_HANDLE};
    *pipelines = (SpinePipelines){0};
    bool good = createLayouts(device, inPasses, pipelines, error);
    for (uint32_t i = 0; i < SHADER_COUNT && good; i++) {
        shaders[i] = rasterModule(device, names[i], error);
        good = shaders[i] != VK_NULL_HANDLE;
    }
    for (uint32_t i = 0; i < SPINE_PIPELINE_COUNT && good; i++) {
        good = createPipeline(device, i, colourFormat, stencilFormat, shaders, pipelines, error);
    }
    for (uint32_t i = 0; i < SHADER_COUNT; i++) {
        vkDestroyShaderModule(device->handle, shaders[i], NULL);
    }
    return good;
}

void spinePipelinesDestroy(Device *device, SpinePipelines *pipelines) {
    for (uint32_t i = 0; i < SPINE_PIPELINE_COUNT; i++) {
        vkDestroyPipeline(device->handle, pipelines->pipelines[i], NULL);
    }
    vkDestroyPipelineLayout(device->handle, pipelines->layout, NULL);
    for (uint32_t i = 0; i < RASTER_SET_SPINE_COUNT; i++) {
        vkDestroyDescriptorSetLayout(device->handle, pipelines->setLayouts[i], NULL);
    }
    *pipelines = (SpinePipelines){0};
}
