#include "soak_world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Characters ---- */

bool soakWorldAddCharacter(SoakWorld *world, EngineError *error) {
    if (world->characterCount == SOAK_MAX_CHARACTERS) {
        return true;
    }
    SoakCharacter *character = calloc(1, sizeof *character);
    if (character == NULL) {
        return engineFail(error, "out of memory");
    }
    if (!soakCharacterCreate(&world->random, &world->poseMemory, character, error)) {
        free(character);
        return false;
    }
    world->characters[world->characterCount++] = character;
    world->counts.charactersMade++;
    world->counts.clipsMade += character->model->clipCount;
    return true;
}

static void destroyCharacter(SoakWorld *world, uint32_t index) {
    soakCharacterDestroy(world->characters[index]);
    free(world->characters[index]);
    world->characters[index] = world->characters[--world->characterCount];
    world->counts.charactersDestroyed++;
}

bool soakWorldDropCharacter(SoakWorld *world, uint32_t index, EngineError *error) {
    for (uint32_t i = world->meshCount; i-- > 0;) {
        if (world->meshes[i]->character == world->characters[index] && !soakWorldDropMesh(world, i, error)) {
            return false;
        }
    }
    destroyCharacter(world, index);
    return true;
}

/* ---- Meshes ---- */

static VkskinMeshDef randomMeshDef(Random *random, const SoakWays *ways, const ModelMesh *mesh, SoakMesh *made) {
    made->maxInfluences = randomBelow(random, 7);
    made->previousPositions = randomBelow(random, 2) == 0;
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->boneCount;
    def.positions = mesh->positions;
    def.normals = ways->vectors > 0 ? mesh->normals : NULL;
    def.tangents = ways->vectors > 1 ? mesh->tangents : NULL;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.maxInfluences = made->maxInfluences;
    def.format = ways->format;
    def.normalRule = ways->normals;
    def.blendWeights = mesh->blendWeights;
    def.previousPositions = made->previousPositions;
    return def;
}

/* Of as many triangles as are soon worked out. On success *centres is the caller's, and the mesh has its own copy. */
static bool computeCentres(const ModelMesh *mesh, SoakMesh *made, unsigned char **centres, EngineError *error) {
    enum { TRIANGLES = 40, HEAD = 32 };
    uint32_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        indices[i] = (i / 3 + i % 3) % mesh->vertexCount;
    }
    VkskinSurfaceDef surface = vkskinDefaultSurfaceDef();
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
    *centres = malloc(size);
    made->centres = malloc(size);
    if (*centres == NULL || made->centres == NULL) {
        return engineFail(error, "out of memory");
    }
    VkskinResult result = vkskinComputeCentres(&surface, *centres, size);
    if (result < 0) {
        return engineFail(error, "vkskinComputeCentres: %s", vkskinResultName(result));
    }
    memcpy(made->centres, *centres + HEAD, size - HEAD);
    return true;
}

static void freeMesh(SoakMesh *mesh) {
    free(mesh->centres);
    free(mesh);
}

static bool createMesh(SoakWorld *world, SoakMesh *mesh, EngineError *error) {
    SoakContext *context = world->context;
    const ModelMesh *model = &mesh->character->model->meshes[0];
    VkskinMeshDef def = randomMeshDef(&world->random, &context->ways, model, mesh);
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
    def.morphTargetCount = context->ways.morphs ? SOAK_MORPHS : 0;
    unsigned char *centres = NULL;
    if ((context->ways.methods & VKSKIN_METHOD_CENTRES_OF_ROTATION_BIT) != 0) {
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
    return result >= 0 ? soakContextKernels(context, mesh->handle, error)
                       : soakContextFail(context, "vkskinCreateMesh", result, error);
}

bool soakWorldAddMesh(SoakWorld *world, EngineError *error) {
    if (world->meshCount == SOAK_MAX_MESHES || world->characterCount == 0) {
        return true;
    }
    SoakMesh *mesh = calloc(1, sizeof *mesh);
    if (mesh == NULL) {
        return engineFail(error, "out of memory");
    }
    mesh->character = world->characters[randomBelow(&world->random, world->characterCount)];
    if (!createMesh(world, mesh, error)) {
        freeMesh(mesh);
        return false;
    }
    world->meshes[world->meshCount++] = mesh;
    world->counts.meshesMade++;
    return true;
}

bool soakWorldDropMesh(SoakWorld *world, uint32_t index, EngineError *error) {
    SoakMesh *mesh = world->meshes[index];
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        if (world->instances[i]->mesh == mesh && !soakWorldDropInstance(world, i, error)) {
            return false;
        }
    }
    VkskinResult result = vkskinDestroyMesh(world->context->handle, mesh->handle);
    if (result < 0) {
        return soakContextFail(world->context, "vkskinDestroyMesh", result, error);
    }
    freeMesh(mesh);
    world->meshes[index] = world->meshes[--world->meshCount];
    world->counts.meshesDestroyed++;
    return true;
}

/* ---- Instances ---- */

bool soakWorldAddInstance(SoakWorld *world, EngineError *error) {
    if (world->instanceCount == SOAK_MAX_INSTANCES || world->meshCount == 0) {
        return true;
    }
    SoakInstance *instance = calloc(1, sizeof *instance);
    if (instance == NULL) {
        return engineFail(error, "out of memory");
    }
    instance->mesh = world->meshes[randomBelow(&world->random, world->meshCount)];
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = instance->mesh->handle;
    VkskinResult result = vkskinCreateInstance(world->context->handle, &def, &instance->handle);
    if (result < 0) {
        free(instance);
        return soakContextFail(world->context, "vkskinCreateInstance", result, error);
    }
    world->instances[world->instanceCount++] = instance;
    world->counts.instancesMade++;
    return true;
}

/* Where it lies now nobody may lie until this frame's slot is begun again. */
static bool guardOutput(SoakWorld *world, const SoakInstance *instance, EngineError *error) {
    VkskinOutput output;
    SoakContext *context = world->context;
    if (instance->updateFrame == 0) {
        return true;
    }
    VkskinResult result = vkskinGetOutput(context->handle, instance->handle, &output);
    if (result < 0) {
        return soakContextFail(context, "vkskinGetOutput", result, error);
    }
    soakRangesAdd(&world->ranges, &output, context->frame + context->framesInFlight);
    return true;
}

bool soakWorldDropInstance(SoakWorld *world, uint32_t index, EngineError *error) {
    SoakInstance *instance = world->instances[index];
    VkskinOutput output;
    if (!guardOutput(world, instance, error)) {
        return false;
    }
    VkskinResult result = vkskinDestroyInstance(world->context->handle, instance->handle);
    if (result < 0) {
        return soakContextFail(world->context, "vkskinDestroyInstance", result, error);
    }
    result = vkskinGetOutput(world->context->handle, instance->handle, &output);
    if (result != VKSKIN_ERROR_STALE_HANDLE) {
        return engineFail(error, "vkskinGetOutput of a destroyed instance: %s", vkskinResultName(result));
    }
    free(instance);
    world->instances[index] = world->instances[--world->instanceCount];
    world->counts.instancesDestroyed++;
    return true;
}

bool soakWorldCheckPlaces(const SoakWorld *world, EngineError *error) {
    SoakContext *context = world->context;
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        const SoakInstance *instance = world->instances[i];
        VkskinOutput output;
        if (instance->updateFrame != context->frame) {
            continue;
        }
        VkskinResult result = vkskinGetOutput(context->handle, instance->handle, &output);
        if (result < 0) {
            return soakContextFail(context, "vkskinGetOutput", result, error);
        }
        if (soakRangesMeet(&world->ranges, &output, context->frame)) {
            return engineFail(error, "instance (%u, %u) got the place of a destroyed one that is still in flight",
                              instance->handle.index, instance->handle.generation);
        }
    }
    return true;
}

/* ---- Ends ---- */

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
