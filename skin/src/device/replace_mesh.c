#include "fills.h"
#include "frame.h"
#include "instance.h"
#include "mesh_kernels.h"

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
