#include "figure_draw.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "figure_list.h"
#include "figure_source.h"
#include "pipelines.h"

/* One for each blend mode, one that clips, and those of the debug views. */
enum { PIPELINE_CLIP = FIGURE_BLEND_COUNT, PIPELINE_WIREFRAME, PIPELINE_JOINTS, PIPELINE_COUNT };
enum { SET_SLOTS, SET_PAGE, SET_COUNT };

typedef struct Push {
    float scale[2], offset[2];
    float colour[4]; /* of a debug view */
    float pixel;     /* a pixel's side in the figure's space */
} Push;

static const float WIREFRAME_COLOUR[4] = {0.05f, 0.10f, 0.30f, 1.0f};
static const float LINE_COLOUR[4] = {0.95f, 0.55f, 0.10f, 1.0f};
static const float MARK_COLOUR[4] = {0.80f, 0.10f, 0.10f, 1.0f};

/* What the host writes in a frame. */
typedef struct FigureFrameData {
    Buffer indices, colours;
    Buffer sources, bones; /* of SKIN_SYSTEM_UNIFORM_2D */
    Buffer edges, joints;  /* of the debug views */
    VkDescriptorSet set;
} FigureFrameData;

struct FigureDraw {
    Device *device;
    Skinning *skinning;
    bool inPasses; /* the vertex shader skins */
    const Model *model;
    const Figure *figure;
    FigureMesh mesh;
    VkskinMesh skinMesh;
    VkskinInstance instance;
    float *weights;  /* [morphCount of the mesh] */
    FigureList list; /* of this frame */
    uint32_t slot;   /* of this frame */
    uint32_t shows, edgeCount;
    FigureJointCounts joints;
    Buffer vertices; /* FigureVertex */
    FigureFrameData frames[FRAMES_IN_FLIGHT];
    Image *pages;          /* [pageCount + 1]; the last one is white */
    VkSampler *samplers;   /* [pageCount + 1] */
    VkDescriptorSet *sets; /* [pageCount + 1] */
    Image stencil;
    VkDescriptorSetLayout setLayouts[SET_COUNT];
    VkDescriptorPool pool;
    VkPipelineLayout layout;
    VkPipeline pipelines[PIPELINE_COUNT];
};

static bool check(FigureDraw *draw, VkskinResult result, const char *what, EngineError *error) {
    return result >= 0 || skinningFail(draw->skinning, error, what, result);
}

/* ---- The library's mesh ---- */

static bool createMesh(FigureDraw *draw, EngineError *error) {
    if (!figureMeshCreate(draw->figure, &draw->mesh, error)) {
        return false;
    }
    const VkskinMeshDef def = figureMeshDef(&draw->mesh);
    VkskinContext context = draw->skinning->context;
    draw->weights = engineAllocate(draw->mesh.morphCount, sizeof *draw->weights, error);
    draw->list.batches = engineAllocate(figureListBatchMax(&draw->mesh), sizeof *draw->list.batches, error);
    if (!draw->weights || !draw->list.batches || (draw->inPasses && !figureSourceCheck(&draw->mesh, error))) {
        return false;
    }
    if (!draw->inPasses && (!check(draw, vkskinCreateMesh(context, &def, &draw->skinMesh), "making the mesh", error) ||
                            !skinningMakeKernels(draw->skinning, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3,
                                                 &draw->skinMesh, error) ||
                            !check(draw, vkskinCreateInstances(context, draw->skinMesh, 1, &draw->instance),
                                   "making the instance", error))) {
        return false;
    }
    return bufferCreateFilled(draw->device, draw->mesh.vertices, draw->mesh.vertexCount * sizeof(FigureVertex),
                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "figure vertices", &draw->vertices, error);
}

/* ---- Pages ---- */

/* Filtering and mixing need colours times alpha. */
static uint8_t *newPremultiplied(const ModelTexture *texture, EngineError *error) {
    const size_t count = (size_t)texture->width * texture->height;
    uint8_t *pixels = engineAllocate(count, 4, error);
    for (size_t i = 0; i < count && pixels; i++) {
        const unsigned alpha = texture->pixels[4 * i + 3];
        for (size_t c = 0; c < 3; c++) {
            pixels[4 * i + c] = (uint8_t)((texture->pixels[4 * i + c] * alpha + 127u) / 255u);
        }
        pixels[4 * i + 3] = (uint8_t)alpha;
    }
    return pixels;
}

static bool createPage(FigureDraw *draw, const FigurePage *page, Image *image, EngineError *error) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    if (!page || page->texture < 0) {
        return imageCreateTexture(draw->device, white, 1, 1, false, "no page", image, error);
    }
    const ModelTexture *texture = &draw->model->textures[page->texture];
    uint8_t *own = page->premultiplied ? NULL : newPremultiplied(texture, error);
    const bool made =
        (own || page->premultiplied) && imageCreateTexture(draw->device, own ? own : texture->pixels, texture->width,
                                                           texture->height, false, page->name, image, error);
    free(own);
    return made;
}

static bool createSampler(FigureDraw *draw, const FigurePage *page, VkSampler *sampler, EngineError *error) {
    const bool nearest = page && page->nearest;
    const uint32_t repeats = page ? page->repeats : 0;
    static const VkSamplerAddressMode modes[] = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_REPEAT};
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
        .minFilter = nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
        .mipmapMode = nearest ? VK_SAMPLER_MIPMAP_MODE_NEAREST : VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = modes[repeats & 1u],
        .addressModeV = modes[repeats >> 1 & 1u],
        .maxLod = nearest ? 0.0f : VK_LOD_CLAMP_NONE,
    };
    return engineVulkan(error, "vkCreateSampler", vkCreateSampler(draw->device->handle, &info, NULL, sampler));
}

static bool createPages(FigureDraw *draw, EngineError *error) {
    const uint32_t count = draw->figure->pageCount + 1;
    draw->pages = engineAllocate(count, sizeof *draw->pages, error);
    draw->samplers = engineAllocate(count, sizeof *draw->samplers, error);
    draw->sets = engineAllocate(count, sizeof *draw->sets, error);
    bool good = draw->pages && draw->samplers && draw->sets;
    for (uint32_t i = 0; i < count && good; i++) {
        const FigurePage *page = i + 1 < count ? &draw->figure->pages[i] : NULL;
        good = createPage(draw, page, &draw->pages[i], error) && createSampler(draw, page, &draw->samplers[i], error) &&
               descriptorSetAllocate(draw->device, draw->pool, draw->setLayouts[SET_PAGE], &draw->sets[i], error);
        if (good) {
            descriptorWriteImage(draw->device, draw->sets[i], 0, draw->samplers[i], draw->pages[i].view);
        }
    }
    return good;
}

/* ---- Bindings ---- */

static bool createLayouts(FigureDraw *draw, EngineError *error) {
    const VkDescriptorSetLayoutBinding slots[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
    };
    const VkDescriptorSetLayoutBinding page = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                               VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const uint32_t pages = draw->figure->pageCount + 1;
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, FRAMES_IN_FLIGHT},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, FRAMES_IN_FLIGHT},
                                          {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, pages}};
    return setLayoutCreate(draw->device, slots, 2, &draw->setLayouts[SET_SLOTS], error) &&
           setLayoutCreate(draw->device, &page, 1, &draw->setLayouts[SET_PAGE], error) &&
           pipelineLayoutCreate(draw->device, draw->setLayouts, SET_COUNT,
                                (VkPushConstantRange){DRAW_PUSH_STAGES, 0, sizeof(Push)}, &draw->layout, error) &&
           descriptorPoolCreate(draw->device, sizes, 3, pages + FRAMES_IN_FLIGHT, &draw->pool, error);
}

static bool createSources(FigureDraw *draw, FigureFrameData *frame, EngineError *error) {
    const VkDeviceSize sources = (VkDeviceSize)draw->mesh.vertexCount * sizeof(FigureSourceVertex);
    const VkDeviceSize bones = (VkDeviceSize)RASTER_FIGURE_BONES * 6 * sizeof(float);
    if (!bufferCreate(draw->device, sources, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, BUFFER_UPLOAD, "figure sources",
                      &frame->sources, error) ||
        !bufferCreate(draw->device, bones, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, BUFFER_UPLOAD, "figure bones",
                      &frame->bones, error)) {
        return false;
    }
    descriptorWriteBuffer(draw->device, frame->set, 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, frame->bones.handle, bones);
    return true;
}

static bool createFrame(FigureDraw *draw, FigureFrameData *frame, EngineError *error) {
    const VkDeviceSize indices = (VkDeviceSize)figureListIndexMax(&draw->mesh) * sizeof(uint32_t);
    const VkDeviceSize colours = ((VkDeviceSize)draw->figure->slotCount + 1) * 8 * sizeof(float);
    const VkDeviceSize edges = ((VkDeviceSize)figureListEdgeMax(&draw->mesh) + 1) * sizeof(uint32_t);
    const VkDeviceSize joints =
        2 * (VkDeviceSize)draw->figure->boneCount * FIGURE_JOINT_CORNERS * sizeof(FigureJointVertex);
    if (!bufferCreate(draw->device, indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, BUFFER_UPLOAD, "figure indices",
                      &frame->indices, error) ||
        !bufferCreate(draw->device, colours, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, BUFFER_UPLOAD, "figure colours",
                      &frame->colours, error) ||
        !bufferCreate(draw->device, edges, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, BUFFER_UPLOAD, "figure edges",
                      &frame->edges, error) ||
        !bufferCreate(draw->device, joints, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, BUFFER_UPLOAD, "figure joints",
                      &frame->joints, error) ||
        !descriptorSetAllocate(draw->device, draw->pool, draw->setLayouts[SET_SLOTS], &frame->set, error)) {
        return false;
    }
    descriptorWriteBuffer(draw->device, frame->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, frame->colours.handle,
                          VK_WHOLE_SIZE);
    return !draw->inPasses || createSources(draw, frame, error);
}

static bool createStencil(FigureDraw *draw, uint32_t width, uint32_t height, EngineError *error) {
    VkFormatProperties properties; /* every device has one of the two formats */
    vkGetPhysicalDeviceFormatProperties(draw->device->physical, VK_FORMAT_D24_UNORM_S8_UINT, &properties);
    const bool packed = properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
    const ImageDef def = {.width = width,
                          .height = height,
                          .format = packed ? VK_FORMAT_D24_UNORM_S8_UINT : VK_FORMAT_D32_SFLOAT_S8_UINT,
                          .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                          .aspect = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT,
                          .samples = targetSamples(draw->device),
                          .name = "figure stencil"};
    return imageCreate(draw->device, &def, &draw->stencil, error);
}

/* ---- Pipelines ---- */

#define MIX(source, target, sourceAlpha, targetAlpha)                                                                  \
    {                                                                                                                  \
        .blendEnable = VK_TRUE, .srcColorBlendFactor = VK_BLEND_FACTOR_##source,                                       \
        .dstColorBlendFactor = VK_BLEND_FACTOR_##target, .srcAlphaBlendFactor = VK_BLEND_FACTOR_##sourceAlpha,         \
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_##targetAlpha, .colorWriteMask = 0xf                                    \
    }

/* Of premultiplied colours. Multiply keeps the target's alpha: where there is no colour, it gives none. */
static const VkPipelineColorBlendAttachmentState MIXES[PIPELINE_COUNT] = {
    [FIGURE_BLEND_NORMAL] = MIX(ONE, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA),
    [FIGURE_BLEND_ADDITIVE] = MIX(ONE, ONE, ONE, ONE),
    [FIGURE_BLEND_MULTIPLY] = MIX(DST_COLOR, ONE_MINUS_SRC_ALPHA, ZERO, ONE),
    [FIGURE_BLEND_SCREEN] = MIX(ONE, ONE_MINUS_SRC_COLOR, ONE, ONE_MINUS_SRC_ALPHA),
    [PIPELINE_CLIP] = {.colorWriteMask = 0},
    [PIPELINE_WIREFRAME] = {.colorWriteMask = 0xf},
    [PIPELINE_JOINTS] = {.colorWriteMask = 0xf},
};

/* Null on failure. */
static VkShaderModule createModule(Device *device, const char *name, EngineError *error) {
    uint32_t count, index;
    const ShaderCode *shaders = rasterShaders(&count);
    return rasterFindShader(name, &index, error) ? shaderCreate(device, &shaders[index], error) : VK_NULL_HANDLE;
}

static const VkVertexInputAttributeDescription skinnedAttributes[] = {
    {0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
    {1, 1, VK_FORMAT_R32G32_SFLOAT, offsetof(FigureVertex, texcoord)},
    {2, 1, VK_FORMAT_R32_UINT, offsetof(FigureVertex, slot)},
};
static const VkVertexInputAttributeDescription sourceAttributes[] = {
    {1, 1, VK_FORMAT_R32G32_SFLOAT, offsetof(FigureVertex, texcoord)},
    {2, 1, VK_FORMAT_R32_UINT, offsetof(FigureVertex, slot)},
    {3, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(FigureSourceVertex, points)},
    {4, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(FigureSourceVertex, points[2])},
    {5, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(FigureSourceVertex, weights)},
    {6, 0, VK_FORMAT_R16G16B16A16_UINT, offsetof(FigureSourceVertex, joints)},
};

static const VkVertexInputAttributeDescription jointAttributes[] = {
    {0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(FigureJointVertex, position)},
    {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(FigureJointVertex, corner)},
};

static bool createPipeline(FigureDraw *draw, uint32_t index, const VkPipelineVertexInputStateCreateInfo *input,
                           VkShaderModule vertex, VkShaderModule fragment, EngineError *error) {
    static const char *const names[PIPELINE_COUNT] = {"figure, normal", "figure, additive", "figure, multiply",
                                                      "figure, screen", "figure, clipping", "figure, wireframe",
                                                      "figure, joints"};
    static const VkFormat format = FIGURE_COLOUR_FORMAT;
    const bool clips = index == PIPELINE_CLIP;
    const GraphicsPipelineDef def = {
        .name = names[index],
        .vertex = vertex,
        .fragment = fragment,
        .input = input,
        .topology = index == PIPELINE_WIREFRAME ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .samples = targetSamples(draw->device),
        .colourFormats = &format,
        .colourCount = 1,
        .mix = &MIXES[index],
        .stencilFormat = draw->stencil.format,
        .stencilPass = clips ? VK_STENCIL_OP_INVERT : VK_STENCIL_OP_KEEP,
        .stencilCompare = clips ? VK_COMPARE_OP_ALWAYS : VK_COMPARE_OP_EQUAL,
        .layout = draw->layout,
    };
    return graphicsPipelineCreate(draw->device, &def, &draw->pipelines[index], error);
}

enum { SHADER_SLOTS, SHADER_PAGES, SHADER_JOINTS, SHADER_PLAIN, SHADER_COUNT };

static bool createPipelines(FigureDraw *draw, EngineError *error) {
    const char *const names[SHADER_COUNT] = {draw->inPasses ? "figure_uniform.vert" : "figure.vert", "figure.frag",
                                             "figure_joints.vert", "figure_plain.frag"};
    const VkVertexInputBindingDescription bindings[] = {
        {0, draw->inPasses ? sizeof(FigureSourceVertex) : 2 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX},
        {1, sizeof(FigureVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    const VkVertexInputBindingDescription binding = {0, sizeof(FigureJointVertex), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = COUNT_OF(bindings),
        .pVertexBindingDescriptions = bindings,
        .vertexAttributeDescriptionCount = draw->inPasses ? COUNT_OF(sourceAttributes) : COUNT_OF(skinnedAttributes),
        .pVertexAttributeDescriptions = draw->inPasses ? sourceAttributes : skinnedAttributes,
    };
    const VkPipelineVertexInputStateCreateInfo joints = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = COUNT_OF(jointAttributes),
        .pVertexAttributeDescriptions = jointAttributes,
    };
    VkShaderModule shaders[SHADER_COUNT] = {VK_NULL_HANDLE};
    bool good = true;
    for (uint32_t i = 0; i < SHADER_COUNT && good; i++) {
        shaders[i] = createModule(draw->device, names[i], error);
        good = shaders[i] != VK_NULL_HANDLE;
    }
    for (uint32_t i = 0; i < PIPELINE_COUNT && good; i++) {
        const bool slots = i != PIPELINE_JOINTS, plain = i >= PIPELINE_WIREFRAME;
        good = createPipeline(draw, i, slots ? &input : &joints, shaders[slots ? SHADER_SLOTS : SHADER_JOINTS],
                              shaders[plain ? SHADER_PLAIN : SHADER_PAGES], error);
    }
    for (uint32_t i = 0; i < SHADER_COUNT; i++) {
        vkDestroyShaderModule(draw->device->handle, shaders[i], NULL);
    }
    return good;
}

/* ---- Creation ---- */

FigureDraw *figureDrawCreate(Device *device, Skinning *skinning, SkinSystem system, const Model *model, uint32_t width,
                             uint32_t height, EngineError *error) {
    FigureDraw *draw = engineAllocate(1, sizeof *draw, error);
    if (!draw) {
        return NULL;
    }
    draw->device = device;
    draw->skinning = skinning;
    draw->inPasses = system == SKIN_SYSTEM_UNIFORM_2D;
    draw->model = model;
    draw->figure = model->figures;
    bool good = createMesh(draw, error) && createLayouts(draw, error) && createPages(draw, error) &&
                createStencil(draw, width, height, error) && createPipelines(draw, error);
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT && good; i++) {
        good = createFrame(draw, &draw->frames[i], error);
    }
    if (!good) {
        figureDrawDestroy(draw);
        return NULL;
    }
    return draw;
}

void figureDrawDestroy(FigureDraw *draw) {
    if (!draw) {
        return;
    }
    VkDevice device = draw->device->handle;
    for (uint32_t i = 0; i < PIPELINE_COUNT; i++) {
        vkDestroyPipeline(device, draw->pipelines[i], NULL);
    }
    vkDestroyPipelineLayout(device, draw->layout, NULL);
    vkDestroyDescriptorPool(device, draw->pool, NULL);
    for (uint32_t i = 0; i < SET_COUNT; i++) {
        vkDestroyDescriptorSetLayout(device, draw->setLayouts[i], NULL);
    }
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++) {
        bufferDestroy(draw->device, &draw->frames[i].indices);
        bufferDestroy(draw->device, &draw->frames[i].colours);
        bufferDestroy(draw->device, &draw->frames[i].sources);
        bufferDestroy(draw->device, &draw->frames[i].bones);
        bufferDestroy(draw->device, &draw->frames[i].edges);
        bufferDestroy(draw->device, &draw->frames[i].joints);
    }
    for (uint32_t i = 0; i <= draw->figure->pageCount && draw->pages && draw->samplers; i++) {
        imageDestroy(draw->device, &draw->pages[i]);
        vkDestroySampler(device, draw->samplers[i], NULL);
    }
    imageDestroy(draw->device, &draw->stencil);
    bufferDestroy(draw->device, &draw->vertices);
    figureMeshFree(&draw->mesh);
    free(draw->pages);
    free(draw->samplers);
    free(draw->sets);
    free(draw->weights);
    free(draw->list.batches);
    free(draw);
}

/* ---- A frame ---- */

bool figureDrawPrepare(FigureDraw *draw, uint32_t slot, const FigurePose *pose, uint32_t shows, EngineError *error) {
    FigureFrameData *frame = &draw->frames[slot];
    VkskinContext context = draw->skinning->context;
    VkskinSkinCommand command = {.instance = draw->instance,
                                 .method = VKSKIN_METHOD_LINEAR_BLEND,
                                 .morphWeights = draw->weights,
                                 .morphWeightCount = draw->mesh.morphCount};
    void *palette;
    draw->slot = slot;
    draw->shows = shows;
    draw->list.indices = frame->indices.mapped;
    figureListFill(&draw->mesh, pose, &draw->list);
    figureListColours(pose, frame->colours.mapped);
    if (shows & FIGURE_SHOW_WIREFRAME) {
        draw->edgeCount = figureListEdges(&draw->mesh, pose, frame->edges.mapped);
    }
    if (shows & FIGURE_SHOW_JOINTS) {
        draw->joints = figureListJoints(pose, frame->joints.mapped);
    }
    if (draw->inPasses) {
        figureMeshPose(&draw->mesh, pose, frame->bones.mapped, draw->weights);
        figureSourceWrite(&draw->mesh, draw->weights, frame->sources.mapped);
        return true;
    }
    if (!check(
            draw,
            vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT2X3, draw->figure->boneCount, &command.palette, &palette),
            "placing the bones", error)) {
        return false;
    }
    figureMeshPose(&draw->mesh, pose, palette, draw->weights);
    return check(draw, vkskinSkinInstances(context, &command, 1, NULL), "skinning", error);
}

static void beginPass(FigureDraw *draw, VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                      const float background[4]) {
    VkRenderingAttachmentInfo colour = targetColourAttachment(target, image);
    const VkRenderingAttachmentInfo stencil = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                               .imageView = draw->stencil.view,
                                               .imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE};
    memcpy(colour.clearValue.color.float32, background, 4 * sizeof *background);
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea.extent = {target->width, target->height},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &colour,
                                       .pStencilAttachment = &stencil};
    imageDiscard(commandBuffer, image->image, image->before, IMAGE_COLOUR);
    imageDiscard(commandBuffer, draw->stencil.handle, IMAGE_DEPTH_STENCIL, IMAGE_DEPTH_STENCIL);
    if (target->colour.handle) {
        imageDiscard(commandBuffer, target->colour.handle, IMAGE_COLOUR, IMAGE_COLOUR);
    }
    vkCmdBeginRendering(commandBuffer, &rendering);
    viewportSet(commandBuffer, target->width, target->height);
}

static void pushCamera(const FigureDraw *draw, VkCommandBuffer commandBuffer, const Target *target,
                       const FigureCamera *camera) {
    const double y = -2.0 / camera->height, x = 2.0 / camera->height * target->height / target->width;
    const Push push = {.scale = {(float)x, (float)y},
                       .offset = {(float)(-camera->centre[0] * x), (float)(-camera->centre[1] * y)},
                       .pixel = (float)(camera->height / target->height)};
    vkCmdPushConstants(commandBuffer, draw->layout, DRAW_PUSH_STAGES, 0, sizeof push, &push);
}

static void drawBatches(const FigureDraw *draw, VkCommandBuffer commandBuffer) {
    uint32_t bound = PIPELINE_COUNT;
    for (uint32_t i = 0; i < draw->list.batchCount; i++) {
        const FigureBatch *batch = &draw->list.batches[i];
        const uint32_t pipeline = batch->clips ? PIPELINE_CLIP : batch->blend;
        const uint32_t page = batch->page >= 0 ? (uint32_t)batch->page : draw->figure->pageCount;
        if (pipeline != bound) {
            vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines[pipeline]);
            bound = pipeline;
        }
        vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->layout, SET_PAGE, 1,
                                &draw->sets[page], 0, NULL);
        vkCmdSetStencilReference(commandBuffer, VK_STENCIL_FACE_FRONT_AND_BACK, batch->clipped ? 1 : 0);
        vkCmdDrawIndexed(commandBuffer, batch->range.count, 1, batch->range.first, 0, 0);
    }
}

/* ---- Debug views ---- */

static void pushColour(const FigureDraw *draw, VkCommandBuffer commandBuffer, const float colour[4]) {
    vkCmdPushConstants(commandBuffer, draw->layout, DRAW_PUSH_STAGES, offsetof(Push, colour), 4 * sizeof *colour,
                       colour);
}

/* With the vertices and descriptors of the slots. */
static void drawWireframe(const FigureDraw *draw, VkCommandBuffer commandBuffer) {
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines[PIPELINE_WIREFRAME]);
    vkCmdSetStencilReference(commandBuffer, VK_STENCIL_FACE_FRONT_AND_BACK, 0);
    vkCmdBindIndexBuffer(commandBuffer, draw->frames[draw->slot].edges.handle, 0, VK_INDEX_TYPE_UINT32);
    pushColour(draw, commandBuffer, WIREFRAME_COLOUR);
    vkCmdDrawIndexed(commandBuffer, draw->edgeCount, 1, 0, 0, 0);
}

/* Marks above lines. */
static void drawJoints(const FigureDraw *draw, VkCommandBuffer commandBuffer) {
    static const VkDeviceSize offset = 0;
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines[PIPELINE_JOINTS]);
    vkCmdSetStencilReference(commandBuffer, VK_STENCIL_FACE_FRONT_AND_BACK, 0);
    vkCmdBindVertexBuffers(commandBuffer, 0, 1, &draw->frames[draw->slot].joints.handle, &offset);
    pushColour(draw, commandBuffer, LINE_COLOUR);
    vkCmdDraw(commandBuffer, draw->joints.lines, 1, 0, 0);
    pushColour(draw, commandBuffer, MARK_COLOUR);
    vkCmdDraw(commandBuffer, draw->joints.marks, 1, draw->joints.lines, 0);
}

/* ---- The pass ---- */

bool figureDrawRecord(FigureDraw *draw, VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                      const FigureCamera *camera, const float background[4], EngineError *error) {
    const FigureFrameData *frame = &draw->frames[draw->slot];
    VkskinOutput output = {.buffer = frame->sources.handle};
    if (!draw->inPasses &&
        !check(draw, vkskinGetOutput(draw->skinning->context, draw->instance, &output), "drawing", error)) {
        return false;
    }
    const VkBuffer buffers[] = {output.buffer, draw->vertices.handle};
    const VkDeviceSize offsets[] = {output.positionOffset, 0};
    deviceBeginLabel(draw->device, commandBuffer, "figure");
    beginPass(draw, commandBuffer, target, image, background);
    pushCamera(draw, commandBuffer, target, camera);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->layout, SET_SLOTS, 1, &frame->set, 0,
                            NULL);
    vkCmdBindVertexBuffers(commandBuffer, 0, COUNT_OF(buffers), buffers, offsets);
    vkCmdBindIndexBuffer(commandBuffer, frame->indices.handle, 0, VK_INDEX_TYPE_UINT32);
    if (draw->shows & FIGURE_SHOW_MESH) {
        drawBatches(draw, commandBuffer);
    }
    if (draw->shows & FIGURE_SHOW_WIREFRAME) {
        drawWireframe(draw, commandBuffer);
    }
    if (draw->shows & FIGURE_SHOW_JOINTS) {
        drawJoints(draw, commandBuffer);
    }
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, image->image, IMAGE_COLOUR, image->after);
    deviceEndLabel(draw->device, commandBuffer);
    return true;
}

uint32_t figureDrawTrimmed(const FigureDraw *draw) {
    return draw->inPasses ? figureSourceTrimmed(&draw->mesh) : 0;
}
