/*
 * spine_clip.c: a polygon is cut into trapezoids between the heights of its corners and crossings (Preparata and Shamos,
 * Computational Geometry, 1985: plane sweep). Each triangle is clipped by each of them, one half-plane after the other
 * (Sutherland and Hodgman, Reentrant Polygon Clipping, 1974).
 */
#include "spine_clip.h"

#include <stdlib.h>
#include <string.h>

#define CORNERS_MAX 4096u
#define PIECES_MAX  65536u
#define SLIVER      1e-14 /* relative to the area of the whole triangle: smaller pieces are rounding */

/* ---- Which polygon clips ---- */

void spineClipBegin(const SpinePose *pose, uint32_t slot, SpineClipping *clipping) {
    const int32_t index = pose->slots[slot].attachment;
    const SpineAttachment *attachment = index >= 0 ? &pose->spine->attachments[index] : NULL;
    if (attachment && attachment->kind == SPINE_CLIPPING && attachment->vertexCount >= 3 && clipping->slot < 0) {
        *clipping = (SpineClipping){(int32_t)slot, attachment->clipEnd};
    }
}

void spineClipEnd(uint32_t slot, SpineClipping *clipping) {
    if (clipping->slot >= 0 && clipping->end == (int32_t)slot) {
        *clipping = SPINE_UNCLIPPED;
    }
}

/* ---- Work ---- */

/* Takes rows x columns steps from those that are left. */
static bool spend(uint64_t *left, uint64_t rows, const char *rowsOf, uint64_t columns, const char *columnsOf,
                  EngineError *error) {
    if (rows * columns > *left) {
        return engineFail(error,
                          "clipping takes too long: %llu %s times %llu %s; all slots together may take %u such steps",
                          (unsigned long long)rows, rowsOf, (unsigned long long)columns, columnsOf, SPINE_CLIP_STEPS);
    }
    *left -= rows * columns;
    return true;
}

/* ---- Trapezoids ---- */

typedef struct Edge {
    double low[2], high[2]; /* low[1] < high[1] */
} Edge;

/* An edge where it passes the middle of a slab. */
typedef struct Passing {
    double x;
    uint32_t edge;
} Passing;

/* The piece on the right side of an edge. */
typedef struct Span {
    uint32_t right, piece; /* right: the edge on its other side */
    uint32_t slab;         /* the last one that it is in */
} Span;

typedef struct Sweep {
    Edge *edges;
    uint32_t edgeCount;
    double *heights; /* [heightCount], at most 2 x PIECES_MAX */
    uint32_t heightCount;
    Passing *active; /* [edgeCount]: edges that pass the slab */
    Span *spans;     /* [edgeCount]: by left edge */
    uint32_t slab;   /* from 2, so that no span is in the one below the first */
} Sweep;

static double edgeX(const Edge *edge, double y) {
    if (y <= edge->low[1] || y >= edge->high[1]) {
        return y <= edge->low[1] ? edge->low[0] : edge->high[0];
    }
    return edge->low[0] + (edge->high[0] - edge->low[0]) * ((y - edge->low[1]) / (edge->high[1] - edge->low[1]));
}

static double cross(const double *a, const double *b, const double *p) {
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static bool addHeight(Sweep *sweep, double y, EngineError *error) {
    if (sweep->heightCount == 2 * PIECES_MAX) {
        return engineFail(error, "a clipping polygon crosses itself too often");
    }
    sweep->heights[sweep->heightCount++] = y;
    return true;
}

/* Where two edges cross, in the inside of both. */
static bool addCrossings(Sweep *sweep, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < sweep->edgeCount; i++) {
        for (uint32_t k = 0; k < i && good; k++) {
            const Edge *a = &sweep->edges[i], *b = &sweep->edges[k];
            const double low = cross(a->low, a->high, b->low), high = cross(a->low, a->high, b->high);
            const double other = cross(b->low, b->high, a->low), end = cross(b->low, b->high, a->high);
            if (low * high < 0.0 && other * end < 0.0) {
                good = addHeight(sweep, b->low[1] + (b->high[1] - b->low[1]) * (low / (low - high)), error);
            }
        }
    }
    return good;
}

static bool createSweep(const double *polygon, uint32_t count, Sweep *sweep, EngineError *error) {
    *sweep = (Sweep){.edges = engineAllocate(count, sizeof *sweep->edges, error),
                     .heights = engineAllocate((size_t)2 * PIECES_MAX, sizeof *sweep->heights, error),
                     .active = engineAllocate(count, sizeof *sweep->active, error),
                     .spans = engineAllocate(count, sizeof *sweep->spans, error),
                     .slab = 1};
    if (!sweep->edges || !sweep->heights || !sweep->active || !sweep->spans) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *a = polygon + 2 * (size_t)i, *b = polygon + 2 * (size_t)((i + 1) % count);
        sweep->heights[sweep->heightCount++] = a[1];
        if (a[1] != b[1]) {
            Edge *edge = &sweep->edges[sweep->edgeCount++];
            memcpy(edge->low, a[1] < b[1] ? a : b, sizeof edge->low);
            memcpy(edge->high, a[1] < b[1] ? b : a, sizeof edge->high);
        }
    }
    return addCrossings(sweep, error);
}

static void freeSweep(Sweep *sweep) {
    free(sweep->edges);
    free(sweep->heights);
    free(sweep->active);
    free(sweep->spans);
}

static int compareHeights(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int comparePassings(const void *a, const void *b) {
    const Passing *x = a, *y = b;
    return x->x != y->x ? (x->x > y->x) - (x->x < y->x) : (x->edge > y->edge) - (x->edge < y->edge);
}

/* Edges between the heights, from left to right. */
static uint32_t findActive(Sweep *sweep, double low, double high) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sweep->edgeCount; i++) {
        const Edge *edge = &sweep->edges[i];
        if (edge->low[1] <= low && edge->high[1] >= high) {
            sweep->active[count++] = (Passing){edgeX(edge, 0.5 * (low + high)), i};
        }
    }
    qsort(sweep->active, count, sizeof *sweep->active, comparePassings);
    return count;
}

/* The piece below between the same edges, or a new one. UINT32_MAX: there are too many. */
static uint32_t pieceFor(Sweep *sweep, uint32_t left, uint32_t right, double low, SpineRegion *region) {
    Span *span = &sweep->spans[left];
    if (span->right != right || span->slab + 1 != sweep->slab) {
        if (region->pieceCount == PIECES_MAX) {
            return UINT32_MAX;
        }
        double *corners = region->corners + 8 * (size_t)region->pieceCount;
        corners[0] = edgeX(&sweep->edges[left], low);
        corners[2] =
            fmax(corners[0], edgeX(&sweep->edges[right], low)); /* where they meet, rounding may exchange them */
        corners[1] = corners[3] = low;
        *span = (Span){.right = right, .piece = region->pieceCount++};
    }
    span->slab = sweep->slab;
    return span->piece;
}

/* Between the first edge and the second, the third and the fourth, and so on, it is inside. */
static bool addSlab(Sweep *sweep, double low, double high, SpineRegion *region, EngineError *error) {
    const uint32_t count = findActive(sweep, low, high);
    sweep->slab++;
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        const uint32_t left = sweep->active[i].edge, right = sweep->active[i + 1].edge;
        const uint32_t piece = pieceFor(sweep, left, right, low, region);
        if (piece == UINT32_MAX) {
            return engineFail(error, "a clipping polygon crosses itself too often");
        }
        double *corners = region->corners + 8 * (size_t)piece;
        corners[6] = edgeX(&sweep->edges[left], high);
        corners[4] = fmax(corners[6], edgeX(&sweep->edges[right], high));
        corners[5] = corners[7] = high;
    }
    return true;
}

/* ---- The region ---- */

/* Turns to one side only, and once round. */
static bool isConvex(const double *polygon, uint32_t count, double *turn) {
    uint32_t changes = 0;
    double last = 0.0;
    *turn = 0.0;
    for (uint32_t i = 0; i <= count; i++) {
        const double *a = polygon + 2 * (size_t)(i % count), *b = polygon + 2 * (size_t)((i + 1) % count);
        const double side = cross(a, b, polygon + 2 * (size_t)((i + 2) % count)), along = b[0] - a[0];
        if (side * *turn < 0.0) {
            return false;
        }
        *turn = side != 0.0 ? side : *turn;
        changes += along * last < 0.0;
        last = along != 0.0 ? along : last;
    }
    return *turn != 0.0 && changes <= 2;
}

/* The polygon itself is the piece. */
static void takeConvex(const double *polygon, uint32_t count, double turn, SpineRegion *region) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = turn > 0.0 ? i : count - 1 - i;
        memcpy(region->corners + 2 * (size_t)i, polygon + 2 * (size_t)from, 2 * sizeof *polygon);
    }
    region->pieceCount = 1;
    region->first[1] = region->cornerMax = count;
}

static bool takeTrapezoids(const double *polygon, uint32_t count, uint64_t *left, SpineRegion *region,
                           EngineError *error) {
    Sweep sweep;
    bool good = createSweep(polygon, count, &sweep, error) &&
                spend(left, sweep.edgeCount, "edges of a polygon", sweep.heightCount,
                      "heights of corners and crossings", error);
    if (good) {
        qsort(sweep.heights, sweep.heightCount, sizeof *sweep.heights, compareHeights);
    }
    for (uint32_t i = 0; i + 1 < sweep.heightCount && good; i++) {
        if (sweep.heights[i] < sweep.heights[i + 1]) {
            good = addSlab(&sweep, sweep.heights[i], sweep.heights[i + 1], region, error);
        }
    }
    for (uint32_t i = 0; i <= region->pieceCount; i++) {
        region->first[i] = 4 * i;
    }
    region->cornerMax = 4;
    freeSweep(&sweep);
    return good;
}

bool spineRegionCreate(const double *polygon, uint32_t count, uint64_t *left, SpineRegion *region, EngineError *error) {
    double turn;
    *region = (SpineRegion){0};
    if (count > CORNERS_MAX) {
        return engineFail(error, "a clipping polygon has %u corners; at most %u can be cut", count, CORNERS_MAX);
    }
    region->first = engineAllocate((size_t)PIECES_MAX + 1, sizeof *region->first, error);
    region->corners = region->first ? engineAllocate((size_t)PIECES_MAX * 4, 2 * sizeof *region->corners, error) : NULL;
    if (!region->corners) {
        return false;
    }
    if (isConvex(polygon, count, &turn)) {
        takeConvex(polygon, count, turn, region);
        return true;
    }
    return takeTrapezoids(polygon, count, left, region, error);
}

void spineRegionFree(SpineRegion *region) {
    free(region->first);
    free(region->corners);
    *region = (SpineRegion){0};
}

/* ---- Triangles ---- */

/* A corner of what is left of a triangle. */
typedef struct Corner {
    double place[2], shares[3];
} Corner;

typedef struct Cutting {
    const double *positions;
    Corner *corners, *next; /* [room] */
    uint32_t room;
    uint32_t *wholes; /* [vertices of the mesh]: that vertex of the cut; UINT32_MAX: none yet */
    uint32_t vertexRoom, indexRoom;
    SpineCut *cut;
} Cutting;

static bool grow(void **array, uint32_t *room, uint32_t needed, size_t size, EngineError *error) {
    if (needed <= *room) {
        return true;
    }
    if (needed > INT32_MAX / 2) {
        return engineFail(error, "a slot is cut into too many triangles");
    }
    void *larger = realloc(*array, (size_t)needed * 2 * size);
    if (!larger) {
        return engineFail(error, "out of memory");
    }
    *array = larger;
    *room = needed * 2;
    return true;
}

/* On the way from a to b, from its lower end, so that neighbours get the same point. */
static Corner between(const Corner *a, const Corner *b, double da, double db) {
    if (a->place[0] > b->place[0] || (a->place[0] == b->place[0] && a->place[1] > b->place[1])) {
        return between(b, a, db, da);
    }
    const double t = da / (da - db);
    Corner corner;
    for (int i = 0; i < 3; i++) {
        corner.shares[i] = a->shares[i] + (b->shares[i] - a->shares[i]) * t;
    }
    for (int i = 0; i < 2; i++) {
        corner.place[i] = a->place[i] + (b->place[i] - a->place[i]) * t;
    }
    return corner;
}

/* Keeps what is left of the line from one point to another one. Returns how many corners it has. */
static uint32_t clipByLine(Cutting *cutting, uint32_t count, const double *from, const double *to) {
    uint32_t kept = 0;
    if (from[0] == to[0] && from[1] == to[1]) {
        return count;
    }
    for (uint32_t i = 0; i < count && kept < cutting->room; i++) {
        const Corner *a = &cutting->corners[i], *b = &cutting->corners[(i + 1) % count];
        const double da = cross(from, to, a->place), db = cross(from, to, b->place);
        if (da >= 0.0) {
            cutting->next[kept++] = *a;
        }
        if (((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) && kept + 1 < cutting->room) {
            cutting->next[kept++] = between(a, b, da, db);
        }
    }
    Corner *swap = cutting->corners;
    cutting->corners = cutting->next;
    cutting->next = swap;
    return kept;
}

/* A whole vertex of the mesh is one vertex of the cut. */
static bool addVertex(Cutting *cutting, const uint32_t *triangle, const Corner *corner, uint32_t *index,
                      EngineError *error) {
    SpineCut *cut = cutting->cut;
    uint32_t *whole = NULL;
    for (int i = 0; i < 3; i++) {
        whole = corner->shares[i] == 1.0 ? &cutting->wholes[triangle[i]] : whole;
    }
    if (whole && *whole != UINT32_MAX) {
        *index = *whole;
        return true;
    }
    void *vertices = cut->vertices;
    const bool good = grow(&vertices, &cutting->vertexRoom, cut->vertexCount + 1, sizeof *cut->vertices, error);
    cut->vertices = vertices;
    if (good) {
        SpineCutVertex *vertex = &cut->vertices[cut->vertexCount];
        memcpy(vertex->corners, triangle, sizeof vertex->corners);
        memcpy(vertex->shares, corner->shares, sizeof vertex->shares);
        *index = cut->vertexCount++;
        if (whole) {
            *whole = *index;
        }
    }
    return good;
}

/* As a fan. */
static bool addPolygon(Cutting *cutting, const uint32_t *triangle, uint32_t count, EngineError *error) {
    SpineCut *cut = cutting->cut;
    uint32_t first = 0, last = 0, next = 0;
    void *indices = cut->indices;
    bool good = grow(&indices, &cutting->indexRoom, cut->indexCount + 3 * count, sizeof *cut->indices, error);
    cut->indices = indices;
    for (uint32_t i = 0; i < count && good; i++) {
        good = addVertex(cutting, triangle, &cutting->corners[i], &next, error);
        if (good && i >= 2) {
            const uint32_t corners[3] = {first, last, next};
            memcpy(cut->indices + cut->indexCount, corners, sizeof corners);
            cut->indexCount += 3;
        }
        first = i == 0 ? next : first;
        last = next;
    }
    return good;
}

static double areaOf(const Corner *corners, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 2; i < count; i++) {
        sum += cross(corners[0].place, corners[i - 1].place, corners[i].place);
    }
    return fabs(sum);
}

static bool cutTriangle(Cutting *cutting, const SpineRegion *region, uint32_t piece, const uint32_t *triangle,
                        EngineError *error) {
    uint32_t count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        Corner *corner = &cutting->corners[i];
        *corner = (Corner){.shares = {i == 0, i == 1, i == 2}};
        memcpy(corner->place, cutting->positions + 2 * (size_t)triangle[i], sizeof corner->place);
    }
    const double whole = areaOf(cutting->corners, 3);
    const uint32_t first = region->first[piece], corners = region->first[piece + 1] - first;
    for (uint32_t i = 0; i < corners && count > 0; i++) {
        count = clipByLine(cutting, count, region->corners + 2 * (size_t)(first + i),
                           region->corners + 2 * (size_t)(first + (i + 1) % corners));
    }
    return count < 3 || areaOf(cutting->corners, count) <= SLIVER * whole ||
           addPolygon(cutting, triangle, count, error);
}

/* As the mesh is. */
static bool takeWhole(uint32_t vertexCount, const uint32_t *indices, uint32_t indexCount, SpineCut *cut,
                      EngineError *error) {
    cut->vertices = engineAllocate(vertexCount, sizeof *cut->vertices, error);
    cut->indices = cut->vertices ? engineAllocate(indexCount, sizeof *cut->indices, error) : NULL;
    if (!cut->indices) {
        return false;
    }
    for (uint32_t i = 0; i < vertexCount; i++) {
        cut->vertices[i] = (SpineCutVertex){{i, i, i}, {1.0, 0.0, 0.0}};
    }
    memcpy(cut->indices, indices, indexCount * sizeof *indices);
    cut->vertexCount = vertexCount;
    cut->indexCount = indexCount;
    return true;
}

bool spineCutMake(const SpineRegion *region, const double *positions, uint32_t vertexCount, const uint32_t *indices,
                  uint32_t indexCount, uint64_t *left, SpineCut *cut, EngineError *error) {
    *cut = (SpineCut){0};
    if (!region) {
        return takeWhole(vertexCount, indices, indexCount, cut, error);
    }
    if (!spend(left, indexCount / 3, "triangles", region->first[region->pieceCount], "edges of pieces", error)) {
        return false;
    }
    /* Each half-plane adds one corner, and rounding perhaps another one. */
    const uint32_t room = 2 * (3 + region->cornerMax);
    Cutting cutting = {.positions = positions,
                       .corners = engineAllocate(room, sizeof(Corner), error),
                       .next = engineAllocate(room, sizeof(Corner), error),
                       .room = room,
                       .wholes = engineAllocate(vertexCount, sizeof(uint32_t), error),
                       .cut = cut};
    bool good = cutting.corners && cutting.next && cutting.wholes;
    for (uint32_t i = 0; i < vertexCount && good; i++) {
        cutting.wholes[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < indexCount && good; i += 3) {
        for (uint32_t piece = 0; piece < region->pieceCount && good; piece++) {
            good = cutTriangle(&cutting, region, piece, indices + i, error);
        }
    }
    free(cutting.corners);
    free(cutting.next);
    free(cutting.wholes);
    return good;
}

void spineCutFree(SpineCut *cut) {
    free(cut->vertices);
    free(cut->indices);
    *cut = (SpineCut){0};
}
