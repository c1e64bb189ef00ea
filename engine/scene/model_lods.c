#include "model_lods.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshoptimizer.h>

#include "lod_error.h"
#include "model_bounds.h"
#include "model_levels.h"
#include "model_mesh.h"
#include "model_pose.h"
#include "parallel.h"
#include "simplify.h"

#define SNAP_CELLS (1u << 15)
#define SHADED     0.02f /* part of the height: by so much a vertex may move rather than turn its normal by a radian */
#define ROUNDS     4     /* measurements until levels with too large errors are left out */

/* ---- Simplifying ---- */

/* All meshes in the bind pose, one after another. */
typedef struct Whole {
    const Model *model;
    size_t *firstVertices; /* [meshCount + 1] */
    size_t indexCount;
    float *positions;
    float *posed;                  /* [LOD_POSES][vertices][3] */
    float *coarse[MODEL_LODS_MAX]; /* the same with the influences of each level */
    uint32_t poseCount;
    float *attributes; /* [vertices][SIMPLIFY_ATTRIBUTES] */
    uint32_t *meshes;  /* [vertices] */
    uint32_t *indices; /* [indexCount] */
    uint32_t *places;  /* [vertices]: the first vertex at the same place */
    uint8_t **marks;   /* [meshCount][MODEL_LODS_MAX], each [vertexCount]: see lodMeasure */
    double height;
    uint32_t todo; /* one bit for each level that is to be made */
    atomic_bool failed;
} Whole;

/* All triangles in a level. */
typedef struct Simplified {
    uint32_t *indices; /* [Whole.indexCount] */
    size_t count;
    uint8_t *kept; /* [vertices] */
} Simplified;

static size_t vertexTotal(const Whole *whole) {
    return whole->firstVertices[whole->model->meshCount];
}

/* Where a mesh stands, by the first part that shows it. */
static VkskinAffine placeOf(const Model *model, const ModelPalettes *palettes, uint32_t mesh) {
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].mesh == mesh) {
            return palettes->places[i];
        }
    }
    return vkskinIdentityAffine();
}

static void addMesh(Whole *whole, uint32_t index, const VkskinAffine *place) {
    const ModelMesh *mesh = &whole->model->meshes[index];
    const size_t first = whole->firstVertices[index];
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        const float *p = &mesh->positions[3 * v];
        for (size_t row = 0; row < 3; row++) {
            const float *m = place->m[row], sum = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
            whole->positions[3 * (first + v) + row] = isfinite(sum) ? sum : 0.0f;
        }
    }
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        whole->indices[whole->indexCount++] = (uint32_t)first + mesh->indices[i];
    }
}

/* The length of the mesh's edges in positions by that in texture coordinates; 0: it has none. */
static float lengthOfTexcoords(const ModelMesh *mesh) {
    double lengths[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < mesh->indexCount && mesh->texcoords; i++) {
        const size_t a = mesh->indices[i], b = mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        const float *p = &mesh->positions[3 * a], *q = &mesh->positions[3 * b];
        lengths[0] += sqrt(pow((double)p[0] - q[0], 2) + pow((double)p[1] - q[1], 2) + pow((double)p[2] - q[2], 2));
        lengths[1] += hypot((double)mesh->texcoords[2 * a] - mesh->texcoords[2 * b],
                            (double)mesh->texcoords[2 * a + 1] - mesh->texcoords[2 * b + 1]);
    }
    return lengths[1] > 0.0 ? (float)(lengths[0] / lengths[1]) : 0.0f;
}

static void addAttributes(Whole *whole, uint32_t index) {
    const ModelMesh *mesh = &whole->model->meshes[index];
    const float scale = lengthOfTexcoords(mesh), shaded = SHADED * (float)whole->height;
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        float *row = whole->attributes + SIMPLIFY_ATTRIBUTES * (whole->firstVertices[index] + v);
        for (size_t i = 0; i < 3; i++) {
            row[i] = shaded * mesh->normals[3 * v + i];
        }
        for (size_t i = 0; i < 2 && scale > 0.0f; i++) {
            row[3 + i] = scale * mesh->texcoords[2 * v + i];
        }
        whole->meshes[whole->firstVertices[index] + v] = index;
    }
}

/* Vertices of mirrored halves and of neighbouring meshes often differ in the last bits: they get one place, so that the
 * simplifier sees that the surface goes on. */
static void snapWhole(Whole *whole) {
    const size_t numbers = 3 * vertexTotal(whole);
    float largest = 0.0f;
    for (size_t i = 0; i < numbers; i++) {
        largest = fmaxf(largest, fabsf(whole->positions[i]));
    }
    const float cell = largest / (float)SNAP_CELLS;
    for (size_t i = 0; i < numbers && cell > 0.0f; i++) {
        whole->positions[i] = cell * rintf(whole->positions[i] / cell) + 0.0f; /* no -0 */
    }
}

static void wholeEnd(Whole *whole) {
    free(whole->firstVertices);
    for (size_t i = 0; i < (size_t)whole->model->meshCount * MODEL_LODS_MAX && whole->marks; i++) {
        free(whole->marks[i]);
    }
    free(whole->marks);
    free(whole->positions);
    free(whole->posed);
    for (uint32_t l = 0; l < MODEL_LODS_MAX; l++) {
        free(whole->coarse[l]);
    }
    free(whole->attributes);
    free(whole->meshes);
    free(whole->places);
    free(whole->indices);
}

/* While the model has no levels: so all are posed at the same moments. */
static bool poseWhole(Whole *whole, uint32_t levels, EngineError *error) {
    bool good = lodPose(whole->model, UINT32_MAX, whole->posed, &whole->poseCount, error);
    for (uint32_t l = 0; l < levels && good; l++) {
        whole->coarse[l] = engineAllocate(vertexTotal(whole), sizeof(float[LOD_POSES][3]), error);
        good = whole->coarse[l] &&
               lodPose(whole->model, MODEL_LOD_INFLUENCES >> l, whole->coarse[l], &whole->poseCount, error);
    }
    return good;
}

static bool wholeBegin(Whole *whole, const Model *model, uint32_t levels, EngineError *error) {
    size_t vertices = 0, indices = 0;
    *whole =
        (Whole){.model = model, .firstVertices = engineAllocate((size_t)model->meshCount + 1, sizeof(size_t), error)};
    for (uint32_t i = 0; i < model->meshCount && whole->firstVertices; i++) {
        vertices += model->meshes[i].vertexCount;
        indices += model->meshes[i].indexCount;
        whole->firstVertices[i + 1] = vertices;
    }
    if (vertices > UINT32_MAX || indices > UINT32_MAX) {
        return engineFail(error, "the model has too many vertices for levels of detail");
    }
    whole->positions = engineAllocate(vertices, 3 * sizeof(float), error);
    whole->indices = engineAllocate(indices, sizeof(uint32_t), error);
    whole->attributes = engineAllocate(vertices, SIMPLIFY_ATTRIBUTES * sizeof(float), error);
    whole->posed = engineAllocate(vertices, sizeof(float[LOD_POSES][3]), error);
    whole->meshes = engineAllocate(vertices, sizeof(uint32_t), error);
    whole->places = engineAllocate(vertices, sizeof(uint32_t), error);
    whole->marks = engineAllocate((size_t)model->meshCount * MODEL_LODS_MAX, sizeof(*whole->marks), error);
    ModelPalettes palettes = {0};
    bool good = whole->firstVertices && whole->positions && whole->posed && whole->attributes && whole->meshes &&
                whole->indices && whole->places && whole->marks && modelHeight(model, &whole->height, error) &&
                modelFindPalettes(model, &palettes, error);
    for (size_t i = 0; i < (size_t)model->meshCount * MODEL_LODS_MAX && good; i++) {
        whole->marks[i] = engineAllocate(model->meshes[i / MODEL_LODS_MAX].vertexCount, 1, error);
        good = whole->marks[i] != NULL;
    }
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        const VkskinAffine place = placeOf(model, &palettes, i);
        addMesh(whole, i, &place);
        addAttributes(whole, i);
    }
    modelFreePalettes(&palettes);
    if (good) {
        snapWhole(whole);
    }
    return good && modelFindPlaces(whole->positions, (uint32_t)vertexTotal(whole), whole->places, error) &&
           poseWhole(whole, levels, error);
}

/* The places of vertices that had too large an error in this level stay. */
static void keepMarked(const Whole *whole, uint32_t level, uint8_t *kept) {
    for (uint32_t i = 0; i < whole->model->meshCount; i++) {
        const uint8_t *marks = whole->marks[(size_t)i * MODEL_LODS_MAX + level];
        for (size_t v = 0; v < whole->model->meshes[i].vertexCount; v++) {
            kept[whole->places[whole->firstVertices[i] + v]] |= marks[v];
        }
    }
}

/* To about 1/share of the vertices. */
static bool simplify(const Whole *whole, uint32_t level, Simplified *made, EngineError *error) {
    const SimplifyDef def = {.vertexCount = vertexTotal(whole),
                             .positions = whole->positions,
                             .posed = whole->posed,
                             .coarse = whole->coarse[level],
                             .poseCount = whole->poseCount,
                             .attributes = whole->attributes,
                             .places = whole->places,
                             .meshes = whole->meshes,
                             .kept = made->kept,
                             .wanted = vertexTotal(whole) >> (level + 1),
                             .limit = MODEL_LOD_ERROR_MAX * whole->height};
    keepMarked(whole, level, made->kept);
    memcpy(made->indices, whole->indices, whole->indexCount * sizeof(*whole->indices));
    made->count = whole->indexCount;
    return simplifyTriangles(&def, made->indices, &made->count, error);
}

/* ---- A mesh in a level ---- */

static double areaOf(const ModelMesh *mesh, size_t first) {
    const float *a = &mesh->positions[3 * (size_t)mesh->indices[first]],
                *b = &mesh->positions[3 * (size_t)mesh->indices[first + 1]],
                *c = &mesh->positions[3 * (size_t)mesh->indices[first + 2]];
    double u[3], v[3], squares = 0.0;
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - a[i];
        v[i] = (double)c[i] - a[i];
    }
    for (int i = 0; i < 3; i++) {
        const double cross = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
        squares += cross * cross;
    }
    return squares;
}

/* Keeps the largest triangle of a mesh that has lost all of them. Returns the number of indices: 3 or 0. */
static uint32_t largestTriangle(const ModelMesh *mesh, uint32_t *indices) {
    size_t largest = 0;
    for (size_t i = 3; i + 2 < mesh->indexCount; i += 3) {
        largest = areaOf(mesh, i) > areaOf(mesh, largest) ? i : largest;
    }
    const uint32_t count = mesh->indexCount > 0 ? 3 : 0;
    memcpy(indices, mesh->indices + largest, count * sizeof(*indices));
    return count;
}

/* The triangles of a mesh, in its own numbers. indices: room for all of them, at least 3 */
static uint32_t takeTriangles(const Whole *whole, const Simplified *from, uint32_t mesh, uint32_t *indices) {
    uint32_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (whole->meshes[from->indices[i]] == mesh) {
            indices[count++] = (uint32_t)(from->indices[i] - whole->firstVertices[mesh]);
        }
    }
    return count > 0 ? count : largestTriangle(&whole->model->meshes[mesh], indices);
}

/* Renumbers the indices, so that vertices that no triangle has are left out. numbers: zeros, [vertexCount of the mesh] */
static void takeVertices(const ModelMesh *mesh, ModelLod *lod, uint32_t *numbers) {
    for (uint32_t i = 0; i < lod->indexCount; i++) {
        numbers[lod->indices[i]] = 1;
    }
    numbers[0] |= lod->indexCount == 0; /* meshes without triangles have a vertex too */
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        if (numbers[v] != 0) {
            lod->vertices[lod->vertexCount] = v;
            numbers[v] = lod->vertexCount++;
        }
    }
    for (uint32_t i = 0; i < lod->indexCount; i++) {
        lod->indices[i] = numbers[lod->indices[i]];
    }
}

/* The order of vkskinSortVertices; the one of the mesh where the library refuses it. */
static bool sortLod(const Model *model, uint32_t mesh, uint32_t index, EngineError *error) {
    ModelLod *lod = &model->meshes[mesh].lods[index];
    ModelMesh made = {0};
    uint32_t *order = engineAllocate(lod->vertexCount, 3 * sizeof(*order), error);
    bool good = order && modelLodMesh(model, mesh, index, &made, error);
    if (good) {
        const VkskinMeshDef def = meshDefOfModel(&made);
        uint32_t *places = order + lod->vertexCount, *old = places + lod->vertexCount;
        memcpy(old, lod->vertices, lod->vertexCount * sizeof(*old));
        const bool sorted = vkskinSortVertices(&def, NULL, order) >= 0;
        for (uint32_t v = 0; v < lod->vertexCount && sorted; v++) {
            places[order[v]] = v;
            lod->vertices[v] = old[order[v]];
        }
        for (uint32_t i = 0; i < lod->indexCount && sorted; i++) {
            lod->indices[i] = places[lod->indices[i]];
        }
        meshopt_optimizeVertexCache(lod->indices, lod->indices, lod->indexCount, lod->vertexCount);
    }
    modelFreeMesh(&made);
    free(order);
    return good;
}

static void freeLod(ModelLod *lod) {
    free(lod->vertices);
    free(lod->indices);
}

/* Replaces the level, which may be zeros. */
static bool setLod(const Whole *whole, const Simplified *from, uint32_t mesh, uint32_t index, EngineError *error) {
    const ModelMesh *full = &whole->model->meshes[mesh];
    uint32_t *numbers = engineAllocate(full->vertexCount, sizeof(*numbers), error);
    ModelLod *lod = &full->lods[index];
    freeLod(lod);
    *lod = (ModelLod){.influences = MODEL_LOD_INFLUENCES >> index,
                      .vertices = engineAllocate(full->vertexCount, sizeof(uint32_t), error),
                      .indices = engineAllocate((size_t)full->indexCount + 3, sizeof(uint32_t), error)};
    const bool good = numbers && lod->vertices && lod->indices;
    if (good) {
        lod->indexCount = takeTriangles(whole, from, mesh, lod->indices);
        takeVertices(full, lod, numbers);
    }
    free(numbers);
    return good && sortLod(whole->model, mesh, index, error);
}

/* ---- Choosing ---- */

static void removeLods(Model *model) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        ModelMesh *mesh = &model->meshes[i];
        for (uint32_t l = 0; l < mesh->lodCount; l++) {
            freeLod(&mesh->lods[l]);
        }
        free(mesh->lods);
        mesh->lods = NULL;
        mesh->lodCount = 0;
    }
}

static void removeLod(Model *model, uint32_t index) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        ModelMesh *mesh = &model->meshes[i];
        freeLod(&mesh->lods[index]);
        mesh->lodCount--;
        memmove(&mesh->lods[index], &mesh->lods[index + 1], (mesh->lodCount - index) * sizeof(*mesh->lods));
    }
}

static void makeTask(void *data, uint32_t level) {
    Whole *whole = data;
    EngineError error;
    if ((whole->todo >> level & 1u) == 0) {
        return;
    }
    Simplified made = {.indices = engineAllocate(whole->indexCount, sizeof(*made.indices), &error),
                       .kept = engineAllocate(vertexTotal(whole), 1, &error)};
    bool good = made.indices && made.kept && simplify(whole, level, &made, &error);
    for (uint32_t i = 0; i < whole->model->meshCount && good; i++) {
        good = setLod(whole, &made, i, level, &error);
    }
    free(made.indices);
    free(made.kept);
    if (!good) {
        atomic_store(&whole->failed, true);
    }
}

static bool addLods(const Model *model, uint32_t count, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        model->meshes[i].lods = engineAllocate(count, sizeof(ModelLod), error);
        model->meshes[i].lodCount = count;
        good = model->meshes[i].lods != NULL;
    }
    return good;
}

/* Levels above the limit are to be made again. */
static bool measureAll(Whole *whole, uint32_t wanted, EngineError *error) {
    const Model *model = whole->model;
    LodMoment *moments = NULL;
    size_t momentCount = 0;
    float *errors = engineAllocate((size_t)model->meshCount * wanted, sizeof(*errors), error);
    const LodMarks marks = {
        .limit = (float)(MODEL_LOD_ERROR_MAX * whole->height), .rows = whole->marks, .levels = whole->todo};
    const bool good = errors && lodFindMoments(model, &moments, &momentCount, error) &&
                      lodMeasure(model, moments, momentCount, errors, &marks, error);
    whole->todo = 0;
    for (uint32_t i = 0; i < model->meshCount * wanted && good; i++) {
        if (marks.levels >> i % wanted & 1u) {
            model->meshes[i / wanted].lods[i % wanted].error = isfinite(errors[i]) ? errors[i] : FLT_MAX;
            whole->todo |= errors[i] <= marks.limit ? 0 : 1u << i % wanted;
        }
    }
    free(moments);
    free(errors);
    return good;
}

/* Makes the levels anew while vertices that they lack make an error too large. */
static bool makeAndMeasure(Model *model, uint32_t wanted, EngineError *error) {
    Whole whole;
    removeLods(model); /* lists of none */
    bool good = wholeBegin(&whole, model, wanted, error) && addLods(model, wanted, error);
    whole.todo = (1u << wanted) - 1;
    for (int round = 0; round < ROUNDS && whole.todo != 0 && good; round++) {
        parallelFor(NULL, wanted, makeTask, &whole);
        good = (!atomic_load(&whole.failed) || engineFail(error, "making the levels failed: out of memory")) &&
               measureAll(&whole, wanted, error);
    }
    wholeEnd(&whole);
    return good;
}

static uint64_t lodVertices(const Model *model, uint32_t lod) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): makeAll made the levels */
        count += model->meshes[i].lods[lod].vertexCount;
    }
    return count;
}

/* Writes why a level is left out. */
static void judge(ModelLodTry *tried, uint64_t before, double height) {
    const double removed = 1.0 - (double)tried->vertexCount / (double)before;
    if (!(tried->error <= MODEL_LOD_ERROR_MAX * height)) {
        snprintf(tried->reason, sizeof(tried->reason), "its error is at least %.3g %% of the height, above %g %%",
                 100.0 * tried->error / height, 100.0 * MODEL_LOD_ERROR_MAX);
    } else if (removed < MODEL_LOD_REMOVED) {
        snprintf(tried->reason, sizeof(tried->reason), "it removes %.3g %% of the vertices before it, below %g %%",
                 100.0 * fmax(removed, 0.0), 100.0 * MODEL_LOD_REMOVED);
    }
}

bool modelMakeLods(Model *model, uint32_t wanted, ModelLodTry *tries, EngineError *error) {
    double height;
    uint64_t before = 0;
    uint32_t kept = 0;
    memset(tries, 0, wanted * sizeof(*tries));
    if (wanted == 0 || model->meshCount == 0) {
        return true;
    }
    if (!modelHeight(model, &height, error) || !makeAndMeasure(model, wanted, error)) {
        removeLods(model);
        return false;
    }
    for (uint32_t i = 0; i < model->meshCount; i++) {
        before += model->meshes[i].vertexCount;
    }
    for (uint32_t i = 0; i < wanted; i++) {
        tries[i] = (ModelLodTry){.share = 2u << i, .vertexCount = lodVertices(model, kept)};
        for (uint32_t m = 0; m < model->meshCount; m++) {
            tries[i].error = fmax(tries[i].error, (double)model->meshes[m].lods[kept].error);
        }
        judge(&tries[i], before, height);
        if (tries[i].reason[0] != '\0') {
            removeLod(model, kept);
        } else {
            before = lodVertices(model, kept++);
        }
    }
    return true;
}
