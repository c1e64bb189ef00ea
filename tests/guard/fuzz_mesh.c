#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "meshes.h"
#include "random.h"
#include "vertex_error.h"

#define MOST_VERTICES 4000u

/* Around the workgroup sizes, or anything. */
static uint32_t vertexCount(Random *random) {
    static const uint32_t edges[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
    switch (randomBelow(random, 4)) {
    case 0:
        return edges[randomBelow(random, COUNT_OF(edges))];
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

/* The last bone moves the last vertex and some others. */
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
        .minInfluences = randomBelow(random, 2) == 0 ? 1 : influences, /* fewer than the kernel reads, or as many */
        .normalised = randomBelow(random, 2) == 0,
    };
    ModelMesh mesh = randomMesh(random, &def);
    nameLastBone(random, &mesh);
    return mesh;
}

/* The narrowest format that holds the joints, or 32 bits. */
static VkskinJointFormat jointFormat(Random *random, const ModelMesh *mesh) {
    return randomBelow(random, 2) != 0 ? VKSKIN_JOINTS_U32
           : mesh->boneCount <= 256    ? VKSKIN_JOINTS_U8
           : mesh->boneCount <= 65536  ? VKSKIN_JOINTS_U16
                                       : VKSKIN_JOINTS_U32;
}

static void makeFlat(ModelMesh *mesh) {
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        mesh->positions[3 * v + 2] = 0.0f;
    }
}

/* ---- Centres ---- */

/* Of triangles through the first vertices. */
static void addCentres(FuzzMesh *mesh, MeshInput *input) {
    enum { CORNERS = 300 };
    uint32_t triangles[CORNERS];
    for (uint32_t i = 0; i < CORNERS; i++) {
        triangles[i] = (i / 3 + i % 3) % mesh->model.vertexCount;
    }
    meshInputAddCentres(input, triangles, CORNERS, NULL);
    size_t bytes = (size_t)mesh->model.vertexCount * 3 * sizeof(float);
    mesh->centres = newZeros(1, bytes);
    memcpy(mesh->centres, (const char *)input->centres + MESH_CENTRES_HEAD, bytes);
}

/* ---- Morph targets ---- */

/* Any vertices, or those of a stretch of the mesh, in descending order: any order is allowed. */
static void makeMorph(Random *random, bool flat, uint32_t vertexCount, ModelMorph *morph) {
    uint32_t oneIn = 1 + randomBelow(random, 6);
    uint32_t first = randomBelow(random, 2) * randomBelow(random, vertexCount);
    uint32_t end = first + 1 + randomBelow(random, vertexCount - first);
    morph->vertices = newZeros(vertexCount, sizeof *morph->vertices);
    morph->positions = newZeros(vertexCount, 3 * sizeof *morph->positions);
    morph->normals = newZeros(vertexCount, 3 * sizeof *morph->normals);
    morph->tangents = morph->normals;
    for (uint32_t v = end; v-- > first;) {
        if (randomBelow(random, oneIn) == 0) {
            size_t at = 3 * (size_t)morph->vertexCount;
            for (size_t k = 0; k < 3; k++) {
                morph->positions[at + k] = flat && k == 2 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
                morph->normals[at + k] = randomFloat(random, -0.3f, 0.3f);
            }
            morph->vertices[morph->vertexCount++] = v;
        }
    }
}

/* ---- The mesh ---- */

static bool needs(const FuzzShape *shape, VkskinMethod method) {
    return shape->ways[0].method == method || shape->ways[1].method == method;
}

/* Blend weights of the painted method. */
static void paint(Random *random, ModelMesh *mesh) {
    mesh->blendWeights = newZeros(mesh->vertexCount, sizeof(float));
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

static void chooseDef(Random *random, const FuzzShape *shape, bool flat, const FuzzMesh *mesh, VkskinMeshDef *def) {
    def->normals = shape->attributes >= 1 ? def->normals : NULL;
    def->tangents = shape->attributes == 2 ? def->tangents : NULL;
    def->normalRule = shape->normals;
    def->format = shape->format;
    def->previousPositions = randomBelow(random, 3) == 0;
    def->weightFormat = (VkskinWeightFormat)(randomBelow(random, 2) * randomBelow(random, 3));
    def->maxInfluences = mesh->maxInfluences;
    def->minWeight = mesh->minWeight;
    def->unweightedBone = def->boneCount > 0 ? mesh->unweightedBone : VKSKIN_NO_BONE;
    def->blendWeights = flat ? NULL : mesh->model.blendWeights;
}

static void makeModel(Random *random, const FuzzShape *shape, uint32_t maxBones, bool flat, FuzzMesh *mesh) {
    ModelMesh *model = &mesh->model;
    *mesh = (FuzzMesh){.model = anyMesh(random, maxBones),
                       .maxInfluences = randomBelow(random, 2) == 0 ? 0 : 1 + randomBelow(random, 8),
                       .minWeight = randomBelow(random, 3) == 0 ? 0.1f : 0.0f,
                       .unweightedBone = VKSKIN_NO_BONE};
    if (shape->morphs && randomBelow(random, 2) == 0) {
        model->morphCount = FUZZ_MORPHS;
        model->morphs = newZeros(FUZZ_MORPHS, sizeof *model->morphs);
    }
    if (randomBelow(random, 4) == 0) {
        leaveUnweighted(random, mesh);
    }
    if (flat) {
        makeFlat(model);
    } else if (needs(shape, VKSKIN_METHOD_PAINTED_BLEND)) {
        paint(random, model);
    }
    for (uint32_t i = 0; i < model->morphCount; i++) {
        makeMorph(random, flat, model->vertexCount, &model->morphs[i]);
    }
    if (model->morphCount > 0 && randomBelow(random, 4) == 0) {
        model->boneCount = 0;
    }
}

void fuzzMeshCreate(Gpu *gpu, const FuzzContext *context, Random *random, uint32_t maxBones, FuzzMesh *mesh) {
    static const bool morphsAfter[FUZZ_MORPHS] = {false, true};
    const FuzzShape *shape = &context->shape;
    bool flat = shape->flat && randomBelow(random, 3) == 0;
    makeModel(random, shape, maxBones, flat, mesh);
    MeshInput input = {.joints = NULL};
    meshInputFill(&input, &mesh->model, jointFormat(random, &mesh->model), flat, morphsAfter);
    chooseDef(random, shape, flat, mesh, &input.def);
    if (!flat && mesh->model.boneCount > 0 && needs(shape, VKSKIN_METHOD_CENTRES_OF_ROTATION)) {
        addCentres(mesh, &input);
    }
    VkskinResult result = vkskinCreateMesh(context->context, &input.def, &mesh->handle);
    meshInputFree(&input);
    if (result < 0) {
        GPU_VKSKIN(gpu, result);
    }
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context->context, mesh->handle, &mesh->info));
    fuzzContextKernels(gpu, context, mesh->handle);
}

void fuzzMeshFree(FuzzMesh *mesh) {
    free(mesh->model.blendWeights);
    free(mesh->centres);
    for (uint32_t i = 0; i < mesh->model.morphCount; i++) {
        free(mesh->model.morphs[i].vertices);
        free(mesh->model.morphs[i].positions);
        free(mesh->model.morphs[i].normals);
    }
    free(mesh->model.morphs);
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

/* ---- Comparing with the reference ---- */

#define SAMPLES  8
#define PLACES   (SAMPLES * FUZZ_MAX_INFLUENCES)
#define DIAGONAL 3.4641 /* of the cube in which random meshes lie */

/* A few vertices of a mesh as a mesh of their own, with one bone for each of their places. */
typedef struct Sample {
    uint32_t count;
    uint32_t vertices[SAMPLES]; /* in the whole mesh */
    float positions[SAMPLES][3], normals[SAMPLES][3], tangents[SAMPLES][4];
    float blendWeights[SAMPLES], centres[SAMPLES][3];
    float deltas[FUZZ_MORPHS][SAMPLES][3], directions[FUZZ_MORPHS][SAMPLES][3];
    uint32_t joints[PLACES];
    float weights[PLACES];
    ReferenceMatrix bones[PLACES + 1]; /* and the bone of vertices without weights */
} Sample;

static bool movedByWildBone(const FuzzMesh *mesh, const FuzzPalette *palette, uint32_t vertex) {
    const ModelMesh *model = &mesh->model;
    if (model->boneCount == 0) {
        return false;
    }
    if (mesh->unweightedBone != VKSKIN_NO_BONE && palette->wild[mesh->unweightedBone]) {
        return true;
    }
    for (size_t i = (size_t)vertex * model->influences; i < (vertex + (size_t)1) * model->influences; i++) {
        if (model->weights[i] > 0.0f && palette->wild[model->joints[i]]) {
            return true;
        }
    }
    return false;
}

/* What the targets do to a vertex: nothing if they do not hold it. */
static void addMorphs(Sample *sample, uint32_t at, const FuzzMesh *mesh, uint32_t vertex) {
    for (uint32_t m = 0; m < mesh->model.morphCount; m++) {
        const ModelMorph *morph = &mesh->model.morphs[m];
        for (size_t i = 0; i < morph->vertexCount; i++) {
            if (morph->vertices[i] == vertex) {
                memcpy(sample->deltas[m][at], morph->positions + 3 * i, sizeof sample->deltas[m][at]);
                memcpy(sample->directions[m][at], morph->normals + 3 * i, sizeof sample->directions[m][at]);
            }
        }
    }
}

static void addVertex(Sample *sample, const FuzzMesh *mesh, const FuzzPalette *palette, uint32_t vertex) {
    const ModelMesh *model = &mesh->model;
    uint32_t at = sample->count++;
    sample->vertices[at] = vertex;
    memcpy(sample->positions[at], &model->positions[3 * (size_t)vertex], sizeof sample->positions[at]);
    memcpy(sample->normals[at], &model->normals[3 * (size_t)vertex], sizeof sample->normals[at]);
    memcpy(sample->tangents[at], &model->tangents[4 * (size_t)vertex], sizeof sample->tangents[at]);
    sample->blendWeights[at] = model->blendWeights != NULL ? model->blendWeights[vertex] : 0.0f;
    if (mesh->centres != NULL) {
        memcpy(sample->centres[at], mesh->centres + 3 * (size_t)vertex, sizeof sample->centres[at]);
    }
    addMorphs(sample, at, mesh, vertex);
    for (uint32_t i = 0; model->boneCount > 0 && i < model->influences; i++) {
        size_t from = (size_t)vertex * model->influences + i;
        uint32_t to = at * model->influences + i;
        VkskinAffine still = vkskinIdentityAffine();
        bool weighted = model->weights[from] > 0.0f;
        sample->joints[to] = to;
        sample->weights[to] = model->weights[from];
        sample->bones[to] = weighted ? palette->bones[model->joints[from]] : referenceFromAffine(&still);
    }
}

static void chooseVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette, Sample *sample) {
    uint32_t count = mesh->model.vertexCount;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t vertex = i == 0 ? 0 : i == 1 ? count - 1 : randomBelow(random, count);
        if (!movedByWildBone(mesh, palette, vertex)) {
            addVertex(sample, mesh, palette, vertex);
        }
    }
}

static ReferenceVertex *newExpected(Sample *sample, const FuzzMesh *mesh, const FuzzPalette *palette,
                                    const float morphWeights[FUZZ_MORPHS]) {
    static const bool morphsAfter[FUZZ_MORPHS] = {false, true};
    static uint32_t all[SAMPLES] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t places = sample->count * mesh->model.influences;
    ModelMorph morphs[FUZZ_MORPHS];
    for (uint32_t i = 0; i < FUZZ_MORPHS; i++) {
        morphs[i] = (ModelMorph){.vertexCount = sample->count,
                                 .vertices = all,
                                 .positions = sample->deltas[i][0],
                                 .normals = sample->directions[i][0],
                                 .tangents = sample->directions[i][0]};
    }
    ModelMesh few = {
        .vertexCount = sample->count,
        .positions = sample->positions[0],
        .normals = sample->normals[0],
        .tangents = sample->tangents[0],
        .influences = mesh->model.influences,
        .joints = sample->joints,
        .weights = sample->weights,
        .boneCount = mesh->model.boneCount > 0 ? places + 1 : 0,
        .blendWeights = sample->blendWeights,
        .morphs = morphs,
        .morphCount = mesh->model.morphCount,
    };
    if (mesh->model.boneCount > 0 && mesh->unweightedBone != VKSKIN_NO_BONE) {
        sample->bones[places] = palette->bones[mesh->unweightedBone];
    }
    ReferenceDef def = {
        .method = palette->method,
        .exactNormals = mesh->info.normalRule == VKSKIN_NORMALS_EXACT,
        .maxInfluences = mesh->maxInfluences,
        .minWeight = mesh->minWeight,
        .unweightedBone = places,
        .centres = sample->centres[0],
        .morphWeights = morphWeights,
        .morphsAfter = morphsAfter,
    };
    return newReferenceVertices(&few, sample->bones, &def);
}

uint32_t fuzzCheckVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette,
                           const float morphWeights[FUZZ_MORPHS], const VkskinOutput *output, const void *bytes) {
    Sample sample = {0};
    if (mesh->info.weightFormat != VKSKIN_WEIGHTS_FLOAT) {
        return 0;
    }
    chooseVertices(random, mesh, palette, &sample);
    if (sample.count == 0) {
        return 0;
    }
    ReferenceVertex *expected = newExpected(&sample, mesh, palette, morphWeights);
    for (uint32_t i = 0; i < sample.count; i++) {
        ReadVertex vertex = readVertex(bytes, 0, output, &mesh->info, sample.vertices[i]);
        VertexError error = vertexError(&expected[i], &vertex, DIAGONAL, &mesh->info);
        if (!error.leftOut && !vertexErrorIsGood(&error, mesh->info.format)) {
            free(expected);
            fail_msg("vertex %u of %u: position %.2g of the diagonal off, normal %.2g, tangent %.2g degrees",
                     sample.vertices[i], mesh->info.vertexCount, error.position, error.normal, error.tangent);
        }
    }
    free(expected);
    return sample.count;
}
