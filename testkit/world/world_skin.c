/* The commands of a world: poses and palettes, in any order and in several calls, and their records. */
#include <string.h>

#include "world.h"

#define MAX_COMMANDS 64u /* maximum commands of a call */

static uint32_t below(World *world, uint32_t count) {
    return randomBelow(&world->random, count);
}

static bool chance(World *world, uint32_t percent) {
    return below(world, 100) < percent;
}

/* ---- One command ---- */

/* A command for an instance, which is only valid in the call in which it is given. */
typedef struct Given {
    WorldInstance *instance;
    WorldPose pose;
    VkskinSkinCommand command;
} Given;

/* A palette of the instance's character: a new one, or one that others have. Null: the ring is full. */
static const WorldPalette *choosePalette(World *world, WorldCharacter *character) {
    WorldPalette *shared = NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < world->paletteCount; i++) {
        if (world->palettes[i].character == character && below(world, ++found) == 0) {
            shared = &world->palettes[i];
        }
    }
    const uint32_t most = world->context->host->dense ? 3 : UINT32_MAX;
    if (shared != NULL && (found >= most || world->paletteCount == WORLD_MAX_PALETTES || chance(world, 30))) {
        return shared;
    }
    WorldPalette *made = &world->palettes[world->paletteCount];
    if (!worldPaletteTake(world->context, &world->random, character, made)) {
        world->counts.ringFull++;
        return shared;
    }
    world->paletteCount++;
    return made;
}

/* Keeps what the library must know of the instance. */
static void keepUpdate(World *world, const Given *given) {
    WorldInstance *instance = given->instance;
    const bool teleport = (given->command.flags & VKSKIN_SKIN_TELEPORT_BIT) != 0;
    instance->moved = instance->updateFrame > 0 && !teleport;
    instance->before = instance->pose;
    instance->pose = given->pose;
    instance->updateFrame = world->context->frame;
    world->counts.instancesSkinned++;
    world->counts.verticesSkinned += instance->mesh->info.vertexCount;
    world->counts.teleports += teleport;
}

static void give(World *world, Given *given, uint32_t count, bool submitted) {
    VkskinSkinCommand commands[MAX_COMMANDS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        commands[i] = given[i].command;
        commands[i].morphWeights = given[i].pose.morphWeights;
    }
    worldContextCheck(world->context, "vkskinSkinInstances",
                      vkskinSkinInstances(world->context->handle, commands, count, NULL));
    world->counts.commands += count;
    world->commandCount += count;
    for (uint32_t i = 0; submitted && i < count; i++) {
        keepUpdate(world, &given[i]);
    }
}

/* Any word in the command's palette, method or flags: accepted or refused, it must do no harm. */
static bool giveOdd(World *world, Given given, bool submitted) {
    uint32_t words[offsetof(VkskinSkinCommand, morphWeights) /
                   sizeof(uint32_t)]; /* morphWeights, the pointer behind these words, stays valid */
    const uint32_t first = sizeof given.command.instance / sizeof(uint32_t);
    const uint32_t count = sizeof words / sizeof words[0];
    memcpy(words, &given.command, sizeof words);
    words[first + below(world, count - first)] =
        below(world, 2) == 0 ? randomWord(&world->random) : 16 * below(world, 64);
    memcpy(&given.command, words, sizeof words);
    given.command.morphWeights = given.pose.morphWeights;
    const bool accepted = vkskinSkinInstances(world->context->handle, &given.command, 1, NULL) >= 0;
    *(accepted ? &world->counts.oddAccepted : &world->counts.oddRefused) += 1;
    world->counts.commands += accepted;
    world->commandCount += accepted;
    if (accepted && submitted) {
        given.pose.odd = true;
        keepUpdate(world, &given);
    }
    return accepted;
}

/* Without an instance if there is no palette. */
static Given choose(World *world, WorldInstance *instance) {
    const WorldPalette *palette = choosePalette(world, instance->mesh->character);
    Given given = {.instance = palette != NULL ? instance : NULL};
    if (palette != NULL) {
        given.pose = palette->pose;
        given.command = (VkskinSkinCommand){.instance = instance->handle,
                                            .palette = palette->handle,
                                            .method = palette->pose.way.method,
                                            .flags = chance(world, 10) ? VKSKIN_SKIN_TELEPORT_BIT : 0,
                                            .morphWeightCount = instance->mesh->info.morphTargetCount};
    }
    return given;
}

/* ---- All commands of a frame ---- */

static uint32_t shuffle(World *world, uint32_t *order) {
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        const uint32_t other = below(world, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    return world->instanceCount;
}

/* Commands of instances that were destroyed count too. */
void worldSkin(World *world, bool submitted) {
    static Given given[MAX_COMMANDS]; /* too large for a stack */
    uint32_t order[WORLD_MAX_INSTANCES], used = 0;
    const uint32_t count = shuffle(world, order);
    for (uint32_t i = 0; i < count && world->commandCount + used < world->context->maxInstances; i++) {
        WorldInstance *instance = world->instances[order[i]];
        const bool wanted = instance->updateFrame != world->context->frame && (i == 0 || chance(world, 60));
        given[used] = wanted ? choose(world, instance) : (Given){.instance = NULL};
        const bool odd = given[used].instance != NULL && below(world, world->context->host->dense ? 12 : 48) == 0 &&
                         giveOdd(world, given[used], submitted);
        used += given[used].instance != NULL && !odd;
        if (used == MAX_COMMANDS || (used > 0 && chance(world, 30))) {
            give(world, given, used, submitted);
            used = 0;
        }
    }
    give(world, given, used, submitted);
}

static void record(World *world, VkCommandBuffer commandBuffer) {
    const WorldContext *context = world->context;
    worldContextUploads(context, commandBuffer);
    worldContextCheck(context, "vkskinRecordSkinning", vkskinRecordSkinning(context->handle, commandBuffer));
    worldContextBarrier(context, commandBuffer);
    for (uint32_t i = 0; i < world->instanceCount; i++) {
        WorldInstance *instance = world->instances[i];
        instance->recordFrame = instance->updateFrame == context->frame ? context->frame : instance->recordFrame;
    }
}

void worldRecord(World *world, VkCommandBuffer commandBuffer, bool submitted) {
    const uint32_t again = world->context->host->dense ? 60 : 20;
    do {
        worldSkin(world, submitted);
        worldBetween(world);
        record(world, commandBuffer);
    } while (submitted && chance(world, again));
}
