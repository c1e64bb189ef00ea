/* Sorting a model's vertices changes where they lie and nothing else. */
#include "import_fixture.h"
#include "model_check.h"
#include "model_order.h"
#include "posed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

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

static void expectSame(const void *a, const void *b, uint32_t left, uint32_t right, size_t stride) {
    assert_int_equal(a == NULL, b == NULL);
    assert_true(!a || memcmp((const char *)a + left * stride, (const char *)b + right * stride, stride) == 0);
}

/* The row of a vertex in a morph, its vertexCount where the morph does not move it. */
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
        expectSame(a->positions, b->positions, leftRow, rightRow, 3 * sizeof(float));
        expectSame(a->normals, b->normals, leftRow, rightRow, 3 * sizeof(float));
        expectSame(a->tangents, b->tangents, leftRow, rightRow, 3 * sizeof(float));
    }
}

/* Corner for corner, the vertices have what they had. */
static void expectSameCorners(const ModelMesh *a, const ModelMesh *b) {
    assert_int_equal(a->vertexCount, b->vertexCount);
    assert_int_equal(a->indexCount, b->indexCount);
    for (uint32_t i = 0; i < a->indexCount; i++) {
        uint32_t left = a->indices[i], right = b->indices[i];
        expectSame(a->positions, b->positions, left, right, 3 * sizeof(float));
        expectSame(a->normals, b->normals, left, right, 3 * sizeof(float));
        expectSame(a->tangents, b->tangents, left, right, 4 * sizeof(float));
        expectSame(a->texcoords, b->texcoords, left, right, 2 * sizeof(float));
        expectSame(a->joints, b->joints, left, right, a->influences * sizeof(uint32_t));
        expectSame(a->weights, b->weights, left, right, a->influences * sizeof(float));
        expectSame(a->blendWeights, b->blendWeights, left, right, sizeof(float));
        for (uint32_t m = 0; m < a->morphCount; m++) {
            expectSameMorph(&a->morphs[m], &b->morphs[m], left, right);
        }
    }
}

/* Returns whether a vertex of some mesh has moved. */
static bool checkSorting(Model *sorted, const Model *asRead) {
    char message[IMPORT_MESSAGE_SIZE];
    EngineError error;
    bool moved = false;
    assert_true(modelSortVertices(sorted, &error));
    assert_true(modelCheck(sorted, "beast.x", message));
    for (uint32_t i = 0; i < asRead->meshCount; i++) {
        const ModelMesh *mesh = &sorted->meshes[i];
        expectSorted(mesh);
        expectSameCorners(mesh, &asRead->meshes[i]);
        moved = moved || memcmp(mesh->indices, asRead->meshes[i].indices, mesh->indexCount * sizeof(uint32_t)) != 0;
    }
    return moved;
}

/* What is sorted stays as it is. */
static void testSortedStays(void **state) {
    (void)state;
    EngineError error;
    Model *once = importRealModel("X/Testwuson.X"), *twice = importRealModel("X/Testwuson.X");
    assert_true(modelSortVertices(once, &error) && modelSortVertices(twice, &error));
    assert_false(checkSorting(twice, once));
    modelFree(once);
    modelFree(twice);
}

static void testFixture(void **state) {
    (void)state;
    /* The second of the file's vertices has two influences, and comes third: the third has one. */
    static const float two[3] = {1, 0, 0}, posed[3] = {3.6f, 10.4f, 0};
    Model *asRead = importFixture("morphs.gltf"), *sorted = importFixture("morphs.gltf");
    assert_true(checkSorting(sorted, asRead));
    assert_memory_equal(sorted->meshes[0].positions + 6, two, sizeof two);
    expectPosed(sorted, 0, POSED_REST, 0.0, two, posed);
    modelFree(asRead);
    modelFree(sorted);
}

static void testRealModel(void **state) {
    (void)state;
    Model *asRead = importRealModel("X/Testwuson.X"), *sorted = importRealModel("X/Testwuson.X");
    assert_true(checkSorting(sorted, asRead));
    modelFree(asRead);
    modelFree(sorted);
}

/* The library takes 255 influences a vertex: who has more keeps the order, and is refused where the mesh is made. */
static void testTooManyInfluences(void **state) {
    (void)state;
    EngineError error;
    Model *model = importFixture("morphs.gltf");
    ModelMesh *mesh = &model->meshes[0];
    static uint32_t joints[4 * 256];
    static float weights[4 * 256];
    uint32_t *joint = mesh->joints;
    float *weight = mesh->weights;
    mesh->joints = joints;
    mesh->weights = weights;
    mesh->influences = 256;
    const float second = mesh->positions[3];
    assert_true(modelSortVertices(model, &error));
    assert_true(mesh->joints == joints && mesh->positions[3] == second);
    mesh->joints = joint;
    mesh->weights = weight;
    modelFree(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFixture),
        cmocka_unit_test(testRealModel),
        cmocka_unit_test(testSortedStays),
        cmocka_unit_test(testTooManyInfluences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
