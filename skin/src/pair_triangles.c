#include "pair_triangles.h"

#include "host_memory.h"

static bool addPairs(const VkskinSurfaceDef *surface, const InfluenceLists *lists, PairTable *pairs) {
    for (uint32_t vertex = 0; vertex < surface->vertexCount; vertex++) {
        uint32_t count;
        const Influence *list = sknInfluenceList(lists, vertex, &count);
        for (uint32_t high = 1; high < count; high++) {
            for (uint32_t low = 0; low < high; low++) {
                if (!sknAddPair(surface->allocator, pairs, list[low].joint, list[high].joint)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Counts a triangle for each of its pairs (`triangles` null), or files it: first[] then ends where the pair does. */
static void visitTriangle(PairTriangles *made, const Influence *mean, uint32_t count, uint32_t triangle) {
    for (uint32_t high = 1; high < count; high++) {
        for (uint32_t low = 0; low < high; low++) {
            uint32_t pair = sknFindPair(&made->pairs, mean[low].joint, mean[high].joint);
            if (pair == NO_PAIR) {
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

static void visitTriangles(const VkskinSurfaceDef *surface, const InfluenceLists *lists, PairTriangles *made) {
    Influence mean[3 * MAX_INFLUENCES];
    for (uint32_t triangle = 0; triangle < surface->indexCount / 3; triangle++) {
        uint32_t count = sknTriangleInfluences(surface, lists, triangle, mean);
        visitTriangle(made, mean, count, triangle);
    }
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

bool sknMakePairTriangles(const VkskinSurfaceDef *surface, const InfluenceLists *lists, PairTriangles *made) {
    *made = (PairTriangles){0};
    if (!addPairs(surface, lists, &made->pairs)) {
        sknFreePairTriangles(surface, made);
        return false;
    }
    made->first = sknHostAllocateArray(surface->allocator, (size_t)made->pairs.count + 1, sizeof *made->first);
    if (made->first == NULL) {
        sknFreePairTriangles(surface, made);
        return false;
    }
    visitTriangles(surface, lists, made);
    made->triangles = sknHostAllocateArray(surface->allocator, sumUp(made), sizeof *made->triangles);
    if (made->triangles == NULL) {
        sknFreePairTriangles(surface, made);
        return false;
    }
    visitTriangles(surface, lists, made);
    for (uint32_t pair = made->pairs.count; pair > 0; pair--) { /* back from ends to beginnings */
        made->first[pair] = made->first[pair - 1];
    }
    made->first[0] = 0;
    return true;
}

void sknFreePairTriangles(const VkskinSurfaceDef *surface, PairTriangles *made) {
    sknHostFree(surface->allocator, made->triangles);
    sknHostFree(surface->allocator, made->first);
    sknFreePairTable(surface->allocator, &made->pairs);
    *made = (PairTriangles){0};
}
