#include "soak_events.h"

/* ---- Births and deaths ---- */

static bool chance(SoakWorld *world, uint32_t percent) {
    return randomBelow(&world->random, 100) < percent;
}

static uint32_t below(SoakWorld *world, uint32_t count) {
    return randomBelow(&world->random, count);
}

static bool changeCharacters(SoakWorld *world, EngineError *error) {
    bool good = true;
    if (world->characterCount > 1 && chance(world, 2)) {
        good = soakWorldDropCharacter(world, below(world, world->characterCount), error);
    }
    if (good && (world->characterCount == 0 || chance(world, 3))) {
        good = soakWorldAddCharacter(world, error);
    }
    return good;
}

static bool changeMeshes(SoakWorld *world, EngineError *error) {
    bool good = true;
    if (world->meshCount > 1 && chance(world, 12)) {
        good = soakWorldDropMesh(world, below(world, world->meshCount), error);
    }
    if (good && (world->meshCount == 0 || chance(world, 15))) {
        good = soakWorldAddMesh(world, error);
    }
    return good;
}

static bool dropInstances(SoakWorld *world, uint32_t count, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; good && i < count && world->instanceCount > 1; i++) {
        good = soakWorldDropInstance(world, below(world, world->instanceCount), error);
    }
    return good;
}

static bool addInstances(SoakWorld *world, uint32_t count, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        good = soakWorldAddInstance(world, error);
    }
    return good;
}

/* About as many go as come; now and then nearly all go, or all places are taken. */
static bool changeInstances(SoakWorld *world, EngineError *error) {
    uint32_t deaths = chance(world, 1) ? SOAK_MAX_INSTANCES : below(world, 3);
    uint32_t births = chance(world, 1) ? SOAK_MAX_INSTANCES : below(world, 4);
    return dropInstances(world, deaths, error) &&
           addInstances(world, births > 0 || world->instanceCount > 0 ? births : 1, error);
}

bool soakEventsBegin(SoakWorld *world, EngineError *error) {
    return changeCharacters(world, error) && changeMeshes(world, error) && changeInstances(world, error);
}

bool soakEventsBetween(SoakWorld *world, EngineError *error) {
    switch (below(world, 10)) {
    case 0:
        return soakWorldAddMesh(world, error) && soakWorldAddInstance(world, error);
    case 1:
        return soakWorldAddInstance(world, error);
    case 2:
        return dropInstances(world, 1, error);
    case 3:
        return world->meshCount < 2 || soakWorldDropMesh(world, below(world, world->meshCount), error);
    default:
        return true;
    }
}

/* ---- Skinning ---- */

/* The latest palette of a frame, which another instance of the same character may take as well. */
typedef struct Shared {
    const SoakCharacter *character;
    SoakPose pose;
    VkskinPalette palette;
} Shared;

/* A new pose and its palette. Without room in the ring, which is no failure, there is none: its character is null. */
static bool makePalette(SoakWorld *world, SoakCharacter *character, Shared *made, EngineError *error) {
    SoakContext *context = world->context;
    void *data;
    *made = (Shared){.pose = soakCharacterPose(character, &context->ways, &world->random)};
    VkskinResult result =
        vkskinAllocatePalette(context->handle, made->pose.encoding,
                              /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a mesh has one */
                              character->model->skins[0].boneCount, &made->palette, &data);
    if (result == VKSKIN_ERROR_PALETTE_RING_FULL) {
        world->counts.ringFull++;
        return true;
    }
    if (result < 0) {
        return soakContextFail(context, "vkskinAllocatePalette", result, error);
    }
    made->character = character;
    return soakCharacterPalette(character, &made->pose, data, made->palette.boneCount, error);
}

/* What the library must have understood. */
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
    if (result < 0) {
        return soakContextFail(world->context, "vkskinSkinInstances", result, error);
    }
    world->counts.commands++;
    if (submitted) {
        keepUpdate(world, instance, &shared->pose, teleport);
    }
    return true;
}

bool soakEventsSkin(SoakWorld *world, bool submitted, EngineError *error) {
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
