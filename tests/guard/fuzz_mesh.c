#include "fuzz.h"
#include "meshes.h"
#include "model_mesh.h"
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
    for (uint32_t v = end; v-- > first;) {
        if (randomBelow(random, oneIn) == 0) {
            morph->vertices[morph->vertexCount++] = v;
        }
    }
    morph->positions = randomDeltas(random, morph->vertexCount, 1.0f, flat);
    morph->normals = randomDeltas(random, morph->vertexCount, 0.3f, false);
    morph->tangents = randomDeltas(random, morph->vertexCount, 0.3f, false);
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

static float *randomPoints(Random *random, uint32_t count) {
    float *points = newZeros(count, 2 * sizeof *points);
    for (size_t i = 0; i < 2 * (size_t)count; i++) {
        points[i] = randomFloat(random, -1.0f, 1.0f);
    }
    return points;
}

/* A position and a delta for each influence. */
static void addInfluencePositions(Random *random, FuzzMesh *mesh, MeshInput *input) {
    const ModelMesh *model = &mesh->model;
    mesh->influencePositions = randomPoints(random, model->vertexCount * model->influences);
    input->def.positions = NULL;
    input->def.influencePositions = mesh->influencePositions;
    if (model->morphCount > 0) {
        mesh->influenceDeltas = randomPoints(random, model->morphs[0].vertexCount * model->influences);
        input->targets[0].positions = mesh->influenceDeltas;
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
    if (flat && mesh->model.boneCount > 0 && randomBelow(random, 2) == 0) {
        addInfluencePositions(random, mesh, &input);
    }
    if (randomBelow(random, 3) == 0) {
        meshInputAddLayout(&input, random);
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
    free(mesh->centres);
    free(mesh->influencePositions);
    free(mesh->influenceDeltas);
    randomMeshFree(&mesh->model);
}

/* ---- Comparing with the reference ---- */

#define SAMPLES  8
#define DIAGONAL 3.4641 /* of the cube in which random meshes lie */

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

uint32_t fuzzCheckVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette,
                           const float morphWeights[FUZZ_MORPHS], const VkskinOutput *output, const void *bytes) {
    static const bool morphsAfter[FUZZ_MORPHS] = {false, true};
    uint32_t sample[SAMPLES] = {0}, compared = 0, last = mesh->model.vertexCount - 1;
    const ReferenceDef def = {
        .method = palette->method,
        .exactNormals = mesh->info.normalRule == VKSKIN_NORMALS_EXACT,
        .maxInfluences = mesh->maxInfluences,
        .minWeight = mesh->minWeight,
        .unweightedBone = mesh->unweightedBone,
        .centres = mesh->centres,
        .morphWeights = morphWeights,
        .morphsAfter = morphsAfter,
        .influencePositions = mesh->influencePositions,
        .influenceDeltas = (const float *const[]){mesh->influenceDeltas, NULL},
    };
    for (uint32_t i = 0; mesh->info.weightFormat == VKSKIN_WEIGHTS_FLOAT && i < SAMPLES; i++) {
        uint32_t vertex = i == 0 ? 0 : i == 1 ? last : randomBelow(random, last + 1);
        if (!movedByWildBone(mesh, palette, vertex)) {
            sample[compared++] = vertex;
        }
    }
    ReferenceVertex *expected = newReferenceSample(&mesh->model, palette->bones, &def, sample, compared);
    for (uint32_t i = 0; i < compared; i++) {
        ReadVertex read = readVertex(bytes, 0, output, &mesh->info, sample[i]);
        VertexError error = vertexError(&expected[i], &read, DIAGONAL, &mesh->info);
        if (!error.leftOut && !vertexErrorIsGood(&error, mesh->info.format)) {
            fail_msg("vertex %u of %u: position %.2g of the diagonal off, normal %.2g, tangent %.2g degrees", sample[i],
                     mesh->info.vertexCount, error.position, error.normal, error.tangent);
        }
    }
    free(expected);
    return compared;
}
