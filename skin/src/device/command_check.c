#include "command_check.h"

#include <math.h>
#include <stdio.h>

#include "morph_weights.h"
#include "names.h"

uint32_t sknCommandKernel(const VkskinSkinCommand *command, const Mesh *mesh, bool morphs) {
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

/* Of a mesh with bones: what method and encoding must be of it. */
static VkskinResult checkMethod(VkskinContext context, const VkskinSkinCommand *command, const Mesh *mesh,
                                uint32_t at) {
    const VkskinLogger *logger = &context->gpu.logger;
    VkskinPaletteEncoding encoding = command->palette.encoding;
    bool flat = mesh->info.dimensions == 2;
    if (!vkskinMethodReads(command->method, encoding) || flat != sknIsFlatEncoding(encoding)) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_ENCODING,
                         "vkskinSkinInstances: command %u: %s of a mesh of %u dimensions does not read %s", at,
                         sknMethodName(command->method), mesh->info.dimensions, sknEncodingName(encoding));
    }
    const char *missing = sknMissingMethodData(command->method, mesh->info.hasBlendWeights, mesh->info.hasCentres);
    if (missing != NULL) {
        return sknReport(logger, VKSKIN_ERROR_METHOD_DATA_MISSING,
                         "vkskinSkinInstances: command %u: %s needs %s, the mesh was made without", at,
                         sknMethodName(command->method), missing);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkPalette(VkskinContext context, const VkskinSkinCommand *command, const Mesh *mesh,
                                 uint32_t at) {
    const VkskinLogger *logger = &context->gpu.logger;
    const VkskinPalette *palette = &command->palette;
    if (mesh->info.boneCount == 0) {
        return VKSKIN_SUCCESS;
    }
    if (palette->serial != sknFrameSerial(context)) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_STALE, "vkskinSkinInstances: command %u: the palette is %s", at,
                         palette->serial == 0 ? "null" : "of another frame or context");
    }
    VkskinResult result = checkMethod(context, command, mesh, at);
    if (result < 0) {
        return result;
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

/* *morphs grows by the places that the command's weights take. */
static VkskinResult checkMorphs(VkskinContext context, const VkskinSkinCommand *command, const Mesh *mesh, uint32_t at,
                                uint32_t *morphs) {
    const VkskinLogger *logger = &context->gpu.logger;
    uint32_t count = command->morphWeightCount;
    if (count > mesh->info.morphTargetCount) {
        return sknReport(logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                         "vkskinSkinInstances: command %u: %u morph weights, the mesh has %u targets", at, count,
                         mesh->info.morphTargetCount);
    }
    if (count > 0 && command->morphWeights == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinInstances: command %u: morphWeights is null",
                         at);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(command->morphWeights[i])) {
            return sknReport(logger, VKSKIN_ERROR_WEIGHT_NOT_FINITE,
                             "vkskinSkinInstances: command %u: morph weight %u is %g", at, i,
                             (double)command->morphWeights[i]);
        }
    }
    uint32_t places = sknCountMorphs(command->morphWeights, count);
    uint32_t left = context->def.maxMorphWeights - context->jobs.usedMorphs - *morphs;
    if (places > left) {
        return sknReport(logger, VKSKIN_ERROR_TOO_MANY_MORPHS,
                         "vkskinSkinInstances: command %u: its morph weights take %u places, %u are left of "
                         "maxMorphWeights (%u)",
                         at, places, left, context->def.maxMorphWeights);
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
        return VKSKIN_SUCCESS; /* which needs none */
    }
    uint32_t kernel = sknCommandKernel(command, mesh, morphs);
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
        return sknHandleFind(&context->instances, &context->gpu.logger, call, instance.index, instance.generation,
                             index);
    }
    return result;
}

static VkskinResult checkFlags(const VkskinLogger *logger, const VkskinSkinCommand *command, uint32_t at) {
    if ((command->flags & ~(uint32_t)(VKSKIN_SKIN_TELEPORT_BIT | VKSKIN_SKIN_UNSEEN_BIT)) != 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinInstances: command %u: flags 0x%x are unknown; was the command set to zero first?",
                         at, command->flags);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkMethodValue(const VkskinLogger *logger, const VkskinSkinCommand *command, uint32_t at) {
    if ((uint32_t)command->method >= VKSKIN_METHOD_COUNT) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinInstances: command %u: method %u is unknown; was the command set to zero first?",
                         at, (unsigned)command->method);
    }
    return VKSKIN_SUCCESS;
}

bool sknIsUnseen(const VkskinSkinCommand *command) {
    return (command->flags & VKSKIN_SKIN_UNSEEN_BIT) != 0;
}

bool sknLeavesOut(VkskinContext context, const VkskinSkinCommand *command, const Instance *instance) {
    bool unchanged = command->poseVersion != 0 && command->poseVersion == instance->poseVersion &&
                     instance->updateFrame != context->frame;
    return unchanged || sknIsUnseen(command);
}

VkskinResult sknCheckCommand(VkskinContext context, const VkskinSkinCommand *command, uint32_t at, uint32_t *index,
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
    if (sknLeavesOut(context, command, instance)) {
        return VKSKIN_SUCCESS;
    }
    result = checkMethodValue(logger, command, at);
    if (result < 0) {
        return result;
    }
    const Mesh *mesh = sknMesh(context, instance->mesh);
    uint32_t morphsBefore = *morphs;
    result = checkPalette(context, command, mesh, at);
    if (result >= 0) {
        result = checkMorphs(context, command, mesh, at, morphs);
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
