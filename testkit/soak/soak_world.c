/* The objects of a soak and the random operations on them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model_mesh.h"
#include "soak_parts.h"

/* ---- Instances ---- */

/* Half of the instances are in pages of the library. */
static uint32_t chooseBuffer(SoakWorld *world) {
    const uint32_t index = randomBelow(&world->random, 2 * SOAK_MAX_BUFFERS);
    const SoakBuffer *buffer = &world->context->buffers[index % SOAK_MAX_BUFFERS];
    const bool open = buffer->memory.handle != VK_NULL_HANDLE && !buffer->closing;
    return index < SOAK_MAX_BUFFERS && open ? index : SOAK_NO_BUFFER;
}

static void addInstance(SoakWorld *world) {
    if (world->instanceCount == SOAK_MAX_INSTANCES || world->meshCount == 0) {
        return;
    }
    SoakInstance *instance = newZeroed(1, sizeof *instance);
    world->instances[world->instanceCount++] = instance;
    world->counts.instancesMade++;
    instance->mesh = world->meshes[randomBelow(&world->random, world->meshCount)];
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = instance->mesh->handle;
    instance->place.buffer = chooseBuffer(world);
    if (instance->place.buffer != SOAK_NO_BUFFER &&
        soakBufferPlace(world->context, &world->random, def, &instance->mesh->info, &instance->place,
                        &instance->handle)) {
        world->counts.instancesHosted++;
        return;
    }
    instance->place.buffer = SOAK_NO_BUFFER;
    soakContextCheck(world->context, "vkskinCreateInstance",
                     vkskinCreateInstance(world->context->handle, &def, &instance->handle));
}

VkskinOutput soakWorldOutput(const SoakWorld *world, const SoakInstance *instance) {
    VkskinOutput output;
    soakContextCheck(world->context, "vkskinGetOutput",
                     vkskinGetOutput(world->context->handle, instance->handle, &output));
    return output;
}

/* Before its output is freed: no other output may overlap it until the frame's slot is begun again. */
static void keepRange(SoakWorld *world, const SoakInstance *instance) {
    if (instance->updateFrame > 0) {
        VkskinOutput output = soakWorldOutput(world, instance);
        soakRangesAdd(&world->ranges, &output, world->context->frame + world->context->framesInFlight);
    }
}

static void dropInstance(SoakWorld *world, uint32_t index) {
    SoakInstance *instance = world->instances[index];
    SoakContext *context = world->context;
    VkskinOutput output;
    keepRange(world, instance);
    soakContextCheck(context, "vkskinDestroyInstance", vkskinDestroyInstance(context->handle, instance->handle));
    VkskinResult result = vkskinGetOutput(context->handle, instance->handle, &output);
    if (result != VKSKIN_ERROR_STALE_HANDLE) {
        soakFail("vkskinGetOutput of a destroyed instance: %s", vkskinResultName(result));
    }
    free(instance);
    world->instances[index] = world->instances[--world->instanceCount];
    world->counts.instancesDestroyed++;
}

/* ---- Meshes ---- */

static VkskinMeshDef randomMeshDef(Random *random, const SoakKinds *kinds, const ModelMesh *mesh, SoakMesh *made) {
    made->maxInfluences = randomBelow(random, 7);
    made->previousPositions = randomBelow(random, 2) == 0;
    VkskinMeshDef def = meshDefOfModel(mesh);
    def.normals = kinds->vectors > 0 ? mesh->normals : NULL;
    def.tangents = kinds->vectors > 1 ? mesh->tangents : NULL;
    def.maxInfluences = made->maxInfluences;
    def.format = kinds->format;
    def.normalRule = kinds->normals;
    def.previousPositions = made->previousPositions;
    return def;
}

/* Uses few triangles, to be fast. Returns the centres for the library, which the caller frees. made->centres: for the
 * reference. */
static unsigned char *computeCentres(const ModelMesh *mesh, SoakMesh *made) {
    enum { TRIANGLES = 40, HEAD = 32 };
    uint32_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        indices[i] = (i / 3 + i % 3) % mesh->vertexCount;
    }
    VkskinMeshDef surface = meshDefOfModel(mesh);
    surface.indexCount = 3 * TRIANGLES;
    surface.indices = indices;
    size_t size = vkskinCentresSize(mesh->vertexCount);
    unsigned char *centres = newZeroed(size, 1);
    made->centres = newZeroed(size, 1);
    VkskinResult result = vkskinComputeCentres(&surface, NULL, centres, size);
    if (result < 0) {
        soakFail("vkskinComputeCentres: %s", vkskinResultName(result));
    }
    memcpy(made->centres, centres + HEAD, size - HEAD);
    return centres;
}

static void freeMesh(SoakMesh *mesh) {
    free(mesh->centres);
    free(mesh);
}

/* Creates the mesh, or replaces it by one with other options. Returns false if a buffer of the host has no room for both. */
static bool fillMesh(SoakContext *context, Random *random, SoakMesh *mesh, bool replaces) {
    const ModelMesh *model = &mesh->character->model->meshes[0];
    SoakMesh made = {.handle = mesh->handle, .character = mesh->character};
    VkskinMeshDef def = randomMeshDef(random, &context->kinds, model, &made);
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
        centres = computeCentres(model, &made);
        def.centres = centres;
        def.centresSize = vkskinCentresSize(def.vertexCount);
    }
    VkskinResult result = replaces ? vkskinReplaceMesh(context->handle, made.handle, &def)
                                   : vkskinCreateMesh(context->handle, &def, &made.handle);
    free(centres);
    if (replaces && result == VKSKIN_ERROR_OUTPUT_BUFFER_FULL) {
        free(made.centres);
        return false;
    }
    soakContextCheck(context, replaces ? "vkskinReplaceMesh" : "vkskinCreateMesh", result);
    soakContextCheck(context, "vkskinGetMeshInfo", vkskinGetMeshInfo(context->handle, made.handle, &made.info));
    soakContextKernels(context, made.handle);
    free(mesh->centres);
    *mesh = made;
    return true;
}

static void addMesh(SoakWorld *world) {
    if (world->meshCount == SOAK_MAX_MESHES || world->characterCount == 0) {
        return;
    }
    SoakMesh *mesh = newZeroed(1, sizeof *mesh);
    world->meshes[world->meshCount++] = mesh;
    world->counts.meshesMade++;
    mesh->character = world->characters[randomBelow(&world->random, world->characterCount)];
    (void)fillMesh(world->context, &world->random, mesh, false);
}

/* A mesh with a place that the host chose cannot be replaced. */
static void replaceMesh(SoakWorld *world, SoakMesh *mesh) {
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        const SoakPlace *place = &world->instances[i]->place;
        if (world->instances[i]->mesh == mesh && place->buffer != SOAK_NO_BUFFER &&
            place->offset != VKSKIN_OFFSET_AUTOMATIC) {
            dropInstance(world, i);
        }
    }
    const SoakRanges before = world->ranges;
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        if (world->instances[i]->mesh == mesh) {
            keepRange(world, world->instances[i]);
        }
    }
    if (!fillMesh(world->context, &world->random, mesh, true)) {
        world->ranges = before;
        return;
    }
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        SoakInstance *instance = world->instances[i];
        instance->updateFrame = instance->mesh == mesh ? 0 : instance->updateFrame;
    }
    world->counts.meshesReplaced++;
}

static void dropMesh(SoakWorld *world, uint32_t index) {
    SoakMesh *mesh = world->meshes[index];
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        if (world->instances[i]->mesh == mesh) {
            dropInstance(world, i);
        }
    }
    soakContextCheck(world->context, "vkskinDestroyMesh", vkskinDestroyMesh(world->context->handle, mesh->handle));
    freeMesh(mesh);
    world->meshes[index] = world->meshes[--world->meshCount];
    world->counts.meshesDestroyed++;
}

/* ---- Characters ---- */

static void addCharacter(SoakWorld *world) {
    if (world->characterCount < SOAK_MAX_CHARACTERS) {
        SoakCharacter *character = soakCharacterCreate(&world->random, &world->poseMemory);
        world->characters[world->characterCount++] = character;
        world->counts.charactersMade++;
        world->counts.clipsMade += character->model->clipCount;
    }
}

static void destroyCharacter(SoakWorld *world, uint32_t index) {
    soakCharacterDestroy(world->characters[index]);
    world->characters[index] = world->characters[--world->characterCount];
    world->counts.charactersDestroyed++;
}

static void dropCharacter(SoakWorld *world, uint32_t index) {
    for (uint32_t i = world->meshCount; i-- > 0;) {
        if (world->meshes[i]->character == world->characters[index]) {
            dropMesh(world, i);
        }
    }
    destroyCharacter(world, index);
}

/* ---- Random operations ---- */

static bool chance(SoakWorld *world, uint32_t percent) {
    return randomBelow(&world->random, 100) < percent;
}

static uint32_t below(SoakWorld *world, uint32_t count) {
    return randomBelow(&world->random, count);
}

static void changeCharacters(SoakWorld *world) {
    if (world->characterCount > 1 && chance(world, 2)) {
        dropCharacter(world, below(world, world->characterCount));
    }
    if (world->characterCount == 0 || chance(world, 3)) {
        addCharacter(world);
    }
}

static void changeMeshes(SoakWorld *world) {
    if (world->meshCount > 1 && chance(world, 12)) {
        dropMesh(world, below(world, world->meshCount));
    }
    if (world->meshCount > 0 && chance(world, 8)) {
        replaceMesh(world, world->meshes[below(world, world->meshCount)]);
    }
    if (world->meshCount == 0 || chance(world, 15)) {
        addMesh(world);
    }
}

/* Destroys the instances of a buffer, sometimes all but one, then removes it as soon as no frame in flight uses it. */
static void closeBuffer(SoakWorld *world, uint32_t index) {
    bool used = false;
    world->context->buffers[index].closing = true;
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        if (world->instances[i]->place.buffer == index) {
            if (!used && chance(world, 20)) {
                used = true;
            } else {
                dropInstance(world, i);
            }
        }
    }
    world->counts.buffersRemoved += soakBufferRemove(world->context, index, used);
}

static void changeBuffers(SoakWorld *world) {
    for (uint32_t i = 0; i < SOAK_MAX_BUFFERS; i++) {
        const SoakBuffer *buffer = &world->context->buffers[i];
        if (buffer->memory.handle == VK_NULL_HANDLE) {
            if (chance(world, 10)) {
                soakBufferAdd(world->context, &world->random, i);
                world->counts.buffersMade++;
            }
        } else if (buffer->closing || chance(world, 3)) {
            closeBuffer(world, i);
        }
    }
}

static void dropInstances(SoakWorld *world, uint32_t count) {
    for (uint32_t i = 0; i < count && world->instanceCount > 1; i++) {
        dropInstance(world, below(world, world->instanceCount));
    }
}

/* About as many are destroyed as created; sometimes nearly all are destroyed, or created up to the maximum. */
static void changeInstances(SoakWorld *world) {
    uint32_t destroyed = chance(world, 1) ? SOAK_MAX_INSTANCES : below(world, 3);
    uint32_t created = chance(world, 1) ? SOAK_MAX_INSTANCES : below(world, 4);
    dropInstances(world, destroyed);
    created = created > 0 || world->instanceCount > 0 ? created : 1;
    for (uint32_t i = 0; i < created; i++) {
        addInstance(world);
    }
}

void soakWorldBegin(SoakWorld *world) {
    changeCharacters(world);
    changeMeshes(world);
    changeBuffers(world);
    changeInstances(world);
}

void soakWorldBetween(SoakWorld *world) {
    switch (below(world, 10)) {
    case 0:
        addMesh(world);
        addInstance(world);
        break;
    case 1:
        addInstance(world);
        break;
    case 2:
        dropInstances(world, 1);
        break;
    case 3:
        if (world->meshCount > 1) {
            dropMesh(world, below(world, world->meshCount));
        }
        break;
    default:
        break;
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
static Shared makePalette(SoakWorld *world, SoakCharacter *character) {
    SoakContext *context = world->context;
    void *data;
    Shared made = {.pose = soakCharacterPose(character, &context->kinds, &world->random)};
    VkskinResult result =
        vkskinAllocatePalette(context->handle, made.pose.encoding,
                              /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a mesh has one */
                              character->model->skins[0].boneCount, &made.palette, &data);
    if (result == VKSKIN_ERROR_PALETTE_RING_FULL) {
        world->counts.ringFull++;
        return made;
    }
    soakContextCheck(context, "vkskinAllocatePalette", result);
    made.character = character;
    soakCharacterPalette(character, &made.pose, data, made.palette.boneCount);
    return made;
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

static void skinInstance(SoakWorld *world, SoakInstance *instance, Shared *shared, bool submitted) {
    bool share = shared->character == instance->mesh->character && chance(world, 30);
    bool teleport = chance(world, 10);
    if (!share) {
        *shared = makePalette(world, instance->mesh->character);
    }
    if (shared->character == NULL) {
        return;
    }
    VkskinSkinCommand command = {.instance = instance->handle,
                                 .palette = shared->palette,
                                 .method = shared->pose.method,
                                 .flags = teleport ? VKSKIN_SKIN_TELEPORT_BIT : 0,
                                 .morphWeights = shared->pose.morphWeights,
                                 .morphWeightCount = instance->mesh->info.morphTargetCount};
    soakContextCheck(world->context, "vkskinSkinInstances",
                     vkskinSkinInstances(world->context->handle, &command, 1, NULL));
    world->counts.commands++;
    if (submitted) {
        keepUpdate(world, instance, &shared->pose, teleport);
    }
}

void soakWorldSkin(SoakWorld *world, bool submitted) {
    uint32_t sure = world->instanceCount > 0 ? below(world, world->instanceCount) : 0;
    Shared shared = {0};
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        SoakInstance *instance = world->instances[i];
        bool done = instance->updateFrame == world->context->frame;
        if (!done && (i == sure || chance(world, 60))) {
            skinInstance(world, instance, &shared, submitted);
        }
    }
}

/* ---- Checks and ends ---- */

void soakWorldCheckPlaces(const SoakWorld *world) {
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        const SoakInstance *instance = world->instances[i];
        if (instance->updateFrame == world->context->frame) {
            VkskinOutput output = soakWorldOutput(world, instance);
            soakBufferCheck(world->context, &instance->place, &instance->mesh->info, &output);
            if (soakRangesMeet(&world->ranges, &output, world->context->frame)) {
                soakFail("instance (%u, %u) got the place of a destroyed one that is still in flight",
                         instance->handle.index, instance->handle.generation);
            }
        }
    }
}

uint64_t soakWorldBytes(const SoakWorld *world) {
    const SoakContext *context = world->context;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < world->meshCount && context->backend != VKSKIN_BACKEND_CPU; i++) {
        bytes += world->meshes[i]->info.sourceBytes;
    }
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        const SoakMesh *mesh = world->instances[i]->mesh;
        const uint32_t regions = context->regions + (mesh->previousPositions ? 1 : 0);
        bytes += world->instances[i]->place.buffer == SOAK_NO_BUFFER ? regions * mesh->info.outputBytes : 0;
    }
    return bytes;
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

void soakWorldEnd(SoakWorld *world) {
    while (world->characterCount > 0) {
        destroyCharacter(world, world->characterCount - 1);
    }
    uint64_t bytes = atomic_load(&world->poseMemory.bytes), blocks = atomic_load(&world->poseMemory.blocks);
    if (bytes > 0 || blocks > 0) {
        soakFail("destroyed skeletons, clips and skins left %" PRIu64 " bytes in %" PRIu64 " blocks", bytes, blocks);
    }
}
