#include "commands.h"

#include <stdio.h>

#include "names.h"

static VkskinResult checkPalette(VkskinContext context, const VkskinSkinCommand *command, const Mesh *mesh,
                                 uint32_t at) {
    const VkskinLogger *logger = &context->gpu.logger;
    const VkskinPalette *palette = &command->palette;
    if (palette->serial != sknFrameSerial(context)) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_STALE, "vkskinSkinInstances: command %u: the palette is %s", at,
                         palette->serial == 0 ? "null" : "of another frame or context");
    }
    if (palette->encoding != vkskinMethodEncoding(command->method)) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_ENCODING,
                         "vkskinSkinInstances: command %u: %s reads %s, the palette is %s", at,
                         sknMethodName(command->method), sknEncodingName(vkskinMethodEncoding(command->method)),
                         sknEncodingName(palette->encoding));
    }
    if (palette->boneCount < mesh->info.boneCount) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_TOO_SMALL,
                         "vkskinSkinInstances: command %u: a palette of %u bones for %u", at, palette->boneCount,
                         mesh->info.boneCount);
    }
    /* A palette is a plain struct: one that was never allocated here must not lead the device astray. */
    VkDeviceSize end = palette->offset + (VkDeviceSize)vkskinPaletteStride(palette->encoding) * palette->boneCount;
    bool known = palette->page < context->ring.pagesPerSlot && palette->offset % 16 == 0 &&
                 end <= sknRingPage(&context->ring, palette->page)->used;
    if (!known) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinInstances: command %u: the palette was not allocated here", at);
    }
    return VKSKIN_SUCCESS;
}

static uint32_t kernelOf(const Mesh *mesh, VkskinMethod method) {
    return sknKernelIndex(method, mesh->info.format, mesh->attributes, mesh->info.influences);
}

/* The call as messages name it: found again, so that only what is refused costs a text. */
static VkskinResult findInstance(VkskinContext context, VkskinInstance instance, uint32_t at, uint32_t *index) {
    VkskinResult result = sknHandleFind(&context->instances, NULL, NULL, instance.index, instance.generation, index);
    if (result < 0) {
        char call[64];
        snprintf(call, sizeof call, "vkskinSkinInstances: command %u", at);
        return sknHandleFind(&context->instances, &context->gpu.logger, call, instance.index, instance.generation,
                             index);
    }
    return result;
}

static VkskinResult checkWords(const VkskinLogger *logger, const VkskinSkinCommand *command, uint32_t at) {
    if ((uint32_t)command->method >= VKSKIN_METHOD_COUNT) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinInstances: command %u: method %u is unknown; was the command set to zero first?",
                         at, (unsigned)command->method);
    }
    if ((command->flags & ~(uint32_t)VKSKIN_SKIN_TELEPORT_BIT) != 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinInstances: command %u: flags 0x%x are unknown; was the command set to zero first?",
                         at, command->flags);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkCommand(VkskinContext context, const VkskinSkinCommand *command, uint32_t at,
                                 uint32_t *index) {
    const VkskinLogger *logger = &context->gpu.logger;
    VkskinResult result = findInstance(context, command->instance, at, index);
    if (result >= 0) {
        result = checkWords(logger, command, at);
    }
    if (result < 0) {
        return result;
    }
    const Instance *instance = sknInstance(context, *index);
    const Mesh *mesh = sknMesh(context, instance->mesh);
    result = checkPalette(context, command, mesh, at);
    if (result < 0) {
        return result;
    }
    if (context->kernels.pipelines[kernelOf(mesh, command->method)] == VK_NULL_HANDLE) {
        return sknReport(logger, VKSKIN_ERROR_PIPELINE_MISSING,
                         "vkskinSkinInstances: command %u: no kernel for %s of %s vertices: vkskinCreatePipelines "
                         "with bit %u of methods and bit %u of formats",
                         at, sknMethodName(command->method), sknFormatName(mesh->info.format),
                         (unsigned)command->method, (unsigned)mesh->info.format);
    }
    if (instance->updateFrame == context->frame) {
        return sknReport(logger, VKSKIN_ERROR_ALREADY_SKINNED,
                         "vkskinSkinInstances: command %u: instance (%u, %u) was skinned in this frame (frame %llu)",
                         at, command->instance.index, command->instance.generation, (unsigned long long)context->frame);
    }
    return VKSKIN_SUCCESS;
}

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
    JobKey key = {
        .kernel = kernelOf(mesh, command->method),
        .meshPage = mesh->source.page,
        .palettePage = command->palette.page,
        .outputPage = instance->output.page,
        .outputRegion = instance->region,
        .mesh = instance->mesh,
    };
    LayoutInstance target = {
        .palette = command->palette.offset / 16,
        .vertices = (uint32_t)(instance->output.offset / 4),
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
    while (result >= 0 && checked < count) {
        uint32_t index = NO_INDEX;
        result = checkCommand(context, &commands[checked], checked, &index);
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
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, takeCommands(context, commands, count));
}
