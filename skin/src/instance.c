#include "context.h"
#include "retire.h"

static VkskinResult findInstance(VkskinContext context, const char *call, VkskinInstance instance, uint32_t *index) {
    return sknHandleFind(&context->instances, &context->gpu.logger, call, instance.index, instance.generation, index);
}

static VkskinResult takeOutput(VkskinContext context, const Mesh *mesh, PageRange *output) {
    VkskinResult result = sknPoolTake(&context->gpu, &context->descriptors, &context->outputPages, mesh->outputBytes,
                                      mesh->regions, output);
    if (result == VKSKIN_ERROR_MESH_TOO_LARGE) {
        return sknReport(&context->gpu.logger, result, "vkskinCreateInstance: %llu bytes of output do not fit a buffer",
                         (unsigned long long)(mesh->outputBytes * mesh->regions));
    }
    return result;
}

VkskinResult vkskinCreateInstance(VkskinContext context, VkskinMesh mesh, VkskinInstance *instance) {
    static const char call[] = "vkskinCreateInstance";
    uint32_t meshIndex = NO_INDEX;
    VkskinResult result = sknNeedArgument(context, call, "instance", instance);
    if (result < 0) {
        return result;
    }
    *instance = (VkskinInstance){0};
    result = sknHandleFind(&context->meshes, &context->gpu.logger, call, mesh.index, mesh.generation, &meshIndex);
    if (result < 0) {
        return result;
    }
    if (context->instances.aliveCount >= context->def.maxInstances) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_INSTANCES,
                         "%s: %u are alive, as many as maxInstances", call, context->instances.aliveCount);
    }
    PageRange output;
    result = takeOutput(context, sknMesh(context, meshIndex), &output);
    if (result < 0) {
        return result;
    }
    uint32_t index = sknHandleTake(&context->instances, context->gpu.hostAllocator);
    if (index == NO_INDEX) {
        sknPoolGive(&context->outputPages, &output);
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for its handle", call);
    }
    Instance *made = sknInstance(context, index);
    made->mesh = meshIndex;
    made->output = output;
    made->command = NO_INDEX;
    sknMesh(context, meshIndex)->instanceCount++;
    *instance = (VkskinInstance){index + 1, made->header.generation};
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinDestroyInstance(VkskinContext context, VkskinInstance instance) {
    uint32_t index = NO_INDEX;
    VkskinResult result =
        context == NULL ? VKSKIN_ERROR_NULL_ARGUMENT : findInstance(context, "vkskinDestroyInstance", instance, &index);
    if (result >= 0) {
        sknRetireInstance(context, index);
    }
    return result;
}
