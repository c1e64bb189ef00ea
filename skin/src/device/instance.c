#include "context.h"
#include "cookie.h"
#include "retire.h"

VkskinInstanceDef vkskinDefaultInstanceDef(void) {
    return (VkskinInstanceDef){.cookie = VKSKIN_COOKIE_INSTANCE};
}

static VkskinResult takeOutput(VkskinContext context, const Mesh *mesh, PageRange *output) {
    VkskinResult result = sknPoolAlloc(&context->gpu, &context->descriptors, &context->outputPages,
                                       mesh->info.outputBytes, mesh->regions, output);
    if (result == VKSKIN_ERROR_MESH_TOO_LARGE) {
        return sknReport(&context->gpu.logger, result, "vkskinCreateInstance: %llu bytes of output do not fit a buffer",
                         (unsigned long long)mesh->info.outputBytes * mesh->regions);
    }
    return result;
}

static VkskinResult findMeshOf(VkskinContext context, const VkskinInstanceDef *def, uint32_t *index) {
    VkskinResult result = sknNeedArgument(context, "vkskinCreateInstance", "def", def);
    if (result < 0) {
        return result;
    }
    if (def->cookie != VKSKIN_COOKIE_INSTANCE) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "vkskinCreateInstance: the def was not made by vkskinDefaultInstanceDef");
    }
    return sknHandleFind(&context->meshes, &context->gpu.logger, "vkskinCreateInstance", def->mesh.index,
                         def->mesh.generation, index);
}

static VkskinResult createInstance(VkskinContext context, const VkskinInstanceDef *def, VkskinInstance *instance) {
    static const char call[] = "vkskinCreateInstance";
    uint32_t meshIndex = NO_INDEX;
    VkskinResult result = sknNeedArgument(context, call, "instance", instance);
    if (result >= 0) {
        result = findMeshOf(context, def, &meshIndex);
    }
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
        sknPoolFree(&context->outputPages, &output);
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for its handle", call);
    }
    Instance *made = sknInstance(context, index);
    made->mesh = meshIndex;
    made->output = output;
    made->command = NO_INDEX;
    sknMesh(context, meshIndex)->instanceCount++;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): needed above, in another file's function */
    *instance = (VkskinInstance){index + 1, made->header.generation};
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreateInstance(VkskinContext context, const VkskinInstanceDef *def, VkskinInstance *instance) {
    if (instance != NULL) {
        *instance = (VkskinInstance){0};
    }
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, createInstance(context, def, instance));
}

static VkskinResult destroyInstance(VkskinContext context, VkskinInstance instance) {
    uint32_t index = NO_INDEX;
    VkskinResult result = sknHandleFind(&context->instances, &context->gpu.logger, "vkskinDestroyInstance",
                                        instance.index, instance.generation, &index);
    if (result >= 0) {
        sknRetireInstance(context, index);
    }
    return result;
}

VkskinResult vkskinDestroyInstance(VkskinContext context, VkskinInstance instance) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroyInstance(context, instance));
}
