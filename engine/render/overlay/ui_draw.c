#include "ui_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "pipelines.h"

typedef struct UiPush {
    float scale[2]; /* points to the picture's -1 to 1, whose corner is at -1, -1 */
    float grow;
} UiPush;

/* Buffers of one frame slot. They grow, and are made when the first frame needs them. */
typedef struct UiBuffers {
    Buffer vertices, indices;
} UiBuffers;

struct UiDraw {
    Device *device;
    Image atlas;
    VkSampler sampler;
    VkDescriptorSetLayout setLayout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    UiBuffers buffers[FRAMES_IN_FLIGHT];
};

/* ---- Creation ---- */

static bool createAtlas(UiDraw *draw, const UiAtlas *atlas, EngineError *error) {
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    const VkSamplerAddressMode clamp = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    Device *device = draw->device;
    if (!imageCreateBytes(device, atlas->texels, atlas->width, atlas->height, "glyphs", &draw->atlas, error) ||
        !samplerCreate(device, VK_FILTER_LINEAR, clamp, clamp, &draw->sampler, error) ||
        !setLayoutCreate(device, &binding, 1, &draw->setLayout, error) ||
        !descriptorPoolCreate(device, &size, 1, 1, &draw->pool, error) ||
        !descriptorSetAllocate(device, draw->pool, draw->setLayout, &draw->set, error)) {
        return false;
    }
    descriptorWriteImage(device, draw->set, 0, draw->sampler, draw->atlas.view);
    return true;
}

static const VkVertexInputAttributeDescription attributes[] = {
    {0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(UiVertex, position)},
    {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(UiVertex, place)},
    {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(UiVertex, colour)},
};
static const VkVertexInputBindingDescription binding = {0, sizeof(UiVertex), VK_VERTEX_INPUT_RATE_VERTEX};
static const VkPipelineVertexInputStateCreateInfo input = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    .vertexBindingDescriptionCount = 1,
    .pVertexBindingDescriptions = &binding,
    .vertexAttributeDescriptionCount = COUNT_OF(attributes),
    .pVertexAttributeDescriptions = attributes,
};

static bool createPipeline(UiDraw *draw, VkFormat colourFormat, EngineError *error) {
    Device *device = draw->device;
    const uint32_t encode = formatEncodesSrgb(colourFormat) ? 0 : 1;
    const VkSpecializationMapEntry entry = {RASTER_CONSTANT_ENCODE_SRGB, 0, sizeof encode};
    const VkSpecializationInfo constants = {1, &entry, sizeof encode, &encode};
    const VkPushConstantRange push = {DRAW_PUSH_STAGES, 0, sizeof(UiPush)};
    if (!pipelineLayoutCreate(device, &draw->setLayout, 1, push, &draw->layout, error)) {
        return false;
    }
    VkShaderModule vertex = rasterModule(device, "ui.vert", error);
    VkShaderModule fragment = vertex ? rasterModule(device, "ui.frag", error) : VK_NULL_HANDLE;
    const GraphicsPipelineDef def = {
        .name = "text and panels",
        .vertex = vertex,
        .fragment = fragment,
        .constants = &constants,
        .input = &input,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .colourFormats = &colourFormat,
        .colourCount = 1,
        .blends = true,
        .layout = draw->layout,
    };
    const bool made = fragment && graphicsPipelineCreate(device, &def, &draw->pipeline, error);
    vkDestroyShaderModule(device->handle, vertex, NULL);
    vkDestroyShaderModule(device->handle, fragment, NULL);
    return made;
}

UiDraw *uiDrawCreate(Device *device, const UiAtlas *atlas, VkFormat colourFormat, EngineError *error) {
    UiDraw *draw = engineAllocate(1, sizeof *draw, error);
    if (!draw) {
        return NULL;
    }
    draw->device = device;
    if (!createAtlas(draw, atlas, error) || !createPipeline(draw, colourFormat, error)) {
        uiDrawDestroy(draw);
        return NULL;
    }
    return draw;
}

void uiDrawDestroy(UiDraw *draw) {
    if (!draw) {
        return;
    }
    Device *device = draw->device;
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT; slot++) {
        bufferDestroy(device, &draw->buffers[slot].vertices);
        bufferDestroy(device, &draw->buffers[slot].indices);
    }
    vkDestroyPipeline(device->handle, draw->pipeline, NULL);
    vkDestroyPipelineLayout(device->handle, draw->layout, NULL);
    vkDestroyDescriptorPool(device->handle, draw->pool, NULL);
    vkDestroyDescriptorSetLayout(device->handle, draw->setLayout, NULL);
    vkDestroySampler(device->handle, draw->sampler, NULL);
    imageDestroy(device, &draw->atlas);
    free(draw);
}

/* ---- A frame ---- */

/* Half as large again as is needed now, so that a growing panel seldom makes it anew. */
static bool reserve(Device *device, Buffer *buffer, size_t size, VkBufferUsageFlags usage, const char *name,
                    EngineError *error) {
    if (buffer->size >= size) {
        return true;
    }
    bufferDestroy(device, buffer);
    return bufferCreate(device, size + size / 2, usage, BUFFER_UPLOAD, name, buffer, error);
}

static bool fillBuffers(UiDraw *draw, UiBuffers *buffers, const UiPicture *picture, EngineError *error) {
    const size_t vertices = picture->vertexCount * sizeof *picture->vertices;
    const size_t indices = picture->indexCount * sizeof *picture->indices;
    if (!reserve(draw->device, &buffers->vertices, vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                 "vertices of text and panels", error) ||
        !reserve(draw->device, &buffers->indices, indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                 "indices of text and panels", error)) {
        return false;
    }
    memcpy(buffers->vertices.mapped, picture->vertices, vertices);
    memcpy(buffers->indices.mapped, picture->indices, indices);
    return true;
}

/* The pixels of a command, cut to the picture. False: none. */
static bool findScissor(const float clip[4], float scale, uint32_t width, uint32_t height, VkRect2D *scissor) {
    const float left = fmaxf(roundf(clip[0] * scale), 0.0f), top = fmaxf(roundf(clip[1] * scale), 0.0f);
    const float right = fminf(roundf(clip[2] * scale), (float)width);
    const float bottom = fminf(roundf(clip[3] * scale), (float)height);
    if (!(left < right && top < bottom)) {
        return false;
    }
    *scissor = (VkRect2D){{(int32_t)left, (int32_t)top}, {(uint32_t)(right - left), (uint32_t)(bottom - top)}};
    return true;
}

static void recordCommands(UiDraw *draw, VkCommandBuffer commandBuffer, const UiPicture *picture, uint32_t width,
                           uint32_t height) {
    UiPush push = {.scale = {2.0f * picture->scale / (float)width, 2.0f * picture->scale / (float)height}};
    for (uint32_t i = 0; i < picture->commandCount; i++) {
        const UiCommand *command = &picture->commands[i];
        VkRect2D scissor;
        if (findScissor(command->clip, picture->scale, width, height, &scissor)) {
            push.grow = command->grow;
            vkCmdSetScissor(commandBuffer, 0, 1, &scissor);
            vkCmdPushConstants(commandBuffer, draw->layout, DRAW_PUSH_STAGES, 0, sizeof push, &push);
            vkCmdDrawIndexed(commandBuffer, command->indexCount, 1, command->firstIndex, (int32_t)command->firstVertex,
                             0);
        }
    }
}

bool uiDrawRecord(UiDraw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const UiPicture *picture,
                  const TargetImage *image, uint32_t width, uint32_t height, EngineError *error) {
    UiBuffers *buffers = &draw->buffers[slot];
    if (picture->commandCount == 0) {
        imageBarrier(commandBuffer, image->image, image->before, image->after);
        return true;
    }
    if (!fillBuffers(draw, buffers, picture, error)) {
        return false;
    }
    const VkRenderingAttachmentInfo colour = passAttachment(image->view, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                            VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_STORE_OP_STORE);
    const VkDeviceSize start = 0;
    imageBarrier(commandBuffer, image->image, image->before, IMAGE_COLOUR);
    passBegin(commandBuffer, width, height, &colour, NULL, NULL);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipeline);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->layout, 0, 1, &draw->set, 0, NULL);
    vkCmdBindVertexBuffers(commandBuffer, 0, 1, &buffers->vertices.handle, &start);
    vkCmdBindIndexBuffer(commandBuffer, buffers->indices.handle, 0, VK_INDEX_TYPE_UINT16);
    recordCommands(draw, commandBuffer, picture, width, height);
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, image->image, IMAGE_COLOUR, image->after);
    return true;
}
