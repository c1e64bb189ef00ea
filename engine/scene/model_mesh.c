#include "model_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_fields.h"
#include "model_pose.h"

VkskinMeshDef meshDefOfModel(const ModelMesh *mesh) {
    static const uint32_t none; /* for a mesh without triangles: the pointer must not be null */
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.name = mesh->name;
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->boneCount;
    def.positions = mesh->positions;
    def.normals = mesh->normals;
    def.tangents = mesh->tangents;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.blendWeights = mesh->blendWeights;
    def.indexCount = mesh->indexCount;
    def.indices = mesh->indexCount > 0 ? mesh->indices : &none;
    return def;
}

VkskinMorphTarget *modelCreateMorphs(const ModelMesh *source, EngineError *error) {
    VkskinMorphTarget *morphs = engineAllocate(source->morphCount, sizeof(*morphs), error);
    for (uint32_t i = 0; i < source->morphCount && morphs; i++) {
        const ModelMorph *morph = &source->morphs[i];
        morphs[i] = (VkskinMorphTarget){.vertexCount = morph->vertexCount,
                                        .vertices = morph->vertices,
                                        .positions = morph->positions,
                                        .normals = morph->normals,
                                        .tangents = morph->tangents};
    }
    return morphs;
}

/* ---- Gathering ---- */

/* The old rows of an array that become rows 0, 1, 2 ... */
typedef struct Pick {
    const uint32_t *rows; /* [count] */
    size_t count;
    bool good; /* false after the first failed allocation */
} Pick;

/* Frees `from`. Returns null if `from` is null or memory is out. */
static void *gather(Pick *pick, void *from, size_t stride) {
    uint8_t *to = from && pick->good ? malloc(pick->count ? pick->count * stride : 1) : NULL;
    pick->good = pick->good && (to || !from);
    for (size_t i = 0; to && i < pick->count; i++) {
        memcpy(to + i * stride, (const uint8_t *)from + pick->rows[i] * stride, stride);
    }
    free(from);
    return to;
}

/* Gathers every array of `object` with one row per vertex. counter: offset of the struct's vertexCount. */
static void gatherArrays(Pick *pick, const ModelStruct *type, void *object, size_t counter) {
    for (size_t f = 0; f < type->fieldCount; f++) {
        const ModelField *field = &type->fields[f];
        if (field->kind == MODEL_ARRAY && field->count == counter) {
            void *from = modelFieldPointer(object, field);
            modelFieldSetPointer(object, field, gather(pick, from, modelFieldStride(object, field)));
        }
    }
}

/*
 * Fills rows[] with the kept rows of the morph and vertices[] with the new vertices that they move. Returns the count.
 * rows null: only counts. places[old vertex]: its row plus 1, or 0.
 */
static uint32_t findRows(const Pick *vertexPick, const uint32_t *places, uint32_t *rows, uint32_t *vertices) {
    uint32_t count = 0;
    for (size_t i = 0; i < vertexPick->count; i++) {
        uint32_t place = places[vertexPick->rows[i]];
        if (place == 0) {
            continue;
        }
        if (rows) {
            rows[count] = place - 1;
            vertices[count] = (uint32_t)i;
        }
        count++;
    }
    return count;
}

static bool gatherMorph(ModelMorph *morph, uint32_t vertexCount, const Pick *vertexPick) {
    uint32_t *places = calloc((size_t)vertexCount + 1, sizeof *places);
    if (!places) {
        return false;
    }
    for (uint32_t i = 0; i < morph->vertexCount; i++) {
        places[morph->vertices[i]] = i + 1;
    }
    uint32_t count = findRows(vertexPick, places, NULL, NULL);
    uint32_t *rows = malloc(((size_t)count + 1) * sizeof *rows);
    uint32_t *vertices = malloc(((size_t)count + 1) * sizeof *vertices);
    Pick pick = {rows, count, rows && vertices};
    if (pick.good) {
        findRows(vertexPick, places, rows, vertices);
    }
    gatherArrays(&pick, &modelMorphStruct, morph, offsetof(ModelMorph, vertexCount));
    free(morph->vertices);
    morph->vertices = vertices;
    morph->vertexCount = count;
    free(rows);
    free(places);
    return pick.good;
}

bool modelGatherVertices(ModelMesh *mesh, const uint32_t *origins, uint32_t count) {
    Pick pick = {origins, count, true};
    gatherArrays(&pick, &modelMeshStruct, mesh, offsetof(ModelMesh, vertexCount));
    for (uint32_t m = 0; m < mesh->morphCount && pick.good; m++) {
        pick.good = gatherMorph(&mesh->morphs[m], mesh->vertexCount, &pick);
    }
    mesh->vertexCount = count;
    return pick.good;
}

/* ---- Sorting ---- */

/* order[new vertex] = old vertex. places: scratch, [vertexCount]. */
static bool reorder(ModelMesh *mesh, const uint32_t *order, uint32_t *places) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        places[order[v]] = v;
    }
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] = places[mesh->indices[i]];
    }
    for (uint32_t l = 0; l < mesh->lodCount; l++) {
        for (uint32_t i = 0; i < mesh->lods[l].vertexCount; i++) {
            mesh->lods[l].vertices[i] = places[mesh->lods[l].vertices[i]];
        }
    }
    return modelGatherVertices(mesh, order, mesh->vertexCount);
}

static bool isSorted(const uint32_t *order, uint32_t count) {
    uint32_t v = 0;
    while (v < count && order[v] == v) {
        v++;
    }
    return v == count;
}

/* model: the owner of the mesh, if arrays of the mesh may lie in its image; or null. */
static bool sortMesh(const Model *model, ModelMesh *mesh) {
    uint32_t *order = malloc(((size_t)mesh->vertexCount + 1) * sizeof(*order));
    uint32_t *places = malloc(((size_t)mesh->vertexCount + 1) * sizeof(*places));
    bool good = order && places;
    if (good) {
        VkskinMeshDef def = meshDefOfModel(mesh);
        VkskinResult result = vkskinSortVertices(&def, NULL, order);
        good = result != VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        if (result >= 0 && !isSorted(order, mesh->vertexCount)) {
            good = (!model || modelOwnMesh(model, mesh)) && reorder(mesh, order, places);
        }
    }
    free(order);
    free(places);
    return good;
}

bool modelSortMesh(ModelMesh *mesh) {
    return sortMesh(NULL, mesh);
}

bool modelSortVertices(Model *model, EngineError *error) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        if (!sortMesh(model, &model->meshes[i])) {
            return engineFail(error, "out of memory");
        }
    }
    return true;
}

/* ---- Stretch ---- */

static double largestElement(const VkskinAffine *matrix) {
    double largest = 0.0;
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs((double)matrix->m[i / 3][i % 3]));
    }
    return largest;
}

/* The largest eigenvalue of a symmetric matrix, with the trigonometric method (Smith 1961). */
static double largestEigenvalue(double a[3][3]) {
    double mean = (a[0][0] + a[1][1] + a[2][2]) / 3.0, squares = 0.0;
    for (int i = 0; i < 3; i++) {
        a[i][i] -= mean;
    }
    for (int i = 0; i < 9; i++) {
        squares += a[i / 3][i % 3] * a[i / 3][i % 3];
    }
    double radius = sqrt(squares / 6.0);
    if (radius == 0.0) {
        return mean;
    }
    double half =
        (a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])) /
        (2.0 * radius * radius * radius);
    return mean + 2.0 * radius * cos(acos(fmax(-1.0, fmin(1.0, half))) / 3.0);
}

/* The largest factor by which a matrix lengthens a direction: the largest singular value of its 3x3 part. */
static double affineStretch(const VkskinAffine *matrix) {
    double size = largestElement(matrix), product[3][3] = {{0}}; /* dividing by size keeps squares in range */
    for (int r = 0; r < 3 && size > 0.0; r++) {
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                product[r][c] += (double)matrix->m[k][r] / size * ((double)matrix->m[k][c] / size);
            }
        }
    }
    return size * sqrt(fmax(largestEigenvalue(product), 0.0));
}

static VkskinAffine restWorld(const Model *model, uint32_t node) {
    VkskinAffine world = vkskinIdentityAffine();
    for (int32_t i = (int32_t)node; i >= 0; i = model->nodes[i].parent) {
        VkskinAffine rest = vkskinAffineFromTransform(&model->nodes[i].rest);
        world = vkskinMultiplyAffine(&rest, &world);
        world = vkskinMultiplyAffine(&model->nodes[i].preTransform, &world);
    }
    return world;
}

double modelStretch(const Model *model, uint32_t mesh) {
    double largest = 0.0;
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].mesh == mesh) {
            VkskinAffine world = restWorld(model, model->parts[i].node), meshToModel = modelMeshToModel(&world);
            largest = fmax(largest, affineStretch(&meshToModel));
        }
    }
    return largest > 0.0 ? largest : 1.0;
}

double modelWorstWeights(const Model *model, const ModelMesh **mesh) {
    double worst = 1.0, away = 1e-3;
    *mesh = NULL;
    for (uint32_t m = 0; m < model->meshCount; m++) {
        const ModelMesh *each = &model->meshes[m];
        for (size_t v = 0; v < each->vertexCount; v++) {
            double sum = 0.0;
            for (uint32_t i = 0; i < each->influences; i++) {
                sum += (double)each->weights[v * each->influences + i];
            }
            if (fabs(sum - 1.0) > away) {
                away = fabs(sum - 1.0);
                worst = sum;
                *mesh = each;
            }
        }
    }
    return worst;
}

/* ---- Places ---- */

typedef struct Placed {
    float position[3];
    uint32_t vertex;
} Placed;

static int comparePlaced(const void *a, const void *b) {
    const Placed *left = a, *right = b;
    const int order = memcmp(left->position, right->position, sizeof(left->position));
    return order != 0 ? order : (left->vertex > right->vertex) - (left->vertex < right->vertex);
}

bool modelFindPlaces(const float *positions, uint32_t count, uint32_t *places, EngineError *error) {
    Placed *rows = engineAllocate(count, sizeof(*rows), error);
    for (uint32_t i = 0; i < count && rows; i++) {
        memcpy(rows[i].position, &positions[3 * (size_t)i], sizeof(rows[i].position));
        rows[i].vertex = i;
    }
    if (rows) {
        qsort(rows, count, sizeof(*rows), comparePlaced);
    }
    for (uint32_t i = 0; i < count && rows; i++) {
        const bool same = i > 0 && memcmp(rows[i].position, rows[i - 1].position, sizeof(rows[i].position)) == 0;
        places[rows[i].vertex] = same ? places[rows[i - 1].vertex] : rows[i].vertex;
    }
    free(rows);
    return rows != NULL;
}
