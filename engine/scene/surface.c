#include "surface.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAF_TRIANGLES 4u
#define STACK_SIZE     64u

#define AXES  SURFACE_AXES
#define LANES 4 /* partial sums: those of a vector */

typedef struct Box {
    float min[AXES], max[AXES];
} Box;

/* A complete tree of boxes. The triangles of each node are halved along its longest axis. */
struct Surface {
    const float *positions, *normals;
    const uint32_t *indices;
    uint32_t *order; /* [triangleCount] */
    uint32_t triangleCount;
    uint32_t leafCount; /* always a power of two */
    Box *boxes; /* [2 * leafCount]: the root is 1, the children of n are 2n and 2n + 1; without triangles empty */
};

/* ---- Creation ---- */

/* The middle of a triangle on an axis. */
typedef struct Middle {
    float place;
    uint32_t triangle;
} Middle;

static int compareMiddles(const void *a, const void *b) {
    const Middle *left = a, *right = b;
    return left->place != right->place ? (left->place > right->place) - (left->place < right->place)
                                       : (left->triangle > right->triangle) - (left->triangle < right->triangle);
}

/* The first triangle of a leaf, in the order. */
static uint32_t startOf(const Surface *surface, uint32_t leaf) {
    return (uint32_t)((uint64_t)leaf * surface->triangleCount / surface->leafCount);
}

static const float *cornerOf(const Surface *surface, uint32_t triangle, uint32_t corner) {
    return &surface->positions[(size_t)AXES * surface->indices[3 * (size_t)triangle + corner]];
}

static Box emptyBox(void) {
    Box box;
    for (int axis = 0; axis < AXES; axis++) {
        box.min[axis] = INFINITY;
        box.max[axis] = -INFINITY;
    }
    return box;
}

static void addBox(Box *box, const float min[AXES], const float max[AXES]) {
    for (int axis = 0; axis < AXES; axis++) {
        box->min[axis] = min[axis] < box->min[axis] ? min[axis] : box->min[axis]; /* leaves NaN out */
        box->max[axis] = max[axis] > box->max[axis] ? max[axis] : box->max[axis];
    }
}

static Box boxOf(const Surface *surface, uint32_t triangle) {
    Box box = emptyBox();
    for (uint32_t corner = 0; corner < 3; corner++) {
        const float *point = cornerOf(surface, triangle, corner);
        addBox(&box, point, point);
    }
    return box;
}

static Box boxOfOrder(const Surface *surface, uint32_t first, uint32_t end) {
    Box all = emptyBox();
    for (uint32_t i = first; i < end; i++) {
        const Box box = boxOf(surface, surface->order[i]);
        addBox(&all, box.min, box.max);
    }
    return all;
}

/* Sorts the triangles of a node along its longest axis. Its leaves: `leaves` from `leaf` on. */
static void sortNode(Surface *surface, uint32_t leaf, uint32_t leaves, Middle *middles) {
    const uint32_t first = startOf(surface, leaf), count = startOf(surface, leaf + leaves) - first;
    const Box all = boxOfOrder(surface, first, first + count);
    int longest = 0;
    for (int axis = 1; axis < AXES; axis++) {
        longest = all.max[axis] - all.min[axis] > all.max[longest] - all.min[longest] ? axis : longest;
    }
    for (uint32_t i = 0; i < count; i++) {
        const Box box = boxOf(surface, surface->order[first + i]);
        const float place = box.min[longest] + box.max[longest];
        middles[i] = (Middle){isfinite(place) ? place : 0.0f, surface->order[first + i]};
    }
    qsort(middles, count, sizeof(*middles), compareMiddles);
    for (uint32_t i = 0; i < count; i++) {
        surface->order[first + i] = middles[i].triangle;
    }
}

static bool orderTriangles(Surface *surface, EngineError *error) {
    Middle *middles = engineAllocate(surface->triangleCount, sizeof(*middles), error);
    for (uint32_t i = 0; i < surface->triangleCount; i++) {
        surface->order[i] = i;
    }
    for (uint32_t leaves = surface->leafCount; leaves > 1 && middles; leaves /= 2) {
        for (uint32_t leaf = 0; leaf < surface->leafCount; leaf += leaves) {
            sortNode(surface, leaf, leaves, middles);
        }
    }
    free(middles);
    return middles != NULL;
}

static void makeBoxes(Surface *surface) {
    for (uint32_t leaf = 0; leaf < surface->leafCount; leaf++) {
        surface->boxes[surface->leafCount + leaf] =
            boxOfOrder(surface, startOf(surface, leaf), startOf(surface, leaf + 1));
    }
    for (uint32_t i = surface->leafCount - 1; i > 0; i--) {
        surface->boxes[i] = emptyBox();
        for (uint32_t child = 2 * i; child <= 2 * i + 1; child++) {
            addBox(&surface->boxes[i], surface->boxes[child].min, surface->boxes[child].max);
        }
    }
}

Surface *surfaceCreate(const float *positions, const float *normals, const uint32_t *indices, uint32_t triangleCount,
                       EngineError *error) {
    Surface *surface = engineAllocate(1, sizeof(*surface), error);
    if (!surface) {
        return NULL;
    }
    *surface = (Surface){.positions = positions,
                         .normals = normals,
                         .indices = indices,
                         .triangleCount = triangleCount,
                         .leafCount = 1,
                         .order = engineAllocate(triangleCount, sizeof(*surface->order), error)};
    while ((uint64_t)surface->leafCount * LEAF_TRIANGLES < triangleCount) {
        surface->leafCount *= 2;
    }
    surface->boxes = engineAllocate(2 * (size_t)surface->leafCount, sizeof(*surface->boxes), error);
    if (!surface->order || !surface->boxes || !orderTriangles(surface, error)) {
        surfaceDestroy(surface);
        return NULL;
    }
    makeBoxes(surface);
    return surface;
}

void surfaceDestroy(Surface *surface) {
    if (surface) {
        free(surface->order);
        free(surface->boxes);
        free(surface);
    }
}

/* ---- The nearest point of a triangle ---- */

static float dot(const float a[AXES], const float b[AXES]) {
    float sums[LANES] = {0.0f};
    for (int axis = 0; axis < AXES; axis++) {
        sums[axis % LANES] += a[axis] * b[axis];
    }
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

static void subtract(const float a[AXES], const float b[AXES], float out[AXES]) {
    for (int axis = 0; axis < AXES; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

/* Squared distance to the point that the weights name. */
static float distanceTo(const float *const corners[3], const float weights[3], const float point[AXES]) {
    float to[AXES];
    for (int axis = 0; axis < AXES; axis++) {
        to[axis] =
            weights[0] * corners[0][axis] + weights[1] * corners[1][axis] + weights[2] * corners[2][axis] - point[axis];
    }
    return dot(to, to);
}

/* Products of a triangle's edges from its first corner, a and b, and of the way from there to a point. */
typedef struct Products {
    float aa, ab, bb, wa, wb, ww;
} Products;

/* Weights of the nearest point of the edges. */
static void nearestOfEdges(const Products *p, float weights[3]) {
    const float lengths[] = {p->aa, p->aa - 2.0f * p->ab + p->bb, p->bb};
    const float along[] = {p->wa, p->wb - p->wa - p->ab + p->aa, p->bb - p->wb};
    const float ways[] = {p->ww, p->ww - 2.0f * p->wa + p->aa, p->ww - 2.0f * p->wb + p->bb};
    float best = FLT_MAX;
    for (int from = 0; from < 3; from++) {
        const float part = along[from] > 0.0f ? fminf(along[from] / lengths[from], 1.0f) : 0.0f;
        const float share = lengths[from] > 0.0f ? part : 0.0f;
        const float distance = ways[from] + share * (share * lengths[from] - 2.0f * along[from]);
        if (distance < best || from == 0) {
            best = distance;
            weights[from] = 1.0f - share;
            weights[(from + 1) % 3] = share;
            weights[(from + 2) % 3] = 0.0f;
        }
    }
}

float surfaceNearestOfTriangle(const float *const corners[3], const float point[AXES], float weights[3]) {
    float a[AXES], b[AXES], way[AXES];
    subtract(corners[1], corners[0], a);
    subtract(corners[2], corners[0], b);
    subtract(point, corners[0], way);
    const Products p = {dot(a, a), dot(a, b), dot(b, b), dot(way, a), dot(way, b), dot(way, way)};
    const float area = p.aa * p.bb - p.ab * p.ab;
    weights[1] = (p.bb * p.wa - p.ab * p.wb) / area;
    weights[2] = (p.aa * p.wb - p.ab * p.wa) / area;
    weights[0] = 1.0f - weights[1] - weights[2];
    if (!(area > 0.0f && weights[0] >= 0.0f && weights[1] >= 0.0f && weights[2] >= 0.0f)) {
        nearestOfEdges(&p, weights); /* the foot of the perpendicular is outside, or the triangle has no area */
    }
    return distanceTo(corners, weights, point);
}

/* ---- Searching ---- */

typedef struct Search {
    const Surface *surface;
    const float *point, *normal;
    SurfacePoint best;
    uint32_t triangle; /* the best one */
    float distance;    /* squared; of the best, four times if it is turned away */
} Search;

static void tryTriangle(Search *search, uint32_t triangle) {
    const Surface *surface = search->surface;
    const uint32_t *corners = &surface->indices[3 * (size_t)triangle];
    const float *const places[3] = {cornerOf(surface, triangle, 0), cornerOf(surface, triangle, 1),
                                    cornerOf(surface, triangle, 2)};
    float weights[3], facing = 0.0f;
    float distance = surfaceNearestOfTriangle(places, search->point, weights);
    for (int i = 0; i < 3; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            facing += surface->normals[3 * (size_t)corners[i] + axis] * search->normal[axis];
        }
    }
    distance *= facing < 0.0f ? 4.0f : 1.0f;
    if (distance < search->distance) {
        search->distance = distance;
        search->triangle = triangle;
        memcpy(search->best.corners, corners, sizeof(search->best.corners));
        memcpy(search->best.weights, weights, sizeof(weights));
    }
}

/* Squared distance to a box; infinite to an empty one. */
static float distanceToBox(const Box *box, const float point[AXES]) {
    float ways[AXES];
    for (int axis = 0; axis < AXES; axis++) {
        const float below = box->min[axis] - point[axis], above = point[axis] - box->max[axis];
        const float outside = below > above ? below : above;
        ways[axis] = outside > 0.0f ? outside : 0.0f;
    }
    return dot(ways, ways);
}

static void tryLeaf(Search *search, uint32_t leaf) {
    const Surface *surface = search->surface;
    for (uint32_t i = startOf(surface, leaf); i < startOf(surface, leaf + 1); i++) {
        tryTriangle(search, surface->order[i]);
    }
}

SurfacePoint surfaceNearest(const Surface *surface, const float point[AXES], const float normal[3], uint32_t *near) {
    Search search = {.surface = surface, .point = point, .normal = normal, .triangle = *near, .distance = INFINITY};
    uint32_t stack[STACK_SIZE], depth = 0;
    memcpy(search.best.corners, &surface->indices[3 * (size_t)surface->order[0]], sizeof(search.best.corners));
    search.best.weights[0] = 1.0f;
    tryTriangle(&search, *near);
    stack[depth++] = 1;
    for (uint32_t visits = 0; depth > 0 && visits < SURFACE_VISITS_MAX; visits++) {
        const uint32_t node = stack[--depth];
        if (!(distanceToBox(&surface->boxes[node], point) < search.distance)) {
            continue;
        }
        if (node >= surface->leafCount) {
            tryLeaf(&search, node - surface->leafCount);
            continue;
        }
        const uint32_t child = 2 * node;
        const bool secondIsNearer =
            distanceToBox(&surface->boxes[child + 1], point) < distanceToBox(&surface->boxes[child], point);
        stack[depth++] = secondIsNearer ? child : child + 1; /* the nearer one is next */
        stack[depth++] = secondIsNearer ? child + 1 : child;
    }
    *near = search.triangle;
    return search.best;
}
