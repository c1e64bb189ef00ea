/* glTF fixtures, each moment computed by hand. What their buffers hold is written in each file's asset.extras. */
#include "import_fixture.h"
#include "posed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A skin without inverse bind matrices, two clips; the carrier's own (9 9 9) is not looked at. */
static void expectVertexAt(const Model *model, uint32_t clip, double time, float x) {
    /* The joint is the only thing that moves; (2 0 0) is the vertex. */
    const float bind[3] = {2, 0, 0}, expected[3] = {2 + x, 0, 0};
    expectPosed(model, 0, clip, time, bind, expected);
}

static void testStep(void **state) {
    (void)state;
    Model *model = importFixture("step_cubic.gltf");
    assert_int_equal(model->clipCount, 2);
    assert_string_equal(model->clips[0].name, "step");
    assert_float_equal(model->clips[0].duration, 2.0f, 1e-6f);
    expectVertexAt(model, 0, 0.0, 0);
    expectVertexAt(model, 0, 0.99, 0);
    expectVertexAt(model, 0, 1.0, 1);
    expectVertexAt(model, 0, 1.99, 1);
    expectVertexAt(model, 0, 2.0, 5);
    expectVertexAt(model, 0, 9.0, 5);
    modelFree(model);
}

/*
 * One segment of 2 s from 0 (out-tangent 1) to 4 (in-tangent 3). With s = t / 2:
 *     x = (2s^3 - 3s^2 + 1) 0 + 2 (s^3 - 2s^2 + s) 1 + (-2s^3 + 3s^2) 4 + 2 (s^3 - s^2) 3
 * s = 1/2: 2 (1/8) + (1/2) 4 + 2 (-1/8) 3 = 0.25 + 2 - 0.75 = 1.5
 * s = 1/4: 2 (9/64) + (5/32) 4 + 2 (-3/64) 3 = 0.28125 + 0.625 - 0.28125 = 0.625
 */
static void testCubic(void **state) {
    (void)state;
    Model *model = importFixture("step_cubic.gltf");
    expectVertexAt(model, 1, 0.0, 0);
    expectVertexAt(model, 1, 0.5, 0.625f);
    expectVertexAt(model, 1, 1.0, 1.5f);
    expectVertexAt(model, 1, 2.0, 4);
    modelFree(model);
}

/*
 * One mesh at two nodes with two skins. Positions: the first is zero because the sparse accessor has no buffer view
 * below it, the others replaced. Weights from bytes: 51 / 255 = 0.2, 204 / 255 = 0.8, 102 / 255 = 0.4, and in
 * WEIGHTS_1 153 / 255 = 0.6.
 * First skin: joints at (10 0 0) and (0 20 0), no inverse binds.
 *     (0 0 0) all joint 0: (10 0 0)
 *     (1 0 0) 0.2 (11 0 0) + 0.8 (1 20 0) = (3 16 0)
 *     (0 2 0) 0.4 (10 2 0) + 0.6 (0 22 0) = (4 14 0)
 * Second skin: joint 0 at (0 0 30), joint 1 scales by 2 and has the inverse bind (-1 0 0).
 *     (0 0 0) (0 0 30)
 *     (1 0 0) 0.2 (1 0 30) + 0.8 2 (0 0 0) = (0.2 0 6)
 *     (0 2 0) 0.4 (0 2 30) + 0.6 2 (-1 2 0) = (-1.2 3.2 12)
 */
static void testTwoSkinsOnOneMesh(void **state) {
    (void)state;
    static const float binds[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    static const float expected[2][3][3] = {
        {{10, 0, 0}, {3, 16, 0}, {4, 14, 0}},
        {{0, 0, 30}, {0.2f, 0, 6}, {-1.2f, 3.2f, 12}},
    };
    Model *model = importFixture("two_skins.gltf");
    assert_int_equal(model->meshCount, 1);
    assert_int_equal(model->partCount, 2);
    assert_int_equal(model->skinCount, 2);
    assert_int_equal(model->meshes[0].influences, 2);
    for (uint32_t part = 0; part < 2; part++) {
        for (int v = 0; v < 3; v++) {
            expectPosed(model, part, POSED_REST, 0.0, binds[v], expected[part][v]);
        }
    }
    modelFree(model);
}

/* The weights are the file's, not only in the right proportion. */
static void testNormalisedWeights(void **state) {
    (void)state;
    static const float weights[6] = {1.0f, 0.0f, 0.2f, 0.8f, 0.4f, 0.6f};
    Model *model = importFixture("two_skins.gltf");
    for (int i = 0; i < 6; i++) {
        assert_float_equal(model->meshes[0].weights[i], weights[i], 1e-6f);
    }
    modelFree(model);
}

/* Flat normals: (0 0 0) (1 0 0) (0 2 0) is counter-clockwise around +z. */
static void testNormalsComputed(void **state) {
    (void)state;
    Model *model = importFixture("two_skins.gltf");
    assert_int_equal(model->repairs.normalsComputed, 1);
    for (int v = 0; v < 3; v++) {
        assert_float_equal(model->meshes[0].normals[3 * v + 2], 1.0f, 1e-6f);
    }
    modelFree(model);
}

/*
 * body: joints at (100 0 0) and (0 200 0). (1 0 0) follows the first; (2 0 0) has no weight and follows its
 * carrier at (0 0 9); (1 1 0) has -1 for the first, taken as 0, and follows the second.
 * plate: a strip on a node with the matrix x' = x + y / 2 + 3, y' = y + 4, z' = z + 5: shear, so no T R S form.
 */
static void testMended(void **state) {
    (void)state;
    Model *model = importFixture("mended.gltf");
    const float binds[4][3] = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 1, 0}};
    const float expected[4][3] = {{101, 0, 0}, {2, 0, 9}, {1, 201, 0}, {4.5f, 5, 5}};
    for (uint32_t i = 0; i < 4; i++) {
        expectPosed(model, i / 3, POSED_REST, 0.0, binds[i], expected[i]);
    }
    assert_int_equal(model->repairs.verticesUnweighted, 1);
    assert_int_equal(model->repairs.weightsNegative, 1);
    assert_int_equal(model->repairs.nodesSheared, 1);
    assert_int_equal(model->repairs.texturesMissing, 1);
    assert_int_equal(model->repairs.trianglesDropped, 4); /* the plate's second primitive is four points */
    modelFree(model);
}

/* The scene of mended.gltf is its second one: the first one's node is there, its mesh is not placed. */
static void testSceneChosen(void **state) {
    (void)state;
    Model *model = importFixture("mended.gltf");
    assert_int_equal(model->nodeCount, 5);
    assert_int_equal(model->partCount, 2);
    assert_string_equal(model->nodes[model->parts[1].node].name, "sheared");
    modelFree(model);
}

/* A strip of 0 1 2 3 is the triangles 0 1 2 and 1 3 2: both around +z. */
static void testStrip(void **state) {
    (void)state;
    Model *model = importFixture("mended.gltf");
    const ModelMesh *plate = &model->meshes[1];
    static const float corners[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}};
    assert_int_equal(plate->indexCount, 6);
    for (int i = 0; i < 6; i++) {
        const float *p = plate->positions + 3 * (size_t)plate->indices[i];
        assert_true(p[0] == corners[i][0] && p[1] == corners[i][1]);
    }
    modelFree(model);
}

static void testMaterial(void **state) {
    (void)state;
    Model *model = importFixture("mended.gltf");
    const ModelMaterial *material = &model->materials[model->meshes[0].material];
    assert_string_equal(material->name, "red");
    assert_float_equal(material->baseColor[1], 0.25f, 1e-6f);
    assert_int_equal(material->texture, -1);
    assert_string_equal(model->materials[model->meshes[1].material].name, "default");
    modelFree(model);
}

static void testExternalBuffer(void **state) {
    (void)state;
    const float bind[3] = {1, 1, 0};
    Model *model = importFixture("external.gltf");
    expectPosed(model, 0, POSED_REST, 0.0, bind, bind);
    modelFree(model);
}

/*
 * Both nodes hang their mesh on a root: "hidden" has the scale 0 at rest, and stands at (0 0 7); "shown" at (0 3 0).
 * The clip takes the scale of "hidden" from 0 to (2 2 2) in one second.
 */
static void testHiddenByZeroScale(void **state) {
    (void)state;
    const float bind[3] = {1, 1, 0}, shut[3] = {0, 0, 7}, half[3] = {1, 1, 7}, open[3] = {2, 2, 7};
    const float shown[3] = {1, 4, 0};
    Model *model = importFixture("hidden.gltf");
    assert_int_equal(model->partCount, 2);
    expectPosed(model, 0, POSED_REST, 0.0, bind, shut);
    expectPosed(model, 0, 0, 0.5, bind, half);
    expectPosed(model, 0, 0, 1.0, bind, open);
    expectPosed(model, 1, 0, 1.0, bind, shown);
    modelFree(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testStep),
        cmocka_unit_test(testCubic),
        cmocka_unit_test(testTwoSkinsOnOneMesh),
        cmocka_unit_test(testNormalisedWeights),
        cmocka_unit_test(testNormalsComputed),
        cmocka_unit_test(testMended),
        cmocka_unit_test(testSceneChosen),
        cmocka_unit_test(testStrip),
        cmocka_unit_test(testMaterial),
        cmocka_unit_test(testExternalBuffer),
        cmocka_unit_test(testHiddenByZeroScale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
