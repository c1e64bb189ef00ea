#include "pipelines.h"

#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "draw_motion.h"

/* Made by the build: each raster shader's words, and `table`. */
#include "raster_table.inc"

#define SPIRV_MAGIC 0x07230203u

/* The vertex buffers that a pipeline reads. */
typedef enum Streams { NO_STREAMS, TEXCOORDS, TEXCOORDS_AND_COLOURS, OVERLAY } Streams;

typedef struct PipelineKind {
    const char *name;
    const char *vertex;
    const char *fragment; /* null: depth only */
    Streams streams;
    VkPrimitiveTopology topology; /* the zero one, points: triangles */
    bool edges;                   /* draws edges of the triangles */
    VkCompareOp compare;          /* VK_COMPARE_OP_LESS: into the shadow map */
    bool writesDepth;
    ModelAlpha alpha;
    bool choosesSides; /* and belongs to `look` */
    SkinnedLook look;
} PipelineKind;

#define LIT(part, shader, buffers, ...)                                                                                \
    [DRAW_PIPELINE_LIT + SKINNED_LOOK_##part] = {.name = "lit " #part,                                                 \
                                                 .vertex = shader ".vert",                                             \
                                                 .fragment = shader ".frag",                                           \
                                                 .streams = buffers,                                                   \
                                                 .compare = VK_COMPARE_OP_GREATER,                                     \
                                                 .choosesSides = true,                                                 \
                                                 .look = SKINNED_LOOK_##part,                                          \
                                                 __VA_ARGS__}

static const PipelineKind kinds[DRAW_PIPELINE_COUNT] = {
    [DRAW_PIPELINE_SHADOW] = {.name = "shadow",
                              .vertex = "crowd_shadow.vert",
                              .compare = VK_COMPARE_OP_LESS,
                              .writesDepth = true},
    [DRAW_PIPELINE_SHADOW_MASKED] = {.name = "masked shadow",
                                     .vertex = "crowd_shadow_masked.vert",
                                     .fragment = "crowd_shadow_masked.frag",
                                     .streams = TEXCOORDS_AND_COLOURS,
                                     .compare = VK_COMPARE_OP_LESS,
                                     .writesDepth = true},
    [DRAW_PIPELINE_GROUND] = {.name = "ground",
                              .vertex = "ground.vert",
                              .fragment = "ground.frag",
                              .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                              .compare = VK_COMPARE_OP_GREATER,
                              .writesDepth = true},
    [DRAW_PIPELINE_SKY] = {.name = "sky",
                           .vertex = "sky.vert",
                           .fragment = "sky.frag",
                           .compare = VK_COMPARE_OP_GREATER_OR_EQUAL},
    LIT(PLAIN, "crowd", TEXCOORDS, .writesDepth = true),
    LIT(DETAILED, "crowd_detailed", TEXCOORDS_AND_COLOURS, .writesDepth = true),
    LIT(MASKED, "crowd_detailed", TEXCOORDS_AND_COLOURS, .writesDepth = true, .alpha = MODEL_ALPHA_MASK),
    LIT(BLENDED, "crowd_detailed", TEXCOORDS_AND_COLOURS, .alpha = MODEL_ALPHA_BLEND),
    [DRAW_PIPELINE_PAINT] = {.name = "paint",
                             .vertex = "crowd_detailed.vert",
                             .fragment = "paint.frag",
                             .streams = TEXCOORDS_AND_COLOURS,
                             .compare = VK_COMPARE_OP_GREATER,
                             .writesDepth = true,
                             .choosesSides = true},
    [DRAW_PIPELINE_WIREFRAME] = {.name = "wireframe",
                                 .vertex = "crowd.vert",
                                 .fragment = "overlay.frag",
                                 .streams = TEXCOORDS,
                                 .edges = true,
                                 .compare = VK_COMPARE_OP_GREATER,
                                 .choosesSides = true},
    [DRAW_PIPELINE_NORMALS] = {.name = "normals",
                               .vertex = "crowd.vert",
                               .fragment = "overlay.frag",
                               .streams = TEXCOORDS,
                               .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                               .compare = VK_COMPARE_OP_GREATER,
                               .choosesSides = true},
    [DRAW_PIPELINE_LINES] = {.name = "lines",
                             .vertex = "lines.vert",
                             .fragment = "overlay.frag",
                             .streams = OVERLAY,
                             .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                             .compare = VK_COMPARE_OP_GREATER},
    [DRAW_PIPELINE_MOTION] = {.name = "motion vectors",
                              .vertex = "motion.vert",
                              .fragment = "motion.frag",
                              .streams = TEXCOORDS_AND_COLOURS,
                              .compare = VK_COMPARE_OP_GREATER,
                              .writesDepth = true,
                              .choosesSides = true},
    [DRAW_PIPELINE_MOTION_VIEW] = {.name = "view of motion vectors",
                                   .vertex = "sky.vert",
                                   .fragment = "motion_view.frag",
                                   .compare = VK_COMPARE_OP_ALWAYS},
};

/* Blended parts of a system that does not sort its characters. */
static const PipelineKind dithered = {.name = "lit DITHERED",
                                      .vertex = "crowd_detailed.vert",
                                      .fragment = "crowd_dithered.frag",
                                      .streams = TEXCOORDS_AND_COLOURS,
                                      .compare = VK_COMPARE_OP_GREATER,
                                      .writesDepth = true,
                                      .choosesSides = true,
                                      .look = SKINNED_LOOK_BLENDED};

static const PipelineKind *kindOf(const DrawPipelines *pipelines, uint32_t index) {
    const bool dithers = kinds[index].alpha == MODEL_ALPHA_BLEND && pipelines->system->draws;
    return dithers ? &dithered : &kinds[index];
}

/* ---- Layouts ---- */

static bool createLayouts(Device *device, DrawPipelines *pipelines, EngineError *error) {
    const VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT;
    const VkShaderStageFlags fragment = VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutBinding frame[] = {
        {RASTER_BINDING_FRAME, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, vertex | fragment, NULL},
        {RASTER_BINDING_INSTANCES, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, vertex, NULL},
        {RASTER_BINDING_SHADOW, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, fragment, NULL},
    };
    VkDescriptorSetLayoutBinding material[MODEL_MAP_COUNT];
    for (uint32_t map = 0; map < MODEL_MAP_COUNT; map++) {
        material[map] =
            (VkDescriptorSetLayoutBinding){map, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, fragment, NULL};
    }
    const VkPushConstantRange push = {DRAW_PUSH_STAGES, 0, RASTER_DRAW_OFFSET + sizeof(RasterDraw)};
    return setLayoutCreate(device, frame, 3, &pipelines->setLayouts[RASTER_SET_FRAME], error) &&
           setLayoutCreate(device, pipelines->system->bindings, pipelines->system->bindingCount,
                           &pipelines->setLayouts[RASTER_SET_PAGE], error) &&
           setLayoutCreate(device, material, MODEL_MAP_COUNT, &pipelines->setLayouts[RASTER_SET_MATERIAL], error) &&
           pipelineLayoutCreate(device, pipelines->setLayouts, RASTER_SET_COUNT, push, &pipelines->layout, error);
}

/* ---- Shaders ---- */

const ShaderCode *rasterShaders(uint32_t *count) {
    *count = (uint32_t)(COUNT_OF(table));
    return table;
}

_Static_assert(COUNT_OF(table) <= DRAW_SHADERS_MAX, "every shader has a place in DrawPipelines");

bool rasterFindShader(const char *name, uint32_t *index, EngineError *error) {
    uint32_t count;
    const ShaderCode *shaders = rasterShaders(&count);
    for (*index = 0; *index < count; (*index)++) {
        if (strcmp(shaders[*index].name, name) == 0) {
            return true;
        }
    }
    return engineFail(error, "there is no raster shader '%.100s'", name);
}

VkShaderModule rasterModule(Device *device, const char *name, EngineError *error) {
    uint32_t index;
    return rasterFindShader(name, &index, error) ? shaderCreate(device, &table[index], error) : VK_NULL_HANDLE;
}

/* Null on failure. */
static VkShaderModule createModule(Device *device, const DrawPipelines *pipelines, const char *name,
                                   EngineError *error) {
    uint32_t index;
    return rasterFindShader(name, &index, error) ? shaderCreate(device, &pipelines->shaders[index], error)
                                                 : VK_NULL_HANDLE;
}

/* ---- Pipelines ---- */

bool formatEncodesSrgb(VkFormat format) {
    return format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB ||
           format == VK_FORMAT_A8B8G8R8_SRGB_PACK32;
}

/* Whether it draws the crowd; a system may then have a vertex shader of its own. */
static bool drawsCrowd(const PipelineKind *kind) {
    return kind->choosesSides || kind->compare == VK_COMPARE_OP_LESS;
}

static const char *vertexShader(const DrawPipelines *pipelines, const PipelineKind *kind) {
    return drawsCrowd(kind) && pipelines->system->shader ? pipelines->system->shader : kind->vertex;
}

static void setConstants(const DrawPipelines *pipelines, const PipelineKind *kind, uint32_t variant,
                         uint32_t values[RASTER_CONSTANT_COUNT]) {
    const SystemConstants *system = &pipelines->needs.constants;
    values[RASTER_CONSTANT_ENCODE_SRGB] = formatEncodesSrgb(pipelines->colourFormat) ? 0 : 1;
    values[RASTER_CONSTANT_ALPHA] = kind->alpha;
    values[RASTER_CONSTANT_PASS] = kind == &kinds[DRAW_PIPELINE_NORMALS]    ? RASTER_PASS_NORMALS
                                   : kind == &kinds[DRAW_PIPELINE_MOTION]   ? RASTER_PASS_MOTION
                                   : kind->compare == VK_COMPARE_OP_LESS    ? RASTER_PASS_SHADOW
                                   : kind->streams == TEXCOORDS_AND_COLOURS ? RASTER_PASS_DETAILED
                                                                            : RASTER_PASS_COLOUR;
    values[RASTER_CONSTANT_INFLUENCES] = variant + 1;
    values[RASTER_CONSTANT_ENCODING] = system->encoding;
    values[RASTER_CONSTANT_EXACT_NORMALS] = system->exactNormals;
    values[RASTER_CONSTANT_PAIR] = system->pair;
    values[RASTER_CONSTANT_BONES] = system->bones;
}

#define STREAM_COUNT      3 /* vertex buffers: texture coordinates, colours, source vertices */
#define ATTRIBUTE_COUNT   7
#define PULLED_ATTRIBUTES 2 /* texture coordinates and colours */

/*
 * The vertex buffers of a kind. The shader of a system declares all attributes for all passes; those that a pass does not
 * use come from the source vertex, or from the texture coordinates if the shader pulls vertices, with any content.
 */
static VkPipelineVertexInputStateCreateInfo
describeInput(const DrawPipelines *pipelines, const PipelineKind *kind,
              VkVertexInputBindingDescription bindings[STREAM_COUNT],
              VkVertexInputAttributeDescription attributes[ATTRIBUTE_COUNT]) {
    static const VkVertexInputBindingDescription overlay = {0, sizeof(OverlayVertex), VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription corners[] = {
        {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(OverlayVertex, position)},
        {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(OverlayVertex, corner)}};
    if (kind->streams == OVERLAY) {
        return (VkPipelineVertexInputStateCreateInfo){.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                      .vertexBindingDescriptionCount = 1,
                                                      .pVertexBindingDescriptions = &overlay,
                                                      .vertexAttributeDescriptionCount = COUNT_OF(corners),
                                                      .pVertexAttributeDescriptions = corners};
    }
    const bool own = vertexShader(pipelines, kind) != kind->vertex;
    const bool pulls = own && pipelines->system->pulls;
    const bool skins = own && !pulls;
    const uint32_t streams = pulls && kind->streams < TEXCOORDS ? TEXCOORDS : kind->streams;
    const uint32_t texcoords = streams >= TEXCOORDS ? 0 : 2, colours = streams > TEXCOORDS ? 1 : pulls ? 0 : 2;
    const VkVertexInputBindingDescription allBindings[STREAM_COUNT] = {
        /* Lines of normals have more indices than the mesh has vertices: all read the first one. */
        {0, kind == &kinds[DRAW_PIPELINE_NORMALS] ? 0 : 2 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX},
        {1, 4 * sizeof(uint16_t), VK_VERTEX_INPUT_RATE_VERTEX},
    };
    const VkVertexInputBindingDescription source = {2, sizeof(SourceVertex), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription allAttributes[ATTRIBUTE_COUNT] = {
        {0, texcoords, VK_FORMAT_R32G32_SFLOAT, 0},
        {1, colours, VK_FORMAT_R16G16B16A16_UNORM, 0},
        {RASTER_LOCATION_POSITION, 2, VK_FORMAT_R32G32B32_SFLOAT, offsetof(SourceVertex, position)},
        {RASTER_LOCATION_NORMAL, 2, VK_FORMAT_R32G32B32_SFLOAT, offsetof(SourceVertex, normal)},
        {RASTER_LOCATION_TANGENT, 2, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(SourceVertex, tangent)},
        {RASTER_LOCATION_JOINTS, 2, pipelines->system->joints, offsetof(SourceVertex, joints)},
        {RASTER_LOCATION_WEIGHTS, 2, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(SourceVertex, weights)},
    };
    memcpy(bindings, allBindings, sizeof(allBindings));
    bindings[streams] = source;
    memcpy(attributes, allAttributes, sizeof(allAttributes));
    return (VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                  .vertexBindingDescriptionCount = streams + (skins ? 1 : 0),
                                                  .pVertexBindingDescriptions = bindings,
                                                  .vertexAttributeDescriptionCount = skins   ? ATTRIBUTE_COUNT
                                                                                     : pulls ? PULLED_ATTRIBUTES
                                                                                             : streams,
                                                  .pVertexAttributeDescriptions = attributes};
}

static bool createFromModules(Device *device, const DrawPipelines *pipelines, const PipelineKind *kind,
                              uint32_t variant, const VkShaderModule modules[2], VkPipeline *pipeline,
                              EngineError *error) {
    static const VkFormat motionFormat = DRAW_MOTION_FORMAT;
    const bool shadow = kind->compare == VK_COMPARE_OP_LESS;
    const bool motion = kind == &kinds[DRAW_PIPELINE_MOTION];
    uint32_t values[RASTER_CONSTANT_COUNT];
    VkSpecializationMapEntry entries[RASTER_CONSTANT_COUNT];
    VkVertexInputBindingDescription bindings[STREAM_COUNT];
    VkVertexInputAttributeDescription attributes[ATTRIBUTE_COUNT];
    const VkPipelineVertexInputStateCreateInfo input = describeInput(pipelines, kind, bindings, attributes);
    const VkSpecializationInfo constants = {RASTER_CONSTANT_COUNT, entries, sizeof(values), values};
    setConstants(pipelines, kind, variant, values);
    values[RASTER_CONSTANT_SAMPLES] = targetSamples(device);
    for (uint32_t i = 0; i < RASTER_CONSTANT_COUNT; i++) {
        entries[i] = (VkSpecializationMapEntry){i, i * (uint32_t)sizeof(*values), sizeof(*values)};
    }
    const GraphicsPipelineDef def = {
        .name = kind->name,
        .vertex = modules[0],
        .fragment = modules[1],
        .constants = &constants,
        .input = &input,
        .topology = kind->topology ? kind->topology : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .edges = kind->edges,
        .samples = shadow || motion ? VK_SAMPLE_COUNT_1_BIT : targetSamples(device),
        .colourFormats = motion ? &motionFormat : &pipelines->colourFormat,
        .colourCount = shadow ? 0 : 1,
        .depthFormat = DEPTH_FORMAT,
        .depthCompare = kind->compare,
        .writesDepth = kind->writesDepth,
        .slopeBias = shadow ? 2.0f : 0.0f,
        .blends = kind->alpha == MODEL_ALPHA_BLEND,
        .choosesSides = kind->choosesSides,
        .layout = pipelines->layout,
    };
    return graphicsPipelineCreate(device, &def, pipeline, error);
}

/* Pipelines that no part of the crowd needs are not made: a driver may take long for each. */
static bool isNeeded(const DrawPipelines *pipelines, uint32_t index, uint32_t variant) {
    const uint32_t cutOut = 1u << SKINNED_LOOK_MASKED | 1u << SKINNED_LOOK_BLENDED;
    const uint32_t looks = pipelines->needs.looks;
    if (index >= DRAW_PIPELINE_PAINT && (pipelines->views & 1u << index) == 0) {
        return false;
    }
    if ((drawsCrowd(&kinds[index]) ? pipelines->needs.variants & 1u << variant : variant == 0) == 0) {
        return false;
    }
    if (index == DRAW_PIPELINE_SHADOW_MASKED) {
        return (looks & cutOut) != 0;
    }
    return index >= DRAW_PIPELINE_PAINT || !kinds[index].choosesSides || (looks & 1u << kinds[index].look) != 0;
}

static bool createPipeline(Device *device, const DrawPipelines *pipelines, const PipelineKind *kind, uint32_t variant,
                           VkPipeline *pipeline, EngineError *error) {
    VkShaderModule modules[2] = {createModule(device, pipelines, vertexShader(pipelines, kind), error)};
    if (modules[0] && kind->fragment) {
        modules[1] = createModule(device, pipelines, kind->fragment, error);
    }
    bool made = modules[0] && (modules[1] || !kind->fragment) &&
                createFromModules(device, pipelines, kind, variant, modules, pipeline, error);
    vkDestroyShaderModule(device->handle, modules[0], NULL);
    vkDestroyShaderModule(device->handle, modules[1], NULL);
    return made;
}

static void destroyPipelines(Device *device, VkPipeline pipelines[DRAW_PIPELINE_COUNT][SYSTEM_VARIANTS]) {
    for (uint32_t i = 0; i < DRAW_PIPELINE_COUNT * SYSTEM_VARIANTS; i++) {
        VkPipeline *pipeline = &pipelines[i / SYSTEM_VARIANTS][i % SYSTEM_VARIANTS];
        vkDestroyPipeline(device->handle, *pipeline, NULL);
        *pipeline = VK_NULL_HANDLE;
    }
}

/* Makes those that are needed and null. */
static bool createMissing(Device *device, const DrawPipelines *pipelines,
                          VkPipeline made[DRAW_PIPELINE_COUNT][SYSTEM_VARIANTS], EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < DRAW_PIPELINE_COUNT * SYSTEM_VARIANTS && good; i++) {
        const uint32_t index = i / SYSTEM_VARIANTS, variant = i % SYSTEM_VARIANTS;
        good = made[index][variant] || !isNeeded(pipelines, index, variant) ||
               createPipeline(device, pipelines, kindOf(pipelines, index), variant, &made[index][variant], error);
    }
    return good;
}

/* Makes all of them from the current words and format; the old ones go only when that worked. */
static bool rebuild(Device *device, DrawPipelines *pipelines, EngineError *error) {
    VkPipeline made[DRAW_PIPELINE_COUNT][SYSTEM_VARIANTS] = {{VK_NULL_HANDLE}};
    if (!createMissing(device, pipelines, made, error)) {
        destroyPipelines(device, made);
        return false;
    }
    destroyPipelines(device, pipelines->pipelines);
    memcpy(pipelines->pipelines, made, sizeof(made));
    return true;
}

bool drawPipelinesCreate(Device *device, VkFormat colourFormat, const SystemType *system, DrawPipelines *pipelines,
                         EngineError *error) {
    memset(pipelines, 0, sizeof(*pipelines));
    pipelines->system = system;
    pipelines->colourFormat = colourFormat;
    memcpy(pipelines->shaders, table, sizeof(table));
    if (!createLayouts(device, pipelines, error)) {
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
        free(pipelines->replaced[i]);
    }
    memset(pipelines, 0, sizeof(*pipelines));
}

bool drawPipelinesReplaceShader(Device *device, DrawPipelines *pipelines, const char *name, const uint32_t *words,
                                size_t byteCount, EngineError *error) {
    uint32_t index;
    if (!rasterFindShader(name, &index, error)) {
        return false;
    }
    if (byteCount < 5 * sizeof(uint32_t) || byteCount % sizeof(uint32_t) != 0 || words[0] != SPIRV_MAGIC) {
        return engineFail(error, "%.100s: these words are no SPIR-V", name);
    }
    uint32_t *copy = engineAllocate(1, byteCount, error);
    if (!copy) {
        return false;
    }
    memcpy(copy, words, byteCount);
    const ShaderCode old = pipelines->shaders[index];
    pipelines->shaders[index].words = copy;
    pipelines->shaders[index].byteCount = byteCount;
    if (!deviceWait(device, error) || !rebuild(device, pipelines, error)) {
        pipelines->shaders[index] = old;
        free(copy);
        return false;
    }
    free(pipelines->replaced[index]);
    pipelines->replaced[index] = copy;
    return true;
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

bool drawPipelinesSetNeeds(Device *device, DrawPipelines *pipelines, const DrawNeeds *needs, EngineError *error) {
    const DrawNeeds old = pipelines->needs;
    if (memcmp(&old, needs, sizeof(old)) == 0) { /* words only: no padding */
        return true;
    }
    pipelines->needs = *needs;
    if (!deviceWait(device, error) || !rebuild(device, pipelines, error)) {
        pipelines->needs = old;
        return false;
    }
    return true;
}

bool drawPipelinesUse(Device *device, DrawPipelines *pipelines, DrawPipeline view, EngineError *error) {
    const uint32_t old = pipelines->views;
    pipelines->views |= 1u << view;
    if (pipelines->views == old || createMissing(device, pipelines, pipelines->pipelines, error)) {
        return true;
    }
    pipelines->views = old;
    return false;
}

uint32_t drawPipelinesCount(const DrawPipelines *pipelines) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < DRAW_PIPELINE_COUNT * SYSTEM_VARIANTS; i++) {
        const uint32_t index = i / SYSTEM_VARIANTS;
        count += drawsCrowd(&kinds[index]) && pipelines->pipelines[index][i % SYSTEM_VARIANTS] ? 1 : 0;
    }
    return count;
}
