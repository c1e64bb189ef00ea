#include "context.h"

static VkskinResult createMeshes(VkskinContext context, const VkskinMeshDef *defs, uint32_t count, VkskinMesh *meshes) {
    VkskinResult warning = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        VkskinResult result = vkskinCreateMesh(context, &defs[i], &meshes[i]);
        if (result < 0) {
            return result;
        }
        warning = result > warning ? result : warning;
    }
    return warning;
}

static VkskinResult createKernels(VkskinContext context, const VkskinMesh *meshes, uint32_t count, uint32_t methods) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = methods;
    def.meshes = meshes;
    def.meshCount = count;
    return vkskinCreatePipelines(context, &def);
}

static VkskinResult fill(VkskinContext context, const VkskinMeshDef *meshDefs, uint32_t count, uint32_t methods,
                         VkskinMesh *meshes) {
    VkskinResult result = VKSKIN_SUCCESS;
    if (count > 0) {
        result = sknNeedArgument(context, "vkskinOpen", "meshDefs", meshDefs);
    }
    if (count > 0 && result >= 0) {
        result = sknNeedArgument(context, "vkskinOpen", "meshes", meshes);
    }
    if (result >= 0) {
        result = createMeshes(context, meshDefs, count, meshes);
    }
    VkskinResult kernels = result >= 0 ? createKernels(context, meshes, count, methods) : result;
    return kernels < 0 ? kernels : result;
}

VkskinResult vkskinOpen(const VkskinContextDef *contextDef, const VkskinMeshDef *meshDefs, uint32_t meshCount,
                        uint32_t methods, VkskinContext *context, VkskinMesh *meshes) {
    for (uint32_t i = 0; meshes != NULL && i < meshCount; i++) {
        meshes[i] = VKSKIN_NULL_MESH;
    }
    VkskinResult result = vkskinCreateContext(contextDef, context);
    if (result < 0) {
        return result;
    }
    result = fill(*context, meshDefs, meshCount, methods, meshes);
    if (result < 0) {
        vkskinDestroyContext(*context);
        *context = NULL;
        for (uint32_t i = 0; meshes != NULL && i < meshCount; i++) {
            meshes[i] = VKSKIN_NULL_MESH;
        }
    }
    return result;
}
