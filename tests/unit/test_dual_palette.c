/* Dual quaternions: points are turned with them; what they cannot hold is told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "palette_bone.h"

#define HALF 0.70710678f

typedef struct DualBone {
    float real[4];
    float dual[4];
} DualBone;

/* What a kernel does with one bone: rotation by the real part, then its translation. */
static void transformPoint(const DualBone *bone, const double point[3], double out[3]) {
    double moved[3];
    dualTranslation(bone->real, bone->dual, moved);
    rotateVector(bone->real, point, out);
    for (int i = 0; i < 3; ++i) {
        out[i] += moved[i];
    }
}

static void assertUnit(const DualBone *bone) {
    double length = 0.0;
    double across = 0.0;
    for (int i = 0; i < 4; ++i) {
        length += (double)bone->real[i] * bone->real[i];
        across += (double)bone->real[i] * bone->dual[i];
    }
    assert_float_equal((float)length, 1.0f, 1e-6f);
    assert_float_equal((float)across, 0.0f, 1e-5f);
}

/* Both parts move a few points to where the matrix moves them. */
static void assertSameMotion(const DualBone *bone, const VkskinAffine *affine, double tolerance) {
    static const double points[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-2, 3, 0.5}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
        double moved[3];
        transformPoint(bone, points[i], moved);
        for (int row = 0; row < 3; ++row) {
            const float *m = affine->m[row];
            const double expected = m[0] * points[i][0] + m[1] * points[i][1] + m[2] * points[i][2] + m[3];
            assert_true(fabs(moved[row] - expected) <= tolerance);
        }
    }
}

static void zeroScaleIsLost(void **state) {
    (void)state;
    const VkskinAffine world = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    DualBone bone;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_WARNING_SCALE_LOST);
    assertUnit(&bone);
}

/* Turns by many angles about many axes, the half turns about each axis among them. */
static void rotationsGoRoundThroughDualQuaternions(void **state) {
    (void)state;
    static const double axes[][3] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {1, 1, 0},
                                     {0, -1, 1}, {1, 0, 1}, {1, 1, 1}, {-1, 2, 3}, {1, 1e-5, 0}};
    for (size_t axis = 0; axis < sizeof axes / sizeof axes[0]; ++axis) {
        for (int degrees = -360; degrees <= 360; degrees += 15) {
            VkskinTransform transform = {{3, -4, 5}, {0, 0, 0, 1}, {1, 1, 1}};
            turnAbout(axes[axis], degrees, transform.rotation);
            const VkskinAffine world = vkskinAffineFromTransform(&transform);
            DualBone bone;
            assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_SUCCESS);
            assertUnit(&bone);
            assertSameMotion(&bone, &world, 2e-6);
        }
    }
}

static void dualPartIsHalfOfTranslationTimesReal(void **state) {
    (void)state;
    const VkskinTransform transform = {{2, 4, 6}, {0, 0, HALF, HALF}, {1, 1, 1}};
    const VkskinAffine world = vkskinAffineFromTransform(&transform);
    DualBone bone;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_SUCCESS);
    /* (2, 4, 6, 0) x (0, 0, h, h) = h (2 + 4, 4 - 2, 6, -6) */
    const float sign = bone.real[3] < 0.0f ? -1.0f : 1.0f;
    const float expected[8] = {0, 0, HALF, HALF, 3 * HALF, HALF, 3 * HALF, -3 * HALF};
    for (int i = 0; i < 4; ++i) {
        assert_float_equal(sign * bone.real[i], expected[i], 1e-6f);
        assert_float_equal(sign * bone.dual[i], expected[4 + i], 1e-6f);
    }
}

static void slightScaleIsNoLoss(void **state) {
    (void)state;
    const VkskinTransform rigid = {{1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}, {1, 1, 1}};
    VkskinTransform scaled = rigid;
    scaled.scale[0] = 1.0009f;
    scaled.scale[2] = 0.9991f;
    const VkskinAffine world = vkskinAffineFromTransform(&scaled);
    const VkskinAffine expected = vkskinAffineFromTransform(&rigid);
    DualBone bone;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_SUCCESS);
    assertSameMotion(&bone, &expected, 1e-6);
    scaled.scale[0] = 1.0012f;
    const VkskinAffine more = vkskinAffineFromTransform(&scaled);
    assert_int_equal(writeBone(&more, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_WARNING_SCALE_LOST);
}

static void slightShearIsNoLoss(void **state) {
    (void)state;
    VkskinAffine world = {{{1, 0.0008f, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}};
    DualBone bone;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_SUCCESS);
    world.m[0][1] = 0.0012f;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_WARNING_SCALE_LOST);
}

static void scaleIsLostAndRotationKept(void **state) {
    (void)state;
    const VkskinTransform rigid = {{1, 2, 3}, {0.1f, -0.7f, 0.3f, 0.2f}, {1, 1, 1}};
    const VkskinAffine expected = vkskinAffineFromTransform(&rigid);
    const float scales[][3] = {{2, 2, 2}, {0.01f, 0.01f, 0.01f}, {1, 5, 0.25f}, {100, 1, 1}, {3, 2, 0}};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        VkskinTransform scaled = rigid;
        memcpy(scaled.scale, scales[i], sizeof scaled.scale);
        const VkskinAffine world = vkskinAffineFromTransform(&scaled);
        DualBone bone;
        assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_WARNING_SCALE_LOST);
        assertUnit(&bone);
        assertSameMotion(&bone, &expected, 1e-5);
    }
}

static double closeness(const VkskinAffine *affine, const float q[4]) {
    double trace = 0.0;
    for (int column = 0; column < 3; ++column) {
        const double axis[3] = {column == 0, column == 1, column == 2};
        double turned[3];
        rotateVector(q, axis, turned);
        for (int row = 0; row < 3; ++row) {
            trace += turned[row] * affine->m[row][column];
        }
    }
    return trace;
}

/* The nearest rotation is the one whose product with the matrix has the largest trace: tried against many others. */
static void nearestRotationIsNearest(void **state) {
    (void)state;
    srand(7);
    for (int trial = 0; trial < 60; ++trial) {
        VkskinAffine world;
        for (int i = 0; i < 12; ++i) {
            world.m[i / 4][i % 4] = (float)rand() / (float)RAND_MAX * 4.0f - 2.0f;
        }
        DualBone bone;
        assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_WARNING_SCALE_LOST);
        assertUnit(&bone);
        const double best = closeness(&world, bone.real);
        for (int other = 0; other < 300; ++other) {
            /* half of them anywhere, half of them near the one that was written */
            float q[4];
            double length = 0.0;
            for (int i = 0; i < 4; ++i) {
                const float random = (float)rand() / (float)RAND_MAX * 2.0f - 1.0f;
                q[i] = other % 2 == 0 ? random : bone.real[i] + 0.05f * random;
                length += (double)q[i] * q[i];
            }
            for (int i = 0; i < 4; ++i) {
                q[i] /= (float)sqrt(length);
            }
            assert_true(closeness(&world, q) <= best + 1e-4);
        }
    }
}

static void mirroredBonesTurnSmoothly(void **state) {
    (void)state;
    DualBone last = {{0}, {0}};
    for (int step = 0; step <= 720; ++step) {
        const double half = step * 3.14159265358979323846 / 720.0;
        const VkskinTransform transform = {
            {0, 0, 0}, {(float)(sin(half) * 0.6), (float)(sin(half) * 0.8), 0, (float)cos(half)}, {-1, 1, 1}};
        const VkskinAffine world = vkskinAffineFromTransform(&transform);
        DualBone bone;
        assert_int_equal(writeBone(&world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone), VKSKIN_WARNING_SCALE_LOST);
        assertUnit(&bone);
        double dot = 0.0;
        for (int i = 0; i < 4; ++i) {
            dot += (double)bone.real[i] * last.real[i];
        }
        assert_true(step == 0 || fabs(dot) > 0.9999);
        last = bone;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroScaleIsLost),
        cmocka_unit_test(rotationsGoRoundThroughDualQuaternions),
        cmocka_unit_test(dualPartIsHalfOfTranslationTimesReal),
        cmocka_unit_test(slightScaleIsNoLoss),
        cmocka_unit_test(slightShearIsNoLoss),
        cmocka_unit_test(scaleIsLostAndRotationKept),
        cmocka_unit_test(nearestRotationIsNearest),
        cmocka_unit_test(mirroredBonesTurnSmoothly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
