/* Matrices, sampling, blending, composing and morph weights, against values calculated by hand. */
#include <math.h>

#include "host_doubles.h"
#include "test.h"
#include "vkskin/vkskin_pose.h"

#define HALF  0.70710678f
#define CLOSE 1e-6f
#define PI    3.14159265358979323846

static LogMemory logMemory;
static VkskinSkeleton skeleton; /* one node at (1, 2, 3) */

static VkskinSkeleton makeSkeleton(uint32_t count, const int32_t *parents, const VkskinTransform *rest,
                                   const VkskinAffine *preTransforms) {
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = count;
    def.parents = parents;
    def.restPose = rest;
    def.preTransforms = preTransforms;
    def.logger = rememberingLogger(&logMemory);
    VkskinSkeleton made = NULL;
    assert_int_equal(vkskinCreateSkeleton(&def, &made), VKSKIN_SUCCESS);
    return made;
}

static int setUp(void **state) {
    (void)state;
    const int32_t parents[] = {-1};
    const VkskinTransform rest[] = {{{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}}};
    skeleton = makeSkeleton(1, parents, rest, NULL);
    return 0;
}

static int tearDown(void **state) {
    (void)state;
    vkskinDestroySkeleton(skeleton);
    return 0;
}

static VkskinClip makeClipFor(uint32_t nodeCount, const VkskinTrack *tracks, uint32_t count, float duration) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = nodeCount;
    def.trackCount = count;
    def.tracks = tracks;
    def.duration = duration;
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    return clip;
}

static VkskinClip makeClip(const VkskinTrack *tracks, uint32_t count, float duration) {
    return makeClipFor(1, tracks, count, duration);
}

static VkskinTransform sample(VkskinClip clip, double time, VkskinWrap wrap) {
    VkskinTransform pose;
    memset(&pose, 0xff, sizeof pose);
    assert_int_equal(vkskinSampleClip(skeleton, clip, time, wrap, &pose), VKSKIN_SUCCESS);
    return pose;
}

static void assertFloats(const float *actual, const float *expected, int count, float tolerance) {
    for (int i = 0; i < count; ++i) {
        assert_float_equal(actual[i], expected[i], tolerance);
    }
}

static void assertVector(const float *actual, float x, float y, float z) {
    assertFloats(actual, (const float[]){x, y, z}, 3, CLOSE);
}

/* Equal as rotations: q and -q are the same. */
static void assertRotation(const float *actual, float x, float y, float z, float w) {
    const double dot = (double)actual[0] * x + (double)actual[1] * y + (double)actual[2] * z + (double)actual[3] * w;
    const float sign = dot < 0.0 ? -1.0f : 1.0f;
    assertFloats(actual, (const float[]){sign * x, sign * y, sign * z, sign * w}, 4, CLOSE);
}

/* ---- Matrices ---- */

static void assertAffine(const VkskinAffine *affine, const float expected[3][4], float tolerance) {
    assertFloats(affine->m[0], expected[0], 12, tolerance);
}

FIXTURE_TEST(identities) {
    const float expected[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    const VkskinAffine identity = vkskinIdentityAffine();
    assertAffine(&identity, expected, 0.0f);
    const VkskinTransform transform = vkskinIdentityTransform();
    const VkskinAffine fromTransform = vkskinAffineFromTransform(&transform);
    assertAffine(&fromTransform, expected, 0.0f);
}

FIXTURE_TEST(scalesThenRotatesThenMoves) {
    /* A quarter turn about z takes x to y and y to -x. */
    const VkskinTransform transform = {{5, 6, 7}, {0, 0, HALF, HALF}, {2, -3, 4}};
    const VkskinAffine affine = vkskinAffineFromTransform(&transform);
    const float expected[3][4] = {{0, 3, 0, 5}, {2, 0, 0, 6}, {0, 0, 4, 7}};
    assertAffine(&affine, expected, 1e-6f);
}

FIXTURE_TEST(rotationIsNormalisedWhereRead) {
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

FIXTURE_TEST(productAppliesTheSecondFirst) {
    const VkskinAffine move = {{{1, 0, 0, 10}, {0, 1, 0, 20}, {0, 0, 1, 30}}};
    const VkskinAffine scale = {{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 0}}};
    const VkskinAffine scaledFirst = vkskinMultiplyAffine(&move, &scale);
    const VkskinAffine movedFirst = vkskinMultiplyAffine(&scale, &move);
    const float expectedScaledFirst[3][4] = {{2, 0, 0, 10}, {0, 3, 0, 20}, {0, 0, 4, 30}};
    const float expectedMovedFirst[3][4] = {{2, 0, 0, 20}, {0, 3, 0, 60}, {0, 0, 4, 120}};
    assertAffine(&scaledFirst, expectedScaledFirst, 0.0f);
    assertAffine(&movedFirst, expectedMovedFirst, 0.0f);
}

FIXTURE_TEST(inverseUndoes) {
    const VkskinAffine matrices[] = {
        {{{2, 1, 0, 5}, {0, -3, 1, 6}, {1, 0, 4, -7}}},
        {{{1e-12f, 0, 0, 1}, {0, 1e6f, 0, 2}, {0, 0, -1, 3}}}, /* far apart scales are no matter */
        {{{0, 0, 100, 1}, {100, 0, 0, 2}, {0, 100, 0, 3}}},
    };
    const VkskinAffine identity = vkskinIdentityAffine();
    for (size_t i = 0; i < COUNT_OF(matrices); ++i) {
        VkskinAffine inverse;
        assert_int_equal(vkskinInvertAffine(&matrices[i], &inverse), VKSKIN_SUCCESS);
        const VkskinAffine product = vkskinMultiplyAffine(&inverse, &matrices[i]);
        assertAffine(&product, identity.m, 1e-5f);
    }
}

FIXTURE_TEST(inverseMayAlias) {
    VkskinAffine affine = {{{2, 0, 0, 4}, {0, 4, 0, 8}, {0, 0, 8, 16}}};
    const float expected[3][4] = {{0.5f, 0, 0, -2}, {0, 0.25f, 0, -2}, {0, 0, 0.125f, -2}};
    assert_int_equal(vkskinInvertAffine(&affine, &affine), VKSKIN_SUCCESS);
    assertAffine(&affine, expected, 0.0f);
}

FIXTURE_TEST(singularLeavesTheResultAlone) {
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
    for (size_t i = 0; i < COUNT_OF(singular); ++i) {
        VkskinAffine inverse;
        VkskinAffine before;
        memset(&inverse, 0x5a, sizeof inverse);
        memcpy(&before, &inverse, sizeof before);
        assert_int_equal(vkskinInvertAffine(&singular[i], &inverse), VKSKIN_ERROR_SINGULAR_MATRIX);
        assert_memory_equal(&inverse, &before, sizeof inverse);
    }
}

FIXTURE_TEST(nullsAreRefused) {
    VkskinAffine affine = vkskinIdentityAffine();
    assert_int_equal(vkskinInvertAffine(NULL, &affine), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinInvertAffine(&affine, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
}

/* ---- Sampling ---- */

static const float moveTimes[] = {1.0f, 2.0f, 4.0f};
static const float moveValues[] = {0, 0, 0, 10, 20, 30, 20, 0, -10};

static VkskinTrack moveTrack(VkskinInterpolation interpolation) {
    return (VkskinTrack){.channel = VKSKIN_CHANNEL_TRANSLATION,
                         .interpolation = interpolation,
                         .keyCount = 3,
                         .times = moveTimes,
                         .values = moveValues};
}

FIXTURE_TEST(withoutAClipIsTheRestPose) {
    const VkskinTransform pose = sample(NULL, 3.0, VKSKIN_WRAP_LOOP);
    const VkskinTransform rest = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    assert_memory_equal(&pose, &rest, sizeof rest);
}

FIXTURE_TEST(channelsWithoutATrackKeepTheRest) {
    const float times[] = {0.0f};
    const float values[] = {2, 3, 4};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_SCALE, .keyCount = 1, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    const VkskinTransform pose = sample(clip, 0.0, VKSKIN_WRAP_CLAMP);
    const VkskinTransform expected = {{1, 2, 3}, {0, 0, 0, 1}, {2, 3, 4}};
    assert_memory_equal(&pose, &expected, sizeof expected);
    vkskinDestroyClip(clip);
}

/* Keys at 1, 2 and 4 seconds; duration -1 ends the clip at the last key. */
FIXTURE_TEST(movesOverTime) {
    static const struct {
        VkskinInterpolation interpolation;
        VkskinWrap wrap;
        float duration;
        double time;
        float expected[3];
    } cases[] = {
#define LINEAR VKSKIN_INTERPOLATION_LINEAR
#define STEP   VKSKIN_INTERPOLATION_STEP
#define CLAMP  VKSKIN_WRAP_CLAMP
#define LOOP   VKSKIN_WRAP_LOOP
        {LINEAR, CLAMP, -1, 0.5, {0, 0, 0}}, /* before the first key */
        {LINEAR, CLAMP, -1, 1.0, {0, 0, 0}},      {LINEAR, CLAMP, -1, 1.25, {2.5f, 5, 7.5f}},
        {LINEAR, CLAMP, -1, 2.0, {10, 20, 30}},   {LINEAR, CLAMP, -1, 3.5, {17.5f, 5, 0}},
        {LINEAR, CLAMP, -1, 4.0, {20, 0, -10}},   {STEP, CLAMP, -1, 1.999, {0, 0, 0}},
        {STEP, CLAMP, -1, 2.0, {10, 20, 30}},     {STEP, CLAMP, -1, 3.999, {10, 20, 30}},
        {STEP, CLAMP, -1, 4.0, {20, 0, -10}},     {LINEAR, CLAMP, 3, -100.0, {0, 0, 0}}, /* ends between two keys */
        {LINEAR, CLAMP, 3, 3.0, {15, 10, 10}},    {LINEAR, CLAMP, 3, 100.0, {15, 10, 10}},
        {LINEAR, LOOP, 4, 9.25, {2.5f, 5, 7.5f}}, {LINEAR, LOOP, 4, 4.0e6 + 1.25, {2.5f, 5, 7.5f}},
        {LINEAR, LOOP, 4, 4.0, {0, 0, 0}},        {LINEAR, LOOP, 4, -0.5, {17.5f, 5, 0}},
        {LINEAR, LOOP, 4, -4.0, {0, 0, 0}},       {LINEAR, LOOP, 8, 15.0, {20, 0, -10}}, /* longer than its keys */
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const VkskinTrack track = moveTrack(cases[i].interpolation);
        VkskinClip clip = makeClip(&track, 1, cases[i].duration);
        assertFloats(sample(clip, cases[i].time, cases[i].wrap).translation, cases[i].expected, 3, CLOSE);
        vkskinDestroyClip(clip);
    }
}

FIXTURE_TEST(cubicOfMoves) {
    /* Two seconds apart; at the quarter the basis is 0.84375, 0.140625 x 2, 0.15625, -0.046875 x 2. */
    const float times[] = {1.0f, 3.0f};
    const float values[] = {9, 9, 9,  0,  1, 2, 4, 0, 1, /* the first in-tangent is not used */
                            8, 0, -1, 16, 1, 2, 9, 9, 9};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION,
                               .interpolation = VKSKIN_INTERPOLATION_CUBIC,
                               .keyCount = 2,
                               .times = times,
                               .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    assertVector(sample(clip, 0.0, VKSKIN_WRAP_CLAMP).translation, 0, 1, 2);
    assertVector(sample(clip, 1.5, VKSKIN_WRAP_CLAMP).translation, 2.875f, 1, 2.375f);
    assertVector(sample(clip, 3.0, VKSKIN_WRAP_CLAMP).translation, 16, 1, 2);
    vkskinDestroyClip(clip);
}

FIXTURE_TEST(cubicOfRotationsIsNormalised) {
    /* Tangents of zero: at half time the mean of a half turn about x and none, which has length 1 / sqrt 2. */
    const float times[] = {0.0f, 2.0f};
    const float values[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_ROTATION,
                               .interpolation = VKSKIN_INTERPOLATION_CUBIC,
                               .keyCount = 2,
                               .times = times,
                               .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    assertRotation(sample(clip, 1.0, VKSKIN_WRAP_CLAMP).rotation, HALF, 0, 0, HALF);
    vkskinDestroyClip(clip);
}

static VkskinTransform sampleRotations(const float *values, double time) {
    const float times[] = {0.0f, 1.0f};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 2, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    const VkskinTransform pose = sample(clip, time, VKSKIN_WRAP_CLAMP);
    vkskinDestroyClip(clip);
    return pose;
}

/* A quarter of 120 degrees about z, whichever sign the second key has: constant speed on the shorter arc. */
FIXTURE_TEST(slerpHasConstantSpeedOnTheShorterArc) {
    for (int sign = -1; sign <= 1; sign += 2) {
        const float values[] = {0, 0, 0, 1, 0, 0, (float)(sign * sin(PI / 3)), (float)(sign * cos(PI / 3))};
        assertRotation(sampleRotations(values, 0.25).rotation, 0, 0, (float)sin(PI / 12), (float)cos(PI / 12));
    }
}

FIXTURE_TEST(slerpOfNearNeighbours) {
    /* Too near for a dot product in float: it rounds to one. Signs alike and opposite. */
    for (int sign = -1; sign <= 1; sign += 2) {
        const float values[] = {0, 0, 0, 1, 0, 0, (float)sign * 1e-4f, (float)sign};
        const VkskinTransform pose = sampleRotations(values, 0.5);
        assert_float_equal(fabsf(pose.rotation[2]), 5e-5f, 1e-10f);
        assert_float_equal(fabsf(pose.rotation[3]), 1.0f, 1e-7f);
    }
}

FIXTURE_TEST(slerpOfAHalfTurn) {
    const float values[] = {0, 0, 0, 1, 0, 1, 0, 0};
    const VkskinTransform pose = sampleRotations(values, 0.5);
    assert_float_equal(fabsf(pose.rotation[1]), HALF, CLOSE);
    assert_float_equal(fabsf(pose.rotation[3]), HALF, CLOSE);
}

FIXTURE_TEST(rotationKeysAreNormalised) {
    const float values[] = {0, 0, 0, 5, 0, 0, 0.01f, 0.01f};
    assertRotation(sampleRotations(values, 1.0).rotation, 0, 0, HALF, HALF);
    assertRotation(sampleRotations(values, 0.5).rotation, 0, 0, (float)sin(PI / 8), (float)cos(PI / 8));
    const float zero[] = {0, 0, 0, 0, 0, 0, HALF, HALF};
    assertRotation(sampleRotations(zero, 0.0).rotation, 0, 0, 0, 1);
}

FIXTURE_TEST(ofEqualTimesTheLaterWins) {
    const float times[] = {0.0f, 1.0f, 1.0f, 1.0f, 2.0f};
    const float values[] = {0, 0, 0, 4, 0, 0, 5, 0, 0, 8, 0, 0, 10, 0, 0};
    VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 5, .times = times, .values = values};
    for (int i = 0; i < 2; ++i) {
        track.interpolation = i == 0 ? VKSKIN_INTERPOLATION_LINEAR : VKSKIN_INTERPOLATION_STEP;
        VkskinClip clip = makeClip(&track, 1, -1.0f);
        assertVector(sample(clip, 0.5, VKSKIN_WRAP_CLAMP).translation, i == 0 ? 2.0f : 0.0f, 0, 0);
        assertVector(sample(clip, 1.0, VKSKIN_WRAP_CLAMP).translation, 8, 0, 0);
        assertVector(sample(clip, 1.5, VKSKIN_WRAP_CLAMP).translation, i == 0 ? 9.0f : 8.0f, 0, 0);
        vkskinDestroyClip(clip);
    }
}

FIXTURE_TEST(ofSeveralTracksTheLastCounts) {
    const float times[] = {0.0f};
    const float first[] = {7, 7, 7};
    const float second[] = {8, 8, 8};
    const VkskinTrack tracks[] = {
        {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 1, .times = times, .values = first},
        {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 1, .times = times, .values = second},
    };
    VkskinClip clip = makeClip(tracks, 2, -1.0f);
    assertVector(sample(clip, 0.0, VKSKIN_WRAP_CLAMP).translation, 8, 8, 8);
    vkskinDestroyClip(clip);
}

FIXTURE_TEST(ofNoLengthIsItsFirstKeys) {
    const float times[] = {-1.0f, 5.0f};
    const float values[] = {4, 5, 6, 40, 50, 60};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 2, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, 0.0f);
    const double moments[] = {-3.0, 0.0, 7.0};
    for (int i = 0; i < 3; ++i) {
        assertVector(sample(clip, moments[i], VKSKIN_WRAP_CLAMP).translation, 4, 5, 6);
        assertVector(sample(clip, moments[i], VKSKIN_WRAP_LOOP).translation, 4, 5, 6);
    }
    vkskinDestroyClip(clip);
}

FIXTURE_TEST(keysAreCopied) {
    float times[] = {0.0f, 1.0f};
    float values[] = {1, 1, 1, 2, 2, 2};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_SCALE, .keyCount = 2, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    memset(times, 0xff, sizeof times);
    memset(values, 0xff, sizeof values);
    assertVector(sample(clip, 0.5, VKSKIN_WRAP_CLAMP).scale, 1.5f, 1.5f, 1.5f);
    vkskinDestroyClip(clip);
}

static void refuseSample(VkskinClip clip, double time, VkskinWrap wrap, const char *message) {
    VkskinTransform pose = {{9, 9, 9}, {9, 9, 9, 9}, {9, 9, 9}};
    const VkskinTransform before = pose;
    assert_int_equal(vkskinSampleClip(skeleton, clip, time, wrap, &pose), VKSKIN_ERROR_INVALID_VALUE);
    assert_memory_equal(&pose, &before, sizeof pose);
    assertLogged(&logMemory, VKSKIN_ERROR_INVALID_VALUE, message);
}

FIXTURE_TEST(sampleErrors) {
    VkskinTransform pose;
    assert_int_equal(vkskinSampleClip(NULL, NULL, 0.0, VKSKIN_WRAP_CLAMP, &pose), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinSampleClip(skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "sample: pose is null");
    refuseSample(NULL, NAN, VKSKIN_WRAP_CLAMP, "sample: the time is not finite");
    refuseSample(NULL, INFINITY, VKSKIN_WRAP_LOOP, "sample: the time is not finite");
    refuseSample(NULL, 0.0, (VkskinWrap)2, "sample: the wrap 2 is unknown");
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = 2;
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    refuseSample(clip, 0.0, VKSKIN_WRAP_CLAMP, "sample: the clip is for a skeleton of 2 nodes, this one has 1");
    vkskinDestroyClip(clip);
}

static const VkskinTransform blendA = {{0, 10, 0}, {0, 0, 0, 1}, {1, 1, 1}};
static const VkskinTransform blendB = {{10, 20, -4}, {0, 0, -HALF, -HALF}, {3, 1, -1}};

FIXTURE_TEST(blendMixesEachPart) {
    VkskinTransform out;
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 0.25f, &out), VKSKIN_SUCCESS);
    assertVector(out.translation, 2.5f, 12.5f, -1);
    assertVector(out.scale, 1.5f, 1, 0.5f);
    assertRotation(out.rotation, 0, 0, (float)sin(PI / 16), (float)cos(PI / 16)); /* a quarter of 90 degrees */
}

FIXTURE_TEST(blendReachesItsEnds) {
    VkskinTransform out;
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 0.0f, &out), VKSKIN_SUCCESS);
    assert_memory_equal(out.translation, blendA.translation, sizeof out.translation);
    assertRotation(out.rotation, 0, 0, 0, 1);
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 1.0f, &out), VKSKIN_SUCCESS);
    assert_memory_equal(out.translation, blendB.translation, sizeof out.translation);
    assert_memory_equal(out.scale, blendB.scale, sizeof out.scale);
    assertRotation(out.rotation, 0, 0, HALF, HALF);
}

FIXTURE_TEST(blendMayWriteOverItsInput) {
    VkskinTransform expected[2];
    const VkskinTransform a[2] = {blendA, blendB};
    const VkskinTransform b[2] = {blendB, blendA};
    assert_int_equal(vkskinBlendPoses(2, a, b, 0.3f, expected), VKSKIN_SUCCESS);
    VkskinTransform over[2] = {blendA, blendB};
    assert_int_equal(vkskinBlendPoses(2, over, b, 0.3f, over), VKSKIN_SUCCESS);
    assert_memory_equal(over, expected, sizeof over);
    memcpy(over, b, sizeof over);
    assert_int_equal(vkskinBlendPoses(2, a, over, 0.3f, over), VKSKIN_SUCCESS);
    assert_memory_equal(over, expected, sizeof over);
}

FIXTURE_TEST(blendErrors) {
    VkskinTransform out;
    assert_int_equal(vkskinBlendPoses(1, NULL, &blendB, 0.5f, &out), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinBlendPoses(1, &blendA, NULL, 0.5f, &out), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 0.5f, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    const float weights[] = {-0.01f, 1.01f, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, weights[i], &out), VKSKIN_ERROR_INVALID_VALUE);
    }
}

FIXTURE_TEST(composeGoesDownTheHierarchy) {
    /* A quarter turn about z at (10, 0, 0); a child one along x with unequal, partly negative scale; its child two
     * along its own x; a second root. */
    const int32_t parents[] = {-1, 0, 1, -1};
    const VkskinTransform pose[] = {
        {{10, 0, 0}, {0, 0, HALF, HALF}, {1, 1, 1}},
        {{1, 0, 0}, {0, 0, 0, 1}, {2, -3, 4}},
        {{2, 1, 1}, {0, 0, 0, 1}, {1, 1, 1}},
        {{7, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
    };
    VkskinSkeleton tree = makeSkeleton(4, parents, pose, NULL);
    VkskinAffine world[4];
    assert_int_equal(vkskinComposePose(tree, pose, world), VKSKIN_SUCCESS);
    assertAffine(&world[0], (const float[3][4]){{0, -1, 0, 10}, {1, 0, 0, 0}, {0, 0, 1, 0}}, 1e-5f);
    assertAffine(&world[1], (const float[3][4]){{0, 3, 0, 10}, {2, 0, 0, 1}, {0, 0, 4, 0}}, 1e-5f);
    assertAffine(&world[2], (const float[3][4]){{0, 3, 0, 13}, {2, 0, 0, 5}, {0, 0, 4, 4}}, 1e-5f);
    assertAffine(&world[3], (const float[3][4]){{1, 0, 0, 7}, {0, 1, 0, 0}, {0, 0, 1, 0}}, 1e-5f);
    vkskinDestroySkeleton(tree);
}

FIXTURE_TEST(preTransformStandsBeforeTheLocal) {
    const int32_t parents[] = {-1, 0};
    const VkskinTransform pose[] = {{{5, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 1, 0}, {0, 0, 0, 1}, {2, 2, 2}}};
    const VkskinAffine pre[] = {
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 100}}},
        {{{1, 0.5f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, /* a shear of x by y */
    };
    VkskinSkeleton sheared = makeSkeleton(2, parents, pose, pre);
    VkskinAffine world[2];
    assert_int_equal(vkskinComposePose(sheared, pose, world), VKSKIN_SUCCESS);
    assertAffine(&world[0], (const float[3][4]){{1, 0, 0, 5}, {0, 1, 0, 0}, {0, 0, 1, 100}}, 1e-5f);
    assertAffine(&world[1], (const float[3][4]){{2, 1, 0, 5.5f}, {0, 2, 0, 1}, {0, 0, 2, 100}}, 1e-5f);
    vkskinDestroySkeleton(sheared);
}

FIXTURE_TEST(composeErrors) {
    VkskinTransform pose = vkskinIdentityTransform();
    VkskinAffine world;
    assert_int_equal(vkskinComposePose(NULL, &pose, &world), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinComposePose(skeleton, NULL, &world), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "compose: pose is null");
    assert_int_equal(vkskinComposePose(skeleton, &pose, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "compose: world is null");
    pose.translation[1] = NAN; /* no error here: writing the palette refuses it */
    assert_int_equal(vkskinComposePose(skeleton, &pose, &world), VKSKIN_SUCCESS);
    assert_true(isnan(world.m[1][3]));
}

/* ---- Morph weights ---- */

#define NODES 3u
#define REST  7.0f /* what stands in the weights before */

static VkskinTrack morphTrack(VkskinInterpolation interpolation, uint32_t keyCount, uint32_t weightCount,
                              const float *values) {
    return (VkskinTrack){.node = 1,
                         .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                         .interpolation = interpolation,
                         .keyCount = keyCount,
                         .times = moveTimes,
                         .values = values,
                         .weightCount = weightCount};
}

/* Samples `count` weights of node 1 and compares them with `expected`; of those behind none is written. */
static void assertWeights(VkskinClip clip, double time, VkskinWrap wrap, uint32_t count, const float *expected) {
    float weights[6] = {REST, REST, REST, REST, REST, REST};
    assert_int_equal(vkskinSampleMorphWeights(clip, 1, time, wrap, weights, count), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_float_equal(weights[i], i < count ? expected[i] : REST, 1e-6f);
    }
}

static const float twoWeights[] = {0, 1, 0.5f, -1, 1.5f, 0};

FIXTURE_TEST(morphsOverTime) {
    static const struct {
        VkskinInterpolation interpolation;
        VkskinWrap wrap;
        double time;
        float expected[2];
    } cases[] = {
        {LINEAR, CLAMP, 0.5, {0, 1}},          {LINEAR, CLAMP, 1.25, {0.125f, 0.5f}},
        {LINEAR, CLAMP, 2.0, {0.5f, -1}},      {LINEAR, CLAMP, 3.5, {1.25f, -0.25f}},
        {LINEAR, CLAMP, 99.0, {1.5f, 0}},      {LINEAR, LOOP, 5.25, {0.125f, 0.5f}},
        {LINEAR, LOOP, -0.5, {1.25f, -0.25f}}, {STEP, CLAMP, 1.999, {0, 1}},
        {STEP, CLAMP, 3.999, {0.5f, -1}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const VkskinTrack track = morphTrack(cases[i].interpolation, 3, 2, twoWeights);
        VkskinClip clip = makeClipFor(NODES, &track, 1, -1.0f);
        assert_float_equal(vkskinGetClipDuration(clip), 4.0f, 0.0f);
        assertWeights(clip, cases[i].time, cases[i].wrap, 2, cases[i].expected);
        vkskinDestroyClip(clip);
    }
}

/* A key is all in-tangents, then all weights, then all out-tangents. */
FIXTURE_TEST(cubicOfMorphs) {
    const float values[] = {9, 9, 9,  0,  1, 2, 4, 0, 1, /* the first in-tangents are not used */
                            8, 0, -1, 16, 1, 2, 9, 9, 9};
    VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_CUBIC, 2, 3, values);
    /* Two seconds apart: at the quarter the basis is 0.84375, 0.140625 x 2, 0.15625, -0.046875 x 2. */
    track.times = moveTimes + 1;
    VkskinClip clip = makeClipFor(NODES, &track, 1, -1.0f);
    assertWeights(clip, 0.0, VKSKIN_WRAP_CLAMP, 3, (const float[]){0, 1, 2});
    assertWeights(clip, 2.5, VKSKIN_WRAP_CLAMP, 3, (const float[]){2.875f, 1, 2.375f});
    assertWeights(clip, 2.5, VKSKIN_WRAP_CLAMP, 2, (const float[]){2.875f, 1});
    assertWeights(clip, 4.0, VKSKIN_WRAP_CLAMP, 3, (const float[]){16, 1, 2});
    vkskinDestroyClip(clip);
}

FIXTURE_TEST(roomAndTrackMayDiffer) {
    for (int interpolation = 0; interpolation < 2; ++interpolation) {
        const VkskinTrack track = morphTrack((VkskinInterpolation)interpolation, 3, 2, twoWeights);
        VkskinClip clip = makeClipFor(NODES, &track, 1, -1.0f);
        assertWeights(clip, 2.0, VKSKIN_WRAP_CLAMP, 4, (const float[]){0.5f, -1, REST, REST});
        assertWeights(clip, 2.0, VKSKIN_WRAP_CLAMP, 1, (const float[]){0.5f});
        assertWeights(clip, 2.25, VKSKIN_WRAP_CLAMP, 1, (const float[]){interpolation == 0 ? 0.625f : 0.5f});
        assert_int_equal(vkskinSampleMorphWeights(clip, 1, 2.0, VKSKIN_WRAP_CLAMP, NULL, 0), VKSKIN_SUCCESS);
        vkskinDestroyClip(clip);
    }
}

/* Of several tracks of a node the last counts, with its own number of weights; other nodes' and channels' do not. */
FIXTURE_TEST(theLastTrackOfTheNodeCounts) {
    const float first[] = {1, 2, 3, 4};
    const float second[] = {5, 6};
    const float other[] = {8, 8, 8};
    VkskinTrack tracks[4] = {
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 4, first),
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 2, second),
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 3, other),
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 0, other),
    };
    tracks[2].node = 2;
    tracks[3].channel = VKSKIN_CHANNEL_SCALE;
    VkskinClip clip = makeClipFor(NODES, tracks, 4, -1.0f);
    assertWeights(clip, 0.0, VKSKIN_WRAP_CLAMP, 4, (const float[]){5, 6, REST, REST});
    float weights[4] = {REST, REST, REST, REST};
    assert_int_equal(vkskinSampleMorphWeights(clip, 0, 0.0, VKSKIN_WRAP_CLAMP, weights, 4), VKSKIN_SUCCESS);
    assert_true(weights[0] == REST && weights[3] == REST); /* no track: the mesh's weights at rest stay */
    assert_int_equal(vkskinSampleMorphWeights(clip, 2, 0.0, VKSKIN_WRAP_CLAMP, weights, 4), VKSKIN_SUCCESS);
    assert_true(weights[2] == 8.0f && weights[3] == REST);
    vkskinDestroyClip(clip);
}

FIXTURE_TEST(posesPassOverThem) {
    const int32_t parents[NODES] = {-1, 0, 1};
    VkskinTransform rest[NODES];
    for (uint32_t i = 0; i < NODES; ++i) {
        rest[i] = vkskinIdentityTransform();
        rest[i].translation[1] = (float)i;
    }
    VkskinSkeleton three = makeSkeleton(NODES, parents, rest, NULL);
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 2, twoWeights);
    VkskinClip clip = makeClipFor(NODES, &track, 1, -1.0f);
    VkskinTransform pose[NODES];
    assert_int_equal(vkskinSampleClip(three, clip, 2.0, VKSKIN_WRAP_CLAMP, pose), VKSKIN_SUCCESS);
    assert_memory_equal(pose, rest, sizeof rest);
    vkskinDestroyClip(clip);
    vkskinDestroySkeleton(three);
}

FIXTURE_TEST(morphKeysAreCopied) {
    float values[6];
    memcpy(values, twoWeights, sizeof values);
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 2, values);
    VkskinClip clip = makeClipFor(NODES, &track, 1, -1.0f);
    memset(values, 0xff, sizeof values);
    assertWeights(clip, 4.0, VKSKIN_WRAP_CLAMP, 2, (const float[]){1.5f, 0});
    vkskinDestroyClip(clip);
}

static void refuseTrack(const VkskinTrack *track, VkskinResult result, const char *message) {
    LogMemory log;
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = NODES;
    def.trackCount = 1;
    def.tracks = track;
    def.logger = rememberingLogger(&log);
    VkskinClip clip = (VkskinClip)(uintptr_t)8;
    assert_int_equal(vkskinCreateClip(&def, &clip), result);
    assert_null(clip);
    assertLogged(&log, result, message);
}

FIXTURE_TEST(badTracksAreRefused) {
    const VkskinTrack none = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 0, twoWeights);
    refuseTrack(&none, VKSKIN_ERROR_INVALID_VALUE, "clip: track 0 (node 1) of morph weights has none");
    float values[2 * 3 * 5] = {0};
    values[29] = NAN; /* the last out-tangent of five weights */
    const VkskinTrack bad = morphTrack(VKSKIN_INTERPOLATION_CUBIC, 2, 5, values);
    refuseTrack(&bad, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "clip: the value of key 1 of track 0 (node 1) is not finite");
}

FIXTURE_TEST(morphArguments) {
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 2, twoWeights);
    VkskinClip clip = makeClipFor(NODES, &track, 1, -1.0f);
    float weights[2] = {REST, REST};
    assert_int_equal(vkskinSampleMorphWeights(NULL, 1, 0.0, VKSKIN_WRAP_CLAMP, weights, 2), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinSampleMorphWeights(clip, 1, 0.0, VKSKIN_WRAP_CLAMP, NULL, 2), VKSKIN_ERROR_NULL_ARGUMENT);
    const double notFinite[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(vkskinSampleMorphWeights(clip, 1, notFinite[i], VKSKIN_WRAP_LOOP, weights, 2),
                         VKSKIN_ERROR_INVALID_VALUE);
    }
    assert_int_equal(vkskinSampleMorphWeights(clip, 1, 0.0, (VkskinWrap)2, weights, 2), VKSKIN_ERROR_INVALID_VALUE);
    assert_int_equal(vkskinSampleMorphWeights(clip, NODES, 0.0, VKSKIN_WRAP_CLAMP, weights, 2),
                     VKSKIN_ERROR_NODE_OUT_OF_RANGE);
    assert_true(weights[0] == REST && weights[1] == REST);
    vkskinDestroyClip(clip);
}
