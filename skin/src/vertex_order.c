#include "vertex_order.h"

#include "diagnostics.h"
#include "host_memory.h"

#include <string.h>

/* Whether vertex a comes after vertex b. */
static bool comesAfter(const InfluenceLists *lists, uint32_t a, uint32_t b) {
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
    return false;
}

/* Two sorted runs, [begin, middle) and [middle, end) of `from`, become one of `to`. */
static void mergeRuns(const InfluenceLists *lists, const uint32_t *from, uint32_t *to, size_t begin, size_t middle,
                      size_t end) {
    size_t left = begin;
    size_t right = middle;
    for (size_t i = begin; i < end; i++) {
        bool takeRight = left == middle || (right < end && comesAfter(lists, from[left], from[right]));
        to[i] = takeRight ? from[right++] : from[left++];
    }
}

void sknOrderVertices(const InfluenceLists *lists, uint32_t *vertices, uint32_t count, uint32_t *room) {
    uint32_t *from = vertices;
    uint32_t *to = room;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            size_t middle = begin + run < count ? begin + run : count;
            size_t end = begin + 2 * run < count ? begin + 2 * run : count;
            mergeRuns(lists, from, to, begin, middle, end);
        }
        uint32_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != vertices) {
        memcpy(vertices, from, count * sizeof *vertices);
    }
}

static VkskinResult checkArguments(const VkskinSurfaceDef *surface, uint32_t maxInfluences, float minWeight,
                                   const uint32_t *order) {
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
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSortVertices(const VkskinSurfaceDef *surface, uint32_t maxInfluences, float minWeight,
                                uint32_t *order) {
    VkskinResult result = sknCheckSurface(surface, SURFACE_INFLUENCES);
    if (result == VKSKIN_SUCCESS) {
        result = checkArguments(surface, maxInfluences, minWeight, order);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    uint32_t count = surface->vertexCount;
    InfluenceLists lists = {0};
    uint32_t *room = sknHostAllocateArray(surface->allocator, count, sizeof *room);
    if (room == NULL || !sknMakeInfluenceLists(surface, maxInfluences, minWeight, &lists)) {
        sknHostFree(surface->allocator, room);
        return sknReport(&surface->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "mesh %s: no host memory to sort %u vertices", sknSurfaceName(surface), count);
    }
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        order[vertex] = vertex;
    }
    sknOrderVertices(&lists, order, count, room);
    sknFreeInfluenceLists(surface, &lists);
    sknHostFree(surface->allocator, room);
    return VKSKIN_SUCCESS;
}
