/* One entry of a palette in each encoding: exact values, what it represents, what it loses and what it refuses. */
#include <math.h>

#include "palette.h"
#include "pose_builders.h"
#include "reference.h"

#define HALF 0.70710678f

static double dotOf(const float a[4], const float b[4]) {
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3];
}

/* A dual quaternion of unit length, whose parts are orthogonal within `tolerance`. */
static void assertUnit(const float real[4], const float dual[4], double tolerance) {
    assert_true(fabs(dotOf(real, real) - 1.0) < 1e-6);
    assert_true(fabs(dotOf(real, dual)) <= tolerance);
}

/* A rotation of length 1 or another, then a translation; scaled first. */
static VkskinAffine affineOf(VkskinTransform transform) {
    return vkskinAffineFromTransform(&transform);
}

/* The matrix is not finite in this encoding, and nothing is written. */
static void assertNotFinite(const VkskinAffine *world, VkskinPaletteEncoding encoding) {
    unsigned char entry[64];
    unsigned char poison[64];
    memset(entry, 0xcd, sizeof entry);
    memset(poison, 0xcd, sizeof poison);
    RETURNS(VKSKIN_ERROR_TRANSFORM_NOT_FINITE, writeBone(world, encoding, entry));
    assert_memory_equal(entry, poison, sizeof entry);
}

/* ---- Dual quaternions ---- */

typedef struct DualBone {
    float real[4];
    float dual[4];
} DualBone;

static DualBone writeDual(const VkskinAffine *world, VkskinResult expected) {
    DualBone bone;
    RETURNS(expected, writeBone(world, VKSKIN_PALETTE_DUAL_QUATERNION, &bone));
    assertUnit(bone.real, bone.dual, 1e-5);
    return bone;
}

/* Turns by many angles about many axes, the half turns about each axis among them. */
TEST(rotationsGoRoundThroughDualQuaternions) {
    static const double axes[][3] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {1, 1, 0},
                                     {0, -1, 1}, {1, 0, 1}, {1, 1, 1}, {-1, 2, 3}, {1, 1e-5, 0}};
    for (size_t axis = 0; axis < COUNT_OF(axes); ++axis) {
        for (int degrees = -360; degrees <= 360; degrees += 15) {
            VkskinTransform transform = {{3, -4, 5}, {0, 0, 0, 1}, {1, 1, 1}};
            turnAbout(axes[axis], degrees, transform.rotation);
            const VkskinAffine world = affineOf(transform);
            const DualBone bone = writeDual(&world, VKSKIN_SUCCESS);
            assertEntry(VKSKIN_PALETTE_DUAL_QUATERNION, &bone, &world, 1e-6);
        }
    }
}

TEST(dualPartIsHalfOfTranslationTimesReal) {
    const VkskinAffine world = affineOf((VkskinTransform){{2, 4, 6}, {0, 0, HALF, HALF}, {1, 1, 1}});
    const DualBone bone = writeDual(&world, VKSKIN_SUCCESS);
    /* (2, 4, 6, 0) x (0, 0, h, h) = h (2 + 4, 4 - 2, 6, -6) */
    const float sign = bone.real[3] < 0.0f ? -1.0f : 1.0f;
    const float expected[8] = {0, 0, HALF, HALF, 3 * HALF, HALF, 3 * HALF, -3 * HALF};
    for (int i = 0; i < 4; ++i) {
        assert_float_equal(sign * bone.real[i], expected[i], 1e-6f);
        assert_float_equal(sign * bone.dual[i], expected[4 + i], 1e-6f);
    }
}

/* The rotation and the translation are kept. Slight scale is no loss. */
TEST(scaleIsLostAndRotationKept) {
    static const struct {
        float scale[3];
        VkskinResult expected;
    } cases[] = {
        {{1.0009f, 1, 0.9991f}, VKSKIN_SUCCESS},    {{1.0012f, 1, 0.9991f}, VKSKIN_WARNING_SCALE_LOST},
        {{2, 2, 2}, VKSKIN_WARNING_SCALE_LOST},     {{0.01f, 0.01f, 0.01f}, VKSKIN_WARNING_SCALE_LOST},
        {{1, 5, 0.25f}, VKSKIN_WARNING_SCALE_LOST}, {{100, 1, 1}, VKSKIN_WARNING_SCALE_LOST},
        {{3, 2, 0}, VKSKIN_WARNING_SCALE_LOST},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        VkskinTransform transform = {{1, 2, 3}, {0.1f, -0.7f, 0.3f, 0.2f}, {1, 1, 1}};
        const VkskinAffine rigid = affineOf(transform);
        memcpy(transform.scale, cases[i].scale, sizeof transform.scale);
        const VkskinAffine world = affineOf(transform);
        const DualBone bone = writeDual(&world, cases[i].expected);
        assertEntry(VKSKIN_PALETTE_DUAL_QUATERNION, &bone, &rigid, 3e-6);
    }
    const VkskinAffine zero = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    writeDual(&zero, VKSKIN_WARNING_SCALE_LOST);
    VkskinAffine sheared = {{{1, 0.0008f, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}};
    writeDual(&sheared, VKSKIN_SUCCESS);
    sheared.m[0][1] = 0.0012f;
    writeDual(&sheared, VKSKIN_WARNING_SCALE_LOST);
}

/* The trace of the matrix times the rotation's inverse; largest for the nearest rotation. */
static double closeness(const VkskinAffine *affine, const double q[4]) {
    const double none[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const ReferenceMatrix rotation = referenceCompose(none, q, one);
    double trace = 0.0;
    for (int i = 0; i < 9; ++i) {
        trace += rotation.m[i / 3][i % 3] * affine->m[i / 3][i % 3];
    }
    return trace;
}

TEST(nearestRotationIsNearest) {
    srand(7);
    for (int trial = 0; trial < 2000; ++trial) {
        VkskinAffine world;
        for (int i = 0; i < 12; ++i) {
            world.m[i / 4][i % 4] = 2.0f * randomFraction();
        }
        const DualBone bone = writeDual(&world, VKSKIN_WARNING_SCALE_LOST);
        const ReferenceMatrix matrix = referenceFromAffine(&world);
        const double written[4] = {bone.real[0], bone.real[1], bone.real[2], bone.real[3]};
        double nearest[4];
        referenceNearestRotation(&matrix, nearest);
        assert_true(closeness(&world, written) >= closeness(&world, nearest) - 1e-5);
    }
}

TEST(mirroredDualBonesTurnSmoothly) {
    DualBone last = {{0}, {0}};
    for (int step = 0; step <= 720; ++step) {
        const double half = step * 3.14159265358979323846 / 720.0;
        const VkskinAffine world = affineOf((VkskinTransform){
            {0, 0, 0}, {(float)(sin(half) * 0.6), (float)(sin(half) * 0.8), 0, (float)cos(half)}, {-1, 1, 1}});
        const DualBone bone = writeDual(&world, VKSKIN_WARNING_SCALE_LOST);
        assert_true(step == 0 || fabs(dotOf(bone.real, last.real)) > 0.9999);
        last = bone;
    }
}

/* ---- Scaled dual quaternions ---- */

typedef struct ScaledBone {
    float real[4];
    float dual[4];
    float stretch[6]; /* xx, yy, zz, xy, xz, yz */
    float zero[2];
} ScaledBone;

static ScaledBone assertHeld(const VkskinAffine *world) {
    ScaledBone bone;
    memset(&bone, 0xff, sizeof bone);
    OK(writeBone(world, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, &bone));
    const float moved = fabsf(world->m[0][3]) + fabsf(world->m[1][3]) + fabsf(world->m[2][3]);
    assertUnit(bone.real, bone.dual, 1e-6 * (double)moved);
    assert_true(bone.zero[0] == 0.0f && bone.zero[1] == 0.0f);
    assertEntry(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, &bone, world, 3e-7); /* a few roundings of a float */
    return bone;
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

/* Of T R S the rotation is R and the stretch lies along the axes, negative where all three are. */
TEST(scaleIsKeptBesideTheRotation) {
    static const float scales[][3] = {
        {1, 1, 1},    {2, 2, 2},    {0.5f, 3, 7},    {1000, 1, 0.001f},       {1e-6f, 1e-6f, 1e-6f},
        {-1, -1, -1}, {-2, -3, -4}, {1, 1, 1.0005f}, {-0.01f, -0.01f, -0.01f}};
    for (size_t i = 0; i < COUNT_OF(scales); ++i) {
        for (size_t turn = 0; turn < TURN_AXES * 49; ++turn) {
            const double *axis = turnAxes[turn / 49];
            const double degrees = 15.0 * (double)(turn % 49) - 360.0;
            float rotation[4];
            turnAbout(axis, degrees, rotation);
            const VkskinAffine world = turnedScale(axis, degrees, scales[i][0], scales[i][1], scales[i][2]);
            const ScaledBone bone = assertHeld(&world);
            assert_true(fabs(dotOf(bone.real, rotation)) > 1.0 - 1e-5);
            for (int k = 0; k < 6 && i == 0; ++k) { /* rigid bones are not stretched */
                assert_true(fabsf(bone.stretch[k] - (k < 3 ? 1.0f : 0.0f)) < 4e-7f);
            }
        }
    }
}

/* Whatever the matrix, at whatever size; the stretch has no mirroring of its own beside that of the matrix. */
TEST(anyMatrixIsHeld) {
    static const float sizes[] = {1.0f, 1e-30f, 1e-6f, 1e4f, 1e30f};
    srand(11);
    for (int trial = 0; trial < 2000; ++trial) {
        VkskinAffine world;
        for (int i = 0; i < 12; ++i) {
            world.m[i / 4][i % 4] = randomFraction() * (i % 4 == 3 ? 10000.0f : sizes[trial % 5]);
        }
        const ScaledBone bone = assertHeld(&world);
        const ReferenceMatrix matrix = referenceFromAffine(&world);
        const double determinant = referenceDeterminant(&matrix) / pow(sizes[trial % 5], 3.0);
        if (fabs(determinant) > 0.05) {
            assert_true(isDefinite(&bone, determinant > 0.0 ? 1.0 : -1.0));
        }
    }
}

/* Rank two, one and none, along the axes and across them. */
TEST(singularMatricesAreHeld) {
    static const float scales[][3] = {{1, 2, 0}, {0, 5, 5}, {1, 0, 1}, {3, 0, 0}, {0, 0, 1}, {0, 0, 0}, {-1, -2, 0}};
    const VkskinAffine shear = {{{1, 0.7f, 0, 1}, {0, 1, -0.4f, 2}, {0, 0, 1, 3}}};
    for (size_t i = 0; i < COUNT_OF(scales); ++i) {
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
TEST(flatBonesDoNotFlip) {
    for (size_t axis = 0; axis < TURN_AXES; ++axis) {
        const VkskinAffine above = turnedScale(turnAxes[axis], 50.0, 1, 2, 1e-6f);
        const VkskinAffine below = turnedScale(turnAxes[axis], 50.0, 1, 2, -1e-6f);
        const ScaledBone first = assertHeld(&above);
        const ScaledBone second = assertHeld(&below);
        assert_true(fabs(dotOf(first.real, second.real)) > 1.0 - 1e-5);
    }
}

/* However it is mirrored: a bone's rotation turns with it, frame after frame and about the mirror's own axis. */
TEST(mirroredScaledBonesTurnSmoothly) {
    static const float mirrors[][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}, {-2, 1, 1}, {1, -0.3f, 5}};
    for (size_t i = 0; i < COUNT_OF(mirrors); ++i) {
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

TEST(stretchBeyondFloatIsRefused) {
    const float large = 3e38f; /* a column of three is longer than any float */
    const VkskinAffine world = {{{large, 0, 0, 0}, {large, 1, 0, 0}, {large, 0, 1, 0}}};
    assertNotFinite(&world, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION);
}

/* ---- Halves ---- */

#define HALF_INFINITY 0x7c00u

/* The value of a half from zero to infinity, without sign. */
static double valueOf(uint32_t half) {
    const int exponent = (int)(half >> 10);
    const double fraction = half & 0x3ffu;
    return exponent == 0 ? ldexp(fraction, -24) : ldexp(1024.0 + fraction, exponent - 25);
}

static void assertHalf(float value, uint32_t expected) {
    for (uint32_t sign = 0; sign < 2; ++sign) {
        uint16_t half = 0xffff;
        assert_true(sknHalfFromFloat(sign == 0 ? value : -value, &half) == (expected < HALF_INFINITY));
        assert_int_equal(half, sign << 15 | expected);
    }
}

TEST(everyHalfIsItself) {
    for (uint32_t half = 0; half < HALF_INFINITY; ++half) {
        assertHalf((float)valueOf(half), half);
    }
}

/* The middle of two neighbours goes to the even one, what is next to it to the nearer one; subnormals and the step to
 * infinity are among them. */
TEST(betweenTwoTheNearerIsTaken) {
    for (uint32_t half = 0; half < HALF_INFINITY; ++half) {
        const float middle = (float)(0.5 * (valueOf(half) + valueOf(half + 1)));
        assertHalf(middle, half + (half & 1u));
        assertHalf(nextafterf(middle, 0.0f), half);
        assertHalf(nextafterf(middle, INFINITY), half + 1);
        assertHalf((float)(0.75 * valueOf(half) + 0.25 * valueOf(half + 1)), half);
        assertHalf((float)(0.25 * valueOf(half) + 0.75 * valueOf(half + 1)), half + 1);
    }
}

TEST(namedValues) {
    static const struct {
        float value;
        uint32_t half;
    } cases[] = {
        {0.0f, 0x0000},
        {1.0f, 0x3c00},
        {2.0f, 0x4000},
        {65504.0f, 0x7bff},
        {6.1035156e-5f, 0x0400}, /* the smallest that is normal */
        {5.9604645e-8f, 0x0001}, /* the smallest of all */
        {1e-20f, 0x0000},
        {1e-45f, 0x0000}, /* no normal float either */
        {1e10f, HALF_INFINITY},
        {3.4028235e38f, HALF_INFINITY},
        {INFINITY, HALF_INFINITY}, /* refused */
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        assertHalf(cases[i].value, cases[i].half);
    }
    uint16_t half;
    assert_false(sknHalfFromFloat(NAN, &half));
}

/* ---- Rotation, translation and uniform scale ---- */

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

/* An entry as written, and what it stores. */
typedef struct Written {
    _Alignas(16) unsigned char entry[32];
    float rotation[4];
    ReferenceMatrix matrix;
    double scale; /* uniform; negative: mirrors */
} Written;

/* Also checks that the rotation is of nearly unit length. */
static Written writeAs(VkskinPaletteEncoding encoding, const VkskinAffine *world, VkskinResult expected) {
    Written written;
    memset(written.entry, 0xff, sizeof written.entry);
    RETURNS(expected, writeBone(world, encoding, written.entry));
    written.matrix = paletteEntryMatrix(encoding, written.entry);
    written.scale = cbrt(referenceDeterminant(&written.matrix));
    memcpy(written.rotation, written.entry, sizeof written.rotation);
    for (int i = 0; i < 4 && encoding != VKSKIN_PALETTE_QUATERNION; ++i) {
        uint16_t word;
        memcpy(&word, written.entry + 2 * i, sizeof word);
        const double half = (word & 0x8000) != 0 ? -valueOf(word & 0x7fffu) : valueOf(word);
        written.rotation[i] = (float)(encoding == VKSKIN_PALETTE_QUATERNION_HALF ? half : (int16_t)word / 32767.0);
    }
    assert_true(fabs(dotOf(written.rotation, written.rotation) - 1.0) < 1.5e-3);
    return written;
}

/* Nothing but rounding is lost. */
static void assertKept(int as, const VkskinAffine *world) {
    const Written written = writeAs(encodings[as], world, VKSKIN_SUCCESS);
    assertEntry(encodings[as], written.entry, world, precisions[as]);
}

/* Below a half's least normal number its bits run out; zero is held. */
TEST(halvesTellOfScalesThatTheyLose) {
    static const struct {
        float scale;
        VkskinResult expected;
    } cases[] = {{1e-8f, VKSKIN_WARNING_SCALE_LOST},
                 {-1e-6f, VKSKIN_WARNING_SCALE_LOST},
                 {6e-5f, VKSKIN_WARNING_SCALE_LOST},
                 {6.2e-5f, VKSKIN_SUCCESS},
                 {0.0f, VKSKIN_SUCCESS}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const float scale = cases[i].scale;
        const VkskinAffine world = turnedScale(turnAxes[0], 30.0, scale, scale, scale);
        (void)writeAs(VKSKIN_PALETTE_QUATERNION_HALF, &world, cases[i].expected);
    }
}

TEST(uniformScaleIsKept) {
    static const float scales[] = {1.0f, 2.5f, 0.01f, 300.0f, -1.0f, -0.25f, -40.0f};
    for (int as = 0; as < 3; ++as) {
        for (size_t i = 0; i < COUNT_OF(scales); ++i) {
            for (size_t axis = 0; axis < TURN_AXES; ++axis) {
                for (int degrees = -360; degrees <= 360; degrees += 30) {
                    const VkskinAffine world = turnedScale(turnAxes[axis], degrees, scales[i], scales[i], scales[i]);
                    assertKept(as, &world);
                }
            }
        }
    }
}

/* A mirrored axis is a turn of the two others and a negative scale of all: nothing is lost. */
TEST(mirroringIsKept) {
    static const float mirrors[][3] = {{-2, 2, 2}, {2, -2, 2}, {2, 2, -2}};
    for (int as = 0; as < 3; ++as) {
        for (size_t axis = 0; axis < TURN_AXES; ++axis) {
            const float *m = mirrors[axis % 3];
            const VkskinAffine world = turnedScale(turnAxes[axis], 33.0, m[0], m[1], m[2]);
            assertKept(as, &world);
        }
    }
}

/* A rotation of (x, y, z, w) about z by a right angle; a scale of -3; a translation: the words as they lie. */
TEST(entriesAreTheDocumentedWords) {
    const VkskinAffine world = {{{0, 3, 0, 1}, {-3, 0, 0, -2}, {0, 0, -3, 0.1f}}};
    Bone bone;
    OK(writeBone(&world, VKSKIN_PALETTE_QUATERNION, &bone));
    const float sign = bone.rotation[3] < 0.0f ? -1.0f : 1.0f;
    const float expected[8] = {0, 0, sign * 0.70710678f, sign * 0.70710678f, 1, -2, 0.1f, -3};
    for (int i = 0; i < 4; ++i) {
        assert_float_equal(bone.rotation[i], expected[i], 1e-7f);
    }
    assert_memory_equal(bone.translation, expected + 4, sizeof bone.translation);
    assert_float_equal(bone.scale, -3.0f, 1e-6f);
    uint16_t halves[8];
    OK(writeBone(&world, VKSKIN_PALETTE_QUATERNION_HALF, halves));
    const uint16_t turn = sign < 0.0f ? 0xb9a8 : 0x39a8; /* 0.70703125 */
    assert_int_equal(halves[2], turn);
    assert_int_equal(halves[3], turn);
    const uint16_t rest[] = {0x3c00, 0xc000, 0x2e66, 0xc200}; /* 1, -2, 0.09997559, -3 */
    assert_memory_equal(halves + 4, rest, sizeof rest);
    Snorm16Bone snorm;
    OK(writeBone(&world, VKSKIN_PALETTE_QUATERNION_SNORM16, &snorm));
    assert_int_equal(snorm.rotation[2], (int)sign * 23170); /* 23169.77 */
    assert_int_equal(snorm.rotation[3], (int)sign * 23170);
    assert_memory_equal(snorm.translation, bone.translation, sizeof bone.translation);
    assert_memory_equal(&snorm.scale, &bone.scale, sizeof bone.scale);
}

/* Each number of a rotation goes to the nearest of the 65,535 steps. */
TEST(snormIsRounded) {
    for (int degrees = 0; degrees < 360; ++degrees) {
        const VkskinAffine world = turnedScale(turnAxes[6], degrees, 1, 1, 1);
        Bone bone;
        Snorm16Bone rounded;
        OK(writeBone(&world, VKSKIN_PALETTE_QUATERNION, &bone));
        OK(writeBone(&world, VKSKIN_PALETTE_QUATERNION_SNORM16, &rounded));
        for (int i = 0; i < 4; ++i) {
            assert_true(fabs(32767.0 * bone.rotation[i] - rounded.rotation[i]) < 0.502);
        }
    }
}

TEST(otherScaleIsLostAndVolumeKept) {
    static const float scales[][4] = {
        {1, 2, 4, 2}, {3, 3, 3.012f, 3.0039947f}, {-1, -2, -4, -2}, {1, 2, -4, -2}, {1, 1, 0.996f, 0.99866487f}};
    for (int as = 0; as < 3; ++as) {
        for (size_t i = 0; i < COUNT_OF(scales); ++i) {
            const float *s = scales[i];
            const VkskinAffine world = turnedScale(turnAxes[6], 100.0, s[0], s[1], s[2]);
            const Written bone = writeAs(encodings[as], &world, VKSKIN_WARNING_SCALE_LOST);
            assert_float_equal((float)bone.scale, s[3], (float)precisions[as] * fabsf(s[3]));
            float rotation[4];
            turnAbout(turnAxes[6], 100.0, rotation);
            assert_true(fabs(dotOf(bone.rotation, rotation)) > 0.999 ||
                        s[2] * s[0] < 0.0f); /* of a mirrored one any axis may be turned */
        }
    }
}

TEST(lossBeginsAtATenthOfAPercent) {
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

TEST(noScaleIsAScale) {
    const VkskinAffine zero = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    for (int as = 0; as < 3; ++as) {
        const Written bone = writeAs(encodings[as], &zero, VKSKIN_SUCCESS);
        assert_true(bone.scale == 0.0 && bone.matrix.m[1][3] == 2.0);
        const VkskinAffine flat = turnedScale(turnAxes[0], 0.0, 1, 1, 0);
        assert_true(writeAs(encodings[as], &flat, VKSKIN_WARNING_SCALE_LOST).scale == 0.0);
    }
}

TEST(halvesEndAt65504) {
    for (int axis = 0; axis < 3; ++axis) {
        VkskinAffine world = vkskinIdentityAffine();
        world.m[axis][3] = -65519.0f;
        assert_true(writeAs(VKSKIN_PALETTE_QUATERNION_HALF, &world, VKSKIN_SUCCESS).matrix.m[axis][3] == -65504.0);
        world.m[axis][3] = -65520.0f;
        assertNotFinite(&world, VKSKIN_PALETTE_QUATERNION_HALF);
        writeAs(VKSKIN_PALETTE_QUATERNION, &world, VKSKIN_SUCCESS);
        writeAs(VKSKIN_PALETTE_QUATERNION_SNORM16, &world, VKSKIN_SUCCESS);
    }
    const VkskinAffine large = turnedScale(turnAxes[5], 20.0, 70000, 70000, 70000);
    assertNotFinite(&large, VKSKIN_PALETTE_QUATERNION_HALF);
}

TEST(scaleBeyondFloatIsRefused) {
    const float x = 3e38f; /* two of three axes are longer than this by the root of two */
    const VkskinAffine world = {{{x, x, 0, 0}, {-x, x, 0, 0}, {0, 0, x, 0}}};
    for (int as = 0; as < 3; ++as) {
        assertNotFinite(&world, encodings[as]);
    }
}

/* ---- 2x3 matrices ---- */

static void assertFlat(const VkskinAffine *world, VkskinResult expected) {
    float entry[2][3];
    memset(entry, 0xff, sizeof entry);
    RETURNS(expected, writeBone(world, VKSKIN_PALETTE_MAT2X3, entry));
    for (int row = 0; row < 2; ++row) {
        const float kept[3] = {world->m[row][0], world->m[row][1], world->m[row][3]};
        assert_memory_equal(entry[row], kept, sizeof kept);
    }
}

static VkskinAffine turned(double x, double y, double z, double degrees) {
    const double axis[3] = {x, y, z};
    VkskinTransform transform = {{30, -4, 0}, {0, 0, 0, 1}, {2, 2, 2}};
    turnAbout(axis, degrees, transform.rotation);
    return vkskinAffineFromTransform(&transform);
}

TEST(motionsInThePlaneAreKept) {
    for (int degrees = 0; degrees <= 360; degrees += 15) {
        const VkskinAffine world = turned(0, 0, 1, degrees);
        assertFlat(&world, VKSKIN_SUCCESS);
    }
    const VkskinAffine sheared = {{{-2, 0.5f, 0, 1e6f}, {1e-3f, 100, 0, -7}, {0, 0, 1, 0}}};
    assertFlat(&sheared, VKSKIN_SUCCESS);
    const VkskinAffine zero = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 0}}};
    assertFlat(&zero, VKSKIN_SUCCESS);
}

/* A flat mesh has no depth that could be scaled: not even turned over, so that z is negative. */
TEST(scaleOfDepthDoesNotMatter) {
    static const float scales[] = {0.0f, -1.0f, 1e6f};
    for (int i = 0; i < 3; ++i) {
        VkskinAffine world = vkskinIdentityAffine();
        world.m[2][2] = scales[i];
        assertFlat(&world, VKSKIN_SUCCESS);
    }
    const VkskinAffine over = turned(0, 1, 0, 180.0);
    assertFlat(&over, VKSKIN_SUCCESS);
}

TEST(turnsOutOfThePlaneAreTold) {
    for (int axis = 0; axis < 2; ++axis) {
        const VkskinAffine slight = turned(axis == 0, axis == 1, 0, 0.05); /* a sine of 0.00087 */
        assertFlat(&slight, VKSKIN_SUCCESS);
        const VkskinAffine more = turned(axis == 0, axis == 1, 0, 0.065); /* 0.00113 */
        assertFlat(&more, VKSKIN_WARNING_DEPTH_LOST);
        const VkskinAffine edge = turned(axis == 0, axis == 1, 0, 90.0);
        assertFlat(&edge, VKSKIN_WARNING_DEPTH_LOST);
    }
    /* each of the four elements, however far the bone moves */
    for (int i = 0; i < 4; ++i) {
        VkskinAffine world = {{{1, 0, 0, 1e5f}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
        world.m[i < 2 ? i : 2][i < 2 ? 2 : i - 2] = -0.002f;
        assertFlat(&world, VKSKIN_WARNING_DEPTH_LOST);
    }
}

TEST(movementAlongDepthIsTold) {
    VkskinAffine world = {{{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -0.0019f}}};
    assertFlat(&world, VKSKIN_SUCCESS);
    world.m[2][3] = -0.0021f; /* beyond 0.1 % of 2 */
    assertFlat(&world, VKSKIN_WARNING_DEPTH_LOST);
    world.m[1][3] = -50.0f;
    assertFlat(&world, VKSKIN_SUCCESS);
    world.m[2][3] = 0.051f;
    assertFlat(&world, VKSKIN_WARNING_DEPTH_LOST);
}
