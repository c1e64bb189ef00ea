#include "system.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_levels.h"

#define LIST_TYPE(system, name, help) [SKIN_SYSTEM_##system] = &system##_TYPE,
static const SystemType *const TYPES[SKIN_SYSTEM_COUNT] = {SKIN_SYSTEMS(LIST_TYPE)};

const SystemType *systemType(SkinSystem system) {
    return TYPES[system];
}

/* Whether the vertex shader of each pass skins. */
static bool skinsInPasses(const SystemType *type) {
    return type->shader && !type->pulls;
}

/* ---- For systems ---- */

bool systemFail(const SkinChoice *skin, EngineError *error, const char *format, ...) {
    char text[ENGINE_ERROR_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    return engineFail(error, "system '%s': %s", SKIN_SYSTEM_NAMES[skin->system], text);
}

void systemRemark(System *system, const char *format, ...) {
    SystemStats *stats = &system->stats;
    char text[SYSTEM_REMARK_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    for (uint32_t i = 0; i < stats->remarkCount; i++) {
        if (strcmp(stats->remarks[i], text) == 0) {
            return;
        }
    }
    if (stats->remarkCount < SYSTEM_REMARKS_MAX) {
        memcpy(stats->remarks[stats->remarkCount++], text, sizeof(text));
    }
}

bool systemCheckFormat(const SystemNeed *need, VkFormat format, const char *name, EngineError *error) {
    const VkFormatFeatureFlags wanted = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(need->device->physical, format, &properties);
    return (properties.optimalTilingFeatures & wanted) == wanted ||
           systemFail(need->skin, error, "shaders of '%.100s' cannot read images of %s (SAMPLED_IMAGE, TRANSFER_DST)",
                      need->device->info.name, name);
}

uint32_t systemBonesBefore(const SkinnedModel *skinned, uint32_t palette) {
    uint32_t bones = 0;
    for (uint32_t i = 0; i < palette; i++) {
        bones += skinned->palettes[i].boneCount;
    }
    return bones;
}

void systemBindSet(VkCommandBuffer commandBuffer, VkPipelineLayout layout, VkDescriptorSet set) {
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, RASTER_SET_PAGE, 1, &set, 0, NULL);
}

/* ---- Checks ---- */

static bool checkMesh(const SystemNeed *need, const ModelMesh *mesh, EngineError *error) {
    if (mesh->morphCount > 0) {
        return systemFail(need->skin, error, "mesh '%.100s' has %u morph targets; '--system compute' applies them",
                          mesh->name, mesh->morphCount);
    }
    return mesh->boneCount <= SOURCE_JOINTS_MAX ||
           systemFail(need->skin, error, "mesh '%.100s' has %u bones; joints of 16 bits number %u", mesh->name,
                      mesh->boneCount, SOURCE_JOINTS_MAX);
}

bool systemCheckChoice(const SkinChoice *skin, EngineError *error) {
    const SystemType *type = systemType(skin->system);
    if ((type->modes & 1u << skin->mode) == 0) {
        return systemFail(skin, error, "it has no method '%s'", SKIN_MODE_NAMES[skin->mode]);
    }
    return !skinsInPasses(type) || skin->weights == VKSKIN_WEIGHTS_FLOAT ||
           systemFail(skin, error, "it has weights as floats only");
}

bool systemCheck(const SystemNeed *need, EngineError *error) {
    const SystemType *type = systemType(need->skin->system);
    if (!systemCheckChoice(need->skin, error)) {
        return false;
    }
    for (uint32_t i = 0; skinsInPasses(type) && i < need->modelCount; i++) {
        for (uint32_t mesh = 0; mesh < need->models[i]->meshCount; mesh++) {
            if (!checkMesh(need, &need->models[i]->meshes[mesh], error)) {
                return false;
            }
        }
    }
    return !type->check || type->check(need, error);
}

static bool checkCrowd(const Device *device, const Population *population, EngineError *error) {
    const Model **models = engineAllocate(population->modelCount, sizeof(*models), error);
    for (uint32_t kind = 0; models && kind < population->modelCount; kind++) {
        models[kind] = population->models[kind]->model;
    }
    const SystemNeed need = {device, &population->skin, models, population->modelCount, population->characterCount};
    const bool good = models && systemCheck(&need, error);
    free(models);
    return good;
}

/* ---- Meshes ---- */

/* Whether a part that shows the mesh is blended: the order of its triangles is then visible. */
static bool isBlended(const SkinnedModel *skinned, uint32_t mesh) {
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        if (skinned->parts[i].modelMesh == mesh && skinned->parts[i].look == SKINNED_LOOK_BLENDED) {
            return true;
        }
    }
    return false;
}

static bool createSource(System *system, const SkinnedModel *skinned, uint32_t index, SourceMesh *mesh,
                         EngineError *error) {
    const SystemType *type = system->type;
    const SourceMeshDef def = {
        .model = skinned->model,
        .mesh = index,
        .streams = &skinned->meshes[index],
        .maxInfluences = system->skin.maxInfluences,
        .endsByNegative = type->joints == VK_FORMAT_R16G16B16A16_SINT,
        .byInfluences = type->byInfluences,
        .keepsOrder = isBlended(skinned, index),
        .maxBones = system->constants.bones,
    };
    if (!sourceMeshCreate(system->population->skinning, &def, mesh, error)) {
        char where[64];
        snprintf(where, sizeof(where), "system '%s'", SKIN_SYSTEM_NAMES[system->skin.system]);
        return engineFailAt(error, where);
    }
    if (def.keepsOrder && mesh->pieceCount > 1) {
        systemRemark(system, "blended mesh '%.60s' is split: its triangles are drawn in another order",
                     skinned->model->meshes[index].name);
    }
    return true;
}

/* A mesh that is drawn from skinned vertices. The piece lives behind the meshes. */
static void describePulled(const SkinnedMesh *mesh, SystemPiece *piece, SystemMesh *drawn) {
    *piece = (SystemPiece){.indexCount = mesh->indexCount};
    *drawn = (SystemMesh){.texcoords = mesh->texcoords.handle,
                          .colours = mesh->colours.handle,
                          .indices = mesh->indices.handle,
                          .indexType = mesh->indexType,
                          .pieceCount = mesh->indexCount > 0 ? 1 : 0,
                          .pieces = piece,
                          .vertexCount = mesh->vertexCount};
}

static void countPieces(System *system) {
    for (uint32_t kind = 0; kind < system->population->modelCount; kind++) {
        const SkinnedModel *skinned = system->population->models[kind];
        for (uint32_t part = 0; part < skinned->partCount; part++) {
            const SystemMesh *mesh = &system->meshes[kind][skinned->parts[part].modelMesh];
            system->stats.piecesPerFrame += mesh->pieceCount;
            for (uint32_t i = 0; i < mesh->pieceCount; i++) {
                system->variants |= 1u << mesh->pieces[i].variant;
            }
        }
    }
}

uint32_t systemMeshCount(const System *system, uint32_t kind) {
    const SkinnedModel *skinned = system->population->models[kind];
    return skinned->meshCount * (1 + (skinsInPasses(system->type) ? 0 : skinned->levelCount));
}

bool systemEachMesh(const System *system, SystemMeshFn fn, void *user, EngineError *error) {
    bool good = true;
    for (uint32_t kind = 0; kind < system->population->modelCount && good; kind++) {
        const Model *model = system->population->models[kind]->model;
        const uint32_t count = systemMeshCount(system, kind);
        for (uint32_t i = 0; i < count && good; i++) {
            const uint32_t mesh = i % model->meshCount, level = i / model->meshCount;
            ModelMesh made = {.name = NULL};
            good = (level == 0 || modelLodMesh(model, mesh, level - 1, &made, error)) &&
                   fn(user, kind, i, level == 0 ? &model->meshes[mesh] : &made, error);
            modelFreeMesh(&made);
        }
    }
    return good;
}

static bool createKind(System *system, uint32_t kind, EngineError *error) {
    const SkinnedModel *skinned = system->population->models[kind];
    const size_t count = systemMeshCount(system, kind);
    system->meshes[kind] = engineAllocate(count, sizeof(SystemMesh) + sizeof(SystemPiece), error);
    system->sourceMeshes[kind] = engineAllocate(count, sizeof(SourceMesh), error);
    bool made = system->meshes[kind] && system->sourceMeshes[kind];
    for (uint32_t i = 0; made && i < count; i++) {
        SystemMesh *drawn = &system->meshes[kind][i];
        if (skinsInPasses(system->type)) {
            made = createSource(system, skinned, i, &system->sourceMeshes[kind][i], error);
            *drawn = system->sourceMeshes[kind][i].drawn;
        } else {
            const uint32_t level = i / skinned->meshCount;
            const SkinnedMesh *meshes = level == 0 ? skinned->meshes : skinned->levels[level - 1].meshes;
            describePulled(&meshes[i % skinned->meshCount], (SystemPiece *)&system->meshes[kind][count] + i, drawn);
        }
        drawn->number = system->meshCount++;
        drawn->firstVertex = system->vertexCount;
        system->vertexCount += drawn->vertexCount;
    }
    return made;
}

static bool createMeshes(System *system, EngineError *error) {
    const uint32_t kinds = system->population->modelCount;
    system->meshes = engineAllocate(kinds, sizeof(SystemMesh *), error);
    system->sourceMeshes = engineAllocate(kinds, sizeof(SourceMesh *), error);
    bool made = system->meshes && system->sourceMeshes;
    for (uint32_t kind = 0; made && kind < kinds; kind++) {
        made = createKind(system, kind, error);
    }
    if (made) {
        countPieces(system);
    }
    return made;
}

static void destroyMeshes(System *system) {
    for (uint32_t kind = 0; system->sourceMeshes && kind < system->population->modelCount; kind++) {
        for (uint32_t i = 0; system->sourceMeshes[kind] && i < system->population->models[kind]->meshCount; i++) {
            sourceMeshDestroy(system->device, &system->sourceMeshes[kind][i]);
        }
        free(system->sourceMeshes[kind]);
    }
    for (uint32_t kind = 0; system->meshes && kind < system->population->modelCount; kind++) {
        free(system->meshes[kind]);
    }
    free(system->sourceMeshes);
    free(system->meshes);
}

/* ---- The palettes of the crowd ---- */

static void beginFrame(void *user) {
    System *system = user;
    system->stats.uploadBytes = 0;
    if (system->type->begin) {
        system->type->begin(system);
    }
}

static bool placePalettes(void *user, uint32_t kind, const uint32_t *characters, uint32_t count,
                          VkskinPaletteEncoding encoding, void **data, EngineError *error) {
    System *system = user;
    return system->type->place(system, kind, characters, count, encoding, data, error);
}

static bool finishFrame(void *user, EngineError *error) {
    System *system = user;
    return !system->type->finish || system->type->finish(system, error);
}

/* ---- The system ---- */

System *systemCreate(Device *device, Population *population, VkDescriptorSetLayout layout, EngineError *error) {
    const SystemType *type = systemType(population->skin.system);
    System *system = checkCrowd(device, population, error) ? engineAllocate(1, type->size, error) : NULL;
    if (!system) {
        return NULL;
    }
    system->type = type;
    system->device = device;
    system->population = population;
    system->skin = population->skin;
    system->layout = layout;
    system->constants.encoding = skinModeEncoding(population->skin.mode);
    system->constants.exactNormals = population->skin.normals == VKSKIN_NORMALS_EXACT;
    system->constants.pair = population->skin.textureLayout == SKIN_TEXTURE_PAIR;
    system->stats.bytesPerBone = vkskinPaletteStride(skinModeEncoding(population->skin.mode));
    if (type->prepare) {
        type->prepare(system);
    }
    if (!createMeshes(system, error) || (type->create && !type->create(system, error))) {
        systemDestroy(system);
        return NULL;
    }
    if (type->place) {
        population->palettes = (PopulationPalettes){.user = system,
                                                    .begin = beginFrame,
                                                    .place = placePalettes,
                                                    .finish = finishFrame,
                                                    .keepsScale = type->keepsScale,
                                                    .name = SKIN_SYSTEM_NAMES[population->skin.system]};
    }
    return system;
}

void systemDestroy(System *system) {
    if (!system) {
        return;
    }
    if (system->population->palettes.user == system) {
        system->population->palettes = (PopulationPalettes){0};
    }
    if (system->type->destroy) {
        system->type->destroy(system);
    }
    destroyMeshes(system);
    free(system);
}

bool systemUpload(System *system, VkCommandBuffer commandBuffer, EngineError *error) {
    return !system->type->upload || system->type->upload(system, commandBuffer, error);
}

bool systemSources(System *system, SystemPart *parts, uint32_t count, EngineError *error) {
    return system->type->sources(system, parts, count, error);
}

void systemBind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                const SystemPiece *piece) {
    system->type->bind(system, commandBuffer, layout, page, piece);
}
