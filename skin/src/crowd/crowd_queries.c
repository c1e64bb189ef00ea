#include "crowd.h"

/* Enters a call with the checked pointer `name` and finds the crowd. After a failure the lock is free. */
static VkskinResult enterCrowd(VkskinContext context, const char *call, VkskinCrowd crowd, const char *name,
                               const void *pointer, Crowd **found) {
    VkskinResult result = sknEnterWith(context, call, name, pointer);
    if (result < 0) {
        return result;
    }
    result = sknFindCrowd(context, call, crowd, found);
    return result < 0 ? sknLeave(context, result) : result;
}

/* ---- Draws ---- */

VkskinCrowdDraw sknDescribeCrowdDraw(VkskinContext context, const Crowd *crowd, uint32_t index) {
    const uint32_t *tables = crowd->plan.tables;
    const LayoutCrowdDraw *draw = sknCrowdDraw(tables, index);
    const LayoutCrowdPool *pool = sknCrowdPool(tables, draw->pool);
    const CrowdModelData *model = &crowd->models[pool->model];
    const uint32_t part = draw->part;
    const Mesh *mesh = sknMesh(context, model->meshes[part].mesh);
    const LayoutCrowdPart *place = (const LayoutCrowdPart *)(tables + pool->partsAt) + part;
    return (VkskinCrowdDraw){
        .view = draw->view,
        .model = pool->model,
        .part = part,
        .vertices = crowd->pools[draw->pool].output.handle,
        .verticesSize = crowd->pools[draw->pool].output.size,
        .verticesAddress = crowd->pools[draw->pool].output.address,
        .argumentsOffset = (VkDeviceSize)draw->arguments * 4,
        .constants =
            {
                .list = pool->lists + draw->view * pool->slots,
                .slots = pool->records,
                .vertices = place->place,
                .slotWords = pool->outputWords,
                .copyWords = pool->copyWords,
                .attributes = mesh->info.hasNormals ? (uint32_t)(mesh->info.streamOffsets[1] / 4) : 0,
                .format = (uint32_t)mesh->info.format | (mesh->info.hasNormals ? 16u : 0u) |
                          (mesh->info.hasTangents ? 32u : 0u),
                .vertexOffset = (int32_t)draw->vertexOffset,
            },
    };
}

static VkskinResult getDraws(VkskinContext context, const Crowd *crowd, VkskinCrowdDraw *draws, uint32_t *count) {
    const uint32_t all = sknCrowdHead(crowd->plan.tables)->drawCount;
    const uint32_t room = *count;
    *count = draws == NULL || room > all ? all : room;
    for (uint32_t i = 0; draws != NULL && i < *count; i++) {
        draws[i] = sknDescribeCrowdDraw(context, crowd, i);
    }
    if (*count < all) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_INCOMPLETE,
                         "vkskinGetCrowdDraws: room for %u of %u draws", *count, all);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetCrowdDraws(VkskinContext context, VkskinCrowd crowd, VkskinCrowdDraw *draws, uint32_t *count) {
    Crowd *found = NULL;
    VkskinResult result = enterCrowd(context, "vkskinGetCrowdDraws", crowd, "count", count, &found);
    return result < 0 ? result : sknLeave(context, getDraws(context, found, draws, count));
}

/* ---- Buffers ---- */

VkskinResult vkskinGetCrowdBuffers(VkskinContext context, VkskinCrowd crowd, VkskinCrowdBuffers *buffers) {
    Crowd *found = NULL;
    VkskinResult result = enterCrowd(context, "vkskinGetCrowdBuffers", crowd, "buffers", buffers, &found);
    if (result < 0) {
        return result;
    }
    const VkDeviceSize offset = found->frameStride * context->recording->slot;
    *buffers = (VkskinCrowdBuffers){
        .frame = found->frame.handle,
        .frameOffset = offset,
        .frameAddress = found->frame.address != 0 ? found->frame.address + offset : 0,
        .frameSize = found->plan.frameWords * 4,
        .states = found->states.handle,
        .statesSize = found->states.size,
        .statesAddress = found->states.address,
        .constants = found->constants.handle,
        .constantsSize = found->constants.size,
        .constantsAddress = found->constants.address,
    };
    return sknLeave(context, VKSKIN_SUCCESS);
}

VkskinResult vkskinGetCrowdStats(VkskinContext context, VkskinCrowd crowd, VkskinCrowdStats *stats) {
    Crowd *found = NULL;
    VkskinResult result = enterCrowd(context, "vkskinGetCrowdStats", crowd, "stats", stats, &found);
    if (result < 0) {
        return result;
    }
    *stats = found->stats;
    return sknLeave(context, VKSKIN_SUCCESS);
}
