#include "vertex_order.h"

#include "diagnostics.h"
#include "host_memory.h"
#include "stable_sort.h"

static bool comesAfter(const void *data, uint32_t a, uint32_t b) {
    const InfluenceLists *lists = data;
    uint32_t countA, countB;
    const Influence *listA = sknInfluenceList(lists, a, &countA);
    const Influence *listB = sknInfluenceList(lists, b, &countB);
    if (countA != countB) {
        return countA > countB;
    }
    for (uint32_t i = 0; i < countA; i++) {
        if (listA[i].joint != listB[i].joint) {
            return listA[i].joint > listB[i].joint;
        }
    }
    return a > b;
}

void sknOrderByBones(const InfluenceLists *lists, uint32_t *items, uint32_t count, uint32_t *room) {
    sknSortStable(items, count, room, comesAfter, lists);
}

static VkskinResult checkArguments(const VkskinSurfaceDef *surface, uint32_t maxInfluences, float minWeight,
                                   VkskinWeightFormat weightFormat, const uint32_t *order) {
    const char *name = sknSurfaceName(surface);
    if (order == NULL) {
        return sknReport(&surface->logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: the place for the order is null",
                         name);
    }
    if (maxInfluences > MAX_INFLUENCES) {
        return sknReport(&surface->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: maxInfluences is %u, not in 0 to %u",
                         name, maxInfluences, MAX_INFLUENCES);
    }
    if (!(minWeight >= 0.0f && minWeight <= 0.5f)) { /* NaN is neither */
        return sknReport(&surface->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: minWeight is %g, not in 0 to 0.5",
                         name, (double)minWeight);
    }
    if ((uint32_t)weightFormat > VKSKIN_WEIGHTS_UNORM8) {
        return sknReport(&surface->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: weightFormat is %u, not in 0 to %u",
                         name, (unsigned)weightFormat, (unsigned)VKSKIN_WEIGHTS_UNORM8);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSortVertices(const VkskinSurfaceDef *surface, uint32_t maxInfluences, float minWeight,
                                VkskinWeightFormat weightFormat, uint32_t *order) {
    VkskinResult result = sknCheckSurface(surface, SURFACE_INFLUENCES);
    if (result == VKSKIN_SUCCESS) {
        result = checkArguments(surface, maxInfluences, minWeight, weightFormat, order);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    uint32_t count = surface->vertexCount;
    KeepRule rule = {.most = maxInfluences, .minShare = minWeight, .total = sknWeightUnits(weightFormat)};
    InfluenceLists lists = {0};
    uint32_t *room = sknHostAllocateArray(surface->allocator, count, sizeof *room);
    if (room == NULL || !sknMakeInfluenceLists(surface, rule, &lists)) {
        sknHostFree(surface->allocator, room);
        return sknReport(&surface->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "mesh %s: no host memory to sort %u vertices", sknSurfaceName(surface), count);
    }
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        order[vertex] = vertex;
    }
    sknOrderByBones(&lists, order, count, room);
    sknFreeInfluenceLists(surface, &lists);
    sknHostFree(surface->allocator, room);
    return VKSKIN_SUCCESS;
}
