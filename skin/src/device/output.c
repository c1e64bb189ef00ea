#include "context.h"

static VkskinResult getOutput(VkskinContext context, VkskinInstance handle, VkskinOutput *output) {
    uint32_t index = NO_INDEX;
    VkskinResult result = sknNeedArgument(context, "vkskinGetOutput", "output", output);
    if (result >= 0) {
        result = sknHandleFind(&context->instances, &context->gpu.logger, "vkskinGetOutput", handle.index,
                               handle.generation, &index);
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

static VkskinResult getOutputPage(VkskinContext context, uint32_t page, VkskinOutputPage *info) {
    VkskinResult result = sknNeedArgument(context, "vkskinGetOutputPage", "info", info);
    if (result < 0) {
        return result;
    }
    uint32_t count = context->outputPages.pageCount;
    if (page >= count) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinGetOutputPage: page %u of %u", page,
                         count);
    }
    const Buffer *buffer = &context->outputPages.pages[page].buffer;
    *info = (VkskinOutputPage){.buffer = buffer->handle, .size = buffer->size};
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetOutputPage(VkskinContext context, uint32_t page, VkskinOutputPage *info) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, getOutputPage(context, page, info));
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
