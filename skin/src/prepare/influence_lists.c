#include "influence_lists.h"

#include "host_memory.h"

#include <string.h>

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

/* Into kept[MAX_INFLUENCES]; returns how many. */
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
        sknFreeInfluenceLists(surface, lists);
        return false;
    }
    for (uint32_t vertex = 0; vertex < surface->mesh->vertexCount; vertex++) {
        uint32_t count = keepInfluences(surface, vertex, rule, kept);
        sortByJoint(kept, count);
        memcpy(lists->influences + lists->first[vertex], kept, count * sizeof *kept);
    }
    return true;
}

/* Puts an influence behind those of a list ascending by joint, or adds it to the last where that has its joint. */
static uint32_t append(Influence *list, uint32_t count, Influence influence) {
    if (count > 0 && list[count - 1].joint == influence.joint) {
        list[count - 1].weight += influence.weight;
        return count;
    }
    list[count] = influence;
    return count + 1;
}

/* Two lists ascending by joint become one. */
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
        Influence *list = lists->influences + lists->first[vertex]; /* where it will stand; no later than it does */
        uint32_t count = 0;
        for (; read < lists->first[vertex + 1]; read++) {
            count = append(list, count, lists->influences[read]);
        }
        lists->first[vertex + 1] = lists->first[vertex] + count;
    }
}

void sknFreeInfluenceLists(const Surface *surface, InfluenceLists *lists) {
    sknHostFree(surface->run.allocator, lists->influences);
    sknHostFree(surface->run.allocator, lists->first);
    *lists = (InfluenceLists){0};
}
