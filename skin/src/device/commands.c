#include "commands.h"

#include <stdio.h>

#include "command_rules.h"
#include "names.h"

/* ---- Palettes ---- */

static VkskinResult allocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                    VkskinPalette *palette, void **data) {
    static const char call[] = "vkskinAllocatePalette";
    VkskinResult result = sknNeedFrame(context, call, "palette", palette);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "data", data);
    }
    if (result < 0) {
        return result;
    }
    uint32_t stride = vkskinPaletteStride(encoding);
    if (stride == 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: encoding is %u, not below %u", call,
                         (unsigned)encoding, (unsigned)VKSKIN_PALETTE_ENCODING_COUNT);
    }
    if (boneCount == 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: boneCount is 0", call);
    }
    VkDeviceSize size = (VkDeviceSize)stride * boneCount;
    uint32_t page = 0;
    VkDeviceSize offset = 0;
    if (!sknOnCpu(context) && context->kernels.settings.texels && size > sknMaxTexelBytes(&context->gpu)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_PALETTE_RING_FULL,
                         "%s: %u bones take %llu bytes; as texels none may be larger than %llu bytes on this device: "
                         "see VkskinContextDef.paletteBinding",
                         call, boneCount, (unsigned long long)size,
                         (unsigned long long)sknMaxTexelBytes(&context->gpu));
    }
    if (!sknRingTake(&context->ring, size, &page, &offset)) {
        return sknReport(
            &context->gpu.logger, VKSKIN_ERROR_PALETTE_RING_FULL,
            "%s: %u bones take %llu bytes; of this frame's %llu, %llu are left in one piece, from the page that is "
            "being filled on",
            call, boneCount, (unsigned long long)size, (unsigned long long)context->def.paletteBytesPerFrame,
            (unsigned long long)sknRingRoom(&context->ring));
    }
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): both were checked above, in another file */
    *palette = (VkskinPalette){
        .serial = sknFrameSerial(context),
        .page = page,
        .offset = (uint32_t)offset,
        .boneCount = boneCount,
        .encoding = encoding,
    };
    *data = (unsigned char *)sknRingPage(&context->ring, page)->host.memory.mapped + offset;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
    context->frameStats.paletteBytes += size;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                   VkskinPalette *palette, void **data) {
    if (palette != NULL) {
        *palette = (VkskinPalette){0};
    }
    if (data != NULL) {
        *data = NULL;
    }
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, allocatePalette(context, encoding, boneCount, palette, data));
}

/* ---- Checks ---- */

static uint32_t commandKernel(const VkskinSkinCommand *command, const Mesh *mesh, bool morphs) {
    bool bones = mesh->info.boneCount > 0;
    return sknKernelIndex((KernelVariant){
        .pair =
            bones ? sknFindMethodPair(command->method, command->palette.encoding) : sknPlainPair(mesh->info.dimensions),
        .format = mesh->info.format,
        .attributes = mesh->attributes,
        .normals = sknKernelNormals(mesh),
        .morphs = morphs,
    });
}

static VkskinResult checkPalette(VkskinContext context, const CommandRules *rules, const VkskinSkinCommand *command) {
    const VkskinPalette *palette = &command->palette;
    if (rules->info->boneCount == 0) {
        return VKSKIN_SUCCESS;
    }
    if (palette->serial != sknFrameSerial(context)) {
        return sknReport(rules->logger, VKSKIN_ERROR_PALETTE_STALE, "%s: command %u: the palette is %s", rules->call,
                         rules->at, palette->serial == 0 ? "null" : "of another frame or context");
    }
    VkskinResult result = sknCheckPaletteUse(rules, command->method, palette->encoding, palette->boneCount);
    if (result < 0) {
        return result;
    }
    /* A palette is a plain struct. One that was not allocated here must not make the device read elsewhere. */
    VkDeviceSize end = palette->offset + (VkDeviceSize)vkskinPaletteStride(palette->encoding) * palette->boneCount;
    bool known = palette->page < context->ring.pagesPerSlot && palette->offset % 16 == 0 &&
                 end <= sknRingPage(&context->ring, palette->page)->used;
    if (!known) {
        return sknReport(rules->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: command %u: the palette was not allocated here", rules->call, rules->at);
    }
    return VKSKIN_SUCCESS;
}

/* *morphs grows by the entries that the command's weights take. */
static VkskinResult checkMorphs(VkskinContext context, const CommandRules *rules, const VkskinSkinCommand *command,
                                uint32_t *morphs) {
    uint32_t count = command->morphWeightCount;
    VkskinResult result = sknCheckMorphWeights(rules, command->morphWeights, count);
    if (result < 0) {
        return result;
    }
    uint32_t places = sknCountMorphs(command->morphWeights, count);
    uint32_t left = context->def.maxMorphWeights - context->jobs.usedMorphs - *morphs;
    if (places > left) {
        return sknReport(rules->logger, VKSKIN_ERROR_TOO_MANY_MORPHS,
                         "%s: command %u: its morph weights take %u places, %u are left of maxMorphWeights (%u)",
                         rules->call, rules->at, places, left, context->def.maxMorphWeights);
    }
    *morphs += places;
    return VKSKIN_SUCCESS;
}

static bool hasKernels(VkskinContext context, const Mesh *mesh, uint32_t kernel) {
    for (uint32_t c = 0; c < mesh->classCount; c++) {
        if (context->kernels.pipelines[sknKernelOf(kernel, mesh->classes[c].influences)] == VK_NULL_HANDLE) {
            return false;
        }
    }
    return true;
}

static VkskinResult checkKernels(VkskinContext context, const VkskinSkinCommand *command, const Mesh *mesh, uint32_t at,
                                 bool morphs) {
    if (sknOnCpu(context)) {
        return VKSKIN_SUCCESS; /* it needs no kernels */
    }
    uint32_t kernel = commandKernel(command, mesh, morphs);
    if (hasKernels(context, mesh, kernel)) {
        return VKSKIN_SUCCESS;
    }
    const MethodPair *pair = &sknMethodPairs[sknKernelVariant(kernel).pair];
    char what[64] = "a mesh without bones";
    if (mesh->info.boneCount > 0) {
        snprintf(what, sizeof what, "%s of %s", sknMethodName(pair->method), sknEncodingName(pair->encoding));
    }
    return sknReport(&context->gpu.logger, VKSKIN_ERROR_PIPELINE_MISSING,
                     "vkskinSkinInstances: command %u: no kernels for %s, %s vertices%s%s: vkskinCreatePipelines with "
                     "this mesh, or by methods, encodings, formats and features",
                     at, what, sknFormatName(mesh->info.format),
                     mesh->info.normalRule == VKSKIN_NORMALS_EXACT ? ", exact normals" : "", morphs ? ", morphs" : "");
}

/* The call as messages name it: found again, so that only what is refused costs a text. */
static VkskinResult findInstance(VkskinContext context, VkskinInstance instance, uint32_t at, uint32_t *index) {
    VkskinResult result = sknHandleFind(&context->instances, NULL, NULL, instance.index, instance.generation, index);
    if (result < 0) {
        char call[64];
        snprintf(call, sizeof call, "vkskinSkinInstances: command %u", at);
        return sknFindInstance(context, call, instance, index);
    }
    return result;
}

static VkskinResult checkFlags(const VkskinLogger *logger, const VkskinSkinCommand *command, uint32_t at) {
    if ((command->flags & ~(uint32_t)(VKSKIN_SKIN_TELEPORT_BIT | VKSKIN_SKIN_CULLED_BIT)) != 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinInstances: command %u: flags 0x%x are unknown; was the command set to zero first?",
                         at, command->flags);
    }
    return VKSKIN_SUCCESS;
}

static bool isCulled(const VkskinSkinCommand *command) {
    return (command->flags & VKSKIN_SKIN_CULLED_BIT) != 0;
}

static bool leavesOut(VkskinContext context, const VkskinSkinCommand *command, const Instance *instance) {
    bool unchanged = command->poseVersion != 0 && command->poseVersion == instance->poseVersion &&
                     instance->updateFrame != context->frame;
    return unchanged || isCulled(command);
}

static VkskinResult checkCommand(VkskinContext context, const VkskinSkinCommand *command, uint32_t at, uint32_t *index,
                                 uint32_t *morphs) {
    const VkskinLogger *logger = &context->gpu.logger;
    VkskinResult result = findInstance(context, command->instance, at, index);
    if (result >= 0) {
        result = checkFlags(logger, command, at);
    }
    if (result < 0) {
        return result;
    }
    const Instance *instance = sknInstance(context, *index);
    if (leavesOut(context, command, instance)) {
        return VKSKIN_SUCCESS;
    }
    const Mesh *mesh = sknMesh(context, instance->mesh);
    const CommandRules rules = {logger, &mesh->info, "vkskinSkinInstances", at};
    result = sknCheckMethodValue(&rules, command->method);
    if (result < 0) {
        return result;
    }
    uint32_t morphsBefore = *morphs;
    result = checkPalette(context, &rules, command);
    if (result >= 0) {
        result = checkMorphs(context, &rules, command, morphs);
    }
    if (result >= 0) {
        result = checkKernels(context, command, mesh, at, *morphs > morphsBefore);
    }
    if (result < 0) {
        return result;
    }
    if (instance->updateFrame == context->frame) {
        return sknReport(logger, VKSKIN_ERROR_ALREADY_SKINNED,
                         "vkskinSkinInstances: command %u: instance (%u, %u) was skinned in this frame (frame %llu)",
                         at, command->instance.index, command->instance.generation, (unsigned long long)context->frame);
    }
    return VKSKIN_SUCCESS;
}

/* ---- Commands ---- */

/*
 * Regions rotate with the instance's updates. The next region was last read at least as many frames ago as there are
 * regions. The first region depends on the frame, so that instances updated every frame write the same plane.
 */
static void advanceRegion(Instance *instance, const Mesh *mesh, uint64_t slotSerial, uint64_t frame, bool teleport) {
    bool first = instance->updateFrame == 0;
    instance->lastRegion = instance->region;
    instance->region = (uint32_t)(first ? slotSerial % mesh->regions : (instance->region + 1) % mesh->regions);
    instance->previousRegion = first || teleport ? instance->region : instance->lastRegion;
    instance->lastUpdateFrame = instance->updateFrame;
    instance->updateFrame = frame;
}

/* The pose version belongs to the output: taking back an update restores both. */
static void notePose(Instance *instance, uint64_t pose) {
    instance->lastPoseVersion = instance->poseVersion;
    instance->poseVersion = pose;
}

static void takeCommand(VkskinContext context, const VkskinSkinCommand *command) {
    uint32_t index = command->instance.index - 1;
    Instance *instance = sknInstance(context, index);
    const Mesh *mesh = sknMesh(context, instance->mesh);
    advanceRegion(instance, mesh, context->slotSerial, context->frame,
                  (command->flags & VKSKIN_SKIN_TELEPORT_BIT) != 0);
    notePose(instance, command->poseVersion);
    bool bones = mesh->info.boneCount > 0;
    LayoutInstance target = {
        .palette = bones ? command->palette.offset / 16 : 0,
        .vertices = (uint32_t)(instance->output.offset / 4),
        .morphs = sknAddMorphs(&context->jobs, context->slot, mesh, command->morphWeights, command->morphWeightCount),
    };
    JobKey key = {
        .kernel = commandKernel(command, mesh, target.morphs != 0),
        .meshPage = mesh->source.page,
        .palettePage = bones ? command->palette.page : 0,
        .outputPage = instance->output.page,
        .outputRegion = instance->region,
        .mesh = instance->mesh,
    };
    instance->command = sknAddCommand(&context->jobs, &key, target, index);
}

static void forgetCommands(VkskinContext context) {
    for (uint32_t i = 0; i < context->jobs.commandCount; i++) {
        sknInstance(context, context->jobs.commands[i].owner)->command = NO_INDEX;
    }
    context->jobs.commandCount = 0;
}

static void countCommands(VkskinContext context) {
    VkskinStats *stats = &context->frameStats;
    const JobTable *jobs = &context->jobs;
    for (uint32_t i = 0; i < jobs->jobCount; i++) {
        const Mesh *mesh = sknMesh(context, jobs->jobs[i].key.mesh);
        uint64_t vertices = (uint64_t)jobs->jobs[i].count * mesh->info.vertexCount;
        stats->verticesSkinned += vertices;
        stats->outputBytes +=
            vertices * (sknPositionStride(mesh) + sknAttributeStride(mesh->info.format, mesh->attributes));
    }
    stats->instancesSkinned += jobs->commandCount;
    stats->dispatches += jobs->dispatchCount;
    for (uint32_t i = 0; context->written != NULL && i < jobs->commandCount; i++) {
        context->written[context->writtenCount++] = jobs->commands[i].owner;
        context->writtenSorted = false;
    }
}

void sknFinishCommands(VkskinContext context) {
    countCommands(context);
    forgetCommands(context);
}

VkskinResult sknNeedOwnership(VkskinContext context, const char *call) {
    if (context->jobs.commandCount > 0 && (context->released || context->acquired)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: %s was recorded in this frame already",
                         call, context->released ? "vkskinRecordRelease" : "vkskinRecordAcquire");
    }
    return VKSKIN_SUCCESS;
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
    forgetCommands(context);
    return count;
}

void sknTakeBackFrame(VkskinContext context) {
    for (uint32_t i = 0; i < context->instances.capacity; i++) {
        Instance *instance = sknInstance(context, i);
        if (instance->header.alive && instance->updateFrame == context->frame) {
            takeBackUpdate(instance);
        }
    }
    forgetCommands(context);
}

/* The instance of a checked command. */
static Instance *commandInstance(VkskinContext context, const VkskinSkinCommand *command) {
    return sknInstance(context, command->instance.index - 1);
}

/*
 * Marks instances as they are checked, to find one that occurs twice; unmarks them at the end. *kept: the number of
 * commands that are not left out.
 */
static VkskinResult checkCommands(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                  uint32_t *kept) {
    VkskinResult result = VKSKIN_SUCCESS;
    uint32_t checked = 0;
    uint32_t morphs = 0;
    while (result >= 0 && checked < count) {
        uint32_t index = NO_INDEX;
        result = checkCommand(context, &commands[checked], checked, &index, &morphs);
        if (result >= 0) {
            Instance *instance = sknInstance(context, index);
            if (!leavesOut(context, &commands[checked], instance)) {
                instance->lastUpdateFrame = instance->updateFrame;
                instance->updateFrame = context->frame;
                (*kept)++;
            }
            checked++;
        }
    }
    /* Instances skinned by an earlier call of this frame have passed the check only in culled commands: skip these. */
    for (uint32_t i = 0; i < checked; i++) {
        Instance *instance = commandInstance(context, &commands[i]);
        if (!isCulled(&commands[i]) && instance->updateFrame == context->frame) {
            instance->updateFrame = instance->lastUpdateFrame;
        }
    }
    return result;
}

static void countLeftOut(VkskinContext context, const VkskinSkinCommand *command) {
    bool culled = isCulled(command);
    context->frameStats.instancesCulled += culled;
    context->frameStats.instancesUnchanged += !culled;
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
        if (leavesOut(context, &commands[i], commandInstance(context, &commands[i]))) {
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
