#include "context.h"
#include "retire.h"

static VkskinResult findMesh(VkskinContext context, const char *call, VkskinMesh mesh, uint32_t *index) {
    return sknHandleFind(&context->meshes, &context->gpu.logger, call, mesh.index, mesh.generation, index);
}

static VkskinResult findInstance(VkskinContext context, const char *call, VkskinInstance instance, uint32_t *index) {
    return sknHandleFind(&context->instances, &context->gpu.logger, call, instance.index, instance.generation, index);
}

VkskinResult vkskinDestroyMesh(VkskinContext context, VkskinMesh mesh) {
    uint32_t index = NO_INDEX;
    VkskinResult result =
        context == NULL ? VKSKIN_ERROR_NULL_ARGUMENT : findMesh(context, "vkskinDestroyMesh", mesh, &index);
    if (result < 0) {
        return result;
    }
    uint32_t instances = sknMesh(context, index)->instanceCount;
    if (instances > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_MESH_IN_USE,
                         "vkskinDestroyMesh: mesh (%u, %u) has %u instances", mesh.index, mesh.generation, instances);
    }
    sknRetireMesh(context, index);
    return VKSKIN_SUCCESS;
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
    result = findMesh(context, call, mesh, &meshIndex);
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

VkskinResult vkskinGetOutput(VkskinContext context, VkskinInstance handle, VkskinOutput *output) {
    uint32_t index = NO_INDEX;
    VkskinResult result = sknNeedArgument(context, "vkskinGetOutput", "output", output);
    if (result >= 0) {
        result = findInstance(context, "vkskinGetOutput", handle, &index);
    }
    if (result < 0) {
        return result;
    }
    const Instance *instance = sknInstance(context, index);
    if (instance->updateFrame == 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_NOT_SKINNED,
                         "vkskinGetOutput: instance (%u, %u) was never skinned", handle.index, handle.generation);
    }
    const Mesh *mesh = sknMesh(context, instance->mesh);
    const PagePool *pages = &context->outputPages;
    VkDeviceSize current = sknRangeOffset(pages, &instance->output, instance->region);
    /* In a frame without an update the instance stands still. */
    bool moved = mesh->previousPositions && instance->updateFrame == context->frame;
    *output = (VkskinOutput){
        .buffer = pages->pages[instance->output.page].buffer.handle,
        .page = instance->output.page,
        .vertexCount = mesh->info.vertexCount,
        .positionOffset = current,
        .attributeOffset = current + (VkDeviceSize)4 * mesh->layout.outputAttributes,
        .attributeStride = sknAttributeStride(mesh->info.format, mesh->attributes),
        .previousPositionOffset = moved ? sknRangeOffset(pages, &instance->output, instance->previousRegion) : current,
    };
    return VKSKIN_SUCCESS;
}

uint32_t vkskinGetOutputPageCount(VkskinContext context) {
    return context != NULL ? context->outputPages.pageCount : 0;
}

VkBuffer vkskinGetOutputPage(VkskinContext context, uint32_t page, VkDeviceSize *size) {
    bool exists = context != NULL && page < context->outputPages.pageCount;
    if (size != NULL) {
        *size = exists ? context->outputPages.pages[page].buffer.size : 0;
    }
    return exists ? context->outputPages.pages[page].buffer.handle : VK_NULL_HANDLE;
}
