#include "scene.h"

#include <stdlib.h>

#include "frames.h"
#include "model_mesh.h"

/* Limits of VkskinContextDef. */
#define MORPH_WEIGHTS_MAX 16777216u
#define PALETTE_BYTES_MAX ((VkDeviceSize)1 << 40)

#define SCOPES 64u /* each crowd of SKIN_SYSTEM_CROWD records three */

/* What the context needs for the population. */
typedef struct Needs {
    uint32_t instances;
    VkDeviceSize paletteBytes; /* per frame */
    uint64_t morphWeights;     /* maximum entries used by commands per frame */
    uint64_t vertices;         /* vertices of all instances */
} Needs;

/* Else each pass skins. */
static bool isDrawnSkinned(const Scene *scene) {
    return skinSystemSkinsOnce(scene->skin.system);
}

static bool hasInstances(const Scene *scene) {
    return scene->skin.system == SKIN_SYSTEM_COMPUTE;
}

/* Largest palette stride of the modes that characters may use. */
static uint32_t largestStride(uint32_t modes) {
    uint32_t largest = 0;
    for (uint32_t mode = 0; mode < SKIN_MODE_COUNT; mode++) {
        uint32_t stride = (modes & 1u << mode) ? vkskinPaletteStride(skinModeEncoding((SkinMode)mode)) : 0;
        largest = stride > largest ? stride : largest;
    }
    return largest;
}

static Needs needsOf(const SceneDef *def, uint32_t count, uint32_t modes) {
    Needs needs = {0};
    const uint32_t stride = largestStride(modes);
    for (uint32_t kind = 0; kind < def->modelCount; kind++) {
        const Model *model = def->models[kind];
        uint32_t characters = count / def->modelCount + (kind < count % def->modelCount ? 1 : 0);
        needs.instances += characters * model->partCount;
        for (uint32_t part = 0; part < model->partCount; part++) { /* at most one palette per part */
            const ModelMesh *mesh = &model->meshes[model->parts[part].mesh];
            needs.vertices += (uint64_t)characters * mesh->vertexCount;
            /* Plus one for the command. */
            needs.morphWeights += mesh->morphCount > 0 ? (uint64_t)characters * (mesh->morphCount + 1) : 0;
            VkDeviceSize palette = (VkDeviceSize)model->skins[model->parts[part].skin].boneCount * stride;
            needs.paletteBytes += characters * ((palette + 15) / 16 * 16); /* palettes are aligned to 16 bytes */
        }
    }
    return needs;
}

/* Other systems have palettes of their own. */
static bool usesRing(const Scene *scene) {
    return hasInstances(scene) || scene->skin.system == SKIN_SYSTEM_VERTEX_BUFFER;
}

/* Some drivers report more memory than exists; the system would then kill the process. */
static bool checkMemory(const Device *device, VkDeviceSize needed, uint32_t count, EngineError *error) {
    VkDeviceSize largest = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; i++) {
        VkDeviceSize size = device->memory.memoryHeaps[i].size;
        largest = size > largest ? size : largest;
    }
    return needed <= largest ||
           engineFail(error, "a crowd of %u needs at least %llu MiB of memory; the largest heap of '%.100s' has %llu%s",
                      count, (unsigned long long)(needed >> 20), device->info.name, (unsigned long long)(largest >> 20),
                      count > 1 ? "; a smaller --count needs less" : "");
}

static bool createSkinning(Scene *scene, const SceneDef *def, uint32_t count, EngineError *error) {
    const Needs needs = needsOf(def, count, scene->modes);
    bool byCpu = skinningBackend(scene->device, scene->skin.backend) == VKSKIN_BACKEND_CPU;
    uint32_t regions = !hasInstances(scene) ? 0 : byCpu ? FRAMES_IN_FLIGHT : 1;
    const VkDeviceSize vertexBytes = def->format == VKSKIN_VERTEX_FLOAT ? 24 : 16; /* position and normal */
    /* The palettes of a crowd belong to its slots: its creation counts them. */
    const VkDeviceSize palettes = scene->skin.system == SKIN_SYSTEM_CROWD ? 0 : needs.paletteBytes * FRAMES_IN_FLIGHT;
    VkDeviceSize leastBytes = needs.vertices * vertexBytes * regions + palettes;
    if (!checkMemory(scene->device, leastBytes, count, error)) {
        return false;
    }
    VkskinContextDef context = vkskinDefaultContextDef();
    context.backend = scene->skin.backend;
    context.paletteStages = isDrawnSkinned(scene) ? 0 : VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    context.tuning = def->tuning;
    context.checkPalettes = count == 1; /* checks would change measured times */
    context.framesInFlight = FRAMES_IN_FLIGHT;
    context.memory.maxInstances = needs.instances;
    context.memory.maxMorphWeights =
        (uint32_t)(needs.morphWeights < MORPH_WEIGHTS_MAX ? needs.morphWeights : MORPH_WEIGHTS_MAX);
    context.memory.pageSize = def->pageSize ? def->pageSize : context.memory.pageSize;
    context.memory.paletteBytesPerFrame = usesRing(scene) && needs.paletteBytes > 48 ? needs.paletteBytes : 48;
    context.memory.maxPaletteBytesPerFrame = PALETTE_BYTES_MAX;
    context.maxTimingScopes = SCOPES;
    context.outputUsage |= def->readback ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT : 0u;
    scene->skinning = skinningCreate(scene->device, &context, error);
    return scene->skinning != NULL;
}

static bool createModels(Scene *scene, const SceneDef *def, EngineError *error) {
    scene->models = engineAllocate(def->modelCount, sizeof(*scene->models), error);
    for (; scene->models && scene->modelCount < def->modelCount; scene->modelCount++) {
        SkinnedModelDef skinned = {.model = def->models[scene->modelCount],
                                   .format = def->format,
                                   .skin = scene->skin,
                                   .modes = scene->modes,
                                   .motion = def->motion,
                                   .progress = def->progress,
                                   .progressUser = def->progressUser};
        scene->models[scene->modelCount] = skinnedModelCreate(scene->skinning, &skinned, error);
        if (!scene->models[scene->modelCount]) {
            return false;
        }
    }
    return scene->models;
}

/* Makes the kernels for the meshes of all models. */
static bool makeKernels(Scene *scene, SkinMode mode, EngineError *error) {
    bool made = true;
    for (uint32_t i = 0; i < scene->modelCount && hasInstances(scene); i++) {
        const SkinnedModel *skinned = scene->models[i];
        for (uint32_t mesh = 0; mesh < skinned->meshCount && made; mesh++) {
            made = skinningMakeKernels(scene->skinning, skinModeMethod(mode), skinModeEncoding(mode),
                                       &skinned->meshes[mesh].mesh, error);
        }
    }
    return made;
}

Scene *sceneCreate(Device *device, const SceneDef *def, EngineError *error) {
    Scene *scene = calloc(1, sizeof(*scene));
    if (!scene || def->modelCount == 0) {
        engineFail(error, scene ? "a scene needs at least one model" : "out of memory");
        free(scene);
        return NULL;
    }
    scene->device = device;
    scene->skin = skinChoiceComplete(&def->skin);
    scene->modes = 1u << scene->skin.mode | (hasInstances(scene) ? def->otherModes : 0u);
    scene->motion = def->motion;
    scene->format = def->format;
    uint32_t count = def->count ? def->count : 1;
    if (createSkinning(scene, def, count, error) && createModels(scene, def, error) &&
        makeKernels(scene, scene->skin.mode, error)) {
        scene->populationDef = (PopulationDef){.models = scene->models,
                                               .modelCount = scene->modelCount,
                                               .count = count,
                                               .seed = def->seed,
                                               .placement = def->placement,
                                               .tint = def->tint,
                                               .clips = def->clips,
                                               .skin = scene->skin,
                                               .wrap = def->wrap};
        scene->population = populationCreate(scene->skinning, &scene->populationDef, error);
    }
    if (!scene->population) {
        sceneDestroy(scene);
        return NULL;
    }
    return scene;
}

void sceneDestroy(Scene *scene) {
    if (!scene) {
        return;
    }
    vkDeviceWaitIdle(scene->device->handle); /* failures are ignored: a lost device is destroyed the same way */
    populationDestroy(scene->population);
    for (uint32_t i = 0; i < scene->modelCount; i++) {
        skinnedModelDestroy(scene->models[i]);
    }
    free(scene->models);
    skinningDestroy(scene->skinning);
    free(scene);
}

ModelPackTotals scenePackTotals(const Scene *scene) {
    ModelPackTotals totals = {0};
    for (uint32_t i = 0; i < scene->modelCount; i++) {
        const SkinnedModel *skinned = scene->models[i];
        if (skinned->packed.block) {
            const ModelPackTotals own = modelPackTotals(skinned->model, &skinned->packed);
            totals.sourceBytes += own.sourceBytes;
            totals.bytes += own.bytes;
            totals.error = own.error > totals.error ? own.error : totals.error;
        }
    }
    return totals;
}

bool sceneWeights(const Scene *scene, SceneWeights *weights, EngineError *error) {
    *weights = (SceneWeights){0};
    for (uint32_t i = 0; i < scene->modelCount; i++) {
        const SkinnedModel *skinned = scene->models[i];
        for (uint32_t mesh = 0; mesh < skinned->meshCount; mesh++) {
            VkskinMeshInfo info;
            VkskinResult result = vkskinGetMeshInfo(scene->skinning->context, skinned->meshes[mesh].mesh, &info);
            if (result < 0) {
                return skinningFail(scene->skinning, error, "reading a mesh's weights", result);
            }
            weights->influences = info.influences > weights->influences ? info.influences : weights->influences;
            weights->trimmed = info.trimmedWeight > weights->trimmed ? info.trimmedWeight : weights->trimmed;
            float off = info.weightError * (float)modelStretch(skinned->model, mesh);
            if (off > weights->error) {
                weights->error = off;
                weights->worst = i;
            }
        }
    }
    return true;
}

bool sceneChangeMode(Scene *scene, SkinMode mode, EngineError *error) {
    if (!makeKernels(scene, mode, error)) {
        return false;
    }
    for (uint32_t i = 0; i < scene->population->characterCount; i++) {
        scene->population->characters[i].mode = mode;
    }
    return true;
}

/* ---- Other models ---- */

static bool checkSameParts(const Model *old, const Model *model, EngineError *error) {
    bool same = model->meshCount == old->meshCount && model->partCount == old->partCount;
    for (uint32_t i = 0; same && i < model->partCount; i++) {
        same = model->parts[i].mesh == old->parts[i].mesh;
    }
    if (!same) {
        return engineFail(error, "it has other meshes than before");
    }
    for (uint32_t i = 0; i < model->meshCount; i++) {
        if (model->meshes[i].morphCount != old->meshes[i].morphCount) {
            return engineFail(error, "mesh '%.200s' has %u morph targets, %u before", model->meshes[i].name,
                              model->meshes[i].morphCount, old->meshes[i].morphCount);
        }
    }
    return true;
}

/* After a failure the old model must be shown in the same way. */
static bool showModel(Scene *scene, uint32_t kind, const Model *model, EngineError *error) {
    SkinnedModel *old = scene->models[kind];
    const SkinnedModelDef def = {.model = model,
                                 .replaced = old,
                                 .format = scene->format,
                                 .skin = scene->skin,
                                 .modes = scene->modes,
                                 .motion = scene->motion};
    SkinnedModel *made = skinnedModelCreate(scene->skinning, &def, error);
    if (!made) {
        return false;
    }
    scene->models[kind] = made;
    bool shown = populationReplaceModel(scene->population, kind, made, &scene->populationDef, error) &&
                 makeKernels(scene, scene->population->characters[0].mode, error);
    skinnedModelDestroy(old);
    return shown;
}

SceneReplaced sceneReplaceModel(Scene *scene, uint32_t kind, const Model *model, EngineError *error) {
    const Model *old = scene->models[kind]->model;
    EngineError second; /* the first message counts */
    if (!checkSameParts(old, model, error)) {
        return SCENE_REFUSED;
    }
    vkDeviceWaitIdle(scene->device->handle); /* failures are ignored: the next frame reports a lost device */
    if (scene->population->palettes.release) {
        scene->population->palettes.release(scene->population->palettes.user);
    }
    return showModel(scene, kind, model, error)   ? SCENE_REPLACED
           : showModel(scene, kind, old, &second) ? SCENE_KEPT
                                                  : SCENE_LOST;
}

/* ---- Frames ---- */

bool sceneBeginFrame(Scene *scene, uint32_t slot, EngineError *error) {
    VkskinResult result = vkskinBeginFrame(scene->skinning->context, slot);
    scene->population->frameSlot = slot;
    return result >= 0 || skinningFail(scene->skinning, error, "beginning a frame", result);
}

bool sceneRecordSkinning(Scene *scene, uint32_t slot, VkCommandBuffer commandBuffer, double clock, EngineError *error) {
    if (!sceneBeginFrame(scene, slot, error) || !populationPose(scene->population, clock, error) ||
        !populationSkin(scene->population, error)) {
        return false;
    }
    VkskinResult result = vkskinRecordSkinning(scene->skinning->context, commandBuffer);
    return result >= 0 || skinningFail(scene->skinning, error, "recording skinning", result);
}

bool sceneSkinOnce(Scene *scene, double clock, EngineError *error) {
    VkCommandBuffer commandBuffer = immediateBegin(scene->device, error);
    if (!commandBuffer) {
        return false;
    }
    uint32_t slot = scene->nextSlot;
    scene->nextSlot = (slot + 1) % FRAMES_IN_FLIGHT;
    bool recorded = sceneRecordSkinning(scene, slot, commandBuffer, clock, error);
    EngineError submission; /* the first message counts */
    bool submitted = immediateEnd(scene->device, commandBuffer, recorded ? error : &submission);
    return recorded && submitted;
}
