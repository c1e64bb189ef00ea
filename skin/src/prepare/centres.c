#include "centres.h"

#include "host.h"
#include "influences.h"
#include "pair_table.h"
#include "run_tasks.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Stored centres ---- */

#define CENTRE_BYTES (3 * sizeof(float))
#define VERSION      1u /* increment it if the method or the layout changes */

typedef struct CentresHead {
    char magic[8];
    uint32_t version;
    uint32_t vertexCount;
    uint64_t positions;  /* hash of the positions */
    uint64_t influences; /* hash of joints and weights */
} CentresHead;

static_assert(sizeof(CentresHead) == 32, "the size that vkskin_mesh.h states");

size_t vkskinCentresSize(uint32_t vertexCount) {
    return sizeof(CentresHead) + CENTRE_BYTES * vertexCount;
}

/* FNV-1a over words. */
static uint64_t mix(uint64_t hash, uint32_t word) {
    return (hash ^ word) * 0x100000001b3u;
}

static uint64_t mixFloat(uint64_t hash, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return mix(hash, word);
}

static CentresHead headOf(const Surface *surface) {
    CentresHead head = {.magic = "VKSKCOR", .version = VERSION, .vertexCount = surface->mesh->vertexCount};
    head.positions = head.influences = 0xcbf29ce484222325u;
    for (uint32_t vertex = 0; vertex < surface->mesh->vertexCount; vertex++) {
        Influence influences[MAX_INFLUENCES];
        const float *position = sknSurfacePosition(surface, vertex);
        for (int i = 0; i < 3; i++) {
            head.positions = mixFloat(head.positions, position[i]);
        }
        sknSurfaceInfluences(surface, vertex, influences);
        head.influences = mix(head.influences, vertex); /* detects influences moved to the next vertex */
        for (uint32_t i = 0; i < surface->mesh->influencesPerVertex; i++) {
            if (influences[i].weight > 0.0f) {
                head.influences = mixFloat(mix(head.influences, influences[i].joint), influences[i].weight);
            }
        }
    }
    return head;
}

static VkskinResult mismatch(const Surface *surface, const char *why) {
    return sknReport(&surface->run.logger, VKSKIN_ERROR_CENTRES_MISMATCH, "%s%s: the centres of rotation %s",
                     SKN_MESH_LABEL(surface->mesh), why);
}

static VkskinResult matchHead(const Surface *surface, const CentresHead *found) {
    CentresHead expected = headOf(surface);
    if (memcmp(found->magic, expected.magic, sizeof found->magic) != 0) {
        return mismatch(surface, "are not what vkskinComputeCentres writes");
    }
    if (found->version != expected.version) {
        return mismatch(surface, "are of another version of the library, or of a machine of another byte order");
    }
    if (found->vertexCount != expected.vertexCount) {
        return mismatch(surface, "are of another number of vertices");
    }
    if (found->positions != expected.positions) {
        return mismatch(surface, "were computed for other positions");
    }
    if (found->influences != expected.influences) {
        return mismatch(surface, "were computed for other joints or weights");
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknMatchCentres(const Surface *surface, const void *centres, size_t size) {
    CentresHead found;
    if (size != vkskinCentresSize(surface->mesh->vertexCount)) {
        return mismatch(surface, "have another size than vkskinCentresSize returns");
    }
    memcpy(&found, centres, sizeof found);
    VkskinResult result = matchHead(surface, &found);
    for (uint32_t vertex = 0; result == VKSKIN_SUCCESS && vertex < surface->mesh->vertexCount; vertex++) {
        float centre[3];
        sknReadCentre(centres, vertex, centre);
        if (!isfinite(centre[0]) || !isfinite(centre[1]) || !isfinite(centre[2])) {
            result = mismatch(surface, "are not all finite");
        }
    }
    return result;
}

void sknReadCentre(const void *centres, uint32_t vertex, float *centre) {
    memcpy(centre, (const unsigned char *)centres + sizeof(CentresHead) + CENTRE_BYTES * vertex, CENTRE_BYTES);
}

/* Writes the head and centres[vertexCount][3]: vkskinCentresSize(vertexCount) bytes, any alignment. */
static void storeCentres(const Surface *surface, const float *centres, void *bytes) {
    CentresHead head = headOf(surface);
    memcpy(bytes, &head, sizeof head);
    memcpy((unsigned char *)bytes + sizeof head, centres, CENTRE_BYTES * surface->mesh->vertexCount);
}

/* ---- The triangles of each pair of bones ---- */

/* A triangle, and the weights of a pair's two bones in it: means over the corners. */
typedef struct PairTriangle {
    uint32_t triangle;
    float low, high;
} PairTriangle;

typedef struct PairTriangles {
    PairTable pairs;         /* pairs of bones that share a vertex */
    size_t *first;           /* [pairs.count + 1]: start of each pair's triangles, and the total */
    PairTriangle *triangles; /* ascending within a pair */
} PairTriangles;

static void freePairTriangles(const Surface *surface, PairTriangles *made) {
    sknHostFree(surface->run.allocator, made->triangles);
    sknHostFree(surface->run.allocator, made->first);
    sknFreePairTable(surface->run.allocator, &made->pairs);
    *made = (PairTriangles){0};
}

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

static VkskinResult addPairs(const InfluenceLists *lists, ProgressStage stage, PairTable *pairs) {
    uint32_t vertexCount = stage.surface->mesh->vertexCount;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t vertex = 0; result == VKSKIN_SUCCESS && vertex < vertexCount; vertex++) {
        uint32_t count;
        const Influence *list = sknInfluenceList(lists, vertex, &count);
        if (!addPairsOf(stage.surface, list, count, pairs)) {
            return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        }
        result = sknProgressStep(&stage, 1 + count * count / 2, vertex + 1, vertexCount);
    }
    return result;
}

/*
 * First pass (`triangles` null): counts a triangle for each of its pairs. Second pass: stores it and advances first[]
 * to the pair's end.
 */
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

static VkskinResult visitTriangles(const InfluenceLists *lists, ProgressStage stage, PairTriangles *made) {
    uint32_t triangleCount = stage.surface->mesh->indexCount / 3;
    Influence mean[3 * MAX_INFLUENCES];
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t triangle = 0; result == VKSKIN_SUCCESS && triangle < triangleCount; triangle++) {
        uint32_t count = sknTriangleInfluences(stage.surface, lists, triangle, mean);
        visitTriangle(made, mean, count, triangle);
        result = sknProgressStep(&stage, 1 + count * count / 2, triangle + 1, triangleCount);
    }
    return result;
}

/* Prefix sum: turns the counts in first[] into starts. Returns the total. */
static size_t sumUp(PairTriangles *made) {
    size_t begin = 0;
    for (uint32_t pair = 0; pair <= made->pairs.count; pair++) {
        size_t count = made->first[pair];
        made->first[pair] = begin;
        begin += count;
    }
    return begin;
}

/* Not cleared: clearing gigabytes would take seconds. */
static PairTriangle *allocateTriangles(const VkskinHostAllocator *allocator, size_t count) {
    return count <= SIZE_MAX / sizeof(PairTriangle) ? sknHostAllocate(allocator, count * sizeof(PairTriangle)) : NULL;
}

/* Counts the triangles of each pair, then stores them. All pairs must be known. */
static VkskinResult fileTriangles(const InfluenceLists *lists, ProgressStage stage, PairTriangles *made) {
    const VkskinHostAllocator *allocator = stage.surface->run.allocator;
    double middle = (stage.from + stage.to) / 2;
    made->first = sknHostAllocateArray(allocator, (size_t)made->pairs.count + 1, sizeof *made->first);
    if (made->first == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    VkskinResult result = visitTriangles(lists, (ProgressStage){stage.surface, stage.from, middle, 0}, made);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    made->triangles = allocateTriangles(allocator, sumUp(made));
    if (made->triangles == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    result = visitTriangles(lists, (ProgressStage){stage.surface, middle, stage.to, 0}, made);
    for (uint32_t pair = made->pairs.count; pair > 0; pair--) { /* turns ends back into starts */
        made->first[pair] = made->first[pair - 1];
    }
    made->first[0] = 0;
    return result;
}

/*
 * `lists` must have no duplicate bones in a vertex. to: progress at the end. Errors: CANCELLED, logged;
 * OUT_OF_HOST_MEMORY, not logged. Nothing is allocated then.
 */
static VkskinResult makePairTriangles(const Surface *surface, const InfluenceLists *lists, double to,
                                      PairTriangles *made) {
    double third = to / 3;
    *made = (PairTriangles){0};
    VkskinResult result = addPairs(lists, (ProgressStage){surface, 0.0, third, 0}, &made->pairs);
    if (result == VKSKIN_SUCCESS) {
        result = fileTriangles(lists, (ProgressStage){surface, third, to, 0}, made);
    }
    if (result != VKSKIN_SUCCESS) {
        freePairTriangles(surface, made);
    }
    return result;
}

/* ---- Computing centres ---- */

#define SIGMA  0.1 /* tolerance for similar weights, as in the paper */
#define SET_UP 0.1 /* progress when the triangles of all pairs are stored */
/*
 * Vertices are computed in loops; the progress callback is called after each. LOOP_TERMS terms take some tenths of a
 * second on one thread. A loop has at most LOOP_TASKS tasks and, with threads, at least LEAST_LOOP_VERTICES vertices.
 */
#define LOOP_TERMS          10000000u
#define LOOP_TASKS          64u
#define LEAST_LOOP_VERTICES 8u

/* A triangle for the sums. `area` is twice the area: a common factor cancels out. */
typedef struct Facet {
    double centre[3];
    double area;
} Facet;

typedef struct CentreWork {
    const Surface *surface;
    InfluenceLists lists;
    PairTriangles triangles;
    Facet *facets;  /* [indexCount / 3] */
    float *centres; /* [vertexCount] of float3 */
    /* The current loop. */
    uint32_t firstVertex, endVertex;
    uint32_t taskVertices;
} CentreWork;

typedef struct CentreSum {
    double weighted[3];
    double weight;
} CentreSum;

static Facet facetOf(const Surface *surface, uint32_t triangle) {
    const uint32_t *corners = surface->mesh->indices + 3 * (size_t)triangle;
    const float *a = sknSurfacePosition(surface, corners[0]);
    const float *b = sknSurfacePosition(surface, corners[1]);
    const float *c = sknSurfacePosition(surface, corners[2]);
    Facet facet;
    double ab[3], ac[3];
    for (int i = 0; i < 3; i++) {
        facet.centre[i] = ((double)a[i] + b[i] + c[i]) / 3.0;
        ab[i] = (double)b[i] - a[i];
        ac[i] = (double)c[i] - a[i];
    }
    double cross[3] = {ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]};
    facet.area = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    return facet;
}

/* Adds the similarity terms of one pair of bones. Both orders are equal; the common factor 2 cancels out. */
static void addPair(const CentreWork *work, Influence low, Influence high, CentreSum *sum) {
    uint32_t pair = sknFindPair(&work->triangles.pairs, low.joint, high.joint);
    for (size_t i = work->triangles.first[pair]; i < work->triangles.first[pair + 1]; i++) {
        const PairTriangle *triangle = &work->triangles.triangles[i];
        const Facet *facet = &work->facets[triangle->triangle];
        double unlike = ((double)low.weight * triangle->high - (double)high.weight * triangle->low) / SIGMA;
        double weight = (double)low.weight * high.weight * triangle->low * triangle->high * exp(-unlike * unlike);
        weight *= facet->area;
        for (int axis = 0; axis < 3; axis++) {
            sum->weighted[axis] += weight * facet->centre[axis];
        }
        sum->weight += weight;
    }
}

static void computeCentre(const CentreWork *work, uint32_t vertex) {
    uint32_t count;
    const Influence *list = sknInfluenceList(&work->lists, vertex, &count);
    CentreSum sum = {0};
    for (uint32_t high = 1; high < count; high++) {
        for (uint32_t low = 0; low < high; low++) {
            addPair(work, list[low], list[high], &sum);
        }
    }
    const float *position = sknSurfacePosition(work->surface, vertex);
    float *centre = work->centres + 3 * (size_t)vertex;
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = sum.weight >= DBL_MIN ? (float)(sum.weighted[axis] / sum.weight) : position[axis];
    }
}

static void computeSome(void *data, uint32_t task) {
    const CentreWork *work = data;
    uint32_t begin = work->firstVertex + task * work->taskVertices;
    for (uint32_t i = 0; i < work->taskVertices && begin + i < work->endVertex; i++) {
        computeCentre(work, begin + i);
    }
}

/* Number of terms in the sums of a vertex. */
static uint64_t countTerms(const CentreWork *work, uint32_t vertex) {
    uint32_t count;
    const Influence *list = sknInfluenceList(&work->lists, vertex, &count);
    uint64_t terms = 1;
    for (uint32_t high = 1; high < count; high++) {
        for (uint32_t low = 0; low < high; low++) {
            uint32_t pair = sknFindPair(&work->triangles.pairs, list[low].joint, list[high].joint);
            terms += 1 + work->triangles.first[pair + 1] - work->triangles.first[pair];
        }
    }
    return terms;
}

/* Chooses the vertices of the next loop. */
static void setLoop(CentreWork *work) {
    uint32_t least = work->surface->run.parallel != NULL ? LEAST_LOOP_VERTICES : 1;
    uint64_t terms = 0;
    work->firstVertex = work->endVertex;
    do {
        terms += countTerms(work, work->endVertex++);
    } while (work->endVertex < work->surface->mesh->vertexCount &&
             (terms < LOOP_TERMS || work->endVertex - work->firstVertex < least));
    work->taskVertices = (work->endVertex - work->firstVertex - 1) / LOOP_TASKS + 1;
}

static VkskinResult computeAll(CentreWork *work) {
    uint32_t count = work->surface->mesh->vertexCount;
    VkskinResult result = sknReportProgress(work->surface, SET_UP);
    while (result == VKSKIN_SUCCESS && work->endVertex < count) {
        setLoop(work);
        uint32_t tasks = (work->endVertex - work->firstVertex - 1) / work->taskVertices + 1;
        sknRunTasks(work->surface->run.parallel, work->surface->run.parallelUser, tasks, computeSome, work);
        result = sknReportProgress(work->surface, SET_UP + (1.0 - SET_UP) * work->endVertex / count);
    }
    return result;
}

static void freeWork(CentreWork *work) {
    const VkskinHostAllocator *allocator = work->surface->run.allocator;
    sknHostFree(allocator, work->centres);
    sknHostFree(allocator, work->facets);
    freePairTriangles(work->surface, &work->triangles);
    sknFreeInfluenceLists(work->surface->run.allocator, &work->lists);
}

/* Errors are logged, except OUT_OF_HOST_MEMORY. */
static VkskinResult makeWork(CentreWork *work) {
    const Surface *surface = work->surface;
    uint32_t triangleCount = surface->mesh->indexCount / 3;
    if (!sknMakeInfluenceLists(surface, (KeepRule){0}, &work->lists)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    sknJoinDoubles(surface, &work->lists);
    work->facets = sknHostAllocateArray(surface->run.allocator, triangleCount, sizeof *work->facets);
    work->centres = sknHostAllocateArray(surface->run.allocator, surface->mesh->vertexCount, 3 * sizeof *work->centres);
    if (work->facets == NULL || work->centres == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t triangle = 0; triangle < triangleCount; triangle++) {
        work->facets[triangle] = facetOf(surface, triangle);
    }
    return makePairTriangles(surface, &work->lists, SET_UP, &work->triangles);
}

static VkskinResult checkPlace(const Surface *surface, const void *centres, size_t size) {
    if (centres == NULL) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_NULL_ARGUMENT, "%s%s: the place for the centres is null",
                         SKN_MESH_LABEL(surface->mesh));
    }
    size_t needed = vkskinCentresSize(surface->mesh->vertexCount);
    if (size < needed) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s%s: the place for the centres has %zu bytes, %u vertices take %zu",
                         SKN_MESH_LABEL(surface->mesh), size, surface->mesh->vertexCount, needed);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinComputeCentres(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, void *centres, size_t size) {
    VkskinMeshDef own;
    const Surface made = sknSurface(sknWithStrides(mesh, &own), run), *surface = &made;
    VkskinResult result = sknCheckSurface(surface, SURFACE_POSITIONS | SURFACE_INFLUENCES | SURFACE_TRIANGLES);
    if (result == VKSKIN_SUCCESS) {
        result = checkPlace(surface, centres, size);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    CentreWork work = {.surface = surface};
    result = sknReportProgress(surface, 0.0);
    if (result == VKSKIN_SUCCESS) {
        result = makeWork(&work);
    }
    if (result == VKSKIN_SUCCESS) {
        result = computeAll(&work);
    }
    if (result == VKSKIN_SUCCESS) {
        storeCentres(surface, work.centres, centres);
    } else if (result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY) {
        sknReport(&surface->run.logger, result, "%s%s: no host memory to compute the centres of %u vertices",
                  SKN_MESH_LABEL(surface->mesh), surface->mesh->vertexCount);
    }
    freeWork(&work);
    return result;
}
