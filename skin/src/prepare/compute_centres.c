#include "centres.h"
#include "diagnostics.h"
#include "host_loop.h"
#include "host_memory.h"
#include "pair_triangles.h"
#include "run_tasks.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SIGMA  0.1 /* how far weights may differ and still be alike, by the authors' choice */
#define SET_UP 0.1 /* the share of progress that has passed once triangles are filed by their bones */
/*
 * A loop over vertices, after which the host is asked whether to go on, takes some tenths of a second on one thread:
 * so many terms of the sums. It has so many tasks at most and, for threads, so many vertices at least.
 */
#define LOOP_TERMS          10000000u
#define LOOP_TASKS          64u
#define LEAST_LOOP_VERTICES 8u

/* A triangle as the sums take it. The area is twice its own: a common factor does not show. */
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
    /* Of the loop that runs. */
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

/* The part of the likeness that one pair of bones makes, both of its orders at once: a common factor of 2. */
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

/* How many terms the sums of a vertex have. */
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

/* The next loop begins where the last one ended. */
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
    VkskinResult result = sknTellProgress(work->surface, SET_UP);
    while (result == VKSKIN_SUCCESS && work->endVertex < count) {
        setLoop(work);
        uint32_t tasks = (work->endVertex - work->firstVertex - 1) / work->taskVertices + 1;
        sknRunTasks(work->surface->run.parallel, work->surface->run.parallelUser, tasks, computeSome, work);
        result = sknTellProgress(work->surface, SET_UP + (1.0 - SET_UP) * work->endVertex / count);
    }
    return result;
}

static void freeWork(CentreWork *work) {
    const VkskinHostAllocator *allocator = work->surface->run.allocator;
    sknHostFree(allocator, work->centres);
    sknHostFree(allocator, work->facets);
    sknFreePairTriangles(work->surface, &work->triangles);
    sknFreeInfluenceLists(work->surface, &work->lists);
}

/* What is not told is a lack of memory. */
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
    return sknMakePairTriangles(surface, &work->lists, SET_UP, &work->triangles);
}

static VkskinResult checkPlace(const Surface *surface, const void *centres, size_t size) {
    if (centres == NULL) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: the place for the centres is null",
                         sknMeshName(surface->mesh));
    }
    size_t needed = vkskinCentresSize(surface->mesh->vertexCount);
    if (size < needed) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "mesh %s: the place for the centres has %zu bytes, %u vertices take %zu",
                         sknMeshName(surface->mesh), size, surface->mesh->vertexCount, needed);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinComputeCentres(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, void *centres, size_t size) {
    const Surface made = sknSurface(mesh, run), *surface = &made;
    VkskinResult result = sknCheckSurface(surface, SURFACE_POSITIONS | SURFACE_INFLUENCES | SURFACE_TRIANGLES);
    if (result == VKSKIN_SUCCESS) {
        result = checkPlace(surface, centres, size);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    CentreWork work = {.surface = surface};
    result = sknTellProgress(surface, 0.0);
    if (result == VKSKIN_SUCCESS) {
        result = makeWork(&work);
    }
    if (result == VKSKIN_SUCCESS) {
        result = computeAll(&work);
    }
    if (result == VKSKIN_SUCCESS) {
        sknStoreCentres(surface, work.centres, centres);
    } else if (result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY) {
        sknReport(&surface->run.logger, result, "mesh %s: no host memory to compute the centres of %u vertices",
                  sknMeshName(surface->mesh), surface->mesh->vertexCount);
    }
    freeWork(&work);
    return result;
}
