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

bool sknMakeInfluenceLists(const VkskinSurfaceDef *surface, uint32_t most, float minShare, InfluenceLists *lists) {
    Influence kept[MAX_INFLUENCES];
    *lists = (InfluenceLists){
        .first = sknHostAllocateArray(surface->allocator, (size_t)surface->vertexCount + 1, sizeof *lists->first)};
    if (lists->first == NULL) {
        return false;
    }
    for (uint32_t vertex = 0; vertex < surface->vertexCount; vertex++) {
        sknSurfaceInfluences(surface, vertex, kept);
        uint32_t count = sknKeepInfluences(kept, surface->influencesPerVertex, most, minShare).count;
        lists->first[vertex + 1] = lists->first[vertex] + count;
    }
    lists->influences =
        sknHostAllocateArray(surface->allocator, lists->first[surface->vertexCount], sizeof *lists->influences);
    if (lists->influences == NULL) {
        sknFreeInfluenceLists(surface, lists);
        return false;
    }
    for (uint32_t vertex = 0; vertex < surface->vertexCount; vertex++) {
        sknSurfaceInfluences(surface, vertex, kept);
        uint32_t count = sknKeepInfluences(kept, surface->influencesPerVertex, most, minShare).count;
        sortByJoint(kept, count);
        memcpy(lists->influences + lists->first[vertex], kept, count * sizeof *kept);
    }
    return true;
}

void sknJoinDoubles(const VkskinSurfaceDef *surface, InfluenceLists *lists) {
    size_t written = 0;
    size_t read = 0;
    for (uint32_t vertex = 0; vertex < surface->vertexCount; vertex++) {
        size_t begin = written;
        for (; read < lists->first[vertex + 1]; read++) {
            Influence influence = lists->influences[read];
            if (written > begin && lists->influences[written - 1].joint == influence.joint) {
                lists->influences[written - 1].weight += influence.weight;
            } else {
                lists->influences[written++] = influence;
            }
        }
        lists->first[vertex + 1] = written;
    }
}

void sknFreeInfluenceLists(const VkskinSurfaceDef *surface, InfluenceLists *lists) {
    sknHostFree(surface->allocator, lists->influences);
    sknHostFree(surface->allocator, lists->first);
    *lists = (InfluenceLists){0};
}
