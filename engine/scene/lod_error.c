#include "lod_error.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model_bounds.h"
#include "model_levels.h"
#include "model_pack.h"
#include "model_pose.h"
#include "parallel.h"
#include "surface.h"

#define MOMENT_GAP    (1.0 / 30.0) /* seconds */
#define MOMENTS_MORE  4096u        /* between the keys of a clip */
#define NODE_WORK     64u          /* posing a node, in distances */
#define TRIANGLE_WORK 4u           /* edges and centre */
#define TASKS         64u

/* ---- Moments ---- */

typedef struct Moments {
    LodMoment *rows;
    size_t count, room;
    bool good; /* false after the first failed allocation */
} Moments;

static bool growMoments(Moments *moments) {
    const size_t room = 2 * moments->room + 64;
    LodMoment *rows = realloc(moments->rows, room * sizeof(*rows));
    if (!rows) {
        return false;
    }
    moments->rows = rows;
    moments->room = room;
    return true;
}

static void addMoment(Moments *moments, uint32_t clip, double time) {
    if (moments->count == moments->room) {
        moments->good = moments->good && growMoments(moments);
    }
    if (moments->good) {
        moments->rows[moments->count++] = (LodMoment){clip, time};
    }
}

static int compareMoments(const void *a, const void *b) {
    const LodMoment *left = a, *right = b;
    return (left->time > right->time) - (left->time < right->time);
}

/* The keys of a clip, and of its packed form. */
static void addKeys(const Model *model, uint32_t clip, Moments *moments) {
    const ModelClip *source = &model->clips[clip];
    addMoment(moments, clip, 0.0);
    addMoment(moments, clip, source->duration);
    for (uint32_t t = 0; t < source->trackCount; t++) {
        for (uint32_t k = 0; k < source->tracks[t].keyCount; k++) {
            addMoment(moments, clip, source->tracks[t].times[k]);
        }
    }
    const VkskinAnimationClip *packed = model->packed.block ? modelPackedClip(model->packed.block, clip) : NULL;
    for (uint32_t row = 0; packed && row < packed->keyCount; row++) {
        addMoment(moments, clip, modelPackRowTime(model->packed.block, packed, row));
    }
}

/* Sorts the moments from `first` on, which are of one clip, removes equal ones, and fills gaps. */
static void completeClip(Moments *moments, size_t first) {
    size_t kept = first + 1;
    qsort(moments->rows + first, moments->count - first, sizeof(*moments->rows), compareMoments);
    for (size_t i = kept; i < moments->count; i++) {
        if (moments->rows[i].time > moments->rows[kept - 1].time) {
            moments->rows[kept++] = moments->rows[i];
        }
    }
    moments->count = kept;
    uint32_t more = 0;
    for (size_t i = first; i + 1 < kept && moments->good; i++) {
        const LodMoment from = moments->rows[i], to = moments->rows[i + 1];
        const double pieces = fmin(ceil((to.time - from.time) / MOMENT_GAP), MOMENTS_MORE);
        for (uint32_t piece = 1; piece < (uint32_t)pieces && more < MOMENTS_MORE; piece++, more++) {
            addMoment(moments, from.clip, from.time + (to.time - from.time) * piece / pieces);
        }
    }
}

/* Distances that are measured at a moment, and what they cost before that. */
static uint64_t workOfMoment(const Model *model) {
    uint64_t work = (uint64_t)model->nodeCount * NODE_WORK;
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelMesh *mesh = &model->meshes[model->parts[i].mesh];
        work += (uint64_t)mesh->vertexCount * (mesh->influences + mesh->lodCount);
        for (uint32_t l = 0; l < mesh->lodCount; l++) {
            work += (uint64_t)mesh->lods[l].vertexCount * 2 + (uint64_t)mesh->lods[l].indexCount / 3 * TRIANGLE_WORK;
        }
    }
    return work;
}

bool lodFindMoments(const Model *model, LodMoment **moments, size_t *count, EngineError *error) {
    Moments found = {.good = true};
    addMoment(&found, model->clipCount, 0.0);
    for (uint32_t clip = 0; clip < model->clipCount && found.good; clip++) {
        const size_t first = found.count;
        addKeys(model, clip, &found);
        if (found.good) {
            completeClip(&found, first);
        }
    }
    const uint64_t affordable = LOD_WORK_MAX / (workOfMoment(model) + 1) + 1;
    const size_t step = (size_t)((found.count + affordable - 1) / affordable);
    *count = 0;
    for (size_t i = 0; i < found.count && found.good; i += step) {
        found.rows[(*count)++] = found.rows[i];
    }
    *moments = found.rows;
    return found.good || engineFail(error, "out of memory");
}

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

/* The point of `to` that is nearest to a point of `from`. */
static SurfacePoint bindPoint(const Posed *from, const SurfacePoint *point, const Posed *to) {
    float place[SURFACE_AXES], normal[3];
    meanOf(from->places, SURFACE_AXES, point, place);
    meanOf(from->mesh->normals, 3, point, normal);
    return surfaceNearest(to->surface, place, normal);
}

/* A vertex that no triangle has is not seen. */
static void bindVertices(const Posed *fine, const Posed *coarse, bool *bound, Binding *binding) {
    for (uint32_t i = 0; i < fine->mesh->indexCount; i++) {
        const uint32_t vertex = fine->mesh->indices[i];
        if (!bound[vertex]) {
            const SurfacePoint point = vertexPoint(vertex);
            bound[vertex] = true;
            binding->pairs[binding->pairCount++] = (Pair){point, bindPoint(fine, &point, coarse)};
        }
    }
}

static void bindTriangles(const Posed *fine, const Posed *coarse, const ModelLod *lod, Binding *binding) {
    static const float WEIGHTS[TRIANGLE_WORK][3] = {
        {0.5f, 0.5f, 0.0f}, {0.0f, 0.5f, 0.5f}, {0.5f, 0.0f, 0.5f}, {1 / 3.0f, 1 / 3.0f, 1 / 3.0f}};
    for (uint32_t i = 0; i < lod->vertexCount; i++) {
        binding->pairs[binding->pairCount++] = (Pair){vertexPoint(lod->vertices[i]), vertexPoint(i)};
    }
    for (uint32_t i = 0; i < TRIANGLE_WORK * (lod->indexCount / 3); i++) {
        SurfacePoint point;
        memcpy(point.corners, &lod->indices[3 * (size_t)(i / TRIANGLE_WORK)], sizeof(point.corners));
        memcpy(point.weights, WEIGHTS[i % TRIANGLE_WORK], sizeof(point.weights));
        binding->pairs[binding->pairCount++] = (Pair){bindPoint(coarse, &point, fine), point};
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
    LodMoment bound[LOD_POSES]; /* moments that differ much; meshes are bound at the first ones */
    uint32_t boundCount;
    const LodMoment *moments;
    size_t momentCount;
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

/* marks: null, or those of the mesh in this level. */
static float largestDistance(const Binding *binding, const Pose *pose, float limit, uint8_t *marks) {
    float largest = 0.0f;
    for (size_t i = 0; i < binding->pairCount; i++) {
        float fine[3], coarse[3], squares = 0.0f;
        meanOf(pose->fine, 3, &binding->pairs[i].fine, fine);
        meanOf(pose->coarse, 3, &binding->pairs[i].coarse, coarse);
        for (int axis = 0; axis < 3; axis++) {
            squares += (fine[axis] - coarse[axis]) * (fine[axis] - coarse[axis]);
        }
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
                   .fine = engineAllocate(measure->largest, 3 * sizeof(*pose->fine), &error),
                   .coarse = engineAllocate(measure->largest, 3 * sizeof(*pose->coarse), &error)};
    return pose->local && pose->world && pose->weights && pose->fine && pose->coarse;
}

static void poseEnd(Pose *pose) {
    free(pose->local);
    free(pose->world);
    free(pose->weights);
    free(pose->fine);
    free(pose->coarse);
}

static void measureTask(void *data, uint32_t task) {
    Measure *measure = data;
    Pose pose;
    bool good = poseBegin(measure, &pose);
    float *errors = measure->errors + (size_t)task * measure->model->meshCount * measure->lodCount;
    for (size_t i = task; i < measure->momentCount && good; i += TASKS) {
        good = measureMoment(measure, &measure->moments[i], &pose, errors);
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
    const ModelMesh *mesh = &measure->model->meshes[part->mesh];
    const size_t most = (size_t)mesh->vertexCount + lod->vertexCount + TRIANGLE_WORK * ((size_t)lod->indexCount / 3);
    EngineError error;
    Pose pose;
    Posed fine = {0}, coarse = {0};
    bool *bound = engineAllocate(mesh->vertexCount, sizeof(*bound), &error);
    binding->pairs = engineAllocate(most, sizeof(*binding->pairs), &error);
    const bool good = poseBegin(measure, &pose) && bound && binding->pairs &&
                      posedBegin(measure, part, mesh, &pose, &fine) &&
                      posedBegin(measure, part, &binding->mesh, &pose, &coarse);
    if (good) {
        bindVertices(&fine, &coarse, bound, binding);
        bindTriangles(&fine, &coarse, lod, binding);
    }
    posedEnd(&fine);
    posedEnd(&coarse);
    poseEnd(&pose);
    free(bound);
    return good;
}

static void bindTask(void *data, uint32_t task) {
    Measure *measure = data;
    const uint32_t mesh = task / measure->lodCount, level = task % measure->lodCount;
    const ModelLod *lod = &measure->model->meshes[mesh].lods[level];
    const ModelPart *part = partOf(measure->model, mesh);
    Binding *binding = &measure->bindings[task];
    EngineError error;
    const bool seen = part && measure->model->meshes[mesh].indexCount > 0 && lod->indexCount > 0;
    if (!modelLodMesh(measure->model, mesh, level, &binding->mesh, &error) ||
        (seen && !bindMesh(measure, part, lod, binding))) {
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

bool lodMeasure(const Model *model, const LodMoment *moments, size_t count, float *errors, const LodMarks *marks,
                EngineError *error) {
    const uint32_t rows = model->meshCount * modelLodCount(model);
    Measure measure = {.model = model, .moments = moments, .momentCount = count, .marks = marks};
    measure.bindings = engineAllocate(rows, sizeof(*measure.bindings), error);
    measure.errors = engineAllocate((size_t)TASKS * rows, sizeof(*measure.errors), error);
    bool good = measure.bindings && measure.errors && beginMeasure(&measure, error);
    if (good && rows > 0) {
        parallelFor(NULL, rows, bindTask, &measure);
        if (!atomic_load(&measure.failed)) {
            parallelFor(NULL, TASKS, measureTask, &measure);
        }
        takeLargest(&measure, errors);
        good = !atomic_load(&measure.failed) || engineFail(error, "measuring the levels failed: out of memory");
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
