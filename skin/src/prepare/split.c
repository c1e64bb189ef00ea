#include "host.h"
#include "split_parts.h"
#include "stable_sort.h"

#include <string.h>

/* ---- Making one part ---- */

/* A VkskinSplitPart whose arrays may be freed. */
typedef struct SplitPart {
    uint32_t boneCount;
    uint32_t *bones;
    uint32_t vertexCount;
    uint32_t *vertices;
    uint32_t *joints;
    uint32_t indexCount;
    bool wideIndices;
    void *indices;
    uint32_t rangeCount;
    VkskinSplitRange *ranges;
} SplitPart;

/* State for making the parts of one surface, one after the other. */
typedef struct PartMaker {
    const Surface *surface;
    const InfluenceLists *lists;
    uint32_t *placeOfVertex; /* [vertexCount]: index of each vertex in the part, or NOWHERE */
    uint32_t *placeOfBone;   /* [boneCount]: index of each bone in the part, or NOWHERE */
    uint32_t *gathered;      /* [max of both counts]: the part's vertices, then its bones */
    uint32_t *room;          /* [max of both counts]: scratch */
} PartMaker;

#define NOWHERE             UINT32_MAX
#define MOST_NARROW_INDICES 65535u /* index 0xffff may restart a strip */

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
                maker->placeOfVertex[corners[corner]] = 0; /* marks it as gathered */
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
                maker->placeOfBone[list[k].joint] = 0; /* marks it as gathered */
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

/* Resets the tables for the next part. */
static void forget(PartMaker *maker, const SplitPart *part) {
    for (uint32_t i = 0; part->vertices != NULL && i < part->vertexCount; i++) {
        maker->placeOfVertex[part->vertices[i]] = NOWHERE;
    }
    for (uint32_t i = 0; part->bones != NULL && i < part->boneCount; i++) {
        maker->placeOfBone[part->bones[i]] = NOWHERE;
    }
}

/* triangles: sorted by material. False: out of memory; call freePart also then. */
static bool makePart(PartMaker *maker, const uint32_t *triangles, uint32_t count, SplitPart *part) {
    *part = (SplitPart){0};
    bool made = takeVertices(maker, triangles, count, part) && takeBones(maker, part) && takeJoints(maker, part) &&
                takeIndices(maker, triangles, count, part) && takeRanges(maker, triangles, count, part);
    forget(maker, part);
    return made;
}

static void endParts(PartMaker *maker) {
    const VkskinHostAllocator *allocator = maker->surface->run.allocator;
    sknHostFree(allocator, maker->room);
    sknHostFree(allocator, maker->gathered);
    sknHostFree(allocator, maker->placeOfBone);
    sknHostFree(allocator, maker->placeOfVertex);
}

static bool beginParts(PartMaker *maker, const Surface *surface, const InfluenceLists *lists) {
    const VkskinHostAllocator *allocator = surface->run.allocator;
    uint32_t most =
        surface->mesh->vertexCount > surface->mesh->boneCount ? surface->mesh->vertexCount : surface->mesh->boneCount;
    *maker = (PartMaker){.surface = surface, .lists = lists};
    maker->placeOfVertex = sknHostAllocateArray(allocator, surface->mesh->vertexCount, sizeof *maker->placeOfVertex);
    maker->placeOfBone = sknHostAllocateArray(allocator, surface->mesh->boneCount, sizeof *maker->placeOfBone);
    maker->gathered = sknHostAllocateArray(allocator, most, sizeof *maker->gathered);
    maker->room = sknHostAllocateArray(allocator, most, sizeof *maker->room);
    if (maker->placeOfVertex == NULL || maker->placeOfBone == NULL || maker->gathered == NULL || maker->room == NULL) {
        endParts(maker);
        return false;
    }
    memset(maker->placeOfVertex, 0xff, surface->mesh->vertexCount * sizeof *maker->placeOfVertex);
    memset(maker->placeOfBone, 0xff, surface->mesh->boneCount * sizeof *maker->placeOfBone);
    return true;
}

static void freePart(const VkskinHostAllocator *allocator, SplitPart *part) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): freed only if the parts were allocated */
    sknHostFree(allocator, part->ranges);
    sknHostFree(allocator, part->indices);
    sknHostFree(allocator, part->joints);
    sknHostFree(allocator, part->vertices);
    sknHostFree(allocator, part->bones);
}

/* ---- Splitting ---- */

/*
 * Each try starts with another set of bones; the best result is used. The total work of all tries is at most
 * TRY_TRIANGLES triangles, so large meshes get few tries. A set of bones costs about as much as SET_TRIANGLES.
 */
#define MOST_TRIES    24u
#define TRY_TRIANGLES 2000000u
#define SET_TRIANGLES 8u

struct VkskinSplit_T {
    VkskinHostAllocator allocator;
    uint32_t partCount;
    SplitPart *parts;
};

typedef struct SplitWork {
    const Surface *surface;
    uint32_t maxBones;
    InfluenceLists lists;
    BoneSets sets;
    PartChoice best;
} SplitWork;

static bool isBetter(const PartChoice *choice, const PartChoice *best) {
    if (best->partOf == NULL || choice->partCount != best->partCount) {
        return best->partOf == NULL || choice->partCount < best->partCount;
    }
    return choice->vertexCount < best->vertexCount;
}

static VkskinResult tryFrom(SplitWork *work, uint32_t firstSet, ProgressStage stage) {
    BonePacking packing;
    PartChoice choice;
    double middle = (stage.from + stage.to) / 2;
    VkskinResult result = sknPackBones((ProgressStage){stage.surface, stage.from, middle, 0}, &work->sets,
                                       work->maxBones, firstSet, &packing);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    result = sknChooseParts((ProgressStage){stage.surface, middle, stage.to, 0}, &work->sets, &packing, &choice);
    sknFreeBonePacking(work->surface, &packing);
    if (result == VKSKIN_SUCCESS && isBetter(&choice, &work->best)) {
        sknFreePartChoice(work->surface, &work->best);
        work->best = choice;
    } else {
        sknFreePartChoice(work->surface, &choice);
    }
    return result;
}

static uint32_t countTries(const BoneSets *sets) {
    uint64_t work = sets->triangleCount + (uint64_t)SET_TRIANGLES * sets->count;
    uint32_t tries = (uint32_t)(TRY_TRIANGLES / work);
    tries = tries < MOST_TRIES ? tries : MOST_TRIES;
    tries = tries < sets->count ? tries : sets->count;
    return tries > 1 ? tries : 1;
}

/* The first try starts with the set that the packing chooses, the others with sets spread over the mesh. */
static VkskinResult choose(SplitWork *work) {
    uint32_t tries = countTries(&work->sets);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result == VKSKIN_SUCCESS && i < tries; i++) {
        uint32_t firstSet = i == 0 ? work->sets.count : (uint32_t)((uint64_t)i * work->sets.count / tries);
        result = tryFrom(work, firstSet, (ProgressStage){work->surface, (double)i / tries, (i + 1.0) / tries, 0});
        if (work->best.partCount == 1) { /* cannot be improved */
            tries = i + 1;
        }
        if (result == VKSKIN_SUCCESS) {
            result = sknReportProgress(work->surface, (i + 1.0) / tries);
        }
    }
    return result;
}

static bool comesAfter(const void *data, uint32_t a, uint32_t b) {
    const SplitWork *work = data;
    if (work->best.partOf[a] != work->best.partOf[b]) {
        return work->best.partOf[a] > work->best.partOf[b];
    }
    return sknSurfaceMaterial(work->surface, a) > sknSurfaceMaterial(work->surface, b);
}

/* Sorts triangles by part, then by material, stably. */
static void sortTriangles(SplitWork *work) {
    uint32_t *triangles = work->sets.triangles;
    for (uint32_t i = 0; i < work->sets.triangleCount; i++) {
        triangles[i] = i;
    }
    sknSortStable(triangles, work->sets.triangleCount, work->sets.setOf, comesAfter, work);
}

/* Skips parts that lost all their triangles to other parts. */
static bool makeParts(SplitWork *work, PartMaker *maker, VkskinSplit split) {
    const uint32_t *triangles = work->sets.triangles;
    const uint32_t *partOf = work->best.partOf;
    uint32_t end;
    for (uint32_t first = 0; first < work->sets.triangleCount; first = end) {
        for (end = first + 1; end < work->sets.triangleCount; end++) {
            if (partOf[triangles[end]] != partOf[triangles[first]]) {
                break;
            }
        }
        if (!makePart(maker, triangles + first, end - first, &split->parts[split->partCount++])) {
            return false;
        }
    }
    return true;
}

static VkskinSplit makeSplit(SplitWork *work) {
    const VkskinHostAllocator *allocator = work->surface->run.allocator;
    PartMaker maker;
    VkskinSplit split = sknHostAllocateArray(allocator, 1, sizeof *split);
    if (split == NULL) {
        return NULL;
    }
    split->allocator = sknHostAllocatorCopy(allocator);
    split->parts = sknHostAllocateArray(allocator, work->best.partCount, sizeof *split->parts);
    bool made = split->parts != NULL && beginParts(&maker, work->surface, &work->lists);
    if (made) {
        sortTriangles(work);
        made = makeParts(work, &maker, split);
        endParts(&maker);
    }
    if (!made) {
        vkskinDestroySplit(split);
        return NULL;
    }
    return split;
}

static VkskinResult cut(SplitWork *work, VkskinSplit *split) {
    VkskinResult result = sknReportProgress(work->surface, 0.0);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    if (!sknMakeInfluenceLists(work->surface, (KeepRule){0}, &work->lists)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    result = sknMakeBoneSets(work->surface, &work->lists, work->maxBones, &work->sets);
    if (result == VKSKIN_SUCCESS) {
        result = choose(work);
    }
    if (result == VKSKIN_SUCCESS) {
        *split = makeSplit(work);
        result = *split != NULL ? VKSKIN_SUCCESS : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    return result;
}

VkskinResult vkskinSplitMesh(const VkskinMeshDef *mesh, uint32_t maxBones, const VkskinPrepareRun *run,
                             VkskinSplit *split) {
    const Surface made = sknSurface(mesh, run), *surface = &made;
    if (split != NULL) {
        *split = NULL;
    }
    VkskinResult result = sknCheckSurface(surface, SURFACE_INFLUENCES | SURFACE_TRIANGLES);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    if (split == NULL) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: the place for the split is null",
                         sknMeshName(surface->mesh));
    }
    if (maxBones == 0) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: maxBones is 0",
                         sknMeshName(surface->mesh));
    }
    SplitWork work = {.surface = surface, .maxBones = maxBones};
    result = cut(&work, split);
    if (result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY) {
        sknReport(&surface->run.logger, result, "mesh %s: no host memory to split %u triangles",
                  sknMeshName(surface->mesh), surface->mesh->indexCount / 3);
    }
    sknFreePartChoice(surface, &work.best);
    sknFreeBoneSets(surface, &work.sets);
    sknFreeInfluenceLists(surface, &work.lists);
    return result;
}

void vkskinDestroySplit(VkskinSplit split) {
    if (split == NULL) {
        return;
    }
    const VkskinHostAllocator allocator = split->allocator;
    for (uint32_t i = 0; i < split->partCount; i++) {
        freePart(&allocator, &split->parts[i]);
    }
    sknHostFree(&allocator, split->parts);
    sknHostFree(&allocator, split);
}

uint32_t vkskinGetSplitPartCount(VkskinSplit split) {
    return split != NULL ? split->partCount : 0;
}

VkskinResult vkskinGetSplitPart(VkskinSplit split, uint32_t index, VkskinSplitPart *part) {
    if (split == NULL || part == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (index >= split->partCount) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const SplitPart *made = &split->parts[index];
    *part = (VkskinSplitPart){
        .boneCount = made->boneCount,
        .bones = made->bones,
        .vertexCount = made->vertexCount,
        .vertices = made->vertices,
        .joints = made->joints,
        .indexCount = made->indexCount,
        .wideIndices = made->wideIndices,
        .indices = made->indices,
        .rangeCount = made->rangeCount,
        .ranges = made->ranges,
    };
    return VKSKIN_SUCCESS;
}
