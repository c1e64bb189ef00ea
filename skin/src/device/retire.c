#include "retire.h"

static void freeMesh(VkskinContext context, uint32_t index) {
    Mesh *mesh = sknMesh(context, index);
    if (!sknOnCpu(context)) {
        sknPoolFree(&context->meshPages, &mesh->source);
    }
    sknForgetMesh(&context->gpu, mesh);
    sknHandleRecycle(&context->meshes, index);
}

static void freeInstance(VkskinContext context, uint32_t index) {
    sknPoolFree(&context->outputPages, &sknInstance(context, index)->output);
    sknHandleRecycle(&context->instances, index);
}

void sknRetireMesh(VkskinContext context, uint32_t index) {
    sknDropUploads(&context->uploads, index);
    sknHandleRetire(&context->meshes, index);
    if (sknMesh(context, index)->uploadPending) {
        freeMesh(context, index);
        return;
    }
    FrameSlot *slot = &context->slots[context->slot];
    sknMesh(context, index)->header.next = slot->retiredMeshes;
    slot->retiredMeshes = index;
}

void sknRetireInstance(VkskinContext context, uint32_t index) {
    Instance *instance = sknInstance(context, index);
    if (instance->command != NO_INDEX) {
        uint32_t moved = sknDropCommand(&context->jobs, instance->command);
        if (moved != NO_INDEX) {
            sknInstance(context, moved)->command = instance->command;
        }
        context->skinnedCount--;
    }
    sknMesh(context, instance->mesh)->instanceCount--;
    sknHandleRetire(&context->instances, index);
    if (instance->updateFrame == 0) {
        freeInstance(context, index);
        return;
    }
    FrameSlot *slot = &context->slots[context->slot];
    instance->header.next = slot->retiredInstances;
    slot->retiredInstances = index;
}

/* Detached before it is moved: both may be the same list. */
static void moveList(const HandleTable *table, uint32_t *from, uint32_t *to) {
    uint32_t index = *from;
    *from = NO_INDEX;
    while (index != NO_INDEX) {
        HandleHeader *header = sknHandleItem(table, index);
        uint32_t next = header->next;
        header->next = *to;
        *to = index;
        index = next;
    }
}

void sknMoveRetired(VkskinContext context, FrameSlot *from, FrameSlot *to) {
    moveList(&context->instances, &from->retiredInstances, &to->retiredInstances);
    moveList(&context->meshes, &from->retiredMeshes, &to->retiredMeshes);
}

void sknFreeRetired(VkskinContext context, FrameSlot *slot) {
    sknFreeStaging(&context->gpu, &slot->staging);
    while (slot->retiredInstances != NO_INDEX) {
        uint32_t index = slot->retiredInstances;
        slot->retiredInstances = sknInstance(context, index)->header.next;
        freeInstance(context, index);
    }
    while (slot->retiredMeshes != NO_INDEX) {
        uint32_t index = slot->retiredMeshes;
        slot->retiredMeshes = sknMesh(context, index)->header.next;
        freeMesh(context, index);
    }
}
