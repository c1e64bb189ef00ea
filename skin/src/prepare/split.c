#include "bone_packing.h"
#include "bone_sets.h"
#include "diagnostics.h"
#include "host_memory.h"
#include "part_choice.h"
#include "split_part.h"
#include "stable_sort.h"

/*
 * Each try begins with another set; the best counts. Work of all tries together is bounded, in triangles, so that large
 * meshes have few; a set of bones costs about as much as so many.
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

static VkskinResult tryFrom(SplitWork *work, uint32_t firstSet, Stage stage) {
    BonePacking packing;
    PartChoice choice;
    double middle = (stage.from + stage.to) / 2;
    VkskinResult result =
        sknPackBones((Stage){stage.surface, stage.from, middle, 0}, &work->sets, work->maxBones, firstSet, &packing);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    result = sknChooseParts((Stage){stage.surface, middle, stage.to, 0}, &work->sets, &packing, &choice);
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

/* The first try begins with the set that the packing prefers, the others with sets from all over the mesh. */
static VkskinResult choose(SplitWork *work) {
    uint32_t tries = countTries(&work->sets);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result == VKSKIN_SUCCESS && i < tries; i++) {
        uint32_t firstSet = i == 0 ? work->sets.count : (uint32_t)((uint64_t)i * work->sets.count / tries);
        result = tryFrom(work, firstSet, (Stage){work->surface, (double)i / tries, (i + 1.0) / tries, 0});
        if (work->best.partCount == 1) { /* which is the best there can be */
            tries = i + 1;
        }
        if (result == VKSKIN_SUCCESS) {
            result = sknTellProgress(work->surface, (i + 1.0) / tries);
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

/* Triangles by part, then by material; in their order otherwise. */
static void sortTriangles(SplitWork *work) {
    uint32_t *triangles = work->sets.triangles;
    for (uint32_t i = 0; i < work->sets.triangleCount; i++) {
        triangles[i] = i;
    }
    sknSortStable(triangles, work->sets.triangleCount, work->sets.setOf, comesAfter, work);
}

/* Parts that lost all their triangles to others are none. */
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
        if (!sknMakePart(maker, triangles + first, end - first, &split->parts[split->partCount++])) {
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
    bool made = split->parts != NULL && sknBeginParts(&maker, work->surface, &work->lists);
    if (made) {
        sortTriangles(work);
        made = makeParts(work, &maker, split);
        sknEndParts(&maker);
    }
    if (!made) {
        vkskinDestroySplit(split);
        return NULL;
    }
    return split;
}

static VkskinResult cut(SplitWork *work, VkskinSplit *split) {
    VkskinResult result = sknTellProgress(work->surface, 0.0);
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
        sknFreePart(&allocator, &split->parts[i]);
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
