#include "pipelines.h"

#include <stdlib.h>
#include <string.h>

/* Made by the build: each raster shader's words, and `table`. */
#include "raster_table.inc"

#define SPIRV_MAGIC 0x07230203u

typedef struct PipelineKind {
    const char *name;
    const char *vertex;
    const char *fragment; /* null: depth only, into the shadow map */
    bool texcoords;       /* a vertex buffer of float2 at location 0 */
    bool strip;
    VkCompareOp compare;
    bool writesDepth;
} PipelineKind;

#define VIEW_KIND(identifier, name, vertex, fragment, help)                                                            \
    [DRAW_PIPELINE_FIRST_VIEW + DRAW_VIEW_##                                                                           \
        identifier] = {name, vertex, fragment, true, false, VK_COMPARE_OP_GREATER, true},

static const PipelineKind kinds[DRAW_PIPELINE_COUNT] = {
    [DRAW_PIPELINE_SHADOW] = {"shadow", "crowd_shadow.vert", NULL, false, false, VK_COMPARE_OP_LESS, true},
    [DRAW_PIPELINE_GROUND] = {"ground", "ground.vert", "ground.frag", false, true, VK_COMPARE_OP_GREATER, true},
    [DRAW_PIPELINE_SKY] = {"sky", "sky.vert", "sky.frag", false, false, VK_COMPARE_OP_GREATER_OR_EQUAL, false},
    DRAW_VIEWS(VIEW_KIND)};

#define VIEW_NAME(identifier, name, vertex, fragment, help) [DRAW_VIEW_##identifier] = (name),
const char *const DRAW_VIEW_NAMES[DRAW_VIEW_COUNT + 1] = {DRAW_VIEWS(VIEW_NAME)};

#define VIEW_HELP(identifier, name, vertex, fragment, help) "; " name ", " help
const char DRAW_VIEW_HELP[] = DRAW_VIEWS(VIEW_HELP);

/* ---- Layouts ---- */

static bool createSetLayout(Device *device, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                            VkDescriptorSetLayout *layout, EngineError *error) {
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(device->handle, &info, NULL, layout);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreateDescriptorSetLayout", result);
}

static bool createLayouts(Device *device, DrawPipelines *pipelines, EngineError *error) {
    const VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT;
    const VkShaderStageFlags fragment = VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutBinding frame[] = {
        {RASTER_BINDING_FRAME, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, vertex | fragment, NULL},
        {RASTER_BINDING_INSTANCES, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, vertex, NULL},
        {RASTER_BINDING_SHADOW, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, fragment, NULL},
    };
    const VkDescriptorSetLayoutBinding page = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, vertex, NULL};
    const VkDescriptorSetLayoutBinding material = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, fragment, NULL};
    if (!createSetLayout(device, frame, 3, &pipelines->setLayouts[RASTER_SET_FRAME], error) ||
        !createSetLayout(device, &page, 1, &pipelines->setLayouts[RASTER_SET_PAGE], error) ||
        !createSetLayout(device, &material, 1, &pipelines->setLayouts[RASTER_SET_MATERIAL], error)) {
        return false;
    }
    VkPushConstantRange push = {fragment, 0, sizeof(RasterPart)};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = RASTER_SET_COUNT,
                                       .pSetLayouts = pipelines->setLayouts,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &push};
    VkResult result = vkCreatePipelineLayout(device->handle, &info, NULL, &pipelines->layout);
    return result == VK_SUCCESS || engineFailVulkan(error, "vkCreatePipelineLayout", result);
}

/* ---- Shaders ---- */

const RasterShader *rasterShaders(uint32_t *count) {
    *count = (uint32_t)(sizeof(table) / sizeof(table[0]));
    return table;
}

static bool findShader(const char *name, uint32_t *index) {
    uint32_t count;
    const RasterShader *shaders = rasterShaders(&count);
    for (*index = 0; *index < count && *index < DRAW_SHADERS_MAX; (*index)++) {
        if (strcmp(shaders[*index].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool createModule(Device *device, const DrawPipelines *pipelines, const char *name, VkShaderModule *module,
                         EngineError *error) {
    uint32_t count;
    uint32_t index;
    if (!findShader(name, &index)) {
        return engineFail(error, "there is no raster shader '%.100s'", name);
    }
    const RasterShader *shader = &rasterShaders(&count)[index];
    const DrawShaderOverride *override = &pipelines->overrides[index];
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = override->words ? override->byteCount : shader->byteCount,
                                     .pCode = override->words ? override->words : shader->words};
    VkResult result = vkCreateShaderModule(device->handle, &info, NULL, module);
    return result == VK_SUCCESS || engineFail(error, "%.100s: %s", name, engineVulkanResultName(result));
}

/* ---- Pipelines ---- */

static bool encodesSrgb(VkFormat format) {
    return format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB ||
           format == VK_FORMAT_A8B8G8R8_SRGB_PACK32;
}

static bool createFromModules(Device *device, const DrawPipelines *pipelines, const PipelineKind *kind,
                              const VkShaderModule modules[2], VkPipeline *pipeline, EngineError *error) {
    bool shadow = kind->fragment == NULL;
    uint32_t encode = encodesSrgb(pipelines->colourFormat) ? 0 : 1;
    VkSpecializationMapEntry entry = {RASTER_CONSTANT_ENCODE_SRGB, 0, sizeof(encode)};
    VkSpecializationInfo specialization = {1, &entry, sizeof(encode), &encode};
    VkPipelineShaderStageCreateInfo stages[2] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                  .module = modules[0],
                                                  .pName = "main"},
                                                 {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                  .module = modules[1],
                                                  .pName = "main",
                                                  .pSpecializationInfo = &specialization}};
    VkVertexInputBindingDescription binding = {0, 2 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                  .vertexBindingDescriptionCount = kind->texcoords ? 1 : 0,
                                                  .pVertexBindingDescriptions = &binding,
                                                  .vertexAttributeDescriptionCount = kind->texcoords ? 1 : 0,
                                                  .pVertexAttributeDescriptions = &attribute};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = kind->strip ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    /* No culling: files disagree about the winding, and clothes are thin. */
    VkPipelineRasterizationStateCreateInfo raster = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                     .polygonMode = VK_POLYGON_MODE_FILL,
                                                     .cullMode = VK_CULL_MODE_NONE,
                                                     .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
                                                     .depthBiasEnable = shadow,
                                                     .depthBiasSlopeFactor = 2.0f,
                                                     .lineWidth = 1.0f};
    VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = shadow ? VK_SAMPLE_COUNT_1_BIT : targetSamples(device)};
    VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                   .depthTestEnable = VK_TRUE,
                                                   .depthWriteEnable = kind->writesDepth,
                                                   .depthCompareOp = kind->compare};
    VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                 .attachmentCount = shadow ? 0 : 1,
                                                 .pAttachments = &attachment};
    const VkDynamicState dynamicStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                .dynamicStateCount = 2,
                                                .pDynamicStates = dynamicStates};
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = shadow ? 0 : 1,
                                               .pColorAttachmentFormats = &pipelines->colourFormat,
                                               .depthAttachmentFormat = shadow ? SHADOW_FORMAT : targetDepthFormat()};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = shadow ? 1 : 2,
                                         .pStages = stages,
                                         .pVertexInputState = &input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &viewport,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &multisample,
                                         .pDepthStencilState = &depth,
                                         .pColorBlendState = &blend,
                                         .pDynamicState = &dynamic,
                                         .layout = pipelines->layout};
    VkResult result = vkCreateGraphicsPipelines(device->handle, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
    if (result != VK_SUCCESS) {
        *pipeline = VK_NULL_HANDLE;
        return engineFail(error, "the pipeline '%s': %s", kind->name, engineVulkanResultName(result));
    }
    deviceName(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*pipeline, kind->name);
    return true;
}

static bool createPipeline(Device *device, const DrawPipelines *pipelines, const PipelineKind *kind,
                           VkPipeline *pipeline, EngineError *error) {
    VkShaderModule modules[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    bool made = createModule(device, pipelines, kind->vertex, &modules[0], error) &&
                (!kind->fragment || createModule(device, pipelines, kind->fragment, &modules[1], error)) &&
                createFromModules(device, pipelines, kind, modules, pipeline, error);
    vkDestroyShaderModule(device->handle, modules[0], NULL);
    vkDestroyShaderModule(device->handle, modules[1], NULL);
    return made;
}

static void destroyPipelines(Device *device, VkPipeline pipelines[DRAW_PIPELINE_COUNT]) {
    for (uint32_t i = 0; i < DRAW_PIPELINE_COUNT; i++) {
        vkDestroyPipeline(device->handle, pipelines[i], NULL);
        pipelines[i] = VK_NULL_HANDLE;
    }
}

/* Makes all of them from the current words and format; the old ones go only when that worked. */
static bool rebuild(Device *device, DrawPipelines *pipelines, EngineError *error) {
    VkPipeline made[DRAW_PIPELINE_COUNT] = {VK_NULL_HANDLE};
    for (uint32_t i = 0; i < DRAW_PIPELINE_COUNT; i++) {
        if (!createPipeline(device, pipelines, &kinds[i], &made[i], error)) {
            destroyPipelines(device, made);
            return false;
        }
    }
    destroyPipelines(device, pipelines->pipelines);
    memcpy(pipelines->pipelines, made, sizeof(made));
    return true;
}

bool drawPipelinesCreate(Device *device, VkFormat colourFormat, DrawPipelines *pipelines, EngineError *error) {
    memset(pipelines, 0, sizeof(*pipelines));
    pipelines->colourFormat = colourFormat;
    if (!createLayouts(device, pipelines, error) || !rebuild(device, pipelines, error)) {
        drawPipelinesDestroy(device, pipelines);
        return false;
    }
    return true;
}

void drawPipelinesDestroy(Device *device, DrawPipelines *pipelines) {
    destroyPipelines(device, pipelines->pipelines);
    vkDestroyPipelineLayout(device->handle, pipelines->layout, NULL);
    for (uint32_t i = 0; i < RASTER_SET_COUNT; i++) {
        vkDestroyDescriptorSetLayout(device->handle, pipelines->setLayouts[i], NULL);
    }
    for (uint32_t i = 0; i < DRAW_SHADERS_MAX; i++) {
        free(pipelines->overrides[i].words);
    }
    memset(pipelines, 0, sizeof(*pipelines));
}

bool drawPipelinesReplaceShader(Device *device, DrawPipelines *pipelines, const char *name, const uint32_t *words,
                                size_t byteCount, EngineError *error) {
    uint32_t index;
    if (!findShader(name, &index)) {
        return engineFail(error, "there is no raster shader '%.100s'", name);
    }
    if (byteCount < 5 * sizeof(uint32_t) || byteCount % sizeof(uint32_t) != 0 || words[0] != SPIRV_MAGIC) {
        return engineFail(error, "%.100s: these words are no SPIR-V", name);
    }
    uint32_t *copy = malloc(byteCount);
    if (!copy) {
        return engineFail(error, "out of memory");
    }
    memcpy(copy, words, byteCount);
    DrawShaderOverride old = pipelines->overrides[index];
    pipelines->overrides[index] = (DrawShaderOverride){copy, byteCount};
    bool replaced = deviceWait(device, error) && rebuild(device, pipelines, error);
    if (!replaced) {
        pipelines->overrides[index] = old;
    }
    free(replaced ? old.words : copy);
    return replaced;
}

bool drawPipelinesSetFormat(Device *device, DrawPipelines *pipelines, VkFormat colourFormat, EngineError *error) {
    VkFormat old = pipelines->colourFormat;
    if (old == colourFormat) {
        return true;
    }
    pipelines->colourFormat = colourFormat;
    if (!deviceWait(device, error) || !rebuild(device, pipelines, error)) {
        pipelines->colourFormat = old;
        return false;
    }
    return true;
}
