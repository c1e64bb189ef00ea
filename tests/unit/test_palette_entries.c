/* One entry of a palette in each encoding: exact values, what it represents, what it loses and what it refuses. */
#include "palette.h"
#include "pose_builders.h"
#include "reference.h"

#define HALF 0.70710678f

/* ---- Entries ---- */

#define DUAL        (1u << VKSKIN_PALETTE_DUAL_QUATERNION)
#define SCALED      (1u << VKSKIN_PALETTE_SCALED_DUAL_QUATERNION)
#define HALVES      (1u << VKSKIN_PALETTE_QUATERNION_HALF)
#define QUATERNIONS (1u << VKSKIN_PALETTE_QUATERNION | HALVES | 1u << VKSKIN_PALETTE_QUATERNION_SNORM16)

/* Relative errors of the matrix and of the translation: a few roundings of a float, of a half, of 1 / 32767. */
static const double tolerances[VKSKIN_PALETTE_ENCODING_COUNT] = {
    [VKSKIN_PALETTE_DUAL_QUATERNION] = 1e-6,    [VKSKIN_PALETTE_SCALED_DUAL_QUATERNION] = 3e-7,
    [VKSKIN_PALETTE_QUATERNION] = 3e-7,         [VKSKIN_PALETTE_QUATERNION_HALF] = 2e-3,
    [VKSKIN_PALETTE_QUATERNION_SNORM16] = 1e-4,
};

/* An entry as written, and what it stores. */
typedef struct Entry {
    _Alignas(16) unsigned char bytes[64];
    float rotation[4], dual[4]; /* numbers of encodings with quaternions */
    float stretch[6];           /* stretch of scaled dual quaternions: xx, yy, zz, xy, xz, yz */
    ReferenceMatrix matrix;
    double size; /* uniform scale; negative: mirrors */
} Entry;

/* The value of a half from zero to infinity, without sign. */
static double valueOf(uint32_t half) {
    const int exponent = (int)(half >> 10);
    const double fraction = half & 0x3ffu;
    return exponent == 0 ? ldexp(fraction, -24) : ldexp(1024.0 + fraction, exponent - 25);
}

static double dotOf(const float a[4], const float b[4]) {
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3];
}

/* Writes a palette of one bone that is its node. */
static VkskinResult writeBone(const VkskinAffine *world, VkskinPaletteEncoding encoding, void *palette) {
    const uint32_t node = 0;
    const size_t owned = countOwned();
    const VkskinResult result = vkskinWritePalette(ownSkin(1, 1, &node, NULL, NULL), world, 1, encoding, palette, 1);
    destroyOwned(owned);
    return result;
}

/* Also checks that a rotation is of nearly unit length, and the dual part orthogonal to it. */
static Entry entryOf(VkskinPaletteEncoding encoding, const VkskinAffine *world, VkskinResult expected) {
    const bool words = encoding == VKSKIN_PALETTE_QUATERNION_HALF || encoding == VKSKIN_PALETTE_QUATERNION_SNORM16;
    const bool duals = encoding == VKSKIN_PALETTE_DUAL_QUATERNION || encoding == VKSKIN_PALETTE_SCALED_DUAL_QUATERNION;
    Entry entry;
    memset(entry.bytes, 0xff, sizeof entry.bytes);
    RETURNS(expected, writeBone(world, encoding, entry.bytes));
    entry.matrix = paletteEntryMatrix(encoding, entry.bytes);
    entry.size = cbrt(referenceDeterminant(&entry.matrix));
    memcpy(entry.rotation, entry.bytes, sizeof entry.rotation);
    memcpy(entry.dual, entry.bytes + 16, sizeof entry.dual);
    memcpy(entry.stretch, entry.bytes + 32, sizeof entry.stretch);
    for (int i = 0; i < 4 && words; ++i) {
        uint16_t word;
        memcpy(&word, entry.bytes + 2 * i, sizeof word);
        const double half = (word & 0x8000) != 0 ? -valueOf(word & 0x7fffu) : valueOf(word);
        entry.rotation[i] = (float)(encoding == VKSKIN_PALETTE_QUATERNION_HALF ? half : (int16_t)word / 32767.0);
    }
    assert_true(fabs(dotOf(entry.rotation, entry.rotation) - 1.0) < (words ? 1.5e-3 : 1e-6));
    const float moved = fabsf(world->m[0][3]) + fabsf(world->m[1][3]) + fabsf(world->m[2][3]);
    assert_true(!duals || fabs(dotOf(entry.rotation, entry.dual)) <= 1e-6 * (double)moved);
    assert_true(encoding != VKSKIN_PALETTE_SCALED_DUAL_QUATERNION ||
                memcmp(entry.bytes + 56, (const float[2]){0.0f, 0.0f}, 8) == 0);
    return entry;
}

/* The entry encodes `expected`: each element is within `tolerance` of the largest of its group (the first three columns,
 * or the fourth). */
static void assertMatrix(const ReferenceMatrix *actual, const VkskinAffine *expected, double tolerance) {
    double linear = 0.0;
    double moved = 0.0;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            linear = fmax(linear, fabs((double)expected->m[row][column]));
        }
        moved = fmax(moved, fabs((double)expected->m[row][3]));
    }
    for (int i = 0; i < 12; ++i) {
        const double off = fabs(actual->m[i / 4][i % 4] - (double)expected->m[i / 4][i % 4]);
        assert_true(off <= tolerance * (i % 4 < 3 ? linear : moved));
    }
}

/* Nothing but rounding is lost. */
static Entry assertKept(VkskinPaletteEncoding encoding, const VkskinAffine *world) {
    const Entry entry = entryOf(encoding, world, VKSKIN_SUCCESS);
    assertMatrix(&entry.matrix, world, tolerances[encoding]);
    return entry;
}

/* The matrix is not finite in these encodings, and nothing is written. */
static void assertNotFinite(const VkskinAffine *world, uint32_t encodings) {
    for (VkskinPaletteEncoding as = 0; as < VKSKIN_PALETTE_ENCODING_COUNT; ++as) {
        unsigned char entry[64];
        unsigned char poison[64];
        memset(entry, 0xcd, sizeof entry);
        memset(poison, 0xcd, sizeof poison);
        if ((encodings >> as & 1u) != 0) {
            RETURNS(VKSKIN_ERROR_TRANSFORM_NOT_FINITE, writeBone(world, as, entry));
            assert_memory_equal(entry, poison, sizeof entry);
        }
    }
}

/* The coordinate axes, then axes of other directions and lengths. */
static const double axes[][3] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1},  {1, 1, 0},
                                 {0, -1, 1}, {1, 1, 1}, {-1, 2, 3}, {1, 1e-5, 0}};
#define AXES (COUNT_OF(axes))

/* A scale, then a rotation, then a translation by (3, -40, 0.5). */
static VkskinAffine turnedScale(const double axis[3], double degrees, const float scale[3]) {
    VkskinTransform transform = {{3, -40, 0.5f}, {0, 0, 0, 1}, {scale[0], scale[1], scale[2]}};
    turnAbout(axis, degrees, transform.rotation);
    return vkskinAffineFromTransform(&transform);
}

/* By many angles about many axes, the half turns about each axis among them. Of a scale that is not mirrored on one axis
 * alone the rotation is that of the transform. */
TEST(whatAnEncodingHoldsIsKept) {
    static const struct {
        uint32_t encodings;
        float scale[3];
    } cases[] = {
        {DUAL | SCALED | QUATERNIONS, {1, 1, 1}},
        {SCALED | QUATERNIONS, {-1, -1, -1}},
        {SCALED | QUATERNIONS, {2.5f, 2.5f, 2.5f}},
        {SCALED | QUATERNIONS, {0.01f, 0.01f, 0.01f}},
        {SCALED | QUATERNIONS, {-0.25f, -0.25f, -0.25f}},
        {QUATERNIONS, {300, 300, 300}},
        {QUATERNIONS, {-40, -40, -40}},
        /* A mirrored axis is a turn of the two others and a negative scale of all. */
        {QUATERNIONS, {-2, 2, 2}},
        {QUATERNIONS, {2, -2, 2}},
        {QUATERNIONS, {2, 2, -2}},
        {SCALED, {0.5f, 3, 7}},
        {SCALED, {1000, 1, 0.001f}},
        {SCALED, {1e-6f, 1e-6f, 1e-6f}},
        {SCALED, {-2, -3, -4}},
        {SCALED, {1, 1, 1.0005f}},
    };
    for (size_t i = 0; i < COUNT_OF(cases) * VKSKIN_PALETTE_ENCODING_COUNT; ++i) {
        const VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)(i % VKSKIN_PALETTE_ENCODING_COUNT);
        const float *scale = cases[i / VKSKIN_PALETTE_ENCODING_COUNT].scale;
        const bool held = (cases[i / VKSKIN_PALETTE_ENCODING_COUNT].encodings >> encoding & 1u) != 0;
        for (size_t turn = 0; held && turn < AXES * 49; ++turn) {
            const double degrees = 15.0 * (double)(turn % 49) - 360.0;
            float rotation[4];
            turnAbout(axes[turn / 49], degrees, rotation);
            const VkskinAffine world = turnedScale(axes[turn / 49], degrees, scale);
            const Entry entry = assertKept(encoding, &world);
            const bool alike = scale[0] * scale[1] > 0.0f && scale[1] * scale[2] > 0.0f;
            assert_true(!alike || fabs(dotOf(entry.rotation, rotation)) > 1.0 - 10.0 * tolerances[encoding]);
        }
    }
}

/* Dual quaternions keep rotation and translation; the others the volume too. Slight scale is no loss. */
TEST(otherScaleIsLost) {
    enum { LOST = VKSKIN_WARNING_SCALE_LOST };
    static const struct {
        uint32_t encodings;
        float scale[3], shear;
        VkskinResult result;
        float size; /* that is stored; NAN: rotation and size are not compared */
    } cases[] = {
        {DUAL, {1.0009f, 1, 0.9991f}, 0, VKSKIN_SUCCESS, 1},
        {DUAL, {1.0012f, 1, 0.9991f}, 0, LOST, 1},
        {DUAL, {2, 2, 2}, 0, LOST, 1},
        {DUAL, {0.01f, 0.01f, 0.01f}, 0, LOST, 1},
        {DUAL, {1, 5, 0.25f}, 0, LOST, 1},
        {DUAL, {100, 1, 1}, 0, LOST, 1},
        {DUAL, {3, 2, 0}, 0, LOST, 1},
        {DUAL, {0, 0, 0}, 0, LOST, NAN},
        {DUAL, {1, 1, 1}, 0.0008f, VKSKIN_SUCCESS, NAN},
        {DUAL, {1, 1, 1}, 0.0012f, LOST, NAN},
        {QUATERNIONS, {1, 2, 4}, 0, LOST, 2},
        {QUATERNIONS, {3, 3, 3.012f}, 0, LOST, 3.0039947f},
        {QUATERNIONS, {-1, -2, -4}, 0, LOST, -2},
        {QUATERNIONS, {1, 1, 0.996f}, 0, LOST, 0.99866487f},
        {QUATERNIONS, {1, 2, -4}, 0, LOST, NAN},                    /* if it mirrors, any axis may be turned */
        {QUATERNIONS, {5, 5, 5 * 1.0012f}, 0, VKSKIN_SUCCESS, NAN}, /* 0.08 % of the mean */
        {QUATERNIONS, {5, 5, 5 * 1.0018f}, 0, LOST, NAN},           /* 0.12 % */
        {QUATERNIONS, {2, 2, 2}, 0.0016f, VKSKIN_SUCCESS, NAN},
        {QUATERNIONS, {2, 2, 2}, 0.0024f, LOST, NAN},
        {QUATERNIONS, {0, 0, 0}, 0, VKSKIN_SUCCESS, 0},
        {QUATERNIONS, {1, 1, 0}, 0, LOST, 0},
        /* Below a half's least normal number its bits run out. */
        {HALVES, {1e-8f, 1e-8f, 1e-8f}, 0, LOST, NAN},
        {HALVES, {-1e-6f, -1e-6f, -1e-6f}, 0, LOST, NAN},
        {HALVES, {6e-5f, 6e-5f, 6e-5f}, 0, LOST, NAN},
        {HALVES, {6.2e-5f, 6.2e-5f, 6.2e-5f}, 0, VKSKIN_SUCCESS, NAN},
    };
    for (size_t i = 0; i < COUNT_OF(cases) * VKSKIN_PALETTE_ENCODING_COUNT; ++i) {
        const VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)(i % VKSKIN_PALETTE_ENCODING_COUNT);
        const size_t row = i / VKSKIN_PALETTE_ENCODING_COUNT;
        if ((cases[row].encodings >> encoding & 1u) != 0) {
            const float size = cases[row].size;
            const double degrees = cases[row].shear == 0.0f ? 100.0 : 0.0;
            VkskinAffine world = turnedScale(axes[6], degrees, cases[row].scale);
            world.m[0][1] += cases[row].shear;
            const Entry entry = entryOf(encoding, &world, cases[row].result);
            const VkskinAffine held = turnedScale(axes[6], degrees, (const float[3]){size, size, size});
            if (!isnan(size)) {
                assertMatrix(&entry.matrix, &held, 3.0 * tolerances[encoding]);
                assert_true(fabs(entry.size - (double)size) <= tolerances[encoding] * fabs((double)size));
            } else if (cases[row].scale[2] == -4.0f) {
                assert_true(fabs(entry.size + 2.0) <= 2.0 * tolerances[encoding]);
            }
        }
    }
}

/* Two or three axes are longer than any float together. */
TEST(scaleBeyondFloatIsRefused) {
    const float x = 3e38f;
    const VkskinAffine column = {{{x, 0, 0, 0}, {x, 1, 0, 0}, {x, 0, 1, 0}}};
    const VkskinAffine turned = {{{x, x, 0, 0}, {-x, x, 0, 0}, {0, 0, x, 0}}};
    const VkskinAffine large = turnedScale(axes[5], 20.0, (const float[3]){70000, 70000, 70000});
    assertNotFinite(&column, SCALED);
    assertNotFinite(&turned, QUATERNIONS);
    assertNotFinite(&large, HALVES);
}

TEST(halvesEndAt65504) {
    for (int axis = 0; axis < 3; ++axis) {
        VkskinAffine world = vkskinIdentityAffine();
        world.m[axis][3] = -65519.0f;
        assert_true(entryOf(VKSKIN_PALETTE_QUATERNION_HALF, &world, VKSKIN_SUCCESS).matrix.m[axis][3] == -65504.0);
        world.m[axis][3] = -65520.0f;
        assertNotFinite(&world, HALVES);
        entryOf(VKSKIN_PALETTE_QUATERNION, &world, VKSKIN_SUCCESS);
        entryOf(VKSKIN_PALETTE_QUATERNION_SNORM16, &world, VKSKIN_SUCCESS);
    }
}

/* (2, 4, 6, 0) x (0, 0, h, h) = h (2 + 4, 4 - 2, 6, -6); the dual part is half of it. */
TEST(dualPartIsHalfOfTranslationTimesReal) {
    const VkskinTransform transform = {{2, 4, 6}, {0, 0, HALF, HALF}, {1, 1, 1}};
    const VkskinAffine world = vkskinAffineFromTransform(&transform);
    const Entry entry = entryOf(VKSKIN_PALETTE_DUAL_QUATERNION, &world, VKSKIN_SUCCESS);
    const float sign = entry.rotation[3] < 0.0f ? -1.0f : 1.0f;
    const float expected[8] = {0, 0, HALF, HALF, 3 * HALF, HALF, 3 * HALF, -3 * HALF};
    for (int i = 0; i < 4; ++i) {
        assert_float_equal(sign * entry.rotation[i], expected[i], 1e-6f);
        assert_float_equal(sign * entry.dual[i], expected[4 + i], 1e-6f);
    }
}

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
        const VkskinAffine world = turnedScale(axes[6], degrees, (const float[3]){1, 1, 1});
        Bone bone;
        Snorm16Bone rounded;
        OK(writeBone(&world, VKSKIN_PALETTE_QUATERNION, &bone));
        OK(writeBone(&world, VKSKIN_PALETTE_QUATERNION_SNORM16, &rounded));
        for (int i = 0; i < 4; ++i) {
            assert_true(fabs(32767.0 * bone.rotation[i] - rounded.rotation[i]) < 0.502);
        }
    }
}

/* ---- The nearest rotation and the stretch ---- */

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
        const Entry bone = entryOf(VKSKIN_PALETTE_DUAL_QUATERNION, &world, VKSKIN_WARNING_SCALE_LOST);
        const ReferenceMatrix matrix = referenceFromAffine(&world);
        const float *r = bone.rotation;
        const double written[4] = {r[0], r[1], r[2], r[3]};
        double nearest[4];
        referenceNearestRotation(&matrix, nearest);
        assert_true(closeness(&world, written) >= closeness(&world, nearest) - 1e-5);
    }
}

static Entry assertHeld(const VkskinAffine *world) {
    return assertKept(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, world);
}

/* By the leading minors of sign x S. */
static bool isDefinite(const Entry *bone, double sign) {
    double s[6];
    for (int i = 0; i < 6; ++i) {
        s[i] = sign * bone->stretch[i];
    }
    const double second = s[0] * s[1] - s[3] * s[3];
    const double third =
        s[0] * (s[1] * s[2] - s[5] * s[5]) - s[3] * (s[3] * s[2] - s[5] * s[4]) + s[4] * (s[3] * s[5] - s[1] * s[4]);
    return s[0] > 0.0 && second > 0.0 && third > 0.0;
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
        const Entry bone = assertHeld(&world);
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
        for (size_t axis = 0; axis < AXES; ++axis) {
            const VkskinAffine world = turnedScale(axes[axis], 50.0, scales[i]);
            assertHeld(&world);
            const VkskinAffine after = vkskinMultiplyAffine(&shear, &world);
            assertHeld(&after);
            const VkskinAffine before = vkskinMultiplyAffine(&world, &shear);
            assertHeld(&before);
        }
    }
    const VkskinAffine zero = {{{0, 0, 0, 7}, {0, 0, 0, 8}, {0, 0, 0, 9}}};
    const Entry bone = assertHeld(&zero);
    assert_true(fabsf(bone.rotation[3]) == 1.0f); /* zero matrix: no rotation */
}

/* Rounding gives a flat bone's determinant either sign: the rotation is the same. */
TEST(flatBonesDoNotFlip) {
    for (size_t axis = 0; axis < AXES; ++axis) {
        const VkskinAffine above = turnedScale(axes[axis], 50.0, (const float[3]){1, 2, 1e-6f});
        const VkskinAffine below = turnedScale(axes[axis], 50.0, (const float[3]){1, 2, -1e-6f});
        const Entry first = assertHeld(&above);
        const Entry second = assertHeld(&below);
        assert_true(fabs(dotOf(first.rotation, second.rotation)) > 1.0 - 1e-5);
    }
}

/* However it is mirrored: a bone's rotation turns with it, frame after frame and about the mirror's own axis. */
TEST(mirroredBonesTurnSmoothly) {
    static const float mirrors[][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}, {-2, 1, 1}, {1, -0.3f, 5}};
    for (size_t i = 0; i < COUNT_OF(mirrors) * AXES * 2; ++i) {
        const float *mirror = mirrors[i / 2 / AXES];
        const bool scaled = i % 2 == 1 || mirror[0] == -2.0f; /* the nearest rotation is ambiguous there */
        Entry last = {.size = 0.0};
        for (int step = 0; step <= 180; ++step) {
            const VkskinAffine world = turnedScale(axes[i / 2 % AXES], 2.0 * step, mirror);
            const Entry bone = entryOf(scaled ? VKSKIN_PALETTE_SCALED_DUAL_QUATERNION : VKSKIN_PALETTE_DUAL_QUATERNION,
                                       &world, scaled ? VKSKIN_SUCCESS : VKSKIN_WARNING_SCALE_LOST);
            assert_true(!scaled || isDefinite(&bone, -1.0));
            /* 2 degrees are a dot product of cos 1 degree */
            assert_true(step == 0 || fabs(fabs(dotOf(bone.rotation, last.rotation)) - 0.99984770) < 1e-5);
            last = bone;
        }
    }
}

/* ---- Halves ---- */

#define HALF_INFINITY 0x7c00u

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

static void assertFlatTurn(const double axis[3], double degrees, VkskinResult expected) {
    VkskinTransform transform = {{30, -4, 0}, {0, 0, 0, 1}, {2, 2, 2}};
    turnAbout(axis, degrees, transform.rotation);
    const VkskinAffine world = vkskinAffineFromTransform(&transform);
    assertFlat(&world, expected);
}

/* Loss of depth is a thousandth of the largest element. */
TEST(turnsOutOfThePlaneAreReported) {
    for (int degrees = 0; degrees <= 360; degrees += 15) {
        assertFlatTurn(axes[2], degrees, VKSKIN_SUCCESS);
    }
    for (int axis = 0; axis < 2; ++axis) {
        assertFlatTurn(axes[axis], 0.05, VKSKIN_SUCCESS);             /* sine 0.00087 */
        assertFlatTurn(axes[axis], 0.065, VKSKIN_WARNING_DEPTH_LOST); /* 0.00113 */
        assertFlatTurn(axes[axis], 90.0, VKSKIN_WARNING_DEPTH_LOST);
    }
    assertFlatTurn(axes[1], 180.0, VKSKIN_SUCCESS); /* turned over */
}

TEST(motionsOutOfThePlaneAreReported) {
    static const VkskinAffine kept[] = {
        {{{-2, 0.5f, 0, 1e6f}, {1e-3f, 100, 0, -7}, {0, 0, 1, 0}}},
        {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 0}}},
        /* A flat mesh has no depth that could be scaled. */
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}}},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1e6f, 0}}},
        {{{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -0.0019f}}},
        {{{2, 0, 0, 0}, {0, 1, 0, -50}, {0, 0, 1, -0.0021f}}},
    };
    static const VkskinAffine lost[] = {
        {{{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -0.0021f}}}, /* beyond 0.1 % of 2 */
        {{{2, 0, 0, 0}, {0, 1, 0, -50}, {0, 0, 1, 0.051f}}},
        /* Each of the four elements, however far the bone moves. */
        {{{1, 0, -0.002f, 1e5f}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{1, 0, 0, 1e5f}, {0, 1, -0.002f, 0}, {0, 0, 1, 0}}},
        {{{1, 0, 0, 1e5f}, {0, 1, 0, 0}, {-0.002f, 0, 1, 0}}},
        {{{1, 0, 0, 1e5f}, {0, 1, 0, 0}, {0, -0.002f, 1, 0}}},
    };
    for (size_t i = 0; i < COUNT_OF(kept); ++i) {
        assertFlat(&kept[i], VKSKIN_SUCCESS);
    }
    for (size_t i = 0; i < COUNT_OF(lost); ++i) {
        assertFlat(&lost[i], VKSKIN_WARNING_DEPTH_LOST);
    }
}

TEST(zeroScaleIsAMatrixLikeAnother) {
    const VkskinAffine world = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    VkskinAffine palette;
    OK(writeBone(&world, VKSKIN_PALETTE_MAT3X4, &palette));
    assert_memory_equal(&palette, &world, sizeof world);
}

/* ---- Matrices of the host ---- */

/* As the host stores it. */
static void storeMatrix(const VkskinAffine *affine, VkskinMatrixOrder order, float *matrix) {
    for (int i = 0; i < 12; ++i) {
        const int row = i / 4, column = i % 4;
        matrix[order == VKSKIN_MATRIX_COLUMN_MAJOR ? 4 * column + row : i] = affine->m[row][column];
    }
    if (order == VKSKIN_MATRIX_COLUMN_MAJOR) {
        matrix[3] = matrix[7] = matrix[11] = 0.0f;
        matrix[15] = 1.0f;
    }
}

#define MATRICES     3u
#define MATRIX_WORDS 20u /* the largest stride below */

typedef struct HostMatrices {
    float words[MATRICES * MATRIX_WORDS];
    VkskinMatrices given;
} HostMatrices;

/* stride: in floats; 0: tight. */
static void storeMatrices(HostMatrices *host, const VkskinAffine bones[MATRICES], VkskinMatrixOrder order,
                          size_t stride) {
    const size_t step = stride != 0 ? stride : order == VKSKIN_MATRIX_COLUMN_MAJOR ? 16 : 12;
    for (uint32_t i = 0; i < MATRICES; ++i) {
        storeMatrix(&bones[i], order, host->words + step * i);
    }
    host->given = (VkskinMatrices){host->words, MATRICES, order, stride * sizeof(float)};
}

/* A rotation by 90 degrees about z, then a movement; twice as large; a mirror. */
static const VkskinAffine turned = {{{0, -1, 0, 5}, {1, 0, 0, -6}, {0, 0, 1, 7}}};
static const VkskinAffine doubled = {{{2, 0, 0, 1}, {0, 2, 0, 2}, {0, 0, 2, 3}}};
static const VkskinAffine mirror = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

/* In each encoding the entries equal those of vkskinWritePalette, whatever the order and the stride. */
TEST(matricesBecomeTheEntriesOfPoses) {
    static const size_t strides[2][3] = {{0, 16, 20}, {0, 12, 16}};
    const VkskinAffine bones[MATRICES] = {turned, doubled, mirror};
    for (VkskinPaletteEncoding as = 0; as < VKSKIN_PALETTE_ENCODING_COUNT; ++as) {
        const uint32_t size = vkskinPaletteStride(as);
        unsigned char expected[MATRICES + 1][64];
        VkskinResult first = VKSKIN_SUCCESS;
        uint32_t firstBone = 0;
        memset(expected, 0xcd, sizeof expected);
        for (uint32_t i = 0; i < MATRICES; ++i) {
            const VkskinResult written = writeBone(&bones[i], as, expected[0] + (size_t)size * i);
            firstBone = first == VKSKIN_SUCCESS && written != VKSKIN_SUCCESS ? i : firstBone;
            first = first == VKSKIN_SUCCESS ? written : first;
        }
        for (int i = 0; i < 6; ++i) {
            HostMatrices host;
            unsigned char entries[MATRICES + 1][64];
            uint32_t bone = 9;
            memset(entries, 0xcd, sizeof entries);
            storeMatrices(&host, bones, (VkskinMatrixOrder)(i / 3), strides[i / 3][i % 3]);
            RETURNS(first, vkskinWriteMatrices(&host.given, as, entries, MATRICES + 1, &bone));
            assert_int_equal(bone, firstBone);
            assert_memory_equal(entries, expected, sizeof entries);
        }
    }
}

static void assertRefusedMatrices(const HostMatrices *host, VkskinResult expected, uint32_t expectedBone) {
    unsigned char entries[MATRICES][64];
    uint32_t bone = 9;
    RETURNS(expected, vkskinWriteMatrices(&host->given, VKSKIN_PALETTE_MAT3X4, entries, MATRICES, &bone));
    assert_int_equal(bone, expectedBone);
    RETURNS(expected, vkskinWriteMatrices(&host->given, VKSKIN_PALETTE_MAT3X4, entries, MATRICES, NULL));
}

/* The last bone is spoiled; the error names it. */
TEST(badMatricesAreRefused) {
    const VkskinAffine bones[MATRICES] = {turned, doubled, mirror};
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int order = 0; order < 2; ++order) {
        for (uint32_t word = 0; word < 12; ++word) {
            HostMatrices host;
            storeMatrices(&host, bones, (VkskinMatrixOrder)order, 0);
            const uint32_t at = order == 0 ? word / 3 * 4 + word % 3 : word;
            host.words[(order == 0 ? 16 : 12) * 2 + at] = wrong[word % 3];
            assertRefusedMatrices(&host, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, 2);
        }
    }
    for (uint32_t word = 3; word < 16; word += 4) {
        static const float off[] = {1.5e-3f, -1.5e-3f, NAN, INFINITY};
        for (size_t i = 0; i < COUNT_OF(off); ++i) {
            HostMatrices host;
            storeMatrices(&host, bones, VKSKIN_MATRIX_COLUMN_MAJOR, 0);
            host.words[32 + word] += off[i];
            assertRefusedMatrices(&host, VKSKIN_ERROR_TRANSFORM_NOT_AFFINE, 2);
            host.words[32 + word] = (word == 15) + (i % 2 == 0 ? 5e-4f : -5e-4f);
            unsigned char entries[MATRICES][48];
            OK(vkskinWriteMatrices(&host.given, VKSKIN_PALETTE_MAT3X4, entries, MATRICES, NULL));
        }
    }
    /* Row-major matrices, taken for column-major ones. */
    HostMatrices rows;
    storeMatrices(&rows, bones, VKSKIN_MATRIX_ROW_MAJOR, 16);
    rows.given.order = VKSKIN_MATRIX_COLUMN_MAJOR;
    assertRefusedMatrices(&rows, VKSKIN_ERROR_TRANSFORM_NOT_AFFINE, 0);
}

/* Into elements with other bytes between them; each kind of error names its element and keeps the elements before. */
TEST(matricesBecomeAffines) {
    static const struct {
        VkskinMatrixOrder order;
        uint32_t stride; /* in floats; 0: tight */
        uint32_t spoiled;
        float value;
        VkskinResult expected;
        uint32_t element;
    } cases[] = {
        {VKSKIN_MATRIX_COLUMN_MAJOR, 0, 0, 0, VKSKIN_SUCCESS, 0},
        {VKSKIN_MATRIX_ROW_MAJOR, 0, 0, 0, VKSKIN_SUCCESS, 0},
        {VKSKIN_MATRIX_ROW_MAJOR, 16, 0, 0, VKSKIN_SUCCESS, 0},
        {VKSKIN_MATRIX_COLUMN_MAJOR, 0, 16 + 11, 0.5f, VKSKIN_ERROR_TRANSFORM_NOT_AFFINE, 1},
        {VKSKIN_MATRIX_ROW_MAJOR, 16, 32 + 11, NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, 2},
    };
    const VkskinAffine given[MATRICES] = {turned, doubled, mirror};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        struct {
            VkskinAffine affine;
            float other;
        } made[MATRICES] = {{.other = 7}, {.other = 8}, {.other = 9}};
        HostMatrices host;
        uint32_t element = 9;
        storeMatrices(&host, given, cases[i].order, cases[i].stride);
        host.words[cases[i].spoiled] = cases[i].spoiled != 0 ? cases[i].value : host.words[0];
        RETURNS(cases[i].expected, vkskinAffinesFromMatrices(&host.given, &made[0].affine, sizeof made[0], &element));
        assert_int_equal(element, cases[i].element);
        for (uint32_t m = 0; m < MATRICES; ++m) {
            const bool written = cases[i].expected == VKSKIN_SUCCESS || m < cases[i].element;
            const VkskinAffine none = {{{0}}};
            assert_memory_equal(&made[m].affine, written ? &given[m] : &none, sizeof none);
            assert_true(made[m].other == 7 + (float)m);
        }
    }
    HostMatrices host;
    VkskinAffine tight[MATRICES];
    storeMatrices(&host, given, VKSKIN_MATRIX_COLUMN_MAJOR, 0);
    OK(vkskinAffinesFromMatrices(&host.given, tight, 0, NULL));
    assert_memory_equal(tight, given, sizeof tight);
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinAffinesFromMatrices(&host.given, tight, 44, NULL));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinAffinesFromMatrices(&host.given, tight, 50, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAffinesFromMatrices(&host.given, NULL, 0, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAffinesFromMatrices(NULL, tight, 0, NULL));
    host.given.count = 0;
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinAffinesFromMatrices(&host.given, tight, 0, NULL));
}

TEST(badArgumentsOfMatricesAreRefused) {
    const VkskinAffine bones[MATRICES] = {turned, doubled, mirror};
    static const struct {
        VkskinMatrices change; /* fields that are not 0 */
        VkskinResult expected;
    } cases[] = {
        {{.order = (VkskinMatrixOrder)2}, VKSKIN_ERROR_INVALID_VALUE},
        {{.stride = 60}, VKSKIN_ERROR_INVALID_VALUE},
        {{.stride = 66}, VKSKIN_ERROR_INVALID_VALUE},
        {{.stride = 65540}, VKSKIN_ERROR_INVALID_VALUE},
        {{.order = VKSKIN_MATRIX_ROW_MAJOR, .stride = 44}, VKSKIN_ERROR_INVALID_VALUE},
        {{.count = MATRICES + 1}, VKSKIN_ERROR_PALETTE_TOO_SMALL},
    };
    HostMatrices host;
    unsigned char entries[MATRICES][64];
    uint32_t bone = 9;
    storeMatrices(&host, bones, VKSKIN_MATRIX_COLUMN_MAJOR, 0);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        VkskinMatrices given = host.given;
        given.order = cases[i].change.order;
        given.stride = cases[i].change.stride;
        given.count = cases[i].change.count != 0 ? cases[i].change.count : given.count;
        RETURNS(cases[i].expected, vkskinWriteMatrices(&given, VKSKIN_PALETTE_MAT3X4, entries, MATRICES, &bone));
    }
    VkskinMatrices given = host.given;
    given.count = 0;
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinWriteMatrices(&given, VKSKIN_PALETTE_MAT3X4, entries, MATRICES, &bone));
    given.data = NULL;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinWriteMatrices(&given, VKSKIN_PALETTE_MAT3X4, entries, MATRICES, &bone));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinWriteMatrices(NULL, VKSKIN_PALETTE_MAT3X4, entries, MATRICES, &bone));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinWriteMatrices(&host.given, VKSKIN_PALETTE_MAT3X4, NULL, MATRICES, &bone));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE,
            vkskinWriteMatrices(&host.given, VKSKIN_PALETTE_ENCODING_COUNT, entries, MATRICES, &bone));
    assert_int_equal(bone, 9);
}
