#include "host.h"
#include "split_parts.h"
#include "stable_sort.h"

#include <string.h>

/* ---- Making one part ---- */

/* State for making the parts of one surface, one after the other. */
typedef struct PartMaker {
    const Surface *surface;
    const InfluenceLists *lists;
    Arena *arena;            /* memory of the parts */
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

static bool takeVertices(PartMaker *maker, const uint32_t *triangles, uint32_t count, VkskinSplitPart *part) {
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
    part->vertices = sknArenaCopy(maker->arena, maker->gathered, part->vertexCount, sizeof *part->vertices);
    return part->vertices != NULL;
}

static bool isLater(const void *data, uint32_t a, uint32_t b) {
    (void)data;
    return a > b;
}

static bool takeBones(PartMaker *maker, VkskinSplitPart *part) {
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
    part->bones = sknArenaCopy(maker->arena, maker->gathered, part->boneCount, sizeof *part->bones);
    return part->bones != NULL;
}

static bool takeJoints(const PartMaker *maker, VkskinSplitPart *part) {
    const Surface *surface = maker->surface;
    uint32_t each = surface->mesh->influencesPerVertex;
    Influence influences[MAX_INFLUENCES];
    uint32_t *joints = sknArenaArray(maker->arena, (size_t)part->vertexCount * each, sizeof *joints);
    part->joints = joints;
    if (joints == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        sknSurfaceInfluences(surface, part->vertices[i], influences);
        for (uint32_t k = 0; k < each; k++) {
            bool moves = influences[k].weight > 0.0f;
            joints[(size_t)i * each + k] = moves ? maker->placeOfBone[influences[k].joint] : 0;
        }
    }
    return true;
}

static bool takeIndices(const PartMaker *maker, const uint32_t *triangles, uint32_t count, VkskinSplitPart *part) {
    part->wideIndices = part->vertexCount > MOST_NARROW_INDICES;
    part->indexCount = 3 * count;
    void *indices =
        sknArenaArray(maker->arena, part->indexCount, part->wideIndices ? sizeof(uint32_t) : sizeof(uint16_t));
    part->indices = indices;
    if (indices == NULL) {
        return false;
    }
    uint32_t *wide = indices;
    uint16_t *narrow = indices;
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

static bool takeRanges(const PartMaker *maker, const uint32_t *triangles, uint32_t count, VkskinSplitPart *part) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t material = sknSurfaceMaterial(maker->surface, triangles[i]);
        if (i == 0 || material != sknSurfaceMaterial(maker->surface, triangles[i - 1])) {
            part->rangeCount++;
        }
    }
    VkskinSplitRange *range = sknArenaArray(maker->arena, part->rangeCount, sizeof *range);
    part->ranges = range;
    if (range == NULL) {
        return false;
    }
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
static void forget(PartMaker *maker, const VkskinSplitPart *part) {
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        maker->placeOfVertex[part->vertices[i]] = NOWHERE;
    }
    for (uint32_t i = 0; i < part->boneCount; i++) {
        maker->placeOfBone[part->bones[i]] = NOWHERE;
    }
}

/* triangles: sorted by material. False: out of memory. */
static bool makePart(PartMaker *maker, const uint32_t *triangles, uint32_t count, VkskinSplitPart *part) {
    return takeVertices(maker, triangles, count, part) && takeBones(maker, part) && takeJoints(maker, part) &&
           takeIndices(maker, triangles, count, part) && takeRanges(maker, triangles, count, part);
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
    Arena arena; /* memory of the split, this struct included */
    uint32_t partCount;
    VkskinSplitPart *parts;
};

typedef struct SplitWork {
    const Surface *surface;
    uint32_t maxBones;
    Arena arena; /* memory of the sets */
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
    Arena arena = sknMakeArena(work->surface->run.allocator);
    BonePacking packing;
    PartChoice choice = {0};
    double middle = (stage.from + stage.to) / 2;
    VkskinResult result = sknPackBones((ProgressStage){stage.surface, stage.from, middle, 0}, &work->sets,
                                       work->maxBones, firstSet, &arena, &packing);
    if (result == VKSKIN_SUCCESS) {
        ProgressStage second = {stage.surface, middle, stage.to, 0};
        result = sknChooseParts(second, &work->sets, &packing, &arena, &choice);
    }
    sknFreeArena(&arena);
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

/* scratch, parts: where the maker and the parts that it makes allocate. False: out of memory. */
static bool beginParts(PartMaker *maker, const SplitWork *work, Arena *scratch, Arena *parts) {
    const VkskinMeshDef *mesh = work->surface->mesh;
    uint32_t most = mesh->vertexCount > mesh->boneCount ? mesh->vertexCount : mesh->boneCount;
    *maker = (PartMaker){
        .surface = work->surface,
        .lists = &work->lists,
        .arena = parts,
        .placeOfVertex = sknArenaArray(scratch, mesh->vertexCount, sizeof *maker->placeOfVertex),
        .placeOfBone = sknArenaArray(scratch, mesh->boneCount, sizeof *maker->placeOfBone),
        .gathered = sknArenaArray(scratch, most, sizeof *maker->gathered),
        .room = sknArenaArray(scratch, most, sizeof *maker->room),
    };
    if (scratch->failed) {
        return false;
    }
    memset(maker->placeOfVertex, 0xff, mesh->vertexCount * sizeof *maker->placeOfVertex);
    memset(maker->placeOfBone, 0xff, mesh->boneCount * sizeof *maker->placeOfBone);
    return true;
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
        VkskinSplitPart *part = &split->parts[split->partCount++];
        if (!makePart(maker, triangles + first, end - first, part)) {
            return false;
        }
        forget(maker, part);
    }
    return true;
}

static VkskinSplit makeSplit(SplitWork *work) {
    Arena scratch = sknMakeArena(work->surface->run.allocator);
    Arena arena = scratch;
    PartMaker maker;
    VkskinSplit split = sknArenaArray(&arena, 1, sizeof *split);
    VkskinSplitPart *parts = sknArenaArray(&arena, work->best.partCount, sizeof *parts);
    bool made = !arena.failed && beginParts(&maker, work, &scratch, &arena);
    if (made) {
        sortTriangles(work);
        split->parts = parts;
        made = makeParts(work, &maker, split);
        split->arena = arena;
    }
    sknFreeArena(&scratch);
    if (!made) {
        sknFreeArena(&arena);
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
    result = sknMakeBoneSets(work->surface, &work->lists, work->maxBones, &work->arena, &work->sets);
    if (result == VKSKIN_SUCCESS) {
        result = choose(work);
    }
    if (result == VKSKIN_SUCCESS) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
        *split = makeSplit(work);
        result = *split != NULL ? VKSKIN_SUCCESS : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    return result;
}

VkskinResult vkskinSplitMesh(const VkskinMeshDef *mesh, uint32_t maxBones, const VkskinPrepareRun *run,
                             VkskinSplit *split) {
    VkskinMeshDef own;
    const Surface made = sknSurface(sknWithStrides(mesh, &own), run), *surface = &made;
    if (split != NULL) {
        *split = NULL;
    }
    VkskinResult result = sknCheckSurface(surface, SURFACE_INFLUENCES | SURFACE_TRIANGLES);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    const Subject subject = {&surface->run.logger, SKN_MESH_LABEL(mesh)};
    const Rule rules[] = {
        {split == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the split is null"},
        {maxBones == 0, VKSKIN_ERROR_INVALID_VALUE, "maxBones is 0"},
    };
    result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    SplitWork work = {.surface = surface, .maxBones = maxBones, .arena = sknMakeArena(surface->run.allocator)};
    result = cut(&work, split);
    if (result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY) {
        sknReport(&surface->run.logger, result, "%s%s: no host memory to split %u triangles",
                  SKN_MESH_LABEL(surface->mesh), surface->mesh->indexCount / 3);
    }
    sknFreePartChoice(surface, &work.best);
    sknFreeArena(&work.arena);
    sknFreeInfluenceLists(surface->run.allocator, &work.lists);
    return result;
}

void vkskinDestroySplit(VkskinSplit split) {
    if (split != NULL) {
        sknFreeArena(&split->arena);
    }
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
    *part = split->parts[index];
    return VKSKIN_SUCCESS;
}
