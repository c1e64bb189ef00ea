#include "character.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_mesh.h"

/* ---- The library's mesh ---- */

/* [morphCount], in the library's form. */
static VkskinMorphTarget *createMorphs(const ModelMesh *source, EngineError *error) {
    VkskinMorphTarget *morphs = engineAllocate(source->morphCount, sizeof(*morphs), error);
    for (uint32_t i = 0; i < source->morphCount && morphs; i++) {
        const ModelMorph *morph = &source->morphs[i];
        morphs[i] = (VkskinMorphTarget){.vertexCount = morph->vertexCount,
                                        .vertices = morph->vertices,
                                        .positions = morph->positions,
                                        .normals = morph->normals,
                                        .tangents = morph->tangents};
    }
    return morphs;
}

/* [vertexCount] */
static float *createBlendWeights(const ModelMesh *source, float blend, EngineError *error) {
    float *weights = engineAllocate(source->vertexCount, sizeof(*weights), error);
    for (uint32_t i = 0; i < source->vertexCount && weights; i++) {
        weights[i] = blend;
    }
    return weights;
}

static void *createCentres(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, size_t size,
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
static bool createSkinned(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, VkskinMesh *mesh,
                          EngineError *error) {
    const bool blends = !source->blendWeights && (def->modes & 1u << SKIN_MODE_BLEND) != 0;
    const bool rotates = (def->modes & 1u << SKIN_MODE_COR) != 0;
    const size_t centresSize = rotates ? vkskinCentresSize(source->vertexCount) : 0;
    VkskinMorphTarget *morphs = createMorphs(source, error);
    float *blendWeights = morphs && blends ? createBlendWeights(source, def->skin.blend, error) : NULL;
    void *centres = morphs && rotates ? createCentres(skinning, def, source, centresSize, error) : NULL;
    bool created = morphs && (blendWeights || !blends) && (centres || !rotates);
    if (created) {
        VkskinMeshDef made = meshDefOfModel(source);
        made.maxInfluences = def->skin.maxInfluences;
        made.weightFormat = def->skin.weights;
        made.format = def->format;
        made.normalRule = def->skin.normals;
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

static bool describeSkinned(Skinning *skinning, const ModelMesh *source, CharacterMesh *mesh, EngineError *error) {
    VkskinMeshInfo info = {0};
    const VkskinResult result = vkskinGetMeshInfo(skinning->context, mesh->mesh, &info);
    mesh->format = info.format;
    mesh->hasNormals = info.hasNormals;
    mesh->hasTangents = info.hasTangents;
    return result >= 0 || skinningFail(skinning, error, source->name, result);
}

/* ---- Static streams ---- */

static bool createTexcoords(Device *device, const ModelMesh *source, CharacterMesh *mesh, EngineError *error) {
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

static CharacterLook lookOf(const Model *model, const ModelMesh *mesh) {
    const ModelMaterial *material = model->materialCount > 0 ? &model->materials[mesh->material] : &PLAIN;
    if (material->alpha != MODEL_ALPHA_OPAQUE) {
        return material->alpha == MODEL_ALPHA_MASK ? CHARACTER_LOOK_MASKED : CHARACTER_LOOK_BLENDED;
    }
    bool detailed = mesh->colours;
    for (int map = MODEL_MAP_BASE + 1; map < MODEL_MAP_COUNT; map++) {
        detailed = detailed || material->maps[map] >= 0;
    }
    return detailed ? CHARACTER_LOOK_DETAILED : CHARACTER_LOOK_PLAIN;
}

/* Plain pipelines read no colours. */
static bool createColours(Device *device, const Model *model, const ModelMesh *source, CharacterMesh *mesh,
                          EngineError *error) {
    const size_t count = 4 * (size_t)source->vertexCount;
    if (lookOf(model, source) == CHARACTER_LOOK_PLAIN) {
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

static bool createIndices(Device *device, const ModelMesh *source, CharacterMesh *mesh, EngineError *error) {
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

bool characterCreateStreams(Device *device, const Model *model, const ModelMesh *source, CharacterMesh *mesh,
                            EngineError *error) {
    return createTexcoords(device, source, mesh, error) && createColours(device, model, source, mesh, error) &&
           createIndices(device, source, mesh, error);
}

void characterDestroyStreams(Device *device, CharacterMesh *mesh) {
    bufferDestroy(device, &mesh->texcoords);
    bufferDestroy(device, &mesh->colours);
    bufferDestroy(device, &mesh->indices);
}

static void destroyMesh(Skinning *skinning, CharacterMesh *mesh) {
    if (!VKSKIN_IS_NULL(mesh->mesh)) {
        /* Fails only while instances exist; the context then frees the mesh. */
        (void)vkskinDestroyMesh(skinning->context, mesh->mesh);
    }
    characterDestroyStreams(skinning->device, mesh);
    *mesh = (CharacterMesh){0};
}

/* *mesh: zero, or with a mesh whose data are replaced. */
static bool createMesh(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, CharacterMesh *mesh,
                       EngineError *error) {
    return createSkinned(skinning, def, source, &mesh->mesh, error) && describeSkinned(skinning, source, mesh, error) &&
           characterCreateStreams(skinning->device, def->model, source, mesh, error);
}

/* ---- Posing: skeleton, clips, skins ---- */

static bool createSkeleton(Character *character, EngineError *error) {
    VkskinResult result =
        modelCreateSkeleton(character->model, NULL, character->skinning->logger, &character->skeleton);
    return result >= 0 || skinningFail(character->skinning, error, "making the skeleton", result);
}

static bool createClips(Character *character, EngineError *error) {
    const Model *model = character->model;
    character->clips = engineAllocate(model->clipCount, sizeof(*character->clips), error);
    for (; character->clips && character->clipCount < model->clipCount; character->clipCount++) {
        const uint32_t clip = character->clipCount;
        VkskinResult result = modelCreateClip(model, clip, NULL, character->skinning->logger, &character->clips[clip]);
        if (result < 0) {
            return skinningFail(character->skinning, error, model->clips[clip].name, result);
        }
    }
    return character->clips;
}

/* Maximum error of the clips that are packed here; 0: the clips stay as the model has them. */
static double packError(const Model *model, const SkinChoice *skin) {
    const bool needed = skin->system == SKIN_SYSTEM_CROWD && !model->packed.block;
    return skin->maxError > 0.0 ? skin->maxError : needed ? CHARACTER_CROWD_ERROR : 0.0;
}

/* Packed clips are those of the model, or made here. */
static bool createSource(Character *character, const SkinChoice *skin, EngineError *error) {
    const ModelPackDef def = {.millimetres = packError(character->model, skin),
                              .parallel = parallelRun,
                              .parallelUser = &character->skinning->pool,
                              .logger = character->skinning->logger};
    if (def.millimetres <= 0.0) {
        character->packed = modelPackBorrow(character->model);
    } else if (!modelPack(character->model, &def, &character->packed, error)) {
        return false;
    }
    character->source =
        (ClipSource){character->skeleton, character->clipCount, character->clips, character->packed.block};
    return true;
}

static bool addPalette(Character *character, uint32_t modelSkin, const VkskinAffine *meshToModel, EngineError *error) {
    CharacterPalette *palette = &character->palettes[character->paletteCount];
    VkskinResult result =
        modelCreateSkin(character->model, modelSkin, meshToModel, NULL, character->skinning->logger, &palette->skin);
    if (result < 0) {
        return skinningFail(character->skinning, error, "making a skin", result);
    }
    palette->boneCount = character->model->skins[modelSkin].boneCount;
    palette->modelSkin = modelSkin;
    palette->meshToModel = *meshToModel;
    character->paletteCount++;
    character->bonesPerInstance += palette->boneCount;
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

static bool createMorphWeights(Character *character, const SkinChoice *skin, EngineError *error) {
    const Model *model = character->model;
    character->morphs = engineAllocate(character->morphCount, sizeof(*character->morphs), error);
    for (uint32_t i = 0; i < character->partCount && character->morphs; i++) {
        const CharacterPart *part = &character->parts[i];
        const float *rest = model->parts[i].morphWeights;
        for (uint32_t target = 0; target < part->morphCount; target++) {
            CharacterMorph *morph = &character->morphs[part->firstMorph + target];
            morph->weight = rest ? rest[target] : 0.0f;
            for (uint32_t s = 0; s < skin->morphCount; s++) { /* the last setting wins */
                if (morphSettingIsOf(&skin->morphs[s], model, part->modelMesh, target)) {
                    *morph = (CharacterMorph){.weight = skin->morphs[s].weight, .fixed = true};
                }
            }
        }
    }
    return character->morphs;
}

static bool createParts(Character *character, EngineError *error) {
    const Model *model = character->model;
    ModelPalettes palettes;
    bool made = modelFindPalettes(model, &palettes, error);
    character->parts = engineAllocate(model->partCount, sizeof(*character->parts), error);
    character->palettes = engineAllocate(palettes.count, sizeof(*character->palettes), error);
    made = made && character->parts && character->palettes;
    for (uint32_t i = 0; i < model->partCount && made; i++) {
        const ModelPart *source = &model->parts[i];
        CharacterPart *part = &character->parts[character->partCount++];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made only if the parts were allocated */
        part->modelMesh = source->mesh;
        part->material = model->meshes[source->mesh].material;
        part->look = lookOf(model, &model->meshes[source->mesh]);
        part->carrier = source->carrier;
        part->firstMorph = character->morphCount;
        part->morphCount = model->meshes[source->mesh].morphCount;
        character->morphCount += part->morphCount;
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): likewise */
        part->meshToModel = palettes.places[i];
        part->mirrored = isMirrored(model, source, palettes.world);
        part->palette = palettes.ofParts[i];
        made =
            part->palette < character->paletteCount || addPalette(character, source->skin, &part->meshToModel, error);
        character->verticesPerInstance += model->meshes[source->mesh].vertexCount;
    }
    modelFreePalettes(&palettes);
    return made;
}

/* ---- Skinning and drawing: meshes, materials ---- */

/* Also enters them into the parts. The last step: when it succeeds, replaced meshes have changed their owner. */
static bool createMeshes(Character *character, const CharacterDef *def, EngineError *error) {
    const Model *model = character->model;
    character->meshes = engineAllocate(model->meshCount, sizeof(*character->meshes), error);
    bool made = character->meshes;
    for (uint32_t i = 0; made && i < model->meshCount; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made only if they were allocated */
        character->meshes[i].mesh = def->replaced ? def->replaced->meshes[i].mesh : VKSKIN_NULL_MESH;
        character->meshCount++;
        made = createMesh(character->skinning, def, &model->meshes[i], &character->meshes[i], error);
    }
    Character *without = made ? def->replaced : character;
    for (uint32_t i = 0; def->replaced && i < without->meshCount; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): meshCount is 0 without meshes */
        without->meshes[i].mesh = VKSKIN_NULL_MESH;
    }
    for (uint32_t i = 0; made && i < character->partCount; i++) {
        character->parts[i].mesh = character->meshes[character->parts[i].modelMesh].mesh;
    }
    return made;
}

/* The model's texture as sRGB or linear; made when a material first uses it. Null on failure. */
static const Image *findImage(Character *character, uint32_t texture, bool srgb, EngineError *error) {
    const ModelTexture *source = &character->model->textures[texture];
    Image *image = &character->textures[2 * (size_t)texture + (srgb ? 0 : 1)];
    bool made = image->handle || imageCreateTexture(character->skinning->device, source->pixels, source->width,
                                                    source->height, srgb, "texture", image, error);
    return made ? image : NULL;
}

static bool createMaterials(Character *character, EngineError *error) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    const Model *model = character->model;
    const uint32_t count = model->materialCount ? model->materialCount : 1;
    character->textureCount = 2 * model->textureCount + 1;
    character->textures = engineAllocate(character->textureCount, sizeof(*character->textures), error);
    character->materials = engineAllocate(count, sizeof(*character->materials), error);
    Image *texel = character->textures ? &character->textures[character->textureCount - 1] : NULL;
    if (!texel || !character->materials ||
        !imageCreateTexture(character->skinning->device, white, 1, 1, true, "white", texel, error)) {
        return false;
    }
    for (; character->materialCount < count; character->materialCount++) {
        CharacterMaterial *material = &character->materials[character->materialCount];
        material->source = model->materialCount ? &model->materials[character->materialCount] : &PLAIN;
        for (int map = 0; map < MODEL_MAP_COUNT; map++) {
            int32_t texture = material->source->maps[map];
            material->maps[map] =
                texture < 0 ? texel : findImage(character, (uint32_t)texture, map < MODEL_MAP_SRGB, error);
            if (!material->maps[map]) {
                return false;
            }
        }
    }
    return true;
}

/* After everything that needs the rest pose. */
static bool createMotion(Character *character, const MotionChoice *choice, EngineError *error) {
    if (choice) {
        character->motion =
            motionCreate(choice, character->model, &character->modelToCommon, &character->source, error);
    }
    return !choice || character->motion;
}

Character *characterCreate(Skinning *skinning, const CharacterDef *def, EngineError *error) {
    Character *character = engineAllocate(1, sizeof(*character), error);
    if (!character) {
        return NULL;
    }
    character->model = def->model;
    character->skinning = skinning;
    character->modelToCommon = modelUpToY(def->model->up);
    if (!createSkeleton(character, error) || !createClips(character, error) ||
        !createSource(character, &def->skin, error) || !createParts(character, error) ||
        !createMorphWeights(character, &def->skin, error) || !createMaterials(character, error) ||
        !createMotion(character, def->motion, error) || !createMeshes(character, def, error)) {
        characterDestroy(character);
        return NULL;
    }
    return character;
}

void characterDestroy(Character *character) {
    if (!character) {
        return;
    }
    for (uint32_t i = 0; i < character->meshCount; i++) {
        destroyMesh(character->skinning, &character->meshes[i]);
    }
    for (uint32_t i = 0; i < character->textureCount && character->textures; i++) {
        imageDestroy(character->skinning->device, &character->textures[i]);
    }
    for (uint32_t i = 0; i < character->paletteCount; i++) {
        vkskinDestroySkin(character->palettes[i].skin);
    }
    for (uint32_t i = 0; i < character->clipCount; i++) {
        vkskinDestroyClip(character->clips[i]);
    }
    motionDestroy(character->motion);
    vkskinDestroySkeleton(character->skeleton);
    modelPackFree(&character->packed);
    free(character->boxes);
    free(character->meshes);
    free(character->textures);
    free(character->materials);
    free(character->palettes);
    free(character->parts);
    free(character->morphs);
    free(character->clips);
    free(character);
}

bool characterPose(const Character *character, uint32_t clip, double time, VkskinWrap wrap, VkskinAffine *world,
                   EngineError *error) {
    if (motionIsActive(character->motion)) {
        VkskinResult posed = motionPose(character->motion, clip, time, wrap, world);
        return posed >= 0 || skinningFail(character->skinning, error, "posing", posed);
    }
    VkskinTransform *pose = engineAllocate(character->model->nodeCount, sizeof(*pose), error);
    if (!pose) {
        return false;
    }
    VkskinResult result = clipSourceSample(&character->source, clip, time, wrap, pose);
    if (result >= 0) {
        result = vkskinComposePose(character->skeleton, pose, world);
    }
    free(pose);
    return result >= 0 || skinningFail(character->skinning, error, "posing", result);
}

bool characterMorphWeights(const Character *character, uint32_t clip, double time, VkskinWrap wrap, float *weights,
                           EngineError *error) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < character->morphCount; i++) {
        weights[i] = character->morphs[i].weight;
    }
    for (uint32_t i = 0; i < character->partCount && clip < character->clipCount && result >= 0; i++) {
        const CharacterPart *part = &character->parts[i];
        if (part->morphCount > 0) {
            result = vkskinSampleMorphWeights(character->clips[clip], part->carrier, time, wrap,
                                              weights + part->firstMorph, part->morphCount);
        }
    }
    for (uint32_t i = 0; i < character->morphCount; i++) {
        weights[i] = character->morphs[i].fixed ? character->morphs[i].weight : weights[i];
    }
    return result >= 0 || skinningFail(character->skinning, error, "sampling morph weights", result);
}
