/*
 * .x fixtures, each moment computed by hand. The format is left-handed with y up; assimp turns it right-handed by
 * negating z, so what the file has at z = 2 is at -2 here. The file's matrices are for row vectors.
 */
#include "import_fixture.h"
#include "posed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct Moment {
    double time;
    float bind[3];
    float expected[3];
} Moment;

static void expectMoments(const Model *model, uint32_t clip, const Moment *moments, size_t count) {
    for (size_t i = 0; i < count; i++) {
        expectPosed(model, 0, clip, moments[i].time, moments[i].bind, moments[i].expected);
    }
}

/*
 * In model space without Root's (0 0 -5): bones at x = 0, 1, 2, the vertices, Body's (0 10 0) added, at
 *     a (0 0 0) bone 0     b (1 1 0) bone 1     c (2 1 0) half bone 0, half bone 1     d (3 1 -2) bone 2
 * Bone 1 turns around z at (1 0 0); with c = cos, s = sin of the angle a point (x y) relative to it goes to
 * (1 + c x - s y, s x + c y). Relative: b (0 1), c (1 1), d (2 1).
 * At 0.5 s, 45 degrees, c = s = 0.70710678:
 *     b (1 - s, c) = (0.29289322, 0.70710678)
 *     c half of (2 1) and half of (1 + c - s, s + c) = (1, 1.41421356): (1.5, 1.20710678)
 *     d (1 + 2 c - s, 2 s + c) = (1.70710678, 2.12132034)
 * At 1 s and after it, 90 degrees: b (0 0), c half of (2 1) and half of (0 1): (1 1), d (0 2).
 */
static void testMatrixKeys(void **state) {
    (void)state;
    static const Moment moments[] = {
        {0.0, {0, -10, 0}, {0, 0, -5}},
        {0.0, {3, -9, -2}, {3, 1, -7}},
        {0.5, {0, -10, 0}, {0, 0, -5}},
        {0.5, {1, -9, 0}, {0.29289322f, 0.70710678f, -5}},
        {0.5, {2, -9, 0}, {1.5f, 1.20710678f, -5}},
        {0.5, {3, -9, -2}, {1.70710678f, 2.12132034f, -7}},
        {1.0, {1, -9, 0}, {0, 0, -5}},
        {1.0, {2, -9, 0}, {1, 1, -5}},
        {1.0, {3, -9, -2}, {0, 2, -7}},
        {7.0, {3, -9, -2}, {0, 2, -7}},
    };
    Model *model = importFixture("three_bones.x");
    assert_int_equal(model->clipCount, 1);
    assert_string_equal(model->clips[0].name, "Bend");
    assert_float_equal(model->clips[0].duration, 1.0f, 1e-6f);
    assert_int_equal(model->meshes[0].vertexCount, 4);
    assert_int_equal(model->meshes[0].influences, 2);
    assert_int_equal(model->skins[0].boneCount, 3);
    expectMoments(model, 0, moments, sizeof moments / sizeof moments[0]);
    modelFree(model);
}

/*
 * The face (0 0) (1 1) (2 1) of the file is clockwise with x to the right and y up, and so, in its left-handed space,
 * faces who looks along +z from z < 0. Here that is z > 0, from where it must be counter-clockwise.
 */
static void testWinding(void **state) {
    (void)state;
    Model *model = importFixture("three_bones.x");
    const ModelMesh *mesh = &model->meshes[0];
    const float *a = mesh->positions + 3 * (size_t)mesh->indices[0];
    const float *b = mesh->positions + 3 * (size_t)mesh->indices[1];
    const float *c = mesh->positions + 3 * (size_t)mesh->indices[2];
    assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0f);
    assert_true(mesh->normals[2] > 0.0f);
    modelFree(model);
}

/*
 * Ticks 0 to 4800 at the format's default of 4800 a second: 1 s. The bone is bound at (1 0 0).
 * Vertex (2 1 0) is (1 1 0) from there. At 1 s: scaled (2 1), turned by 90 degrees (-1 2), moved by (3 0): (2 2).
 * At 0.5 s: scaled (1.5 1), turned by 45 degrees ((1.5 - 1) c, (1.5 + 1) c) = (0.35355339, 1.76776695), moved by
 * (2 0): (2.35355339, 1.76776695).
 */
static void testNoTicksPerSecond(void **state) {
    (void)state;
    static const Moment moments[] = {
        {0.0, {2, 1, 0}, {2, 1, 0}},
        {0.5, {2, 1, 0}, {2.35355339f, 1.76776695f, 0}},
        {1.0, {2, 1, 0}, {2, 2, 0}},
    };
    Model *model = importFixture("no_ticks.x");
    assert_float_equal(model->clips[0].duration, 1.0f, 1e-6f);
    expectMoments(model, 0, moments, sizeof moments / sizeof moments[0]);
    modelFree(model);
}

/* Late is at (5 0 0), Later at (5 7 0), both bound at the origin. */
static void testWeightsBeforeFrames(void **state) {
    (void)state;
    static const Moment moments[] = {
        {0.0, {1, 0, 0}, {6, 0, 0}},
        {0.0, {2, 0, 0}, {7, 0, 0}},
        {0.0, {1, 1, 0}, {6, 8, 0}},
    };
    Model *model = importFixture("weights_first.x");
    expectMoments(model, POSED_REST, moments, sizeof moments / sizeof moments[0]);
    modelFree(model);
}

/* The joint Arm is at (0 3 0), the frame Arm with the mesh at (10 0 0): the joint moves the vertices. */
static void testSameNames(void **state) {
    (void)state;
    static const Moment moments[] = {{0.0, {1, 0, 0}, {1, 3, 0}}, {0.0, {1, 1, 0}, {1, 4, 0}}};
    Model *model = importFixture("same_names.x");
    expectMoments(model, POSED_REST, moments, sizeof moments / sizeof moments[0]);
    modelFree(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testMatrixKeys),       cmocka_unit_test(testWinding),
        cmocka_unit_test(testNoTicksPerSecond), cmocka_unit_test(testWeightsBeforeFrames),
        cmocka_unit_test(testSameNames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
