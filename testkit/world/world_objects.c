/* The objects of a world and the random operations on them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "mesh_input.h"
#include "world.h"

/* ---- Instances ---- */

/* Half of the instances are in pages of the library. */
static uint32_t chooseBuffer(World *world) {
    const uint32_t index = randomBelow(&world->random, 2 * WORLD_MAX_BUFFERS);
    const WorldBuffer *buffer = &world->context->buffers[index % WORLD_MAX_BUFFERS];
    const bool open = buffer->memory.handle != VK_NULL_HANDLE && !buffer->closing;
    return index < WORLD_MAX_BUFFERS && open ? index : WORLD_NO_BUFFER;
}

static void addInstance(World *world) {
    if (world->instanceCount == world->context->maxInstances || world->meshCount == 0) {
        return;
    }
    WorldInstance *instance = newZeroed(1, sizeof *instance);
    world->instances[world->instanceCount++] = instance;
    world->counts.instancesMade++;
    instance->mesh = world->meshes[randomBelow(&world->random, world->meshCount)];
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = instance->mesh->handle;
    instance->place.buffer = chooseBuffer(world);
    if (instance->place.buffer != WORLD_NO_BUFFER &&
        worldBufferPlace(world->context, &world->random, def, &instance->mesh->info, &instance->place,
                         &instance->handle)) {
        world->counts.instancesHosted++;
        return;
    }
    instance->place.buffer = WORLD_NO_BUFFER;
    worldContextCheck(world->context, "vkskinCreateInstance",
                      vkskinCreateInstance(world->context->handle, &def, &instance->handle));
}

VkskinOutput worldOutput(const World *world, const WorldInstance *instance) {
    VkskinOutput output;
    worldContextCheck(world->context, "vkskinGetOutput",
                      vkskinGetOutput(world->context->handle, instance->handle, &output));
    return output;
}

/* Before its output is freed: no other output may overlap it until the frame's slot is begun again. */
static void keepRange(World *world, const WorldInstance *instance) {
    if (instance->updateFrame > 0) {
        VkskinOutput output = worldOutput(world, instance);
        if (world->onGone != NULL && instance->recordFrame == world->context->frame) {
            world->onGone(world->user, &instance->mesh->info, &output);
        }
        worldRangesAdd(&world->ranges, &instance->mesh->info, &output,
                       world->context->frame + world->context->framesInFlight);
    }
}

static void dropInstance(World *world, uint32_t index) {
    WorldInstance *instance = world->instances[index];
    WorldContext *context = world->context;
    VkskinOutput output;
    keepRange(world, instance);
    worldContextCheck(context, "vkskinDestroyInstance", vkskinDestroyInstance(context->handle, instance->handle));
    VkskinResult result = vkskinGetOutput(context->handle, instance->handle, &output);
    if (result != VKSKIN_ERROR_STALE_HANDLE) {
        worldFail("vkskinGetOutput of a destroyed instance: %s", vkskinResultName(result));
    }
    free(instance);
    world->instances[index] = world->instances[--world->instanceCount];
    world->counts.instancesDestroyed++;
}

/* ---- Meshes ---- */

static const bool MORPHS_AFTER[WORLD_MORPHS] = {false, true};

static bool hasMethod(const WorldKinds *kinds, VkskinMethod method) {
    return kinds->ways[0].method == method || kinds->ways[1].method == method;
}

ModelMesh worldMeshModel(const WorldMesh *mesh) {
    ModelMesh model = mesh->character->model->meshes[0];
    model.morphCount = mesh->morphed ? model.morphCount : 0;
    model.boneCount = mesh->boneless ? 0 : model.boneCount;
    return model;
}

/* The narrowest format that holds the joints, or 32 bits. */
static VkskinJointFormat jointFormat(Random *random, uint32_t boneCount) {
    return randomBelow(random, 2) != 0 ? VKSKIN_JOINTS_U32
           : boneCount <= 256          ? VKSKIN_JOINTS_U8
           : boneCount <= 65536        ? VKSKIN_JOINTS_U16
                                       : VKSKIN_JOINTS_U32;
}

static WorldMesh randomOptions(Random *random, const WorldKinds *kinds, WorldCharacter *character) {
    WorldMesh made = {.character = character, .previousPositions = randomBelow(random, 2) == 0};
    made.maxInfluences = randomBelow(random, 2) == 0 ? 0 : 1 + randomBelow(random, 8);
    made.minWeight = randomBelow(random, 3) == 0 ? 0.1f : 0.0f;
    made.morphed = kinds->morphs && randomBelow(random, 4) > 0;
    made.boneless = made.morphed && randomBelow(random, 4) == 0;
    return made;
}

static void chooseDef(Random *random, const WorldKinds *kinds, const WorldMesh *made, VkskinMeshDef *def) {
    const bool flat = made->character->flat;
    def->normals = kinds->vectors > 0 ? def->normals : NULL;
    def->tangents = kinds->vectors > 1 ? def->tangents : NULL;
    def->format = kinds->format;
    def->normalRule = kinds->normals;
    def->previousPositions = made->previousPositions;
    def->weightFormat = (VkskinWeightFormat)(randomBelow(random, 4) == 0 ? randomBelow(random, 3) : 0);
    def->maxInfluences = made->maxInfluences;
    def->minWeight = made->minWeight;
    def->unweightedBone = made->boneless ? VKSKIN_NO_BONE : made->character->unweightedBone;
    def->blendWeights = !flat && hasMethod(kinds, VKSKIN_METHOD_PAINTED_BLEND) ? def->blendWeights : NULL;
}

/* Computes centres from few triangles, to be fast. */
static void addCentres(WorldMesh *made, MeshInput *input) {
    enum { CORNERS = 120 };
    uint32_t triangles[CORNERS];
    for (uint32_t i = 0; i < CORNERS; i++) {
        triangles[i] = (i / 3 + i % 3) % input->def.vertexCount;
    }
    meshInputAddCentres(input, triangles, CORNERS, NULL);
    const size_t bytes = (size_t)input->def.vertexCount * 3 * sizeof(float);
    made->centres = newZeroed(bytes, 1);
    memcpy(made->centres, (const char *)input->centres + MESH_CENTRES_HEAD, bytes);
}

static float *randomPoints(Random *random, uint32_t count) {
    float *points = newZeroed(count, 2 * sizeof *points);
    for (size_t i = 0; i < 2 * (size_t)count; i++) {
        points[i] = randomFloat(random, -1.0f, 1.0f);
    }
    return points;
}

/* A position and a delta for each influence. */
static void addInfluencePositions(Random *random, const ModelMesh *model, WorldMesh *made, MeshInput *input) {
    made->influencePositions = randomPoints(random, model->vertexCount * model->influences);
    input->def.positions = NULL;
    input->def.influencePositions = made->influencePositions;
    if (model->morphCount > 0) {
        made->influenceDeltas = randomPoints(random, model->morphs[0].vertexCount * model->influences);
        input->targets[0].positions = made->influenceDeltas;
    }
}

static void freeArrays(const WorldMesh *mesh) {
    free(mesh->centres);
    free(mesh->influencePositions);
    free(mesh->influenceDeltas);
}

static void freeMesh(WorldMesh *mesh) {
    freeArrays(mesh);
    free(mesh);
}

static void fillInput(Random *random, const WorldKinds *kinds, WorldMesh *made, MeshInput *input) {
    const ModelMesh model = worldMeshModel(made);
    const bool flat = made->character->flat, boned = model.boneCount > 0;
    meshInputFill(input, &model, jointFormat(random, made->character->model->meshes[0].boneCount), flat, MORPHS_AFTER);
    chooseDef(random, kinds, made, &input->def);
    if (!flat && boned && hasMethod(kinds, VKSKIN_METHOD_CENTRES_OF_ROTATION)) {
        addCentres(made, input);
    }
    if (flat && boned && randomBelow(random, 2) == 0) {
        addInfluencePositions(random, &model, made, input);
    }
    if (randomBelow(random, 3) == 0) {
        meshInputAddLayout(input, random);
    }
}

/* Creates the mesh, or replaces it by one with other options. Returns false if a buffer of the host has no room for both. */
static bool fillMesh(World *world, WorldMesh *mesh, bool replaces) {
    WorldContext *context = world->context;
    WorldMesh made = randomOptions(&world->random, &context->kinds, mesh->character);
    MeshInput input = {.joints = NULL};
    made.handle = mesh->handle;
    fillInput(&world->random, &context->kinds, &made, &input);
    VkskinResult result = replaces ? vkskinReplaceMesh(context->handle, made.handle, &input.def)
                                   : vkskinCreateMesh(context->handle, &input.def, &made.handle);
    meshInputFree(&input);
    if (replaces && result == VKSKIN_ERROR_OUTPUT_BUFFER_FULL) {
        freeArrays(&made);
        return false;
    }
    worldContextCheck(context, replaces ? "vkskinReplaceMesh" : "vkskinCreateMesh", result);
    worldContextCheck(context, "vkskinGetMeshInfo", vkskinGetMeshInfo(context->handle, made.handle, &made.info));
    worldContextKernels(context, made.handle);
    world->counts.meshesPassing += made.info.layout.passThroughCount > 0;
    freeArrays(mesh);
    *mesh = made;
    return true;
}

static WorldCharacter *addCharacter(World *world) {
    const WorldContext *context = world->context;
    const uint32_t many = context->host->dense && randomBelow(&world->random, 4) == 0 ? UINT32_MAX : 124;
    const uint32_t most = context->maxBones < many ? context->maxBones : many;
    const bool flat = context->kinds.flat && randomBelow(&world->random, 3) == 0;
    WorldCharacter *character = worldCharacterCreate(&world->random, flat, most, &world->poseMemory);
    world->characters[world->characterCount++] = character;
    world->counts.charactersMade++;
    world->counts.clipsMade += character->model->clipCount;
    return character;
}

static void dropCharacter(World *world, uint32_t index);

/* One whose palettes and kernels the context has. */
static WorldCharacter *chooseCharacter(World *world) {
    const WorldContext *context = world->context;
    WorldCharacter *usable[WORLD_MAX_CHARACTERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->characterCount; i++) {
        WorldCharacter *character = world->characters[i];
        if (character->model->skins[0].boneCount <= context->maxBones && (!character->flat || context->kinds.flat)) {
            usable[count++] = character;
        }
    }
    if (count > 0) {
        return usable[randomBelow(&world->random, count)];
    }
    if (world->characterCount == WORLD_MAX_CHARACTERS) {
        dropCharacter(world, 0);
    }
    return addCharacter(world);
}

static void addMesh(World *world) {
    WorldCharacter *character = chooseCharacter(world);
    if (world->meshCount < WORLD_MAX_MESHES) {
        WorldMesh *mesh = newZeroed(1, sizeof *mesh);
        world->meshes[world->meshCount++] = mesh;
        world->counts.meshesMade++;
        mesh->character = character;
        (void)fillMesh(world, mesh, false);
    }
}

/* A mesh with a place that the host chose cannot be replaced. */
static void replaceMesh(World *world, WorldMesh *mesh) {
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        const WorldPlace *place = &world->instances[i]->place;
        if (world->instances[i]->mesh == mesh && place->buffer != WORLD_NO_BUFFER &&
            place->offset != VKSKIN_OFFSET_AUTOMATIC) {
            dropInstance(world, i);
        }
    }
    const WorldRanges before = world->ranges;
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        if (world->instances[i]->mesh == mesh) {
            keepRange(world, world->instances[i]);
        }
    }
    if (!fillMesh(world, mesh, true)) {
        world->ranges = before;
        return;
    }
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        WorldInstance *instance = world->instances[i];
        instance->updateFrame = instance->mesh == mesh ? 0 : instance->updateFrame;
    }
    world->counts.meshesReplaced++;
}

static void dropMesh(World *world, uint32_t index) {
    WorldMesh *mesh = world->meshes[index];
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        if (world->instances[i]->mesh == mesh) {
            dropInstance(world, i);
        }
    }
    worldContextCheck(world->context, "vkskinDestroyMesh", vkskinDestroyMesh(world->context->handle, mesh->handle));
    freeMesh(mesh);
    world->meshes[index] = world->meshes[--world->meshCount];
    world->counts.meshesDestroyed++;
}

/* ---- Characters ---- */

static void destroyCharacter(World *world, uint32_t index) {
    for (uint32_t i = 0; i < world->paletteCount; i++) { /* another one may get its address */
        WorldPalette *palette = &world->palettes[i];
        palette->character = palette->character == world->characters[index] ? NULL : palette->character;
    }
    worldCharacterDestroy(world->characters[index]);
    world->characters[index] = world->characters[--world->characterCount];
    world->counts.charactersDestroyed++;
}

static void dropCharacter(World *world, uint32_t index) {
    for (uint32_t i = world->meshCount; i-- > 0;) {
        if (world->meshes[i]->character == world->characters[index]) {
            dropMesh(world, i);
        }
    }
    destroyCharacter(world, index);
}

/* ---- Buffers of the host ---- */

/* Destroys the instances of a buffer, sometimes all but one, then removes it as soon as no frame in flight uses it. */
static void closeBuffer(World *world, uint32_t index) {
    bool used = false;
    world->context->buffers[index].closing = true;
    for (uint32_t i = world->instanceCount; i-- > 0;) {
        if (world->instances[i]->place.buffer == index) {
            if (!used && randomBelow(&world->random, 5) == 0) {
                used = true;
            } else {
                dropInstance(world, i);
            }
        }
    }
    world->counts.buffersRemoved += worldBufferRemove(world->context, index, used);
}

static void addBuffer(World *world) {
    for (uint32_t i = 0; i < WORLD_MAX_BUFFERS; i++) {
        if (world->context->buffers[i].memory.handle == VK_NULL_HANDLE) {
            worldBufferAdd(world->context, &world->random, i);
            world->counts.buffersMade++;
            return;
        }
    }
}

/* Sometimes one buffer begins to close; those that have begun go on. */
static void closeBuffers(World *world) {
    const uint32_t chosen = randomBelow(&world->random, 20 * WORLD_MAX_BUFFERS);
    for (uint32_t i = 0; i < WORLD_MAX_BUFFERS; i++) {
        const WorldBuffer *buffer = &world->context->buffers[i];
        if (buffer->memory.handle != VK_NULL_HANDLE && (buffer->closing || i == chosen)) {
            closeBuffer(world, i);
        }
    }
}

/* ---- Random operations ---- */

static uint32_t below(World *world, uint32_t count) {
    return randomBelow(&world->random, count);
}

static void dropInstances(World *world, uint32_t count) {
    for (uint32_t i = 0; i < count && world->instanceCount > 1; i++) {
        dropInstance(world, below(world, world->instanceCount));
    }
}

static void addInstances(World *world, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        addInstance(world);
    }
}

static void makeCharacter(World *world) {
    if (world->characterCount < WORLD_MAX_CHARACTERS) {
        (void)addCharacter(world);
    }
}

static void dropAnyCharacter(World *world) {
    dropCharacter(world, below(world, world->characterCount));
}

static void dropAnyMesh(World *world) {
    dropMesh(world, below(world, world->meshCount));
}

static void replaceAnyMesh(World *world) {
    replaceMesh(world, world->meshes[below(world, world->meshCount)]);
}

static void dropSomeInstances(World *world) {
    dropInstances(world, below(world, 3));
}

static void dropManyInstances(World *world) {
    dropInstances(world, world->context->host->dense ? world->instanceCount / 6 : WORLD_MAX_INSTANCES);
}

static void addSomeInstances(World *world) {
    addInstances(world, below(world, 4) + (world->instanceCount == 0));
}

static void fillInstances(World *world) {
    addInstances(world, world->context->maxInstances);
}

static void addPair(World *world) {
    addMesh(world);
    addInstance(world);
}

/* ok: null, or whether there is enough for it. Percents: how often it happens in a frame of a world that is dense or not,
 * before anything is skinned; and at each time between. */
typedef struct Operation {
    void (*run)(World *world);
    size_t count; /* offset of the number of objects that it needs */
    uint32_t least;
    uint8_t usual, dense, between;
} Operation;

#define NEEDS(list) offsetof(World, list##Count)

/* Destruction comes first. What is needed of a frame comes at last. */
static const Operation OPERATIONS[] = {
    {dropAnyCharacter, NEEDS(character), 2, 2, 10, 0},
    {makeCharacter, NEEDS(character), 0, 3, 50, 0},
    {dropAnyMesh, NEEDS(mesh), 2, 12, 25, 10},
    {replaceAnyMesh, NEEDS(mesh), 1, 8, 10, 0},
    {addMesh, NEEDS(mesh), 0, 15, 50, 0},
    {addBuffer, NEEDS(mesh), 0, 16, 50, 0},
    {closeBuffers, NEEDS(mesh), 0, 100, 100, 0},
    {dropSomeInstances, NEEDS(instance), 1, 100, 50, 10},
    {dropManyInstances, NEEDS(instance), 1, 1, 100, 0},
    {addSomeInstances, NEEDS(mesh), 1, 100, 50, 10},
    {fillInstances, NEEDS(mesh), 1, 1, 90, 0},
    {addPair, NEEDS(mesh), 0, 0, 0, 10},
};

static uint32_t countAt(const World *world, size_t offset) {
    uint32_t count;
    memcpy(&count, (const char *)world + offset, sizeof count);
    return count;
}

static void operate(World *world, bool between) {
    for (uint32_t i = 0; i < COUNT_OF(OPERATIONS); i++) {
        const Operation *operation = &OPERATIONS[i];
        const uint32_t percent = between                       ? operation->between
                                 : world->context->host->dense ? operation->dense
                                                               : operation->usual;
        if (countAt(world, operation->count) >= operation->least && below(world, 100) < percent) {
            operation->run(world);
        }
    }
}

void worldBegin(World *world) {
    world->paletteCount = 0;
    world->commandCount = 0;
    world->context->ring.page = 0;
    world->context->ring.used = 0;
    operate(world, false);
    if (world->meshCount == 0) {
        addMesh(world);
    }
    if (world->instanceCount == 0) {
        addInstance(world);
    }
}

void worldBetween(World *world) {
    operate(world, true);
}

/* ---- Checks and ends ---- */

void worldCheckPlaces(const World *world) {
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        const WorldInstance *instance = world->instances[i];
        if (instance->updateFrame == world->context->frame) {
            VkskinOutput output = worldOutput(world, instance);
            worldBufferCheck(world->context, &instance->place, &instance->mesh->info, &output);
            if (worldRangesMeet(&world->ranges, &instance->mesh->info, &output, world->context->frame)) {
                worldFail("instance (%u, %u) got the place of a destroyed one that is still in flight",
                          instance->handle.index, instance->handle.generation);
            }
        }
    }
}

uint64_t worldBytes(const World *world) {
    const WorldContext *context = world->context;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < world->meshCount && context->backend != VKSKIN_BACKEND_CPU; i++) {
        bytes += world->meshes[i]->info.sourceBytes;
    }
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        const WorldMesh *mesh = world->instances[i]->mesh;
        const uint32_t regions = context->regions + (mesh->previousPositions ? 1 : 0);
        bytes += world->instances[i]->place.buffer == WORLD_NO_BUFFER ? regions * mesh->info.outputBytes : 0;
    }
    return bytes;
}

void worldForgetContext(World *world) {
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
    world->ranges = (WorldRanges){0};
}

void worldEnd(World *world) {
    while (world->characterCount > 0) {
        destroyCharacter(world, world->characterCount - 1);
    }
    uint64_t bytes = atomic_load(&world->poseMemory.bytes), blocks = atomic_load(&world->poseMemory.blocks);
    if (bytes > 0 || blocks > 0) {
        worldFail("destroyed skeletons, clips and skins left %" PRIu64 " bytes in %" PRIu64 " blocks", bytes, blocks);
    }
}
