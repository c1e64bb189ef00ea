#include "influences.h"

#include "stable_sort.h"

#include <math.h>
#include <string.h>

/* Insertion sort: the lists are short and often sorted already. */
static void sortDescending(Influence *influences, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        Influence moved = influences[i];
        uint32_t at = i;
        for (; at > 0 && influences[at - 1].weight < moved.weight; at--) {
            influences[at] = influences[at - 1];
        }
        influences[at] = moved;
    }
}

static double sumOf(const Influence *influences, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)influences[i].weight;
    }
    return sum;
}

KeptInfluences sknKeepInfluences(Influence *influences, uint32_t count, uint32_t most, float minShare) {
    sortDescending(influences, count);
    while (count > 0 && influences[count - 1].weight <= 0.0f) {
        count--;
    }
    KeptInfluences kept = {.count = count, .sum = sumOf(influences, count)};
    if (most != 0 && kept.count > most) {
        kept.count = most;
    }
    while (kept.count > 1 && (double)influences[kept.count - 1].weight < (double)minShare * kept.sum) {
        kept.count--;
    }
    if (count == 0) {
        return kept;
    }
    double sum = sumOf(influences, kept.count);
    kept.dropped = count - kept.count;
    kept.droppedWeight = kept.dropped > 0 ? fmax(kept.sum - sum, 0.0) / kept.sum : 0.0;
    for (uint32_t i = 0; i < kept.count; i++) {
        influences[i].weight = (float)((double)influences[i].weight / sum);
    }
    return kept;
}

uint32_t sknWeightUnits(VkskinWeightFormat format) {
    return format == VKSKIN_WEIGHTS_UNORM16 ? 65535 : format == VKSKIN_WEIGHTS_UNORM8 ? 255 : 0;
}

uint32_t sknCountUnits(const Influence *influences, uint32_t count, uint32_t total, uint32_t *units) {
    double remainders[MAX_INFLUENCES];
    double sum = sumOf(influences, count);
    uint32_t given = 0;
    for (uint32_t i = 0; i < count; i++) {
        double exact = (double)influences[i].weight / sum * total;
        units[i] = (uint32_t)exact;
        remainders[i] = exact - units[i];
        given += units[i];
    }
    /* Each remaining unit goes to the influence with the largest remainder; among equals, to the first. */
    for (; given < total; given++) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < count; i++) {
            largest = remainders[i] > remainders[largest] ? i : largest;
        }
        units[largest]++;
        remainders[largest] = -1.0;
    }
    while (count > 1 && units[count - 1] == 0) {
        count--;
    }
    return count;
}

static void sortByJoint(Influence *influences, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        Influence moved = influences[i];
        uint32_t at = i;
        for (; at > 0 && influences[at - 1].joint > moved.joint; at--) {
            influences[at] = influences[at - 1];
        }
        influences[at] = moved;
    }
}

/* kept: [MAX_INFLUENCES]. Returns the count. */
static uint32_t keepInfluences(const Surface *surface, uint32_t vertex, KeepRule rule, Influence *kept) {
    sknSurfaceInfluences(surface, vertex, kept);
    uint32_t count = sknKeepInfluences(kept, surface->mesh->influencesPerVertex, rule.most, rule.minShare).count;
    uint32_t units[MAX_INFLUENCES];
    return rule.total > 0 && count > 0 ? sknCountUnits(kept, count, rule.total, units) : count;
}

bool sknMakeInfluenceLists(const Surface *surface, KeepRule rule, InfluenceLists *lists) {
    Influence kept[MAX_INFLUENCES];
    *lists =
        (InfluenceLists){.first = sknHostAllocateArray(surface->run.allocator, (size_t)surface->mesh->vertexCount + 1,
                                                       sizeof *lists->first)};
    if (lists->first == NULL) {
        return false;
    }
    for (uint32_t vertex = 0; vertex < surface->mesh->vertexCount; vertex++) {
        uint32_t count = keepInfluences(surface, vertex, rule, kept);
        lists->first[vertex + 1] = lists->first[vertex] + count;
    }
    lists->influences = sknHostAllocateArray(surface->run.allocator, lists->first[surface->mesh->vertexCount],
                                             sizeof *lists->influences);
    if (lists->influences == NULL) {
        sknFreeInfluenceLists(surface->run.allocator, lists);
        return false;
    }
    for (uint32_t vertex = 0; vertex < surface->mesh->vertexCount; vertex++) {
        uint32_t count = keepInfluences(surface, vertex, rule, kept);
        sortByJoint(kept, count);
        memcpy(lists->influences + lists->first[vertex], kept, count * sizeof *kept);
    }
    return true;
}

/* Appends to a list ascending by joint. If the last influence has the same joint, the weights are added. */
static uint32_t append(Influence *list, uint32_t count, Influence influence) {
    if (count > 0 && list[count - 1].joint == influence.joint) {
        list[count - 1].weight += influence.weight;
        return count;
    }
    list[count] = influence;
    return count + 1;
}

/* Merges two lists ascending by joint. */
static uint32_t addLists(const Influence *a, uint32_t countA, const Influence *b, uint32_t countB, Influence *sum) {
    uint32_t i = 0;
    uint32_t j = 0;
    uint32_t count = 0;
    while (i < countA || j < countB) {
        bool takeA = j == countB || (i < countA && a[i].joint <= b[j].joint);
        count = append(sum, count, takeA ? a[i++] : b[j++]);
    }
    return count;
}

uint32_t sknTriangleInfluences(const Surface *surface, const InfluenceLists *lists, uint32_t triangle,
                               Influence *mean) {
    Influence two[2 * MAX_INFLUENCES];
    const Influence *corners[3];
    uint32_t counts[3];
    for (int i = 0; i < 3; i++) {
        corners[i] = sknInfluenceList(lists, surface->mesh->indices[3 * (size_t)triangle + (size_t)i], &counts[i]);
    }
    uint32_t count = addLists(corners[0], counts[0], corners[1], counts[1], two);
    count = addLists(two, count, corners[2], counts[2], mean);
    for (uint32_t i = 0; i < count; i++) {
        mean[i].weight /= 3.0f;
    }
    return count;
}

void sknJoinDoubles(const Surface *surface, InfluenceLists *lists) {
    size_t read = 0;
    for (uint32_t vertex = 0; vertex < surface->mesh->vertexCount; vertex++) {
        Influence *list = lists->influences + lists->first[vertex]; /* new start: never after the old one */
        uint32_t count = 0;
        for (; read < lists->first[vertex + 1]; read++) {
            count = append(list, count, lists->influences[read]);
        }
        lists->first[vertex + 1] = lists->first[vertex] + count;
    }
}

void sknFreeInfluenceLists(const VkskinHostAllocator *allocator, InfluenceLists *lists) {
    sknHostFree(allocator, lists->influences);
    sknHostFree(allocator, lists->first);
    *lists = (InfluenceLists){0};
}

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

/* Checks the fields that decide which influences are kept. */
static VkskinResult checkKeepRule(const Surface *surface, const uint32_t *order) {
    const VkskinMeshDef *mesh = surface->mesh;
    const Subject subject = {&surface->run.logger, SKN_MESH_LABEL(mesh)};
    const Rule place = {order == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the order is null"};
    const Range ranges[] = {
        {"maxInfluences", mesh->maxInfluences, 0, MAX_INFLUENCES},
        {"weightFormat", (uint32_t)mesh->weightFormat, 0, VKSKIN_WEIGHTS_UNORM8},
    };
    VkskinResult result = sknCheckRules(&subject, &place, 1);
    if (result >= 0) {
        result = sknCheckRanges(&subject, ranges, SKN_COUNT(ranges));
    }
    return result < 0 ? result : sknCheckMinWeight(&subject, mesh);
}

VkskinResult vkskinSortVertices(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, uint32_t *order) {
    VkskinMeshDef own;
    const Surface made = sknSurface(sknWithStrides(mesh, &own), run), *surface = &made;
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
                         "%s%s: no host memory to sort %u vertices", SKN_MESH_LABEL(surface->mesh), count);
    }
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        order[vertex] = vertex;
    }
    sknOrderByBones(&lists, order, count, room);
    sknFreeInfluenceLists(surface->run.allocator, &lists);
    sknHostFree(surface->run.allocator, room);
    return VKSKIN_SUCCESS;
}
