#include "commands.h"

#include "command_check.h"
#include "morph_weights.h"

/*
 * Regions rotate with the instance's updates: the next one was last read longest ago, at least as many frames ago as
 * there are regions. They start with the frame's own, so that instances updated every frame write the same plane.
 */
static void advanceRegion(Instance *instance, const Mesh *mesh, uint64_t turn, uint64_t frame, bool teleport) {
    bool first = instance->updateFrame == 0;
    instance->lastRegion = instance->region;
    instance->region = (uint32_t)(first ? turn % mesh->regions : (instance->region + 1) % mesh->regions);
    instance->previousRegion = first || teleport ? instance->region : instance->lastRegion;
    instance->lastUpdateFrame = instance->updateFrame;
    instance->updateFrame = frame;
}

static void takeCommand(VkskinContext context, const VkskinSkinCommand *command) {
    uint32_t index = command->instance.index - 1;
    Instance *instance = sknInstance(context, index);
    const Mesh *mesh = sknMesh(context, instance->mesh);
    advanceRegion(instance, mesh, context->turn, context->frame, (command->flags & VKSKIN_SKIN_TELEPORT_BIT) != 0);
    bool bones = mesh->info.boneCount > 0;
    LayoutInstance target = {
        .palette = bones ? command->palette.offset / 16 : 0,
        .vertices = (uint32_t)(instance->output.offset / 4),
        .morphs = sknAddMorphs(&context->jobs, context->slot, mesh, command->morphWeights, command->morphWeightCount),
    };
    JobKey key = {
        .kernel = sknCommandKernel(command, mesh, target.morphs != 0),
        .meshPage = mesh->source.page,
        .palettePage = bones ? command->palette.page : 0,
        .outputPage = instance->output.page,
        .outputRegion = instance->region,
        .mesh = instance->mesh,
    };
    instance->command = sknAddCommand(&context->jobs, &key, target, index);
}

void sknForgetCommands(VkskinContext context) {
    for (uint32_t i = 0; i < context->jobs.commandCount; i++) {
        sknInstance(context, context->jobs.commands[i].owner)->command = NO_INDEX;
    }
    context->jobs.commandCount = 0;
}

static void takeBackUpdate(Instance *instance) {
    instance->region = instance->lastRegion;
    instance->updateFrame = instance->lastUpdateFrame;
}

uint32_t sknTakeBackCommands(VkskinContext context) {
    uint32_t count = context->jobs.commandCount;
    for (uint32_t i = 0; i < count; i++) {
        takeBackUpdate(sknInstance(context, context->jobs.commands[i].owner));
    }
    sknForgetCommands(context);
    return count;
}

void sknTakeBackFrame(VkskinContext context) {
    for (uint32_t i = 0; i < context->instances.capacity; i++) {
        Instance *instance = sknInstance(context, i);
        if (instance->header.alive && instance->updateFrame == context->frame) {
            takeBackUpdate(instance);
        }
    }
    sknForgetCommands(context);
}

static VkskinResult takeCommands(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count) {
    VkskinResult result =
        sknNeedFrame(context, "vkskinSkinInstances", "commands", count > 0 ? (const void *)commands : context);
    if (result < 0) {
        return result;
    }
    uint32_t taken = context->skinnedCount;
    if (count > context->def.maxInstances - taken) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_INSTANCES,
                         "vkskinSkinInstances: count is %u after %u in this frame, maxInstances is %u", count, taken,
                         context->def.maxInstances);
    }
    /* Marked as they are checked, so that an instance named twice is found; unmarked if one fails. */
    uint32_t checked = 0;
    uint32_t morphs = 0;
    while (result >= 0 && checked < count) {
        uint32_t index = NO_INDEX;
        result = sknCheckCommand(context, &commands[checked], checked, &index, &morphs);
        if (result >= 0) {
            Instance *instance = sknInstance(context, index);
            instance->lastUpdateFrame = instance->updateFrame;
            instance->updateFrame = context->frame;
            checked++;
        }
    }
    for (uint32_t i = 0; i < checked; i++) {
        Instance *instance = sknInstance(context, commands[i].instance.index - 1);
        instance->updateFrame = instance->lastUpdateFrame;
    }
    if (result < 0) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        takeCommand(context, &commands[i]);
    }
    context->skinnedCount += count;
    context->frameStats.morphWeights = context->jobs.usedMorphs;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, takeCommands(context, commands, count));
}
