#include "model_lods.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshoptimizer.h>

#include "lod_error.h"
#include "model_bounds.h"
#include "model_levels.h"
#include "model_mesh.h"
#include "model_pose.h"
#include "splitmix.h"

#define CORRECTIONS 4 /* simplifications until the number of vertices is about right */
#define TOO_MANY    1.1
#define SNAP_CELLS  (1u << 15)
#define BEND        0.02f /* part of the height: see bendMesh */
#define GUARD       0.1f  /* part of the height: see guardVertices */
#define ROUNDS      4     /* measurements until levels with too large errors are left out */

/* ---- Simplifying ---- */

/* All meshes in the bind pose, one after another. */
typedef struct Whole {
    const Model *model;
    size_t *firstVertices; /* [meshCount + 1] */
    size_t indexCount;
    float *positions;
    uint32_t *indices, *simplified; /* [indexCount] */
    size_t simplifiedCount;
    uint32_t *numbers; /* [vertices]: of the kept vertices, plus 1; 0: not kept */
    float *moved;      /* the positions, with guarded vertices */
    uint32_t *places;  /* [vertices]: the first vertex at the same place */
    uint8_t **marks;   /* [meshCount][MODEL_LODS_MAX], each [vertexCount]: see lodMeasure */
    double height;
} Whole;

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

/*
 * The simplifier knows no bones: it would take a straight tail for a stick. So each vertex is moved by the mean of fixed random
 * directions of its bones, by up to `reach`. Where bones change, the surface is bent then, and keeps vertices.
 */
static void bendMesh(Whole *whole, uint32_t index, const uint32_t *nodes, float reach) {
    const ModelMesh *mesh = &whole->model->meshes[index];
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        float sum = 0.0f, moved[3] = {0.0f, 0.0f, 0.0f};
        for (uint32_t i = 0; i < mesh->influences; i++) {
            const uint32_t joint = mesh->joints[v * mesh->influences + i];
            const float weight = mesh->weights[v * mesh->influences + i];
            uint64_t state = nodes ? nodes[joint] : joint;
            sum += weight;
            for (int axis = 0; axis < 3; axis++) {
                moved[axis] += weight * randomSigned(&state);
            }
        }
        for (size_t axis = 0; axis < 3; axis++) {
            whole->positions[3 * (whole->firstVertices[index] + v) + axis] += reach * moved[axis] / sum;
        }
    }
}

/* Vertices at one place have one place after they are moved too. */
static bool bendWhole(Whole *whole, EngineError *error) {
    const size_t count = vertexTotal(whole);
    uint32_t *same = engineAllocate(count, 2 * sizeof(*same), error);
    if (!same) {
        return false;
    }
    uint32_t *first = same + count;
    meshopt_generateVertexRemap(same, NULL, count, whole->positions, count, 3 * sizeof(float));
    for (size_t v = count; v-- > 0;) {
        first[same[v]] = (uint32_t)v;
    }
    for (uint32_t i = 0; i < whole->model->meshCount; i++) {
        bendMesh(whole, i, modelMeshNodes(whole->model, i), BEND * (float)whole->height);
    }
    for (size_t v = 0; v < count; v++) {
        whole->places[v] = first[same[v]];
        memcpy(whole->positions + 3 * v, whole->positions + 3 * (size_t)whole->places[v], 3 * sizeof(float));
    }
    free(same);
    return true;
}

static void wholeEnd(Whole *whole) {
    free(whole->firstVertices);
    for (size_t i = 0; i < (size_t)whole->model->meshCount * MODEL_LODS_MAX && whole->marks; i++) {
        free(whole->marks[i]);
    }
    free(whole->marks);
    free(whole->positions);
    free(whole->moved);
    free(whole->places);
    free(whole->indices);
    free(whole->simplified);
    free(whole->numbers);
}

static bool wholeBegin(Whole *whole, const Model *model, EngineError *error) {
    size_t vertices = 0, indices = 0;
    *whole =
        (Whole){.model = model, .firstVertices = engineAllocate((size_t)model->meshCount + 1, sizeof(size_t), error)};
    for (uint32_t i = 0; i < model->meshCount && whole->firstVertices; i++) {
        vertices += model->meshes[i].vertexCount;
        indices += model->meshes[i].indexCount;
        whole->firstVertices[i + 1] = vertices;
    }
    if (vertices > UINT32_MAX) {
        return engineFail(error, "the model has too many vertices for levels of detail");
    }
    whole->positions = engineAllocate(vertices, 3 * sizeof(float), error);
    whole->indices = engineAllocate(indices, sizeof(uint32_t), error);
    whole->simplified = engineAllocate(indices, sizeof(uint32_t), error);
    whole->numbers = engineAllocate(vertices, sizeof(uint32_t), error);
    whole->moved = engineAllocate(vertices, 3 * sizeof(float), error);
    whole->places = engineAllocate(vertices, sizeof(uint32_t), error);
    whole->marks = engineAllocate((size_t)model->meshCount * MODEL_LODS_MAX, sizeof(*whole->marks), error);
    ModelPalettes palettes = {0};
    bool good = whole->firstVertices && whole->positions && whole->indices && whole->simplified && whole->numbers &&
                whole->moved && whole->places && whole->marks && modelHeight(model, &whole->height, error) &&
                modelFindPalettes(model, &palettes, error);
    for (size_t i = 0; i < (size_t)model->meshCount * MODEL_LODS_MAX && good; i++) {
        whole->marks[i] = engineAllocate(model->meshes[i / MODEL_LODS_MAX].vertexCount, 1, error);
        good = whole->marks[i] != NULL;
    }
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        const VkskinAffine place = placeOf(model, &palettes, i);
        addMesh(whole, i, &place);
    }
    modelFreePalettes(&palettes);
    if (good) {
        snapWhole(whole);
    }
    return good && bendWhole(whole, error);
}

/* Numbers the vertices of the simplified triangles, mesh by mesh. Returns their number. */
static size_t numberVertices(Whole *whole) {
    size_t count = 0;
    memset(whole->numbers, 0, vertexTotal(whole) * sizeof(*whole->numbers));
    for (size_t i = 0; i < whole->simplifiedCount; i++) {
        whole->numbers[whole->simplified[i]] = 1;
    }
    for (size_t v = 0; v < vertexTotal(whole); v++) {
        count += whole->numbers[v];
    }
    return count;
}

/* Moves the places of vertices that had too large an error in this level away from the surface: the simplifier then keeps
 * them. */
static void guardVertices(Whole *whole, uint32_t level) {
    const size_t count = vertexTotal(whole);
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): wholeBegin allocated both */
    memcpy(whole->moved, whole->positions, count * 3 * sizeof(float));
    for (uint32_t i = 0; i < whole->model->meshCount; i++) {
        const uint8_t *marks = whole->marks[(size_t)i * MODEL_LODS_MAX + level];
        for (size_t v = 0; v < whole->model->meshes[i].vertexCount; v++) {
            const float *normal = whole->model->meshes[i].normals + 3 * v;
            const size_t place = whole->places[whole->firstVertices[i] + v];
            for (size_t axis = 0; axis < 3 && marks[v] != 0; axis++) {
                whole->moved[3 * place + axis] =
                    whole->positions[3 * place + axis] + GUARD * (float)whole->height * normal[axis];
            }
        }
    }
    for (size_t v = 0; v < count; v++) {
        memcpy(whole->moved + 3 * v, whole->moved + 3 * (size_t)whole->places[v], 3 * sizeof(float));
    }
}

/* About 1/share of the vertices. Seams keep more vertices than triangles, so the number of triangles is corrected. */
static void simplify(Whole *whole, uint32_t level) {
    const uint32_t share = 2u << level;
    const size_t stride = 3 * sizeof(float);
    const double scale = (double)meshopt_simplifyScale(whole->positions, vertexTotal(whole), stride);
    const float limit = scale > 0.0 ? (float)fmin(MODEL_LOD_ERROR_MAX * whole->height / scale, 1.0) : 0.0f;
    const double wanted = (double)vertexTotal(whole) / share;
    double target = (double)whole->indexCount / share;
    guardVertices(whole, level);
    for (int i = 0; i < CORRECTIONS; i++) {
        const size_t indices = (size_t)target / 3 * 3;
        whole->simplifiedCount = meshopt_simplify(whole->simplified, whole->indices, whole->indexCount, whole->moved,
                                                  vertexTotal(whole), stride, indices, limit, 0, NULL);
        const double found = (double)numberVertices(whole);
        if (found <= TOO_MANY * wanted || whole->simplifiedCount > indices + 3) { /* as wanted, or the limit stops it */
            break;
        }
        target *= wanted / found;
    }
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
static uint32_t takeTriangles(const Whole *whole, uint32_t mesh, uint32_t *indices) {
    const size_t first = whole->firstVertices[mesh], end = whole->firstVertices[mesh + 1];
    uint32_t count = 0;
    for (size_t i = 0; i < whole->simplifiedCount; i += 3) {
        const uint32_t *corners = &whole->simplified[i];
        bool inside = true; /* triangles between meshes, which the simplifier does not make, would be dropped */
        for (int c = 0; c < 3; c++) {
            inside = inside && corners[c] >= first && corners[c] < end;
        }
        for (int c = 0; c < 3 && inside; c++) {
            indices[count++] = (uint32_t)(corners[c] - first);
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

static bool addLod(const Whole *whole, uint32_t index, uint32_t influences, EngineError *error) {
    ModelMesh *mesh = &whole->model->meshes[index];
    uint32_t *numbers = engineAllocate(mesh->vertexCount, sizeof(*numbers), error);
    ModelLod *lod = &mesh->lods[mesh->lodCount++];
    *lod = (ModelLod){.influences = influences,
                      .vertices = engineAllocate(mesh->vertexCount, sizeof(uint32_t), error),
                      .indices = engineAllocate((size_t)mesh->indexCount + 3, sizeof(uint32_t), error)};
    const bool good = numbers && lod->vertices && lod->indices;
    if (good) {
        lod->indexCount = takeTriangles(whole, index, lod->indices);
        takeVertices(mesh, lod, numbers);
    }
    free(numbers);
    return good && sortLod(whole->model, index, mesh->lodCount - 1, error);
}

/* ---- Choosing ---- */

static void freeLod(ModelLod *lod) {
    free(lod->vertices);
    free(lod->indices);
}

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

static bool makeAll(Whole *whole, uint32_t wanted, EngineError *error) {
    const Model *model = whole->model;
    bool good = true;
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        model->meshes[i].lods = engineAllocate(wanted, sizeof(ModelLod), error);
        good = model->meshes[i].lods != NULL;
    }
    for (uint32_t l = 0; l < wanted && good; l++) {
        simplify(whole, l);
        for (uint32_t i = 0; i < model->meshCount && good; i++) {
            good = addLod(whole, i, MODEL_LOD_INFLUENCES >> l, error);
        }
    }
    return good;
}

/* *above: whether a level has a larger error than allowed. */
static bool measureAll(Whole *whole, uint32_t wanted, bool *above, EngineError *error) {
    const Model *model = whole->model;
    LodMoment *moments = NULL;
    size_t momentCount = 0;
    float *errors = engineAllocate((size_t)model->meshCount * wanted, sizeof(*errors), error);
    const LodMarks marks = {.limit = (float)(MODEL_LOD_ERROR_MAX * whole->height), .rows = whole->marks};
    const bool good = errors && lodFindMoments(model, &moments, &momentCount, error) &&
                      lodMeasure(model, moments, momentCount, errors, &marks, error);
    *above = false;
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        for (uint32_t l = 0; l < wanted; l++) {
            const float measured = errors[(size_t)i * wanted + l];
            model->meshes[i].lods[l].error = isfinite(measured) ? measured : FLT_MAX;
            *above = *above || measured > marks.limit;
        }
    }
    free(moments);
    free(errors);
    return good;
}

/* Makes the levels anew while vertices that they lack make an error too large. */
static bool makeAndMeasure(Model *model, uint32_t wanted, EngineError *error) {
    Whole whole;
    bool good = wholeBegin(&whole, model, error), above = true;
    for (int round = 0; round < ROUNDS && above && good; round++) {
        removeLods(model);
        good = makeAll(&whole, wanted, error) && measureAll(&whole, wanted, &above, error);
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
        snprintf(tried->reason, sizeof(tried->reason), "its error is %.3g %% of the height, above %g %%",
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
