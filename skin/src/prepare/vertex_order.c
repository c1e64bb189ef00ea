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

/* The fields of the mesh def that decide which influences are kept. */
static VkskinResult checkKeepRule(const Surface *surface, const uint32_t *order) {
    const VkskinMeshDef *mesh = surface->mesh;
    const VkskinLogger *logger = &surface->run.logger;
    const char *name = sknMeshName(mesh);
    if (order == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: the place for the order is null", name);
    }
    if (mesh->maxInfluences > MAX_INFLUENCES) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: maxInfluences is %u, not in 0 to %u", name,
                         mesh->maxInfluences, MAX_INFLUENCES);
    }
    if (!(mesh->minWeight >= 0.0f && mesh->minWeight <= 0.5f)) { /* NaN is neither */
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: minWeight is %g, not in 0 to 0.5", name,
                         (double)mesh->minWeight);
    }
    if ((uint32_t)mesh->weightFormat > VKSKIN_WEIGHTS_UNORM8) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: weightFormat is %u, not in 0 to %u", name,
                         (unsigned)mesh->weightFormat, (unsigned)VKSKIN_WEIGHTS_UNORM8);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinSortVertices(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, uint32_t *order) {
    const Surface made = sknSurface(mesh, run), *surface = &made;
    VkskinResult result = sknCheckSurface(surface, SURFACE_INFLUENCES);
    if (result == VKSKIN_SUCCESS) {
        result = checkKeepRule(surface, order);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    uint32_t count = mesh->vertexCount;
    KeepRule rule = {
        .most = mesh->maxInfluences, .minShare = mesh->minWeight, .total = sknWeightUnits(mesh->weightFormat)};
    InfluenceLists lists = {0};
    uint32_t *room = sknHostAllocateArray(surface->run.allocator, count, sizeof *room);
    if (room == NULL || !sknMakeInfluenceLists(surface, rule, &lists)) {
        sknHostFree(surface->run.allocator, room);
        return sknReport(&surface->run.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "mesh %s: no host memory to sort %u vertices", sknMeshName(surface->mesh), count);
    }
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        order[vertex] = vertex;
    }
    sknOrderByBones(&lists, order, count, room);
    sknFreeInfluenceLists(surface, &lists);
    sknHostFree(surface->run.allocator, room);
    return VKSKIN_SUCCESS;
}
