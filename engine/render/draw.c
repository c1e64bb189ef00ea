#include "draw.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "draw_bindings.h"
#include "draw_list.h"
#include "draw_motion.h"
#include "draw_overlay.h"
#include "draw_paint.h"
#include "draw_scene.h"

#define SHADOW_FILTER_TEXELS 4.0f   /* how far the shadow map is read around a point, rounded up */
#define OVERLAY_DEPTH        0.998f /* depth is so much less than that of lines: they lie this share nearer */

struct Draw {
    Device *device;
    Population *population;
    Draw *guest; /* or null */
    DrawPipelines pipelines;
    System *system;
    DrawBindings bindings;
    DrawPaint paint;
    DrawOverlays overlays;
    DrawMotion motion;
    bool hasPrevious; /* there was a frame before */
    float previousViewProjection[16];
    bool uploaded;     /* by drawUpload, in this frame */
    DrawScene scene;   /* scene given to drawPrepare */
    RasterFrame frame; /* computed by drawPrepare */
    DrawLists lists;
    uint32_t callCount;
};

void drawPrepare(Draw *draw, const DrawScene *scene, float aspect) {
    draw->scene = *scene;
    draw->frame = drawDescribeFrame(scene, draw->population, aspect);
    memcpy(draw->frame.previousViewProjection,
           draw->hasPrevious ? draw->previousViewProjection : draw->frame.viewProjection,
           sizeof(draw->frame.previousViewProjection));
    PopulationView view = {.shadowMargin = SHADOW_FILTER_TEXELS * draw->frame.shadow[1]};
    memcpy(view.camera, draw->frame.viewProjection, sizeof(view.camera));
    memcpy(view.light, draw->frame.lightViewProjection, sizeof(view.light));
    memcpy(view.towardsLight, draw->frame.sunDirection, sizeof(view.towardsLight));
    memcpy(view.eye, scene->camera.eye, sizeof(view.eye));
    view.pixelsPerUnit = (float)scene->height / (2.0f * tanf(0.5f * scene->camera.fieldOfView));
    if (draw->system->type->view) {
        draw->system->type->view(draw->system, &view);
    } else {
        populationCull(draw->population, &view);
    }
    if (draw->guest) {
        draw->guest->scene = *scene;
        draw->guest->frame = draw->frame;
        populationCull(draw->guest->population, &view);
    }
}

/* ---- Creation ---- */

/* The system, and the pipelines that it needs. */
static bool createSystem(Draw *draw, EngineError *error) {
    DrawNeeds needs = {.looks = drawListsParts(&draw->lists)};
    draw->system = systemCreate(draw->device, draw->population, draw->pipelines.setLayouts[RASTER_SET_PAGE], error);
    if (!draw->system) {
        return false;
    }
    needs.variants = draw->system->variants;
    needs.constants = draw->system->constants;
    return drawPipelinesSetNeeds(draw->device, &draw->pipelines, &needs, error);
}

Draw *drawCreate(Device *device, Population *population, VkFormat colourFormat, EngineError *error) {
    Draw *draw = engineAllocate(1, sizeof(*draw), error);
    if (!draw) {
        return NULL;
    }
    draw->device = device;
    draw->population = population;
    if (!drawListsCreate(population, &draw->lists, error) ||
        !drawPipelinesCreate(device, colourFormat, systemType(population->skin.system), &draw->pipelines, error) ||
        !createSystem(draw, error) ||
        !drawBindingsCreate(device, population, &draw->pipelines, &draw->bindings, error)) {
        drawDestroy(draw);
        return NULL;
    }
    return draw;
}

void drawDestroy(Draw *draw) {
    if (!draw) {
        return;
    }
    drawDestroy(draw->guest);
    drawListsDestroy(&draw->lists);
    drawPaintDestroy(draw->device, &draw->paint);
    drawOverlaysDestroy(draw->device, &draw->overlays);
    drawMotionDestroy(draw->device, &draw->motion);
    drawBindingsDestroy(draw->device, &draw->bindings);
    systemDestroy(draw->system);
    drawPipelinesDestroy(draw->device, &draw->pipelines);
    free(draw);
}

bool drawRenew(Draw *draw, EngineError *error) {
    drawDestroy(draw->guest);
    draw->guest = NULL;
    drawPaintDestroy(draw->device, &draw->paint); /* the next frame makes both again */
    drawOverlaysDestroy(draw->device, &draw->overlays);
    drawBindingsDestroy(draw->device, &draw->bindings);
    systemDestroy(draw->system);
    draw->system = NULL;
    return drawListsRenew(&draw->lists, error) && createSystem(draw, error) &&
           drawBindingsCreate(draw->device, draw->population, &draw->pipelines, &draw->bindings, error);
}

bool drawSetGuest(Draw *draw, Population *guest, EngineError *error) {
    drawDestroy(draw->guest);
    draw->guest = guest ? drawCreate(draw->device, guest, draw->pipelines.colourFormat, error) : NULL;
    for (uint32_t i = 0; draw->guest && i < FRAMES_IN_FLIGHT * POPULATION_PASS_COUNT; i++) {
        VkDescriptorSet set = draw->guest->bindings.frameSets[i / POPULATION_PASS_COUNT][i % POPULATION_PASS_COUNT];
        descriptorWriteImage(draw->device, set, RASTER_BINDING_SHADOW, draw->bindings.shadowSampler,
                             draw->bindings.shadowMap.view);
    }
    return !guest || draw->guest;
}

bool drawReplaceShader(Draw *draw, const char *name, const uint32_t *words, size_t byteCount, EngineError *error) {
    return drawPipelinesReplaceShader(draw->device, &draw->pipelines, name, words, byteCount, error) &&
           (!draw->guest || drawReplaceShader(draw->guest, name, words, byteCount, error));
}

bool drawSetColourFormat(Draw *draw, VkFormat colourFormat, EngineError *error) {
    return drawPipelinesSetFormat(draw->device, &draw->pipelines, colourFormat, error) &&
           (!draw->guest || drawSetColourFormat(draw->guest, colourFormat, error));
}

uint32_t drawCallCount(const Draw *draw) {
    return draw->callCount;
}

const SystemStats *drawSystemStats(const Draw *draw) {
    return &draw->system->stats;
}

GpuCrowd *drawGpuCrowd(const Draw *draw) {
    return draw->system->gpu;
}

uint32_t drawPipelineCount(const Draw *draw) {
    return drawPipelinesCount(&draw->pipelines);
}

const Image *drawMotionVectors(const Draw *draw) {
    return &draw->motion.target.resolve;
}

/* ---- Recording ---- */

static float cameraDistance(const Camera *camera) {
    const float *a = camera->eye, *b = camera->target;
    return hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void bindSet(const Draw *draw, VkCommandBuffer commandBuffer, uint32_t set, VkDescriptorSet handle) {
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines.layout, set, 1, &handle, 0,
                            NULL);
}

static void bindFrame(const Draw *draw, VkCommandBuffer commandBuffer, uint32_t slot, PopulationPass pass) {
    bindSet(draw, commandBuffer, RASTER_SET_FRAME, draw->bindings.frameSets[slot][pass]);
}

static void bindPipeline(const Draw *draw, VkCommandBuffer commandBuffer, DrawPipeline pipeline, uint32_t variant) {
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines.pipelines[pipeline][variant]);
}

/* Shadows and motion vectors of a blended part are those of what covers at least half, also where interpolation rounds it. */
#define HALF_COVERED 0.499f

static RasterPart describePart(const ModelMaterial *material) {
    RasterPart push = {.surface = {0}};
    memcpy(push.baseColour, material->baseColor, sizeof(push.baseColour));
    memcpy(push.emission, material->emission, sizeof(material->emission));
    memcpy(push.specular, material->specular, sizeof(material->specular));
    push.emission[3] = (float)material->unlit;
    push.surface[0] = material->metallic;
    push.surface[1] = material->roughness;
    push.surface[2] = material->maps[MODEL_MAP_NORMAL] >= 0 ? material->normalScale : 0.0f;
    push.surface[3] = material->alpha == MODEL_ALPHA_MASK    ? material->alphaCutoff
                      : material->alpha == MODEL_ALPHA_BLEND ? HALF_COVERED
                                                             : 0.0f;
    push.specular[3] = material->occlusion;
    return push;
}

static const SystemMesh *meshOf(const Draw *draw, const DrawItem *item, const SkinnedPart *part) {
    const uint32_t level = item->draw ? item->draw->level : 0;
    return &draw->system
                ->meshes[item->model][part->modelMesh + level * draw->population->models[item->model]->meshCount];
}

/* What detailed parts need in both passes, and plain parts in the colour pass. */
static void bindLook(const Draw *draw, VkCommandBuffer commandBuffer, const DrawItem *item, const SkinnedPart *part,
                     bool painted) {
    const SkinnedModel *skinned = draw->population->models[item->model];
    const SystemMesh *mesh = meshOf(draw, item, part);
    VkBuffer streams[] = {mesh->texcoords, mesh->colours ? mesh->colours : mesh->texcoords}; /* plain ones use none */
    VkDeviceSize offsets[] = {0, 0};
    if (painted) {
        streams[1] = drawPaintColours(&draw->paint, mesh, &offsets[1]);
    }
    const RasterPart push = describePart(skinned->materials[part->material].source);
    bindSet(draw, commandBuffer, RASTER_SET_MATERIAL,
            draw->bindings.materialSets[draw->bindings.materialStarts[item->model] + part->material]);
    vkCmdPushConstants(commandBuffer, draw->pipelines.layout, DRAW_PUSH_STAGES, 0, sizeof(push), &push);
    vkCmdBindVertexBuffers(commandBuffer, 0, 2, streams, offsets);
}

/* The shadow map shows both sides. */
static void bindSides(const Draw *draw, VkCommandBuffer commandBuffer, const DrawItem *item, const SkinnedPart *part) {
    const SkinnedModel *skinned = draw->population->models[item->model];
    const bool oneSided = skinned->materials[part->material].source->oneSided != 0;
    vkCmdSetCullMode(commandBuffer, oneSided ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE);
    vkCmdSetFrontFace(commandBuffer, part->mirrored ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
}

static DrawPipeline pipelineOf(const Draw *draw, PopulationPass pass, SkinnedLook look) {
    if (pass == POPULATION_PASS_SHADOW) {
        return look >= SKINNED_LOOK_MASKED ? DRAW_PIPELINE_SHADOW_MASKED : DRAW_PIPELINE_SHADOW;
    }
    return draw->scene.paint.type ? DRAW_PIPELINE_PAINT : (DrawPipeline)(DRAW_PIPELINE_LIT + (int)look);
}

/* A debug view of all items. */
typedef struct DrawOverlay {
    uint32_t show;
    DrawPipeline pipeline;
    float colour[4]; /* as a screen shows it */
} DrawOverlay;

static const DrawOverlay OVERLAYS[] = {
    {DRAW_SHOW_WIREFRAME, DRAW_PIPELINE_WIREFRAME, {0.05f, 0.10f, 0.30f, 1.0f}},
    {DRAW_SHOW_NORMALS, DRAW_PIPELINE_NORMALS, {0.10f, 0.45f, 0.95f, 1.0f}},
};

/* The pass of motion vectors: all items too, but with their materials. */
static const DrawOverlay MOTION = {DRAW_SHOW_MOTION, DRAW_PIPELINE_MOTION, {0.0f}};

/* As screens show them. */
static const float LINE_COLOURS[OVERLAY_LINES_COUNT][4] = {
    [OVERLAY_BOXES] = {0.95f, 0.90f, 0.20f, 1.0f},
    [OVERLAY_BODIES] = {0.10f, 0.75f, 0.45f, 1.0f},
    [OVERLAY_BONES] = {0.95f, 0.55f, 0.10f, 1.0f},
    [OVERLAY_MARKS] = {0.80f, 0.10f, 0.10f, 1.0f},
};

static void pushColour(const Draw *draw, VkCommandBuffer commandBuffer, const float colour[4]) {
    vkCmdPushConstants(commandBuffer, draw->pipelines.layout, DRAW_PUSH_STAGES, 0, 4 * sizeof(*colour), colour);
}

/* A pass in recording: the pipeline that is bound, none at first. */
typedef struct Recording {
    VkCommandBuffer commandBuffer;
    DrawPipeline pipeline;
    uint32_t variant;
} Recording;

static void drawPiece(const Draw *draw, VkCommandBuffer commandBuffer, const DrawItem *item, const SystemPiece *piece) {
    const SystemDraw *own = item->draw;
    if (!own) {
        vkCmdDrawIndexed(commandBuffer, piece->indexCount, item->instanceCount, piece->firstIndex, 0,
                         item->firstInstance);
        return;
    }
    vkCmdPushConstants(commandBuffer, draw->pipelines.layout, DRAW_PUSH_STAGES, RASTER_DRAW_OFFSET,
                       sizeof(own->constants), &own->constants);
    vkCmdDrawIndexedIndirect(commandBuffer, own->arguments, *own->argumentsBase + own->offset, 1,
                             sizeof(VkDrawIndexedIndirectCommand));
}

/* Each draw has the arguments of the mesh with other indices. */
static void drawNormals(Draw *draw, VkCommandBuffer commandBuffer, const DrawItem *item, const SystemMesh *mesh) {
    const Buffer *indices = overlayNormals(&draw->overlays, mesh);
    bindPipeline(draw, commandBuffer, DRAW_PIPELINE_NORMALS, mesh->pieces[0].variant);
    systemBind(draw->system, commandBuffer, draw->pipelines.layout, item->page, &mesh->pieces[0]);
    for (uint32_t run = 0; run < overlayRuns(mesh); run++) {
        vkCmdBindIndexBuffer(commandBuffer, indices[run].handle, 0, VK_INDEX_TYPE_UINT32);
        drawPiece(draw, commandBuffer, item, &mesh->pieces[0]);
        draw->callCount++;
    }
}

static void drawPieces(Draw *draw, Recording *recording, DrawPipeline pipeline, const DrawItem *item,
                       const SystemMesh *mesh) {
    for (uint32_t i = 0; i < mesh->pieceCount; i++) {
        const SystemPiece *piece = &mesh->pieces[i];
        if (pipeline != recording->pipeline || piece->variant != recording->variant) {
            bindPipeline(draw, recording->commandBuffer, pipeline, piece->variant);
            recording->pipeline = pipeline;
            recording->variant = piece->variant;
        }
        systemBind(draw->system, recording->commandBuffer, draw->pipelines.layout, item->page, piece);
        drawPiece(draw, recording->commandBuffer, item, piece);
        draw->callCount++;
    }
}

/*
 * Draws the items from `first` to `end` - 1. Opaque parts bind no textures and no static streams in the shadow pass.
 * overlay: null, or the one pipeline of all.
 */
static void drawItems(Draw *draw, VkCommandBuffer commandBuffer, PopulationPass pass, const DrawOverlay *overlay,
                      uint32_t first, uint32_t end) {
    Recording recording = {commandBuffer, DRAW_PIPELINE_COUNT, 0};
    for (uint32_t i = first; i < end; i++) {
        const DrawItem *item = &draw->lists.passes[pass].items[i];
        const SkinnedPart *part = &draw->population->models[item->model]->parts[item->part];
        const SystemMesh *mesh = meshOf(draw, item, part);
        const DrawPipeline pipeline = overlay ? overlay->pipeline : pipelineOf(draw, pass, part->look);
        if (mesh->pieceCount == 0) {
            continue;
        }
        if (pipeline != DRAW_PIPELINE_SHADOW) {
            bindLook(draw, commandBuffer, item, part, pipeline == DRAW_PIPELINE_PAINT);
        } else if (draw->system->type->pulls) {
            vkCmdBindVertexBuffers(commandBuffer, 0, 1, &mesh->texcoords, &(VkDeviceSize){0});
        }
        if (mesh->vertices) {
            vkCmdBindVertexBuffers(commandBuffer, 2, 1, &mesh->vertices, &(VkDeviceSize){0});
        }
        vkCmdBindIndexBuffer(commandBuffer, mesh->indices, 0, mesh->indexType);
        if (pass == POPULATION_PASS_COLOUR) {
            bindSides(draw, commandBuffer, item, part);
        }
        if (overlay && overlay != &MOTION) {
            pushColour(draw, commandBuffer, overlay->colour);
        }
        if (pipeline == DRAW_PIPELINE_NORMALS) {
            drawNormals(draw, commandBuffer, item, mesh);
        } else {
            drawPieces(draw, &recording, pipeline, item, mesh);
        }
    }
}

#define SHOWS_LINES (DRAW_SHOW_JOINTS | DRAW_SHOW_BOXES | DRAW_SHOW_BODIES)

static bool shows(const Draw *draw, uint32_t show) {
    return ((draw->scene.shows ? draw->scene.shows : DRAW_SHOW_MESH) & show) != 0;
}

static void recordShadow(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer) {
    const Image *map = &draw->bindings.shadowMap;
    const uint32_t side = (uint32_t)draw->frame.shadow[2];
    VkRenderingAttachmentInfo depth = passAttachment(map->view, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                                     VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE);
    depth.clearValue.depthStencil.depth = 1.0f;
    deviceBeginLabel(draw->device, commandBuffer, "shadow");
    imageDiscard(commandBuffer, map->handle, IMAGE_SAMPLED, IMAGE_DEPTH);
    passBegin(commandBuffer, side, side, NULL, &depth, NULL);
    for (Draw *one = draw; one && shows(draw, DRAW_SHOW_MESH); one = one->guest) {
        const DrawList *list = &one->lists.passes[POPULATION_PASS_SHADOW];
        bindFrame(one, commandBuffer, slot, POPULATION_PASS_SHADOW);
        drawItems(one, commandBuffer, POPULATION_PASS_SHADOW, NULL, 0, list->itemCount);
    }
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, map->handle, IMAGE_DEPTH, IMAGE_SAMPLED);
    deviceEndLabel(draw->device, commandBuffer);
}

static void drawMotionView(Draw *draw, VkCommandBuffer commandBuffer) {
    bindPipeline(draw, commandBuffer, DRAW_PIPELINE_MOTION_VIEW, 0);
    bindSet(draw, commandBuffer, RASTER_SET_MATERIAL, draw->motion.set);
    vkCmdDraw(commandBuffer, 3, 1, 0, 0);
    draw->callCount++;
}

/* What earlier frames drew is not kept: the barriers only order this frame's writes after their accesses. */
static void beginTarget(VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image) {
    imageDiscard(commandBuffer, image->image, image->before, IMAGE_COLOUR);
    imageDiscard(commandBuffer, target->depth.handle, IMAGE_DEPTH, IMAGE_DEPTH);
    if (target->colour.handle) {
        imageDiscard(commandBuffer, target->colour.handle, IMAGE_COLOUR, IMAGE_COLOUR);
    }
}

static void drawSurroundings(Draw *draw, VkCommandBuffer commandBuffer) {
    if (draw->scene.camera.eye[1] > draw->scene.groundHeight) { /* from below, it would hide the population */
        bindPipeline(draw, commandBuffer, DRAW_PIPELINE_GROUND, 0);
        vkCmdDraw(commandBuffer, 4, 1, 0, 0);
        draw->callCount++;
    }
    bindPipeline(draw, commandBuffer, DRAW_PIPELINE_SKY, 0);
    vkCmdDraw(commandBuffer, 3, 1, 0, 0);
    draw->callCount++;
}

static void setDepth(VkCommandBuffer commandBuffer, const Target *target, float minimum, float maximum) {
    const VkViewport viewport = {0.0f, 0.0f, (float)target->width, (float)target->height, minimum, maximum};
    vkCmdSetViewport(commandBuffer, 0, 1, &viewport);
}

/* Boxes may be hidden; bones lie in front of all. */
static void drawLines(Draw *draw, VkCommandBuffer commandBuffer, const Target *target, uint32_t slot) {
    const DrawOverlays *overlays = &draw->overlays;
    bindPipeline(draw, commandBuffer, DRAW_PIPELINE_LINES, 0);
    vkCmdBindVertexBuffers(commandBuffer, 0, 1, &overlays->lines[slot].handle, &(VkDeviceSize){0});
    for (int i = 0; i < OVERLAY_LINES_COUNT; i++) {
        setDepth(commandBuffer, target, i == OVERLAY_BOXES ? 0.0f : 1.0f, 1.0f);
        pushColour(draw, commandBuffer, LINE_COLOURS[i]);
        if (overlays->counts[i] > 0) {
            vkCmdDraw(commandBuffer, overlays->counts[i], 1, overlays->firsts[i], 0);
            draw->callCount++;
        }
    }
}

static void drawOverlays(Draw *draw, VkCommandBuffer commandBuffer, const Target *target, uint32_t slot) {
    setDepth(commandBuffer, target, 0.0f, 1.0f);
    for (size_t i = 0; i < COUNT_OF(OVERLAYS); i++) {
        if (shows(draw, OVERLAYS[i].show)) {
            drawItems(draw, commandBuffer, POPULATION_PASS_COLOUR, &OVERLAYS[i], 0,
                      draw->lists.passes[POPULATION_PASS_COLOUR].itemCount);
        }
    }
    if (shows(draw, SHOWS_LINES)) {
        drawLines(draw, commandBuffer, target, slot);
    }
}

/* Opaque or blended parts of the population, then of the guest. */
static void drawMeshes(Draw *draw, VkCommandBuffer commandBuffer, uint32_t slot, bool blended) {
    for (Draw *one = draw; one && shows(draw, DRAW_SHOW_MESH); one = one->guest) {
        const DrawList *list = &one->lists.passes[POPULATION_PASS_COLOUR];
        bindFrame(one, commandBuffer, slot, POPULATION_PASS_COLOUR);
        drawItems(one, commandBuffer, POPULATION_PASS_COLOUR, NULL, blended ? list->opaqueCount : 0,
                  blended ? list->itemCount : list->opaqueCount);
    }
}

/* A pass from here on. Depth is not kept. */
static void beginPass(VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                      const float background[4]) {
    VkRenderingAttachmentInfo colour = targetColourAttachment(target, image);
    memcpy(colour.clearValue.color.float32, background, sizeof(colour.clearValue.color.float32));
    const VkRenderingAttachmentInfo depth =
        passAttachment(target->depth.view, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, VK_ATTACHMENT_LOAD_OP_CLEAR,
                       VK_ATTACHMENT_STORE_OP_DONT_CARE);
    beginTarget(commandBuffer, target, image);
    passBegin(commandBuffer, target->width, target->height, &colour, &depth, NULL);
}

static void recordMotion(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer) {
    const Target *target = &draw->motion.target;
    const TargetImage image = {target->resolve.handle, target->resolve.view, IMAGE_SAMPLED, IMAGE_SAMPLED};
    if (!shows(draw, DRAW_SHOW_MOTION)) {
        return;
    }
    deviceBeginLabel(draw->device, commandBuffer, "motion");
    beginPass(commandBuffer, target, &image, (const float[4]){RASTER_MOTION_NONE});
    bindFrame(draw, commandBuffer, slot, POPULATION_PASS_COLOUR);
    drawItems(draw, commandBuffer, POPULATION_PASS_COLOUR, &MOTION, 0,
              draw->lists.passes[POPULATION_PASS_COLOUR].itemCount);
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, image.image, IMAGE_COLOUR, image.after);
    deviceEndLabel(draw->device, commandBuffer);
}

static void recordColour(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const Target *target,
                         const TargetImage *image) {
    deviceBeginLabel(draw->device, commandBuffer, "colour");
    beginPass(commandBuffer, target, image, draw->scene.plain ? draw->scene.background : (const float[4]){0.0f});
    setDepth(commandBuffer, target, 0.0f, shows(draw, ~(uint32_t)DRAW_SHOW_MESH) ? OVERLAY_DEPTH : 1.0f);
    drawMeshes(draw, commandBuffer, slot, false);
    bindFrame(draw, commandBuffer, slot, POPULATION_PASS_COLOUR);
    if (!draw->scene.plain) {
        drawSurroundings(draw, commandBuffer);
    }
    drawMeshes(draw, commandBuffer, slot, true);
    bindFrame(draw, commandBuffer, slot, POPULATION_PASS_COLOUR);
    if (shows(draw, DRAW_SHOW_MOTION)) {
        drawMotionView(draw, commandBuffer);
    }
    for (Draw *one = draw; one; one = one->guest) {
        bindFrame(one, commandBuffer, slot, POPULATION_PASS_COLOUR);
        drawOverlays(one, commandBuffer, target, slot);
    }
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, image->image, IMAGE_COLOUR, image->after);
    deviceEndLabel(draw->device, commandBuffer);
}

bool drawUpload(Draw *draw, VkCommandBuffer commandBuffer, EngineError *error) {
    draw->uploaded = systemUpload(draw->system, commandBuffer, error);
    return draw->uploaded;
}

bool drawCanShow(const Draw *draw, uint32_t shows, EngineError *error) {
    const SkinChoice *skin = &draw->population->skin;
    if ((shows & (DRAW_SHOW_NORMALS | DRAW_SHOW_MOTION)) != 0 && !skinSystemSkinsOnce(skin->system)) {
        return engineFail(error, "%s: system '%s' does not draw them; compute and crowd do",
                          (shows & DRAW_SHOW_NORMALS) != 0 ? "normals" : "motion vectors",
                          SKIN_SYSTEM_NAMES[skin->system]);
    }
    if ((shows & DRAW_SHOW_MOTION) != 0 && !skin->motion) {
        return engineFail(error, "motion vectors: previous positions are not kept; '--show motion' keeps them");
    }
    return (shows & DRAW_SHOW_WIREFRAME) == 0 || draw->device->fillModeNonSolid ||
           engineFail(error, "wireframe: '%.100s' draws no edges of polygons (fillModeNonSolid)",
                      draw->device->info.name);
}

/* What a paint and debug views need; made at the first use. */
static bool prepareViews(Draw *draw, uint32_t slot, const Target *target, EngineError *error) {
    bool good =
        drawCanShow(draw, draw->scene.shows, error) &&
        drawPaintUse(&draw->paint, draw->system, &draw->scene.paint, slot, error) &&
        (!draw->scene.paint.type || drawPipelinesUse(draw->device, &draw->pipelines, DRAW_PIPELINE_PAINT, error));
    for (size_t i = 0; i < COUNT_OF(OVERLAYS) && good; i++) {
        good = !shows(draw, OVERLAYS[i].show) ||
               drawPipelinesUse(draw->device, &draw->pipelines, OVERLAYS[i].pipeline, error);
    }
    if (good && shows(draw, DRAW_SHOW_MOTION)) {
        good = drawPipelinesUse(draw->device, &draw->pipelines, DRAW_PIPELINE_MOTION, error) &&
               drawPipelinesUse(draw->device, &draw->pipelines, DRAW_PIPELINE_MOTION_VIEW, error) &&
               drawMotionUse(&draw->motion, draw->device, draw->pipelines.setLayouts[RASTER_SET_MATERIAL],
                             target->width, target->height, error);
    }
    if (good && shows(draw, SHOWS_LINES)) {
        good = drawPipelinesUse(draw->device, &draw->pipelines, DRAW_PIPELINE_LINES, error) &&
               drawOverlaysLines(&draw->overlays, draw->device, draw->population, draw->scene.shows, slot, error);
    }
    return good && (!shows(draw, DRAW_SHOW_NORMALS) || drawOverlaysNormals(&draw->overlays, draw->system, error));
}

/* What the passes of a frame need. */
static bool prepareRecording(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const Target *target,
                             EngineError *error) {
    DrawBindings *bindings = &draw->bindings;
    if (!prepareViews(draw, slot, target, error)) {
        return false;
    }
    if (!draw->system->type->draws) { /* systems with draws of their own list their characters themselves */
        drawListsSort(&draw->lists, draw->frame.viewProjection,
                      cameraDistance(&draw->scene.camera) + boundsDiagonal(&draw->population->bounds) + FLT_MIN);
    }
    for (int pass = 0; pass < POPULATION_PASS_COUNT; pass++) {
        if (!drawListsBuild(&draw->lists, (PopulationPass)pass, draw->system, draw->frame.viewProjection,
                            bindings->instances[slot][pass].mapped, error)) {
            return false;
        }
    }
    draw->frame.groundSquare[2] = 2.0f / (float)target->width;
    draw->frame.groundSquare[3] = 2.0f / (float)target->height;
    memcpy(bindings->uniforms[slot].mapped, &draw->frame, sizeof(draw->frame));
    memcpy(draw->previousViewProjection, draw->frame.viewProjection, sizeof(draw->previousViewProjection));
    draw->hasPrevious = true;
    if (!draw->system->type->draws) {
        populationKeepPlaces(draw->population);
    }
    draw->callCount = 0;
    if (!draw->uploaded && !drawUpload(draw, commandBuffer, error)) {
        return false;
    }
    draw->uploaded = false;
    return !draw->guest || prepareRecording(draw->guest, slot, commandBuffer, target, error);
}

bool drawRecord(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const Target *target,
                const TargetImage *image, EngineError *error) {
    if (!prepareRecording(draw, slot, commandBuffer, target, error)) {
        return false;
    }
    recordShadow(draw, slot, commandBuffer);
    recordMotion(draw, slot, commandBuffer);
    recordColour(draw, slot, commandBuffer, target, image);
    return true;
}

bool drawRecordColour(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const Target *target,
                      const TargetImage *image, uint32_t passes, EngineError *error) {
    if (!prepareRecording(draw, slot, commandBuffer, target, error)) {
        return false;
    }
    recordMotion(draw, slot, commandBuffer);
    for (uint32_t pass = 0; pass < passes; pass++) {
        recordColour(draw, slot, commandBuffer, target, image);
    }
    return true;
}
