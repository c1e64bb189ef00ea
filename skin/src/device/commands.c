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

/* A pose is the output's own: it goes and comes back with the region. */
static void notePose(Instance *instance, uint64_t pose) {
    instance->lastPoseVersion = instance->poseVersion;
    instance->poseVersion = pose;
}

static void takeCommand(VkskinContext context, const VkskinSkinCommand *command) {
    uint32_t index = command->instance.index - 1;
    Instance *instance = sknInstance(context, index);
    const Mesh *mesh = sknMesh(context, instance->mesh);
    advanceRegion(instance, mesh, context->turn, context->frame, (command->flags & VKSKIN_SKIN_TELEPORT_BIT) != 0);
    notePose(instance, command->poseVersion);
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
    instance->poseVersion = instance->lastPoseVersion;
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

/* Of a handle that was checked. */
static Instance *commandInstance(VkskinContext context, const VkskinSkinCommand *command) {
    return sknInstance(context, command->instance.index - 1);
}

/*
 * Marked as they are checked, so that an instance named twice is found; unmarked at the end. *kept: those that are not
 * left out.
 */
static VkskinResult checkCommands(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                  uint32_t *kept) {
    VkskinResult result = VKSKIN_SUCCESS;
    uint32_t checked = 0;
    uint32_t morphs = 0;
    while (result >= 0 && checked < count) {
        uint32_t index = NO_INDEX;
        result = sknCheckCommand(context, &commands[checked], checked, &index, &morphs);
        if (result >= 0) {
            Instance *instance = sknInstance(context, index);
            if (!sknLeavesOut(context, &commands[checked], instance)) {
                instance->lastUpdateFrame = instance->updateFrame;
                instance->updateFrame = context->frame;
                (*kept)++;
            }
            checked++;
        }
    }
    /* What an earlier call has skinned in this frame is named by unseen commands alone. */
    for (uint32_t i = 0; i < checked; i++) {
        Instance *instance = commandInstance(context, &commands[i]);
        if (!sknIsUnseen(&commands[i]) && instance->updateFrame == context->frame) {
            instance->updateFrame = instance->lastUpdateFrame;
        }
    }
    return result;
}

static void countLeftOut(VkskinContext context, const VkskinSkinCommand *command) {
    bool unseen = sknIsUnseen(command);
    context->frameStats.instancesUnseen += unseen;
    context->frameStats.instancesUnchanged += !unseen;
}

static VkskinResult takeCommands(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count) {
    VkskinResult result =
        sknNeedFrame(context, "vkskinSkinInstances", "commands", count > 0 ? (const void *)commands : context);
    uint32_t kept = 0;
    if (result >= 0) {
        result = checkCommands(context, commands, count, &kept);
    }
    if (result < 0) {
        return result;
    }
    uint32_t taken = context->skinnedCount;
    if (kept > context->def.maxInstances - taken) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_INSTANCES,
                         "vkskinSkinInstances: count is %u after %u in this frame, maxInstances is %u", kept, taken,
                         context->def.maxInstances);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sknLeavesOut(context, &commands[i], commandInstance(context, &commands[i]))) {
            countLeftOut(context, &commands[i]);
        } else {
            takeCommand(context, &commands[i]);
            context->skinnedCount++;
        }
    }
    context->frameStats.morphWeights = context->jobs.usedMorphs;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, takeCommands(context, commands, count));
}
