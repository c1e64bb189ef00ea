#include "instance.h"

#include <stdio.h>

#include "cookie.h"
#include "fills.h"
#include "frame.h"
#include "mesh_kernels.h"

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

static VkskinResult checkAlive(VkskinContext context, const char *call, uint32_t added) {
    const uint32_t alive = context->instances.aliveCount;
    if (added <= context->def.memory.maxInstances - alive) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_INSTANCES,
                     "%s: %u are alive and %u are added, maxInstances is %u", call, alive, added,
                     context->def.memory.maxInstances);
}

static VkskinInstance handleOf(VkskinContext context, uint32_t index) {
    return (VkskinInstance){index + 1, sknInstance(context, index)->header.generation};
}

static VkskinResult createInstance(VkskinContext context, const VkskinInstanceDef *def, VkskinInstance *instance) {
    static const char call[] = "vkskinCreateInstance";
    uint32_t meshIndex = NO_INDEX;
    VkskinResult result = sknNeedArgument(context, call, "instance", instance);
    if (result >= 0) {
        result = findMeshOf(context, def, &meshIndex);
    }
    if (result >= 0) {
        result = checkAlive(context, call, 1);
    }
    uint32_t index = NO_INDEX;
    OutputPlace place;
    if (result >= 0) {
        result = sknCheckMethods(context, call, sknMesh(context, meshIndex), def->methods);
    }
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
    *instance = handleOf(context, index);
    return sknWarnOfMissingKernels(context, call, sknMesh(context, meshIndex), def->methods);
}

VkskinResult vkskinCreateInstance(VkskinContext context, const VkskinInstanceDef *def, VkskinInstance *instance) {
    if (instance != NULL) {
        *instance = VKSKIN_NULL_INSTANCE;
    }
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, createInstance(context, def, instance));
}

static VkskinResult createInstances(VkskinContext context, VkskinMesh mesh, uint32_t count, VkskinInstance *instances) {
    static const char call[] = "vkskinCreateInstances";
    const OutputPlace place = {NO_INDEX, VKSKIN_OFFSET_AUTOMATIC};
    uint32_t meshIndex = NO_INDEX;
    VkskinResult result = count > 0 ? sknNeedArgument(context, call, "instances", instances) : VKSKIN_SUCCESS;
    if (result >= 0) {
        result = sknFindMesh(context, call, mesh, &meshIndex);
    }
    if (result >= 0) {
        result = checkAlive(context, call, count);
    }
    uint32_t made = 0;
    while (result >= 0 && made < count) {
        uint32_t index = NO_INDEX;
        result = sknAddInstance(context, call, meshIndex, &place, &index);
        if (result >= 0) {
            instances[made++] = handleOf(context, index);
        }
    }
    while (result < 0 && made > 0) {
        sknRetireInstance(context, instances[--made].index - 1);
    }
    return result;
}

VkskinResult vkskinCreateInstances(VkskinContext context, VkskinMesh mesh, uint32_t count, VkskinInstance *instances) {
    VkskinResult result = sknEnter(context);
    if (result >= 0) {
        result = sknLeave(context, createInstances(context, mesh, count, instances));
    }
    for (uint32_t i = 0; result < 0 && instances != NULL && i < count; i++) {
        instances[i] = VKSKIN_NULL_INSTANCE;
    }
    return result;
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

/* Where the streams of a mesh are in its output: for many instances, computed once. */
typedef struct OutputStreams {
    uint32_t mesh; /* index of the mesh, or NO_INDEX */
    VkDeviceSize positions, attributes;
    uint32_t positionStride, attributeStride;
} OutputStreams;

static OutputStreams streamsOf(VkskinContext context, uint32_t index) {
    const Mesh *mesh = sknMesh(context, index);
    const VkskinOutputLayout *layout = &mesh->info.layout;
    return (OutputStreams){
        .mesh = index,
        .positions = sknPlaceOffset(&mesh->info, layout->position),
        .attributes = sknPlaceOffset(&mesh->info, layout->normal),
        .positionStride = sknPlaceStride(&mesh->info, layout->position),
        .attributeStride = mesh->info.hasNormals ? sknPlaceStride(&mesh->info, layout->normal) : 0,
    };
}

/* False, and nothing is written, for a null or stale handle and an instance that was never skinned.
 * *streams: of the instance before, or none's; becomes this one's. */
static inline bool findOutput(VkskinContext context, VkskinInstance handle, OutputStreams *streams,
                              VkskinOutput *output) {
    const Instance *instance = sknHandleGet(&context->instances, handle.index, handle.generation);
    if (instance == NULL) {
        return false;
    }
    const uint64_t frame = context->recording->number;
    const Update *update = sknUpdateOf(&instance->updates, frame);
    if (update->frame == 0) {
        return false;
    }
    const Mesh *mesh = sknMesh(context, instance->mesh);
    if (instance->mesh != streams->mesh) {
        *streams = streamsOf(context, instance->mesh);
    }
    const PagePool *pages = &context->outputPages;
    const Buffer *buffer = &pages->pages[instance->output.page].buffer;
    const VkDeviceSize current = sknRangeOffset(pages, &instance->output, update->region);
    /* Without an update in this frame, the previous positions are the current ones. */
    const bool moved = mesh->previousPositions && update->frame == frame;
    const VkDeviceSize previous = moved ? sknRangeOffset(pages, &instance->output, update->previousRegion) : current;
    *output = (VkskinOutput){
        .buffer = buffer->handle,
        .page = instance->output.page,
        .vertexCount = mesh->info.vertexCount,
        .offset = current,
        .positionOffset = current + streams->positions,
        .positionStride = streams->positionStride,
        .attributeOffset = current + streams->attributes,
        .attributeStride = streams->attributeStride,
        .previousPositionOffset = previous + streams->positions,
        .address = buffer->address != 0 ? buffer->address + current : 0,
    };
    return true;
}

static VkskinResult getOutput(VkskinContext context, VkskinInstance handle, VkskinOutput *output) {
    VkskinResult result = sknNeedArgument(context, "vkskinGetOutput", "output", output);
    if (result < 0) {
        return result;
    }
    OutputStreams streams = {.mesh = NO_INDEX};
    return findOutput(context, handle, &streams, output) ? VKSKIN_SUCCESS : refuseOutput(context, handle, NO_INDEX);
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
    OutputStreams streams = {.mesh = NO_INDEX};
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        if (!findOutput(context, instances[i], &streams, &outputs[i])) {
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

/* ---- Another mesh ---- */

/*
 * The new mesh gets instances of its own. Then the meshes, and their instances in pairs, exchange all but their handles,
 * and the new handles, which now stand for the old data, are destroyed.
 */
typedef struct Replacement {
    VkskinContext context;
    uint32_t mesh, fresh; /* indices: of the host's handle, and of the new one */
} Replacement;

static const char call[] = "vkskinReplaceMesh";

/* The first instance of a mesh from an index on, or NO_INDEX. Each new instance has the index of its pair in `next`. */
static uint32_t nextInstance(VkskinContext context, uint32_t mesh, uint32_t from) {
    for (uint32_t i = from; i < context->instances.capacity; i++) {
        const Instance *instance = sknInstance(context, i);
        if (instance->header.alive && instance->mesh == mesh) {
            return i;
        }
    }
    return NO_INDEX;
}

/* Frames in flight read the old output, and only the host knows another place. */
static VkskinResult refuseFixed(VkskinContext context, uint32_t index) {
    const Instance *instance = sknInstance(context, index);
    return sknReport(
        &context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
        "%s: instance (%u, %u) has an outputOffset of the host: destroy it, and create it again afterwards", call,
        index + 1, instance->header.generation);
}

/* In the same buffer of the host, or in pages of the library. */
static VkskinResult addInstances(const Replacement *r) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = nextInstance(r->context, r->mesh, 0); result >= 0 && i != NO_INDEX;
         i = nextInstance(r->context, r->mesh, i + 1)) {
        const Instance *instance = sknInstance(r->context, i);
        const uint32_t page = instance->output.page;
        const bool hosts = r->context->outputPages.pages[page].buffer.borrowed;
        const OutputPlace place = {hosts ? page : NO_INDEX, VKSKIN_OFFSET_AUTOMATIC};
        uint32_t index = NO_INDEX;
        result =
            instance->fixed ? refuseFixed(r->context, i) : sknAddInstance(r->context, call, r->fresh, &place, &index);
        if (result >= 0) {
            sknInstance(r->context, index)->header.next = i;
        }
    }
    return result;
}

static void retireFresh(const Replacement *r) {
    for (uint32_t i = nextInstance(r->context, r->fresh, 0); i != NO_INDEX;
         i = nextInstance(r->context, r->fresh, i + 1)) {
        sknRetireInstance(r->context, i);
    }
    sknRetireMesh(r->context, r->fresh);
}

static void exchangeMeshes(const Replacement *r) {
    Mesh *kept = sknMesh(r->context, r->mesh);
    Mesh *fresh = sknMesh(r->context, r->fresh);
    const Mesh old = *kept;
    const Mesh made = *fresh;
    *kept = made;
    kept->header = old.header;
    *fresh = old;
    fresh->header = made.header;
    sknExchangeUploads(&r->context->uploads, r->mesh, r->fresh);
}

/* Outputs that were written in this frame and are still to be released belong to the old data. */
static void renameWritten(VkskinContext context, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; context->written != NULL && i < context->writtenCount; i++) {
        context->written[i] = context->written[i] == from ? to : context->written[i];
    }
}

/* All but the handles, and the meshes, whose data were exchanged. */
static void exchangePair(VkskinContext context, uint32_t a, uint32_t b) {
    Instance *first = sknInstance(context, a);
    Instance *second = sknInstance(context, b);
    const Instance old = *first;
    *first = *second;
    *second = old;
    second->header = first->header;
    second->mesh = first->mesh;
    first->header = old.header;
    first->mesh = old.mesh;
    sknMoveFill(context, a);
    sknMoveFill(context, b);
    renameWritten(context, a, b);
}

/* Each new instance is retired at once: this drops the command that it took over, while the owners of others are right. */
static void exchangeInstances(const Replacement *r) {
    for (uint32_t f = nextInstance(r->context, r->fresh, 0); f != NO_INDEX;
         f = nextInstance(r->context, r->fresh, f + 1)) {
        exchangePair(r->context, sknInstance(r->context, f)->header.next, f);
        sknRetireInstance(r->context, f);
    }
}

/* The methods with which a mesh can be skinned now, and that the other one has the data for. */
static uint32_t sharedMethods(VkskinContext context, const Mesh *mesh, const Mesh *other) {
    uint32_t methods = 0;
    for (uint32_t i = 0; i < VKSKIN_METHOD_COUNT; i++) {
        VkskinMethod method = (VkskinMethod)i;
        bool data = sknMissingMethodData(method, other->info.hasBlendWeights, other->info.hasCentres) == NULL &&
                    (other->info.dimensions == 3 || method == VKSKIN_METHOD_LINEAR_BLEND);
        methods |= data && sknHasMethod(context, mesh, method) ? VKSKIN_METHOD_BIT(method) : 0u;
    }
    return methods;
}

/* With the lock. */
static VkskinResult replace(VkskinContext context, VkskinMesh handle, VkskinMesh made) {
    Replacement r = {.context = context, .mesh = NO_INDEX, .fresh = made.index - 1};
    VkskinResult result = sknFindMesh(context, call, handle, &r.mesh);
    if (result >= 0) {
        result = sknNeedNoCrowd(context, call, r.mesh);
    }
    if (result >= 0) {
        result = addInstances(&r);
    }
    if (result >= 0) {
        exchangeMeshes(&r);
        exchangeInstances(&r);
        const Mesh *mesh = sknMesh(context, r.mesh);
        result = sknWarnOfMissingKernels(context, call, mesh, sharedMethods(context, sknMesh(context, r.fresh), mesh));
    }
    retireFresh(&r);
    return result;
}

VkskinResult vkskinReplaceMesh(VkskinContext context, VkskinMesh mesh, const VkskinMeshDef *def) {
    uint32_t index = NO_INDEX;
    VkskinResult result = sknEnterWith(context, call, "def", def);
    if (result >= 0) {
        result = sknLeave(context, sknFindMesh(context, call, mesh, &index));
    }
    VkskinMesh fresh = VKSKIN_NULL_MESH;
    if (result >= 0) {
        result = vkskinCreateMesh(context, def, &fresh);
    }
    if (result < 0) {
        return result;
    }
    (void)sknEnter(context);
    VkskinResult replaced = sknLeave(context, replace(context, mesh, fresh));
    return replaced != VKSKIN_SUCCESS ? replaced : result;
}
