#include "soak_world.h"

#include <inttypes.h>
#include <stdlib.h>

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

static VkskinVertexFormat randomFormat(Random *random, uint32_t formats) {
    VkskinVertexFormat format;
    do {
        format = (VkskinVertexFormat)randomBelow(random, VKSKIN_VERTEX_FORMAT_COUNT);
    } while ((formats & 1u << format) == 0);
    return format;
}

/* formats: bit f, those there are kernels for. */
static VkskinMeshDef randomMeshDef(Random *random, uint32_t formats, const ModelMesh *mesh, SoakMesh *made) {
    uint32_t attributes = randomBelow(random, 3);
    made->maxInfluences = 1 + randomBelow(random, 4);
    made->previousPositions = randomBelow(random, 2) == 0;
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->boneCount;
    def.positions = mesh->positions;
    def.normals = attributes > 0 ? mesh->normals : NULL;
    def.tangents = attributes > 1 ? mesh->tangents : NULL;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.maxInfluences = made->maxInfluences;
    def.format = randomFormat(random, formats);
    def.previousPositions = made->previousPositions;
    return def;
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
    VkskinMeshDef def =
        randomMeshDef(&world->random, world->context->formats, &mesh->character->model->meshes[0], mesh);
    VkskinResult result = vkskinCreateMesh(world->context->handle, &def, &mesh->handle);
    if (result >= 0) {
        result = vkskinGetMeshInfo(world->context->handle, mesh->handle, &mesh->info);
    }
    if (result < 0) {
        free(mesh);
        return soakContextFail(world->context, "vkskinCreateMesh", result, error);
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
    free(mesh);
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
        free(world->meshes[i]);
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
