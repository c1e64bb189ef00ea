#include "cookie.h"
#include "frame.h"

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
    return sknFindMesh(context, "vkskinCreateInstance", def->mesh, index);
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
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): checked above, in another file */
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
    VkskinResult result = sknFindInstance(context, "vkskinDestroyInstance", instance, &index);
    if (result >= 0) {
        sknRetireInstance(context, index);
    }
    return result;
}

VkskinResult vkskinDestroyInstance(VkskinContext context, VkskinInstance instance) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroyInstance(context, instance));
}

/* ---- Output ---- */

static VkskinResult getOutput(VkskinContext context, VkskinInstance handle, VkskinOutput *output) {
    uint32_t index = NO_INDEX;
    VkskinResult result = sknNeedArgument(context, "vkskinGetOutput", "output", output);
    if (result >= 0) {
        result = sknFindInstance(context, "vkskinGetOutput", handle, &index);
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
    /* Without an update in this frame, the previous positions are the current ones. */
    bool moved = mesh->previousPositions && instance->updateFrame == context->frame;
    *output = (VkskinOutput){
        .buffer = pages->pages[instance->output.page].buffer.handle,
        .page = instance->output.page,
        .vertexCount = mesh->info.vertexCount,
        .positionOffset = current,
        .positionStride = sknPositionStride(mesh),
        .attributeOffset = current + sknAttributeOffset(mesh),
        .attributeStride = sknAttributeStride(mesh->info.format, mesh->attributes),
        .previousPositionOffset = moved ? sknRangeOffset(pages, &instance->output, instance->previousRegion) : current,
    };
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetOutput(VkskinContext context, VkskinInstance handle, VkskinOutput *output) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, getOutput(context, handle, output));
}

uint32_t vkskinGetOutputPageCount(VkskinContext context) {
    if (sknEnter(context) < 0) {
        return 0;
    }
    uint32_t count = context->outputPages.pageCount;
    (void)sknLeave(context, VKSKIN_SUCCESS);
    return count;
}

VkskinResult vkskinGetOutputPage(VkskinContext context, uint32_t page, VkskinOutputPage *info) {
    VkskinResult result = sknEnterWith(context, "vkskinGetOutputPage", "info", info);
    if (result < 0) {
        return result;
    }
    const PagePool *pool = &context->outputPages;
    if (page < pool->pageCount) {
        *info = (VkskinOutputPage){.buffer = pool->pages[page].buffer.handle, .size = pool->pages[page].buffer.size};
    } else {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinGetOutputPage: page %u of %u", page,
                           pool->pageCount);
    }
    return sknLeave(context, result);
}

VkskinResult vkskinGetVertexInput(VkskinVertexFormat format, bool normals, bool tangents, uint32_t firstBinding,
                                  uint32_t firstLocation, VkskinVertexInput *input) {
    if (input == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if ((uint32_t)format >= VKSKIN_VERTEX_FORMAT_COUNT || (tangents && !normals)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    bool packed = format == VKSKIN_VERTEX_PACKED;
    KernelAttributes attributes = tangents ? KERNEL_TANGENTS : normals ? KERNEL_NORMALS : KERNEL_POSITIONS;
    *input = (VkskinVertexInput){.bindingCount = normals ? 2 : 1, .attributeCount = 1 + (uint32_t)attributes};
    input->bindings[0] = (VkVertexInputBindingDescription){firstBinding, 12, VK_VERTEX_INPUT_RATE_VERTEX};
    input->attributes[0] =
        (VkVertexInputAttributeDescription){firstLocation, firstBinding, VK_FORMAT_R32G32B32_SFLOAT, 0};
    if (normals) {
        input->bindings[1] = (VkVertexInputBindingDescription){firstBinding + 1, sknAttributeStride(format, attributes),
                                                               VK_VERTEX_INPUT_RATE_VERTEX};
        input->attributes[1] = (VkVertexInputAttributeDescription){
            firstLocation + 1, firstBinding + 1, packed ? VK_FORMAT_R32_UINT : VK_FORMAT_R32G32B32_SFLOAT, 0};
    }
    if (tangents) {
        input->attributes[2] = (VkVertexInputAttributeDescription){
            firstLocation + 2, firstBinding + 1, packed ? VK_FORMAT_R32_UINT : VK_FORMAT_R32G32B32A32_SFLOAT,
            packed ? 4 : 12};
    }
    return VKSKIN_SUCCESS;
}
