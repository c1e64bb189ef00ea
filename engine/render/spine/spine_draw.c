#include "spine_draw.h"

#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "spine_input.h"

static const float WIREFRAME_COLOUR[4] = {0.05f, 0.10f, 0.30f, 1.0f};

static const struct {
    uint32_t show;
    float colour[4];
} JOINTS[SPINE_JOINT_KINDS] = {
    [SPINE_JOINT_LINES] = {SPINE_SHOW_JOINTS, {0.95f, 0.55f, 0.10f, 1.0f}},
    [SPINE_JOINT_MARKS] = {SPINE_SHOW_JOINTS, {0.80f, 0.10f, 0.10f, 1.0f}},
    [SPINE_JOINT_TARGETS] = {SPINE_SHOW_TARGETS, {0.10f, 0.55f, 0.75f, 1.0f}},
};
#define SHOW_BONES (SPINE_SHOW_JOINTS | SPINE_SHOW_TARGETS)

static const struct {
    uint32_t show;
    void (*fill)(const SpineMesh *mesh, const SpinePose *pose, SpineList *list);
} LISTS[SPINE_LIST_COUNT] = {{SPINE_SHOW_MESH, spineListFill}, {SPINE_SHOW_WIREFRAME, spineListEdges}};

/* A character's work in a frame. */
typedef struct Job {
    const SpineCharacter *character;
    SpineSkinnedModel *model;
    float *palette, *weights, *colours;
    SpineCharacterPlace place;
    SpineList lists[SPINE_LIST_COUNT];
} Job;

typedef struct Batches {
    SpineBatch *items;
    uint32_t count, capacity;
} Batches;

struct SpineDraw {
    Device *device;
    Skinning *skinning;
    bool inPasses; /* the vertex shader skins */
    bool painted;
    SpineSkinnedModel *models;
    uint32_t modelCount, allShows;
    SpineSizes sizes;
    SpinePipelines pipelines;
    VkDescriptorPool pool;
    uint32_t pageCount;
    VkDescriptorSet *pageSets; /* [pageCount]: output pages */
    SpineInput frames[FRAMES_IN_FLIGHT];
    Image stencil;

    /* [sizes.characters] each, of a frame */
    Job *jobs;
    VkskinSkinCommand *commands;
    VkskinInstance *instances;
    VkskinOutput *outputs;
    VkskinPalette *palettes;
    void **paletteData;
    uint32_t *boneCounts;
    float *weights; /* morph weights of all characters */

    Batches batches[SPINE_LIST_COUNT];
    uint32_t slot, shows, characterCount, calls;
    uint32_t jointCounts[SPINE_JOINT_KINDS]; /* vertices */
};

static bool check(SpineDraw *draw, VkskinResult result, const char *what, EngineError *error) {
    return result >= 0 || skinningFail(draw->skinning, error, what, result);
}

/* ---- Output pages and frames ---- */

static bool createPageSets(SpineDraw *draw, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < draw->pageCount && good; i++) {
        VkskinOutputPage page;
        good = check(draw, vkskinGetOutputPage(draw->skinning->context, i, &page), "binding output", error) &&
               descriptorSetAllocate(draw->device, draw->pool, draw->pipelines.setLayouts[RASTER_SET_SPINE_VERTICES],
                                     &draw->pageSets[i], error);
        if (good) {
            descriptorWriteBuffer(draw->device, draw->pageSets[i], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, page.buffer,
                                  VK_WHOLE_SIZE);
        }
    }
    return good;
}

static bool createFrames(SpineDraw *draw, EngineError *error) {
    draw->pageCount = draw->inPasses ? 0 : vkskinGetOutputPageCount(draw->skinning->context);
    draw->pageSets = engineAllocate(draw->pageCount, sizeof *draw->pageSets, error);
    const VkDescriptorPoolSize pools[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, FRAMES_IN_FLIGHT * SPINE_INPUT_STORAGE_BUFFERS + draw->pageCount},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, FRAMES_IN_FLIGHT}};
    bool good = draw->pageSets &&
                descriptorPoolCreate(draw->device, pools, COUNT_OF(pools),
                                     FRAMES_IN_FLIGHT * SPINE_INPUT_SETS + draw->pageCount, &draw->pool, error) &&
                createPageSets(draw, error);
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT && good; i++) {
        good = spineInputCreate(draw->device, &draw->sizes, &draw->pipelines, draw->pool, draw->models,
                                draw->modelCount, &draw->frames[i], error);
    }
    return good;
}

/* ---- Creation ---- */

/* Every device has one of the two formats. */
static VkFormat stencilFormat(const Device *device) {
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(device->physical, VK_FORMAT_D24_UNORM_S8_UINT, &properties);
    const bool packed = properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
    return packed ? VK_FORMAT_D24_UNORM_S8_UINT : VK_FORMAT_D32_SFLOAT_S8_UINT;
}

bool spineDrawResize(SpineDraw *draw, uint32_t width, uint32_t height, EngineError *error) {
    const ImageDef def = {.width = width,
                          .height = height,
                          .format = stencilFormat(draw->device),
                          .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                          .aspect = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT,
                          .samples = targetSamples(draw->device),
                          .name = "2D model stencil"};
    imageDestroy(draw->device, &draw->stencil);
    return imageCreate(draw->device, &def, &draw->stencil, error);
}

/* The meshes on the host say how much the characters need. */
static bool measureModels(SpineDraw *draw, const SpineDrawDef *def, EngineError *error) {
    for (uint32_t m = 0; m < def->modelCount; m++) {
        draw->modelCount++;
        if (!spineSkinnedModelMeasure(def->models[m].model, def->models[m].count, &draw->models[m], error)) {
            return false;
        }
    }
    draw->sizes = spineSizes(draw->device, draw->models, draw->modelCount, draw->inPasses,
                             def->shows & SPINE_SHOW_WIREFRAME, def->shows & SHOW_BONES);
    return spineSizesCheck(draw->device, &draw->sizes, error);
}

static bool createModels(SpineDraw *draw, EngineError *error) {
    bool good = true;
    for (uint32_t m = 0; m < draw->modelCount && good; m++) {
        good = spineSkinnedModelCreate(draw->device, draw->skinning, draw->inPasses, &draw->pipelines, &draw->models[m],
                                       error);
    }
    return good;
}

static bool createCharacters(SpineDraw *draw, EngineError *error) {
    const uint32_t count = draw->sizes.characters;
    draw->jobs = engineAllocate(count, sizeof *draw->jobs, error);
    draw->commands = engineAllocate(count, sizeof *draw->commands, error);
    draw->instances = engineAllocate(count, sizeof *draw->instances, error);
    draw->outputs = engineAllocate(count, sizeof *draw->outputs, error);
    draw->palettes = engineAllocate(count, sizeof *draw->palettes, error);
    draw->paletteData = engineAllocate(count, sizeof *draw->paletteData, error);
    draw->boneCounts = engineAllocate(count, sizeof *draw->boneCounts, error);
    draw->weights = engineAllocate(draw->sizes.weights, sizeof *draw->weights, error);
    return draw->jobs && draw->commands && draw->instances && draw->outputs && draw->palettes && draw->paletteData &&
           draw->boneCounts && draw->weights;
}

static bool create(SpineDraw *draw, const SpineDrawDef *def, EngineError *error) {
    draw->models = engineAllocate(def->modelCount, sizeof *draw->models, error);
    if (!draw->models || !measureModels(draw, def, error)) {
        return false;
    }
    return spinePipelinesCreate(draw->device, draw->inPasses, def->colourFormat, stencilFormat(draw->device),
                                &draw->pipelines, error) &&
           createModels(draw, error) && createCharacters(draw, error) && createFrames(draw, error) &&
           spineDrawResize(draw, def->width, def->height, error) &&
           (!def->paint.type || spineDrawSetPaint(draw, &def->paint, error));
}

bool spineDrawSetPaint(SpineDraw *draw, const Paint *paint, EngineError *error) {
    bool good = deviceWait(draw->device, error);
    for (uint32_t m = 0; m < draw->modelCount && good; m++) {
        good = spineSkinnedModelPaint(draw->device, paint, &draw->models[m], error);
    }
    draw->painted = good ? paint->type != NULL : draw->painted;
    return good;
}

SpineDraw *spineDrawCreate(Device *device, Skinning *skinning, const SpineDrawDef *def, EngineError *error) {
    SpineDraw *draw = engineAllocate(1, sizeof *draw, error);
    if (!draw) {
        return NULL;
    }
    draw->device = device;
    draw->skinning = skinning;
    draw->inPasses = def->system == SKIN_SYSTEM_UNIFORM_2D;
    draw->allShows = def->shows;
    if (!create(draw, def, error)) {
        spineDrawDestroy(draw);
        return NULL;
    }
    return draw;
}

void spineDrawDestroy(SpineDraw *draw) {
    if (!draw) {
        return;
    }
    vkDestroyDescriptorPool(draw->device->handle, draw->pool, NULL);
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++) {
        spineInputDestroy(draw->device, &draw->frames[i]);
    }
    for (uint32_t m = 0; m < draw->modelCount; m++) {
        spineSkinnedModelDestroy(draw->skinning, &draw->models[m]);
    }
    spinePipelinesDestroy(draw->device, &draw->pipelines);
    imageDestroy(draw->device, &draw->stencil);
    void *const arrays[] = {draw->models,
                            draw->pageSets,
                            draw->jobs,
                            draw->commands,
                            draw->instances,
                            draw->outputs,
                            draw->palettes,
                            draw->paletteData,
                            draw->boneCounts,
                            draw->weights,
                            draw->batches[SPINE_LIST_SLOTS].items,
                            draw->batches[SPINE_LIST_EDGES].items};
    for (size_t i = 0; i < COUNT_OF(arrays); i++) {
        free(arrays[i]);
    }
    free(draw);
}

/* ---- A frame ---- */

/* The next instance, colours and weights of each model. */
static bool beginJobs(SpineDraw *draw, const SpineCharacter *characters, uint32_t count, EngineError *error) {
    const SpineInput *frame = &draw->frames[draw->slot];
    uint32_t slots = 0;
    float *weights = draw->weights;
    for (uint32_t m = 0; m < draw->modelCount; m++) {
        draw->models[m].used = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        SpineSkinnedModel *model = &draw->models[characters[i].model];
        const uint32_t number = model->used++;
        if (number == model->count) {
            return engineFail(error, "more characters in a frame than %u", model->count);
        }
        draw->jobs[i] =
            (Job){.character = &characters[i],
                  .model = model,
                  .weights = weights,
                  .colours = (float *)frame->buffers[SPINE_INPUT_COLOURS].mapped + (size_t)slots * SPINE_SLOT_FLOATS,
                  .place = {model->firstSource + (model->mesh.morphCount > 0 ? number * model->mesh.vertexCount : 0),
                            2 * slots}};
        draw->boneCounts[i] = model->spine->boneCount;
        draw->instances[i] = model->instances ? model->instances[number] : (VkskinInstance){0};
        slots += model->spine->slotCount;
        weights += model->mesh.morphCount;
    }
    return true;
}

static bool placeBones(SpineDraw *draw, EngineError *error) {
    const VkskinResult result =
        draw->inPasses ? VKSKIN_SUCCESS
                       : vkskinAllocatePalettes(draw->skinning->context, VKSKIN_PALETTE_MAT2X3, draw->boneCounts, 0,
                                                draw->characterCount, draw->palettes, draw->paletteData);
    for (uint32_t i = 0; i < draw->characterCount && result >= 0; i++) {
        char *blocks = draw->frames[draw->slot].buffers[SPINE_INPUT_BONES].mapped;
        draw->jobs[i].palette =
            draw->inPasses ? (float *)(void *)(blocks + i * draw->sizes.boneStride) : draw->paletteData[i];
    }
    return check(draw, result, "placing the bones", error);
}

/* A task: all but indices, which need to know how many those before have. */
static void poseCharacter(void *data, uint32_t index) {
    SpineDraw *draw = data;
    Job *job = &draw->jobs[index];
    const SpineMesh *mesh = &job->model->mesh;
    const SpinePose *pose = job->character->pose;
    spineMeshPose(mesh, pose, &job->character->place, job->palette, job->weights);
    spineListColours(pose, job->colours);
    if (draw->inPasses && mesh->morphCount > 0) {
        SpineSourceVertex *sources = draw->frames[draw->slot].buffers[SPINE_INPUT_SOURCES].mapped;
        spineSourceWrite(mesh, job->weights, sources + job->place.source);
    }
    for (int i = 0; i < SPINE_LIST_COUNT; i++) {
        if (draw->shows & LISTS[i].show) {
            LISTS[i].fill(mesh, pose, &job->lists[i]);
        }
    }
}

static bool skin(SpineDraw *draw, EngineError *error) {
    VkskinContext context = draw->skinning->context;
    for (uint32_t i = 0; i < draw->characterCount; i++) {
        draw->commands[i] = (VkskinSkinCommand){.instance = draw->instances[i],
                                                .palette = draw->palettes[i],
                                                .method = VKSKIN_METHOD_LINEAR_BLEND,
                                                .morphWeights = draw->jobs[i].weights,
                                                .morphWeightCount = draw->jobs[i].model->mesh.morphCount};
    }
    return check(draw, vkskinSkinInstances(context, draw->commands, draw->characterCount, NULL), "skinning", error) &&
           check(draw, vkskinGetOutputs(context, draw->instances, draw->characterCount, draw->outputs), "drawing",
                 error);
}

/* Where each character's vertices are, for the shaders and the lists. */
static void placeCharacters(SpineDraw *draw) {
    SpineCharacterPlace *places = draw->frames[draw->slot].buffers[SPINE_INPUT_PLACES].mapped;
    for (uint32_t i = 0; i < draw->characterCount; i++) {
        Job *job = &draw->jobs[i];
        if (!draw->inPasses) {
            job->place.source = (uint32_t)(draw->outputs[i].positionOffset / sizeof(float));
        }
        places[i] = job->place;
        for (int list = 0; list < SPINE_LIST_COUNT; list++) {
            job->lists[list].model = job->character->model;
            job->lists[list].source = draw->inPasses ? i : draw->outputs[i].page;
            job->lists[list].firstVertex = i << draw->sizes.vertexBits;
        }
    }
}

static bool reserve(Batches *batches, uint32_t count, EngineError *error) {
    if (count > batches->capacity) {
        free(batches->items);
        batches->items = engineAllocate(2 * (size_t)count, sizeof *batches->items, error);
        batches->capacity = batches->items ? 2 * count : 0;
    }
    return batches->capacity >= count;
}

/* Gives each counted list its place among all indices and batches. */
static bool placeLists(SpineDraw *draw, int list, EngineError *error) {
    Batches *batches = &draw->batches[list];
    uint32_t *indices = draw->frames[draw->slot].buffers[list].mapped;
    uint32_t indexCount = 0, batchCount = 0;
    for (uint32_t i = 0; i < draw->characterCount; i++) {
        batchCount += draw->jobs[i].lists[list].batchCount;
    }
    if (!reserve(batches, batchCount, error)) {
        return false;
    }
    batches->count = batchCount;
    batchCount = 0;
    for (uint32_t i = 0; i < draw->characterCount; i++) {
        SpineList *own = &draw->jobs[i].lists[list];
        own->firstIndex = indexCount;
        own->indices = indices + indexCount;
        own->batches = batches->items + batchCount;
        indexCount += own->indexCount;
        batchCount += own->batchCount;
    }
    return true;
}

/* A task. */
static void listCharacter(void *data, uint32_t index) {
    SpineDraw *draw = data;
    Job *job = &draw->jobs[index];
    for (int i = 0; i < SPINE_LIST_COUNT; i++) {
        if (job->lists[i].batchCount > 0) {
            LISTS[i].fill(&job->model->mesh, job->character->pose, &job->lists[i]);
        }
    }
}

static void listJoints(SpineDraw *draw) {
    SpineJointVertex *vertices = draw->frames[draw->slot].buffers[SPINE_INPUT_JOINTS].mapped;
    for (SpineJointKind kind = 0; kind < SPINE_JOINT_KINDS; kind++) {
        draw->jointCounts[kind] = 0;
        for (uint32_t i = 0; i < draw->characterCount && draw->shows & JOINTS[kind].show; i++) {
            const SpineCharacter *character = draw->jobs[i].character;
            const uint32_t count = spineListJoints(character->pose, &character->place, kind, vertices);
            draw->jointCounts[kind] += count;
            vertices += count;
        }
    }
}

bool spineDrawPrepare(SpineDraw *draw, uint32_t slot, const SpineCharacter *characters, uint32_t count, uint32_t shows,
                      EngineError *error) {
    draw->slot = slot;
    draw->shows = shows & draw->allShows;
    draw->characterCount = 0;
    if (!beginJobs(draw, characters, count, error)) {
        return false;
    }
    draw->characterCount = count;
    if (!placeBones(draw, error)) {
        return false;
    }
    parallelRun(&draw->skinning->pool, count, poseCharacter, draw);
    if ((!draw->inPasses && !skin(draw, error)) || !placeLists(draw, SPINE_LIST_SLOTS, error) ||
        !placeLists(draw, SPINE_LIST_EDGES, error)) {
        return false;
    }
    placeCharacters(draw);
    parallelRun(&draw->skinning->pool, count, listCharacter, draw);
    for (int i = 0; i < SPINE_LIST_COUNT; i++) {
        draw->batches[i].count = spineListJoin(draw->batches[i].items, draw->batches[i].count);
    }
    if (draw->shows & SHOW_BONES) {
        listJoints(draw);
    }
    return true;
}

/* ---- The pass ---- */

static void beginPass(SpineDraw *draw, VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                      const float background[4]) {
    VkRenderingAttachmentInfo colour = targetColourAttachment(target, image);
    const VkRenderingAttachmentInfo stencil =
        passAttachment(draw->stencil.view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                       VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_DONT_CARE);
    memcpy(colour.clearValue.color.float32, background, 4 * sizeof *background);
    imageDiscard(commandBuffer, image->image, image->before, IMAGE_COLOUR);
    imageDiscard(commandBuffer, draw->stencil.handle, IMAGE_DEPTH_STENCIL, IMAGE_DEPTH_STENCIL);
    if (target->colour.handle) {
        imageDiscard(commandBuffer, target->colour.handle, IMAGE_COLOUR, IMAGE_COLOUR);
    }
    passBegin(commandBuffer, target->width, target->height, &colour, NULL, &stencil);
}

static void push(const SpineDraw *draw, VkCommandBuffer commandBuffer, const Target *target,
                 const SpineCamera *camera) {
    const double y = -2.0 / camera->height, x = 2.0 / camera->height * target->height / target->width;
    const SpinePush values = {.scale = {(float)x, (float)y},
                              .offset = {(float)(-camera->centre[0] * x), (float)(-camera->centre[1] * y)},
                              .pixel = (float)(camera->height / target->height),
                              .vertexBits = draw->sizes.vertexBits};
    vkCmdPushConstants(commandBuffer, draw->pipelines.layout, DRAW_PUSH_STAGES, 0, sizeof values, &values);
}

static void pushColour(const SpineDraw *draw, VkCommandBuffer commandBuffer, const float colour[4]) {
    vkCmdPushConstants(commandBuffer, draw->pipelines.layout, DRAW_PUSH_STAGES, offsetof(SpinePush, colour),
                       4 * sizeof *colour, colour);
}

static void bindSet(const SpineDraw *draw, VkCommandBuffer commandBuffer, uint32_t number, VkDescriptorSet set) {
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines.layout, number, 1, &set, 0,
                            NULL);
}

/* The vertices: an output page, or the uniform block of one character. */
static void bindSource(const SpineDraw *draw, VkCommandBuffer commandBuffer, uint32_t source) {
    const SpineInput *frame = &draw->frames[draw->slot];
    const uint32_t offset = draw->inPasses ? (uint32_t)(source * draw->sizes.boneStride) : 0;
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines.layout,
                            RASTER_SET_SPINE_FRAME, 1, &frame->set, draw->inPasses ? 1 : 0, &offset);
    bindSet(draw, commandBuffer, RASTER_SET_SPINE_VERTICES, draw->inPasses ? frame->sourceSet : draw->pageSets[source]);
}

static void bindPicture(const SpineDraw *draw, VkCommandBuffer commandBuffer, const SpineBatch *batch) {
    const SpineSkinnedModel *model = &draw->models[batch->model];
    bindSet(draw, commandBuffer, RASTER_SET_SPINE_PICTURE,
            model->sets[batch->page >= 0 ? (uint32_t)batch->page : model->spine->pageCount]);
}

static uint32_t pipelineOf(const SpineDraw *draw, const SpineBatch *batch, int list) {
    return list == SPINE_LIST_EDGES ? SPINE_PIPELINE_WIREFRAME
           : batch->clips           ? SPINE_PIPELINE_CLIP
           : draw->painted          ? SPINE_BLEND_NORMAL
                                    : batch->blend;
}

static void drawList(SpineDraw *draw, VkCommandBuffer commandBuffer, int list) {
    const Batches *batches = &draw->batches[list];
    vkCmdBindIndexBuffer(commandBuffer, draw->frames[draw->slot].buffers[list].handle, 0, VK_INDEX_TYPE_UINT32);
    const SpineBatch *last = NULL;
    for (uint32_t i = 0; i < batches->count; i++) {
        const SpineBatch *batch = &batches->items[i];
        if (!last || pipelineOf(draw, batch, list) != pipelineOf(draw, last, list)) {
            vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS,
                              draw->pipelines.pipelines[pipelineOf(draw, batch, list)]);
        }
        if (!last || batch->source != last->source) {
            bindSource(draw, commandBuffer, batch->source);
        }
        if (!last || batch->model != last->model || batch->page != last->page) {
            bindPicture(draw, commandBuffer, batch);
        }
        vkCmdSetStencilReference(commandBuffer, VK_STENCIL_FACE_FRONT_AND_BACK, batch->clipped ? 1 : 0);
        vkCmdDrawIndexed(commandBuffer, batch->range.count, 1, batch->range.first, 0, 0);
        last = batch;
    }
    draw->calls += batches->count;
}

static void drawJoints(SpineDraw *draw, VkCommandBuffer commandBuffer) {
    static const VkDeviceSize offset = 0;
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipelines.pipelines[SPINE_PIPELINE_JOINTS]);
    vkCmdSetStencilReference(commandBuffer, VK_STENCIL_FACE_FRONT_AND_BACK, 0);
    vkCmdBindVertexBuffers(commandBuffer, 0, 1, &draw->frames[draw->slot].buffers[SPINE_INPUT_JOINTS].handle, &offset);
    for (uint32_t kind = 0, first = 0; kind < SPINE_JOINT_KINDS; first += draw->jointCounts[kind++]) {
        if (draw->jointCounts[kind] > 0) {
            pushColour(draw, commandBuffer, JOINTS[kind].colour);
            vkCmdDraw(commandBuffer, draw->jointCounts[kind], 1, first, 0);
            draw->calls++;
        }
    }
}

void spineDrawRecord(SpineDraw *draw, VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                     const SpineCamera *camera, const float background[4]) {
    deviceBeginLabel(draw->device, commandBuffer, "2D models");
    beginPass(draw, commandBuffer, target, image, background);
    push(draw, commandBuffer, target, camera);
    draw->calls = 0;
    drawList(draw, commandBuffer, SPINE_LIST_SLOTS);
    pushColour(draw, commandBuffer, WIREFRAME_COLOUR);
    drawList(draw, commandBuffer, SPINE_LIST_EDGES);
    if (draw->shows & SHOW_BONES) {
        drawJoints(draw, commandBuffer);
    }
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, image->image, IMAGE_COLOUR, image->after);
    deviceEndLabel(draw->device, commandBuffer);
}

uint32_t spineDrawCalls(const SpineDraw *draw) {
    return draw->calls;
}

VkskinInstance spineDrawInstance(const SpineDraw *draw, uint32_t character) {
    return draw->instances[character];
}

uint32_t spineDrawTrimmed(const SpineDraw *draw, uint32_t model) {
    return draw->inPasses ? spineSourceTrimmed(&draw->models[model].mesh) : 0;
}

uint32_t spineDrawVertices(const SpineDraw *draw, uint32_t model) {
    return draw->models[model].mesh.vertexCount;
}
