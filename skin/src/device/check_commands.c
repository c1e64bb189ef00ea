#include "check_commands.h"

#include <math.h>
#include <stdio.h>

#include "command_rules.h"
#include "mesh_kernels.h"

static uint32_t commandKernel(const VkskinSkinCommand *command, const Mesh *mesh, bool morphs) {
    bool bones = mesh->info.boneCount > 0;
    return sknMeshKernel(mesh,
                         bones ? sknFindMethodPair(command->method, command->palette.encoding)
                               : sknPlainPair(mesh->info.dimensions),
                         morphs);
}

/* same: method and encoding suit the mesh. */
static VkskinResult checkPalette(VkskinContext context, const CommandRules *rules, const VkskinSkinCommand *command,
                                 bool same) {
    const VkskinPalette *palette = &command->palette;
    if (palette->serial != sknFrameSerial(context)) {
        return sknReport(rules->logger, VKSKIN_ERROR_PALETTE_STALE, "%s: command %u: the palette is %s", rules->call,
                         rules->at, palette->serial == 0 ? "null" : "of another frame or context");
    }
    if (!same || palette->boneCount < rules->info->boneCount) {
        VkskinResult result = sknCheckPaletteUse(rules, command->method, palette->encoding, palette->boneCount);
        if (result < 0) {
            return result;
        }
    }
    /* A palette is a plain struct. One that was not allocated here must not make the device read elsewhere. */
    const uint32_t slot = context->preparing->slot;
    VkDeviceSize size = (VkDeviceSize)vkskinPaletteStride(palette->encoding) * palette->boneCount;
    if (!sknRingHolds(&context->ring, slot, palette->page, palette->offset, size)) {
        return sknReport(rules->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: command %u: the palette was not allocated here", rules->call, rules->at);
    }
    return VKSKIN_SUCCESS;
}

/* *places: the entries that the command's weights take. `before`: those of other commands of the call. */
static VkskinResult checkMorphs(VkskinContext context, const CommandRules *rules, const VkskinSkinCommand *command,
                                uint32_t before, uint32_t *places) {
    uint32_t count = command->morphWeightCount;
    VkskinResult result = sknCheckMorphWeights(rules, command->morphWeights, count);
    if (result < 0) {
        return result;
    }
    *places = sknCountMorphs(command->morphWeights, count);
    uint32_t left = context->def.memory.maxMorphWeights - sknTaken(&context->preparing->commands.morphPlaces);
    left = left > before ? left - before : 0;
    if (*places > left) {
        return sknReport(rules->logger, VKSKIN_ERROR_TOO_MANY_MORPHS,
                         "%s: command %u: its morph weights take %u places, %u are left of maxMorphWeights (%u)",
                         rules->call, rules->at, *places, left, context->def.memory.maxMorphWeights);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkKernels(VkskinContext context, const Mesh *mesh, uint32_t at, uint32_t kernel) {
    if (sknHasMeshKernels(context, mesh, kernel)) {
        return VKSKIN_SUCCESS;
    }
    char subject[64];
    snprintf(subject, sizeof subject, "vkskinSkinInstances: command %u", at);
    return sknReportMissingKernel(context, VKSKIN_ERROR_PIPELINE_MISSING, subject, mesh, kernel);
}

/* The call as messages name it: only a command that is refused costs a text. */
static VkskinResult refuseHandle(VkskinContext context, VkskinInstance instance, uint32_t at) {
    char call[64];
    uint32_t index = NO_INDEX;
    snprintf(call, sizeof call, "vkskinSkinInstances: command %u", at);
    return sknFindInstance(context, call, instance, &index);
}

static VkskinResult checkFlags(const VkskinLogger *logger, const VkskinSkinCommand *command, uint32_t at) {
    if ((command->flags & ~(uint32_t)(VKSKIN_SKIN_TELEPORT_BIT | VKSKIN_SKIN_CULLED_BIT)) != 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinInstances: command %u: flags 0x%x are unknown; was the command set to zero first?",
                         at, command->flags);
    }
    return VKSKIN_SUCCESS;
}

static bool leavesOut(VkskinContext context, const VkskinSkinCommand *command, Instance *instance) {
    if (sknIsCulled(command)) {
        return true;
    }
    uint64_t claim = atomic_load_explicit(&instance->updates.claim, memory_order_relaxed);
    return command->poseVersion != 0 && claim != context->preparing->number &&
           command->poseVersion == sknNewestUpdate(&instance->updates)->poseVersion;
}

/* What the command skips if the last one was good: all that depends on mesh, method and encoding. */
static bool isKnown(const CommandChecks *checks, const VkskinSkinCommand *command, const Mesh *mesh) {
    return mesh == checks->mesh && command->method == checks->method &&
           (mesh->info.boneCount == 0 || command->palette.encoding == checks->encoding);
}

/* Palette, morph weights and kernels. */
static VkskinResult checkInputs(CommandChecks *checks, const VkskinSkinCommand *command, uint32_t at, uint32_t before,
                                CheckedCommand *checked) {
    VkskinContext context = checks->context;
    const Mesh *mesh = checked->mesh;
    const CommandRules rules = {&context->gpu.logger, &mesh->info, "vkskinSkinInstances", at};
    bool same = isKnown(checks, command, mesh);
    VkskinResult result = same ? VKSKIN_SUCCESS : sknCheckMethodValue(&rules, command->method);
    if (result >= 0 && mesh->info.boneCount > 0) {
        result = checkPalette(context, &rules, command, same);
    }
    if (result >= 0 && command->morphWeightCount > 0) {
        result = checkMorphs(context, &rules, command, before, &checked->morphs);
    }
    bool morphs = checked->morphs > 0;
    if (result < 0 || (same && morphs == checks->morphs)) {
        checked->kernel = checks->kernel;
        return result;
    }
    checked->kernel = commandKernel(command, mesh, morphs);
    result = checkKernels(context, mesh, at, checked->kernel);
    if (result >= 0) {
        *checks = (CommandChecks){context, mesh, command->method, command->palette.encoding, morphs, checked->kernel};
    }
    return result;
}

VkskinResult sknCheckCommand(CommandChecks *checks, const VkskinSkinCommand *command, uint32_t at, uint32_t morphs,
                             CheckedCommand *checked) {
    VkskinContext context = checks->context;
    checked->command = command;
    checked->instance = sknHandleGet(&context->instances, command->instance.index, command->instance.generation);
    if (checked->instance == NULL) {
        return refuseHandle(context, command->instance, at);
    }
    VkskinResult result = checkFlags(&context->gpu.logger, command, at);
    if (result < 0) {
        return result;
    }
    checked->leftOut = leavesOut(context, command, checked->instance);
    if (checked->leftOut) {
        return VKSKIN_SUCCESS;
    }
    checked->mesh = sknMesh(context, checked->instance->mesh);
    checked->meshSerial = checked->mesh->serial;
    checked->morphs = 0;
    result = checkInputs(checks, command, at, morphs, checked);
    if (result >= 0 && !sknClaimUpdate(&checked->instance->updates, context->preparing->number)) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_ALREADY_SKINNED,
                           "vkskinSkinInstances: command %u: instance (%u, %u) was skinned in this frame (frame %llu)",
                           at, command->instance.index, command->instance.generation,
                           (unsigned long long)context->preparing->number);
    }
    return result;
}

/* ---- Palettes ---- */

/* Relative. A float matrix of a rotation is orthogonal within 1e-6. */
#define UNEQUAL_SCALE 1e-3f

/* Whether a symmetric matrix is not a multiple of the identity. */
static bool isUneven(const float diagonal[3], const float others[3], float tolerance) {
    float largest = fmaxf(fmaxf(fabsf(diagonal[0]), fabsf(diagonal[1])), fabsf(diagonal[2]));
    for (int i = 0; i < 3; i++) {
        if (fabsf(diagonal[i] - diagonal[(i + 1) % 3]) > tolerance * largest ||
            fabsf(others[i]) > tolerance * largest) {
            return true;
        }
    }
    return false;
}

/* The product of the transposed matrix and the matrix is a multiple of the identity if the scale is uniform. */
static bool matrixIsUneven(const float *rows) {
    float diagonal[3] = {0}, others[3] = {0};
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < 3; i++) {
            diagonal[i] += rows[4 * row + i] * rows[4 * row + i];
            others[i] += rows[4 * row + i] * rows[4 * row + (i + 1) % 3];
        }
    }
    return isUneven(diagonal, others, 2.0f * UNEQUAL_SCALE);
}

/* Encodings without stretch are never uneven; flat meshes have no normals. */
static bool boneIsUneven(VkskinPaletteEncoding encoding, const float *entry) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return matrixIsUneven(entry);
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return isUneven(entry + 8, entry + 11, UNEQUAL_SCALE);
    default:
        return false;
    }
}

static void checkBones(const VkskinLogger *logger, uint32_t index, Mesh *mesh, VkskinPaletteEncoding encoding,
                       const float *entries) {
    const uint32_t floats = vkskinPaletteStride(encoding) / sizeof *entries;
    for (uint32_t bone = 0; bone < mesh->info.boneCount && !mesh->normalsReported; bone++) {
        if (boneIsUneven(encoding, entries + (size_t)bone * floats)) {
            mesh->normalsReported = true;
            sknReport(logger, VKSKIN_WARNING_NORMALS_CHEAP,
                      "vkskinRecordSkinning: %s (%u, %u): bone %u has non-uniform scale or shear, but normalRule is "
                      "VKSKIN_NORMALS_CHEAP, which is wrong for it: set VKSKIN_NORMALS_EXACT; if bones are rigid, the "
                      "palette is not 3 rows of 4",
                      mesh->label, index + 1, mesh->header.generation, bone);
        }
    }
}

void sknCheckPalettes(VkskinContext context) {
    const Commands commands = sknUnrecorded(&context->recording->commands);
    for (uint32_t i = 0; context->def.checkPalettes && i < commands.count; i++) {
        const Command *command = &commands.commands[i];
        const MethodPair *pair = &sknMethodPairs[sknKernelVariant(command->key.kernel).pair];
        Mesh *mesh = sknMesh(context, command->key.mesh);
        bool cheap = mesh->attributes != KERNEL_POSITIONS && mesh->info.normalRule == VKSKIN_NORMALS_CHEAP;
        if (cheap && pair->stretches) {
            const float *page = sknRecordedPage(context, command->key.palettePage)->host.memory.mapped;
            checkBones(&context->gpu.logger, command->key.mesh, mesh, pair->encoding,
                       page + (size_t)4 * command->target.palette);
        }
    }
}
