#include "draw.h"

#include <stdlib.h>
#include <string.h>

#include "draw_bindings.h"
#include "draw_list.h"
#include "draw_pipelines.h"
#include "draw_scene.h"

#define SHADOW_SIZE_DEFAULT 2048

struct Draw {
    Device *device;
    Crowd *crowd;
    DrawPipelines pipelines;
    DrawBindings bindings;
    DrawList list;
    uint32_t callCount;
};

Draw *drawCreate(Device *device, Crowd *crowd, const DrawDef *def, EngineError *error) {
    Draw *draw = calloc(1, sizeof(*draw));
    if (!draw) {
        engineFail(error, "out of memory");
        return NULL;
    }
    draw->device = device;
    draw->crowd = crowd;
    uint32_t shadowSize = def->shadowSize ? def->shadowSize : SHADOW_SIZE_DEFAULT;
    if (!drawPipelinesCreate(device, def->colourFormat, &draw->pipelines, error) ||
        !drawBindingsCreate(device, crowd, &draw->pipelines, def->framesInFlight, shadowSize, &draw->bindings, error) ||
        !drawListCreate(crowd, &draw->list, error)) {
        drawDestroy(draw);
        return NULL;
    }
    return draw;
}

void drawDestroy(Draw *draw) {
    if (!draw) {
        return;
    }
    drawListDestroy(&draw->list);
    drawBindingsDestroy(draw->device, &draw->bindings);
    drawPipelinesDestroy(draw->device, &draw->pipelines);
    free(draw);
}

bool drawReplaceShader(Draw *draw, const char *name, const uint32_t *words, size_t byteCount, EngineError *error) {
    return drawPipelinesReplaceShader(draw->device, &draw->pipelines, name, words, byteCount, error);
}

bool drawSetColourFormat(Draw *draw, VkFormat colourFormat, EngineError *error) {
    return drawPipelinesSetFormat(draw->device, &draw->pipelines, colourFormat, error);
}

uint32_t drawCallCount(const Draw *draw) {
    return draw->callCount;
}

/* ---- Recording ---- */

static void setViewport(VkCommandBuffer commandBuffer, uint32_t width, uint32_t height) {
    VkViewport viewport = {0.0f, 0.0f, (float)width, (float)height, 0.0f, 1.0f};
    VkRect2D scissor = {{0, 0}, {width, height}};
    vkCmdSetViewport(commandBuffer, 0, 1, &viewport);
    vkCmdSetScissor(commandBuffer, 0, 1, &scissor);
}

static void bindSet(const Draw *draw, VkCommandBuffer commandBuffer, uint32_t set, VkDescriptorSet handle) {
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines.layout, set, 1, &handle, 0,
                            NULL);
}

static void bindPipeline(const Draw *draw, VkCommandBuffer commandBuffer, DrawPipeline pipeline) {
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines.pipelines[pipeline]);
}

static void bindLook(const Draw *draw, VkCommandBuffer commandBuffer, const DrawItem *item, const CharacterPart *part) {
    const Character *character = draw->crowd->characters[item->character];
    const VkDeviceSize offset = 0;
    RasterPart push;
    memcpy(push.baseColour, character->materials[part->material].baseColour, sizeof(push.baseColour));
    bindSet(draw, commandBuffer, RASTER_SET_MATERIAL,
            draw->bindings.materialSets[draw->bindings.materialStarts[item->character] + part->material]);
    vkCmdPushConstants(commandBuffer, draw->pipelines.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(push), &push);
    vkCmdBindVertexBuffers(commandBuffer, 0, 1, &character->meshes[part->modelMesh].texcoords.handle, &offset);
}

/* look: textures and static streams too, which the shadow pass does without. */
static void drawCrowd(Draw *draw, VkCommandBuffer commandBuffer, bool look) {
    for (uint32_t i = 0; i < draw->list.itemCount; i++) {
        const DrawItem *item = &draw->list.items[i];
        const Character *character = draw->crowd->characters[item->character];
        const CharacterPart *part = &character->parts[item->part];
        const CharacterMesh *mesh = &character->meshes[part->modelMesh];
        if (mesh->indexCount == 0) {
            continue;
        }
        bindSet(draw, commandBuffer, RASTER_SET_PAGE, draw->bindings.pageSets[item->page]);
        if (look) {
            bindLook(draw, commandBuffer, item, part);
        }
        vkCmdBindIndexBuffer(commandBuffer, mesh->indices.handle, 0, mesh->indexType);
        vkCmdDrawIndexed(commandBuffer, mesh->indexCount, item->instanceCount, 0, 0, item->firstInstance);
        draw->callCount++;
    }
}

static void shadowBarrier(const Draw *draw, VkCommandBuffer commandBuffer, bool before) {
    const VkPipelineStageFlags2 depthStages =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    const VkAccessFlags2 depthAccess =
        VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    ImageBarrier toDepth = {.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                            .newLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                            .srcStages = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                            .dstStages = depthStages,
                            .dstAccess = depthAccess};
    ImageBarrier toTexture = {.oldLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                              .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                              .srcStages = depthStages,
                              .srcAccess = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                              .dstStages = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                              .dstAccess = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
    ImageBarrier barrier = before ? toDepth : toTexture;
    barrier.image = draw->bindings.shadowMap.handle;
    barrier.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    imageBarrier(commandBuffer, &barrier);
}

static void recordShadow(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer) {
    const Image *map = &draw->bindings.shadowMap;
    VkRenderingAttachmentInfo depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = map->view,
                                       .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                       .clearValue.depthStencil.depth = 1.0f};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea.extent = {map->width, map->height},
                                 .layerCount = 1,
                                 .pDepthAttachment = &depth};
    deviceBeginLabel(draw->device, commandBuffer, "shadow");
    shadowBarrier(draw, commandBuffer, true);
    vkCmdBeginRendering(commandBuffer, &rendering);
    setViewport(commandBuffer, map->width, map->height);
    bindPipeline(draw, commandBuffer, DRAW_PIPELINE_SHADOW);
    bindSet(draw, commandBuffer, RASTER_SET_FRAME, draw->bindings.frameSets[slot]);
    drawCrowd(draw, commandBuffer, false);
    vkCmdEndRendering(commandBuffer);
    shadowBarrier(draw, commandBuffer, false);
    deviceEndLabel(draw->device, commandBuffer);
}

/* What earlier frames drew is not kept: the barriers only order this frame's writes after their accesses. */
static void beginTarget(VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image) {
    const VkPipelineStageFlags2 colourStage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    ImageBarrier resolve = {.image = image->image,
                            .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                            .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                            .srcStages = colourStage | VK_PIPELINE_STAGE_2_COPY_BIT,
                            .dstStages = colourStage,
                            .dstAccess = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    ImageBarrier colour = resolve;
    colour.image = target->colour.handle;
    colour.srcStages = colourStage;
    colour.srcAccess = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
    colour.dstAccess |= VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT;
    ImageBarrier depth = {
        .image = target->depth.handle,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
        .newLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .srcStages = VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
        .srcAccess = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        .dstStages = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
        .dstAccess = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};
    imageBarrier(commandBuffer, &resolve);
    imageBarrier(commandBuffer, &depth);
    if (target->colour.handle) {
        imageBarrier(commandBuffer, &colour);
    }
}

static void endTarget(VkCommandBuffer commandBuffer, const TargetImage *image) {
    bool read = image->finalLayout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    imageBarrier(commandBuffer, &(ImageBarrier){.image = image->image,
                                                .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                                .oldLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                .newLayout = image->finalLayout,
                                                .srcStages = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                                .srcAccess = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                                                .dstStages = read ? VK_PIPELINE_STAGE_2_COPY_BIT
                                                                  : VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                                .dstAccess = read ? VK_ACCESS_2_TRANSFER_READ_BIT : 0});
}

static VkRenderingAttachmentInfo colourAttachment(const Target *target, const TargetImage *image) {
    VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = image->view,
                                        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    if (target->colour.handle) {
        colour.imageView = target->colour.view;
        colour.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
        colour.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
        colour.resolveImageView = image->view;
        colour.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    }
    return colour;
}

static void recordColour(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const DrawScene *scene,
                         const Target *target, const TargetImage *image) {
    VkRenderingAttachmentInfo colour = colourAttachment(target, image);
    VkRenderingAttachmentInfo depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = target->depth.view,
                                       .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                       .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea.extent = {target->width, target->height},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &colour,
                                 .pDepthAttachment = &depth};
    deviceBeginLabel(draw->device, commandBuffer, "colour");
    beginTarget(commandBuffer, target, image);
    vkCmdBeginRendering(commandBuffer, &rendering);
    setViewport(commandBuffer, target->width, target->height);
    bindPipeline(draw, commandBuffer, DRAW_PIPELINE_CROWD);
    bindSet(draw, commandBuffer, RASTER_SET_FRAME, draw->bindings.frameSets[slot]);
    drawCrowd(draw, commandBuffer, true);
    if (scene->ground) {
        bindPipeline(draw, commandBuffer, DRAW_PIPELINE_GROUND);
        vkCmdDraw(commandBuffer, 4, 1, 0, 0);
        draw->callCount++;
    }
    bindPipeline(draw, commandBuffer, DRAW_PIPELINE_SKY);
    vkCmdDraw(commandBuffer, 3, 1, 0, 0);
    draw->callCount++;
    vkCmdEndRendering(commandBuffer);
    endTarget(commandBuffer, image);
    deviceEndLabel(draw->device, commandBuffer);
}

bool drawRecord(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const DrawScene *scene, const Target *target,
                const TargetImage *image, EngineError *error) {
    if (slot >= draw->bindings.slotCount) {
        return engineFail(error, "frame slot %u, there are %u", slot, draw->bindings.slotCount);
    }
    VkskinContext context = draw->crowd->skinning->context;
    if (!drawBindingsAddPages(draw->device, context, &draw->pipelines, &draw->bindings, error) ||
        !drawListBuild(&draw->list, draw->crowd, draw->bindings.instances[slot].mapped, error)) {
        return false;
    }
    RasterFrame frame = drawSceneUniforms(scene, draw->crowd, draw->bindings.shadowMap.width,
                                          (float)target->width / (float)target->height);
    memcpy(draw->bindings.uniforms[slot].mapped, &frame, sizeof(frame));
    draw->callCount = 0;
    recordShadow(draw, slot, commandBuffer);
    recordColour(draw, slot, commandBuffer, scene, target, image);
    return true;
}
