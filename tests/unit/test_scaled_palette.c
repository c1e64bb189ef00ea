/* Scaled dual quaternions: rotation and stretch are the matrix again, whatever the matrix is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "palette_bone.h"

#define FLOAT_ROUNDING 3e-7 /* of the matrix's largest element: a few roundings of a float */

typedef struct ScaledBone {
    float real[4];
    float dual[4];
    float stretch[6]; /* xx, yy, zz, xy, xz, yz */
    float zero[2];
} ScaledBone;

static ScaledBone write(const VkskinAffine *world) {
    ScaledBone bone;
    memset(&bone, 0xff, sizeof bone);
    assert_int_equal(writeBone(world, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, &bone), VKSKIN_SUCCESS);
    double length = 0.0;
    double across = 0.0;
    for (int i = 0; i < 4; ++i) {
        length += (double)bone.real[i] * bone.real[i];
        across += (double)bone.real[i] * bone.dual[i];
    }
    assert_true(fabs(length - 1.0) < 1e-6);
    assert_true(fabs(across) <= 1e-6 * (fabsf(world->m[0][3]) + fabsf(world->m[1][3]) + fabsf(world->m[2][3])));
    assert_true(bone.zero[0] == 0.0f && bone.zero[1] == 0.0f);
    return bone;
}

/* The stretch first, then the rotation, then the translation: one column after another. */
static void rebuild(const ScaledBone *bone, double matrix[3][4]) {
    const float *s = bone->stretch;
    const double columns[3][3] = {{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}};
    double moved[3];
    dualTranslation(bone->real, bone->dual, moved);
    for (int column = 0; column < 3; ++column) {
        double turned[3];
        rotateVector(bone->real, columns[column], turned);
        for (int row = 0; row < 3; ++row) {
            matrix[row][column] = turned[row];
            matrix[row][3] = moved[row];
        }
    }
}

static ScaledBone assertHeld(const VkskinAffine *world) {
    const ScaledBone bone = write(world);
    double matrix[3][4];
    rebuild(&bone, matrix);
    assertAffine(matrix, world, FLOAT_ROUNDING);
    return bone;
}

static double dotOf(const float a[4], const float b[4]) {
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3];
}

static double determinantOf(const VkskinAffine *a) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        sum += a->m[0][i] * ((double)a->m[1][j] * a->m[2][k] - (double)a->m[1][k] * a->m[2][j]);
    }
    return sum;
}

/* By the leading minors of sign x S. */
static bool isDefinite(const ScaledBone *bone, double sign) {
    double s[6];
    for (int i = 0; i < 6; ++i) {
        s[i] = sign * bone->stretch[i];
    }
    const double second = s[0] * s[1] - s[3] * s[3];
    const double third =
        s[0] * (s[1] * s[2] - s[5] * s[5]) - s[3] * (s[3] * s[2] - s[5] * s[4]) + s[4] * (s[3] * s[5] - s[1] * s[4]);
    return s[0] > 0.0 && second > 0.0 && third > 0.0;
}

static void rigidBonesAreNotStretched(void **state) {
    (void)state;
    for (size_t axis = 0; axis < TURN_AXES; ++axis) {
        for (int degrees = -360; degrees <= 360; degrees += 15) {
            const VkskinAffine world = turnedScale(turnAxes[axis], degrees, 1, 1, 1);
            const ScaledBone bone = assertHeld(&world);
            for (int i = 0; i < 6; ++i) {
                assert_true(fabsf(bone.stretch[i] - (i < 3 ? 1.0f : 0.0f)) < 4e-7f);
            }
        }
    }
}

/* Of T R S the rotation is R and the stretch lies along the axes, negative where all three are. */
static void scaleIsKeptBesideTheRotation(void **state) {
    (void)state;
    static const float scales[][3] = {{2, 2, 2},    {0.5f, 3, 7}, {1000, 1, 0.001f}, {1e-6f, 1e-6f, 1e-6f},
                                      {-1, -1, -1}, {-2, -3, -4}, {1, 1, 1.0005f},   {-0.01f, -0.01f, -0.01f}};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        for (size_t axis = 0; axis < TURN_AXES; ++axis) {
            float rotation[4];
            turnAbout(turnAxes[axis], 77.0, rotation);
            const VkskinAffine world = turnedScale(turnAxes[axis], 77.0, scales[i][0], scales[i][1], scales[i][2]);
            const ScaledBone bone = assertHeld(&world);
            assert_true(fabs(dotOf(bone.real, rotation)) > 1.0 - 1e-5);
        }
    }
}

/* Whatever the matrix, at whatever size; the stretch has no mirroring of its own beside that of the matrix. */
static void anyMatrixIsHeld(void **state) {
    (void)state;
    static const float sizes[] = {1.0f, 1e-30f, 1e-6f, 1e4f, 1e30f};
    srand(11);
    for (int trial = 0; trial < 2000; ++trial) {
        VkskinAffine world;
        for (int i = 0; i < 12; ++i) {
            world.m[i / 4][i % 4] = randomFraction() * (i % 4 == 3 ? 10000.0f : sizes[trial % 5]);
        }
        const ScaledBone bone = assertHeld(&world);
        const double determinant = determinantOf(&world) / pow(sizes[trial % 5], 3.0);
        if (fabs(determinant) > 0.05) {
            assert_true(isDefinite(&bone, determinant > 0.0 ? 1.0 : -1.0));
        }
    }
}

static void shearIsHeld(void **state) {
    (void)state;
    for (float shear = -4.0f; shear <= 4.0f; shear += 0.25f) {
        const VkskinAffine one = {{{1, shear, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}};
        const VkskinAffine turned = turnedScale(turnAxes[6], 140.0, 1, 2, 3);
        const VkskinAffine world = vkskinMultiplyAffine(&turned, &one);
        const ScaledBone bone = assertHeld(&world);
        assert_true(isDefinite(&bone, 1.0));
    }
}

/* Rank two, one and none, along the axes and across them. */
static void singularMatricesAreHeld(void **state) {
    (void)state;
    static const float scales[][3] = {{1, 2, 0}, {0, 5, 5}, {1, 0, 1}, {3, 0, 0}, {0, 0, 1}, {0, 0, 0}, {-1, -2, 0}};
    const VkskinAffine shear = {{{1, 0.7f, 0, 1}, {0, 1, -0.4f, 2}, {0, 0, 1, 3}}};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        for (size_t axis = 0; axis < TURN_AXES; ++axis) {
            const VkskinAffine world = turnedScale(turnAxes[axis], 50.0, scales[i][0], scales[i][1], scales[i][2]);
            assertHeld(&world);
            const VkskinAffine after = vkskinMultiplyAffine(&shear, &world);
            assertHeld(&after);
            const VkskinAffine before = vkskinMultiplyAffine(&world, &shear);
            assertHeld(&before);
        }
    }
    const VkskinAffine zero = {{{0, 0, 0, 7}, {0, 0, 0, 8}, {0, 0, 0, 9}}};
    const ScaledBone bone = assertHeld(&zero);
    assert_true(fabsf(bone.real[3]) == 1.0f); /* of nothing the rotation is none */
}

/* Rounding gives a flat bone's determinant either sign: the rotation is the same. */
static void flatBonesDoNotFlip(void **state) {
    (void)state;
    for (size_t axis = 0; axis < TURN_AXES; ++axis) {
        const VkskinAffine above = turnedScale(turnAxes[axis], 50.0, 1, 2, 1e-6f);
        const VkskinAffine below = turnedScale(turnAxes[axis], 50.0, 1, 2, -1e-6f);
        const ScaledBone first = assertHeld(&above);
        const ScaledBone second = assertHeld(&below);
        assert_true(fabs(dotOf(first.real, second.real)) > 1.0 - 1e-5);
    }
}

/* However it is mirrored: a bone's rotation turns with it, frame after frame and about the mirror's own axis. */
static void mirroredBonesTurnSmoothly(void **state) {
    (void)state;
    static const float mirrors[][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}, {-2, 1, 1}, {1, -0.3f, 5}};
    for (size_t i = 0; i < sizeof mirrors / sizeof mirrors[0]; ++i) {
        for (size_t axis = 0; axis < TURN_AXES; ++axis) {
            ScaledBone last = {{0}, {0}, {0}, {0}};
            for (int step = 0; step <= 180; ++step) {
                const VkskinAffine world =
                    turnedScale(turnAxes[axis], 2.0 * step, mirrors[i][0], mirrors[i][1], mirrors[i][2]);
                const ScaledBone bone = assertHeld(&world);
                assert_true(isDefinite(&bone, -1.0));
                /* 2 degrees are a dot product of cos 1 degree */
                assert_true(step == 0 || fabs(fabs(dotOf(bone.real, last.real)) - 0.99984770) < 1e-5);
                last = bone;
            }
        }
    }
}

static void stretchBeyondFloatIsRefused(void **state) {
    (void)state;
    const float large = 3e38f; /* a column of three is longer than any float */
    const VkskinAffine world = {{{large, 0, 0, 0}, {large, 1, 0, 0}, {large, 0, 1, 0}}};
    ScaledBone bone;
    ScaledBone poison;
    memset(&bone, 0xcd, sizeof bone);
    memset(&poison, 0xcd, sizeof poison);
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, &bone),
                     VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    assert_memory_equal(&bone, &poison, sizeof bone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigidBonesAreNotStretched), cmocka_unit_test(scaleIsKeptBesideTheRotation),
        cmocka_unit_test(anyMatrixIsHeld),           cmocka_unit_test(shearIsHeld),
        cmocka_unit_test(singularMatricesAreHeld),   cmocka_unit_test(flatBonesDoNotFlip),
        cmocka_unit_test(mirroredBonesTurnSmoothly), cmocka_unit_test(stretchBeyondFloatIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
