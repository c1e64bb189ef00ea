/* The objects of a soak and the random operations on them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "soak_parts.h"

/* ---- Instances ---- */

static bool addInstance(SoakWorld *world, EngineError *error) {
    if (world->instanceCount == SOAK_MAX_INSTANCES || world->meshCount == 0) {
        return true;
    }
    SoakInstance *instance = newZeroed(1, sizeof *instance);
    instance->mesh = world->meshes[randomBelow(&world->random, world->meshCount)];
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = instance->mesh->handle;
    VkskinResult result = vkskinCreateInstance(world->context->handle, &def, &instance->handle);
    if (!soakContextCheck(world->context, "vkskinCreateInstance", result, error)) {
        free(instance);
        return false;
    }
    world->instances[world->instanceCount++] = instance;
    world->counts.instancesMade++;
    return true;
}

static bool dropInstance(SoakWorld *world, uint32_t index, EngineError *error) {
    SoakInstance *instance = world->instances[index];
    SoakContext *context = world->context;
    VkskinOutput output;
    if (instance->updateFrame > 0) {
        /* No other output may overlap this one until the frame's slot is begun again. */
        VkskinResult found = vkskinGetOutput(context->handle, instance->handle, &output);
        if (!soakContextCheck(context, "vkskinGetOutput", found, error)) {
            return false;
        }
        soakRangesAdd(&world->ranges, &output, context->frame + context->framesInFlight);
    }
    VkskinResult result = vkskinDestroyInstance(context->handle, instance->handle);
    if (!soakContextCheck(context, "vkskinDestroyInstance", result, error)) {
        return false;
    }
    result = vkskinGetOutput(context->handle, instance->handle, &output);
    if (result != VKSKIN_ERROR_STALE_HANDLE) {
        return engineFail(error, "vkskinGetOutput of a destroyed instance: %s", vkskinResultName(result));
    }
    free(instance);
    world->instances[index] = world->instances[--world->instanceCount];
    world->counts.instancesDestroyed++;
    return true;
}

/* ---- Meshes ---- */

static VkskinMeshDef randomMeshDef(Random *random, const SoakKinds *kinds, const ModelMesh *mesh, SoakMesh *made) {
    made->maxInfluences = randomBelow(random, 7);
    made->previousPositions = randomBelow(random, 2) == 0;
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->boneCount;
    def.positions = mesh->positions;
    def.normals = kinds->vectors > 0 ? mesh->normals : NULL;
    def.tangents = kinds->vectors > 1 ? mesh->tangents : NULL;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.maxInfluences = made->maxInfluences;
    def.format = kinds->format;
    def.normalRule = kinds->normals;
    def.blendWeights = mesh->blendWeights;
    def.previousPositions = made->previousPositions;
    return def;
}

/* Uses few triangles, to be fast. *centres: for the library, the caller frees it. made->centres: for the reference. */
static bool computeCentres(const ModelMesh *mesh, SoakMesh *made, unsigned char **centres, EngineError *error) {
    enum { TRIANGLES = 40, HEAD = 32 };
    uint32_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        indices[i] = (i / 3 + i % 3) % mesh->vertexCount;
    }
    VkskinMeshDef surface = vkskinDefaultMeshDef();
    surface.vertexCount = mesh->vertexCount;
    surface.boneCount = mesh->boneCount;
    surface.positions = mesh->positions;
    surface.influencesPerVertex = mesh->influences;
    surface.jointFormat = VKSKIN_JOINTS_U32;
    surface.joints = mesh->joints;
    surface.weights = mesh->weights;
    surface.indexCount = 3 * TRIANGLES;
    surface.indices = indices;
    size_t size = vkskinCentresSize(mesh->vertexCount);
    *centres = newZeroed(size, 1);
    made->centres = newZeroed(size, 1);
    VkskinResult result = vkskinComputeCentres(&surface, NULL, *centres, size);
    memcpy(made->centres, *centres + HEAD, size - HEAD);
    return result >= 0 || engineFail(error, "vkskinComputeCentres: %s", vkskinResultName(result));
}

static void freeMesh(SoakMesh *mesh) {
    free(mesh->centres);
    free(mesh);
}

static bool createMesh(SoakWorld *world, SoakMesh *mesh, EngineError *error) {
    SoakContext *context = world->context;
    const ModelMesh *model = &mesh->character->model->meshes[0];
    VkskinMeshDef def = randomMeshDef(&world->random, &context->kinds, model, mesh);
    VkskinMorphTarget targets[SOAK_MORPHS];
    for (uint32_t i = 0; i < SOAK_MORPHS; i++) {
        const ModelMorph *morph = &model->morphs[i];
        targets[i] = (VkskinMorphTarget){.vertexCount = morph->vertexCount,
                                         .vertices = morph->vertices,
                                         .positions = morph->positions,
                                         .normals = morph->normals,
                                         .tangents = morph->tangents,
                                         .afterSkinning = i > 0};
    }
    def.morphTargets = targets;
    def.morphTargetCount = context->kinds.morphs ? SOAK_MORPHS : 0;
    unsigned char *centres = NULL;
    if ((context->kinds.methods & VKSKIN_METHOD_CENTRES_OF_ROTATION_BIT) != 0) {
        if (!computeCentres(model, mesh, &centres, error)) {
            free(centres);
            return false;
        }
        def.centres = centres;
        def.centresSize = vkskinCentresSize(def.vertexCount);
    }
    VkskinResult result = vkskinCreateMesh(context->handle, &def, &mesh->handle);
    free(centres);
    if (result >= 0) {
        result = vkskinGetMeshInfo(context->handle, mesh->handle, &mesh->info);
    }
    return soakContextCheck(context, "vkskinCreateMesh", result, error) &&
           soakContextKernels(context, mesh->handle, error);
}

static bool addMesh(SoakWorld *world, EngineError *error) {
    if (world->meshCount == SOAK_MAX_MESHES || world->characterCount == 0) {
        return true;
    }
    SoakMesh *mesh = newZeroed(1, sizeof *mesh);
    mesh->character = world->characters[randomBelow(&world->random, world->characterCount)];
    if (!createMesh(world, mesh, error)) {
        freeMesh(mesh);
        return false;
    }
    world->meshes[world->meshCount++] = mesh;
    world->counts.meshesMade++;
    return true;
}

static bool dropMesh(SoakWorld *world, uint32_t index, EngineError *error) {
    SoakMesh *mesh = world->meshes[index];
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        if (world->instances[i]->mesh == mesh && !dropInstance(world, i, error)) {
            return false;
        }
    }
    VkskinResult result = vkskinDestroyMesh(world->context->handle, mesh->handle);
    if (!soakContextCheck(world->context, "vkskinDestroyMesh", result, error)) {
        return false;
    }
    freeMesh(mesh);
    world->meshes[index] = world->meshes[--world->meshCount];
    world->counts.meshesDestroyed++;
    return true;
}

/* ---- Characters ---- */

static bool addCharacter(SoakWorld *world, EngineError *error) {
    if (world->characterCount == SOAK_MAX_CHARACTERS) {
        return true;
    }
    SoakCharacter *character = soakCharacterCreate(&world->random, &world->poseMemory, error);
    if (character == NULL) {
        return false;
    }
    world->characters[world->characterCount++] = character;
    world->counts.charactersMade++;
    world->counts.clipsMade += character->model->clipCount;
    return true;
}

static void destroyCharacter(SoakWorld *world, uint32_t index) {
    soakCharacterDestroy(world->characters[index]);
    world->characters[index] = world->characters[--world->characterCount];
    world->counts.charactersDestroyed++;
}

static bool dropCharacter(SoakWorld *world, uint32_t index, EngineError *error) {
    for (uint32_t i = world->meshCount; i-- > 0;) {
        if (world->meshes[i]->character == world->characters[index] && !dropMesh(world, i, error)) {
            return false;
        }
    }
    destroyCharacter(world, index);
    return true;
}

/* ---- Random operations ---- */

static bool chance(SoakWorld *world, uint32_t percent) {
    return randomBelow(&world->random, 100) < percent;
}

static uint32_t below(SoakWorld *world, uint32_t count) {
    return randomBelow(&world->random, count);
}

static bool changeCharacters(SoakWorld *world, EngineError *error) {
    bool good = true;
    if (world->characterCount > 1 && chance(world, 2)) {
        good = dropCharacter(world, below(world, world->characterCount), error);
    }
    if (good && (world->characterCount == 0 || chance(world, 3))) {
        good = addCharacter(world, error);
    }
    return good;
}

static bool changeMeshes(SoakWorld *world, EngineError *error) {
    bool good = true;
    if (world->meshCount > 1 && chance(world, 12)) {
        good = dropMesh(world, below(world, world->meshCount), error);
    }
    if (good && (world->meshCount == 0 || chance(world, 15))) {
        good = addMesh(world, error);
    }
    return good;
}

static bool dropInstances(SoakWorld *world, uint32_t count, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; good && i < count && world->instanceCount > 1; i++) {
        good = dropInstance(world, below(world, world->instanceCount), error);
    }
    return good;
}

static bool addInstances(SoakWorld *world, uint32_t count, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        good = addInstance(world, error);
    }
    return good;
}

/* About as many are destroyed as created; sometimes nearly all are destroyed, or created up to the maximum. */
static bool changeInstances(SoakWorld *world, EngineError *error) {
    uint32_t destroyed = chance(world, 1) ? SOAK_MAX_INSTANCES : below(world, 3);
    uint32_t created = chance(world, 1) ? SOAK_MAX_INSTANCES : below(world, 4);
    return dropInstances(world, destroyed, error) &&
           addInstances(world, created > 0 || world->instanceCount > 0 ? created : 1, error);
}

bool soakWorldBegin(SoakWorld *world, EngineError *error) {
    return changeCharacters(world, error) && changeMeshes(world, error) && changeInstances(world, error);
}

bool soakWorldBetween(SoakWorld *world, EngineError *error) {
    switch (below(world, 10)) {
    case 0:
        return addMesh(world, error) && addInstance(world, error);
    case 1:
        return addInstance(world, error);
    case 2:
        return dropInstances(world, 1, error);
    case 3:
        return world->meshCount < 2 || dropMesh(world, below(world, world->meshCount), error);
    default:
        return true;
    }
}

/* ---- Skinning ---- */

/* The latest palette of a frame. Another instance of the same character may share it. */
typedef struct Shared {
    const SoakCharacter *character;
    SoakPose pose;
    VkskinPalette palette;
} Shared;

/* A new pose and its palette. A full palette ring is no failure: the character is then null. */
static bool makePalette(SoakWorld *world, SoakCharacter *character, Shared *made, EngineError *error) {
    SoakContext *context = world->context;
    void *data;
    *made = (Shared){.pose = soakCharacterPose(character, &context->kinds, &world->random)};
    VkskinResult result =
        vkskinAllocatePalette(context->handle, made->pose.encoding,
                              /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a mesh has one */
                              character->model->skins[0].boneCount, &made->palette, &data);
    if (result == VKSKIN_ERROR_PALETTE_RING_FULL) {
        world->counts.ringFull++;
        return true;
    }
    if (!soakContextCheck(context, "vkskinAllocatePalette", result, error)) {
        return false;
    }
    made->character = character;
    return soakCharacterPalette(character, &made->pose, data, made->palette.boneCount, error);
}

/* Keeps what the library must know of the instance. */
static void keepUpdate(SoakWorld *world, SoakInstance *instance, const SoakPose *pose, bool teleport) {
    instance->moved = instance->updateFrame > 0 && !teleport;
    instance->before = instance->pose;
    instance->pose = *pose;
    instance->updateFrame = world->context->frame;
    world->counts.instancesSkinned++;
    world->counts.verticesSkinned += instance->mesh->info.vertexCount;
    world->counts.teleports += teleport;
}

static bool skinInstance(SoakWorld *world, SoakInstance *instance, Shared *shared, bool submitted, EngineError *error) {
    bool share = shared->character == instance->mesh->character && chance(world, 30);
    bool teleport = chance(world, 10);
    if (!share && !makePalette(world, instance->mesh->character, shared, error)) {
        return false;
    }
    if (shared->character == NULL) {
        return true;
    }
    VkskinSkinCommand command = {.instance = instance->handle,
                                 .palette = shared->palette,
                                 .method = shared->pose.method,
                                 .flags = teleport ? VKSKIN_SKIN_TELEPORT_BIT : 0,
                                 .morphWeights = shared->pose.morphWeights,
                                 .morphWeightCount = instance->mesh->info.morphTargetCount};
    VkskinResult result = vkskinSkinInstances(world->context->handle, &command, 1);
    if (!soakContextCheck(world->context, "vkskinSkinInstances", result, error)) {
        return false;
    }
    world->counts.commands++;
    if (submitted) {
        keepUpdate(world, instance, &shared->pose, teleport);
    }
    return true;
}

bool soakWorldSkin(SoakWorld *world, bool submitted, EngineError *error) {
    uint32_t sure = world->instanceCount > 0 ? below(world, world->instanceCount) : 0;
    Shared shared = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < world->instanceCount; i++) {
        SoakInstance *instance = world->instances[i];
        bool done = instance->updateFrame == world->context->frame;
        if (!done && (i == sure || chance(world, 60))) {
            good = skinInstance(world, instance, &shared, submitted, error);
        }
    }
    return good;
}

/* ---- Checks and ends ---- */

bool soakWorldCheckPlaces(const SoakWorld *world, EngineError *error) {
    SoakContext *context = world->context;
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        const SoakInstance *instance = world->instances[i];
        VkskinOutput output;
        if (instance->updateFrame != context->frame) {
            continue;
        }
        VkskinResult result = vkskinGetOutput(context->handle, instance->handle, &output);
        if (!soakContextCheck(context, "vkskinGetOutput", result, error)) {
            return false;
        }
        if (soakRangesMeet(&world->ranges, &output, context->frame)) {
            return engineFail(error, "instance (%u, %u) got the place of a destroyed one that is still in flight",
                              instance->handle.index, instance->handle.generation);
        }
    }
    return true;
}

void soakWorldForgetContext(SoakWorld *world) {
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        free(world->instances[i]);
    }
    for (uint32_t i = 0; i < world->meshCount; i++) {
        freeMesh(world->meshes[i]);
    }
    world->counts.instancesDestroyed += world->instanceCount;
    world->counts.meshesDestroyed += world->meshCount;
    world->instanceCount = 0;
    world->meshCount = 0;
    world->ranges = (SoakRanges){0};
}

bool soakWorldEnd(SoakWorld *world, EngineError *error) {
    while (world->characterCount > 0) {
        destroyCharacter(world, world->characterCount - 1);
    }
    uint64_t bytes = atomic_load(&world->poseMemory.bytes), blocks = atomic_load(&world->poseMemory.blocks);
    return (bytes == 0 && blocks == 0) ||
           engineFail(error, "destroyed skeletons, clips and skins left %" PRIu64 " bytes in %" PRIu64 " blocks", bytes,
                      blocks);
}
