#include "mesh_kernels.h"

#include <stdio.h>

#include "names.h"

uint32_t sknMeshKernel(const Mesh *mesh, uint32_t pair, bool morphs) {
    return sknKernelIndex((KernelVariant){
        .pair = pair,
        .format = mesh->info.format,
        .attributes = mesh->attributes,
        .normals = sknKernelNormals(mesh),
        .morphs = morphs,
        .ownLayout = mesh->ownLayout,
        .influencePositions = mesh->info.hasInfluencePositions,
    });
}

bool sknHasMeshKernels(const struct VkskinContext_T *context, const Mesh *mesh, uint32_t kernel) {
    for (uint32_t c = 0; !sknOnCpu(context) && c < mesh->classCount; c++) {
        if (context->kernels.pipelines[sknKernelOf(kernel, mesh->classes[c].influences)] == VK_NULL_HANDLE) {
            return false;
        }
    }
    return true;
}

/*
 * Leaves out fields that have their default, because the longest message must fit. The kernels of meshes without bones
 * come with those for morph targets.
 */
VkskinResult sknReportMissingKernel(const struct VkskinContext_T *context, VkskinResult result, const char *subject,
                                    const Mesh *mesh, uint32_t kernel) {
    const KernelVariant variant = sknKernelVariant(kernel);
    const MethodPair *pair = &sknMethodPairs[variant.pair];
    const char *const features[] = {
        variant.normals == VKSKIN_NORMALS_EXACT ? "EXACT_NORMALS" : NULL,
        variant.morphs || mesh->info.boneCount == 0 ? "MORPHS" : NULL,
        mesh->ownLayout ? "LAYOUT" : NULL,
        mesh->info.hasInfluencePositions ? "INFLUENCE_POSITIONS" : NULL,
    };
    char encodings[64] = "", bits[160] = "";
    for (size_t i = 0, length = 0; i < SKN_COUNT(features); i++) {
        if (features[i] != NULL) {
            length += (size_t)snprintf(bits + length, sizeof bits - length, "%sVKSKIN_KERNEL_%s_BIT",
                                       length == 0 ? ", features " : " | ", features[i]);
        }
    }
    if (pair->encoding != vkskinMethodEncoding(pair->method)) {
        snprintf(encodings, sizeof encodings, ", encodings VKSKIN_PALETTE_%s_BIT", sknEncodingName(pair->encoding));
    }
    return sknReport(&context->gpu.logger, result,
                     "%s: no kernels: create with methods VKSKIN_METHOD_%s_BIT%s, formats VKSKIN_VERTEX_%s_BIT%s",
                     subject, sknMethodEnumerator(pair->method), encodings, sknFormatEnumerator(mesh->info.format),
                     bits);
}

/* 1u << n for each class of n influences. */
static uint32_t influencesOf(const Mesh *mesh) {
    uint32_t counts = 0;
    for (uint32_t c = 0; c < mesh->classCount; c++) {
        counts |= 1u << mesh->classes[c].influences;
    }
    return counts;
}

MeshNeeds sknMeshNeeds(const Mesh *mesh) {
    return (MeshNeeds){
        .dimensions = mesh->info.dimensions,
        .format = mesh->info.format,
        .attributes = mesh->attributes,
        .normals = sknKernelNormals(mesh),
        .morphs = mesh->info.morphTargetCount > 0,
        .ownLayout = mesh->ownLayout,
        .influencePositions = mesh->info.hasInfluencePositions,
        .blendWeights = mesh->info.hasBlendWeights,
        .centres = mesh->info.hasCentres,
        .influences = influencesOf(mesh),
    };
}

/* ---- Declared methods ---- */

static VkskinResult checkMethod(VkskinContext context, const char *call, const Mesh *mesh, VkskinMethod method) {
    const char *missing = sknMissingMethodData(method, mesh->info.hasBlendWeights, mesh->info.hasCentres);
    if (missing != NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_METHOD_DATA_MISSING,
                         "%s: methods has %s, which needs %s; the mesh was made without", call, sknMethodName(method),
                         missing);
    }
    if (mesh->info.dimensions == 2 && method != VKSKIN_METHOD_LINEAR_BLEND) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: methods has %s; a flat mesh is skinned with linear blend", call, sknMethodName(method));
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckMethods(VkskinContext context, const char *call, const Mesh *mesh, uint32_t methods) {
    const uint32_t known = 0u VKSKIN_METHODS(ANY_METHOD);
    if ((methods & ~known) != 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: methods is 0x%x; combine VKSKIN_METHOD_..._BIT values: 0x%x is unknown", call, methods,
                         methods & ~known);
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t method = 0; mesh->info.boneCount > 0 && result >= 0 && method < VKSKIN_METHOD_COUNT; method++) {
        if ((methods & VKSKIN_METHOD_BIT(method)) != 0) {
            result = checkMethod(context, call, mesh, (VkskinMethod)method);
        }
    }
    return result;
}

/* Whether the mesh can be skinned by a pair, with its morph targets. */
static bool hasPair(VkskinContext context, const Mesh *mesh, uint32_t pair) {
    bool morphs = mesh->info.morphTargetCount > 0;
    return sknHasMeshKernels(context, mesh, sknMeshKernel(mesh, pair, false)) &&
           (!morphs || sknHasMeshKernels(context, mesh, sknMeshKernel(mesh, pair, true)));
}

bool sknHasMethod(VkskinContext context, const Mesh *mesh, VkskinMethod method) {
    if (mesh->info.boneCount == 0) {
        return hasPair(context, mesh, sknPlainPair(mesh->info.dimensions));
    }
    for (uint32_t pair = 0; pair < METHOD_PAIRS; pair++) {
        const MethodPair *kernels = &sknMethodPairs[pair];
        bool flat = sknIsFlatEncoding(kernels->encoding);
        if (kernels->method == method && flat == (mesh->info.dimensions == 2) && hasPair(context, mesh, pair)) {
            return true;
        }
    }
    return false;
}

static VkskinResult warnOf(VkskinContext context, const char *call, const Mesh *mesh, uint32_t pair) {
    return sknReportMissingKernel(context, VKSKIN_WARNING_PIPELINE_MISSING, call, mesh,
                                  sknMeshKernel(mesh, pair, mesh->info.morphTargetCount > 0));
}

VkskinResult sknWarnOfMissingKernels(VkskinContext context, const char *call, const Mesh *mesh, uint32_t methods) {
    const uint32_t plain = sknPlainPair(mesh->info.dimensions);
    if (mesh->info.boneCount == 0) {
        return methods == 0 || hasPair(context, mesh, plain) ? VKSKIN_SUCCESS : warnOf(context, call, mesh, plain);
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < VKSKIN_METHOD_COUNT; i++) {
        VkskinMethod method = (VkskinMethod)i;
        if ((methods & VKSKIN_METHOD_BIT(i)) != 0 && !sknHasMethod(context, mesh, method)) {
            bool flat = mesh->info.dimensions == 2;
            result =
                warnOf(context, call, mesh, flat ? plain : sknFindMethodPair(method, vkskinMethodEncoding(method)));
        }
    }
    return result;
}

/* ---- vkskinCreatePipelines ---- */

/* With the lock: adds the kernels that the def's meshes need. */
static VkskinResult wantMeshes(VkskinContext context, const VkskinPipelineDef *def, KernelSet *wanted) {
    for (uint32_t i = 0; i < def->meshCount; i++) {
        uint32_t index = NO_INDEX;
        char call[64];
        snprintf(call, sizeof call, "vkskinCreatePipelines: mesh %u of the def", i);
        VkskinResult result = sknFindMesh(context, call, def->meshes[i], &index);
        if (result < 0) {
            return result;
        }
        const MeshNeeds needs = sknMeshNeeds(sknMesh(context, index));
        sknWantMesh(def, &needs, wanted);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult findWanted(VkskinContext context, const VkskinPipelineDef *def, KernelSet *wanted) {
    if (def->meshCount == 0) {
        sknWantFormats(def, wanted);
        return VKSKIN_SUCCESS;
    }
    sknLockAlone(&context->lock);
    return sknLeave(context, wantMeshes(context, def, wanted));
}

/* Compiles without the context's lock: only the holder of `making` changes the kernels. */
static VkskinResult createPipelines(VkskinContext context, const VkskinPipelineDef *def) {
    KernelSet wanted = {0};
    VkskinResult result = sknCheckPipelineDef(&context->gpu, &context->kernels, def);
    if (result >= 0) {
        result = findWanted(context, def, &wanted);
    }
    if (result < 0 || sknOnCpu(context)) {
        return result;
    }
    Kernels made;
    result = sknMakeKernels(&context->gpu, &context->kernels, def, &wanted, &made);
    if (result >= 0) {
        sknLockAlone(&context->lock);
        context->kernels = made;
        sknUnlockAlone(&context->lock);
    }
    return result;
}

VkskinResult vkskinCreatePipelines(VkskinContext context, const VkskinPipelineDef *def) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknNeedArgument(context, "vkskinCreatePipelines", "def", def);
    if (result >= 0) {
        sknLock(&context->making);
        result = createPipelines(context, def);
        sknUnlock(&context->making);
    }
    return result;
}
