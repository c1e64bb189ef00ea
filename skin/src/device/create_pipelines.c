#include "mesh_kernels.h"

#include <stdio.h>

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
