#include "bone_sets.h"

#include "diagnostics.h"
#include "host_memory.h"
#include "vertex_order.h"

static VkskinResult checkTriangle(const Surface *surface, const InfluenceLists *lists, uint32_t triangle,
                                  uint32_t boneCount, uint32_t maxBones) {
    for (size_t i = 0; i < 3; i++) {
        uint32_t vertex = surface->mesh->indices[3 * (size_t)triangle + i];
        if (lists->first[vertex] == lists->first[vertex + 1]) {
            return sknReport(&surface->run.logger, VKSKIN_ERROR_WEIGHT_ZERO,
                             "mesh %s: all weights of vertex %u are zero", sknMeshName(surface->mesh), vertex);
        }
    }
    if (boneCount > maxBones) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_BONE_LIMIT,
                         "mesh %s: triangle %u is moved by %u bones, a part may have %u", sknMeshName(surface->mesh),
                         triangle, boneCount, maxBones);
    }
    return VKSKIN_SUCCESS;
}

/* The bones of each triangle as lists, one behind another. */
static VkskinResult listTriangles(const Surface *surface, const InfluenceLists *lists, uint32_t maxBones,
                                  InfluenceLists *made) {
    uint32_t triangleCount = surface->mesh->indexCount / 3;
    Influence mean[3 * MAX_INFLUENCES];
    made->first = sknHostAllocateArray(surface->run.allocator, (size_t)triangleCount + 1, sizeof *made->first);
    if (made->first == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t triangle = 0; triangle < triangleCount; triangle++) {
        uint32_t count = sknTriangleInfluences(surface, lists, triangle, mean);
        VkskinResult result = checkTriangle(surface, lists, triangle, count, maxBones);
        if (result != VKSKIN_SUCCESS) {
            return result;
        }
        made->first[triangle + 1] = made->first[triangle] + count;
    }
    made->influences =
        sknHostAllocateArray(surface->run.allocator, made->first[triangleCount], sizeof *made->influences);
    if (made->influences == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t triangle = 0; triangle < triangleCount; triangle++) {
        uint32_t count = sknTriangleInfluences(surface, lists, triangle, mean);
        for (uint32_t i = 0; i < count; i++) {
            made->influences[made->first[triangle] + i] = mean[i];
        }
    }
    return VKSKIN_SUCCESS;
}

static bool sameBones(const InfluenceLists *lists, uint32_t a, uint32_t b) {
    uint32_t countA, countB;
    const Influence *listA = sknInfluenceList(lists, a, &countA);
    const Influence *listB = sknInfluenceList(lists, b, &countB);
    bool same = countA == countB;
    for (uint32_t i = 0; same && i < countA; i++) {
        same = listA[i].joint == listB[i].joint;
    }
    return same;
}

static bool allocateSets(const Surface *surface, size_t bones, BoneSets *sets) {
    const VkskinHostAllocator *allocator = surface->run.allocator;
    size_t count = sets->triangleCount;
    sets->triangles = sknHostAllocateArray(allocator, count, sizeof *sets->triangles);
    sets->setOf = sknHostAllocateArray(allocator, count, sizeof *sets->setOf);
    sets->firstTriangle = sknHostAllocateArray(allocator, count + 1, sizeof *sets->firstTriangle);
    sets->firstBone = sknHostAllocateArray(allocator, count + 1, sizeof *sets->firstBone);
    sets->bones = sknHostAllocateArray(allocator, bones, sizeof *sets->bones);
    sets->firstSet = sknHostAllocateArray(allocator, (size_t)surface->mesh->boneCount + 1, sizeof *sets->firstSet);
    sets->sets = sknHostAllocateArray(allocator, bones, sizeof *sets->sets);
    return sets->triangles != NULL && sets->setOf != NULL && sets->firstTriangle != NULL && sets->firstBone != NULL &&
           sets->bones != NULL && sets->firstSet != NULL && sets->sets != NULL;
}

/* Sorted triangles of the same bones stand side by side: a set begins where the bones change. */
static void groupTriangles(const InfluenceLists *ofTriangles, BoneSets *sets) {
    for (uint32_t i = 0; i < sets->triangleCount; i++) {
        uint32_t triangle = sets->triangles[i];
        if (i == 0 || !sameBones(ofTriangles, sets->triangles[i - 1], triangle)) {
            uint32_t count;
            const Influence *list = sknInfluenceList(ofTriangles, triangle, &count);
            size_t first = sets->firstBone[sets->count];
            for (uint32_t bone = 0; bone < count; bone++) {
                sets->bones[first + bone] = list[bone].joint;
            }
            sets->firstTriangle[sets->count] = i;
            sets->firstBone[++sets->count] = first + count;
        }
        sets->setOf[triangle] = sets->count - 1;
    }
    sets->firstTriangle[sets->count] = sets->triangleCount;
}

/* From the bones of each set to the sets of each bone. */
static void listSetsOfBones(const Surface *surface, BoneSets *sets) {
    size_t bones = sets->firstBone[sets->count];
    for (size_t i = 0; i < bones; i++) {
        sets->firstSet[sets->bones[i]]++;
    }
    for (uint32_t bone = 0; bone < surface->mesh->boneCount; bone++) {
        sets->firstSet[bone + 1] += sets->firstSet[bone];
    }
    for (uint32_t set = sets->count; set-- > 0;) { /* from behind, so that each bone's end moves to its beginning */
        for (size_t i = sets->firstBone[set]; i < sets->firstBone[set + 1]; i++) {
            sets->sets[--sets->firstSet[sets->bones[i]]] = set;
        }
    }
}

VkskinResult sknMakeBoneSets(const Surface *surface, const InfluenceLists *lists, uint32_t maxBones, BoneSets *sets) {
    InfluenceLists ofTriangles = {0};
    *sets = (BoneSets){.triangleCount = surface->mesh->indexCount / 3};
    VkskinResult result = listTriangles(surface, lists, maxBones, &ofTriangles);
    if (result == VKSKIN_SUCCESS && !allocateSets(surface, ofTriangles.first[sets->triangleCount], sets)) {
        result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result == VKSKIN_SUCCESS) {
        for (uint32_t triangle = 0; triangle < sets->triangleCount; triangle++) {
            sets->triangles[triangle] = triangle;
        }
        sknOrderByBones(&ofTriangles, sets->triangles, sets->triangleCount, sets->setOf);
        groupTriangles(&ofTriangles, sets);
        listSetsOfBones(surface, sets);
    } else {
        sknFreeBoneSets(surface, sets);
    }
    sknFreeInfluenceLists(surface, &ofTriangles);
    return result;
}

void sknFreeBoneSets(const Surface *surface, BoneSets *sets) {
    const VkskinHostAllocator *allocator = surface->run.allocator;
    sknHostFree(allocator, sets->sets);
    sknHostFree(allocator, sets->firstSet);
    sknHostFree(allocator, sets->bones);
    sknHostFree(allocator, sets->firstBone);
    sknHostFree(allocator, sets->firstTriangle);
    sknHostFree(allocator, sets->setOf);
    sknHostFree(allocator, sets->triangles);
    *sets = (BoneSets){0};
}
