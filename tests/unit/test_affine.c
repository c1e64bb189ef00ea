/* The small matrix functions, against values worked by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vkskin/vkskin_pose.h"

#define HALF 0.70710678f

static void assertAffine(const VkskinAffine *affine, const float expected[3][4], float tolerance) {
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            assert_float_equal(affine->m[row][column], expected[row][column], tolerance);
        }
    }
}

static void identities(void **state) {
    (void)state;
    const float expected[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    const VkskinAffine identity = vkskinIdentityAffine();
    assertAffine(&identity, expected, 0.0f);
    const VkskinTransform transform = vkskinIdentityTransform();
    const VkskinAffine fromTransform = vkskinAffineFromTransform(&transform);
    assertAffine(&fromTransform, expected, 0.0f);
}

static void scalesThenRotatesThenMoves(void **state) {
    (void)state;
    /* A quarter turn about z takes x to y and y to -x. */
    const VkskinTransform transform = {{5, 6, 7}, {0, 0, HALF, HALF}, {2, -3, 4}};
    const VkskinAffine affine = vkskinAffineFromTransform(&transform);
    const float expected[3][4] = {{0, 3, 0, 5}, {2, 0, 0, 6}, {0, 0, 4, 7}};
    assertAffine(&affine, expected, 1e-6f);
}

static void rotationIsNormalisedWhereRead(void **state) {
    (void)state;
    const VkskinTransform unit = {{0, 0, 0}, {0.5f, 0.5f, 0.5f, 0.5f}, {1, 1, 1}};
    const VkskinTransform longer = {{0, 0, 0}, {3, 3, 3, 3}, {1, 1, 1}};
    const VkskinTransform zero = {{0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1}};
    const VkskinAffine a = vkskinAffineFromTransform(&unit);
    const VkskinAffine b = vkskinAffineFromTransform(&longer);
    const VkskinAffine c = vkskinAffineFromTransform(&zero);
    const VkskinAffine identity = vkskinIdentityAffine();
    assertAffine(&b, a.m, 1e-7f);
    assertAffine(&c, identity.m, 0.0f);
}

static void productAppliesTheSecondFirst(void **state) {
    (void)state;
    const VkskinAffine move = {{{1, 0, 0, 10}, {0, 1, 0, 20}, {0, 0, 1, 30}}};
    const VkskinAffine scale = {{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 0}}};
    const VkskinAffine scaledFirst = vkskinMultiplyAffine(&move, &scale);
    const VkskinAffine movedFirst = vkskinMultiplyAffine(&scale, &move);
    const float expectedScaledFirst[3][4] = {{2, 0, 0, 10}, {0, 3, 0, 20}, {0, 0, 4, 30}};
    const float expectedMovedFirst[3][4] = {{2, 0, 0, 20}, {0, 3, 0, 60}, {0, 0, 4, 120}};
    assertAffine(&scaledFirst, expectedScaledFirst, 0.0f);
    assertAffine(&movedFirst, expectedMovedFirst, 0.0f);
}

static void inverseUndoes(void **state) {
    (void)state;
    const VkskinAffine matrices[] = {
        {{{2, 1, 0, 5}, {0, -3, 1, 6}, {1, 0, 4, -7}}},
        {{{1e-12f, 0, 0, 1}, {0, 1e6f, 0, 2}, {0, 0, -1, 3}}}, /* far apart scales are no matter */
        {{{0, 0, 100, 1}, {100, 0, 0, 2}, {0, 100, 0, 3}}},
    };
    const VkskinAffine identity = vkskinIdentityAffine();
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; ++i) {
        VkskinAffine inverse;
        assert_int_equal(vkskinInvertAffine(&matrices[i], &inverse), VKSKIN_SUCCESS);
        const VkskinAffine product = vkskinMultiplyAffine(&inverse, &matrices[i]);
        assertAffine(&product, identity.m, 1e-5f);
    }
}

static void inverseMayAlias(void **state) {
    (void)state;
    VkskinAffine affine = {{{2, 0, 0, 4}, {0, 4, 0, 8}, {0, 0, 8, 16}}};
    const float expected[3][4] = {{0.5f, 0, 0, -2}, {0, 0.25f, 0, -2}, {0, 0, 0.125f, -2}};
    assert_int_equal(vkskinInvertAffine(&affine, &affine), VKSKIN_SUCCESS);
    assertAffine(&affine, expected, 0.0f);
}

static void singularLeavesTheResultAlone(void **state) {
    (void)state;
    const VkskinAffine singular[] = {
        {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}},
        {{{1, 2, 3, 0}, {4, 5, 6, 0}, {7, 8, 9, 0}}},
        {{{0.1f, 0.2f, 0.3f, 0}, {0.7f, 0.2f, 0.9f, 0}, {0.3f, 0.6f, 0.9f, 0}}}, /* but for the rounding of its sums */
        {{{NAN, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{INFINITY, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{1, 0, 0, NAN}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{1e-40f, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, /* its inverse is beyond float */
    };
    for (size_t i = 0; i < sizeof singular / sizeof singular[0]; ++i) {
        VkskinAffine inverse;
        VkskinAffine before;
        memset(&inverse, 0x5a, sizeof inverse);
        memcpy(&before, &inverse, sizeof before);
        assert_int_equal(vkskinInvertAffine(&singular[i], &inverse), VKSKIN_ERROR_SINGULAR_MATRIX);
        assert_memory_equal(&inverse, &before, sizeof inverse);
    }
}

static void nullsAreRefused(void **state) {
    (void)state;
    VkskinAffine affine = vkskinIdentityAffine();
    assert_int_equal(vkskinInvertAffine(NULL, &affine), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinInvertAffine(&affine, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identities),
        cmocka_unit_test(scalesThenRotatesThenMoves),
        cmocka_unit_test(rotationIsNormalisedWhereRead),
        cmocka_unit_test(productAppliesTheSecondFirst),
        cmocka_unit_test(inverseUndoes),
        cmocka_unit_test(inverseMayAlias),
        cmocka_unit_test(singularLeavesTheResultAlone),
        cmocka_unit_test(nullsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
