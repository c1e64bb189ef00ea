#include "lod_error.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model_bounds.h"
#include "model_levels.h"
#include "model_pose.h"
#include "parallel.h"
#include "surface.h"

#define TRIANGLE_POINTS 4u /* edges and centre */
#define TASKS           64u
#define SPARSE          8u /* the first moments of a level that is marked: one in so many */

/* ---- Binding ---- */

/* Two points that are bound to each other: means of three vertices. */
typedef struct Pair {
    SurfacePoint fine, coarse;
} Pair;

/* A mesh in a level, bound to the mesh. */
typedef struct Binding {
    ModelMesh mesh;
    Pair *pairs;
    size_t pairCount;
} Binding;

static SurfacePoint vertexPoint(uint32_t vertex) {
    return (SurfacePoint){{vertex, vertex, vertex}, {1.0f, 0.0f, 0.0f}};
}

/* The mean of values of the vertices, `width` each. */
static void meanOf(const float *values, size_t width, const SurfacePoint *point, float *mean) {
    for (size_t axis = 0; axis < width; axis++) {
        mean[axis] = 0.0f;
        for (int i = 0; i < 3; i++) {
            mean[axis] += point->weights[i] * values[width * point->corners[i] + axis];
        }
    }
}

/* A mesh with its vertices in the poses in which it is bound. */
typedef struct Posed {
    const ModelMesh *mesh;
    float *places; /* [vertexCount][SURFACE_AXES] */
    Surface *surface;
} Posed;

/* The point of `to` that is nearest to a point of `from`. near: see surfaceNearest */
static SurfacePoint bindPoint(const Posed *from, const SurfacePoint *point, const Posed *to, uint32_t *near) {
    float place[SURFACE_AXES], normal[3];
    meanOf(from->places, SURFACE_AXES, point, place);
    meanOf(from->mesh->normals, 3, point, normal);
    return surfaceNearest(to->surface, place, normal, near);
}

/* A vertex that no triangle has is not seen. */
static void bindVertices(const Posed *fine, const Posed *coarse, bool *bound, Binding *binding) {
    uint32_t near = 0;
    for (uint32_t i = 0; i < fine->mesh->indexCount; i++) {
        const uint32_t vertex = fine->mesh->indices[i];
        if (!bound[vertex]) {
            const SurfacePoint point = vertexPoint(vertex);
            bound[vertex] = true;
            binding->pairs[binding->pairCount++] = (Pair){point, bindPoint(fine, &point, coarse, &near)};
        }
    }
}

static int compareEdges(const void *a, const void *b) {
    const uint32_t *left = a, *right = b;
    return left[0] != right[0] ? (left[0] > right[0]) - (left[0] < right[0])
                               : (left[1] > right[1]) - (left[1] < right[1]);
}

/* Both triangles of an edge have its middle. edges: [lod->indexCount][2]. Returns how many are different. */
static size_t listEdges(const ModelLod *lod, uint32_t *edges) {
    size_t count = 0;
    for (uint32_t i = 0; i < lod->indexCount; i++) {
        const uint32_t a = lod->indices[i], b = lod->indices[i % 3 == 2 ? i - 2 : i + 1];
        memcpy(edges + 2 * (size_t)i, (const uint32_t[]){a < b ? a : b, a < b ? b : a}, 2 * sizeof(*edges));
    }
    qsort(edges, lod->indexCount, 2 * sizeof(*edges), compareEdges);
    for (size_t i = 0; i < lod->indexCount; i++) {
        if (count == 0 || compareEdges(edges + 2 * i, edges + 2 * (count - 1)) != 0) {
            memmove(edges + 2 * count++, edges + 2 * i, 2 * sizeof(*edges));
        }
    }
    return count;
}

static void bindCoarse(const Posed *fine, const Posed *coarse, SurfacePoint point, uint32_t *near, Binding *binding) {
    binding->pairs[binding->pairCount++] = (Pair){bindPoint(coarse, &point, fine, near), point};
}

static void bindTriangles(const Posed *fine, const Posed *coarse, const ModelLod *lod, uint32_t *edges,
                          Binding *binding) {
    const size_t edgeCount = listEdges(lod, edges);
    uint32_t near = 0;
    for (uint32_t i = 0; i < lod->vertexCount; i++) {
        binding->pairs[binding->pairCount++] = (Pair){vertexPoint(lod->vertices[i]), vertexPoint(i)};
    }
    for (size_t i = 0; i < edgeCount; i++) {
        const uint32_t *ends = edges + 2 * i;
        bindCoarse(fine, coarse, (SurfacePoint){{ends[0], ends[1], ends[1]}, {0.5f, 0.5f, 0.0f}}, &near, binding);
    }
    for (uint32_t i = 0; i < lod->indexCount; i += 3) {
        SurfacePoint point = {.weights = {1 / 3.0f, 1 / 3.0f, 1 / 3.0f}};
        memcpy(point.corners, &lod->indices[i], sizeof(point.corners));
        bindCoarse(fine, coarse, point, &near, binding);
    }
}

/* ---- Measuring ---- */

typedef struct Measure {
    const Model *model;
    uint32_t lodCount;
    size_t largest, mostMorphs; /* vertices and morph targets of a mesh */
    VkskinSkeleton skeleton;
    VkskinClip *clips; /* [clipCount] */
    ClipSource source;
    Binding *bindings;          /* [meshCount][lodCount] */
    Posed *fine;                /* [meshCount] */
    LodMoment bound[LOD_POSES]; /* moments that differ much; meshes are bound at the first ones */
    uint32_t boundCount;
    const LodMoment *moments;
    size_t momentCount;
    bool sparse;           /* one in SPARSE moments is measured now; else the others */
    LodMoment *candidates; /* for the poses in which meshes are bound */
    size_t candidateCount;
    float *errors; /* [TASKS][meshCount][lodCount] */
    const LodMarks *marks;
    atomic_bool failed;
} Measure;

/* What a task needs for a pose. */
typedef struct Pose {
    VkskinTransform *local; /* [nodeCount] */
    VkskinAffine *world;    /* [nodeCount] */
    float *weights;         /* weights of the morph targets of a part */
    float *fine, *coarse;   /* positions of a mesh, and of a level */
} Pose;

static void markVertices(const SurfacePoint *point, uint8_t *marks) {
    for (int i = 0; i < 3; i++) {
        if (point->weights[i] > 0.0f) {
            __atomic_store_n(&marks[point->corners[i]], 1, __ATOMIC_RELAXED); /* tasks may mark the same one */
        }
    }
}

/* The fourth number is any. Whole vectors are faster. */
static void placeOf(const float *places, const SurfacePoint *point, float place[4]) {
    const float *a = places + 3 * (size_t)point->corners[0], *b = places + 3 * (size_t)point->corners[1],
                *c = places + 3 * (size_t)point->corners[2];
    for (int axis = 0; axis < 4; axis++) {
        place[axis] = point->weights[0] * a[axis] + point->weights[1] * b[axis] + point->weights[2] * c[axis];
    }
}

/* marks: null, or those of the mesh in this level. */
static float largestDistance(const Binding *binding, const Pose *pose, float limit, uint8_t *marks) {
    float largest = 0.0f;
    for (size_t i = 0; i < binding->pairCount; i++) {
        float fine[4], coarse[4], ways[4];
        placeOf(pose->fine, &binding->pairs[i].fine, fine);
        placeOf(pose->coarse, &binding->pairs[i].coarse, coarse);
        for (int axis = 0; axis < 4; axis++) {
            ways[axis] = (fine[axis] - coarse[axis]) * (fine[axis] - coarse[axis]);
        }
        const float squares = ways[0] + ways[1] + ways[2];
        if (marks && !(squares <= limit * limit)) {
            markVertices(&binding->pairs[i].fine, marks);
        }
        largest = squares <= largest ? largest : squares; /* NaN counts as the largest */
    }
    return sqrtf(largest);
}

static bool findWeights(const Measure *measure, const ModelPart *part, const LodMoment *moment, float *weights) {
    const uint32_t count = measure->model->meshes[part->mesh].morphCount;
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = part->morphWeights ? part->morphWeights[i] : 0.0f;
    }
    return count == 0 || moment->clip >= measure->model->clipCount ||
           vkskinSampleMorphWeights(measure->clips[moment->clip], part->carrier, moment->time, VKSKIN_WRAP_CLAMP,
                                    weights, count) >= 0;
}

static bool measurePart(const Measure *measure, const ModelPart *part, const LodMoment *moment, const Pose *pose,
                        float *errors) {
    const Model *model = measure->model;
    EngineError error;
    if (!findWeights(measure, part, moment, pose->weights) ||
        !modelPosePart(model, part, &model->meshes[part->mesh], pose->world, pose->weights, pose->fine, &error)) {
        return false;
    }
    for (uint32_t l = 0; l < measure->lodCount; l++) {
        const size_t row = (size_t)part->mesh * measure->lodCount + l;
        const Binding *binding = &measure->bindings[row];
        if (binding->pairCount == 0) {
            continue;
        }
        if (!modelPosePart(model, part, &binding->mesh, pose->world, pose->weights, pose->coarse, &error)) {
            return false;
        }
        uint8_t *marks = measure->marks ? measure->marks->rows[(size_t)part->mesh * MODEL_LODS_MAX + l] : NULL;
        errors[row] =
            fmaxf(errors[row], largestDistance(binding, pose, measure->marks ? measure->marks->limit : 0.0f, marks));
    }
    return true;
}

static bool poseNodes(const Measure *measure, const LodMoment *moment, const Pose *pose) {
    return clipSourceSample(&measure->source, moment->clip, moment->time, VKSKIN_WRAP_CLAMP, pose->local) >= 0 &&
           vkskinComposePose(measure->skeleton, pose->local, pose->world) >= 0;
}

static bool measureMoment(const Measure *measure, const LodMoment *moment, const Pose *pose, float *errors) {
    bool good = poseNodes(measure, moment, pose);
    for (uint32_t i = 0; i < measure->model->partCount && good; i++) {
        good = measurePart(measure, &measure->model->parts[i], moment, pose, errors);
    }
    return good;
}

/* To be ended on failure too. */
static bool poseBegin(const Measure *measure, Pose *pose) {
    const Model *model = measure->model;
    EngineError error;
    *pose = (Pose){.local = engineAllocate(model->nodeCount, sizeof(*pose->local), &error),
                   .world = engineAllocate(model->nodeCount, sizeof(*pose->world), &error),
                   .weights = engineAllocate(measure->mostMorphs, sizeof(*pose->weights), &error),
                   .fine = engineAllocate(measure->largest + 1, 3 * sizeof(*pose->fine), &error), /* see placeOf */
                   .coarse = engineAllocate(measure->largest + 1, 3 * sizeof(*pose->coarse), &error)};
    return pose->local && pose->world && pose->weights && pose->fine && pose->coarse;
}

static void poseEnd(Pose *pose) {
    free(pose->local);
    free(pose->world);
    free(pose->weights);
    free(pose->fine);
    free(pose->coarse);
}

/* The moment that is number n of those that are measured now. */
static size_t momentOf(const Measure *measure, size_t n) {
    return measure->sparse ? n * SPARSE : n + n / (SPARSE - 1) + 1;
}

static void measureTask(void *data, uint32_t task) {
    Measure *measure = data;
    Pose pose;
    bool good = poseBegin(measure, &pose);
    float *errors = measure->errors + (size_t)task * measure->model->meshCount * measure->lodCount;
    for (size_t n = task; momentOf(measure, n) < measure->momentCount && good; n += TASKS) {
        good = measureMoment(measure, &measure->moments[momentOf(measure, n)], &pose, errors);
    }
    if (!good) {
        atomic_store(&measure->failed, true);
    }
    poseEnd(&pose);
}

/* ---- Binding in several poses ---- */

/*
 * In one pose, a finger may touch a hip. So meshes are bound in several poses: the rest pose, and those of up to
 * CANDIDATES moments that differ most from the ones before. Shapes are compared by distances between points of the model, which
 * do not change where it walks or turns.
 */
#define CANDIDATES 64u
#define SHAPE_SIZE 1024u

/* Distances between points of the model at a moment. shape: [SHAPE_SIZE] */
static bool findShape(const Measure *measure, const LodMoment *moment, const Pose *pose, float *shape) {
    const Model *model = measure->model;
    EngineError error;
    bool good = poseNodes(measure, moment, pose);
    for (uint32_t i = 0; i < model->partCount && good; i++) {
        const ModelPart *part = &model->parts[i];
        const ModelMesh *mesh = &model->meshes[part->mesh];
        good = findWeights(measure, part, moment, pose->weights) &&
               modelPosePart(model, part, mesh, pose->world, pose->weights, pose->fine, &error);
        /* Row r is of part r % partCount. */
        for (uint32_t r = i; r < SHAPE_SIZE && good && mesh->vertexCount > 0; r += model->partCount) {
            const float *a = &pose->fine[3 * (size_t)(r * 2654435761u % mesh->vertexCount)];
            const float *b = &pose->fine[3 * (size_t)((r + 1) * 2246822519u % mesh->vertexCount)];
            shape[r] =
                sqrtf((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
        }
    }
    return good;
}

static float shapeDistance(const float *a, const float *b) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < SHAPE_SIZE; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

/* The first one is the rest pose; each further one is the one that is farthest from those before. */
static void choosePoses(Measure *measure, const float *shapes, const size_t *rows, uint32_t count) {
    uint32_t chosen[LOD_POSES] = {0};
    measure->boundCount = 1;
    for (uint32_t n = 1; n < LOD_POSES; n++) {
        float farthest = -1.0f;
        for (uint32_t i = 0; i < count; i++) {
            float nearest = INFINITY;
            for (uint32_t c = 0; c < n; c++) {
                nearest = fminf(
                    nearest, shapeDistance(shapes + (size_t)i * SHAPE_SIZE, shapes + (size_t)chosen[c] * SHAPE_SIZE));
            }
            chosen[n] = nearest > farthest ? i : chosen[n];
            farthest = fmaxf(farthest, nearest);
        }
        measure->boundCount += farthest > 0.0f;
    }
    for (uint32_t n = 0; n < LOD_POSES; n++) {
        measure->bound[n] = measure->candidates[rows[chosen[n]]];
    }
}

static bool findPoses(Measure *measure) {
    const uint32_t count = measure->candidateCount < CANDIDATES ? (uint32_t)measure->candidateCount : CANDIDATES;
    EngineError error;
    Pose pose;
    size_t rows[CANDIDATES] = {0};
    float *shapes = engineAllocate((size_t)CANDIDATES * SHAPE_SIZE, sizeof(*shapes), &error);
    bool good = poseBegin(measure, &pose) && shapes;
    for (uint32_t i = 0; i < count && good; i++) {
        rows[i] = i * measure->candidateCount / count;
        good = findShape(measure, &measure->candidates[rows[i]], &pose, shapes + (size_t)i * SHAPE_SIZE);
    }
    if (good) {
        choosePoses(measure, shapes, rows, count);
    }
    poseEnd(&pose);
    free(shapes);
    return good;
}

/* part: one that shows the mesh or a level of it. */
static bool posedBegin(const Measure *measure, const ModelPart *part, const ModelMesh *mesh, const Pose *pose,
                       Posed *posed) {
    EngineError error;
    *posed = (Posed){.mesh = mesh, .places = engineAllocate(mesh->vertexCount, SURFACE_AXES * sizeof(float), &error)};
    bool good = posed->places != NULL;
    for (uint32_t n = 0; n < SURFACE_POSES && good; n++) {
        const LodMoment *moment = &measure->bound[n];
        good = poseNodes(measure, moment, pose) && findWeights(measure, part, moment, pose->weights) &&
               modelPosePart(measure->model, part, mesh, pose->world, pose->weights, pose->fine, &error);
        for (size_t v = 0; v < mesh->vertexCount && good; v++) {
            memcpy(posed->places + v * SURFACE_AXES + 3 * (size_t)n, pose->fine + 3 * v, 3 * sizeof(float));
        }
    }
    posed->surface =
        good ? surfaceCreate(posed->places, mesh->normals, mesh->indices, mesh->indexCount / 3, &error) : NULL;
    return posed->surface != NULL;
}

static void posedEnd(Posed *posed) {
    surfaceDestroy(posed->surface);
    free(posed->places);
}

static const ModelPart *partOf(const Model *model, uint32_t mesh) {
    uint32_t i = 0;
    while (i < model->partCount && model->parts[i].mesh != mesh) {
        i++;
    }
    return i < model->partCount ? &model->parts[i] : NULL;
}

static bool bindMesh(const Measure *measure, const ModelPart *part, const ModelLod *lod, Binding *binding) {
    const Posed *fine = &measure->fine[part->mesh];
    const size_t most =
        (size_t)fine->mesh->vertexCount + lod->vertexCount + (size_t)lod->indexCount / 3 * TRIANGLE_POINTS;
    EngineError error;
    Pose pose;
    Posed coarse = {0};
    bool *bound = engineAllocate(fine->mesh->vertexCount, sizeof(*bound), &error);
    uint32_t *edges = engineAllocate(lod->indexCount, 2 * sizeof(*edges), &error);
    binding->pairs = engineAllocate(most, sizeof(*binding->pairs), &error);
    const bool good = poseBegin(measure, &pose) && bound && edges && binding->pairs &&
                      posedBegin(measure, part, &binding->mesh, &pose, &coarse);
    if (good) {
        bindVertices(fine, &coarse, bound, binding);
        bindTriangles(fine, &coarse, lod, edges, binding);
    }
    posedEnd(&coarse);
    poseEnd(&pose);
    free(bound);
    free(edges);
    return good;
}

/* Poses a mesh, to which its levels are bound. */
static void poseTask(void *data, uint32_t mesh) {
    Measure *measure = data;
    const ModelPart *part = partOf(measure->model, mesh);
    Pose pose = {0};
    if (part && measure->model->meshes[mesh].indexCount > 0 &&
        !(poseBegin(measure, &pose) &&
          posedBegin(measure, part, &measure->model->meshes[mesh], &pose, &measure->fine[mesh]))) {
        atomic_store(&measure->failed, true);
    }
    poseEnd(&pose);
}

static void bindTask(void *data, uint32_t task) {
    Measure *measure = data;
    const uint32_t mesh = task / measure->lodCount, level = task % measure->lodCount;
    const ModelLod *lod = &measure->model->meshes[mesh].lods[level];
    Binding *binding = &measure->bindings[task];
    EngineError error;
    const bool seen = measure->fine[mesh].surface, /* then each level has a triangle */
        wanted = !measure->marks || measure->marks->levels >> level & 1u;
    if (seen && wanted &&
        !(modelLodMesh(measure->model, mesh, level, &binding->mesh, &error) &&
          bindMesh(measure, partOf(measure->model, mesh), lod, binding))) {
        atomic_store(&measure->failed, true);
    }
}

static bool createSource(Measure *measure, EngineError *error) {
    const Model *model = measure->model;
    VkskinResult result = modelCreateSkeleton(model, NULL, (VkskinLogger){0}, &measure->skeleton);
    for (uint32_t i = 0; i < model->clipCount && result >= 0; i++) {
        result = modelCreateClip(model, i, NULL, (VkskinLogger){0}, &measure->clips[i]);
    }
    measure->source = (ClipSource){measure->skeleton, model->clipCount, measure->clips, model->packed.block};
    return result >= 0 || engineVkskin(error, "making the clips", result, "");
}

static void takeLargest(const Measure *measure, float *errors) {
    const size_t rows = (size_t)measure->model->meshCount * measure->lodCount;
    memset(errors, 0, rows * sizeof(*errors));
    for (size_t i = 0; i < TASKS * rows; i++) {
        errors[i % rows] = fmaxf(errors[i % rows], measure->errors[i]);
    }
}

static void endMeasure(Measure *measure) {
    for (uint32_t i = 0; i < measure->model->meshCount && measure->fine; i++) {
        posedEnd(&measure->fine[i]);
    }
    for (uint32_t i = 0; i < measure->model->meshCount * measure->lodCount && measure->bindings; i++) {
        modelFreeMesh(&measure->bindings[i].mesh);
        free(measure->bindings[i].pairs);
    }
    for (uint32_t i = 0; i < measure->model->clipCount && measure->clips; i++) {
        vkskinDestroyClip(measure->clips[i]);
    }
    vkskinDestroySkeleton(measure->skeleton);
    free(measure->clips);
    free(measure->bindings);
    free(measure->fine);
    free(measure->errors);
    free(measure->candidates);
}

static bool beginMeasure(Measure *measure, EngineError *error) {
    const Model *model = measure->model;
    measure->lodCount = modelLodCount(model);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        const ModelMesh *mesh = &model->meshes[i];
        measure->largest = mesh->vertexCount > measure->largest ? mesh->vertexCount : measure->largest;
        measure->mostMorphs = mesh->morphCount > measure->mostMorphs ? mesh->morphCount : measure->mostMorphs;
    }
    measure->clips = engineAllocate(model->clipCount, sizeof(VkskinClip), error);
    return measure->clips && createSource(measure, error) &&
           lodFindMoments(model, &measure->candidates, &measure->candidateCount, error) &&
           (findPoses(measure) || engineFail(error, "posing the meshes failed: out of memory"));
}

/* A level above the limit is made again or left out: nothing more of it is measured. */
static void leaveOut(Measure *measure, const float *errors) {
    const uint32_t rows = measure->model->meshCount * measure->lodCount;
    uint32_t above = 0;
    for (uint32_t i = 0; i < rows; i++) {
        above |= errors[i] <= measure->marks->limit ? 0 : 1u << i % measure->lodCount;
    }
    for (uint32_t i = 0; i < rows; i++) {
        measure->bindings[i].pairCount *= !(above >> i % measure->lodCount & 1u);
    }
}

static bool measureRows(Measure *measure, uint32_t rows, float *errors) {
    parallelFor(NULL, measure->model->meshCount, poseTask, measure);
    if (!atomic_load(&measure->failed)) {
        parallelFor(NULL, rows, bindTask, measure);
    }
    for (int pass = 0; pass < 2 && !atomic_load(&measure->failed); pass++) {
        measure->sparse = pass == 0;
        parallelFor(NULL, TASKS, measureTask, measure);
        takeLargest(measure, errors);
        if (pass == 0 && measure->marks) {
            leaveOut(measure, errors);
        }
    }
    return !atomic_load(&measure->failed);
}

bool lodMeasure(const Model *model, const LodMoment *moments, size_t count, float *errors, const LodMarks *marks,
                EngineError *error) {
    const uint32_t rows = model->meshCount * modelLodCount(model);
    Measure measure = {.model = model, .moments = moments, .momentCount = count, .marks = marks};
    measure.bindings = engineAllocate(rows, sizeof(*measure.bindings), error);
    measure.fine = engineAllocate(model->meshCount, sizeof(*measure.fine), error);
    measure.errors = engineAllocate((size_t)TASKS * rows, sizeof(*measure.errors), error);
    bool good = measure.bindings && measure.fine && measure.errors && beginMeasure(&measure, error);
    if (good && rows > 0) {
        good = measureRows(&measure, rows, errors) || engineFail(error, "measuring the levels failed: out of memory");
    }
    endMeasure(&measure);
    return good;
}

/* ---- Poses for the simplifier ---- */

/* posed: of the first vertex of the mesh; `stride` further in the next pose. */
static bool poseMesh(const Measure *measure, uint32_t index, uint32_t influences, float *posed, size_t stride) {
    const ModelPart *part = partOf(measure->model, index);
    EngineError error;
    ModelMesh made = {0};
    Pose pose = {0};
    bool good = modelCopyMesh(&measure->model->meshes[index], &made) && poseBegin(measure, &pose);
    modelTrimInfluences(&made, influences, modelMeshNodes(measure->model, index));
    for (uint32_t n = 0; n < measure->boundCount && good; n++) {
        const LodMoment *moment = &measure->bound[n];
        memcpy(posed + n * stride, made.positions, made.vertexCount * sizeof(float[3]));
        good =
            !part || (poseNodes(measure, moment, &pose) && findWeights(measure, part, moment, pose.weights) &&
                      modelPosePart(measure->model, part, &made, pose.world, pose.weights, posed + n * stride, &error));
    }
    poseEnd(&pose);
    modelFreeMesh(&made);
    return good;
}

bool lodPose(const Model *model, uint32_t influences, float *posed, uint32_t *count, EngineError *error) {
    Measure measure = {.model = model};
    size_t vertices = 0;
    bool good = beginMeasure(&measure, error);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        vertices += model->meshes[i].vertexCount;
    }
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        good = poseMesh(&measure, i, influences, posed, 3 * vertices) || engineFail(error, "out of memory");
        posed += 3 * (size_t)model->meshes[i].vertexCount;
    }
    *count = measure.boundCount;
    endMeasure(&measure);
    return good;
}
