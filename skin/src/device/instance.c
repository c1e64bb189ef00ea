#include <stdio.h>

#include "cookie.h"
#include "fills.h"
#include "frame.h"
#include "instances.h"
#include "mesh_kernels.h"
#include "output_layout.h"

VkskinInstanceDef vkskinDefaultInstanceDef(void) {
    return (VkskinInstanceDef){.cookie = VKSKIN_COOKIE_INSTANCE, .outputOffset = VKSKIN_OFFSET_AUTOMATIC};
}

static VkskinResult takeOutput(VkskinContext context, const char *call, const Mesh *mesh, const OutputPlace *place,
                               PageRange *output) {
    if (place->page != NO_INDEX) {
        return sknTakePlace(context, call, mesh, place, output);
    }
    VkskinResult result = sknPoolAlloc(&context->gpu, &context->descriptors, &context->outputPages,
                                       mesh->info.outputBytes, mesh->regions, output);
    if (result == VKSKIN_ERROR_MESH_TOO_LARGE) {
        return sknReport(&context->gpu.logger, result, "%s: %llu bytes of output do not fit a buffer", call,
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

VkskinResult sknAddInstance(VkskinContext context, const char *call, uint32_t mesh, const OutputPlace *place,
                            uint32_t *index) {
    PageRange output;
    VkskinResult result = sknReserveFill(context, sknMesh(context, mesh));
    if (result >= 0) {
        result = takeOutput(context, call, sknMesh(context, mesh), place, &output);
    }
    if (result < 0) {
        return result;
    }
    *index = sknHandleTake(&context->instances, context->gpu.hostAllocator);
    if (*index == NO_INDEX) {
        sknPoolFree(&context->outputPages, &output);
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for its handle", call);
    }
    Instance *made = sknInstance(context, *index);
    made->mesh = mesh;
    made->output = output;
    made->fixed = place->offset != VKSKIN_OFFSET_AUTOMATIC;
    sknAddFill(context, *index);
    sknMesh(context, mesh)->instanceCount++;
    return VKSKIN_SUCCESS;
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
    uint32_t index = NO_INDEX;
    OutputPlace place;
    result = sknCheckMethods(context, call, sknMesh(context, meshIndex), def->methods);
    if (result >= 0) {
        result = sknFindPlace(context, call, def, &place);
    }
    if (result >= 0) {
        result = sknAddInstance(context, call, meshIndex, &place, &index);
    }
    if (result < 0) {
        return result;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): checked above, in another file */
    *instance = (VkskinInstance){index + 1, sknInstance(context, index)->header.generation};
    return sknWarnOfMissingKernels(context, call, sknMesh(context, meshIndex), def->methods);
}

VkskinResult vkskinCreateInstance(VkskinContext context, const VkskinInstanceDef *def, VkskinInstance *instance) {
    if (instance != NULL) {
        *instance = VKSKIN_NULL_INSTANCE;
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

/* The call as messages name it: only what is refused costs a text. at: the index in vkskinGetOutputs, or NO_INDEX. */
static VkskinResult refuseOutput(VkskinContext context, VkskinInstance handle, uint32_t at) {
    char call[64] = "vkskinGetOutput";
    if (at != NO_INDEX) {
        snprintf(call, sizeof call, "vkskinGetOutputs: instance %u", at);
    }
    uint32_t index = NO_INDEX;
    VkskinResult result = sknFindInstance(context, call, handle, &index);
    return result < 0 ? result
                      : sknReport(&context->gpu.logger, VKSKIN_ERROR_NOT_SKINNED,
                                  "%s: instance (%u, %u) was never skinned", call, handle.index, handle.generation);
}

/* The instance and its update that is the output of the frame that is recorded. Null if there is none. */
static const Instance *findOutput(VkskinContext context, VkskinInstance handle, const Update **update) {
    const Instance *instance = sknHandleGet(&context->instances, handle.index, handle.generation);
    if (instance == NULL) {
        return NULL;
    }
    *update = sknUpdateOf(&instance->updates, context->recording->number);
    return (*update)->frame > 0 ? instance : NULL;
}

static VkskinOutput describeOutput(VkskinContext context, const Instance *instance, const Update *update) {
    const Mesh *mesh = sknMesh(context, instance->mesh);
    const PagePool *pages = &context->outputPages;
    const VkskinOutputLayout *layout = &mesh->info.layout;
    VkDeviceAddress address = context->outputPages.pages[instance->output.page].buffer.address;
    VkDeviceSize positions = sknPlaceOffset(&mesh->info, layout->position);
    VkDeviceSize current = sknRangeOffset(pages, &instance->output, update->region);
    /* Without an update in this frame, the previous positions are the current ones. */
    bool moved = mesh->previousPositions && update->frame == context->recording->number;
    return (VkskinOutput){
        .buffer = pages->pages[instance->output.page].buffer.handle,
        .page = instance->output.page,
        .vertexCount = mesh->info.vertexCount,
        .offset = current,
        .positionOffset = current + positions,
        .positionStride = sknPlaceStride(&mesh->info, layout->position),
        .attributeOffset = current + sknPlaceOffset(&mesh->info, layout->normal),
        .attributeStride = mesh->info.hasNormals ? sknPlaceStride(&mesh->info, layout->normal) : 0,
        .previousPositionOffset =
            positions + (moved ? sknRangeOffset(pages, &instance->output, update->previousRegion) : current),
        .address = address != 0 ? address + current : 0,
    };
}

static VkskinResult getOutput(VkskinContext context, VkskinInstance handle, VkskinOutput *output) {
    VkskinResult result = sknNeedArgument(context, "vkskinGetOutput", "output", output);
    if (result < 0) {
        return result;
    }
    const Update *update = NULL;
    const Instance *instance = findOutput(context, handle, &update);
    if (instance == NULL) {
        return refuseOutput(context, handle, NO_INDEX);
    }
    *output = describeOutput(context, instance, update);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetOutput(VkskinContext context, VkskinInstance handle, VkskinOutput *output) {
    VkskinResult result = sknEnterShared(context);
    return result < 0 ? result : sknLeaveShared(context, getOutput(context, handle, output));
}

static VkskinResult getOutputs(VkskinContext context, const VkskinInstance *instances, uint32_t count,
                               VkskinOutput *outputs) {
    static const char call[] = "vkskinGetOutputs";
    VkskinResult result = count > 0 ? sknNeedArgument(context, call, "instances", instances) : VKSKIN_SUCCESS;
    if (result >= 0 && count > 0) {
        result = sknNeedArgument(context, call, "outputs", outputs);
    }
    const Update *update = NULL;
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        const Instance *instance = findOutput(context, instances[i], &update);
        if (instance != NULL) {
            outputs[i] = describeOutput(context, instance, update);
        } else {
            result = refuseOutput(context, instances[i], i);
        }
    }
    return result;
}

VkskinResult vkskinGetOutputs(VkskinContext context, const VkskinInstance *instances, uint32_t count,
                              VkskinOutput *outputs) {
    VkskinResult result = sknEnterShared(context);
    return result < 0 ? result : sknLeaveShared(context, getOutputs(context, instances, count, outputs));
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
