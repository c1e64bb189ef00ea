#include "simplify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "surface.h"

#define BORDER_WEIGHT 10.0       /* of the plane across an open edge, in squared lengths of the edge */
#define SEAM_WEIGHT   1.0        /* the same of an edge with different wedges */
#define PARTED        (1 / 64.0) /* squared distance that counts for a squared difference of attributes */
#define BEST          3          /* one in so many candidates is collapsed in a pass */
#define BOUNDS        8  /* the first allowed distance is one in so many of the limit; it doubles until the limit */
#define FAN_MAX       48 /* triangles around a place */
#define REMOVED       UINT32_MAX

/* The sum of weighted squared distances to planes, as a function of the point: symmetric matrix, vector, constant. */
typedef struct Quadric {
    double m[6], v[3], c, weight;
} Quadric;

typedef struct Candidate {
    double cost;
    uint32_t from, to; /* places */
} Candidate;

typedef struct Work {
    const SimplifyDef *def;
    uint32_t *indices;
    size_t indexCount;
    Quadric *quadrics;     /* [vertexCount][poseCount], of places */
    uint32_t *starts;      /* [vertexCount + 1], of places: into corners */
    uint32_t *corners;     /* [indexCount]: numbers of indices */
    Candidate *candidates; /* [vertexCount] */
    uint32_t *times;       /* [vertexCount]: triangles that a neighbour of a place shares with it; 0 between calls */
    uint32_t *stamps;      /* [vertexCount] */
    uint32_t stamp;
    uint32_t *heads, *nexts; /* [vertexCount]: places that a place stands for, a list that ends with REMOVED */
    double bound;            /* allowed distance now */
    bool *busy;              /* [vertexCount]: triangles around the place have changed in this pass */
} Work;

static uint32_t placeAt(const Work *work, uint32_t corner) {
    return work->def->places[work->indices[corner]];
}

/* The corner `step` further in the same triangle. */
static uint32_t turned(uint32_t corner, uint32_t step) {
    return corner - corner % 3 + (corner + step) % 3;
}

/* The corner at the place `to` of a corner's triangle; REMOVED: none. */
static uint32_t cornerAt(const Work *work, uint32_t corner, uint32_t to) {
    for (uint32_t step = 1; step < 3; step++) {
        if (placeAt(work, turned(corner, step)) == to) {
            return turned(corner, step);
        }
    }
    return REMOVED;
}

/* ---- Triangles around places ---- */

/* Removes triangles with two corners at one place, or that are marked. */
static void compact(Work *work) {
    size_t count = 0;
    for (uint32_t i = 0; i < work->indexCount; i += 3) {
        if (work->indices[i] != REMOVED && placeAt(work, i) != placeAt(work, i + 1) &&
            placeAt(work, i + 1) != placeAt(work, i + 2) && placeAt(work, i + 2) != placeAt(work, i)) {
            memmove(work->indices + count, work->indices + i, 3 * sizeof(*work->indices));
            count += 3;
        }
    }
    work->indexCount = count;
}

static void listCorners(Work *work) {
    const size_t places = work->def->vertexCount;
    memset(work->starts, 0, (places + 1) * sizeof(*work->starts));
    for (uint32_t i = 0; i < work->indexCount; i++) {
        work->starts[placeAt(work, i) + 1]++;
    }
    for (size_t p = 0; p < places; p++) {
        work->starts[p + 1] += work->starts[p];
    }
    for (uint32_t i = 0; i < work->indexCount; i++) {
        work->corners[work->starts[placeAt(work, i)]++] = i;
    }
    memmove(work->starts + 1, work->starts, places * sizeof(*work->starts));
    work->starts[0] = 0;
}

/* Work at a place grows with the square of its triangles: one with very many stays as it is. */
static bool isFan(const Work *work, uint32_t place) {
    return work->starts[place + 1] - work->starts[place] > FAN_MAX;
}

static size_t countVertices(Work *work) {
    size_t count = 0;
    work->stamp++;
    for (size_t i = 0; i < work->indexCount; i++) {
        count += work->stamps[work->indices[i]] != work->stamp;
        work->stamps[work->indices[i]] = work->stamp;
    }
    return count;
}

/* ---- Distances to planes ---- */

static Quadric *quadricAt(const Work *work, uint32_t place, uint32_t pose) {
    return &work->quadrics[(size_t)place * work->def->poseCount + pose];
}

static void crossOf(const double *a, const double *b, double *cross) {
    for (int i = 0; i < 3; i++) {
        cross[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double dotOf(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void edgeOf(const float *from, const float *to, double *edge) {
    for (int i = 0; i < 3; i++) {
        edge[i] = (double)to[i] - (double)from[i];
    }
}

/* Twice the area as the length. */
static void normalOf(const float *a, const float *b, const float *c, double *normal) {
    double u[3], v[3];
    edgeOf(a, b, u);
    edgeOf(a, c, v);
    crossOf(u, v, normal);
}

static void addPlane(Quadric *quadric, const double *normal, const float *point, double weight) {
    const double length = sqrt(dotOf(normal, normal));
    if (length == 0.0 || weight == 0.0) {
        return;
    }
    const double n[3] = {normal[0] / length, normal[1] / length, normal[2] / length};
    const double d = -(n[0] * (double)point[0] + n[1] * (double)point[1] + n[2] * (double)point[2]);
    for (int i = 0; i < 3; i++) {
        quadric->m[i] += weight * n[i] * n[i];
        quadric->m[3 + i] += weight * n[i] * n[(i + 1) % 3];
        quadric->v[i] += weight * n[i] * d;
    }
    quadric->c += weight * d * d;
    quadric->weight += weight;
}

static void addQuadric(Quadric *sum, const Quadric *added) {
    for (int i = 0; i < 6; i++) {
        sum->m[i] += added->m[i];
    }
    for (int i = 0; i < 3; i++) {
        sum->v[i] += added->v[i];
    }
    sum->c += added->c;
    sum->weight += added->weight;
}

/* The mean squared distance of the point to the planes. */
static double meanSquare(const Quadric *quadric, const float *point) {
    const double p[3] = {(double)point[0], (double)point[1], (double)point[2]};
    double sum = quadric->c;
    for (int i = 0; i < 3; i++) {
        sum += p[i] * (quadric->m[i] * p[i] + 2.0 * quadric->m[3 + i] * p[(i + 1) % 3] + 2.0 * quadric->v[i]);
    }
    return quadric->weight > 0.0 ? fabs(sum) / quadric->weight : 0.0;
}

/* The weight of the plane across the edge from this corner to the next; 0: the surface goes on with the same vertices. */
static double edgeWeight(const Work *work, uint32_t corner) {
    const uint32_t next = turned(corner, 1), from = placeAt(work, corner);
    double weight = isFan(work, from) ? 0.0 : BORDER_WEIGHT;
    for (uint32_t i = work->starts[from]; i < work->starts[from + 1] && weight > 0.0; i++) {
        const uint32_t other = work->corners[i], end = cornerAt(work, other, placeAt(work, next));
        if (other != corner && end != REMOVED) {
            const bool same =
                work->indices[other] == work->indices[corner] && work->indices[end] == work->indices[next];
            weight = same ? 0.0 : SEAM_WEIGHT;
        }
    }
    return weight;
}

/* weights: of its edges */
static void addTriangle(Work *work, uint32_t first, uint32_t pose, const double weights[3]) {
    const float *points[3];
    Quadric *quadrics[3];
    double normal[3], edge[3], across[3];
    for (uint32_t i = 0; i < 3; i++) {
        points[i] = work->def->posed + 3 * (pose * work->def->vertexCount + placeAt(work, first + i));
        quadrics[i] = quadricAt(work, placeAt(work, first + i), pose);
    }
    normalOf(points[0], points[1], points[2], normal);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t next = (i + 1) % 3;
        edgeOf(points[i], points[next], edge);
        crossOf(edge, normal, across);
        addPlane(quadrics[i], normal, points[i], sqrt(dotOf(normal, normal)));
        addPlane(quadrics[i], across, points[i], weights[i] * dotOf(edge, edge));
        addPlane(quadrics[next], across, points[i], weights[i] * dotOf(edge, edge));
    }
}

static void addTriangles(Work *work) {
    for (uint32_t first = 0; first < work->indexCount; first += 3) {
        const double weights[] = {edgeWeight(work, first), edgeWeight(work, first + 1), edgeWeight(work, first + 2)};
        for (uint32_t pose = 0; pose < work->def->poseCount; pose++) {
            addTriangle(work, first, pose, weights);
        }
    }
}

/* The largest mean square of the poses, if `to` stands for the surface around `from`. */
static double farthest(const Work *work, uint32_t from, uint32_t to, double enough) {
    double largest = 0.0;
    for (uint32_t pose = 0; pose < work->def->poseCount && largest < enough; pose++) {
        const float *point = work->def->coarse + 3 * (pose * work->def->vertexCount + to);
        const double square = meanSquare(quadricAt(work, from, pose), point);
        largest = square <= largest ? largest : square; /* NaN is the largest */
    }
    return largest;
}

/* The largest squared distance of a place to where it is with fewer influences. */
static double ownDistance(const SimplifyDef *def, uint32_t place) {
    double largest = 0.0, way[3];
    for (uint32_t pose = 0; pose < def->poseCount; pose++) {
        const size_t at = 3 * (pose * def->vertexCount + place);
        edgeOf(def->posed + at, def->coarse + at, way);
        largest = fmax(largest, dotOf(way, way));
    }
    return largest;
}

static bool isUnfit(const Work *work, uint32_t place) {
    return ownDistance(work->def, place) > work->bound * work->bound;
}

/* ---- Collapses ---- */

/* The squared difference of attributes. */
static double difference(const Work *work, uint32_t a, uint32_t b) {
    const float *left = work->def->attributes + (size_t)a * SIMPLIFY_ATTRIBUTES,
                *right = work->def->attributes + (size_t)b * SIMPLIFY_ATTRIBUTES;
    double sum = 0.0;
    for (int i = 0; i < SIMPLIFY_ATTRIBUTES; i++) {
        sum += ((double)left[i] - (double)right[i]) * ((double)left[i] - (double)right[i]);
    }
    return sum;
}

/* What the wedge of a corner becomes at the place `to`; REMOVED: its mesh has none there. *cost: receives the cost. */
static uint32_t wedgeAt(const Work *work, uint32_t corner, uint32_t to, double *cost) {
    const uint32_t wedge = work->indices[corner], from = placeAt(work, corner);
    uint32_t found = REMOVED;
    for (uint32_t i = work->starts[from]; i < work->starts[from + 1]; i++) {
        const uint32_t end = cornerAt(work, work->corners[i], to);
        if (work->indices[work->corners[i]] == wedge && end != REMOVED) {
            *cost = 0.0;
            return work->indices[end];
        }
    }
    for (uint32_t i = work->starts[to]; i < work->starts[to + 1]; i++) {
        const uint32_t other = work->indices[work->corners[i]];
        const double parted = PARTED * difference(work, wedge, other);
        if (work->def->meshes[other] == work->def->meshes[wedge] && (found == REMOVED || parted < *cost)) {
            found = other;
            *cost = parted;
        }
    }
    return found;
}

static bool flips(const Work *work, uint32_t corner, uint32_t to) {
    const float *next = work->def->positions + 3 * (size_t)placeAt(work, turned(corner, 1)),
                *last = work->def->positions + 3 * (size_t)placeAt(work, turned(corner, 2));
    double before[3], after[3];
    normalOf(work->def->positions + 3 * (size_t)placeAt(work, corner), next, last, before);
    normalOf(work->def->positions + 3 * (size_t)to, next, last, after);
    return dotOf(before, after) < 0.0;
}

/* Whether the places have no other common neighbours than those of the triangles at the edge: else the surface would touch
 * itself. times: of `from` */
static bool isOpenAround(Work *work, uint32_t from, uint32_t to) {
    uint32_t common = 0;
    work->stamp++;
    for (uint32_t i = work->starts[to]; i < work->starts[to + 1]; i++) {
        for (uint32_t step = 1; step < 3; step++) {
            const uint32_t place = placeAt(work, turned(work->corners[i], step));
            common += place != from && work->times[place] > 0 && work->stamps[place] != work->stamp;
            work->stamps[place] = work->stamp;
        }
    }
    return common == work->times[to];
}

/* Infinite: it is not allowed. */
static double costOf(Work *work, uint32_t from, uint32_t to, double best) {
    double cost = farthest(work, from, to, best);
    if (!(cost < best && cost <= work->bound * work->bound) || isUnfit(work, to) || isFan(work, to) ||
        !isOpenAround(work, from, to)) {
        return INFINITY;
    }
    for (uint32_t i = work->starts[from]; i < work->starts[from + 1]; i++) {
        const uint32_t corner = work->corners[i];
        double parted = 0.0;
        if (cornerAt(work, corner, to) == REMOVED) {
            if (flips(work, corner, to) || wedgeAt(work, corner, to, &parted) == REMOVED) {
                return INFINITY;
            }
            cost += parted;
        }
    }
    return cost <= work->bound * work->bound ? cost : INFINITY;
}

/* Counts the triangles of each neighbour. Returns whether the surface around the place is a disc, or half of one: *border. */
static bool countTimes(const Work *work, uint32_t place, bool *border) {
    uint32_t once = 0, many = 0;
    for (uint32_t i = work->starts[place]; i < work->starts[place + 1]; i++) {
        for (uint32_t step = 1; step < 3; step++) {
            const uint32_t times = ++work->times[placeAt(work, turned(work->corners[i], step))];
            once += times == 1;
            once -= times == 2;
            many += times == 3;
        }
    }
    *border = once > 0;
    return many == 0 && (once == 0 || once == 2);
}

static void clearTimes(const Work *work, uint32_t place) {
    for (uint32_t i = work->starts[place]; i < work->starts[place + 1]; i++) {
        work->times[placeAt(work, turned(work->corners[i], 1))] = 0;
        work->times[placeAt(work, turned(work->corners[i], 2))] = 0;
    }
}

/* The cheapest edge to collapse. Its cost is infinite if there is none. A vertex that is itself far from the surface, because
 * it has fewer influences, is a gain. */
static Candidate candidateOf(Work *work, uint32_t place) {
    Candidate best = {INFINITY, place, place};
    bool border;
    if (countTimes(work, place, &border)) {
        for (uint32_t i = 2 * work->starts[place]; i < 2 * work->starts[place + 1]; i++) {
            const uint32_t to = placeAt(work, turned(work->corners[i / 2], 1 + i % 2));
            if ((!border || work->times[to] == 1) && to != best.to) {
                const double cost = costOf(work, place, to, best.cost);
                best = cost < best.cost ? (Candidate){cost, place, to} : best;
            }
        }
    }
    clearTimes(work, place);
    if (best.cost < INFINITY) {
        best.cost -= isUnfit(work, place) ? work->bound * work->bound : ownDistance(work->def, place);
    }
    return best;
}

/* The place in the first poses, for surface.h. */
static void spotOf(const SimplifyDef *def, const float *posed, uint32_t place, float *spot) {
    memset(spot, 0, SURFACE_AXES * sizeof(*spot));
    for (uint32_t pose = 0; pose < SURFACE_POSES && pose < def->poseCount; pose++) {
        memcpy(spot + 3 * (size_t)pose, posed + 3 * (pose * def->vertexCount + place), 3 * sizeof(*spot));
    }
}

/* Where a fine place is bound: to a point of a triangle. */
typedef struct Bound {
    float distance, weights[3];
    uint32_t corners[3]; /* places */
} Bound;

/* Binds the place to the nearest triangle around `around`, if corners at chosen->from move to chosen->to. */
static void bindAround(const Work *work, uint32_t place, uint32_t around, const Candidate *chosen, Bound *bound) {
    float point[SURFACE_AXES], spots[3][SURFACE_AXES];
    const float *const corners[] = {spots[0], spots[1], spots[2]};
    spotOf(work->def, work->def->posed, place, point);
    for (uint32_t i = work->starts[around]; i < work->starts[around + 1]; i++) {
        Bound tried;
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t corner = placeAt(work, turned(work->corners[i], c));
            tried.corners[c] = corner == chosen->from ? chosen->to : corner;
            spotOf(work->def, work->def->coarse, tried.corners[c], spots[c]);
        }
        tried.distance = surfaceNearestOfTriangle(corners, point, tried.weights);
        *bound = tried.distance < bound->distance ? tried : *bound;
    }
}

/* The largest squared distance in all poses. */
static double distanceOf(const SimplifyDef *def, uint32_t place, const Bound *bound) {
    double largest = 0.0;
    for (uint32_t pose = 0; pose < def->poseCount; pose++) {
        const size_t row = pose * def->vertexCount;
        double squares = 0.0;
        for (size_t axis = 0; axis < 3; axis++) {
            double way = (double)def->posed[3 * (row + place) + axis];
            for (int c = 0; c < 3; c++) {
                way -= (double)bound->weights[c] * (double)def->coarse[3 * (row + bound->corners[c]) + axis];
            }
            squares += way * way;
        }
        largest = fmax(largest, squares);
    }
    return largest;
}

/* Whether a place that `from` stands for would be too far from the surface: planes do not notice the tip of a horn. */
static bool strays(const Work *work, const Candidate *chosen) {
    bool far = false;
    for (uint32_t place = work->heads[chosen->from]; place != REMOVED && !far; place = work->nexts[place]) {
        Bound bound = {.distance = INFINITY};
        bindAround(work, place, chosen->from, chosen, &bound);
        bindAround(work, place, chosen->to, chosen, &bound);
        far = !(distanceOf(work->def, place, &bound) <= work->bound * work->bound);
    }
    return far;
}

static void appendPlaces(Work *work, uint32_t from, uint32_t to) {
    uint32_t last = work->heads[from];
    while (work->nexts[last] != REMOVED) {
        last = work->nexts[last];
    }
    work->nexts[last] = work->heads[to];
    work->heads[to] = work->heads[from];
}

static int compareCandidates(const void *a, const void *b) {
    const Candidate *left = a, *right = b;
    const int order = (left->cost > right->cost) - (left->cost < right->cost);
    return order != 0 ? order : (left->from > right->from) - (left->from < right->from);
}

/* Returns how many wedges the place had. */
static uint32_t collapse(Work *work, const Candidate *chosen) {
    const uint32_t first = work->starts[chosen->from], end = work->starts[chosen->from + 1];
    uint32_t wedges = 0;
    work->stamp++;
    for (uint32_t i = first; i < end; i++) { /* before any corner changes: corners look at each other */
        const uint32_t corner = work->corners[i], wedge = work->indices[corner];
        double cost;
        wedges += work->stamps[wedge] != work->stamp;
        work->stamps[wedge] = work->stamp;
        work->busy[placeAt(work, turned(corner, 1))] = work->busy[placeAt(work, turned(corner, 2))] = true;
        work->times[i - first] =
            cornerAt(work, corner, chosen->to) == REMOVED ? wedgeAt(work, corner, chosen->to, &cost) : REMOVED;
    }
    for (uint32_t i = first; i < end; i++) {
        const uint32_t corner = work->corners[i], wedge = work->times[i - first];
        work->indices[wedge == REMOVED ? corner - corner % 3 : corner] = wedge;
        work->times[i - first] = 0;
    }
    for (uint32_t pose = 0; pose < work->def->poseCount; pose++) {
        addQuadric(quadricAt(work, chosen->to, pose), quadricAt(work, chosen->from, pose));
    }
    appendPlaces(work, chosen->from, chosen->to);
    return wedges;
}

/* Collapses the cheapest edges, as far as they do not touch each other. Returns how many. */
static size_t pass(Work *work) {
    size_t count = 0, tried = 0, collapsed = 0, vertices = countVertices(work);
    listCorners(work);
    memset(work->busy, 0, work->def->vertexCount * sizeof(*work->busy));
    for (uint32_t p = 0; p < work->def->vertexCount; p++) {
        const bool used = work->starts[p] < work->starts[p + 1] && !isFan(work, p);
        if (used && (work->def->kept[p] == 0 || isUnfit(work, p))) {
            work->candidates[count] = candidateOf(work, p);
            count += work->candidates[count].cost < INFINITY;
        }
    }
    qsort(work->candidates, count, sizeof(*work->candidates), compareCandidates);
    for (size_t i = 0; i < count && tried <= count / BEST && vertices > work->def->wanted; i++) {
        const Candidate *chosen = &work->candidates[i];
        const bool busy = work->busy[chosen->from] || work->busy[chosen->to];
        if (!busy && !strays(work, chosen)) {
            vertices -= collapse(work, chosen);
            collapsed++;
        }
        tried += busy || work->busy[chosen->to];
    }
    compact(work);
    return collapsed;
}

static void freeWork(Work *work) {
    free(work->quadrics);
    free(work->starts);
    free(work->corners);
    free(work->candidates);
    free(work->times);
    free(work->stamps);
    free(work->busy);
    free(work->heads);
    free(work->nexts);
}

bool simplifyTriangles(const SimplifyDef *def, uint32_t *indices, size_t *indexCount, EngineError *error) {
    const size_t count = def->vertexCount;
    Work work = {.def = def,
                 .indices = indices,
                 .indexCount = *indexCount,
                 .quadrics = engineAllocate(count * def->poseCount, sizeof(*work.quadrics), error),
                 .starts = engineAllocate(count + 1, sizeof(*work.starts), error),
                 .corners = engineAllocate(*indexCount, sizeof(*work.corners), error),
                 .candidates = engineAllocate(count, sizeof(*work.candidates), error),
                 .times = engineAllocate(count + *indexCount, sizeof(*work.times), error),
                 .stamps = engineAllocate(count, sizeof(*work.stamps), error),
                 .busy = engineAllocate(count, sizeof(*work.busy), error),
                 .heads = engineAllocate(count, sizeof(*work.heads), error),
                 .nexts = engineAllocate(count, sizeof(*work.nexts), error)};
    const bool good = work.quadrics && work.starts && work.corners && work.candidates && work.times && work.stamps &&
                      work.busy && work.heads && work.nexts;
    if (good) {
        compact(&work);
        listCorners(&work);
        addTriangles(&work);
        for (uint32_t p = 0; p < count; p++) {
            work.heads[p] = p;
            work.nexts[p] = REMOVED;
        }
        for (int share = BOUNDS; share > 0; share /= 2) {
            work.bound = def->limit / share;
            for (int i = 0; i < SIMPLIFY_PASSES && pass(&work) > 0; i++) {
            }
        }
        *indexCount = work.indexCount;
    }
    freeWork(&work);
    return good;
}
