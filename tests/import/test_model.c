/* modelCheck finds and names every fault. Sorting vertices changes their order and nothing else. */
#include "import_support.h"
#include "model_fields.h"
#include "model_mesh.h"

/* ---- Faults ---- */

static void addTexture(Model *model, uint32_t width, uint32_t height) {
    model->textures = realloc(model->textures, sizeof *model->textures);
    model->textures[0] = (ModelTexture){
        .name = strdup("wood"), .path = strdup(""), .width = width, .height = height, .pixels = calloc(1, 4)};
    model->textureCount = 1;
}

static void addWarnings(Model *model, uint32_t count) {
    free(model->warnings);
    model->warnings = calloc(count, sizeof *model->warnings);
    model->warningCount = count;
    for (uint32_t i = 0; i < count; i++) {
        model->warnings[i].text = strdup("again");
    }
}

/* Plants fault number `index` and returns the message that it must give; null past the last fault. */
#define FAULT(statement, message)                                                                                      \
    if (index == number++) {                                                                                           \
        statement;                                                                                                     \
        return message;                                                                                                \
    }

static const char *plantFault(Model *model, int index) {
    int number = 0;
    ModelMesh *mesh = &model->meshes[0];
    VkskinTrack *track = &model->clips[0].tracks[0];
    FAULT(model->nodes[0].parent = 0, "node 0 'carrier' has parent that is out of range")
    FAULT(model->nodes[1].parent = -2, "node 1 'joint' has parent that is out of range")
    FAULT(model->nodes[1].rest.scale[2] = NAN, "node 1 'joint' has rest that is not finite")
    FAULT(model->nodes[1].preTransform.m[2][3] = NAN, "node 1 'joint' has preTransform that is not finite")
    FAULT(model->skins[0].boneNodes[0] = model->nodeCount, "skin 0 has boneNodes[0] that is out of range")
    FAULT(model->skins[0].inverseBinds[0].m[2][3] = INFINITY, "skin 0 has inverseBinds[0] that is not finite")
    FAULT(model->skins[0].boneCount = 0, "skin 0 has no bones")
    FAULT(mesh->positions[4] = NAN, "mesh 0 'body' has positions[1] that is not finite")
    FAULT(mesh->normals[8] = NAN, "mesh 0 'body' has normals[2] that is not finite")
    FAULT(mesh->indices[2] = mesh->vertexCount, "mesh 0 'body' has indices[2] that is out of range")
    FAULT(mesh->indexCount = 2, "mesh 0 'body' has indices for part of a triangle")
    FAULT(mesh->joints[0] = mesh->boneCount, "mesh 0 'body' has joints[0] that is out of range")
    FAULT(mesh->influences = 0, "mesh 0 'body' has no influences")
    FAULT(mesh->weights[1] = -0.5f, "mesh 0 'body' has weights[1] that is negative")
    FAULT(mesh->weights[1] = INFINITY, "mesh 0 'body' has weights[1] that is not finite")
    FAULT(mesh->weights[0] = 0.0f, "mesh 0 'body' has a vertex whose weights are all 0")
    FAULT(mesh->material = model->materialCount, "mesh 0 'body' has material that is out of range")
    FAULT(model->parts[0].mesh = model->meshCount, "part 0 has mesh that is out of range")
    FAULT(model->parts[0].skin = model->skinCount, "part 0 has skin that is out of range")
    FAULT(model->parts[0].node = model->nodeCount, "part 0 has node that is out of range")
    FAULT(model->parts[0].carrier = model->nodeCount, "part 0 has carrier that is out of range")
    FAULT(mesh->boneCount = 9, "part 0 has a mesh with more bones than its skin")
    FAULT(model->materials[0].maps[MODEL_MAP_BASE] = 0, "material 0 'default' has maps that is out of range")
    FAULT(model->materials[0].maps[MODEL_MAP_OCCLUSION] = -2, "material 0 'default' has maps that is out of range")
    FAULT(model->materials[0].emission[2] = -1.0f, "material 0 'default' has emission that is negative")
    FAULT(model->materials[0].roughness = 1.5f, "material 0 'default' has roughness that is outside 0 to 1")
    FAULT(model->materials[0].alpha = MODEL_ALPHA_BLEND + 1, "material 0 'default' has alpha that is out of range")
    FAULT(model->materials[0].wraps[1][1] = MODEL_WRAP_COUNT, "material 0 'default' has wraps that is out of range")
    FAULT(model->materials[0].unlit = 2, "material 0 'default' has unlit that is out of range")
    FAULT(model->materials[0].baseColor[3] = NAN, "material 0 'default' has baseColor that is not finite")
    FAULT(addTexture(model, 0, 1), "texture 0 'wood' is empty or too large")
    FAULT(addTexture(model, 1, 0), "texture 0 'wood' is empty or too large")
    FAULT(addTexture(model, MODEL_TEXTURE_SIDE + 1, 1), "texture 0 'wood' is empty or too large")
    FAULT(model->clips[0].duration = -1.0f, "clip 0 'step' has duration that is negative")
    FAULT(model->clips[0].duration = NAN, "clip 0 'step' has duration that is not finite")
    FAULT(track->node = model->nodeCount, "track 0 of clip 0 'step' has node that is out of range")
    FAULT(track->channel = (VkskinChannel)4, "track 0 of clip 0 'step' has channel that is out of range")
    FAULT(track->interpolation = (VkskinInterpolation)4,
          "track 0 of clip 0 'step' has interpolation that is out of range")
    FAULT(track->keyCount = 0, "track 0 of clip 0 'step' has no keys")
    FAULT(((float *)track->times)[2] = 0.5f, "track 0 of clip 0 'step' has times[2] that is not in ascending order")
    FAULT(((float *)track->times)[0] = NAN, "track 0 of clip 0 'step' has times[0] that is not finite")
    FAULT(((float *)track->values)[3] = NAN, "track 0 of clip 0 'step' has values[1] that is not finite")
    FAULT(model->partCount = 0, "no meshes")
    FAULT(addWarnings(model, MODEL_WARNINGS_MAX + 2), "66 warnings are too many")
    return NULL;
}

static const char *plantMorphFault(Model *model, int index) {
    int number = 0;
    ModelMesh *face = &model->meshes[0];
    FAULT(face->morphs[0].vertices[2] = 4, "morph 0 'smile' of mesh 0 'face' has vertices[2] that is out of range")
    FAULT(face->morphs[0].vertices[1] = 0,
          "morph 0 'smile' of mesh 0 'face' has vertices[1] that is not in ascending order")
    FAULT(face->morphs[0].positions[8] = INFINITY,
          "morph 0 'smile' of mesh 0 'face' has positions[2] that is not finite")
    FAULT(face->morphs[0].normals[0] = NAN, "morph 0 'smile' of mesh 0 'face' has normals[0] that is not finite")
    FAULT(face->morphs[1].tangents[1] = NAN, "morph 1 'frown' of mesh 0 'face' has tangents[0] that is not finite")
    FAULT(face->tangents[5] = NAN, "mesh 0 'face' has tangents[1] that is not finite")
    FAULT(face->blendWeights[3] = 1.5f, "mesh 0 'face' has blendWeights[3] that is outside 0 to 1")
    FAULT(face->blendWeights[3] = NAN, "mesh 0 'face' has blendWeights[3] that is not finite")
    FAULT(model->parts[3].morphWeights[2] = NAN, "part 3 has morphWeights[2] that is not finite")
    FAULT(model->clips[0].tracks[0].weightCount = 0, "track 0 of clip 0 'linear' has no keys")
    FAULT(((float *)model->clips[2].tracks[0].values)[17] = NAN,
          "track 0 of clip 2 'cubic' has values[1] that is not finite")
    return NULL;
}

static void expectFaultsFound(const char *fixture, const char *(*plant)(Model *model, int index)) {
    bool more = true;
    for (int i = 0; more; i++) {
        EngineError error = {.message = ""};
        Model *model = importOrFail(fixture);
        assert_true(modelCheck(model, &error));
        const char *message = plant(model, i);
        more = message != NULL;
        assert_int_equal(modelCheck(model, &error), !more);
        assert_string_equal(error.message, more ? message : "");
        modelFree(model);
    }
}

TEST(testFaults) {
    expectFaultsFound("step_cubic.gltf", plantFault);
    expectFaultsFound("morphs.gltf", plantMorphFault);
}

/* ---- Sorting ---- */

static uint32_t influencesOf(const ModelMesh *mesh, uint32_t vertex) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->influences; i++) {
        count += mesh->weights[(size_t)vertex * mesh->influences + i] > 0.0f;
    }
    return count;
}

static void expectSorted(const ModelMesh *mesh) {
    for (uint32_t v = 1; v < mesh->vertexCount; v++) {
        uint32_t before = influencesOf(mesh, v - 1), here = influencesOf(mesh, v);
        assert_true(before <= here || here > 4);
    }
}

/* Row `left` of each array of `a` equals row `right` of `b`. counter: offset of the struct's vertexCount. */
static void expectSameRows(const ModelStruct *type, size_t counter, const void *a, uint32_t left, const void *b,
                           uint32_t right) {
    for (size_t f = 0; f < type->fieldCount; f++) {
        const ModelField *field = &type->fields[f];
        bool vertices = type == &modelMorphStruct && field->offset == offsetof(ModelMorph, vertices);
        if (field->kind == MODEL_ARRAY && field->count == counter && !vertices) {
            const char *from = modelFieldPointer(a, field), *to = modelFieldPointer(b, field);
            size_t stride = modelFieldStride(a, field);
            assert_int_equal(from == NULL, to == NULL);
            assert_true(!from || memcmp(from + left * stride, to + right * stride, stride) == 0);
        }
    }
}

/* The row of a vertex in a morph; its vertexCount where the morph does not move it. */
static uint32_t rowOf(const ModelMorph *morph, uint32_t vertex) {
    uint32_t row = 0;
    while (row < morph->vertexCount && morph->vertices[row] != vertex) {
        row++;
    }
    return row;
}

static void expectSameMorph(const ModelMorph *a, const ModelMorph *b, uint32_t left, uint32_t right) {
    uint32_t leftRow = rowOf(a, left), rightRow = rowOf(b, right);
    assert_int_equal(a->vertexCount, b->vertexCount);
    assert_int_equal(leftRow == a->vertexCount, rightRow == b->vertexCount);
    if (leftRow < a->vertexCount) {
        expectSameRows(&modelMorphStruct, offsetof(ModelMorph, vertexCount), a, leftRow, b, rightRow);
    }
}

/* Every corner of every triangle has the same attributes in both. */
static void expectSameCorners(const ModelMesh *a, const ModelMesh *b) {
    assert_int_equal(a->vertexCount, b->vertexCount);
    assert_int_equal(a->indexCount, b->indexCount);
    for (uint32_t i = 0; i < a->indexCount; i++) {
        uint32_t left = a->indices[i], right = b->indices[i];
        expectSameRows(&modelMeshStruct, offsetof(ModelMesh, vertexCount), a, left, b, right);
        for (uint32_t m = 0; m < a->morphCount; m++) {
            expectSameMorph(&a->morphs[m], &b->morphs[m], left, right);
        }
    }
}

/* Sorts `sorted`; returns whether a vertex of some mesh has moved. */
static bool checkSorting(Model *sorted, const Model *asRead) {
    EngineError error;
    bool moved = false;
    assert_true(modelSortVertices(sorted, &error));
    assert_true(modelCheck(sorted, &error));
    for (uint32_t i = 0; i < asRead->meshCount; i++) {
        const ModelMesh *mesh = &sorted->meshes[i];
        expectSorted(mesh);
        expectSameCorners(mesh, &asRead->meshes[i]);
        moved = moved || memcmp(mesh->indices, asRead->meshes[i].indices, mesh->indexCount * sizeof(uint32_t)) != 0;
    }
    return moved;
}

/* Sorting moves vertices of both models; sorting again moves none. */
TEST(testSorting) {
    static const char *const names[] = {"morphs.gltf", "X/Testwuson.X"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        Model *asRead = importOrFail(names[i]), *sorted = importOrFail(names[i]);
        assert_true(checkSorting(sorted, asRead));
        assert_true(modelSortVertices(asRead, &(EngineError){.message = ""}));
        assert_false(checkSorting(sorted, asRead));
        modelFree(asRead);
        modelFree(sorted);
    }
}

/* The second vertex of the file has two influences and the third has one, so the second one comes after it. */
TEST(testSortedPose) {
    static const Moment moment = {0, REST_POSE, 0.0, {1, 0, 0}, {3.6f, 10.4f, 0}};
    Model *sorted = importOrFail("morphs.gltf");
    assert_true(modelSortVertices(sorted, &(EngineError){.message = ""}));
    assert_memory_equal(sorted->meshes[0].positions + 6, moment.bind, sizeof moment.bind);
    expectMoments(sorted, &moment, 1);
    modelFree(sorted);
}

/* The library allows 255 influences per vertex. A mesh with more keeps its order; creating the mesh refuses it. */
TEST(testTooManyInfluences) {
    Model *model = importOrFail("morphs.gltf");
    ModelMesh *mesh = &model->meshes[0];
    static uint32_t joints[4 * 256];
    static float weights[4 * 256];
    uint32_t *joint = mesh->joints;
    float *weight = mesh->weights;
    mesh->joints = joints;
    mesh->weights = weights;
    mesh->influences = 256;
    const float second = mesh->positions[3];
    assert_true(modelSortVertices(model, &(EngineError){.message = ""}));
    assert_true(mesh->joints == joints && mesh->positions[3] == second);
    mesh->joints = joint;
    mesh->weights = weight;
    modelFree(model);
}
