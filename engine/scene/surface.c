#include "surface.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAF_TRIANGLES 4u
#define STACK_SIZE     64u

#define AXES SURFACE_AXES
#define BITS 3u /* bits of an axis in the place on the curve */

typedef struct Box {
    float min[AXES], max[AXES];
} Box;

/* The triangles in an order along a curve through space, and boxes around 4, 8, 16 ... of them: a complete tree. */
struct Surface {
    const float *positions, *normals;
    const uint32_t *indices;
    uint32_t *order; /* [triangleCount] */
    uint32_t triangleCount;
    uint32_t leafCount; /* a power of two */
    Box *boxes; /* [2 * leafCount]: the root is 1, the children of n are 2n and 2n + 1; without triangles empty */
};

/* ---- Creation ---- */

typedef struct Place {
    uint32_t code, triangle;
} Place;

static int comparePlaces(const void *a, const void *b) {
    const Place *left = a, *right = b;
    return left->code != right->code ? (left->code > right->code) - (left->code < right->code)
                                     : (left->triangle > right->triangle) - (left->triangle < right->triangle);
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
        box->min[axis] = fminf(box->min[axis], min[axis]);
        box->max[axis] = fmaxf(box->max[axis], max[axis]);
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

/* The place of the middle of a triangle's box on a curve through the box of all. */
static uint32_t codeOf(const Box *all, const Box *box) {
    uint32_t code = 0;
    for (uint32_t axis = 0; axis < AXES; axis++) {
        const float extent = all->max[axis] - all->min[axis];
        const float middle = 0.5f * (box->min[axis] + box->max[axis]) - all->min[axis];
        const float share = extent > 0.0f ? fminf(fmaxf(middle / extent, 0.0f), 1.0f) : 0.0f; /* 0 for a NaN */
        const uint32_t step = (uint32_t)(share * ((1u << BITS) - 1));
        for (uint32_t bit = 0; bit < BITS; bit++) {
            code |= (step >> bit & 1u) << (AXES * bit + axis);
        }
    }
    return code;
}

static bool orderTriangles(Surface *surface, EngineError *error) {
    Place *places = engineAllocate(surface->triangleCount, sizeof(*places), error);
    Box all = emptyBox();
    for (uint32_t i = 0; i < surface->triangleCount && places; i++) {
        const Box box = boxOf(surface, i);
        addBox(&all, box.min, box.max);
    }
    for (uint32_t i = 0; i < surface->triangleCount && places; i++) {
        const Box box = boxOf(surface, i);
        places[i] = (Place){codeOf(&all, &box), i};
    }
    if (places) {
        qsort(places, surface->triangleCount, sizeof(*places), comparePlaces);
    }
    for (uint32_t i = 0; i < surface->triangleCount && places; i++) {
        surface->order[i] = places[i].triangle;
    }
    const bool good = places != NULL;
    free(places);
    return good;
}

static void makeBoxes(Surface *surface) {
    for (uint32_t i = 0; i < 2 * surface->leafCount; i++) {
        surface->boxes[i] = emptyBox();
    }
    for (uint32_t i = 0; i < surface->triangleCount; i++) {
        const Box box = boxOf(surface, surface->order[i]);
        addBox(&surface->boxes[surface->leafCount + i / LEAF_TRIANGLES], box.min, box.max);
    }
    for (uint32_t i = surface->leafCount - 1; i > 0; i--) {
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
    float sum = 0.0f;
    for (int axis = 0; axis < AXES; axis++) {
        sum += a[axis] * b[axis];
    }
    return sum;
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

/* Weights of the nearest point of the edge from corner `from` to the next one. */
static void nearestOfEdge(const float *const corners[3], int from, const float point[AXES], float weights[3]) {
    const int to = (from + 1) % 3;
    float edge[AXES], way[AXES];
    subtract(corners[to], corners[from], edge);
    subtract(point, corners[from], way);
    const float length = dot(edge, edge);
    const float share = length > 0.0f ? fminf(fmaxf(dot(way, edge) / length, 0.0f), 1.0f) : 0.0f;
    weights[0] = weights[1] = weights[2] = 0.0f;
    weights[from] = 1.0f - share;
    weights[to] = share;
}

/* Weights of the foot of the perpendicular. False: it is outside of the triangle, or the triangle has no area. */
static bool footInside(const float *const corners[3], const float point[AXES], float weights[3]) {
    float a[AXES], b[AXES], way[AXES];
    subtract(corners[1], corners[0], a);
    subtract(corners[2], corners[0], b);
    subtract(point, corners[0], way);
    const float aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), wa = dot(way, a), wb = dot(way, b);
    const float area = aa * bb - ab * ab;
    weights[1] = (bb * wa - ab * wb) / area;
    weights[2] = (aa * wb - ab * wa) / area;
    weights[0] = 1.0f - weights[1] - weights[2];
    return area > 0.0f && weights[0] >= 0.0f && weights[1] >= 0.0f && weights[2] >= 0.0f;
}

float surfaceNearestOfTriangle(const float *const corners[3], const float point[AXES], float weights[3]) {
    if (footInside(corners, point, weights)) {
        return distanceTo(corners, weights, point);
    }
    float best = FLT_MAX;
    for (int edge = 0; edge < 3; edge++) {
        float tried[3];
        nearestOfEdge(corners, edge, point, tried);
        const float distance = distanceTo(corners, tried, point);
        if (distance < best || edge == 0) {
            best = distance;
            memcpy(weights, tried, sizeof(tried));
        }
    }
    return best;
}

/* ---- Searching ---- */

typedef struct Search {
    const Surface *surface;
    const float *point, *normal;
    SurfacePoint best;
    float distance; /* squared; of the best, four times if it is turned away */
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
        memcpy(search->best.corners, corners, sizeof(search->best.corners));
        memcpy(search->best.weights, weights, sizeof(weights));
    }
}

/* Squared distance to a box; infinite to an empty one. */
static float distanceToBox(const Box *box, const float point[AXES]) {
    float sum = 0.0f;
    for (int axis = 0; axis < AXES; axis++) {
        const float away = fmaxf(fmaxf(box->min[axis] - point[axis], point[axis] - box->max[axis]), 0.0f);
        sum += away * away;
    }
    return sum;
}

static void tryLeaf(Search *search, uint32_t leaf) {
    const Surface *surface = search->surface;
    for (uint32_t i = leaf * LEAF_TRIANGLES; i < (leaf + 1) * LEAF_TRIANGLES && i < surface->triangleCount; i++) {
        tryTriangle(search, surface->order[i]);
    }
}

SurfacePoint surfaceNearest(const Surface *surface, const float point[AXES], const float normal[3]) {
    Search search = {.surface = surface, .point = point, .normal = normal, .distance = INFINITY};
    uint32_t stack[STACK_SIZE], depth = 0;
    memcpy(search.best.corners, &surface->indices[3 * (size_t)surface->order[0]], sizeof(search.best.corners));
    search.best.weights[0] = 1.0f;
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
    return search.best;
}
