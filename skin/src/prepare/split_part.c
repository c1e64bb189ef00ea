#include "split_part.h"

#include "host_memory.h"
#include "stable_sort.h"
#include "vertex_order.h"

#include <string.h>

#define NOWHERE             UINT32_MAX
#define MOST_NARROW_INDICES 65535u /* so that no index is 0xffff, which may restart a strip */

static const uint32_t *cornersOf(const PartMaker *maker, uint32_t triangle) {
    return maker->surface->mesh->indices + 3 * (size_t)triangle;
}

static bool copyGathered(const PartMaker *maker, uint32_t count, uint32_t **copy) {
    *copy = sknHostAllocateArray(maker->surface->run.allocator, count, sizeof **copy);
    if (*copy != NULL) {
        memcpy(*copy, maker->gathered, count * sizeof **copy);
    }
    return *copy != NULL;
}

static bool takeVertices(PartMaker *maker, const uint32_t *triangles, uint32_t count, SplitPart *part) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *corners = cornersOf(maker, triangles[i]);
        for (int corner = 0; corner < 3; corner++) {
            if (maker->placeOfVertex[corners[corner]] == NOWHERE) {
                maker->placeOfVertex[corners[corner]] = 0; /* for now: it is taken */
                maker->gathered[part->vertexCount++] = corners[corner];
            }
        }
    }
    sknOrderByBones(maker->lists, maker->gathered, part->vertexCount, maker->room);
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        maker->placeOfVertex[maker->gathered[i]] = i;
    }
    return copyGathered(maker, part->vertexCount, &part->vertices);
}

static bool isLater(const void *data, uint32_t a, uint32_t b) {
    (void)data;
    return a > b;
}

static bool takeBones(PartMaker *maker, SplitPart *part) {
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        uint32_t count;
        const Influence *list = sknInfluenceList(maker->lists, part->vertices[i], &count);
        for (uint32_t k = 0; k < count; k++) {
            if (maker->placeOfBone[list[k].joint] == NOWHERE) {
                maker->placeOfBone[list[k].joint] = 0; /* for now: it is taken */
                maker->gathered[part->boneCount++] = list[k].joint;
            }
        }
    }
    sknSortStable(maker->gathered, part->boneCount, maker->room, isLater, NULL);
    for (uint32_t i = 0; i < part->boneCount; i++) {
        maker->placeOfBone[maker->gathered[i]] = i;
    }
    return copyGathered(maker, part->boneCount, &part->bones);
}

static bool takeJoints(const PartMaker *maker, SplitPart *part) {
    const Surface *surface = maker->surface;
    uint32_t each = surface->mesh->influencesPerVertex;
    Influence influences[MAX_INFLUENCES];
    part->joints = sknHostAllocateArray(surface->run.allocator, (size_t)part->vertexCount * each, sizeof *part->joints);
    if (part->joints == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        sknSurfaceInfluences(surface, part->vertices[i], influences);
        for (uint32_t k = 0; k < each; k++) {
            bool moves = influences[k].weight > 0.0f;
            part->joints[(size_t)i * each + k] = moves ? maker->placeOfBone[influences[k].joint] : 0;
        }
    }
    return true;
}

static bool takeIndices(const PartMaker *maker, const uint32_t *triangles, uint32_t count, SplitPart *part) {
    part->wideIndices = part->vertexCount > MOST_NARROW_INDICES;
    part->indexCount = 3 * count;
    part->indices = sknHostAllocateArray(maker->surface->run.allocator, part->indexCount,
                                         part->wideIndices ? sizeof(uint32_t) : sizeof(uint16_t));
    if (part->indices == NULL) {
        return false;
    }
    uint32_t *wide = part->indices;
    uint16_t *narrow = part->indices;
    for (uint32_t i = 0; i < part->indexCount; i++) {
        uint32_t place = maker->placeOfVertex[cornersOf(maker, triangles[i / 3])[i % 3]];
        if (part->wideIndices) {
            wide[i] = place;
        } else {
            narrow[i] = (uint16_t)place;
        }
    }
    return true;
}

static bool takeRanges(const PartMaker *maker, const uint32_t *triangles, uint32_t count, SplitPart *part) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t material = sknSurfaceMaterial(maker->surface, triangles[i]);
        if (i == 0 || material != sknSurfaceMaterial(maker->surface, triangles[i - 1])) {
            part->rangeCount++;
        }
    }
    part->ranges = sknHostAllocateArray(maker->surface->run.allocator, part->rangeCount, sizeof *part->ranges);
    if (part->ranges == NULL) {
        return false;
    }
    VkskinSplitRange *range = part->ranges;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t material = sknSurfaceMaterial(maker->surface, triangles[i]);
        if (range->indexCount > 0 && material != range->material) {
            range++;
        }
        if (range->indexCount == 0) {
            *range = (VkskinSplitRange){.material = material, .firstIndex = 3 * i};
        }
        range->indexCount += 3;
    }
    return true;
}

/* For the next part. */
static void forget(PartMaker *maker, const SplitPart *part) {
    for (uint32_t i = 0; part->vertices != NULL && i < part->vertexCount; i++) {
        maker->placeOfVertex[part->vertices[i]] = NOWHERE;
    }
    for (uint32_t i = 0; part->bones != NULL && i < part->boneCount; i++) {
        maker->placeOfBone[part->bones[i]] = NOWHERE;
    }
}

bool sknMakePart(PartMaker *maker, const uint32_t *triangles, uint32_t count, SplitPart *part) {
    *part = (SplitPart){0};
    bool made = takeVertices(maker, triangles, count, part) && takeBones(maker, part) && takeJoints(maker, part) &&
                takeIndices(maker, triangles, count, part) && takeRanges(maker, triangles, count, part);
    forget(maker, part);
    return made;
}

bool sknBeginParts(PartMaker *maker, const Surface *surface, const InfluenceLists *lists) {
    const VkskinHostAllocator *allocator = surface->run.allocator;
    uint32_t most =
        surface->mesh->vertexCount > surface->mesh->boneCount ? surface->mesh->vertexCount : surface->mesh->boneCount;
    *maker = (PartMaker){.surface = surface, .lists = lists};
    maker->placeOfVertex = sknHostAllocateArray(allocator, surface->mesh->vertexCount, sizeof *maker->placeOfVertex);
    maker->placeOfBone = sknHostAllocateArray(allocator, surface->mesh->boneCount, sizeof *maker->placeOfBone);
    maker->gathered = sknHostAllocateArray(allocator, most, sizeof *maker->gathered);
    maker->room = sknHostAllocateArray(allocator, most, sizeof *maker->room);
    if (maker->placeOfVertex == NULL || maker->placeOfBone == NULL || maker->gathered == NULL || maker->room == NULL) {
        sknEndParts(maker);
        return false;
    }
    memset(maker->placeOfVertex, 0xff, surface->mesh->vertexCount * sizeof *maker->placeOfVertex);
    memset(maker->placeOfBone, 0xff, surface->mesh->boneCount * sizeof *maker->placeOfBone);
    return true;
}

void sknEndParts(PartMaker *maker) {
    const VkskinHostAllocator *allocator = maker->surface->run.allocator;
    sknHostFree(allocator, maker->room);
    sknHostFree(allocator, maker->gathered);
    sknHostFree(allocator, maker->placeOfBone);
    sknHostFree(allocator, maker->placeOfVertex);
}

void sknFreePart(const VkskinHostAllocator *allocator, SplitPart *part) {
    sknHostFree(allocator, part->ranges);
    sknHostFree(allocator, part->indices);
    sknHostFree(allocator, part->joints);
    sknHostFree(allocator, part->vertices);
    sknHostFree(allocator, part->bones);
}
