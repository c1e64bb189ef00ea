#include "fuzz_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_objects.h"
#include "random.h"

#define MOST_VERTICES 4000u

/* Around the sizes of workgroups, and anything. */
static uint32_t vertexCount(Random *random) {
    static const uint32_t edges[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
    switch (randomBelow(random, 4)) {
    case 0:
        return edges[randomBelow(random, sizeof edges / sizeof edges[0])];
    case 1:
        return 1 + randomBelow(random, MOST_VERTICES);
    default:
        return 1 + randomBelow(random, 400);
    }
}

static uint32_t boneCount(Random *random, uint32_t most) {
    switch (randomBelow(random, 4)) {
    case 0:
        return 1;
    case 1:
        return most;
    case 2:
        return 1 + randomBelow(random, most);
    default:
        return 1 + randomBelow(random, most < 60 ? most : 60);
    }
}

/* The last bone moves the last vertex, and some others. */
static void nameLastBone(Random *random, ModelMesh *mesh) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        for (uint32_t i = 0; i < mesh->influences; i++) {
            size_t place = (size_t)v * mesh->influences + i;
            bool wanted = v == mesh->vertexCount - 1 || randomBelow(random, 8) == 0;
            if (wanted && mesh->weights[place] > 0.0f) {
                mesh->joints[place] = mesh->boneCount - 1;
            }
        }
    }
}

/* One in six has many. */
static uint32_t influenceCount(Random *random) {
    return 1 + randomBelow(random, randomBelow(random, 6) == 0 ? FUZZ_MAX_INFLUENCES : 6);
}

static ModelMesh anyMesh(Random *random, uint32_t maxBones) {
    uint32_t influences = influenceCount(random);
    RandomMeshDef def = {
        .vertexCount = vertexCount(random),
        .boneCount = boneCount(random, maxBones),
        .influences = influences,
        .minInfluences = randomBelow(random, 2) == 0 ? 1 : influences, /* fewer than the kernel reads, or none fewer */
        .normalised = randomBelow(random, 2) == 0,
    };
    ModelMesh mesh = randomMesh(random, &def);
    nameLastBone(random, &mesh);
    return mesh;
}

/* The joints in the smallest format that holds them, cut off where they have no weight. Null: as they are. */
static void *narrowJoints(const ModelMesh *mesh, VkskinJointFormat *format) {
    size_t count = (size_t)mesh->vertexCount * mesh->influences;
    size_t size = mesh->boneCount <= 256 ? 1 : 2;
    unsigned char *narrow = malloc(count * size);
    assert_non_null(narrow);
    for (size_t i = 0; i < count; i++) {
        memcpy(narrow + i * size, &mesh->joints[i], size); /* the low bytes come first */
    }
    *format = size == 1 ? VKSKIN_JOINTS_U8 : VKSKIN_JOINTS_U16;
    return narrow;
}

static void *newArray(size_t count, size_t size) {
    void *array = calloc(count, size);
    assert_non_null(array);
    return array;
}

static void makeFlat(ModelMesh *mesh) {
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        mesh->positions[3 * v + 2] = 0.0f;
    }
}

/* ---- Centres ---- */

/* Of triangles through the first vertices. Returns what vkskinCreateMesh takes, and keeps the centres. */
static unsigned char *newCentres(FuzzMesh *mesh, const VkskinMeshDef *def) {
    enum { HEAD = 32, MOST = 100 };
    uint32_t vertices = def->vertexCount;
    uint32_t triangles[3 * MOST];
    for (uint32_t i = 0; i < 3 * MOST; i++) {
        triangles[i] = (i / 3 + i % 3) % vertices;
    }
    VkskinSurfaceDef surface = vkskinDefaultSurfaceDef();
    surface.vertexCount = vertices;
    surface.boneCount = def->boneCount;
    surface.positions = def->positions;
    surface.influencesPerVertex = def->influencesPerVertex;
    surface.jointFormat = def->jointFormat;
    surface.joints = def->joints;
    surface.weights = def->weights;
    surface.indexCount = 3 * MOST;
    surface.indices = triangles;
    size_t size = vkskinCentresSize(vertices);
    unsigned char *centres = newArray(size, 1);
    assert_int_equal(vkskinComputeCentres(&surface, centres, size), VKSKIN_SUCCESS);
    mesh->centres = newArray(vertices, 3 * sizeof(float));
    memcpy(mesh->centres, centres + HEAD, vertices * 3 * sizeof(float));
    return centres;
}

/* ---- Morph targets ---- */

/* Any vertices, or those of a stretch of the mesh. */
static void makeMorph(Random *random, bool flat, const ModelMesh *model, FuzzMorph *morph) {
    uint32_t oneIn = 1 + randomBelow(random, 6);
    uint32_t first = randomBelow(random, 2) * randomBelow(random, model->vertexCount);
    uint32_t count = 1 + randomBelow(random, model->vertexCount - first);
    morph->moved = newArray(model->vertexCount, sizeof *morph->moved);
    morph->deltas = newArray(model->vertexCount, 3 * sizeof(float));
    morph->directions = newArray(model->vertexCount, 3 * sizeof(float));
    for (size_t v = 0; v < model->vertexCount; v++) {
        morph->moved[v] = v >= first && v - first < count && randomBelow(random, oneIn) == 0;
        for (size_t k = 0; k < 3 && morph->moved[v]; k++) {
            morph->deltas[3 * v + k] = flat && k == 2 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
            morph->directions[3 * v + k] = randomFloat(random, -0.3f, 0.3f);
        }
    }
}

/* The moved vertices alone, in descending order: any order must do. */
typedef struct Sparse {
    uint32_t *vertices;
    float *deltas;
    float *directions;
} Sparse;

static VkskinMorphTarget newSparse(const FuzzMorph *morph, uint32_t vertexCount, uint32_t dimensions, bool after,
                                   Sparse *sparse) {
    uint32_t count = 0;
    sparse->vertices = newArray(vertexCount, sizeof *sparse->vertices);
    sparse->deltas = newArray(vertexCount, 3 * sizeof(float));
    sparse->directions = newArray(vertexCount, 3 * sizeof(float));
    for (uint32_t v = vertexCount; v-- > 0;) {
        if (morph->moved[v]) {
            memcpy(sparse->deltas + (size_t)count * dimensions, morph->deltas + (size_t)3 * v, 4 * dimensions);
            memcpy(sparse->directions + (size_t)count * 3, morph->directions + (size_t)3 * v, 12);
            sparse->vertices[count++] = v;
        }
    }
    return (VkskinMorphTarget){.vertexCount = count,
                               .vertices = sparse->vertices,
                               .positions = sparse->deltas,
                               .normals = sparse->directions,
                               .tangents = sparse->directions,
                               .afterSkinning = after};
}

/* ---- The mesh ---- */

static bool needs(const FuzzShape *shape, VkskinMethod method) {
    return shape->ways[0].method == method || shape->ways[1].method == method;
}

static void paint(Random *random, ModelMesh *mesh) {
    mesh->blendWeights = newArray(mesh->vertexCount, sizeof(float));
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        mesh->blendWeights[v] = randomFloat(random, 0.0f, 1.0f);
    }
}

/* Some vertices lose their weights, and follow one bone. */
static void leaveUnweighted(Random *random, FuzzMesh *mesh) {
    ModelMesh *model = &mesh->model;
    mesh->unweightedBone = randomBelow(random, model->boneCount);
    for (uint32_t i = 0; i < 1 + model->vertexCount / 16; i++) {
        size_t vertex = randomBelow(random, model->vertexCount);
        memset(model->weights + vertex * model->influences, 0, model->influences * sizeof(float));
    }
}

static VkskinMeshDef chooseDef(Random *random, const FuzzShape *shape, FuzzMesh *mesh) {
    bool flat = shape->flat && randomBelow(random, 3) == 0;
    bool boneless = mesh->morphCount > 0 && randomBelow(random, 4) == 0;
    VkskinMeshDef def = modelMeshDef(&mesh->model);
    def.dimensions = flat ? 2 : 3;
    def.positionStride = 12;
    def.normals = !flat && shape->attributes >= 1 ? def.normals : NULL;
    def.tangents = !flat && shape->attributes == 2 ? def.tangents : NULL;
    def.normalRule = shape->normals;
    def.format = shape->format;
    def.previousPositions = randomBelow(random, 3) == 0;
    def.weightFormat = (VkskinWeightFormat)(randomBelow(random, 2) * randomBelow(random, 3));
    def.maxInfluences = mesh->maxInfluences;
    def.minWeight = mesh->minWeight;
    if (boneless) {
        def.boneCount = mesh->model.boneCount = 0;
    } else {
        def.unweightedBone = mesh->unweightedBone;
    }
    return def;
}

static VkskinResult createWith(VkskinContext context, Random *random, VkskinMeshDef *def, FuzzMesh *mesh) {
    VkskinMorphTarget targets[FUZZ_MORPHS];
    Sparse sparse[FUZZ_MORPHS] = {{0}};
    void *narrow = randomBelow(random, 2) == 0 ? narrowJoints(&mesh->model, &def->jointFormat) : NULL;
    def->joints = narrow != NULL ? narrow : def->joints;
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        targets[i] = newSparse(&mesh->morphs[i], def->vertexCount, def->dimensions, i > 0, &sparse[i]);
    }
    def->morphTargets = targets;
    def->morphTargetCount = mesh->morphCount;
    VkskinResult result = vkskinCreateMesh(context, def, &mesh->handle);
    free(narrow);
    for (uint32_t i = 0; i < FUZZ_MORPHS; i++) {
        free(sparse[i].vertices);
        free(sparse[i].deltas);
        free(sparse[i].directions);
    }
    return result;
}

void fuzzMeshCreate(Gpu *gpu, const FuzzContext *context, Random *random, uint32_t maxBones, FuzzMesh *mesh) {
    const FuzzShape *shape = &context->shape;
    *mesh = (FuzzMesh){.model = anyMesh(random, maxBones),
                       .maxInfluences = randomBelow(random, 2) == 0 ? 0 : 1 + randomBelow(random, 8),
                       .minWeight = randomBelow(random, 3) == 0 ? 0.1f : 0.0f,
                       .unweightedBone = VKSKIN_NO_BONE};
    mesh->morphCount = shape->morphs && randomBelow(random, 2) == 0 ? FUZZ_MORPHS : 0;
    if (randomBelow(random, 4) == 0) {
        leaveUnweighted(random, mesh);
    }
    VkskinMeshDef def = chooseDef(random, shape, mesh);
    if (def.dimensions == 2) {
        makeFlat(&mesh->model);
    } else if (needs(shape, VKSKIN_METHOD_PAINTED_BLEND)) {
        paint(random, &mesh->model);
        def.blendWeights = mesh->model.blendWeights;
    }
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        makeMorph(random, def.dimensions == 2, &mesh->model, &mesh->morphs[i]);
    }
    unsigned char *centres = NULL;
    if (def.dimensions == 3 && def.boneCount > 0 && needs(shape, VKSKIN_METHOD_CENTRES_OF_ROTATION)) {
        centres = newCentres(mesh, &def);
        def.centres = centres;
        def.centresSize = vkskinCentresSize(def.vertexCount);
    }
    VkskinResult result = createWith(context->context, random, &def, mesh);
    free(centres);
    if (result < 0) {
        GPU_VKSKIN(gpu, result);
    }
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context->context, mesh->handle, &mesh->info));
    fuzzContextKernels(gpu, context, mesh->handle);
}

void fuzzMeshDestroy(Gpu *gpu, VkskinContext context, FuzzMesh *mesh) {
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh->handle));
    fuzzMeshFree(mesh);
}

void fuzzMeshFree(FuzzMesh *mesh) {
    free(mesh->model.blendWeights);
    free(mesh->centres);
    for (uint32_t i = 0; i < FUZZ_MORPHS; i++) {
        free(mesh->morphs[i].moved);
        free(mesh->morphs[i].deltas);
        free(mesh->morphs[i].directions);
    }
    randomMeshFree(&mesh->model);
}

/* ---- Refusals ---- */

static VkskinResult spoilMesh(Random *random, ModelMesh *mesh) {
    size_t vertex = randomBelow(random, mesh->vertexCount);
    float *weights = &mesh->weights[vertex * mesh->influences];
    size_t weighted = 0; /* the first places are those with weight */
    switch (randomBelow(random, 5)) {
    case 0:
        mesh->joints[vertex * mesh->influences + weighted] =
            mesh->boneCount + randomBelow(random, UINT32_MAX - mesh->boneCount);
        return VKSKIN_ERROR_JOINT_OUT_OF_RANGE;
    case 1:
        weights[weighted] = NAN;
        return VKSKIN_ERROR_WEIGHT_NOT_FINITE;
    case 2:
        weights[weighted] = -weights[weighted];
        return VKSKIN_ERROR_WEIGHT_NEGATIVE;
    case 3:
        memset(weights, 0, mesh->influences * sizeof *weights);
        return VKSKIN_ERROR_WEIGHT_ZERO;
    default:
        mesh->positions[3 * vertex + 1] = INFINITY;
        return VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE;
    }
}

void fuzzMeshRefusal(Gpu *gpu, VkskinContext context, Random *random) {
    ModelMesh model = anyMesh(random, 100);
    VkskinMeshDef def = modelMeshDef(&model);
    const uint32_t past[2] = {0, model.vertexCount};
    const uint32_t twice[2] = {0, 0};
    bool morph = randomBelow(random, 3) == 0;
    const VkskinMorphTarget target = {.vertexCount = 2, .vertices = randomBelow(random, 2) == 0 ? past : twice};
    def.morphTargets = &target;
    def.morphTargetCount = morph ? 1 : 0;
    VkskinResult expected = morph ? VKSKIN_ERROR_MORPH_OUT_OF_RANGE : spoilMesh(random, &model);
    VkskinMesh mesh = {7, 7};
    gpu->log.count = 0;
    gpuCheckRefusal(gpu, "a bad mesh", vkskinCreateMesh(context, &def, &mesh), expected, "vertex");
    assert_int_equal(mesh.index, 0);
    randomMeshFree(&model);
}
