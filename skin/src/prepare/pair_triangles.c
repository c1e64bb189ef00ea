#include "pair_triangles.h"

#include "host_memory.h"

static bool addPairsOf(const Surface *surface, const Influence *list, uint32_t count, PairTable *pairs) {
    for (uint32_t high = 1; high < count; high++) {
        for (uint32_t low = 0; low < high; low++) {
            if (!sknAddPair(surface->run.allocator, pairs, list[low].joint, list[high].joint)) {
                return false;
            }
        }
    }
    return true;
}

static VkskinResult addPairs(const InfluenceLists *lists, Stage stage, PairTable *pairs) {
    uint32_t vertexCount = stage.surface->mesh->vertexCount;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t vertex = 0; result == VKSKIN_SUCCESS && vertex < vertexCount; vertex++) {
        uint32_t count;
        const Influence *list = sknInfluenceList(lists, vertex, &count);
        if (!addPairsOf(stage.surface, list, count, pairs)) {
            return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        }
        result = sknStep(&stage, 1 + count * count / 2, vertex + 1, vertexCount);
    }
    return result;
}

/* Counts a triangle for each of its pairs (`triangles` null), or files it: first[] then ends where the pair does. */
static void visitTriangle(PairTriangles *made, const Influence *mean, uint32_t count, uint32_t triangle) {
    for (uint32_t high = 1; high < count; high++) {
        for (uint32_t low = 0; low < high; low++) {
            uint32_t pair = sknFindPair(&made->pairs, mean[low].joint, mean[high].joint);
            if (pair == UNKNOWN_PAIR) {
                continue;
            }
            if (made->triangles != NULL) {
                made->triangles[made->first[pair]] =
                    (PairTriangle){.triangle = triangle, .low = mean[low].weight, .high = mean[high].weight};
            }
            made->first[pair]++;
        }
    }
}

static VkskinResult visitTriangles(const InfluenceLists *lists, Stage stage, PairTriangles *made) {
    uint32_t triangleCount = stage.surface->mesh->indexCount / 3;
    Influence mean[3 * MAX_INFLUENCES];
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t triangle = 0; result == VKSKIN_SUCCESS && triangle < triangleCount; triangle++) {
        uint32_t count = sknTriangleInfluences(stage.surface, lists, triangle, mean);
        visitTriangle(made, mean, count, triangle);
        result = sknStep(&stage, 1 + count * count / 2, triangle + 1, triangleCount);
    }
    return result;
}

/* first[] goes from counts to where each pair begins; returns how many there are together. */
static size_t sumUp(PairTriangles *made) {
    size_t begin = 0;
    for (uint32_t pair = 0; pair <= made->pairs.count; pair++) {
        size_t count = made->first[pair];
        made->first[pair] = begin;
        begin += count;
    }
    return begin;
}

/* Not cleared: there may be gigabytes, which would take seconds. */
static PairTriangle *allocateTriangles(const VkskinHostAllocator *allocator, size_t count) {
    return count <= SIZE_MAX / sizeof(PairTriangle) ? sknHostAllocate(allocator, count * sizeof(PairTriangle)) : NULL;
}

/* Once all pairs are known: counts the triangles of each, then files them. */
static VkskinResult fileTriangles(const InfluenceLists *lists, Stage stage, PairTriangles *made) {
    const VkskinHostAllocator *allocator = stage.surface->run.allocator;
    double middle = (stage.from + stage.to) / 2;
    made->first = sknHostAllocateArray(allocator, (size_t)made->pairs.count + 1, sizeof *made->first);
    if (made->first == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    VkskinResult result = visitTriangles(lists, (Stage){stage.surface, stage.from, middle, 0}, made);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    made->triangles = allocateTriangles(allocator, sumUp(made));
    if (made->triangles == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    result = visitTriangles(lists, (Stage){stage.surface, middle, stage.to, 0}, made);
    for (uint32_t pair = made->pairs.count; pair > 0; pair--) { /* back from ends to beginnings */
        made->first[pair] = made->first[pair - 1];
    }
    made->first[0] = 0;
    return result;
}

VkskinResult sknMakePairTriangles(const Surface *surface, const InfluenceLists *lists, double to, PairTriangles *made) {
    double third = to / 3;
    *made = (PairTriangles){0};
    VkskinResult result = addPairs(lists, (Stage){surface, 0.0, third, 0}, &made->pairs);
    if (result == VKSKIN_SUCCESS) {
        result = fileTriangles(lists, (Stage){surface, third, to, 0}, made);
    }
    if (result != VKSKIN_SUCCESS) {
        sknFreePairTriangles(surface, made);
    }
    return result;
}

void sknFreePairTriangles(const Surface *surface, PairTriangles *made) {
    sknHostFree(surface->run.allocator, made->triangles);
    sknHostFree(surface->run.allocator, made->first);
    sknFreePairTable(surface->run.allocator, &made->pairs);
    *made = (PairTriangles){0};
}
