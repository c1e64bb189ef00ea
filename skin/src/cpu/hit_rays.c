#include "cpu_level.h"
#include "hit.h"
#include "run_tasks.h"

#include <float.h>
#include <math.h>

#define RAYS_PER_TASK 256u

typedef struct Tracer {
    VkskinHitMesh mesh;
    const float *pose;
    const VkskinRay *rays;
    VkskinHit *hits;
    uint32_t count;
    HitBoxesFn boxes;
    HitTrianglesFn triangles;
} Tracer;

/* The nearest triangle so far. */
typedef struct Nearest {
    uint32_t triangle, lane; /* the lane counts from the first cluster */
    float distance;
    double weights[3];
} Nearest;

/* ---- One ray ---- */

/* Larger than the sum of what rounding moves: 6 units of the last place of a corner in the test of a triangle, 6 in that of
 * a box. A unit is 2^-24 of the largest distance between the origin and a corner. */
#define MARGIN 0x1p-19f

static HitRay aimRay(const VkskinRay *ray, const float *bounds) {
    HitRay aimed = {.axes = {1, 2, 0}};
    float largest = 0.0f;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const float direction = ray->direction[axis] + 0.0f; /* not -0 */
        largest = fmaxf(largest, fabsf(bounds[axis] - ray->origin[axis]));
        largest = fmaxf(largest, fabsf(bounds[3 + axis] - ray->origin[axis]));
        aimed.origin[axis] = ray->origin[axis];
        aimed.inverse[axis] = 1.0f / direction;
        aimed.backwards[axis] = direction < 0.0f;
        if (fabsf(direction) > fabsf(ray->direction[aimed.axes[2]])) {
            aimed.axes[0] = (axis + 1) % 3;
            aimed.axes[1] = (axis + 2) % 3;
            aimed.axes[2] = axis;
        }
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        aimed.margin[axis] = largest * (aimed.backwards[axis] ? -MARGIN : MARGIN);
    }
    aimed.depth = (double)ray->direction[aimed.axes[2]];
    aimed.shear[0] = ray->direction[aimed.axes[0]] / ray->direction[aimed.axes[2]];
    aimed.shear[1] = ray->direction[aimed.axes[1]] / ray->direction[aimed.axes[2]];
    return aimed;
}

/* Products of floats are exact in double precision, so is the sign of their difference. False: the line of the ray misses
 * the triangle, or the triangle is seen from the edge. */
static bool crossTriangle(const HitRay *ray, const float *corners, double weights[3], double *distance) {
    float x[3], y[3], z[3];
    for (uint32_t corner = 0; corner < 3; corner++) {
        const float *rows = corners + (size_t)3 * CLUSTER * corner;
        z[corner] = rows[(size_t)CLUSTER * ray->axes[2]] - ray->origin[ray->axes[2]];
        x[corner] = rows[(size_t)CLUSTER * ray->axes[0]] - ray->origin[ray->axes[0]] - ray->shear[0] * z[corner];
        y[corner] = rows[(size_t)CLUSTER * ray->axes[1]] - ray->origin[ray->axes[1]] - ray->shear[1] * z[corner];
    }
    const double u = (double)x[2] * (double)y[1] - (double)y[2] * (double)x[1];
    const double v = (double)x[0] * (double)y[2] - (double)y[0] * (double)x[2];
    const double w = (double)x[1] * (double)y[0] - (double)y[1] * (double)x[0];
    const double sum = u + v + w;
    if (((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) || !(fabs(sum) > 0.0)) {
        return false;
    }
    weights[0] = u / sum;
    weights[1] = v / sum;
    weights[2] = w / sum;
    *distance = (weights[0] * (double)z[0] + weights[1] * (double)z[1] + weights[2] * (double)z[2]) / ray->depth;
    return true;
}

static void hitCluster(const Tracer *tracer, const HitRay *ray, uint32_t cluster, Nearest *nearest) {
    const float *rows = sknHitCluster(tracer->mesh, tracer->pose, cluster);
    uint64_t bits = tracer->triangles(ray, rows);
    for (uint32_t lane = 0; bits != 0; lane++, bits >>= 1) {
        double weights[3], exact;
        if ((bits & 1) == 0 || !crossTriangle(ray, rows + lane, weights, &exact) ||
            !(exact >= 0.0 && exact <= (double)FLT_MAX)) {
            continue;
        }
        const uint32_t place = cluster * CLUSTER + lane, triangle = tracer->mesh->triangles[place];
        const float distance = (float)exact;
        if (distance < nearest->distance || (distance == nearest->distance && triangle < nearest->triangle)) {
            *nearest = (Nearest){triangle, place, distance, {weights[0], weights[1], weights[2]}};
        }
    }
}

/* The clusters of a block whose boxes the ray enters, the nearest first, up to the nearest hit. */
static void hitBlock(const Tracer *tracer, const HitRay *ray, uint32_t block, Nearest *nearest) {
    float enters[CLUSTER];
    uint64_t bits = tracer->boxes(ray, sknHitBlock(tracer->pose, block), nearest->distance, enters);
    uint32_t places[CLUSTER], count = 0;
    for (uint32_t place = 0; bits != 0; place++, bits >>= 1) {
        if ((bits & 1) != 0 && block * CLUSTER + place < tracer->mesh->clusterCount) {
            uint32_t at = count++;
            for (; at > 0 && enters[places[at - 1]] > enters[place]; at--) {
                places[at] = places[at - 1];
            }
            places[at] = place;
        }
    }
    for (uint32_t i = 0; i < count && enters[places[i]] <= nearest->distance; i++) {
        hitCluster(tracer, ray, block * CLUSTER + places[i], nearest);
    }
}

/* ---- What was hit ---- */

/* Walks the lists of the corners, which ascend by joint, side by side. */
static uint32_t largestBone(VkskinHitMesh mesh, const uint32_t *corners, const double weights[3]) {
    const Influence *lists[3];
    uint32_t counts[3], bone = mesh->unweightedBone;
    double most = 0.0;
    if (mesh->lists.first == NULL) {
        return bone;
    }
    for (int i = 0; i < 3; i++) {
        lists[i] = sknInfluenceList(&mesh->lists, corners[i], &counts[i]);
    }
    for (;;) {
        uint32_t joint = UINT32_MAX;
        double sum = 0.0;
        for (int i = 0; i < 3; i++) {
            joint = counts[i] > 0 && lists[i]->joint < joint ? lists[i]->joint : joint;
        }
        if (joint == UINT32_MAX) {
            return bone;
        }
        for (int i = 0; i < 3; i++) {
            if (counts[i] > 0 && lists[i]->joint == joint) {
                sum += weights[i] * (double)lists[i]->weight;
                lists[i]++;
                counts[i]--;
            }
        }
        bone = sum > most ? joint : bone;
        most = sum > most ? sum : most;
    }
}

static void writeNormal(const float *corners, float normal[3]) {
    double a[3], b[3], cross[3], length = 0.0;
    for (size_t axis = 0; axis < 3; axis++) {
        a[axis] = (double)corners[(3 + axis) * CLUSTER] - (double)corners[axis * CLUSTER];
        b[axis] = (double)corners[(6 + axis) * CLUSTER] - (double)corners[axis * CLUSTER];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        cross[axis] = a[next] * b[last] - a[last] * b[next];
        length += cross[axis] * cross[axis];
    }
    for (int axis = 0; axis < 3 && length > 0.0; axis++) {
        normal[axis] = (float)(cross[axis] / sqrt(length));
    }
}

static void traceRay(const Tracer *tracer, const VkskinRay *ray, VkskinHit *hit) {
    VkskinHitMesh mesh = tracer->mesh;
    const HitRay aimed = aimRay(ray, tracer->pose);
    Nearest nearest = {VKSKIN_NO_HIT, 0, ray->maxDistance > 0.0f ? ray->maxDistance : FLT_MAX, {0.0}};
    for (uint32_t block = 0; block < mesh->blockCount; block++) {
        hitBlock(tracer, &aimed, block, &nearest);
    }
    *hit = (VkskinHit){.triangle = nearest.triangle};
    if (nearest.triangle != VKSKIN_NO_HIT) {
        hit->bone = largestBone(mesh, mesh->corners + 3 * (size_t)nearest.lane, nearest.weights);
        hit->distance = nearest.distance;
        for (int i = 0; i < 3; i++) {
            hit->barycentrics[i] = (float)nearest.weights[i];
        }
        writeNormal(sknHitCluster(mesh, tracer->pose, nearest.lane / CLUSTER) + nearest.lane % CLUSTER, hit->normal);
    }
}

/* ---- The call ---- */

static void traceTask(void *data, uint32_t task) {
    const Tracer *tracer = data;
    const uint32_t first = task * RAYS_PER_TASK, rest = tracer->count - first;
    for (uint32_t i = 0; i < rest && i < RAYS_PER_TASK; i++) {
        traceRay(tracer, &tracer->rays[first + i], &tracer->hits[first + i]);
    }
}

static bool rayIsValid(const VkskinRay *ray) {
    bool finite = true, moves = false;
    for (int axis = 0; axis < 3; axis++) {
        finite = finite && isfinite(ray->origin[axis]) && isfinite(ray->direction[axis]);
        moves = moves || ray->direction[axis] != 0.0f;
    }
    return finite && moves && ray->maxDistance >= 0.0f; /* not NaN */
}

static VkskinResult checkCall(const Tracer *tracer, VkskinCpuLevel asked, VkskinCpuLevel level) {
    const VkskinLogger *logger = &tracer->mesh->logger;
    if (level == VKSKIN_CPU_LEVEL_COUNT) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinTraceRays: level %u is unknown or not of this machine", (unsigned)asked);
    }
    if (tracer->pose == NULL || (tracer->count > 0 && (tracer->rays == NULL || tracer->hits == NULL))) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinTraceRays: pose, rays or hits is null");
    }
    for (uint32_t i = 0; i < tracer->count; i++) {
        if (!rayIsValid(&tracer->rays[i])) {
            return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                             "vkskinTraceRays: ray %u: a number is not finite, the direction has no length, or "
                             "maxDistance is below 0",
                             i);
        }
    }
    return VKSKIN_SUCCESS;
}

static void chooseLevel(Tracer *tracer, VkskinCpuLevel level) {
    tracer->boxes = sknHitBoxesPortable;
    tracer->triangles = sknHitTrianglesPortable;
#if defined(VKSKIN_HAS_AVX2)
    if (level == VKSKIN_CPU_AVX2) {
        tracer->boxes = sknHitBoxesAvx2;
        tracer->triangles = sknHitTrianglesAvx2;
    }
#endif
#if defined(VKSKIN_HAS_AVX512)
    if (level == VKSKIN_CPU_AVX512) {
        tracer->boxes = sknHitBoxesAvx512;
        tracer->triangles = sknHitTrianglesAvx512;
    }
#endif
    (void)level;
}

VkskinResult vkskinTraceRays(VkskinHitMesh mesh, const void *pose, const VkskinRay *rays, uint32_t count,
                             const VkskinCpuRun *run, VkskinHit *hits) {
    if (mesh == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const VkskinCpuRun how = run != NULL ? *run : (VkskinCpuRun){.level = VKSKIN_CPU_AUTO};
    const VkskinCpuLevel level = sknResolveCpuLevel(how.level);
    Tracer tracer = {.mesh = mesh, .pose = pose, .rays = rays, .hits = hits, .count = count};
    const VkskinResult result = checkCall(&tracer, how.level, level);
    if (result >= 0) {
        chooseLevel(&tracer, level);
        sknRunTasks(how.parallel, how.parallelUser, count / RAYS_PER_TASK + (count % RAYS_PER_TASK != 0), traceTask,
                    &tracer);
    }
    return result;
}
