#include "pair_triangles.h"

#include "host_memory.h"

static bool addPairs(const VkskinSurfaceDef *surface, const InfluenceLists *lists, BonePairs *pairs) {
    for (uint32_t vertex = 0; vertex < surface->vertexCount; vertex++) {
        uint32_t count;
        const Influence *list = sknInfluenceList(lists, vertex, &count);
        for (uint32_t high = 1; high < count; high++) {
            for (uint32_t low = 0; low < high; low++) {
                if (!sknAddBonePair(surface->allocator, pairs, list[low].joint, list[high].joint)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Two lists ascending by joint become one; weights of a joint that both have are added. */
static uint32_t addLists(const Influence *a, uint32_t countA, const Influence *b, uint32_t countB, Influence *sum) {
    uint32_t i = 0;
    uint32_t j = 0;
    uint32_t count = 0;
    while (i < countA || j < countB) {
        if (j == countB || (i < countA && a[i].joint < b[j].joint)) {
            sum[count++] = a[i++];
        } else if (i == countA || b[j].joint < a[i].joint) {
            sum[count++] = b[j++];
        } else {
            sum[count++] = (Influence){.joint = a[i].joint, .weight = a[i].weight + b[j].weight};
            i++;
            j++;
        }
    }
    return count;
}

/* The weights of a triangle, mean[3 * MAX_INFLUENCES]. */
static uint32_t meanOfCorners(const VkskinSurfaceDef *surface, const InfluenceLists *lists, uint32_t triangle,
                              Influence *mean) {
    Influence two[2 * MAX_INFLUENCES];
    const Influence *corners[3];
    uint32_t counts[3];
    for (int i = 0; i < 3; i++) {
        corners[i] = sknInfluenceList(lists, surface->indices[3 * (size_t)triangle + (size_t)i], &counts[i]);
    }
    uint32_t count = addLists(corners[0], counts[0], corners[1], counts[1], two);
    count = addLists(two, count, corners[2], counts[2], mean);
    for (uint32_t i = 0; i < count; i++) {
        mean[i].weight /= 3.0f;
    }
    return count;
}

/* Counts a triangle for each of its pairs (`triangles` null), or files it: first[] then ends where the pair does. */
static void visitTriangle(PairTriangles *made, const Influence *mean, uint32_t count, uint32_t triangle) {
    for (uint32_t high = 1; high < count; high++) {
        for (uint32_t low = 0; low < high; low++) {
            uint32_t pair = sknFindBonePair(&made->pairs, mean[low].joint, mean[high].joint);
            if (pair == NO_BONE_PAIR) {
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
        uint32_t count = meanOfCorners(surface, lists, triangle, mean);
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
    sknFreeBonePairs(surface->allocator, &made->pairs);
    *made = (PairTriangles){0};
}
