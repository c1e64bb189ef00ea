#include "skinned_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_levels.h"
#include "model_mesh.h"
#include "vkskin/vkskin_crowd.h"

/* ---- The library's mesh ---- */

/* [vertexCount] */
static float *createBlendWeights(const ModelMesh *source, float blend, EngineError *error) {
    float *weights = engineAllocate(source->vertexCount, sizeof(*weights), error);
    for (uint32_t i = 0; i < source->vertexCount && weights; i++) {
        weights[i] = blend;
    }
    return weights;
}

static void *createCentres(Skinning *skinning, const SkinnedModelDef *def, const ModelMesh *source, size_t size,
                           EngineError *error) {
    VkskinMeshDef mesh = meshDefOfModel(source);
    const VkskinPrepareRun run = {.parallel = parallelFor,
                                  .progress = def->progress,
                                  .progressUser = def->progressUser,
                                  .logger = skinning->logger};
    void *centres = engineAllocate(1, size, error);
    VkskinResult result = centres ? vkskinComputeCentres(&mesh, &run, centres, size) : VKSKIN_SUCCESS;
    if (result < 0) {
        skinningFail(skinning, error, source->name, result);
        free(centres);
        centres = NULL;
    }
    return centres;
}

/* Creates the mesh, or replaces the data of the one that *mesh is already.
 * Adds the data that the modes of the def need and the model does not have in the library's form. */
static bool createSkinned(Skinning *skinning, const SkinnedModelDef *def, const ModelMesh *source, VkskinMesh *mesh,
                          EngineError *error) {
    const bool blends = !source->blendWeights && (def->modes & 1u << SKIN_MODE_BLEND) != 0;
    const bool rotates = (def->modes & 1u << SKIN_MODE_COR) != 0;
    const size_t centresSize = rotates ? vkskinCentresSize(source->vertexCount) : 0;
    VkskinMorphTarget *morphs = modelCreateMorphs(source, error);
    float *blendWeights = morphs && blends ? createBlendWeights(source, def->skin.blend, error) : NULL;
    void *centres = morphs && rotates ? createCentres(skinning, def, source, centresSize, error) : NULL;
    bool created = morphs && (blendWeights || !blends) && (centres || !rotates);
    if (created) {
        VkskinMeshDef made = meshDefOfModel(source);
        made.maxInfluences = def->skin.maxInfluences;
        made.weightFormat = def->skin.weights;
        made.format = def->format;
        made.normalRule = def->skin.normals;
        made.previousPositions = def->skin.motion;
        made.blendWeights = blends ? blendWeights : source->blendWeights;
        made.centres = centres;
        made.centresSize = centresSize;
        made.morphTargets = source->morphCount > 0 ? morphs : NULL;
        made.morphTargetCount = source->morphCount;
        VkskinResult result = VKSKIN_IS_NULL(*mesh) ? vkskinCreateMesh(skinning->context, &made, mesh)
                                                    : vkskinReplaceMesh(skinning->context, *mesh, &made);
        created = result >= 0 || skinningFail(skinning, error, source->name, result);
    }
    free(morphs);
    free(blendWeights);
    free(centres);
    return created;
}

static bool describeSkinned(Skinning *skinning, const ModelMesh *source, SkinnedMesh *mesh, EngineError *error) {
    VkskinMeshInfo info = {0};
    const VkskinResult result = vkskinGetMeshInfo(skinning->context, mesh->mesh, &info);
    mesh->format = info.format;
    mesh->hasNormals = info.hasNormals;
    mesh->hasTangents = info.hasTangents;
    return result >= 0 || skinningFail(skinning, error, source->name, result);
}

/* ---- Static streams ---- */

static bool createTexcoords(Device *device, const ModelMesh *source, SkinnedMesh *mesh, EngineError *error) {
    size_t size = (size_t)source->vertexCount * 2 * sizeof(float);
    float *zeros = source->texcoords ? NULL : engineAllocate(1, size, error);
    if (!source->texcoords && !zeros) {
        return false;
    }
    bool made = bufferCreateFilled(device, zeros ? zeros : source->texcoords, size, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                   "texture coordinates", &mesh->texcoords, error);
    free(zeros);
    return made;
}

/* The material of a model without materials. */
static const ModelMaterial PLAIN = {.baseColor = {0.8f, 0.8f, 0.8f, 1.0f},
                                    .specular = {0.04f, 0.04f, 0.04f},
                                    .roughness = 0.6f,
                                    .maps = {-1, -1, -1, -1, -1}};

static SkinnedLook lookOf(const Model *model, const ModelMesh *mesh) {
    const ModelMaterial *material = model->materialCount > 0 ? &model->materials[mesh->material] : &PLAIN;
    if (material->alpha != MODEL_ALPHA_OPAQUE) {
        return material->alpha == MODEL_ALPHA_MASK ? SKINNED_LOOK_MASKED : SKINNED_LOOK_BLENDED;
    }
    bool detailed = mesh->colours;
    for (int map = MODEL_MAP_BASE + 1; map < MODEL_MAP_COUNT; map++) {
        detailed = detailed || material->maps[map] >= 0;
    }
    return detailed ? SKINNED_LOOK_DETAILED : SKINNED_LOOK_PLAIN;
}

/* Plain pipelines read no colours. */
static bool createColours(Device *device, const Model *model, const ModelMesh *source, SkinnedMesh *mesh,
                          EngineError *error) {
    const size_t count = 4 * (size_t)source->vertexCount;
    if (lookOf(model, source) == SKINNED_LOOK_PLAIN) {
        return true;
    }
    uint16_t *colours = engineAllocate(count, sizeof(*colours), error);
    for (size_t i = 0; i < count && colours; i++) {
        colours[i] = source->colours ? (uint16_t)lroundf(source->colours[i] * 65535.0f) : 65535;
    }
    bool made = colours && bufferCreateFilled(device, colours, count * sizeof(*colours),
                                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "colours", &mesh->colours, error);
    free(colours);
    return made;
}

static bool createIndices(Device *device, const ModelMesh *source, SkinnedMesh *mesh, EngineError *error) {
    mesh->indexCount = source->indexCount;
    mesh->vertexCount = source->vertexCount;
    mesh->indexType = source->vertexCount <= 65535 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;
    if (source->indexCount == 0) {
        return true; /* the mesh is skinned, but has nothing to draw */
    }
    if (mesh->indexType == VK_INDEX_TYPE_UINT32) {
        return bufferCreateFilled(device, source->indices, (VkDeviceSize)source->indexCount * sizeof(uint32_t),
                                  VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices", &mesh->indices, error);
    }
    uint16_t *narrow = engineAllocate(source->indexCount, sizeof(*narrow), error);
    if (!narrow) {
        return false;
    }
    for (uint32_t i = 0; i < source->indexCount; i++) {
        narrow[i] = (uint16_t)source->indices[i];
    }
    bool made = bufferCreateFilled(device, narrow, (VkDeviceSize)source->indexCount * sizeof(*narrow),
                                   VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices", &mesh->indices, error);
    free(narrow);
    return made;
}

bool skinnedModelCreateStreams(Device *device, const Model *model, const ModelMesh *source, SkinnedMesh *mesh,
                               EngineError *error) {
    return createTexcoords(device, source, mesh, error) && createColours(device, model, source, mesh, error) &&
           createIndices(device, source, mesh, error);
}

void skinnedModelDestroyStreams(Device *device, SkinnedMesh *mesh) {
    bufferDestroy(device, &mesh->texcoords);
    bufferDestroy(device, &mesh->colours);
    bufferDestroy(device, &mesh->indices);
}

static void destroyMesh(Skinning *skinning, SkinnedMesh *mesh) {
    if (!VKSKIN_IS_NULL(mesh->mesh)) {
        /* Fails only while instances exist; the context then frees the mesh. */
        (void)vkskinDestroyMesh(skinning->context, mesh->mesh);
    }
    skinnedModelDestroyStreams(skinning->device, mesh);
    *mesh = (SkinnedMesh){0};
}

/* *mesh: zero, or with a mesh whose data are replaced. */
static bool createMesh(Skinning *skinning, const SkinnedModelDef *def, const ModelMesh *source, SkinnedMesh *mesh,
                       EngineError *error) {
    return createSkinned(skinning, def, source, &mesh->mesh, error) && describeSkinned(skinning, source, mesh, error) &&
           skinnedModelCreateStreams(skinning->device, def->model, source, mesh, error);
}

/* ---- Posing: skeleton, clips, skins ---- */

static bool createSkeleton(SkinnedModel *skinned, EngineError *error) {
    VkskinResult result = modelCreateSkeleton(skinned->model, NULL, skinned->skinning->logger, &skinned->skeleton);
    return result >= 0 || skinningFail(skinned->skinning, error, "making the skeleton", result);
}

static bool createClips(SkinnedModel *skinned, EngineError *error) {
    const Model *model = skinned->model;
    skinned->clips = engineAllocate(model->clipCount, sizeof(*skinned->clips), error);
    for (; skinned->clips && skinned->clipCount < model->clipCount; skinned->clipCount++) {
        const uint32_t clip = skinned->clipCount;
        VkskinResult result = modelCreateClip(model, clip, NULL, skinned->skinning->logger, &skinned->clips[clip]);
        if (result < 0) {
            return skinningFail(skinned->skinning, error, model->clips[clip].name, result);
        }
    }
    return skinned->clips;
}

/* Maximum error of the clips that are packed here; 0: the clips stay as the model has them. */
static double packError(const Model *model, const SkinChoice *skin) {
    const bool needed = skin->system == SKIN_SYSTEM_CROWD && !model->packed.block;
    return skin->maxError > 0.0 ? skin->maxError : needed ? SKINNED_MODEL_CROWD_ERROR : 0.0;
}

/* Packed clips are those of the model, or made here. */
static bool createSource(SkinnedModel *skinned, const SkinChoice *skin, EngineError *error) {
    const ModelPackDef def = {.millimetres = packError(skinned->model, skin),
                              .parallel = parallelRun,
                              .parallelUser = &skinned->skinning->pool,
                              .logger = skinned->skinning->logger};
    if (def.millimetres <= 0.0) {
        skinned->packed = modelPackBorrow(skinned->model);
    } else if (!modelPack(skinned->model, &def, &skinned->packed, error)) {
        return false;
    }
    skinned->source = (ClipSource){skinned->skeleton, skinned->clipCount, skinned->clips, skinned->packed.block};
    return true;
}

static bool addPalette(SkinnedModel *skinned, uint32_t modelSkin, const VkskinAffine *meshToModel, EngineError *error) {
    SkinnedPalette *palette = &skinned->palettes[skinned->paletteCount];
    VkskinResult result =
        modelCreateSkin(skinned->model, modelSkin, meshToModel, NULL, skinned->skinning->logger, &palette->skin);
    if (result < 0) {
        return skinningFail(skinned->skinning, error, "making a skin", result);
    }
    palette->boneCount = skinned->model->skins[modelSkin].boneCount;
    palette->modelSkin = modelSkin;
    palette->meshToModel = *meshToModel;
    skinned->paletteCount++;
    skinned->bonesPerInstance += palette->boneCount;
    return true;
}

/* ---- Parts and their morph targets ---- */

/* Whether the part's first bone mirrors at rest; a part has one winding, so its other bones agree. */
static bool isMirrored(const Model *model, const ModelPart *part, const VkskinAffine *world) {
    const ModelSkin *skin = &model->skins[part->skin];
    const VkskinAffine bone = vkskinMultiplyAffine(&world[skin->boneNodes[0]], &skin->inverseBinds[0]);
    const float(*m)[4] = bone.m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0.0f;
}

static bool createMorphWeights(SkinnedModel *skinned, const SkinChoice *skin, EngineError *error) {
    const Model *model = skinned->model;
    skinned->morphs = engineAllocate(skinned->morphCount, sizeof(*skinned->morphs), error);
    for (uint32_t i = 0; i < skinned->partCount && skinned->morphs; i++) {
        const SkinnedPart *part = &skinned->parts[i];
        const float *rest = model->parts[i].morphWeights;
        for (uint32_t target = 0; target < part->morphCount; target++) {
            SkinnedMorph *morph = &skinned->morphs[part->firstMorph + target];
            morph->weight = rest ? rest[target] : 0.0f;
            for (uint32_t s = 0; s < skin->morphCount; s++) { /* the last setting wins */
                if (morphSettingIsOf(&skin->morphs[s], model, part->modelMesh, target)) {
                    *morph = (SkinnedMorph){.weight = skin->morphs[s].weight, .fixed = true};
                }
            }
        }
    }
    return skinned->morphs;
}

static bool createParts(SkinnedModel *skinned, EngineError *error) {
    const Model *model = skinned->model;
    ModelPalettes palettes;
    bool made = modelFindPalettes(model, &palettes, error);
    skinned->parts = engineAllocate(model->partCount, sizeof(*skinned->parts), error);
    skinned->palettes = engineAllocate(palettes.count, sizeof(*skinned->palettes), error);
    made = made && skinned->parts && skinned->palettes;
    for (uint32_t i = 0; i < model->partCount && made; i++) {
        const ModelPart *source = &model->parts[i];
        SkinnedPart *part = &skinned->parts[skinned->partCount++];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made only if the parts were allocated */
        part->modelMesh = source->mesh;
        part->material = model->meshes[source->mesh].material;
        part->look = lookOf(model, &model->meshes[source->mesh]);
        part->carrier = source->carrier;
        part->firstMorph = skinned->morphCount;
        part->morphCount = model->meshes[source->mesh].morphCount;
        skinned->morphCount += part->morphCount;
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): likewise */
        part->meshToModel = palettes.places[i];
        part->mirrored = isMirrored(model, source, palettes.world);
        part->palette = palettes.ofParts[i];
        made = part->palette < skinned->paletteCount || addPalette(skinned, source->skin, &part->meshToModel, error);
        skinned->verticesPerInstance += model->meshes[source->mesh].vertexCount;
    }
    modelFreePalettes(&palettes);
    return made;
}

/* ---- Skinning and drawing: meshes, materials ---- */

/* Also enters them into the parts. The last step: when it succeeds, replaced meshes have changed their owner. */
static bool createMeshes(SkinnedModel *skinned, const SkinnedModelDef *def, EngineError *error) {
    const Model *model = skinned->model;
    skinned->meshes = engineAllocate(model->meshCount, sizeof(*skinned->meshes), error);
    bool made = skinned->meshes;
    for (uint32_t i = 0; made && i < model->meshCount; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made only if they were allocated */
        skinned->meshes[i].mesh = def->replaced ? def->replaced->meshes[i].mesh : VKSKIN_NULL_MESH;
        skinned->meshCount++;
        made = createMesh(skinned->skinning, def, &model->meshes[i], &skinned->meshes[i], error);
    }
    SkinnedModel *without = made ? def->replaced : skinned;
    for (uint32_t i = 0; def->replaced && i < without->meshCount; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): meshCount is 0 without meshes */
        without->meshes[i].mesh = VKSKIN_NULL_MESH;
    }
    for (uint32_t i = 0; made && i < skinned->partCount; i++) {
        skinned->parts[i].mesh = skinned->meshes[skinned->parts[i].modelMesh].mesh;
    }
    return made;
}

/* ---- Levels of detail ---- */

/* The used bones get the numbers 0, 1, 2 ... Returns their number. numbers: [boneCount of the skin] */
static uint32_t numberBones(const ModelSkin *skin, const bool *used, uint32_t *numbers) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < skin->boneCount; i++) {
        numbers[i] = count;
        count += used[i];
    }
    return count;
}

/* part: one that shows the mesh. */
static bool renumberJoints(const Model *model, const ModelPart *part, const bool *used, ModelMesh *mesh,
                           EngineError *error) {
    const ModelSkin *skin = &model->skins[part->skin];
    uint32_t *numbers = engineAllocate(skin->boneCount, sizeof(*numbers), error);
    const size_t count = (size_t)mesh->vertexCount * mesh->influences;
    if (!numbers) {
        return false;
    }
    const uint32_t bones = numberBones(skin, used, numbers);
    for (size_t i = 0; i < count; i++) {
        mesh->joints[i] = mesh->weights[i] > 0.0f ? numbers[mesh->joints[i]] : 0;
    }
    mesh->boneCount = bones;
    free(numbers);
    return true;
}

/* A skin with the used bones, or the first one where none is used. */
static bool createLevelSkin(const SkinnedModel *skinned, const SkinnedPalette *palette, const bool *used,
                            VkskinSkin *made, EngineError *error) {
    const ModelSkin *source = &skinned->model->skins[palette->modelSkin];
    ModelSkin kept = {.boneNodes = engineAllocate(source->boneCount, sizeof(uint32_t), error),
                      .inverseBinds = engineAllocate(source->boneCount, sizeof(VkskinAffine), error)};
    bool good = kept.boneNodes && kept.inverseBinds;
    for (uint32_t i = 0; i < source->boneCount && good; i++) {
        kept.boneNodes[kept.boneCount] = source->boneNodes[i];
        kept.inverseBinds[kept.boneCount] = source->inverseBinds[i];
        kept.boneCount += used[i];
    }
    if (good) {
        kept.boneCount += kept.boneCount == 0;
        Model model = *skinned->model;
        model.skins = &kept;
        VkskinResult result = modelCreateSkin(&model, 0, &palette->meshToModel, NULL, skinned->skinning->logger, made);
        good = result >= 0 || skinningFail(skinned->skinning, error, "making a skin", result);
    }
    free(kept.boneNodes);
    free(kept.inverseBinds);
    return good;
}

static bool createLevelMeshes(SkinnedModel *skinned, const SkinnedModelDef *def, bool *const *used, ModelMesh *meshes,
                              SkinnedLevel *level, EngineError *error) {
    const Model *model = skinned->model;
    bool good = true;
    for (uint32_t i = 0; i < model->partCount && good; i++) {
        const ModelPart *part = &model->parts[i];
        SkinnedMesh *mesh = &level->meshes[part->mesh];
        if (VKSKIN_IS_NULL(mesh->mesh)) {
            good = renumberJoints(model, part, used[part->skin], &meshes[part->mesh], error) &&
                   createMesh(skinned->skinning, def, &meshes[part->mesh], mesh, error);
        }
    }
    return good;
}

static bool createLevel(SkinnedModel *skinned, const SkinnedModelDef *def, SkinnedLevel *level, EngineError *error) {
    const Model *model = skinned->model;
    ModelMesh *meshes = engineAllocate(model->meshCount, sizeof(*meshes), error);
    *level = (SkinnedLevel){.error = modelLodError(model, skinned->levelCount - 1),
                            .skins = engineAllocate(skinned->paletteCount, sizeof(VkskinSkin), error),
                            .meshes = engineAllocate(model->meshCount, sizeof(SkinnedMesh), error)};
    bool good = meshes && level->skins && level->meshes && modelLevelMeshes(model, skinned->levelCount, meshes, error);
    bool **used = good ? modelUsedBones(model, meshes, error) : NULL;
    good = used != NULL;
    for (uint32_t i = 0; i < skinned->paletteCount && good; i++) {
        const SkinnedPalette *palette = &skinned->palettes[i];
        good = createLevelSkin(skinned, palette, used[palette->modelSkin], &level->skins[i], error);
    }
    good = good && createLevelMeshes(skinned, def, used, meshes, level, error);
    modelFreeLevelMeshes(model, meshes);
    free(used);
    return good;
}

/* As many as the model has and a crowd takes. */
static bool createLevels(SkinnedModel *skinned, const SkinnedModelDef *def, EngineError *error) {
    const uint32_t wanted = def->skin.lods > 1 && def->skin.system == SKIN_SYSTEM_CROWD ? def->skin.lods - 1 : 0;
    const uint32_t has = modelLodCount(skinned->model), count = wanted < has ? wanted : has;
    skinned->levels = engineAllocate(count, sizeof(*skinned->levels), error);
    bool made = skinned->levels != NULL;
    while (made && skinned->levelCount < count &&
           (skinned->levelCount + 2) * skinned->partCount <= VKSKIN_MAX_CROWD_PARTS) {
        made = createLevel(skinned, def, &skinned->levels[skinned->levelCount++], error);
    }
    return made;
}

static void destroyLevel(SkinnedModel *skinned, SkinnedLevel *level) {
    for (uint32_t i = 0; i < skinned->model->meshCount && level->meshes; i++) {
        destroyMesh(skinned->skinning, &level->meshes[i]);
    }
    for (uint32_t i = 0; i < skinned->paletteCount && level->skins; i++) {
        vkskinDestroySkin(level->skins[i]);
    }
    free(level->meshes);
    free(level->skins);
}

/* The model's texture as sRGB or linear; made when a material first uses it. Null on failure. */
static const Image *findImage(SkinnedModel *skinned, uint32_t texture, bool srgb, EngineError *error) {
    const ModelTexture *source = &skinned->model->textures[texture];
    Image *image = &skinned->textures[2 * (size_t)texture + (srgb ? 0 : 1)];
    bool made = image->handle || imageCreateTexture(skinned->skinning->device, source->pixels, source->width,
                                                    source->height, srgb, "texture", image, error);
    return made ? image : NULL;
}

static bool createMaterials(SkinnedModel *skinned, EngineError *error) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    const Model *model = skinned->model;
    const uint32_t count = model->materialCount ? model->materialCount : 1;
    skinned->textureCount = 2 * model->textureCount + 1;
    skinned->textures = engineAllocate(skinned->textureCount, sizeof(*skinned->textures), error);
    skinned->materials = engineAllocate(count, sizeof(*skinned->materials), error);
    Image *texel = skinned->textures ? &skinned->textures[skinned->textureCount - 1] : NULL;
    if (!texel || !skinned->materials ||
        !imageCreateTexture(skinned->skinning->device, white, 1, 1, true, "white", texel, error)) {
        return false;
    }
    for (; skinned->materialCount < count; skinned->materialCount++) {
        SkinnedMaterial *material = &skinned->materials[skinned->materialCount];
        material->source = model->materialCount ? &model->materials[skinned->materialCount] : &PLAIN;
        for (int map = 0; map < MODEL_MAP_COUNT; map++) {
            int32_t texture = material->source->maps[map];
            material->maps[map] =
                texture < 0 ? texel : findImage(skinned, (uint32_t)texture, map < MODEL_MAP_SRGB, error);
            if (!material->maps[map]) {
                return false;
            }
        }
    }
    return true;
}

/* After everything that needs the rest pose. */
static bool createMotion(SkinnedModel *skinned, const MotionChoice *choice, EngineError *error) {
    if (choice) {
        skinned->motion = motionCreate(choice, skinned->model, &skinned->modelToCommon, &skinned->source, error);
    }
    return !choice || skinned->motion;
}

SkinnedModel *skinnedModelCreate(Skinning *skinning, const SkinnedModelDef *def, EngineError *error) {
    SkinnedModel *skinned = engineAllocate(1, sizeof(*skinned), error);
    if (!skinned) {
        return NULL;
    }
    skinned->model = def->model;
    skinned->skinning = skinning;
    skinned->modelToCommon = modelUpToY(def->model->up);
    if (!createSkeleton(skinned, error) || !createClips(skinned, error) || !createSource(skinned, &def->skin, error) ||
        !createParts(skinned, error) || !createMorphWeights(skinned, &def->skin, error) ||
        !createMaterials(skinned, error) || !createMotion(skinned, def->motion, error) ||
        !createLevels(skinned, def, error) || !createMeshes(skinned, def, error)) {
        skinnedModelDestroy(skinned);
        return NULL;
    }
    return skinned;
}

void skinnedModelDestroy(SkinnedModel *skinned) {
    if (!skinned) {
        return;
    }
    for (uint32_t i = 0; i < skinned->meshCount; i++) {
        destroyMesh(skinned->skinning, &skinned->meshes[i]);
    }
    for (uint32_t i = 0; i < skinned->levelCount; i++) {
        destroyLevel(skinned, &skinned->levels[i]);
    }
    free(skinned->levels);
    for (uint32_t i = 0; i < skinned->textureCount && skinned->textures; i++) {
        imageDestroy(skinned->skinning->device, &skinned->textures[i]);
    }
    for (uint32_t i = 0; i < skinned->paletteCount; i++) {
        vkskinDestroySkin(skinned->palettes[i].skin);
    }
    for (uint32_t i = 0; i < skinned->clipCount; i++) {
        vkskinDestroyClip(skinned->clips[i]);
    }
    motionDestroy(skinned->motion);
    vkskinDestroySkeleton(skinned->skeleton);
    modelPackFree(&skinned->packed);
    free(skinned->boxes);
    free(skinned->nodeBoxes);
    free(skinned->meshMaxDistance);
    free(skinned->meshes);
    free(skinned->textures);
    free(skinned->materials);
    free(skinned->palettes);
    free(skinned->parts);
    free(skinned->morphs);
    free(skinned->clips);
    free(skinned);
}

bool skinnedModelPose(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, MotionSwing *swing,
                      VkskinAffine *world, EngineError *error) {
    if (motionIsActive(skinned->motion)) {
        VkskinResult posed = motionPose(skinned->motion, clip, time, wrap, swing, world);
        return posed >= 0 || skinningFail(skinned->skinning, error, "posing", posed);
    }
    VkskinTransform *pose = engineAllocate(skinned->model->nodeCount, sizeof(*pose), error);
    if (!pose) {
        return false;
    }
    VkskinResult result = clipSourceSample(&skinned->source, clip, time, wrap, pose);
    if (result >= 0) {
        result = vkskinComposePose(skinned->skeleton, pose, world);
    }
    free(pose);
    return result >= 0 || skinningFail(skinned->skinning, error, "posing", result);
}

bool skinnedModelMorphWeights(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, float *weights,
                              EngineError *error) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < skinned->morphCount; i++) {
        weights[i] = skinned->morphs[i].weight;
    }
    for (uint32_t i = 0; i < skinned->partCount && clip < skinned->clipCount && result >= 0; i++) {
        const SkinnedPart *part = &skinned->parts[i];
        if (part->morphCount > 0) {
            result = vkskinSampleMorphWeights(skinned->clips[clip], part->carrier, time, wrap,
                                              weights + part->firstMorph, part->morphCount);
        }
    }
    for (uint32_t i = 0; i < skinned->morphCount; i++) {
        weights[i] = skinned->morphs[i].fixed ? skinned->morphs[i].weight : weights[i];
    }
    return result >= 0 || skinningFail(skinned->skinning, error, "sampling morph weights", result);
}
