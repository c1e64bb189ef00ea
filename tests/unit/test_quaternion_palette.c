/* Rotation, translation and uniform scale in floats, halves and snorm16. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "palette_bone.h"

typedef struct Bone {
    float rotation[4];
    float translation[3];
    float scale;
} Bone;

typedef struct Snorm16Bone {
    int16_t rotation[4];
    float translation[3];
    float scale;
} Snorm16Bone;

static const VkskinPaletteEncoding encodings[] = {VKSKIN_PALETTE_QUATERNION, VKSKIN_PALETTE_QUATERNION_HALF,
                                                  VKSKIN_PALETTE_QUATERNION_SNORM16};
/* Of the matrix and of the translation: a few roundings of a float, of a half, of 1/32767. */
static const double precisions[] = {3e-7, 2e-3, 1e-4};

static float halfValue(uint16_t half) {
    const int exponent = half >> 10 & 31;
    const double fraction = half & 0x3ff;
    const double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024.0 + fraction, exponent - 25);
    return (float)((half & 0x8000) != 0 ? -value : value);
}

/* What a kernel reads of an entry. */
static Bone decode(VkskinPaletteEncoding encoding, const void *entry) {
    Bone bone;
    float *numbers = bone.rotation;
    if (encoding == VKSKIN_PALETTE_QUATERNION_HALF) {
        uint16_t halves[8];
        memcpy(halves, entry, sizeof halves);
        for (int i = 0; i < 4; ++i) {
            numbers[i] = halfValue(halves[i]);
        }
        for (int i = 0; i < 3; ++i) {
            bone.translation[i] = halfValue(halves[4 + i]);
        }
        bone.scale = halfValue(halves[7]);
    } else if (encoding == VKSKIN_PALETTE_QUATERNION_SNORM16) {
        Snorm16Bone rounded;
        memcpy(&rounded, entry, sizeof rounded);
        for (int i = 0; i < 4; ++i) {
            numbers[i] = (float)rounded.rotation[i] / 32767.0f;
        }
        memcpy(bone.translation, rounded.translation, sizeof bone.translation);
        bone.scale = rounded.scale;
    } else {
        memcpy(&bone, entry, sizeof bone);
    }
    return bone;
}

/* Written as `encoding`, read back, and a rotation of nearly unit length. */
static Bone writeAs(VkskinPaletteEncoding encoding, const VkskinAffine *world, VkskinResult expected) {
    _Alignas(16) unsigned char entry[32];
    memset(entry, 0xff, sizeof entry);
    assert_int_equal(writeBone(world, encoding, entry), expected);
    const Bone bone = decode(encoding, entry);
    double length = 0.0;
    for (int i = 0; i < 4; ++i) {
        length += (double)bone.rotation[i] * bone.rotation[i];
    }
    assert_true(fabs(length - 1.0) < 1.5e-3);
    return bone;
}

static void rebuild(const Bone *bone, double matrix[3][4]) {
    for (int column = 0; column < 3; ++column) {
        const double axis[3] = {column == 0, column == 1, column == 2};
        double turned[3];
        rotateVector(bone->rotation, axis, turned);
        for (int row = 0; row < 3; ++row) {
            matrix[row][column] = bone->scale * turned[row];
            matrix[row][3] = bone->translation[row];
        }
    }
}

/* Below a half's least normal number its bits run out; zero is held. */
static void halvesTellOfScalesThatTheyLose(void **state) {
    (void)state;
    static const struct {
        float scale;
        VkskinResult expected;
    } cases[] = {{1e-8f, VKSKIN_WARNING_SCALE_LOST},
                 {-1e-6f, VKSKIN_WARNING_SCALE_LOST},
                 {6e-5f, VKSKIN_WARNING_SCALE_LOST},
                 {6.2e-5f, VKSKIN_SUCCESS},
                 {0.0f, VKSKIN_SUCCESS}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const float scale = cases[i].scale;
        const VkskinAffine world = turnedScale(turnAxes[0], 30.0, scale, scale, scale);
        (void)writeAs(VKSKIN_PALETTE_QUATERNION_HALF, &world, cases[i].expected);
    }
}

static void uniformScaleIsKept(void **state) {
    (void)state;
    static const float scales[] = {1.0f, 2.5f, 0.01f, 300.0f, -1.0f, -0.25f, -40.0f};
    for (int as = 0; as < 3; ++as) {
        for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
            for (size_t axis = 0; axis < TURN_AXES; ++axis) {
                for (int degrees = -360; degrees <= 360; degrees += 30) {
                    const VkskinAffine world = turnedScale(turnAxes[axis], degrees, scales[i], scales[i], scales[i]);
                    const Bone bone = writeAs(encodings[as], &world, VKSKIN_SUCCESS);
                    double matrix[3][4];
                    rebuild(&bone, matrix);
                    assertAffine(matrix, &world, precisions[as]);
                    assert_true(signbit(bone.scale) == signbit(scales[i]));
                }
            }
        }
    }
}

/* A mirrored axis is a turn of the two others and a negative scale of all: nothing is lost. */
static void mirroringIsKept(void **state) {
    (void)state;
    static const float mirrors[][3] = {{-2, 2, 2}, {2, -2, 2}, {2, 2, -2}};
    for (int as = 0; as < 3; ++as) {
        for (size_t axis = 0; axis < TURN_AXES; ++axis) {
            const float *m = mirrors[axis % 3];
            const VkskinAffine world = turnedScale(turnAxes[axis], 33.0, m[0], m[1], m[2]);
            const Bone bone = writeAs(encodings[as], &world, VKSKIN_SUCCESS);
            double matrix[3][4];
            rebuild(&bone, matrix);
            assertAffine(matrix, &world, precisions[as]);
        }
    }
}

/* A rotation of (x, y, z, w) about z by a right angle; a scale of -3; a translation: the words as they lie. */
static void entriesAreTheDocumentedWords(void **state) {
    (void)state;
    const VkskinAffine world = {{{0, 3, 0, 1}, {-3, 0, 0, -2}, {0, 0, -3, 0.1f}}};
    Bone bone;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_QUATERNION, &bone), VKSKIN_SUCCESS);
    const float sign = bone.rotation[3] < 0.0f ? -1.0f : 1.0f;
    const float expected[8] = {0, 0, sign * 0.70710678f, sign * 0.70710678f, 1, -2, 0.1f, -3};
    for (int i = 0; i < 4; ++i) {
        assert_float_equal(bone.rotation[i], expected[i], 1e-7f);
    }
    assert_memory_equal(bone.translation, expected + 4, sizeof bone.translation);
    assert_float_equal(bone.scale, -3.0f, 1e-6f);
    uint16_t halves[8];
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_QUATERNION_HALF, halves), VKSKIN_SUCCESS);
    const uint16_t turn = sign < 0.0f ? 0xb9a8 : 0x39a8; /* 0.70703125 */
    assert_int_equal(halves[2], turn);
    assert_int_equal(halves[3], turn);
    const uint16_t rest[] = {0x3c00, 0xc000, 0x2e66, 0xc200}; /* 1, -2, 0.09997559, -3 */
    assert_memory_equal(halves + 4, rest, sizeof rest);
    Snorm16Bone snorm;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_QUATERNION_SNORM16, &snorm), VKSKIN_SUCCESS);
    assert_int_equal(snorm.rotation[2], (int)sign * 23170); /* 23169.77 */
    assert_int_equal(snorm.rotation[3], (int)sign * 23170);
    assert_memory_equal(snorm.translation, bone.translation, sizeof bone.translation);
    assert_memory_equal(&snorm.scale, &bone.scale, sizeof bone.scale);
}

/* Each number of a rotation goes to the nearest of the 65,535 steps. */
static void snormIsRounded(void **state) {
    (void)state;
    for (int degrees = 0; degrees < 360; ++degrees) {
        const VkskinAffine world = turnedScale(turnAxes[6], degrees, 1, 1, 1);
        Bone bone;
        Snorm16Bone rounded;
        assert_int_equal(writeBone(&world, VKSKIN_PALETTE_QUATERNION, &bone), VKSKIN_SUCCESS);
        assert_int_equal(writeBone(&world, VKSKIN_PALETTE_QUATERNION_SNORM16, &rounded), VKSKIN_SUCCESS);
        for (int i = 0; i < 4; ++i) {
            assert_true(fabs(32767.0 * bone.rotation[i] - rounded.rotation[i]) < 0.502);
        }
    }
}

static void otherScaleIsLostAndVolumeKept(void **state) {
    (void)state;
    static const float scales[][4] = {
        {1, 2, 4, 2}, {3, 3, 3.012f, 3.0039947f}, {-1, -2, -4, -2}, {1, 2, -4, -2}, {1, 1, 0.996f, 0.99866487f}};
    for (int as = 0; as < 3; ++as) {
        for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
            const float *s = scales[i];
            const VkskinAffine world = turnedScale(turnAxes[6], 100.0, s[0], s[1], s[2]);
            const Bone bone = writeAs(encodings[as], &world, VKSKIN_WARNING_SCALE_LOST);
            assert_float_equal(bone.scale, s[3], (float)precisions[as] * fabsf(s[3]));
            float rotation[4];
            turnAbout(turnAxes[6], 100.0, rotation);
            double dot = 0.0;
            for (int k = 0; k < 4; ++k) {
                dot += (double)bone.rotation[k] * rotation[k];
            }
            assert_true(fabs(dot) > 0.999 || s[2] * s[0] < 0.0f); /* of a mirrored one any axis may be turned */
        }
    }
}

static void lossBeginsAtATenthOfAPercent(void **state) {
    (void)state;
    for (int as = 0; as < 3; ++as) {
        const VkskinAffine slight =
            turnedScale(turnAxes[6], 100.0, 5.0f, 5.0f, 5.0f * 1.0012f); /* 0.08 % of the mean */
        writeAs(encodings[as], &slight, VKSKIN_SUCCESS);
        const VkskinAffine more = turnedScale(turnAxes[6], 100.0, 5.0f, 5.0f, 5.0f * 1.0018f); /* 0.12 % */
        writeAs(encodings[as], &more, VKSKIN_WARNING_SCALE_LOST);
        VkskinAffine sheared = {{{2, 0.0016f, 0, 1}, {0, 2, 0, 2}, {0, 0, 2, 3}}};
        writeAs(encodings[as], &sheared, VKSKIN_SUCCESS);
        sheared.m[0][1] = 0.0024f;
        writeAs(encodings[as], &sheared, VKSKIN_WARNING_SCALE_LOST);
    }
}

static void noScaleIsAScale(void **state) {
    (void)state;
    const VkskinAffine zero = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    for (int as = 0; as < 3; ++as) {
        const Bone bone = writeAs(encodings[as], &zero, VKSKIN_SUCCESS);
        assert_true(bone.scale == 0.0f && bone.translation[1] == 2.0f);
        const VkskinAffine flat = turnedScale(turnAxes[0], 0.0, 1, 1, 0);
        assert_true(writeAs(encodings[as], &flat, VKSKIN_WARNING_SCALE_LOST).scale == 0.0f);
    }
}

static void assertRefused(const VkskinAffine *world, VkskinPaletteEncoding encoding) {
    unsigned char entry[32];
    unsigned char poison[32];
    memset(entry, 0xcd, sizeof entry);
    memset(poison, 0xcd, sizeof poison);
    assert_int_equal(writeBone(world, encoding, entry), VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    assert_memory_equal(entry, poison, sizeof entry);
}

static void halvesEndAt65504(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        VkskinAffine world = vkskinIdentityAffine();
        world.m[axis][3] = -65519.0f;
        const Bone bone = writeAs(VKSKIN_PALETTE_QUATERNION_HALF, &world, VKSKIN_SUCCESS);
        assert_true(bone.translation[axis] == -65504.0f);
        world.m[axis][3] = -65520.0f;
        assertRefused(&world, VKSKIN_PALETTE_QUATERNION_HALF);
        writeAs(VKSKIN_PALETTE_QUATERNION, &world, VKSKIN_SUCCESS);
        writeAs(VKSKIN_PALETTE_QUATERNION_SNORM16, &world, VKSKIN_SUCCESS);
    }
    const VkskinAffine large = turnedScale(turnAxes[5], 20.0, 70000, 70000, 70000);
    assertRefused(&large, VKSKIN_PALETTE_QUATERNION_HALF);
}

static void scaleBeyondFloatIsRefused(void **state) {
    (void)state;
    const float x = 3e38f; /* two of three axes are longer than this by the root of two */
    const VkskinAffine world = {{{x, x, 0, 0}, {-x, x, 0, 0}, {0, 0, x, 0}}};
    for (int as = 0; as < 3; ++as) {
        assertRefused(&world, encodings[as]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniformScaleIsKept),
        cmocka_unit_test(halvesTellOfScalesThatTheyLose),
        cmocka_unit_test(mirroringIsKept),
        cmocka_unit_test(entriesAreTheDocumentedWords),
        cmocka_unit_test(snormIsRounded),
        cmocka_unit_test(otherScaleIsLostAndVolumeKept),
        cmocka_unit_test(lossBeginsAtATenthOfAPercent),
        cmocka_unit_test(noScaleIsAScale),
        cmocka_unit_test(halvesEndAt65504),
        cmocka_unit_test(scaleBeyondFloatIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
