#include "ragdoll_fit.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "model_bounds.h"
#include "ragdoll_limits.h"

#define SMALLEST_SHARE 0.03  /* bones whose vertices reach less far merge: share of the height */
#define THINNEST_SHARE 0.008 /* the smallest radius: share of the height */
#define FLATTEST_SHARE 0.1   /* the smallest height: share of the diagonal */
#define MERGE_FACTOR   1.25
#define FLATTEST_NODE  1e3 /* the largest scale of a node's matrix over the smallest, about */

/* ---- Vertices and their bones ---- */

typedef struct Fit {
    RagdollShape *shape;
    VkskinAffine *rest; /* [nodeCount] */
    float *points;      /* [pointCount][3], at rest */
    uint32_t *nodes;    /* [pointCount] */
    size_t pointCount;
    Bounds *boxes;    /* [nodeCount]: of the points of each node */
    uint32_t *owners; /* [nodeCount]: the closest node at or above it that is a body; nodeCount: none */
} Fit;

static uint32_t boneOf(const ModelMesh *mesh, uint32_t vertex) {
    const float *weights = mesh->weights + (size_t)vertex * mesh->influences;
    uint32_t largest = 0;
    for (uint32_t i = 1; i < mesh->influences; i++) {
        largest = weights[i] > weights[largest] ? i : largest;
    }
    return mesh->joints[(size_t)vertex * mesh->influences + largest];
}

static bool addPart(Fit *fit, const ModelPart *part, EngineError *error) {
    const Model *model = fit->shape->model;
    const ModelMesh *mesh = &model->meshes[part->mesh];
    float *zeros = engineAllocate(mesh->morphCount, sizeof *zeros, error);
    float *points = fit->points + 3 * fit->pointCount;
    const bool good = zeros && modelPosePart(model, part, mesh, fit->rest,
                                             part->morphWeights ? part->morphWeights : zeros, points, error);
    for (uint32_t i = 0; i < mesh->vertexCount && good; i++) {
        const uint32_t node = model->skins[part->skin].boneNodes[boneOf(mesh, i)];
        fit->nodes[fit->pointCount++] = node;
        boundsAddPoint(&fit->boxes[node], points + 3 * (size_t)i);
    }
    free(zeros);
    return good;
}

static bool collectPoints(Fit *fit, EngineError *error) {
    const Model *model = fit->shape->model;
    size_t count = 0;
    for (uint32_t i = 0; i < model->partCount; i++) {
        count += model->meshes[model->parts[i].mesh].vertexCount;
    }
    fit->points = engineAllocate(count, 3 * sizeof *fit->points, error);
    fit->nodes = engineAllocate(count, sizeof *fit->nodes, error);
    bool good = fit->points && fit->nodes;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        fit->boxes[i] = boundsEmpty();
    }
    for (uint32_t i = 0; i < model->partCount && good; i++) {
        good = addPart(fit, &model->parts[i], error);
    }
    return good;
}

/* ---- Which nodes are bodies ---- */

/*
 * Whether the place of a body can be found from its node: not if the node is almost flat at rest, since its inverse then
 * enlarges rounding.
 */
static bool canCarry(const VkskinAffine *rest) {
    VkskinAffine inverse;
    double size = 0.0, inverseSize = 0.0;
    const bool inverts = vkskinInvertAffine(rest, &inverse) >= 0;
    for (int i = 0; i < 9 && inverts; i++) {
        const double there = (double)rest->m[i / 3][i % 3], back = (double)inverse.m[i / 3][i % 3];
        size += there * there;
        inverseSize += back * back;
    }
    return inverts && size * inverseSize < FLATTEST_NODE * FLATTEST_NODE;
}

/* Returns the number of bodies whose vertices, with those that merge into them, reach `least`. */
static uint32_t findOwners(Fit *fit, Bounds *boxes, double least) {
    const Model *model = fit->shape->model;
    uint32_t count = 0;
    memcpy(boxes, fit->boxes, model->nodeCount * sizeof *boxes);
    for (uint32_t i = model->nodeCount; i-- > 0;) {
        const bool is = !boundsIsEmpty(&boxes[i]) && boundsDiagonal(&boxes[i]) >= least && canCarry(&fit->rest[i]);
        fit->owners[i] = is ? i : model->nodeCount;
        count += is;
        if (!is && model->nodes[i].parent >= 0 && !boundsIsEmpty(&boxes[i])) {
            boundsAddPoint(&boxes[model->nodes[i].parent], boxes[i].min);
            boundsAddPoint(&boxes[model->nodes[i].parent], boxes[i].max);
        }
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const int32_t parent = model->nodes[i].parent;
        fit->owners[i] = fit->owners[i] == model->nodeCount && parent >= 0 ? fit->owners[parent] : fit->owners[i];
    }
    return count;
}

static bool chooseBodies(Fit *fit, double height, EngineError *error) {
    RagdollShape *shape = fit->shape;
    Bounds *boxes = engineAllocate(shape->model->nodeCount, sizeof *boxes, error);
    double least = SMALLEST_SHARE * height;
    shape->bodyCount = boxes ? findOwners(fit, boxes, least) : 0;
    while (shape->bodyCount > RAGDOLL_BODIES_MAX) {
        least *= MERGE_FACTOR;
        shape->bodyCount = findOwners(fit, boxes, least);
    }
    free(boxes);
    if (boxes && shape->bodyCount == 0) {
        return engineFail(error, "the model cannot collapse: it has no bones with vertices");
    }
    shape->bodies = boxes ? engineAllocate(shape->bodyCount, sizeof *shape->bodies, error) : NULL;
    return shape->bodies != NULL;
}

/* The topmost body with the most bodies below it comes first; other topmost ones hang on it. */
static void orderBodies(Fit *fit) {
    RagdollShape *shape = fit->shape;
    const Model *model = shape->model;
    uint32_t sizes[RAGDOLL_BODIES_MAX] = {0}, most = 0, tops = 0, count = 0;
    uint32_t *topOf = shape->bodyOfNodes; /* until bodies have numbers */
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const int32_t parent = model->nodes[i].parent;
        topOf[i] = parent >= 0 ? topOf[parent] : UINT32_MAX;
        if (fit->owners[i] == i) {
            topOf[i] = topOf[i] == UINT32_MAX ? tops++ : topOf[i];
            sizes[topOf[i]]++;
            most = sizes[topOf[i]] > sizes[most] ? topOf[i] : most;
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < model->nodeCount; i++) {
            if (fit->owners[i] == i && (topOf[i] == most) == (pass == 0)) {
                shape->bodies[count++].node = i;
            }
        }
    }
}

/* Bodies have numbers. */
static void linkBodies(Fit *fit) {
    RagdollShape *shape = fit->shape;
    const Model *model = shape->model;
    memset(shape->bodyOfNodes, 0, model->nodeCount * sizeof *shape->bodyOfNodes);
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        shape->bodyOfNodes[shape->bodies[i].node] = i;
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        shape->bodyOfNodes[i] = fit->owners[i] < model->nodeCount ? shape->bodyOfNodes[fit->owners[i]] : 0;
    }
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        RagdollBody *body = &shape->bodies[i];
        const int32_t parent = model->nodes[body->node].parent;
        body->parent = i == 0 ? -1 : parent >= 0 ? (int32_t)shape->bodyOfNodes[parent] : 0;
        affinePoint(&fit->rest[body->node], (const double[3]){0}, body->anchor);
        (void)vkskinInvertAffine(&fit->rest[body->node], &shape->inverseRest[i]);
    }
}

/* ---- Capsules ---- */

#define FLATTEST 0.5 /* reach along the axis, in radii */
#define CLEARLY  0.8
#define AXES     4 /* that of the spread, and those of the space: the spread of a cube has none */

/* Sums over the points of a body; low and high: along each axis, from the mean. */
typedef struct Cloud {
    double count, mean[3], spread[3][3], axes[AXES][3], low[AXES], high[AXES];
} Cloud;

static void addPoint(Cloud *cloud, const double point[3], int pass) {
    double from[3];
    add3(point, -1.0, cloud->mean, from);
    for (int i = 0; i < 9 && pass == 1; i++) {
        cloud->spread[i / 3][i % 3] += from[i / 3] * from[i % 3];
    }
    for (int i = 0; i < AXES && pass == 2; i++) {
        cloud->low[i] = fmin(cloud->low[i], dot3(from, cloud->axes[i]));
        cloud->high[i] = fmax(cloud->high[i], dot3(from, cloud->axes[i]));
    }
    if (pass == 0) {
        cloud->count += 1.0;
        add3(cloud->mean, -1.0 / cloud->count, cloud->mean, cloud->mean);
        add3(cloud->mean, 1.0 / cloud->count, point, cloud->mean);
    }
}

static void chooseAxes(Cloud *cloud) {
    largestAxis(cloud->spread, cloud->axes[0]);
    for (int i = 1; i < AXES; i++) {
        cloud->axes[i][i - 1] = 1.0;
    }
}

/* The radius is the root of the mean square of the distances from the axis. Of all axes, that of the smallest capsule. */
static void chooseCapsule(const Cloud *cloud, double thinnest, RagdollBody *body) {
    double smallest = DBL_MAX;
    for (int i = 0; i < AXES; i++) {
        const double *axis = cloud->axes[i], reach = 0.5 * (cloud->high[i] - cloud->low[i]);
        double across = 0.0, turned[3];
        for (int k = 0; k < 3; k++) {
            turned[k] = dot3(cloud->spread[k], axis);
            across += cloud->spread[k][k];
        }
        const double radius = sqrt(fmax(across - dot3(turned, axis), 0.0) / cloud->count);
        const double volume = radius * radius * (2.0 * fmax(reach - radius, 0.0) + 4.0 / 3.0 * radius);
        if (i == 0 || (volume < CLEARLY * smallest && reach > FLATTEST * radius)) {
            smallest = volume;
            body->radius = fmax(fmin(radius, reach), thinnest);
            body->half = fmax(reach - body->radius, 0.0);
            memcpy(body->axis, axis, sizeof body->axis);
            add3(cloud->mean, 0.5 * (cloud->low[i] + cloud->high[i]), axis, body->centre);
        }
    }
}

/* Passes over the points: their mean, their spread, and how far they reach. */
static void fitCapsules(const Fit *fit, Cloud *clouds, double thinnest) {
    const RagdollShape *shape = fit->shape;
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < fit->pointCount; i++) {
            double place[3];
            widen3(fit->points + 3 * i, place);
            if (fit->owners[fit->nodes[i]] < shape->model->nodeCount) {
                addPoint(&clouds[shape->bodyOfNodes[fit->nodes[i]]], place, pass);
            }
        }
        for (uint32_t i = 0; i < shape->bodyCount && pass == 1; i++) {
            chooseAxes(&clouds[i]);
        }
    }
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        chooseCapsule(&clouds[i], thinnest, &shape->bodies[i]);
    }
}

static void findLowest(const Fit *fit) {
    fit->shape->lowest = DBL_MAX;
    for (size_t i = 0; i < fit->pointCount; i++) {
        fit->shape->lowest = fmin(fit->shape->lowest, ragdollHeight(fit->shape, fit->points + 3 * i));
    }
}

/* ---- The shape ---- */

/* The diagonal of the box of all points. */
static double reachOf(const Fit *fit) {
    Bounds all = boundsEmpty();
    for (size_t i = 0; i < fit->pointCount; i++) {
        boundsAddPoint(&all, fit->points + 3 * i);
    }
    return boundsIsEmpty(&all) ? 0.0 : (double)boundsDiagonal(&all);
}

static bool fill(Fit *fit, const ClipSource *source, EngineError *error) {
    RagdollShape *shape = fit->shape;
    double height;
    if (!collectPoints(fit, error) || !modelHeight(shape->model, &height, error)) {
        return false;
    }
    height = fmax(height, FLATTEST_SHARE * reachOf(fit));
    if (!chooseBodies(fit, height, error)) {
        return false;
    }
    Cloud *clouds = engineAllocate(shape->bodyCount, sizeof *clouds, error);
    shape->inverseRest = engineAllocate(shape->bodyCount, sizeof *shape->inverseRest, error);
    if (clouds && shape->inverseRest) {
        shape->metres = RAGDOLL_METRES / height;
        orderBodies(fit);
        linkBodies(fit);
        findLowest(fit);
        fitCapsules(fit, clouds, THINNEST_SHARE * height);
    }
    free(clouds);
    return clouds && shape->inverseRest && ragdollFindLimits(shape, source, error);
}

RagdollShape *ragdollShapeCreate(const Model *model, const VkskinAffine *modelToCommon, const ClipSource *source,
                                 EngineError *error) {
    RagdollShape *shape = engineAllocate(1, sizeof *shape, error);
    if (!shape) {
        return NULL;
    }
    shape->model = model;
    shape->skeleton = source->skeleton;
    widen3(modelToCommon->m[1], shape->up); /* one row: up in the model's own space */
    shape->bodyOfNodes = engineAllocate(model->nodeCount, sizeof *shape->bodyOfNodes, error);
    Fit fit = {.shape = shape,
               .rest = skeletonAtRest(source->skeleton, error),
               .boxes = engineAllocate(model->nodeCount, sizeof *fit.boxes, error),
               .owners = engineAllocate(model->nodeCount, sizeof *fit.owners, error)};
    const bool good = shape->bodyOfNodes && fit.rest && fit.boxes && fit.owners && fill(&fit, source, error);
    free(fit.rest);
    free(fit.points);
    free(fit.nodes);
    free(fit.boxes);
    free(fit.owners);
    if (!good) {
        ragdollShapeDestroy(shape);
        return NULL;
    }
    return shape;
}
